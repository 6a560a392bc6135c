"""Passages that speak of something else supply nothing."""

from __future__ import annotations

import pytest

from groundwire.profiles.stream import verify_knowledge


@pytest.mark.req("S4-002", "S4-004")
@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (
            "When was the Tarn Museum founded?",
            "The Tarn Museum is open daily. The Ship Museum was founded in 1890.",
        ),
        ("Who founded Orla Ltd?", "Orla Ltd bought Kest Ltd, which was founded by Bo Ring."),
        (
            "How many employees does Orla Ltd have?",
            "Orla Ltd has 3 offices and Kest Ltd has 45 employees.",
        ),
        (
            "How many employees does Orla Ltd have?",
            "Orla Ltd has 3 offices. Kest Ltd has 45 employees.",
        ),
        ("What is Ina Falk's phone number?", "Ina Falk bought 2 phones."),
        ("What is Ina Falk's phone number?", "Ina Falk is nice. Call Bo Ring on 555-2121."),
        (
            "What is Ina Falk's phone number?",
            "Ina Falk is away. Phone Dr. Mo Aas at 44-71.",
        ),
        ("What is Ina Falk's phone number?", "Ina Falk is away. Telephone Kest Ltd: 555-2121."),
        ("What is Ina Falk's phone number?", "Ina Falk is away. Phone: Bo Ring (555-2121)."),
        (
            "What is Ina Falk's phone number?",
            "Ina Falk moved. The phone number of Bo Ring is 4.",
        ),
        (
            "What is Ina Falk's phone number?",
            "Ina Falk moved. The phone number for Orla Ltd: 4",
        ),
        ("What is Ina Falk's email?", "Ina Falk is nice. E-mail Bo Ring at bo@ring.example."),
        (
            "What is Ina Falk's email?",
            "Ina Falk is nice. Please write to Mo Aas at m@a.example.",
        ),
    ],
)
def test_what_is_said_of_another_supplies_nothing(request_: str, text: str) -> None:
    assert not verify_knowledge(request_, {"evidence": [text]}).verified


@pytest.mark.req("S4-002", "S4-004")
@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (
            "When was the Tarn Museum founded?",
            "The Tarn Museum is open daily. It was founded in 1890.",
        ),
        (
            "When was the Tarn Museum founded?",
            "The Tarn Museum shows ships. The museum was founded in 1890.",
        ),
        ("When was the Tarn Museum founded?", "The Tarn Museum is open daily. Founded in 1890."),
        ("Who founded Orla Ltd?", "Orla Ltd, which was founded by Bo Ring, bought Kest Ltd."),
        (
            "How many employees does Orla Ltd have?",
            "Kest Ltd has 3 offices and Orla Ltd has 45 employees.",
        ),
        ("What is Ina Falk's phone number?", "Ina Falk's phone number is 555-2121."),
        ("What is Ina Falk's phone number?", "Call Ina Falk on 555-2121."),
        ("What is Ina Falk's phone number?", "Ina Falk is nice. Call her on 555-2121."),
        ("What is Ina Falk's phone number?", "Ina Falk asked Bo Ring to call her on 555-2121."),
        ("What is Ina Falk's phone number?", "The phone number of Ina Falk is 555-2121."),
        ("What is Ina Falk's phone number?", "Ina Falk's phone number at Orla Ltd is 555-2121."),
        (
            "What is Ina Falk's email?",
            "E-mail Bo Ring at b@r.example or Ina Falk at i@f.example.",
        ),
        ("When was Ina Falk born?", "Ina Falk is nice. She was born Ina Moor in 1961."),
        ("What is the price of Vega?", "Vega is new. The price for Europe is 20 euros."),
    ],
)
def test_what_goes_on_about_the_same_supplies_it(request_: str, text: str) -> None:
    assert verify_knowledge(request_, {"evidence": [text]}).verified


@pytest.mark.req("S4-003")
def test_a_first_name_that_any_text_may_hold_is_asked_about() -> None:
    for name in ("Bob", "Anna", "Paul"):
        check = verify_knowledge(f"What is {name}'s phone number?", {})
        assert check.missing_knowledge == name
    # What no table lists is no attribute of somebody.
    assert verify_knowledge("What is Newton's second law?", {}).verified
