"""Answers after earlier turns, where a base or a table says the same or the turns bind nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import groundwire as gw

CASES = json.loads(
    (Path(__file__).parents[1] / "vectors" / "follow_ups.json").read_text(encoding="utf-8")
)
LAMPS = [
    {"name": "Vega", "watts": 12, "price": "$45"},
    {"name": "Rigel", "watts": 9, "price": "$30"},
    {"name": "Deneb", "watts": 7, "price": "$30"},
]


@pytest.mark.req("S0-009", "S0-046", "S0-047")
@pytest.mark.parametrize("which", ["silent", "low", "found", "changed", "held"])
def test_how_far_turns_bind(which: str) -> None:
    for history, text in CASES[which]:
        turns = [{"role": role, "content": said} for role, said in history]
        tiers = {f.tier for f in gw.check(text, history=turns).findings}
        acts = tiers & {"medium", "high", "critical"}
        assert bool(acts) is (which in {"found", "held"}), (history, text)


@pytest.mark.req("S0-008", "S0-009")
@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("The Kestrel 5 costs $410.", "The Kestrel 5 costs $520."),
        ("The Kestrel 5 costs $410.", "The price of the Kestrel 5 is $520."),
        ("The Kestrel 5 costs $410.", "The Kestrel 5 does not cost $410."),
        ("The Kestrel 5 weighs 3 kg.", "The Kestrel 5 weighs 2 kg."),
        ("The Kestrel 5 was launched in 2019.", "The Kestrel 5 was launched in 2021."),
    ],
)
def test_what_the_base_says_stands_against_turns(role: str, before: str, text: str) -> None:
    own = {"price": "$520", "weight": "2 kg", "launched": "2021"}
    kb = gw.KnowledgeBase.from_records([{"name": "Kestrel 5", "attributes": own}])
    assert gw.check(text, kb=kb, history=[(role, before)]).findings == ()


@pytest.mark.req("S0-008", "S0-009")
def test_what_the_base_does_not_say_is_held_against_turns() -> None:
    own = {"price": "$520"}
    kb = gw.KnowledgeBase.from_records([{"name": "Kestrel 5", "attributes": own}])
    said = [("assistant", "The Kestrel 5 weighs 3 kg.")]
    found = gw.check("The Kestrel 5 weighs 2 kg.", kb=kb, history=said).findings
    assert "dialogue.contradicts_prior" in {f.type for f in found if f.tier != "low"}


@pytest.mark.req("S0-008", "S0-009")
@pytest.mark.parametrize(
    "turns",
    [
        ["What does the Vega cost?", "The Vega costs $45.", "And the Rigel?"],
        ["Is there a lamp for less than $45?"],
        ["I need a lamp under $45"],
        ["My budget is $45."],
        ["I want at most 12 watts."],
        ["Is the Rigel $45?"],
    ],
)
def test_limits_and_questions_bind_no_row(turns: list[str]) -> None:
    kb = gw.KnowledgeBase.from_rows(LAMPS)
    roles = ["user", "assistant"]
    history = [(roles[i % 2], turn) for i, turn in enumerate(turns)]
    for given in (
        {"history": history},
        {"history": history[:-1], "question": turns[-1]},
    ):
        found = gw.check("The Rigel costs $30.", kb=kb, **given).findings
        assert [f for f in found if f.tier != "low"] == []
