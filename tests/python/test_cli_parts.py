"""Parts of the command line that need no monitor: records, places of models, explanations."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import groundwire as gw
from groundwire.cli import explain, generate, models, options, records, screen, sources
from groundwire.errors import FormatError, MissingExtraError, NotFoundError
from groundwire.findings import Finding, Intervention
from sample_reports import finding, report


def test_a_record_with_everything() -> None:
    top = [{"token": "x", "logprob": -0.5 - n} for n in range(20)]
    line = {"token": "é", "bytes": [0xC3], "logprob": -0.5, "prior_logprob": -1.5}
    record = records.parse_record(json.dumps(line | {"top_logprobs": top}), 1)
    assert record.data == b"\xc3"
    assert record.signals["surprisal"] == 0.5
    assert record.signals["lift_bits"] == pytest.approx(1 / math.log(2))
    assert record.signals["margin"] == pytest.approx(math.exp(-0.5) - math.exp(-1.5))
    assert record.signals["confidence"] == pytest.approx(10.0)


def test_what_is_not_given_is_not_claimed() -> None:
    assert records.parse_record('{"token": "a"}', 1) == records.Record(b"a", {})
    few = '{"token": "a", "logprob": -1, "top_logprobs": {"a": -1, "b": -2}}'
    assert set(records.parse_record(few, 1).signals) == {"logprob", "surprisal", "margin"}
    masked = '{"token": "a", "top_logprobs": [-0.1, -Infinity]}'
    assert records.parse_record(masked, 1).signals == {"margin": pytest.approx(math.exp(-0.1))}


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("{", "not JSON"),
        ("3", "a token is expected"),
        ('{"token": 3}', 'expected under "token".*; here it is 3'),
        ('{"text": "a"}', 'expected under "token".*; this line has "text"'),
        ('{"id": 5, "logprob": -1}', 'this line has "id", "logprob"'),
        ("{}", "this line has no key"),
        ('{"token": "a", "logprob": "b"}', "logprob is 'b'"),
        ('{"token": "a", "logprob": true}', "not a number"),
        ('{"token": "a", "logprob": NaN}', "not a number"),
        ('{"token": "a", "bytes": [300]}', "0 to 255"),
        ('{"token": "a", "top_logprobs": 3}', "top_logprobs"),
    ],
)
def test_bad_records_name_their_line(line: str, part: str) -> None:
    with pytest.raises(FormatError, match=part) as caught:
        list(records.read_records(['{"token": "fine"}', "", line]))
    assert "line 3" in str(caught.value)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists))
@pytest.mark.filterwarnings("ignore")
def test_any_json_is_a_record_or_an_error(value: object) -> None:
    for key in ("token", "logprob", "bytes", "top_logprobs"):
        try:
            records.parse_record(json.dumps({"token": "a", key: value}), 1)
        except FormatError:
            continue


def test_evidence_is_a_passage_a_paragraph_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# Head\n\n\n  First\nline.\n\nSecond.\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("Only.", encoding="utf-8")
    (tmp_path / "c.png").write_bytes(b"\xff")
    found = sources.read_evidence([tmp_path])
    assert [(e.text, Path(e.source or "").name, e.locator) for e in found] == [
        ("Only.", "a.txt", "1"),
        ("# Head", "b.md", "1"),
        ("First\nline.", "b.md", "4"),
        ("Second.", "b.md", "7"),
    ]
    assert found[2].id == f"{(tmp_path / 'b.md').as_posix()}:4"
    assert sources.read_evidence(None) == []


def test_history(tmp_path: Path) -> None:
    path = tmp_path / "h.json"
    turns = [{"role": "user", "content": "Who?"}]
    path.write_text(json.dumps({"messages": turns}), encoding="utf-8")
    assert sources.read_history(path) == turns
    for bad in ("{", '[{"role": "user"}]', '["text"]', "3"):
        path.write_text(bad, encoding="utf-8")
        with pytest.raises(FormatError, match=r"h\.json"):
            sources.read_history(path)


def test_where_a_model_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert models.locate("org/name") == ("org/name", None)
    assert models.locate(str(tmp_path)) == (str(tmp_path), None)
    file = tmp_path / "m.gguf"
    with pytest.raises(NotFoundError, match="no file"):
        models.locate(str(file))
    file.touch()
    assert models.locate(str(file)) == (str(tmp_path), "m.gguf")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="make model"):
        models.locate("smollm2")


def scored(**changes: object) -> dict[str, object]:
    extra = {
        "base_severity": 0.75,
        "kb_factor": 1.3,
        "linguistic_factor": 0.85,
        "consistency_factor": 1.1,
        "gap_bits": 3.25,
    }
    score = 0.75 * (0.35 * 1.3 + 0.65) * (0.2 * 0.85 + 0.8) * (0.2 * 1.1 + 0.8)
    found = finding("1962", extra=extra, score=score, p_hallucinated=0.9, risk=score * 0.9)
    return found | changes


WEIGHTS = {"kb": 0.35, "history": 0.25, "linguistic": 0.2, "consistency": 0.2}


def rendered(found: dict[str, object], weights: dict[str, float] = WEIGHTS) -> str:
    from rich.console import Console

    out = Console(width=100, record=True, file=io.StringIO())
    out.print(explain.derivation(found, weights))
    return out.export_text()


@pytest.mark.req("S0-066")
def test_a_score_is_retraced_step_by_step() -> None:
    text = rendered(scored())
    assert "x (0.35 x 1.3 + 0.65) = x 1.1050" in text
    assert f"{0.75 * 1.105:.4f}" in text
    assert "earlier turns" not in text
    assert "clipped to 0..1" in text
    assert "information, bits" in text
    assert "3.2500" in text
    assert "the weights it was made with were others" in rendered(scored(), WEIGHTS | {"kb": 1.0})


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"risk": 0.9, "tier": "high", "status": "unverifiable"}, "critical needs a source"),
        ({"risk": 0.5, "tier": "low", "extra": {"absence": True}}, "capped: something is missing"),
        (
            {
                "risk": 0.9,
                "status": "contradicted",
                "tier": "medium",
                "extra": {"disputed": True, "max_tier": "medium"},
            },
            "held below high: the sources disagree",
        ),
        ({"risk": 0.3, "tier": "high", "extra": {"pattern": "p1"}}, "raised: pattern p1"),
        ({"risk": 0.3, "tier": "medium"}, "raised by the profile"),
        ({"risk": 0.5, "tier": "none"}, "held lower by the profile"),
        ({"risk": 0.5, "tier": "medium"}, "by risk alone: medium"),
    ],
)
def test_why_a_tier(changes: dict[str, object], line: str) -> None:
    cutoffs = {"low": 0.2, "medium": 0.45, "high": 0.65, "critical": 0.85}
    lines = explain.tier_lines(scored(**changes), cutoffs)
    assert line in lines[-1]
    assert lines[0] == "cut-offs: low 0.2, medium 0.45, high 0.65, critical 0.85"


def test_finding_by_the_beginning_of_its_id() -> None:
    data = report()
    assert explain.find(data, "f-year")["id"] == "f-year"
    assert explain.find(data, "f-y")["id"] == "f-year"
    with pytest.raises(NotFoundError, match=r"more than one .* f-year"):
        explain.find(data, "f-")
    with pytest.raises(NotFoundError, match="no finding 'g'"):
        explain.find(data, "g")


def test_colours_by_risk() -> None:
    low = Finding("a.b", id="1", span=(0, 8), tier="low")
    high = Finding("a.b", id="2", span=(4, 6), tier="high")
    text = screen.coloured("one two three\x1b", [high, low])
    assert text.plain == "one two three\\x1b"
    styles = {text.plain[s.start : s.end]: str(s.style) for s in text.spans}
    assert styles == {
        "one ": "cyan underline",
        "tw": "red underline",
        "o ": "cyan underline",
    }
    assert screen.visible("a\nb\x07\tc") == "a\nb\\x07 c"


def test_an_intervention_as_a_line() -> None:
    done = Intervention("interrupt", "high", 7, (0, 4), " was \x1b12", "is 14 ", False, ())
    line = generate.intervention_line(done)
    assert line.plain == "interrupt  token 7: “was \\x1b12” → “is 14”"


def test_notes_that_left_together_are_told_apart() -> None:
    base = gw.KnowledgeBase.from_records(
        [{"name": "Harbour Museum", "attributes": {"founded": 1962, "director": "Ada Lind"}}]
    )
    guard = gw.Monitor(kb=base).guard(policy=gw.Policy(max_hold_ms=0))
    words = [
        "The Harbour Museum was",
        " founded in",
        " 2013",
        ", and its director is",
        " Bo Quorn.",
    ]
    for at, word in enumerate([*words, " It is open."]):
        guard.push_text(word, now_ms=100 * at)
    guard.finish(now_ms=5_000)
    done = guard.report().interventions
    first, other = "(Correction: 1962, not 2013.)", "(Correction: Ada Lind, not Bo Quorn.)"
    assert done[0].inserted.strip() == f"{first} {other}"
    assert [one.inserted.strip() for one in generate.apart(done)] == [first, other]
    alone = Intervention("correct", "high", 7, (0, 4), "x", "y", False, ())
    later = Intervention("correct", "high", 9, (0, 0), "", "y", False, ())
    assert generate.apart([alone, later, alone]) == [alone, later, alone]


@pytest.mark.parametrize(
    ("given", "configured", "clock", "limit"),
    [
        ({}, {}, None, None),
        ({}, {"GROUNDWIRE_STREAM__MAX_HOLD_MS": "7"}, "default", None),
        ({"max_hold_ms": 5}, {}, "default", 5),
        ({"max_hold_ms": 5}, {"GROUNDWIRE_STREAM__MAX_HOLD_MS": "7"}, "default", 5),
    ],
)
@pytest.mark.parametrize("format", [options.Format.text, options.Format.json])
def test_a_hold_is_timed_where_somebody_asked(
    given: dict[str, int],
    configured: dict[str, str],
    clock: str | None,
    limit: int | None,
    format: options.Format,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: dict[str, Any] = {}

    def stream(*_: object, **told: Any) -> Iterator[SimpleNamespace]:
        seen.update(told)
        yield SimpleNamespace(kind="end", report=gw.Monitor().guard().report())

    pytest.importorskip("torch")
    from groundwire.integrations import transformers

    for name, value in configured.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(transformers, "stream", stream)
    monkeypatch.setattr(models, "load", lambda _: (None, None))
    generate.generate("tiny", "When was the tower built?", format=format, **given)
    assert seen.get("clock", "default") == clock
    policy = seen.get("policy")
    assert (policy and policy.max_hold_ms) == limit
    assert seen["monitor"].policy.max_hold_ms == int(next(iter(configured.values()), "10000"))


@pytest.mark.parametrize("most_ms", [0, 10_000])
def test_text_that_left_before_it_was_judged_is_told(
    most_ms: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stream(*_: object, **__: object) -> Iterator[SimpleNamespace]:
        guard = gw.Monitor().guard(policy=gw.Policy(max_hold_ms=most_ms))
        for at, word in enumerate(["The tower", " was built", " by Ada Lind", " in", " 1992."]):
            guard.push_text(word, now_ms=20 * at)
        guard.finish(now_ms=200)
        yield SimpleNamespace(kind="release", text=guard.released)
        yield SimpleNamespace(kind="end", report=guard.report())

    pytest.importorskip("torch")
    from groundwire.integrations import transformers

    monkeypatch.setattr(transformers, "stream", stream)
    monkeypatch.setattr(models, "load", lambda _: (None, None))
    generate.generate("tiny", "When was the tower built?")
    said = capsys.readouterr().err
    assert ("times text left before all of it was judged" in said) == (most_ms == 0)
    assert "stream.max_hold_ms" in (generate.given_up_line(1) or "")


def test_a_text_in_another_encoding_is_not_judged(tmp_path: Path) -> None:
    file = tmp_path / "answer.txt"
    file.write_bytes("The museum was founded in 1992.".encode("utf-16"))
    with pytest.raises(FormatError, match="is not UTF-8 at byte 0; save it as UTF-8"):
        sources.read_text(str(file))
    file.write_bytes("\ufeffIt is open.".encode())
    assert sources.read_text(str(file)) == "It is open."
