"""Requests that name somebody by a part of the name."""

from __future__ import annotations

import pytest

import groundwire as gw
from groundwire.profiles.stream import verify_knowledge

BASE = gw.KnowledgeBase.from_records(
    [
        {"name": "Ruth Alder", "type": "person", "attributes": {"department": "Sales"}},
        {"name": "Tom Birch", "type": "person", "attributes": {"department": "Legal"}},
        {"name": "Ann Birch", "type": "person", "attributes": {"department": "Press"}},
        {"name": "Dr. Ines Pohl", "type": "person", "attributes": {"room": "B12"}},
        {"name": "Model X200", "type": "product", "attributes": {"price": "€60"}},
        {"name": "Harbour Museum", "type": "museum", "attributes": {"price": "€8"}},
    ]
)


@pytest.mark.req("S4-002", "S4-005")
@pytest.mark.parametrize(
    "request_",
    [
        "Where does Ruth work?",
        "Where does Alder work?",
        "Where does Ms Alder work?",
        "Which department is Mr Tom Birch in?",
        "Which room is Dr. Pohl in?",
        "How much is the X200?",
    ],
)
def test_who_alone_has_it_is_meant(request_: str) -> None:
    assert verify_knowledge(request_, {"kb": BASE}).verified


@pytest.mark.req("S4-005")
def test_of_several_it_is_asked_who_is_meant() -> None:
    check = verify_knowledge("Where does Birch work?", {"kb": BASE})
    assert not check.verified
    assert check.alternative_actions[0] == "Did you mean Tom Birch or Ann Birch?"


@pytest.mark.req("S4-005")
@pytest.mark.parametrize(
    "request_",
    ["Where does Ruth Moor work?", "Where does Moor work?", "How much is Harbour?"],
)
def test_another_name_is_not_known(request_: str) -> None:
    assert not verify_knowledge(request_, {"kb": BASE}).verified
