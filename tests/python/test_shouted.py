"""Sentences in capitals are read like any others."""

from __future__ import annotations

import pytest

import groundwire as gw

KB = gw.KnowledgeBase.from_records(
    [
        {
            "name": "Harbour Museum",
            "type": "museum",
            "attributes": {
                "founded": 1987,
                "director": "Anna Vale",
                "employees": 60,
                "located_in": "Trieste",
            },
        },
        {"name": "Anna Vale", "type": "person", "attributes": {"department": "Finance"}},
    ]
)
SENTENCES = (
    "The Harbour Museum was founded in 1992.",
    "The Harbour Museum was founded in March 1992 by Anna Vale.",
    "The director of the Harbour Museum is Ben Frey.",
    "The Harbour Museum has 75 employees.",
    "Anna Vale works in Sales.",
    "Anna Vale works in the Sales department.",
    "The Harbour Museum is located in Vienna.",
    "The Harbour Museum, which was founded in 1987, has 60 employees.",
    "The Harbour Museum is in Trieste and has 75 employees.",
)


def conflicts(text: str) -> list[tuple[str, tuple[int, int] | None, str]]:
    report = gw.check(text, kb=KB)
    return sorted(
        (finding.type, finding.span, (finding.replacement or "").lower())
        for finding in report.findings
        if finding.status == "contradicted"
    )


@pytest.mark.req("S0-015")
@pytest.mark.parametrize("text", SENTENCES)
def test_a_shouted_sentence_has_the_findings_of_the_spoken_one(text: str) -> None:
    shouted = conflicts(text.upper())
    assert shouted == conflicts(text)
    report = gw.check(text.upper(), kb=KB)
    for finding in report.findings:
        assert finding.span is None or finding.text == report.text[slice(*finding.span)]
    for claim, spoken in zip(report.claims, gw.check(text, kb=KB).claims, strict=True):
        assert claim.content == claim.content.upper()
        assert claim.predicate == spoken.predicate
        assert (claim.subject or "").lower() == (spoken.subject or "").lower()
        assert (claim.object or "").lower() == (spoken.object or "").lower()


def test_the_wrong_ones_among_them_are_found() -> None:
    assert sum(bool(conflicts(text.upper())) for text in SENTENCES) == 8


@pytest.mark.req("S0-015")
def test_a_shouted_earlier_turn_establishes_what_it_says() -> None:
    for said in ("The Harbour Museum has 60 rooms.", "THE HARBOUR MUSEUM HAS 60 ROOMS."):
        report = gw.check("The Harbour Museum has 75 rooms.", history=[("user", said)])
        assert "dialogue.contradicts_prior" in {finding.type for finding in report.findings}, said


@pytest.mark.parametrize(
    "text",
    [
        "HARBOUR MUSEUM OPENING HOURS",
        "NOTICE TO ALL STAFF",
        "# THE HARBOUR MUSEUM IN NUMBERS\n\nIt is open.",
        "TERMS AND CONDITIONS",
        "NASA ESA JAXA CNSA",
        "The NASA GPU API is OK.",
        "WARNING: DO NOT ENTER!",
        "IMPORTANT INFORMATION FOR VISITORS OF THE HARBOUR MUSEUM",
    ],
)
def test_headings_and_acronyms_give_no_false_alarm(text: str) -> None:
    assert [f.type for f in gw.check(text, kb=KB).findings] == []
