"""What a sentence puts together of a table's rows, and what it only mentions beside them."""

from __future__ import annotations

import pytest

import groundwire as gw

ROWS = [
    {"name": "Jade Pavilion", "food": "Thai", "price": "expensive", "area": "north"},
    {"name": "Olive Yard", "food": "Greek", "price": "cheap", "area": "west"},
    {"name": "Noodle Barn", "food": "Thai", "price": "moderate", "area": "east"},
    {"name": "Trattoria Vela", "food": "Italian", "price": "cheap", "area": "west"},
]
DAYS = [
    {"date": "the 9th", "time": "6pm", "event": "supper", "party": "Ida"},
    {"date": "Monday", "time": "11am", "event": "meeting", "party": "Max"},
    {"date": "Thursday", "time": "2pm", "event": "dentist appointment", "party": "Eva"},
]


@pytest.fixture(scope="module")
def places() -> gw.Monitor:
    kb = gw.KnowledgeBase.from_records([{"name": "Una Kerr", "attributes": {"team": "Sales"}}])
    kb.add_table("places", ROWS, key="name")
    return gw.Monitor(kb=kb)


@pytest.mark.req("S0-008")
@pytest.mark.parametrize(
    "text",
    [
        "The Jade Pavilion is less cheap than the Olive Yard.",
        "The Jade Pavilion, unlike the cheap Olive Yard, is in the north.",
        "The Jade Pavilion and the Olive Yard serve Thai and Greek food.",
        "The Jade Pavilion is a ten minute walk from the west gate.",
        "The Jade Pavilion has a cheap breakfast menu.",
        "Trattoria Vela also serves Greek wine.",
        "The Greek waiter of Trattoria Vela is nice.",
        "The Jade Pavilion is in the north and the Olive Yard in the west.",
        "The Jade Pavilion is an expensive Thai restaurant.",
        "Is the Jade Pavilion cheap? No, it is expensive.",
        "Would you prefer expensive Greek food?",
        "Do you need a cheap Thai place in the north?",
        "The Jade Pavilion stands opposite a cheap hotel.",
        "The Jade Pavilion is close to an Italian shop.",
        "The Olive Yard's owner is Italian.",
        "The Olive Yard also sells Italian dishes.",
        "I would call the Jade Pavilion cheap for its quality.",
        "The Noodle Barn is expensive for a barn.",
    ],
)
def test_what_is_said_beside_a_row_is_not_its_own(places: gw.Monitor, text: str) -> None:
    assert [f for f in places.check(text).findings if f.tier != "low"] == []


@pytest.mark.req("S0-008")
@pytest.mark.parametrize(
    "text",
    [
        "The Jade Pavilion is cheap.",
        "The Jade Pavilion serves Greek food.",
        "The Jade Pavilion is in the west.",
        "The Olive Yard is an Italian restaurant in the east.",
        "Trattoria Vela has expensive food.",
        "The Noodle Barn serves Greek and Italian food.",
        "The Olive Yard's food is Thai.",
        "The Olive Yard is in the west and is expensive.",
    ],
)
def test_what_a_row_has_otherwise_is_still_found(places: gw.Monitor, text: str) -> None:
    assert [f.rule for f in places.check(text).findings if f.tier == "critical"] == ["row"]


def asked(question: str, text: str) -> list[str]:
    with gw.Monitor().session(rows=DAYS, question=question) as session:
        session.push_text(text)
        return [f.rule for f in session.finish().findings if f.tier != "low"]


@pytest.mark.req("S0-008", "S0-009")
def test_what_is_put_down_anew_or_added_contradicts_no_row() -> None:
    added = "On Thursday at 2pm you see the dentist, and on Monday at 11am you meet Max."
    assert asked("Anything on Thursday?", added) == []
    assert asked("Book it", "I scheduled a chess match for Monday at 6pm with Ida.") == []
    assert asked("Remind me", "I will remind you an hour before your supper, at 5pm.") == []
    assert asked("When is my supper?", "Your supper is on Monday at 6pm with Ida.") == ["row"]
    put_down = "I've set a reminder for your piano lesson on the 15th at 10 am."
    assert asked("Remind me of my piano lesson on the 15th at 10 am.", put_down) == []
    # Who asks states nothing that an answer could be at odds with.
    assert asked("Is it on Monday?", "The dentist appointment is on Thursday.") == []
    wished = asked(
        "I want to see the dentist on Monday.", "The dentist appointment is on Thursday."
    )
    assert "row_question" in wished


@pytest.mark.req("S0-008")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Is the Fern Greek? No, it is Polish.", False),
        ("The Fern is near a dear bakery.", False),
        ("The Fern's cook is Greek.", False),
        ("The Fern is Greek.", True),
        ("The Fern serves Greek food.", True),
    ],
)
def test_a_table_of_two_rows_has_values_as_rare_as_names(text: str, found: bool) -> None:
    rows = [
        {"name": "The Fern", "food": "Polish", "price": "cheap"},
        {"name": "Casa Luz", "food": "Greek", "price": "dear"},
    ]
    kb = gw.KnowledgeBase.from_rows(rows, key="name")
    assert any(f.tier == "critical" for f in gw.check(text, kb=kb).findings) is found


@pytest.mark.req("S0-008")
def test_a_cell_that_nobody_filled_in_says_nothing() -> None:
    rows = [{"name": "The Fern", "food": "unknown"}, {"name": "Casa Luz", "food": "Greek"}]
    kb = gw.KnowledgeBase.from_rows(rows, key="name")
    assert gw.check("The origin of Casa Luz is unknown.", kb=kb).findings == ()


@pytest.mark.req("S0-006", "S0-040")
@pytest.mark.parametrize(
    "name",
    [
        "Curry Garden",
        "Rose Garden",
        "La Raza",
        "Meze Bar",
        "The Anchor",
        "Cafe Nord",
        "De Vos and Bar",
    ],
)
def test_a_key_of_a_table_is_a_known_name(name: str) -> None:
    kb = gw.KnowledgeBase.from_records([{"name": "Una Kerr", "attributes": {"team": "Sales"}}])
    kb.add_table("places", [{"name": name, "food": "Indian"}], key="name")
    for world in (False, True):
        kb.set_world(world)
        for text in (f"{name} serves Indian food.", f"I like {name} a lot.", f"{name} is nice."):
            assert gw.check(text, kb=kb).findings == (), text
    strange = gw.check("Zarbo Grill is nice.", kb=kb).findings
    assert [f.type for f in strange] == ["dialogue.fabricated_fact"]
