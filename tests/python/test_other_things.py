"""What "it", "she" and a question speak of, where another thing was brought in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw

FILES = {
    name: json.loads(
        (Path(__file__).parent.parent / "vectors" / f"{name}.json").read_text(encoding="utf-8")
    )
    for name in (
        *("other_things", "another_of_kind", "own_attributes", "column_names"),
        *("whose_attribute", "value_frames", "typed_values", "labels_and_lists", "replies"),
    )
}
MONITORS = {
    name: gw.Monitor(kb=gw.KnowledgeBase.from_records(vectors["base"]))
    for name, vectors in FILES.items()
}


def cases(kind: str) -> list[Any]:
    return [(name, case) for name, vectors in FILES.items() for case in vectors[kind]]


def put_right(
    name: str, text: str, question: str | None = None, history: list[list[str]] | None = None
) -> list[Any]:
    turns = [(role, turn) for role, turn in history or []]
    report = MONITORS[name].check(text, question=question, history=turns)
    return [f.replacement for f in report.findings if f.status == "contradicted"]


@pytest.mark.req("S0-007", "X-12")
@pytest.mark.parametrize("case", cases("silent"), ids=lambda case: case[1])
def test_a_pronoun_behind_another_thing_does_not_mean_the_named_one(case: tuple[str, str]) -> None:
    assert put_right(*case) == []


@pytest.mark.req("S0-007", "X-12")
@pytest.mark.parametrize("case", cases("put_right"), ids=lambda case: case[1][0])
def test_a_pronoun_behind_the_named_thing_means_it(case: tuple[str, list[str]]) -> None:
    name, (text, right) = case
    assert put_right(name, text) == [right]


@pytest.mark.req("S0-007", "X-12")
@pytest.mark.parametrize("case", cases("asked"), ids=lambda case: case[1]["question"])
def test_what_a_question_asks_may_be_of_another_thing(case: tuple[str, dict[str, Any]]) -> None:
    name, asked = case
    wanted = [] if asked["right"] is None else [asked["right"]]
    assert put_right(name, asked["text"], asked["question"], asked.get("history")) == wanted
