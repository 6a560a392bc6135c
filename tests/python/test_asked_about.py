"""What a question only mentions, and what another source tells, is not of the answer's \"it\"."""

from __future__ import annotations

import pytest

import groundwire as gw

MUSEUM = {"name": "Harbour Museum", "type": "museum", "attributes": {"founded": 1987}}
MONITOR = gw.Monitor(kb=gw.KnowledgeBase.from_records([MUSEUM]))
PLAIN = gw.Monitor()
SAID = "It was founded in 1950."


def wrong(report: gw.Report) -> list[str | None]:
    return [f.replacement for f in report.findings if f.status == "contradicted"]


@pytest.mark.req("S0-007", "S0-045")
@pytest.mark.parametrize(
    "question",
    [
        "When was the Harbour Museum founded?",
        "Tell me about the Harbour Museum.",
        "The Harbour Museum: when was it founded?",
        "I like the Harbour Museum. When was it founded?",
        "I visited Bergen. When was the Harbour Museum founded?",
        "What is the Harbour Museum's founding year?",
        "What do you know of the Harbour Museum?",
        "What is the history of the Harbour Museum?",
        "Who founded the Harbour Museum and when?",
    ],
)
def test_it_stands_for_what_was_asked_about(question: str) -> None:
    assert wrong(MONITOR.check(SAID, question=question)) == ["1987"]


@pytest.mark.req("S0-007", "S0-045")
@pytest.mark.parametrize(
    "question",
    [
        "When was the City Library founded? I already know about the Harbour Museum.",
        "When was the City Library founded? It stands next to the Harbour Museum.",
        "When was the City Library founded?\n\nBackground: I work at the Harbour Museum.",
        "When was the library founded? Please don't talk about the Harbour Museum again.",
        "When was the Harbour Museum's cafe founded?",
        "When was the Harbour Museum's owner founded?",
        "When was the rival of the Harbour Museum founded?",
    ],
)
def test_what_a_question_only_mentions_is_not_asked_about(question: str) -> None:
    assert wrong(MONITOR.check(SAID, question=question)) == []


@pytest.mark.req("S0-009", "X-12")
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (SAID, "When was the Harbour Museum founded?"),
        ("The Harbour Museum is in Bergen. " + SAID, None),
    ],
)
@pytest.mark.parametrize(
    ("source", "right"),
    [
        ("The Tower was founded in 1987.", []),
        ("The City Library, near the Harbour Museum, was founded in 1987.", []),
        ("The Harbour Museum was founded in 1987.", ["1987"]),
        ("The museum was founded in 1987.", ["1987"]),
    ],
)
def test_a_source_that_tells_of_another_is_no_source_for_it(
    text: str, question: str | None, source: str, right: list[str]
) -> None:
    assert wrong(PLAIN.check(text, question=question, evidence=[source])) == right
