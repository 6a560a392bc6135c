"""Whose attribute a passage tells, and what a context may hold (S4-002..005)."""

from __future__ import annotations

import pytest

from groundwire.errors import ArgumentError
from groundwire.profiles.stream import verify_knowledge

PHONE = "What is Lena Voss's phone number?"
FOUNDED = "When was the Tide Gallery founded?"
FOUNDER = "Who founded Nordal Corp?"
STAFF = "How many employees does Nordal Corp have?"
PRICE = "What is the price of Quillon?"


@pytest.mark.req("S4-004")
@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (FOUNDED, "The Tide Gallery is open daily. The Crane Gallery was founded in 1900."),
        (FOUNDER, "Nordal Corp bought Sorrel Ltd, which was founded by Bo Dent."),
        (FOUNDER, "Nordal Corp is a rival of Sorrel Ltd. Sorrel Ltd was founded by Una Kerr."),
        (PHONE, "Lena Voss sold 3 phones."),
        (PHONE, "Lena Voss is here. Ann Poe's phone number is 555 123."),
        (STAFF, "Nordal Corp has 3 offices. Sorrel Ltd has 45 employees."),
        (STAFF, "Nordal Corp is old, and Sorrel Ltd has 45 employees."),
        (PRICE, "Quillon is cheap. Arbor's price is 3 dollars."),
    ],
)
def test_what_is_told_of_another_supplies_nothing(request_: str, text: str) -> None:
    assert not verify_knowledge(request_, {"evidence": [text]}).verified


@pytest.mark.req("S4-004")
@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (FOUNDED, "The Tide Gallery is open daily. It was founded in 1900."),
        (FOUNDED, "The Tide Gallery, in Oslo, was founded in 1900."),
        (FOUNDED, "The Tide Gallery is in Leeds. Ada Lind founded it in 1900."),
        (FOUNDER, "Nordal Corp was founded by Bo Dent."),
        (FOUNDER, "Bo Dent and Al Fox are the founders of Nordal Corp."),
        (PHONE, "Call Lena Voss on 555 123."),
        (PHONE, "Lena Voss works for Sorrel Ltd in Oslo. Phone: 555 123."),
        (PHONE, "Lena Voss works in Oslo. Her phone number is 555 123."),
        (STAFF, "Nordal Corp, based in Springfield, has 45 employees."),
        (STAFF, "In 2020, Nordal Corp moved. The company has 45 employees."),
        (STAFF, "Nordal Corp and Sorrel Ltd have 45 and 50 employees."),
    ],
)
def test_what_is_told_of_the_one_asked_about_supplies_it(request_: str, text: str) -> None:
    assert verify_knowledge(request_, {"evidence": [text]}).verified


@pytest.mark.req("S4-003")
@pytest.mark.parametrize(
    ("request_", "missing"),
    [("What is Bob's phone number?", "Bob"), ("What is Peru's population?", "Peru")],
)
def test_an_owner_with_a_common_name_is_somebody(request_: str, missing: str) -> None:
    assert verify_knowledge(request_).missing_knowledge == missing
    assert verify_knowledge("What's the plan? Let's start, it's Tuesday's turn.").verified


@pytest.mark.req("S4-002", "S4-036")
@pytest.mark.parametrize("context", [{"kbb": 1}, {"evidence": [], "passages": []}, 5, "text"])
def test_a_context_without_such_a_part_is_refused(context: object) -> None:
    with pytest.raises(ArgumentError, match="kb, evidence, history, retrievers, today"):
        verify_knowledge(PHONE, context)
