"""Tables whose values stand together a row at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError, FormatError

ROWS = [
    {"name": "Golden Dragon", "food": "Chinese", "area": "north", "price": "expensive"},
    {"name": "Curry Garden", "food": "Indian", "area": "centre", "price": "cheap"},
    {"name": "Jing Jing", "food": "Chinese", "area": "south", "price": "cheap", "seats": 40},
]
WRONG = "The Golden Dragon serves Chinese food in the north at a cheap price."


@pytest.mark.req("S0-008")
def test_values_of_one_row() -> None:
    monitor = gw.Monitor()
    found = [f for f in monitor.check(WRONG, rows=ROWS).findings if f.rule == "row"]
    assert len(found) == 1
    assert found[0].type == "dialogue.contradicts_fact"
    assert "expensive" in str(found[0].expected)
    right = WRONG.replace("a cheap", "an expensive")
    for rows in (ROWS, gw.Table.from_rows(ROWS)):
        assert not [f for f in monitor.check(right, rows=rows).findings if f.rule == "row"]


def test_a_stream_and_its_replay_see_the_table() -> None:
    monitor, table = gw.Monitor(), gw.Table.from_rows(ROWS)
    session = monitor.session(rows=table)
    for word in WRONG.split(" "):
        session.push_text(word + " ")
    events, report = session.events(), session.finish()
    assert any(f.rule == "row" for f in report.findings)
    again = monitor.replay(events, rows=table).finish()
    assert [f.id for f in again.findings] == [f.id for f in report.findings]
    guarded = monitor.guard(rows=table)
    guarded.push_text(WRONG)
    guarded.finish()
    assert WRONG not in guarded.released
    assert guarded.interventions


def test_a_table_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text("name,food\nGolden Dragon,Chinese\nCurry Garden\n", encoding="utf-8")
    assert len(gw.Table.from_csv(path)) == 2
    path.write_text("name,food\na,b,c\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 2"):
        gw.Table.from_csv(path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(FormatError, match="empty"):
        gw.Table.from_csv(path)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ({"name": "x"}, "mapping"),
        ("name", "list of mappings"),
        ([["x"]], r"rows\[0\]"),
        ([{"name": ["x"]}], "'name'"),
    ],
)
def test_what_is_no_table(rows: object, says: str) -> None:
    with pytest.raises(ArgumentError, match=says):
        gw.Monitor().check("x", rows=rows)
    with pytest.raises(ArgumentError, match="not in columns"):
        gw.Table.from_rows([{"a": 1}], columns=["b"])
