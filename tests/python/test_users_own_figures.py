"""What a user tells of himself is at odds with no rule, and a rule told wrong still is."""

from __future__ import annotations

import pytest

import groundwire as gw

_RULES = [
    "The boathouse is for up to 30 guests. The minimum spend is £500. "
    "Dogs must weigh less than 8 kg. The minimum age is 18."
]
_ASKED = "I have 45 guests, a dog of 12 kg and £200, and I am 16. Can we come?"

_OWN = [
    "You have 45 guests.",
    "Your 45 guests are too many for the boathouse.",
    "For your party of 45 guests, the boathouse is too small.",
    "Your dog weighs 12 kg.",
    "Your age is 16.",
    "You have a budget of £200.",
    "I am sorry: your group has 45 guests, and the boathouse is for up to 30 guests.",
]
_RULED = [
    ("The boathouse is for up to 45 guests.", "up to 45"),
    ("The minimum spend is £200.", "£200"),
]


def _at_odds(text: str, **given: object) -> list[str]:
    report = gw.check(text, evidence=_RULES, reference_date="2026-06-01", **given)  # type: ignore[arg-type]
    return [f.text for f in report.findings if f.status == "contradicted"]


@pytest.mark.req("S0-005")
@pytest.mark.parametrize("text", _OWN)
def test_what_the_user_said_of_himself_stays(text: str) -> None:
    turns = [("user", _ASKED), ("assistant", "Let me see.")]
    assert _at_odds(text, question=_ASKED) == []
    assert _at_odds(text, history=turns, question="And?") == []


@pytest.mark.req("S0-005")
@pytest.mark.parametrize(("text", "wrong"), _RULED)
def test_a_rule_with_the_number_of_the_user_is_wrong(text: str, wrong: str) -> None:
    assert any(wrong in found or found in wrong for found in _at_odds(text, question=_ASKED))
