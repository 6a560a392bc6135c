"""Answers under a grammar, without the engine: what ends them puts no word of its own into them."""

from __future__ import annotations

import json
from typing import Any

import pytest

import groundwire as gw
from groundwire.integrations.vllm.requests import Request, keeping_form
from groundwire.loop import Event, Run, Want

MONITOR = gw.Monitor(tokenizer={i: bytes([i]) for i in range(256)}, reference_date="2026-05-01")
EVIDENCE = ["The Harbour Museum was founded in 1987. It has 45 employees."]
WRONG = "The Harbour Museum was founded in 1992."
BEFORE = '{"a": "It is open. '


def answered(text: str, *, formed: bool, **policy: Any) -> tuple[str, str, gw.Report]:
    """Return what was released of an answer, why it ended, and its report."""
    given: dict[str, Any] = {"evidence": EVIDENCE, "history": []}
    held = gw.Policy(**policy)
    given["policy"] = keeping_form(held) if formed else held
    run = Run([1], MONITOR, None, lambda said: list(said.encode()), [0], 500, given)
    Request(run, None, resubmit=False, formed=formed)
    steps, tokens, said, why = run.steps(), iter([*text.encode(), 0]), "", ""
    sends: Any = None
    while True:
        want = steps.send(sends)
        sends = (next(tokens), None) if want is Want.TOKEN else None
        if isinstance(want, Event):
            said += want.text if want.kind == "release" else ""
            why = want.reason or "" if want.kind == "stop" else why
            if want.kind == "end":
                assert want.report is not None
                return said, why, want.report


@pytest.mark.parametrize(
    "policy",
    [
        {},
        {"release": "token"},
        {"medium": "discard", "high": "discard"},
        {"medium": "remove", "high": "remove", "auto_correct": 1.0},
        {"medium": "interrupt", "high": "interrupt", "after_interrupt": "stop"},
        {"max_interventions": 0},
    ],
)
@pytest.mark.parametrize("before", ["", '{"a":"', BEFORE])
def test_the_answer_just_ends_before_the_claim(policy: dict[str, Any], before: str) -> None:
    text = before + WRONG + '"}'
    said, why, report = answered(text, formed=True, **policy)
    assert why == report.stopped
    assert why in {"interrupted", "exhausted", "discarded"}
    assert said == report.released and text.startswith(said)
    assert "1992" not in said
    assert [one.inserted for one in report.interventions] == [""]
    if before == BEFORE:
        assert said == BEFORE


def test_without_a_grammar_the_end_says_what_is_missing() -> None:
    said, why, report = answered(BEFORE + WRONG, formed=False)
    assert why == "interrupted" and said == report.released
    assert said.startswith(BEFORE) and "I can't give a reliable answer" in said
    assert report.interventions[-1].inserted in said


def test_what_is_right_keeps_its_form() -> None:
    text = json.dumps({"a": "The Harbour Museum was founded in 1987."})
    assert answered(text, formed=True)[:2] == (text, "end")
