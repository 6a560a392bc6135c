"""Whose a list is: below a heading or label with another name than the question's, nobody's."""

from __future__ import annotations

import pytest

import groundwire as gw
from groundwire.mitigation import apply

PENN = {
    "name": "Penn Tools",
    "type": "company",
    "attributes": {"ceo": "Max Orr", "founded": 1990, "employees": 80},
}
ROTHWELL = {
    "name": "Rothwell Group",
    "type": "company",
    "attributes": {"ceo": "Ada Lind", "founded": 1974},
}
QUESTION = "Tell me about Penn Tools."
CONFLICTS = {"dialogue.wrong_attribute", "dialogue.contradicts_fact"}


def mended(text: str, records: list[dict[str, object]]) -> str:
    kb = gw.KnowledgeBase.from_records(records)
    report = gw.Monitor(kb=kb).check(text, question=QUESTION)
    found = [f for f in report.findings if f.type in CONFLICTS]
    if not found:
        return text
    return apply(gw.mitigate(report, kb=kb), text)


@pytest.mark.req("S0-007", "S0-062")
@pytest.mark.parametrize("records", [[PENN], [PENN, ROTHWELL]], ids=["unknown", "known"])
@pytest.mark.parametrize(
    "text",
    [
        "**CEO of Rothwell Group:** Ada Lind\n**Founded:** 1974",
        "- **CEO of Rothwell Group:** Ada Lind\n- **Founded:** 1974",
        "- **Rothwell Group CEO:** Ada Lind\n- **Founded:** 1974",
        "# Rothwell Group\n- **CEO:** Ada Lind\n- **Founded:** 1974",
        "**Rothwell Group**\n- **CEO:** Ada Lind\n- **Founded:** 1974",
        "**Rothwell Group:**\n- CEO: Ada Lind\n- Founded: 1974",
        "## Main rival: Rothwell Group\n- CEO: Ada Lind\n- Founded: 1974",
        "# Penn Tools\n- **CEO of Rothwell Group:** Ada Lind\n- **Founded:** 1974",
        "# Penn Tools\n**CEO of Rothwell Group:** Ada Lind\n**Founded:** 1974",
        "Its parent is the Rothwell Group.\n\n- CEO: Ada Lind\n- Founded: 1974",
        "Parent company: Rothwell Group\n- CEO: Ada Lind\n- Founded: 1974",
        "- **CEO:** Max Orr\n- **Founded:** 1990\n- **Employees:** 80",
    ],
)
def test_the_values_of_another_stay(text: str, records: list[dict[str, object]]) -> None:
    assert mended(text, records) == text


@pytest.mark.req("S0-007", "S0-062")
@pytest.mark.parametrize(
    "text",
    [
        "- **CEO:** Max Orr\n- **Founded:** 1974",
        "## Overview\n- CEO: Max Orr\n- Founded: 1974",
        "Here is what I found:\n- CEO: Max Orr\n- Founded: 1974\n- Employees: 80",
        "# Penn Tools\n- **Founded:** 1974",
        "## Penn Tools\n- **Owner:** Rothwell Group\n- **Founded:** 1974",
        "Penn Tools belongs to the Rothwell Group.\n\n- CEO: Max Orr\n- Founded: 1974",
    ],
)
def test_the_list_of_the_one_that_is_asked_about_is_read(text: str) -> None:
    assert "Founded:" in text.replace("**", "")
    assert "1990" in mended(text, [PENN])
