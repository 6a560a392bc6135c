"""What "it", "she" and a question speak of, where another thing was brought in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw

VECTORS = json.loads(
    (Path(__file__).parent.parent / "vectors" / "other_things.json").read_text(encoding="utf-8")
)
MONITOR = gw.Monitor(kb=gw.KnowledgeBase.from_records(VECTORS["base"]))


def put_right(text: str, question: str | None = None) -> list[Any]:
    report = MONITOR.check(text, question=question)
    return [f.replacement for f in report.findings if f.status == "contradicted"]


@pytest.mark.req("S0-007", "X-12")
@pytest.mark.parametrize("text", VECTORS["silent"])
def test_a_pronoun_behind_another_thing_does_not_mean_the_named_one(text: str) -> None:
    assert put_right(text) == []


@pytest.mark.req("S0-007", "X-12")
@pytest.mark.parametrize("case", VECTORS["put_right"], ids=lambda case: case[0])
def test_a_pronoun_behind_the_named_thing_means_it(case: list[str]) -> None:
    assert put_right(case[0]) == [case[1]]


@pytest.mark.req("S0-007", "X-12")
@pytest.mark.parametrize("case", VECTORS["asked"], ids=lambda case: case["question"])
def test_a_question_about_a_part_asks_of_another_thing(case: dict[str, Any]) -> None:
    wanted = [] if case["right"] is None else [case["right"]]
    assert put_right(case["text"], case["question"]) == wanted
