"""Statistics of rows in the vLLM plugin: against numbers in float64, in both runners' shapes."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire as gw

torch = pytest.importorskip("torch", reason="rows of logits are tensors")
import test_vllm_rows as fakes  # noqa: E402
from groundwire.integrations.vllm import meter  # noqa: E402
from groundwire.integrations.vllm.slots import Slots  # noqa: E402
from groundwire.integrations.vllm.stream import Stream, Tap, follow  # noqa: E402

UNSURE = gw.Monitor(
    tokenizer={i: bytes([i]) for i in range(256)},
    settings={"group_confidence_bar": 6.0, "group_window": 4},
    reference_date="2026-05-01",
)


def oracle(row: Any) -> tuple[float, dict[str, Any]]:
    """Slow, plain, and in float64."""
    x = [float(v) for v in row.double()]
    if any(math.isnan(v) or v == math.inf for v in x) or all(v == -math.inf for v in x):
        return math.nan, {"invalid": True}
    top = max(x)
    total = top + math.log(math.fsum(math.exp(v - top) for v in x))
    logs = sorted((v - total for v in x if v > -math.inf), reverse=True)
    entropy = -math.fsum(math.exp(v) * v for v in logs)
    spread = math.fsum(math.exp(v) * (v + entropy) ** 2 for v in logs)
    margin = math.exp(logs[0]) - (math.exp(logs[1]) if len(logs) > 1 else 0.0)
    listed = logs[:20]
    numbers = (entropy, spread, margin, -math.fsum(listed) / len(listed))
    return total, dict(zip(meter.NAMES, numbers, strict=True))


def rows_of(seed: int, count: int, width: int, kind: Any) -> Any:
    made = torch.randn((count, width), generator=torch.Generator().manual_seed(seed)) * 4
    if width > 4:
        made[0, 3] = -math.inf
    if count > 2:
        made[1, 1:] = -math.inf
    if count > 3:
        made[2, 0] = math.nan
    if count > 4:
        made[3] = -math.inf
    if count > 5:
        made[4, width - 1] = math.inf
    return made.to(kind)


def same(found: tuple[float, dict[str, Any]], expected: tuple[float, dict[str, Any]]) -> None:
    assert found[1].keys() == expected[1].keys()
    if "invalid" not in expected[1]:
        assert found[0] == pytest.approx(expected[0], rel=1e-5, abs=2e-5)
        assert found[1] == pytest.approx(expected[1], rel=1e-4, abs=2e-5)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 99),
    count=st.integers(1, 9),
    width=st.sampled_from((1, 2, 19, 21, 256, 4097)),
    kind=st.sampled_from((torch.float32, torch.float16, torch.bfloat16)),
    data=st.data(),
)
def test_both_ways_agree_with_float64(
    seed: int, count: int, width: int, kind: Any, data: Any
) -> None:
    logits = rows_of(seed, count, width, kind)
    expected = [oracle(row) for row in logits]
    for line, row in zip(meter.statistics(logits).tolist(), expected, strict=True):
        same(meter._signals(line[0], line[1:5], bool(line[5])), row)
    chosen = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
    found = meter.read_rows(logits, chosen)
    for one, row in zip(found, chosen, strict=True):
        same(one, expected[row])


def test_rows_that_are_views_with_gaps_are_read_as_they_are() -> None:
    wide = rows_of(5, 4, 80, torch.float32)
    for view in (wide[:, 10:60], wide.t()[:4].t(), wide.double()):
        for one, row in zip(meter.read_rows(view, [0, 3]), (0, 3), strict=True):
            same(one, oracle(view[row]))


def watched(params: Any = "on", monitor: gw.Monitor = UNSURE, sends: str | None = "r") -> Stream:
    guard = monitor.open_guard([], [], None, None, None, None, None, appending=True)
    return Stream(guard, monitor, lambda before, text: list(text.encode()), reads=True, sends=sends)


class Box:
    """A sender that keeps what it is given."""

    def __init__(self) -> None:
        self.got: list[Any] = []

    def send(self, readings: Any) -> None:
        self.got += readings


def test_the_session_gets_what_push_with_the_row_gives() -> None:
    text = list(b"It is open. It is big.")
    logits = rows_of(1, 1, 256, torch.float32).repeat(len(text), 1)
    logits += torch.randn(logits.shape, generator=torch.Generator().manual_seed(7))
    plain = UNSURE.session()
    steps = [plain.push(token, logits=row) for token, row in zip(text, logits, strict=True)]
    stream, one = watched(), meter.Meter(None)
    for i, token in enumerate(text):
        one.complete([(stream, text[len(stream.seen) : i])])
        follow([(stream, text[len(stream.seen) : i])])
        one.read(logits[i : i + 1], {0: stream})
        row = logits[i].clone()
        logits[i] = -math.inf
        assert one._rows is not None
        assert torch.equal(one._rows[0], row)
        numbers = stream.numbers[i]
        one.complete([(stream, [token])])
        expected = steps[i].signals
        for name in (*meter.NAMES, "logprob", "surprisal"):
            assert numbers[name] == pytest.approx(getattr(expected, name), rel=1e-9, abs=1e-9)
    follow([(stream, text[-1:])])
    report = stream.guard.report()
    assert [f.type for f in report.findings] == [f.type for s in steps for f in s.findings]
    assert "stream.low_confidence" in [f.type for f in report.findings]


def test_an_unsure_model_is_found_out_by_its_rows_alone() -> None:
    flat, sure = torch.zeros((1, 256)), torch.zeros((1, 256))
    sure[0, 65] = 40.0
    for row, expected in ((flat, 1), (sure, 0)):
        stream, one = watched(sends=None), meter.Meter(None)
        for token in b"It is open today":
            one.read(row, {0: stream})
            assert one._rows is None
            one.complete([(stream, [token])])
            follow([(stream, [token])])
        found = stream.guard.report().findings
        # A sure row's confidence is high: the other nineteen are far away.
        assert sum(f.type == "stream.low_confidence" for f in found) == expected


def test_only_rows_that_are_used_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise AssertionError("nobody uses these rows")

    monkeypatch.setattr(meter, "read_rows", broken)
    stream = watched(sends=None)
    stream.reads = False
    meter.Meter(None).read(torch.zeros((1, 256)), {0: stream})
    stream.reads = True
    stream.lose("a test")
    meter.Meter(None).read(torch.zeros((1, 256)), {0: stream})


def test_a_row_that_is_read_twice_counts_once_and_placeholders_say_nothing() -> None:
    box, stream = Box(), watched()
    one = meter.Meter(box)  # type: ignore[arg-type]
    first, second = torch.zeros((1, 256)), torch.zeros((1, 256))
    second[0, 7] = 9.0
    # Chunks of a prompt: the plugin sees rows that nothing is sampled from.
    one.read(first, {0: stream})
    one.read(second, {0: stream})
    assert [r.position for r in box.got] == [0, 0]
    assert stream.numbers[0]["margin"] == pytest.approx(oracle(second[0])[1]["margin"])
    one.complete([(stream, [-1])])
    assert "logprob" not in stream.numbers[0]
    assert follow([(stream, [-1])]) == 1


def test_a_tap_is_read_and_not_judged() -> None:
    box, tap = Box(), Tap(reads=True, sends="x")
    one = meter.Meter(box)  # type: ignore[arg-type]
    for token in (3, 4, 5):
        one.read(torch.zeros((2, 256)), {1: tap})
        one.complete([(tap, [token])])
        assert follow([(tap, [token])]) == 0
    assert [(r.id, r.position) for r in box.got] == [("x", 0), ("x", 1), ("x", 2)]
    assert tap.seen == [3, 4, 5]
    assert tap.numbers == {}
    assert (tap.wants_row, tap.forced, tap.over) == (False, None, False)


def test_forced_tokens_carry_no_numbers() -> None:
    stream, one = watched(), meter.Meter(None)
    stream.queue = [65]
    one.read(torch.zeros((1, 256)), {0: stream})
    follow([(stream, [65])])
    assert stream.guard.report().stats.get("invalid_rows", 0) == 0
    assert stream.numbers == {}


@pytest.mark.parametrize("accepted", [0, 1, 2])
def test_drafts_have_rows_of_their_own(accepted: int) -> None:
    """The newer runner: what is accepted gets the numbers of the row it came from."""
    model = fakes.Model("It is open.")
    runner = fakes.Runner([model], 3)
    box = Box()
    one = meter.Meter(box)  # type: ignore[arg-type]
    seen: list[tuple[int, dict[str, Any]]] = []

    def before(news: Any) -> None:
        one.complete(news)
        for stream, ids in news:
            begin = len(stream.seen)
            seen.extend(
                (i, dict(stream.numbers[i]))
                for i in range(begin, begin + len(ids))
                if i in stream.numbers
            )

    slots = Slots(lambda *_: watched(), runner.states, before)
    slots.add(0, "on")
    model.ids = list(b"It")
    runner.write()
    logits = rows_of(3, 1, 256, torch.float32).repeat(3, 1)
    logits += torch.randn(logits.shape, generator=torch.Generator().manual_seed(8))
    one.read(logits, slots.rows(runner.context([0], 0, {0: list(b" i")})))
    assert [r.position for r in box.got] == [2, 3, 4]
    model.ids += list(b" is"[:accepted]) + list(b"!")
    runner.write()
    slots.rows(runner.context([0], 0, {}))
    assert [i for i, _ in seen] == [2 + k for k in range(accepted + 1)]
    for (i, numbers), row in zip(seen, logits, strict=False):
        total, expected = oracle(row)
        expected["logprob"] = float(row[model.ids[i]]) - total
        expected["surprisal"] = -expected["logprob"]
        assert numbers == pytest.approx(expected, rel=1e-6, abs=1e-6)
