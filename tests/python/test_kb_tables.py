"""Tables inside a knowledge base."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError, NotFoundError

ROWS = [
    {"name": "Golden Dragon", "food": "Chinese", "area": "north", "price": "expensive"},
    {"name": "Curry Garden", "food": "Indian", "area": "centre", "price": "cheap"},
    {
        "name": "Jing Jing",
        "food": "Chinese",
        "area": "south",
        "price": "cheap",
        "seats": "40_seats",
    },
]
WRONG = "The Golden Dragon serves Chinese food in the north at a cheap price."


def rules(monitor: gw.Monitor, text: str) -> list[str]:
    return [f.rule for f in monitor.check(text).findings if f.rule.startswith("row")]


@pytest.mark.req("S0-008")
def test_every_session_checks_the_tables() -> None:
    kb = gw.KnowledgeBase.from_rows(ROWS, table="places", key="name")
    monitor = gw.Monitor(kb=kb)
    (finding,) = [f for f in monitor.check(WRONG).findings if f.rule == "row"]
    assert finding.type == "dialogue.contradicts_fact"
    assert finding.evidence[0].source == "places"
    assert finding.evidence[0].locator == "places/row 0"
    assert "expensive" in str(finding.expected)
    assert rules(monitor, WRONG.replace("a cheap", "an expensive")) == []
    guard = monitor.guard()
    guard.push_text(WRONG)
    guard.finish()
    assert guard.interventions


def test_rows_change_and_running_sessions_keep_theirs() -> None:
    kb = gw.KnowledgeBase.from_rows(ROWS, table="places", key="name")
    monitor, table = gw.Monitor(kb=kb), kb.table("places")
    running = monitor.session()
    table.upsert({**ROWS[0], "price": "cheap"})
    assert len(table) == 3
    assert table.find(name="golden dragon") == [{**ROWS[0], "price": "cheap"}]
    assert rules(monitor, WRONG) == []
    running.push_text(WRONG)
    assert any(f.rule == "row" for f in running.finish().findings)
    assert table.remove(price="cheap", food="Chinese") == 2
    assert [row["name"] for row in table] == ["Curry Garden"]
    assert table.columns == ("name", "food", "area", "price", "seats")
    assert table.key == "name"
    assert kb.remove_table("places")
    with pytest.raises(NotFoundError, match="no table 'places'"):
        len(table)


def test_tables_are_saved_with_the_base(tmp_path: Path) -> None:
    kb = gw.KnowledgeBase.from_records([{"name": "Ada Lind"}])
    kb.add_table("places", ROWS, key="name")
    kb.add_table("fares", [{"zone": "A", "price": "2 euros"}, {"zone": "B", "price": "3 euros"}])
    kb.save(tmp_path / "all.gwkb")
    for again in (gw.KnowledgeBase.load(tmp_path / "all.gwkb"), pickle.loads(pickle.dumps(kb))):
        assert again.table_names() == ["fares", "places"]
        assert list(again.table("places")) == list(kb.table("places"))
        assert again.table("places").key == "name"
        assert again.table("fares").key is None
        assert rules(gw.Monitor(kb=again), WRONG) == ["row"]
        again.table("places").upsert({"name": "Pasta Bar", "food": "Italian"})
        assert len(again.table("places")) == 4
        assert "2 tables" in repr(again)


@pytest.mark.req("U-7")
def test_what_one_table_lacks_another_may_have_and_a_closed_one_says_all() -> None:
    kb = gw.KnowledgeBase.from_rows(ROWS, table="places", key="name")
    monitor = gw.Monitor(kb=kb)

    def seats() -> gw.Finding:
        found = monitor.check("Jing Jing has 44 seats.").findings
        return next(f for f in found if f.rule == "row_value")

    assert seats().tier == "low"
    kb.set_world(attributes=["seats"])
    assert seats().tier == "high"
    kb.add_table("halls", [{"hall": "Blue Hall", "seats": "44 seats"}, {"hall": "Old Hall"}])
    assert "row_value" not in rules(monitor, "Jing Jing has 44 seats.")


@pytest.mark.req("U-7")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The Soup costs 6.50.", "6.50"),
        ("The price of the Steak is 21.00.", "21.00"),
        ("The Salad has a price of 9.25.", "9.25"),
        ("The Soup costs 5.50.", None),
        ("The price of the Steak is 19.90.", None),
        ("The Soup does not cost 6.50.", None),
        ("The Pasta costs 6.50.", None),
        ("The Soup costs a little.", None),
    ],
)
def test_a_value_that_a_named_row_does_not_have(text: str, value: str | None) -> None:
    rows = [
        {"dish": "Soup", "price": "5.50"},
        {"dish": "Salad", "price": "7.00"},
        {"dish": "Steak", "price": "19.90"},
    ]
    found = [f for f in gw.Monitor().check(text, rows=rows).findings if f.rule == "row_value"]
    assert [f.text for f in found] == ([value] if value else [])
    kb = gw.KnowledgeBase.from_rows(rows, table="menu", key="dish")
    kb.set_world(attributes=["price"])
    closed = [f for f in gw.Monitor(kb=kb).check(text).findings if f.rule == "row_value"]
    assert [f.tier for f in closed] == (["high"] if value else [])


def test_without_a_key_equal_rows_are_one() -> None:
    kb = gw.KnowledgeBase()
    table = kb.add_table("fares", columns=["zone", "price"])
    for price in ("2", "2", "3"):
        table.upsert({"zone": "A", "price": price})
    assert len(table) == 2


def test_what_is_refused_changes_nothing() -> None:
    kb = gw.KnowledgeBase.from_rows(ROWS, key="name")
    table = kb.table("rows")
    for row, says in (
        ({"nme": "x"}, "no column 'nme'"),
        ({"food": "Thai"}, "nothing in 'name'"),
        ({"name": ["x"]}, "a cell is one value"),
        (3, "a row is a mapping"),
    ):
        with pytest.raises(ArgumentError, match=says):
            table.upsert(row)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="no column 'nme'"):
        table.remove(nme="x")
    with pytest.raises(ArgumentError, match="which rows"):
        table.remove()
    with pytest.raises(ArgumentError, match="to be its key"):
        kb.add_table("b", ROWS, key="nme")
    with pytest.raises(ArgumentError, match="no columns"):
        kb.add_table("b")
    with pytest.raises(ArgumentError, match=r"rows\[1\]"):
        kb.add_table("b", [{"name": "x"}, {"name": ""}], key="name")
    with pytest.raises(NotFoundError, match="there are: rows"):
        kb.table("b")
    assert kb.table_names() == ["rows"]
    assert len(table) == 3
