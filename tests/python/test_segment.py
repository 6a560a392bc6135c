from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import _core
from groundwire.errors import ArgumentError, NotFoundError

VECTORS = Path(__file__).parents[1] / "vectors" / "segment.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))


def shown(kind: str, text: str) -> list[object]:
    events = [e for e in _core.segment(text) if e["event"] == kind]
    if kind == "sentence":
        return [[e["text"], e["kind"], e["terminator"]] for e in events]
    if kind == "lexeme":
        return ["\n" if e["kind"] == "Newline" else e["text"] for e in events]
    fields = {
        "quantity": ("text", "value", "kind", "unit", "approximate"),
        "date": ("text", "year", "month", "day", "weekday", "minutes"),
    }[kind]
    return [{field: e[field] for field in fields} for e in events]


KINDS = {"sentences": "sentence", "lexemes": "lexeme", "quantities": "quantity", "dates": "date"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}:{case['text'][:30]!r}")
def test_golden_vectors(case):
    actual = shown(KINDS[case["kind"]], case["text"])
    if case["kind"] == "quantities":
        assert len(actual) == len(case["expect"])
        for got, expected in zip(actual, case["expect"], strict=True):
            assert got == {**expected, "value": pytest.approx(expected["value"], rel=1e-12)}
    else:
        assert actual == case["expect"]


@given(st.text(max_size=80), st.integers(1, 7))
def test_chunking_never_matters(text, chunk):
    assert _core.segment(text, chunk=chunk) == _core.segment(text)


@given(st.text(alphabet=st.sampled_from(" .?!\"'()[]\n-–aAé東5$%:,/`#*"), max_size=80))
def test_text_is_the_text_at_its_span(text):
    decided = 0
    for event in _core.segment(text):
        assert event["text"] == text[event["start"] : event["end"]]
        raw = text.encode()[event["byte_start"] : event["byte_end"]]
        assert raw.decode() == event["text"]
        assert decided <= event["decided_at"] <= len(text)
        decided = event["decided_at"]


def test_spans_count_code_points():
    events = _core.segment("Café costs €5. Très bien.")
    money = next(e for e in events if e["event"] == "quantity")
    assert (money["start"], money["end"], money["byte_start"]) == (11, 13, 12)


def test_flags():
    by_text = {
        e["text"]: set(e["flags"])
        for e in _core.segment('McDonald said: "IBM’s B2B" costs `x_1`')
        if e["event"] == "lexeme"
    }
    assert {"capitalized", "mixed_case", "sentence_start"} <= by_text["McDonald"]
    assert {"quoted", "after_opener", "non_ascii"} <= by_text["IBM’s"]
    assert {"quoted", "has_digit", "all_caps"} <= by_text["B2B"]
    assert {"code", "technical"} <= by_text["x_1"]
    assert "quoted" not in by_text["costs"]


def test_units_convert():
    assert _core.convert_unit(5, "kilometre", "metre") == 5000
    assert _core.convert_unit(5, "kilometre", "USD") is None
    with pytest.raises(NotFoundError, match="furlong"):
        _core.convert_unit(5, "furlong", "metre")


def test_a_chunk_of_nothing_is_refused():
    with pytest.raises(ArgumentError, match="chunk"):
        _core.segment("text", chunk=0)
