"""Answers of a "yes" or "no", and those that name what the question asks about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire.vocabulary import vocabulary

VECTORS = json.loads(
    (Path(__file__).parent.parent / "vectors" / "polar.json").read_text(encoding="utf-8")
)
MONITOR = gw.Monitor(kb=gw.KnowledgeBase.from_records(VECTORS["base"]))


@pytest.mark.req("S0-007", "S0-062", "X-12")
@pytest.mark.parametrize("case", VECTORS["asked"], ids=lambda case: case["question"])
def test_a_yes_is_judged_as_the_sentence_that_it_stands_for(case: dict[str, Any]) -> None:
    report = MONITOR.check(case["text"], question=case["question"])
    found = [f.replacement for f in report.findings if f.status == "contradicted"]
    assert found == case["found"]


@pytest.mark.req("X-12")
@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (
            [
                "Yes. She is based in Porto.",
                "No. She is based in Porto.",
                "No. She is based in Gdansk.",
            ],
            "No. She is based in Gdansk.",
        ),
        (["Yes, she is.", "No."], "No."),
    ],
)
def test_a_guard_turns_the_yes_and_the_value_behind_it(texts: list[str], wanted: str) -> None:
    tokens = vocabulary([(i, bytes([i]), False) for i in range(256)])
    monitor = gw.Monitor(kb=gw.KnowledgeBase.from_records(VECTORS["base"]), tokenizer=tokens)
    question = b"Is Mara Fenn based in Porto?"

    def next_token(ids: list[int]) -> int | None:
        """Goes on in the first text that begins like the answer so far."""
        answer = bytes(ids).removeprefix(question)
        known = (text.encode() for text in texts)
        longer = (text for text in known if text.startswith(answer) and len(text) > len(answer))
        return next((text[len(answer)] for text in longer), None)

    events = gw.guard(
        next_token,
        list(question),
        monitor=monitor,
        encode=lambda text: list(text.encode()),
        question=question.decode(),
    )
    said = "".join(event.text for event in events if event.kind == "release")
    assert said == wanted
