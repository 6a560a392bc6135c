"""Answers held against earlier turns, on the pairs that the core's tests read too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import groundwire as gw

PAIRS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "history.json").read_text(encoding="utf-8")
)
AT_ODDS = {"dialogue.contradicts_prior", "stream.goalpost", "stream.concept_drift"}


def at_odds(turn: str, text: str) -> list[gw.Finding]:
    report = gw.check(text, history=[{"role": "assistant", "content": turn}])
    return [found for found in report.findings if found.type in AT_ODDS]


@pytest.mark.req("S0-009", "S0-047", "S0-048")
@pytest.mark.parametrize("which", ["found", "not_corrected"])
def test_what_contradicts_a_turn_is_found(which: str) -> None:
    assert [pair for pair in PAIRS[which] if not at_odds(*pair)] == []


@pytest.mark.req("S0-047", "S0-048", "S4-024")
@pytest.mark.parametrize("which", ["silent", "corrected"])
def test_another_thing_or_an_open_correction_contradicts_nothing(which: str) -> None:
    assert [pair for pair in PAIRS[which] if at_odds(*pair)] == []


@pytest.mark.req("S0-048", "S0-072")
def test_an_open_correction_is_a_signal_of_its_own() -> None:
    turn = [{"role": "assistant", "content": "The choir has 40 members."}]
    report = gw.check("I misspoke. The choir has 48 members.", history=turn)
    kinds = {signal["kind"] for claim in report.claims for signal in claim.signals}
    assert "self_correction" in kinds
