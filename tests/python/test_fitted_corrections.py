"""A correction stands by itself: nothing twice, nothing of it wrong when read again."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire as gw
from groundwire.mitigation import apply

_SHAPES = [
    # attribute, base's value, wrong value as an answer writes it
    ("price", "€140 a night", ["€160 a night", "€160 per night", "€160 nightly", "€160"]),
    ("price", "£12 each", ["£15 each", "£15 apiece", "£15"]),
    ("price", "$900 plus tax", ["$950 plus tax", "$950"]),
    ("price", "€40 per person", ["€60 a person", "€60 per head", "€60 each"]),
    ("deposit", "£50 (refundable)", ["£60", "£65 (refundable)"]),
    ("discount", "15% (students)", ["20%", "20% (students)"]),
    ("fee", "49 euros a month", ["59 euros per month", "59 euros monthly", "€59 a month"]),
    ("duration", "3 to 5 working days", ["1 to 2 working days", "9 working days"]),
    ("postal_code", "10115", ["10117", "10,117"]),
    ("order_id", "48213", ["48214", "12"]),
    ("reference", "#4711", ["#4712"]),
    ("ratio", "3:1", ["4:1", "5:2"]),
    ("scale", "1:50", ["1:60", "1:25"]),
    ("closing_time", "17:30", ["18:30", "19:00"]),
    ("motto", "Think big", ["Think small"]),
    ("height", "12 m", ["15 m", "15 metres"]),
    ("capacity", "1,200 people", ["1,500 people", "1500 people"]),
    ("code", "A-17", ["A-18"]),
    ("manager", "Priya Nair", ["Tom Ashworth", "Ida Roos"]),
    ("model", "X-200", ["X-300", "the X-300"]),
]
_FRAMES = [
    "{N}'s {a} is {v}.",
    "The {a} of {N} is {v}.",
    "As far as we know, the {a} of {N} is {v}, and it has been for years.",
    "The {a} of {N} is {v}; the rest is on the site.",
    "- The {a} of {N} is {v}",
    "The {a} of {N} is {v} (see the site).",
]
_CASES = [(a, right, wrong) for a, right, all_wrong in _SHAPES for wrong in all_wrong]


def _mended(kb: gw.KnowledgeBase, text: str) -> str:
    return apply(gw.mitigate(gw.Monitor(kb=kb).check(text), kb=kb), text)


def _said_twice(text: str) -> bool:
    signs = re.search(r"([€$£#%:\"“”])\1|%\s*%|(\d:\d+):", text)
    words = [word.strip('.,;()"').casefold() for word in text.split()]
    words = ["per" if word in {"a", "each", "per", "every"} else word for word in words]
    pairs = [(one, two) for one, two in pairwise(words) if one]
    rates = sum(word in {"night", "nightly", "person", "month", "monthly"} for word in words)
    return bool(signs) or any(one == two for one, two in pairs) or rates > 1


@pytest.mark.req("S0-080", "S0-081")
@settings(deadline=None, max_examples=150)
@given(case=st.sampled_from(_CASES), frame=st.sampled_from(_FRAMES))
def test_a_corrected_text_is_right_and_says_nothing_twice(case, frame) -> None:
    attribute, right, wrong = case
    kb = gw.KnowledgeBase.from_records([{"name": "Kestrel", "attributes": {attribute: right}}])
    text = frame.format(N="Kestrel", a=attribute.replace("_", " "), v=wrong)
    mended = _mended(kb, text)
    assert not _said_twice(mended), mended
    assert mended.count(",") <= text.count(",") + right.count(","), mended
    again = gw.Monitor(kb=kb).check(mended)
    if mended != text and "[" not in mended:
        assert not [f for f in again.findings if f.status == "contradicted"], mended
    true = frame.format(N="Kestrel", a=attribute.replace("_", " "), v=right)
    assert _mended(kb, true) == true


_PEOPLE = gw.KnowledgeBase.from_records(
    [
        {"name": "Harrow Labs", "attributes": {"ceo": "Julia Stone", "founder": "Priya Nair"}},
        {"name": "Tom Ashworth", "attributes": {"born": "1980"}},
    ]
)
_WRONG = "[This attribute appears incorrect]"


@pytest.mark.req("S0-080", "S0-081")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Tom Ashworth, the founder of Harrow Labs, was born in 1980.",
            "Tom Ashworth was born in 1980.",
        ),
        (
            "Tom Ashworth is the CEO of Harrow Labs. He lives in Montreal.",
            f"Tom Ashworth is the CEO of Harrow Labs {_WRONG}. He lives in Montreal",
        ),
        (
            "The CEO of Harrow Labs is Tom Ashworth. On weekends he sails.",
            f"The CEO of Harrow Labs is Tom Ashworth {_WRONG}. On weekends he sails",
        ),
        (
            "Tom Ashworth is the CEO of Harrow Labs. Sales rose last year.",
            "Julia Stone is the CEO of Harrow Labs. Sales rose last year",
        ),
        (
            "Tom Ashworth is the CEO of Harrow Labs. Ashworth sails, and he likes it.",
            "Julia Stone is the CEO of Harrow Labs. Ashworth sails, and he likes it",
        ),
        (
            "Harrow Labs was founded by Tom Ashworth, who was born in 1980.",
            f"Harrow Labs was founded by Tom Ashworth {_WRONG}, who was born in 1980.",
        ),
    ],
)
def test_nobody_else_is_put_where_more_is_said_of_a_person(text, wanted) -> None:
    assert _mended(_PEOPLE, text).startswith(wanted)


@pytest.mark.req("S0-075")
def test_what_is_of_no_weight_gets_no_mark_and_none_stands_inside_an_amount() -> None:
    text = "The new bus costs 300,000 kroner more than the old one."
    report = gw.Monitor().check(text, evidence=["The new bus is longer than the old one."])
    mended = apply(gw.mitigate(report), text)
    marks = mended.count("[")
    assert marks <= 1
    assert mended.replace(" [This claim has no supporting evidence]", "") == text
    assert not marks or mended.endswith("].")


@pytest.mark.req("S0-080", "S0-081")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Golden Dragon has 60 seats.", "Golden Dragon has 80 seats."),
        ("Golden Dragon is an Italian restaurant.", "Golden Dragon is a Chinese restaurant."),
        ("La Margherita is a cheap restaurant.", "La Margherita is an expensive restaurant."),
        ("The Crown is a British restaurant.", "The Crown is a British restaurant."),
        ("The Crown has 60 seats.", "The Crown has 60 seats."),
    ],
)
def test_a_named_row_gives_the_right_value(text, wanted) -> None:
    rows = [
        {"name": "Golden Dragon", "food": "Chinese", "seats": 80, "price": "cheap"},
        {"name": "La Margherita", "food": "Italian", "seats": 45, "price": "expensive"},
        {"name": "The Crown", "food": "British", "seats": 60, "price": "moderate"},
    ]
    assert _mended(gw.KnowledgeBase.from_rows(rows, key="name"), text) == wanted
