"""What an answer is told of where only the question names the thing, its attribute or the case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw

VECTORS = json.loads(
    (Path(__file__).parent.parent / "vectors" / "questions.json").read_text(encoding="utf-8")
)
MONITOR = gw.Monitor(kb=gw.KnowledgeBase.from_records(VECTORS["base"]))


@pytest.mark.req("S0-007", "S0-062", "X-12")
@pytest.mark.parametrize(
    "case", VECTORS["asked"], ids=lambda case: f"{case['question']} {case['text']}"
)
def test_a_value_is_held_against_the_base_where_the_question_asks_for_it(
    case: dict[str, Any],
) -> None:
    history = [(role, text) for role, text in case.get("history", [])]
    report = MONITOR.check(case["text"], question=case["question"], history=history)
    found = [f.replacement for f in report.findings if f.status == "contradicted"]
    assert found == ([] if case["right"] is None else [case["right"]])
