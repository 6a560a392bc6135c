"""Amounts and counts of which a base's value says nothing: rates, signs read in part, bookings."""

from __future__ import annotations

import pytest

import groundwire as gw


def replaced(attributes: dict[str, object], text: str, kind: str) -> list[str]:
    record = {"name": "Koa Hill", "type": kind, "attributes": attributes}
    kb = gw.KnowledgeBase.from_records([record])
    found = gw.check(text, kb=kb).findings
    return [f.replacement for f in found if f.replacement is not None]


@pytest.mark.req("S0-033", "X-12")
@pytest.mark.parametrize(
    ("attributes", "text", "kind"),
    [
        ({"students": 640}, "Koa Hill has 21 students per classroom.", "school"),
        ({"students": 640}, "Koa Hill has 16 students per teacher.", "school"),
        ({"rooms": 120}, "Koa Hill has 15 rooms per floor.", "hotel"),
        ({"employees": 410}, "Koa Hill has 34 employees per store.", "company"),
        ({"revenue": "A$6 million"}, "Koa Hill's revenue is about $4 million.", "company"),
        ({"revenue": "A$6 million"}, "Koa Hill's revenue is €3.7 million.", "company"),
        ({"revenue": "Rs 40 crore"}, "Koa Hill's revenue is ₹400 million.", "company"),
        ({"price": "C$30"}, "Koa Hill costs about $22.", "product"),
        ({"price": "C$30"}, "Koa Hill costs CAD 30.", "product"),
        ({"revenue": "$12 million"}, "Koa Hill's revenue is about A$18 million.", "company"),
        ({"price": "$30"}, "Koa Hill costs C$41.", "product"),
        ({"price": "€140"}, '{"hotel":"Koa Hill","nights":3,"total_price":420}', "hotel"),
        ({"rooms": 120}, '{"booking":{"hotel":"Koa Hill","rooms":2,"guests":4}}', "hotel"),
    ],
)
def test_what_the_value_says_nothing_of_is_left_alone(
    attributes: dict[str, object], text: str, kind: str
) -> None:
    assert replaced(attributes, text, kind) == []


@pytest.mark.parametrize(
    ("attributes", "text", "kind", "right"),
    [
        ({"students": 640}, "Koa Hill has 210 students.", "school", "640"),
        ({"rooms": 120}, "Koa Hill has 15 rooms.", "hotel", "120"),
        ({"price": "$30"}, "Koa Hill costs $41.", "product", "$30"),
        (
            {"revenue": "€12 million"},
            "Koa Hill's revenue is €18 million.",
            "company",
            "€12 million",
        ),
        ({"price": "€140"}, '{"hotel":"Koa Hill","price":"€150"}', "hotel", "€140"),
    ],
)
def test_a_wrong_value_beside_them_is_found(
    attributes: dict[str, object], text: str, kind: str, right: str
) -> None:
    assert replaced(attributes, text, kind) == [right]
