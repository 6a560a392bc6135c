"""What values of a base are compared with: names, amounts, parts, places, yes and no."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

import groundwire as gw

FACTS = {"dialogue.wrong_attribute", "dialogue.contradicts_fact"}


def found(facts: dict[str, Any], text: str, name: str = "Corvin Mills") -> list[gw.Finding]:
    kb = gw.KnowledgeBase.from_records([{"name": name, "attributes": facts}])
    report = gw.Monitor(kb=kb, reference_date="2026-01-01").check(text)
    return [f for f in report.findings if f.type in FACTS]


GIVEN = ["Ingrid", "Paula", "Hector"]
FAMILY = ["Solberg", "Marchetti", "Whitfield"]
SAYINGS = [
    "Corvin Mills was founded by {}.",
    "The founder of Corvin Mills is {}.",
    "{} founded Corvin Mills.",
]


@pytest.mark.req("S0-007")
@pytest.mark.parametrize("saying", SAYINGS)
def test_a_shared_given_or_family_name_makes_no_person_the_same(saying: str) -> None:
    for (given, other), (family, another) in zip(
        permutations(GIVEN, 2), permutations(FAMILY, 2), strict=True
    ):
        facts = {"founder": f"{given} {family}"}
        for wrong in (f"{given} {another}", f"{other} {family}"):
            (finding,) = found(facts, saying.format(wrong))
            assert finding.replacement == f"{given} {family}"


@pytest.mark.req("S0-007")
@pytest.mark.parametrize("saying", SAYINGS)
def test_a_part_a_title_or_an_initial_makes_nobody_else(saying: str) -> None:
    for given, family in zip(GIVEN, FAMILY, strict=True):
        facts = {"founder": f"{given} {family}"}
        for same in (
            f"{given} {family}",
            family,
            f"Dr. {given} {family}",
            f"{given} K. {family}",
            f"{given[0]}. {family}",
        ):
            assert found(facts, saying.format(same)) == [], same


@pytest.mark.req("S0-007")
@pytest.mark.parametrize(
    ("attribute", "value", "text", "right"),
    [
        ("office", "Suite 310", "The office of Corvin Mills is Suite 312.", "Suite 310"),
        ("price", 640, "Corvin Mills costs $720.", "$640"),
        ("revenue", 2_500_000, "The revenue of Corvin Mills is €4 million.", "€2.5 million"),
        ("stars", 3, "Corvin Mills is a five-star hotel.", "three"),
        ("stars", 3, "Corvin Mills is a 5-star hotel.", "3"),
        ("nationality", "Danish", "Corvin Mills is a Swedish painter.", "Danish"),
        ("nationality", "Austrian", "Corvin Mills is a Swedish painter.", "an Austrian"),
        ("dogs_allowed", False, "Dogs are allowed at Corvin Mills.", None),
    ],
)
def test_what_is_put_in_its_place_fits(
    attribute: str, value: object, text: str, right: str | None
) -> None:
    (finding,) = found({attribute: value}, text)
    assert finding.replacement == right
    assert text[slice(*finding.span)] == finding.text


NARROWED = [
    "Corvin Mills's {} revenue is $9 million.",
    "The {} revenue of Corvin Mills is $9 million.",
    "Corvin Mills has a {} revenue of $9 million.",
]


@pytest.mark.req("S0-007")
@pytest.mark.parametrize("saying", NARROWED)
def test_a_narrower_figure_is_held_against_what_carries_the_same(saying: str) -> None:
    plain = {"revenue": "$20 million"}
    for word in ("net", "quarterly", "Spanish", "northern", "licensing", "2021", "forecast"):
        assert found(plain, saying.format(word)) == [], word
    for word in ("total", "annual", "impressive", "current"):
        (finding,) = found(plain, saying.format(word))
        assert finding.replacement == "$20 million", word
    both = plain | {"net_revenue": "$12 million"}
    (finding,) = found(both, saying.format("net"))
    assert finding.replacement == "$12 million"


@pytest.mark.req("S0-007")
def test_another_year_is_held_against_the_value_of_that_year() -> None:
    facts = {
        "employees": [
            {"value": 80, "valid_from": "2024-01-01"},
            {"value": 30, "valid_from": "2010-01-01", "valid_to": "2012-12-31"},
        ]
    }
    assert found(facts, "Corvin Mills had 55 employees in 2018.") == []
    assert found(facts, "In 2011, Corvin Mills had 30 employees.") == []
    (finding,) = found(facts, "In 2011, Corvin Mills had 45 employees.")
    assert finding.replacement == "30"
    (finding,) = found(facts, "Corvin Mills has 45 employees.")
    assert finding.replacement == "80"


@pytest.mark.req("S0-007")
@pytest.mark.parametrize("word", ["former", "acting", "designated", "incoming", "interim", "vice"])
def test_another_holder_of_a_post_is_not_the_present_one(word: str) -> None:
    facts = {"chair": "Ingrid Solberg"}
    for text in (
        f"Hector Marchetti is the {word} chair of Corvin Mills.",
        f"Corvin Mills's {word} chair is Hector Marchetti.",
        f"Hector Marchetti, the {word} chair of Corvin Mills, spoke.",
    ):
        assert found(facts, text) == [], text
    assert found(facts, "Hector Marchetti is the chair of Corvin Mills.")


@pytest.mark.req("S0-007")
@pytest.mark.parametrize("opening", ["Unlike", "Like", "Compared with", "Besides", "Just like"])
def test_who_is_compared_with_is_not_who_is_spoken_of(opening: str) -> None:
    facts = {"founded": 1987}
    assert found(facts, f"{opening} Corvin Mills, Tarn Textiles was founded in 1999.") == []
    (finding,) = found(facts, f"{opening} Tarn Textiles, Corvin Mills was founded in 1999.")
    assert finding.replacement == "1987"


@pytest.mark.req("S0-007")
def test_a_place_is_no_other_than_the_one_that_holds_it() -> None:
    facts = {"headquarters": "Naples", "city": "Turin"}
    for place in ("Italy", "Europe", "southern Italy", "Naples", "Turin", "Piedmont"):
        assert found(facts, f"Corvin Mills is based in {place}.") == [], place
    (finding,) = found(facts, "Corvin Mills is based in Madrid.")
    assert finding.replacement is None
    assert finding.extra["no_substitute"] is True
    (finding,) = found({"headquarters": "Naples"}, "Corvin Mills is based in Madrid.")
    assert finding.replacement == "Naples"
    (finding,) = found({"country": "Italy"}, "Corvin Mills is based in Spain.")
    assert finding.replacement == "Italy"


@pytest.mark.req("S0-007")
def test_years_and_ages_beside_a_name_are_read() -> None:
    facts = {"born": 1921, "died": 1988, "age": 61}
    assert found(facts, "Paula Whitfield (1921–1988) was a poet.", "Paula Whitfield") == []
    assert found(facts, "Paula Whitfield, 61, a British poet, lives here.", "Paula Whitfield") == []
    (finding,) = found(facts, "Paula Whitfield (1921–1990) was a poet.", "Paula Whitfield")
    assert (finding.text, finding.replacement) == ("1990", "1988")
    (finding,) = found(facts, "Paula Whitfield, 67, lives here.", "Paula Whitfield")
    assert (finding.text, finding.replacement) == ("67", "61")
