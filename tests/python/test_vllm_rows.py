"""Rows and slots of the vLLM plugin against a slow twin, with fakes of the engine's updates."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire as gw

torch = pytest.importorskip("torch", reason="the plugin's rows are tensors")
from groundwire.integrations.vllm.rows import Rows  # noqa: E402
from groundwire.integrations.vllm.slots import Slots  # noqa: E402
from groundwire.integrations.vllm.stream import Stream, follow  # noqa: E402

MONITOR = gw.Monitor(tokenizer={i: bytes([i]) for i in range(256)}, reference_date="2026-05-01")
EVIDENCE = [("leaflet", "The Harbour Museum was founded in 1987. It has 45 employees.")]
TEXTS = [
    "The Harbour Museum was founded in 1992. It has 45 employees.",
    "The Harbour Museum was founded in 1987. It has 60 employees. Yes.",
    "It is open. The Harbour Museum was founded in 2001. Indeed.",
    "Zorblax Quimby has 45 employees! Are they here? No.",
]
ENDS = frozenset((0,))


def opened(params: Any, prompt: Any = None) -> Stream | None:
    if params is None:
        return None
    guard = MONITOR.open_guard(EVIDENCE, [], None, None, None, None, None, appending=True)
    return Stream(guard, MONITOR, lambda before, text: list(text.encode()))


class Model:
    """One request whose model writes its text, whatever was said in between."""

    def __init__(self, text: str, checked: bool = True) -> None:
        self.text, self.at = list(text.encode()), 0
        self.params = "on" if checked else None
        self.ids: list[int] = []

    @property
    def likely(self) -> int:
        return self.text[self.at] if self.at < len(self.text) else 0

    def sample(self, row: Any) -> None:
        token = int(row.argmax())
        if self.at < len(self.text) and token == self.text[self.at] and row[token] < 50:
            self.at += 1
        self.ids.append(token)

    @property
    def done(self) -> bool:
        return self.at >= len(self.text) or len(self.ids) > 400

    def logits(self) -> Any:
        row = torch.zeros(256)
        row[self.likely] = 10.0
        return row


def step(models: list[Model], streams: dict[int, Stream]) -> None:
    """What the processor does with a batch, and what the engine does after it."""
    for row, model in enumerate(models):
        scores, stream = model.logits(), streams.get(row)
        if stream is not None and stream.wants_row:
            stream.decide(int(scores.argmax()), ENDS)
        if stream is not None and stream.forced is not None:
            scores[:] = float("-inf")
            scores[stream.forced] = 100.0
        model.sample(scores)


def alone(text: str) -> list[int]:
    """The slow twin: one request, its stream built anew from all ids for every token."""
    model = Model(text)
    while not model.done:
        stream = opened("on")
        assert stream is not None
        follow([(stream, model.ids)])
        step([model], {0: stream})
    return model.ids


TWIN = {text: alone(text) for text in TEXTS}


def test_the_twin_forces_notes() -> None:
    assert "(Correction: 1987, not 1992.) It" in bytes(TWIN[TEXTS[0]]).decode()


class Batch:
    """A persistent batch: requests join, leave, come back, swap and move."""

    def __init__(self) -> None:
        self.rows = Rows(opened)
        self.models: list[Model] = []
        self.away: list[Model] = []
        self.done: list[Model] = []

    def run(self, update: Any) -> None:
        self.rows.update(update)
        assert follow(self.rows.news()) == 0
        step(self.models, {i: s for i, (s, _) in self.rows.rows.items()})

    def update(self, added: list[Model], gone: list[int], swap: tuple[int, int] | None) -> Any:
        """Remove rows, fill their places with what is added, condense, then swap."""
        removed, moved = [], []
        free = sorted(gone)
        entries = []
        for model in added:
            at = free.pop(0) if free else len(self.models)
            if at == len(self.models):
                self.models.append(model)
            else:
                self.models[at] = model
            entries.append((at, model.params, None, model.ids))
        removed = list(free)
        # Rows left empty are filled from the end, as the engine condenses its batch.
        last = len(self.models) - 1
        holes = set(free)
        for hole in free:
            while last in holes:
                last -= 1
            if last <= hole:
                break
            moved.append((last, hole, "UNIDIRECTIONAL"))
            self.models[hole] = self.models[last]
            holes.add(last)
            holes.discard(hole)
        del self.models[len(self.models) - len(free) :]
        if swap is not None and max(swap) < len(self.models) and swap[0] != swap[1]:
            one, other = swap
            moved.append((one, other, SimpleNamespace(name="SWAP")))
            self.models[one], self.models[other] = self.models[other], self.models[one]
        return SimpleNamespace(
            batch_size=len(self.models), removed=removed, added=entries, moved=moved
        )


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_joins_leaves_moves_and_preemption_change_nothing(data: st.DataObject) -> None:
    batch = Batch()
    waiting = [
        Model(t, c)
        for t, c in data.draw(
            st.lists(st.tuples(st.sampled_from(TEXTS), st.booleans()), min_size=1, max_size=5)
        )
    ]
    models = list(waiting)
    for turn in range(2000):
        gone = [i for i, m in enumerate(batch.models) if m.done]
        for i in gone:
            batch.done.append(batch.models[i])
        if turn % 5 == 0 and data.draw(st.booleans()) and batch.models:
            out = data.draw(st.integers(0, len(batch.models) - 1))
            if out not in gone:
                gone.append(out)
                away = batch.models[out]
                # Another process has other lists of the same ids.
                if data.draw(st.booleans()):
                    away.ids = list(away.ids)
                waiting.append(away)
        added = []
        if waiting and (not batch.models or turn % 3 == 0):
            ready = [m for m in waiting if m not in batch.models]
            added = ready[: data.draw(st.integers(1, 2))]
            waiting = [m for m in waiting if m not in added]
        size = len(batch.models)
        swap = (0, size - 1) if turn % 7 == 0 and size > 1 else None
        batch.run(batch.update(added, gone, swap) if added or gone or swap else None)
        if all(m.done for m in models):
            break
    for model in models:
        assert model.ids[: len(twin_of(model))] == twin_of(model)


def twin_of(model: Model) -> list[int]:
    text = bytes(model.text).decode()
    return TWIN[text] if model.params else list(text.encode())


def test_placeholders_leave_a_stream_unmonitored_and_counted() -> None:
    rows = Rows(opened)
    ids: list[int] = [65, -1]
    rows.update(SimpleNamespace(removed=[], added=[(0, "on", None, ids)], moved=[]))
    assert follow(rows.news()) == 1
    stream, _ = rows.rows[0]
    assert stream.lost is not None
    assert "placeholders" in stream.lost
    ids.append(66)
    assert follow(rows.news()) == 0


def test_an_unknown_token_loses_its_own_stream_only() -> None:
    rows = Rows(opened)
    both = [[65], [9999]]
    added = [(i, "on", None, ids) for i, ids in enumerate(both)]
    rows.update(SimpleNamespace(removed=[], added=added, moved=[]))
    assert follow(rows.news()) == 1
    assert rows.rows[0][0].lost is None
    assert rows.rows[0][0].seen == [65]


@pytest.mark.parametrize("odd", [2**32, 2**70])
def test_an_id_that_no_vocabulary_has_loses_its_own_stream_only(odd: int) -> None:
    rows = Rows(opened)
    both = [[65], [66, odd], list(b"It is open."), [*b"It is open.", odd]]
    added = [(i, "on", None, ids) for i, ids in enumerate(both)]
    rows.update(SimpleNamespace(removed=[], added=added, moved=[]))
    assert follow(rows.news()) == 2
    assert [rows.rows[i][0].lost is None for i in range(4)] == [True, False, True, False]
    assert "no vocabulary" in str(rows.rows[1][0].lost)
    assert rows.rows[2][0].guard.text == "It is open."


@pytest.mark.parametrize("fault", [RuntimeError("torn"), BaseException("a panic")])
def test_a_fault_in_one_stream_costs_no_other(fault: BaseException) -> None:
    def broken(before: Any, text: str) -> list[int]:
        raise fault

    rows = Rows(opened)
    text = list(b"The Harbour Museum was founded in 1992. (Correction: 1987")
    added = [(i, "on", None, list(text)) for i in range(3)]
    rows.update(SimpleNamespace(removed=[], added=added, moved=[]))
    first, (torn, _), last = (rows.rows[i] for i in range(3))
    torn.encode = broken
    with pytest.raises(type(fault)):
        follow([(torn.fork(), text)])
    told: list[BaseException] = []
    # The space that a note begins with tells nothing in this vocabulary: the note is due behind it.
    assert follow(rows.news(), told.append) == 1
    assert told == [fault]
    assert torn.lost == str(fault)
    assert all(stream.lost is None and stream.seen == text for stream, _ in (first, last))


def test_ids_that_change_are_followed_anew() -> None:
    rows = Rows(opened)
    ids = list(b"The cat")
    rows.update(SimpleNamespace(removed=[], added=[(0, "on", None, ids)], moved=[]))
    follow(rows.news())
    ids[:] = list(b"The dog ran")
    follow(rows.news())
    assert rows.rows[0][0].guard.text == "The dog ran"


class Runner:
    """The newer runner's buffers, with as many slots as requests, in any order of rows."""

    def __init__(self, models: list[Model], prompt: int) -> None:
        size, width = len(models) + 1, 900
        self.prompt = prompt
        self.models = models
        tokens = torch.zeros((size, width), dtype=torch.int32)
        lengths = torch.zeros(size, dtype=torch.int32)
        totals = torch.zeros(size, dtype=torch.int32)
        self.states = SimpleNamespace(
            all_token_ids=SimpleNamespace(gpu=tokens),
            prompt_len=SimpleNamespace(gpu=lengths),
            total_len=SimpleNamespace(gpu=totals),
        )
        lengths[:] = prompt

    def write(self) -> None:
        for slot, model in enumerate(self.models):
            end = self.prompt + len(model.ids)
            row = self.states.all_token_ids.gpu[slot]
            row[:] = 7
            row[self.prompt : end] = torch.tensor(model.ids, dtype=torch.int32)
            self.states.total_len.gpu[slot] = end

    def context(self, order: list[int], slack: int, drafts: dict[int, list[int]]) -> Any:
        slots, places, ids = [], [], []
        for slot in order:
            last = self.models[slot].ids[-1:] or [7]
            for place, token in enumerate([*last, *drafts.get(slot, [])]):
                slots.append(slot)
                places.append(place)
                ids.append(token)
        upper = [self.prompt + len(self.models[s].ids) + slack for s in order]
        return SimpleNamespace(
            idx_mapping_np=order,
            seq_lens_upper_bound_np=upper,
            expanded_idx_mapping=torch.tensor(slots),
            expanded_local_pos=torch.tensor(places),
            input_ids=torch.tensor(ids),
        )


@settings(max_examples=15, deadline=None)
@given(
    texts=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4),
    prompt=st.integers(1, 9),
    slack=st.integers(0, 3),
    every=st.integers(11, 60),
)
def test_slots_force_what_the_twin_forces(
    texts: list[str], prompt: int, slack: int, every: int
) -> None:
    models = [Model(text) for text in texts]
    runner = Runner(models, prompt)
    slots = Slots(opened, runner.states)
    for slot, model in enumerate(models):
        assert slots.add(slot, model.params)
    turn = 0
    while not all(m.done for m in models):
        turn += 1
        order = [i for i, m in enumerate(models) if not m.done]
        order = order[turn % len(order) :] + order[: turn % len(order)]
        if turn % every == 0:
            # Preempted and taken up again: the slot begins anew.
            slots.add(order[0], models[order[0]].params)
        runner.write()
        streams = slots.rows(runner.context(order, slack, {}))
        step([models[i] for i in order], streams)
    for model in models:
        assert model.ids == TWIN[bytes(model.text).decode()]
    assert slots.lost == 0


def test_drafts_have_streams_of_their_own() -> None:
    model = Model("The Harbour Museum was founded in 1992. It has 45 employees.")
    runner = Runner([model], 3)
    slots = Slots(opened, runner.states)
    slots.add(0, "on")
    model.ids = list(b"The Harbour Museum was founded in 199")
    runner.write()
    streams = slots.rows(runner.context([0], 0, {0: list(b"2. ")}))
    assert len(streams) == 4
    assert [s.guard.text[-3:] for s in streams.values()] == ["199", "992", "92.", "2. "]
    streams[2].decide(ord(" "), ENDS)
    streams[3].decide(ord("I"), ENDS)
    assert bytes(streams[3].queue).startswith(b"(Correction: 1987, not 1992.)")
    assert slots.slots[0].stream.guard.text.endswith("199")
    assert slots.slots[0].stream.queue == []


def test_a_slot_that_is_off_does_no_work() -> None:
    slots = Slots(opened, SimpleNamespace())
    assert slots.add(0, None) is False
    assert slots.rows(SimpleNamespace(idx_mapping_np=[0])) == {}
