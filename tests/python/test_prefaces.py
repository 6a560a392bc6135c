"""What an answer says before a statement hides nothing of it (vectors: ``prefaces.json``)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import groundwire as gw

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "prefaces.json").read_text(encoding="utf-8")
)
KB = gw.KnowledgeBase.from_records(VECTORS["base"])
MONITOR = gw.Monitor(kb=KB)


def strong(report: gw.Report) -> list[str]:
    return [f.type for f in report.findings if f.tier in ("high", "critical")]


def acted(report: gw.Report) -> list[str]:
    return [f.type for f in report.findings if f.tier not in ("none", "low")]


@pytest.mark.req("S0-072", "X-07")
@pytest.mark.parametrize("opening", VECTORS["openings"])
def test_what_stands_before_a_statement_hides_nothing(opening: str) -> None:
    for wrong, right in VECTORS["against_base"]:
        (found,) = (f for f in MONITOR.check(f"{opening} {wrong}").findings if f.replacement)
        assert found.tier in ("high", "critical"), wrong
        assert found.status == "contradicted"
        assert found.replacement is not None
        assert found.replacement.casefold() in right.casefold()
        assert acted(MONITOR.check(f"{opening} {right}")) == [], right
    for wrong, right in VECTORS["against_evidence"]:
        given = {"evidence": [VECTORS["evidence"]]}
        assert "stream.quantity_conflict" in strong(MONITOR.check(f"{opening} {wrong}", **given))
        assert strong(MONITOR.check(f"{opening} {right}", **given)) == [], right


@pytest.mark.parametrize("opening", VECTORS["openings"])
def test_an_opening_that_was_put_in_hides_nothing(opening: str) -> None:
    session = MONITOR.session()
    session.push_text(opening, forced=True)
    for char in " Rothwell Group was founded in 1984.":
        session.push_text(char)
    assert "dialogue.wrong_attribute" in strong(session.finish())


@pytest.mark.parametrize("text", VECTORS["silent"])
def test_other_first_words_are_part_of_what_is_said(text: str) -> None:
    assert strong(MONITOR.check(text)) == []
