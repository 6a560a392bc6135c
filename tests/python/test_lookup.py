"""Knowledge that is asked beside the stream: databases and graphs."""

from __future__ import annotations

import re
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError, FormatError
from groundwire.lookup import BaseSource, Lookup, RdfSource, Source, SqlSource

TEXT = "I asked around. Sarah Chen works in Marketing."
RECORD = {"name": "Sarah Chen", "type": "person", "attributes": {"department": "Engineering"}}


def only(found: Sequence[gw.Finding]) -> gw.Finding:
    """The one finding there is."""
    (finding,) = found
    return finding


class Asked:
    """A source that counts what it is asked."""

    name = "staff"

    def __init__(self, *records: dict[str, Any]) -> None:
        self.records = records or (RECORD,)
        self.asked: list[str] = []

    def find(self, name: str) -> Iterator[dict[str, Any]]:
        self.asked.append(name)
        yield from (r for r in self.records if r["name"].casefold() == name.casefold())


def wrong(source: Any, text: str = TEXT, **given: Any) -> list[gw.Finding]:
    monitor = gw.Monitor(detectors=[Lookup(source)])
    found = monitor.check(text, **given).findings
    return [f for f in found if f.type == "dialogue.wrong_attribute"]


@pytest.fixture
def database(tmp_path: Path) -> str:
    pytest.importorskip("sqlalchemy")
    path = tmp_path / "staff.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE staff (name TEXT, department TEXT, nick TEXT)")
        connection.executemany(
            "INSERT INTO staff VALUES (?, ?, ?)",
            [("Sarah Chen", "Engineering", "Saz"), ("Tim O'Hara", "Sales", "x")],
        )
    return f"sqlite:///{path}"


@pytest.mark.req("S0-022", "S0-007")
def test_a_claim_is_compared_with_what_the_source_says() -> None:
    source = Asked()
    (finding,) = wrong(source)
    assert finding.text == "Marketing"
    assert finding.span is not None
    assert TEXT[slice(*finding.span)] == "Marketing"
    assert finding.replacement == "Engineering"
    assert finding.evidence[0].source == "staff"
    assert source.asked == ["Sarah Chen"]
    assert wrong(Asked(), TEXT.replace("Marketing", "Engineering")) == []
    assert wrong(Asked(), "She works in Marketing.", question="Who is Sarah Chen?")


def test_a_loaded_base_is_a_source_too() -> None:
    kb = gw.KnowledgeBase.from_records([RECORD])
    assert isinstance(BaseSource(kb), Source)
    assert len(wrong(kb)) == 1


def test_a_guard_corrects_what_the_source_knows_better() -> None:
    guard = gw.Monitor(detectors=[Lookup(Asked())]).guard()
    guard.push_text(TEXT)
    rest = ["."]
    while guard.stopped is None:
        rewinds = [d for d in guard.finish() if d.kind == "rewind"]
        for directive in rewinds:
            guard.push_text(directive.text or "", forced=True)
            guard.push_text(rest.pop() if rest else "")
    assert guard.released == "I asked around. Sarah Chen works in Engineering."


def test_names_are_asked_once_and_kept_for_a_while() -> None:
    source = Asked()
    lookup = Lookup(source, cache=1)
    lookup.find("Sarah Chen")
    assert lookup.find("sarah  chen") == [RECORD]
    assert lookup.find("Nobody") == lookup.find("Nobody") == []
    assert source.asked == ["Sarah Chen", "Nobody"]
    lookup.find("Sarah Chen")
    assert len(source.asked) == 3
    fresh = Lookup(source, ttl_s=0.0)
    fresh.find("Sarah Chen")
    time.sleep(0.01)
    fresh.find("Sarah Chen")
    assert len(source.asked) == 5


def test_a_source_that_hangs_or_raises_costs_its_own_answer() -> None:
    class Hangs(Asked):
        def find(self, name: str) -> Iterator[dict[str, Any]]:
            threading.Event().wait(5)
            return super().find(name)

    class Raises(Asked):
        def find(self, name: str) -> Iterator[dict[str, Any]]:
            raise RuntimeError(name)

    with pytest.raises(TimeoutError, match="staff did not answer"):
        Lookup(Hangs(), timeout_s=0.05).find("Sarah Chen")
    for source in (Hangs(), Raises()):
        session = gw.Monitor(detectors=[Lookup(source, timeout_s=0.05)]).session()
        session.push_text(TEXT)
        report = session.finish()
        assert session.failed >= 1  # type: ignore[union-attr]
        assert not [f for f in report.findings if f.system == "dialogue"]


@pytest.mark.req("U-7")
def test_a_closed_source_says_all_there_is() -> None:
    text = "Mary Poole works in Sales."
    monitor = gw.Monitor(detectors=[Lookup(Asked())])
    assert not [f for f in monitor.check(text).findings if f.system == "dialogue"]
    monitor = gw.Monitor(detectors=[Lookup(Asked(), closed=True)])
    (finding,) = [f for f in monitor.check(text).findings if f.system == "dialogue"]
    assert finding.type == "dialogue.nonexistent_entity"
    for closed, tier in ((False, "low"), (["email"], "high")):
        lookup = Lookup(Asked(), closed=closed)
        found = gw.Monitor(detectors=[lookup]).check("Sarah Chen's email is a@b.org.").findings
        (finding,) = [f for f in found if f.type == "dialogue.fabricated_fact"]
        assert (finding.tier == "low") is (tier == "low")


def test_sqlite_is_asked_by_bound_parameters(database: str) -> None:
    source = SqlSource(database, table="staff")
    assert len(wrong(source)) == 1
    assert [r["name"] for r in source.find("sarah chen")] == ["Sarah Chen"]
    assert [r["name"] for r in source.find("Tim O'Hara")] == ["Tim O'Hara"]
    for name in ("' OR '1'='1", "x'; DROP TABLE staff; --", "%", "Sarah%"):
        assert list(source.find(name)) == []
    by_nick = SqlSource(
        database, query="SELECT name, department FROM staff WHERE nick = :name", name="nicks"
    )
    assert [r["name"] for r in by_nick.find("Saz")] == ["Sarah Chen"]
    assert list(by_nick.find("' OR 1=1 --")) == []
    named = SqlSource(database, table="staff", name_column="nick")
    assert next(iter(named.find("saz")))["attributes"]["department"] == "Engineering"
    # What changes in the database is seen once the answer is no longer kept.
    with sqlite3.connect(database.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE staff SET department = 'Marketing'")
    assert wrong(source) == []


TRAIN = {
    "name": "Falcon Express",
    "attributes": {
        "max_speed_kmh": 300,
        "num_seats": 420,
        "home_depot": "Kestrel Yard",
        "operator": "Velora Rail",
    },
}


@pytest.mark.parametrize(
    ("sentence", "value", "other", "right"),
    [
        ("Falcon Express has a maximum speed of {}.", "300 km/h", "320 km/h", "300 km/h"),
        ("The maximum speed of Falcon Express is {}.", "300 km/h", "320 km/h", "300 km/h"),
        ("Falcon Express has {} seats.", "420", "500", "420"),
        ("The home depot of Falcon Express is {}.", "Kestrel Yard", "Grey Yard", "Kestrel Yard"),
        ("Falcon Express's home depot is {}.", "Kestrel Yard", "Grey Yard", "Kestrel Yard"),
        ("The operator of the Falcon Express is {}.", "Velora Rail", "Bora Lines", "Velora Rail"),
    ],
)
def test_attributes_that_only_the_source_has(
    sentence: str, value: str, other: str, right: str
) -> None:
    assert wrong(Asked(TRAIN), sentence.format(value)) == []
    finding = only(wrong(Asked(TRAIN), sentence.format(other)))
    assert (finding.detected, finding.replacement) == (other, right)


def test_a_finding_belongs_to_one_claim() -> None:
    text = "Falcon Express has 420 seats and a maximum speed of 250 km/h."
    assert only(wrong(Asked(TRAIN), text)).detected == "250 km/h"


def test_whose_attribute_it_is_may_be_unknown() -> None:
    lookup = Lookup(Asked(TRAIN), closed=True)
    monitor = gw.Monitor(detectors=[lookup])
    text = "The home depot of Falcon {} is Kestrel Yard."
    assert monitor.check(text.format("Express")).findings == ()
    missing = only(monitor.check(text.format("Arrow")).findings)
    assert (missing.type, missing.detected) == ("dialogue.nonexistent_entity", "Falcon Arrow")


def test_what_no_database_gives(database: str) -> None:
    with pytest.raises(ArgumentError, match="no :name"):
        SqlSource(database, query="SELECT * FROM staff")
    with pytest.raises(ArgumentError, match="either table"):
        SqlSource(database)
    with pytest.raises(ArgumentError, match="no database"):
        SqlSource("nothing", table="staff")
    with pytest.raises(FormatError, match="could not be read"):
        list(SqlSource(database, table="absent").find("x"))
    with pytest.raises(ArgumentError, match="a source has"):
        Lookup(object())  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="cache"):
        Lookup(Asked(), cache=0)


GRAPH = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
ex:sarah a ex:Person ; rdfs:label "Sarah Chen" ; skos:altLabel "Saz" ; ex:department "Engineering" .
ex:tim a ex:Person ; rdfs:label "Tim" ; ex:department "Sales" .
"""


def test_a_graph_is_asked_by_sparql(tmp_path: Path) -> None:
    rdflib = pytest.importorskip("rdflib")
    path = tmp_path / "staff.ttl"
    path.write_text(GRAPH)
    source = RdfSource(path)
    assert source.name == "staff.ttl"
    assert len(wrong(source)) == 1
    assert [r["name"] for r in source.find("saz")] == ["Sarah Chen"]
    for name in ('Tim" || true || "', "?name", ".*"):
        assert source.find(name) == []
    graph = rdflib.Graph().parse(data=GRAPH, format="turtle")
    query = (
        "SELECT ?name ?department WHERE { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?name ;"
        " <http://example.org/department> ?department . FILTER(STR(?name) = STR(?wanted)) }"
    )
    asked = RdfSource(graph, query=query, name="graph")
    assert len(wrong(asked)) == 1
    assert asked.find('Tim" || true || "') == []
    with pytest.raises(FormatError, match="wanted"):
        RdfSource(graph, query="SELECT ?name WHERE { ?s ?p ?name }")
    with pytest.raises(FormatError, match="not valid"):
        RdfSource(graph, query="SELECT ?wanted {")
    with pytest.raises(ArgumentError, match="a graph is"):
        RdfSource(3)


def test_the_page_about_knowledge_says_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sqlalchemy")
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).resolve().parents[2] / "docs/knowledge.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 6
    namespace: dict[str, Any] = {}
    for block in blocks:
        exec(block, namespace)
