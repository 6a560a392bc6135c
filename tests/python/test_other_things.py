"""What "it", "she" and a question speak of, where another thing was brought in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw


def read(name: str) -> dict[str, Any]:
    path = Path(__file__).parent.parent / "vectors" / name
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


VECTORS = read("other_things.json")
MONITOR = gw.Monitor(kb=gw.KnowledgeBase.from_records(VECTORS["base"]))
QUESTIONS = read("questions.json")
ASKED = gw.Monitor(kb=gw.KnowledgeBase.from_records(QUESTIONS["base"]))


def put_right(text: str, question: str | None = None, monitor: gw.Monitor = MONITOR) -> list[Any]:
    report = monitor.check(text, question=question)
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


@pytest.mark.req("S0-007", "S0-062", "X-12")
@pytest.mark.parametrize(
    "case", QUESTIONS["asked"], ids=lambda case: f"{case['question']} {case['text']}"
)
def test_a_value_is_the_base_s_where_the_question_asks_for_it(case: dict[str, Any]) -> None:
    wanted = [] if case["right"] is None else [case["right"]]
    assert put_right(case["text"], case["question"], ASKED) == wanted
