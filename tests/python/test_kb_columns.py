"""Columns as people name them: what they are called, the units in their names, their aliases."""

from __future__ import annotations

from pathlib import Path

import pytest

import groundwire as gw
from groundwire.errors import FormatError

RIGHT_AND_WRONG = [
    ("chief_executive_officer", "John Smith", "The CEO of Acme is Karen Wu.", "Karen Wu"),
    ("CEO name", "John Smith", "The CEO of Acme is Karen Wu.", "Karen Wu"),
    ("num_employees", 1200, "Acme has 900 employees.", "900"),
    ("employeeCount", 1200, "Acme has 900 employees.", "900"),
    ("founded_year", 1998, "Acme was founded in 2001.", "2001"),
    ("yearFounded", 1998, "Acme was founded in 2001.", "2001"),
    ("foundedBy", "Ada Lind", "Acme was founded by Bo Ek.", "Bo Ek"),
    ("headquartered in", "Denver", "Acme is based in Boston.", "Boston"),
    ("headquarters_city", "Denver", "Acme is based in Boston.", "Boston"),
    ("dob", "1970-05-02", "Acme was born in 1980.", "1980"),
    ("placeOfBirth", "Oslo", "Acme was born in Bergen.", "Bergen"),
    ("releaseDate", "2011-04-05", "Acme was released in 2013.", "2013"),
    ("weight_kg", 1.2, "Acme weighs 2 kg.", "2 kg"),
    ("price_usd", 349, "Acme costs $399.", "$399"),
]


@pytest.mark.req("S0-022")
@pytest.mark.parametrize(("column", "value", "text", "wrong"), RIGHT_AND_WRONG)
def test_columns_are_understood(column: str, value: object, text: str, wrong: str) -> None:
    kb = gw.KnowledgeBase.from_records([{"name": "Acme", "attributes": {column: value}}])
    found = gw.check(text, kb=kb).findings
    assert [f.text for f in found if f.status == "contradicted"] == [wrong], found


@pytest.mark.parametrize(
    ("column", "value", "text"),
    [
        ("weight_g", 1200, "Acme weighs 1.2 kg."),
        ("weight_kg", 1.2, "Acme weighs 1,200 g."),
        ("length_km", 3, "Acme is 3,000 m long."),
        ("price_eur", 20, "Acme costs 20 euros."),
        ("released_by", "Fjord Records", "Acme was released in 2013."),
        ("manager_id", 17, "Acme's manager is Bo Ek."),
        ("founded_year", 1998, "Acme was incorporated in 1999."),
    ],
)
def test_a_columns_unit_and_what_it_holds_are_respected(
    column: str, value: object, text: str
) -> None:
    kb = gw.KnowledgeBase.from_records([{"name": "Acme", "attributes": {column: value}}])
    found = gw.check(text, kb=kb).findings
    assert not [f for f in found if f.status == "contradicted" or f.tier in ("high", "critical")]


def test_columns_of_a_table_in_any_case(tmp_path: Path) -> None:
    file = tmp_path / "firms.csv"
    file.write_text("Name,Aliases,Type,Founded\nAcme Robotics,ACME|Acme Inc,company,1998\n")
    kb = gw.KnowledgeBase.from_csv(file)
    for name in ("Acme Robotics", "ACME", "Acme Inc"):
        found = gw.check(f"{name} was founded in 2001.", kb=kb).findings
        assert {f.text for f in found if f.status == "contradicted"} == {"2001"}, name
    file.write_text("Title,Founded\nAcme,1998\n")
    with pytest.raises(FormatError, match=r"there is no column 'name'.*Title, Founded"):
        gw.KnowledgeBase.from_csv(file)
    file.write_text("Name,name\nAcme,Acme\n")
    with pytest.raises(FormatError, match="twice"):
        gw.KnowledgeBase.from_csv(file)


@pytest.mark.req("S0-022")
def test_a_message_tells_a_unit_once() -> None:
    kb = gw.KnowledgeBase.from_records([{"name": "Acme", "attributes": {"price_nok": 349}}])
    (found,) = (f for f in gw.check("Acme costs 399 NOK.", kb=kb).findings if f.replacement)
    assert "price: 349 NOK" in found.message
