"""Entities as they are asked for; bases out of databases and RDF."""

from __future__ import annotations

import datetime as dt
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError, FormatError
from groundwire.kb import KnowledgeBase
from groundwire.lookup import Lookup, SqlSource

RECORDS = [
    {
        "name": "Harbour Museum",
        "aliases": ["The Museum"],
        "type": "museum",
        "attributes": {
            "founding year": 1987,
            "employees": 45,
            "director": [
                {"value": "Ada Lind", "valid_to": "2001-01-01"},
                {"value": "Tomas Berg", "valid_from": "2001-01-01"},
            ],
        },
    },
    {"name": "Ada Lind"},
]


@pytest.mark.req("S0-022", "S0-023")
def test_an_entity_and_its_attributes() -> None:
    kb = KnowledgeBase.from_records(RECORDS)
    assert kb.entity_exists("the museum")
    assert not kb.entity_exists("Harbour Cinema")
    assert kb.find_entity("Harbour Cinema") is None
    museum = kb.find_entity("the museum")
    assert museum is not None
    assert museum == kb.get_entity(museum["id"])
    assert museum.name == "Harbour Museum"
    assert museum.has_attribute("Founding-Year")
    assert not museum.has_attribute("founder")
    assert museum.attribute_count == 3
    assert museum.attribute_names == ("director", "employees", "founding_year")
    assert museum.get_attribute("employees") == 45
    assert museum.get_attribute("director") == "Tomas Berg"
    assert museum.get_attribute("owner") is None
    assert len(museum.facts("director")) == 2
    assert museum.similar_attributes("founded year")[0] == "founding_year"
    assert museum.similar_attributes("colour") == ()


def _fill(url: str) -> None:
    sa = pytest.importorskip("sqlalchemy")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE IF EXISTS people"))
        connection.execute(sa.text("DROP TABLE IF EXISTS facts"))
        connection.execute(
            sa.text("CREATE TABLE people (name VARCHAR(40), department VARCHAR(40), age INTEGER)")
        )
        connection.execute(
            sa.text("INSERT INTO people VALUES ('Sarah Chen', 'Analytics', 41), ('Tom', NULL, 30)")
        )
        connection.execute(
            sa.text(
                "CREATE TABLE facts (entity VARCHAR(40), attribute VARCHAR(40), "
                "value VARCHAR(40), source VARCHAR(40), confidence FLOAT)"
            )
        )
        connection.execute(
            sa.text(
                "INSERT INTO facts VALUES ('Sarah Chen', 'department', 'Analytics', 'hr', 0.9), "
                "('Sarah Chen', 'language', 'Dutch', NULL, NULL), "
                "('Sarah Chen', 'language', 'English', NULL, NULL)"
            )
        )
    engine.dispose()


def _reads(url: str) -> None:
    _fill(url)
    kb = KnowledgeBase.from_sql(url, table="people")
    sarah = kb.find_entity("Sarah Chen")
    assert sarah is not None
    assert sarah.get_attribute("department") == "Analytics"
    assert sarah.get_attribute("age") == 41
    tom = kb.find_entity("Tom")
    assert tom is not None
    assert not tom.has_attribute("department")
    kb = KnowledgeBase.from_sql(
        url, query="SELECT * FROM facts WHERE entity = :who", params={"who": "Sarah Chen"}
    )
    sarah = kb.find_entity("Sarah Chen")
    assert sarah is not None
    assert len(sarah.facts("language")) == 2
    (fact,) = sarah.facts("department")
    assert fact["source"] == "hr"
    assert fact["confidence"] == pytest.approx(0.9)


def test_a_base_out_of_sqlite(tmp_path: Path) -> None:
    _reads(f"sqlite:///{tmp_path / 'facts.db'}")


def test_declared_truths_are_no_numbers(tmp_path: Path) -> None:
    sa = pytest.importorskip("sqlalchemy")
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'facts.db'}")
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE t (name TEXT, heated BOOLEAN, rooms INTEGER)"))
        connection.execute(
            sa.text("INSERT INTO t VALUES ('Mill', 1, 1), ('Barn', 0, 0), ('Hut', NULL, 2)")
        )
    kb = KnowledgeBase.from_sql(engine, table="t")
    mill, barn, hut = (kb.find_entity(name) for name in ("Mill", "Barn", "Hut"))
    assert mill is not None
    assert barn is not None
    assert hut is not None
    assert (mill.get_attribute("heated"), barn.get_attribute("heated")) == (True, False)
    assert type(mill.get_attribute("heated")) is bool
    assert type(mill.get_attribute("rooms")) is not bool
    assert not hut.has_attribute("heated")
    engine.dispose()


def test_what_no_database_gives(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    url = f"sqlite:///{tmp_path / 'facts.db'}"
    with pytest.raises(ArgumentError, match="either table"):
        KnowledgeBase.from_sql(url)
    with pytest.raises(ArgumentError, match="no database"):
        KnowledgeBase.from_sql("nothing", table="t")
    with pytest.raises(FormatError, match="there is no file"):
        KnowledgeBase.from_sql(url, table="absent")
    (tmp_path / "facts.db").touch()
    with pytest.raises(FormatError, match="could not be read"):
        KnowledgeBase.from_sql(url, table="absent")
    with pytest.raises(FormatError, match="AS"):
        KnowledgeBase.from_sql(url, query="SELECT 1 AS one")


@pytest.fixture
def postgres() -> Iterator[str]:
    """Start a server of its own on a free port; it refuses to run as root, so then as postgres."""
    pytest.importorskip("sqlalchemy")
    pytest.importorskip("psycopg", reason="no driver for PostgreSQL (psycopg)")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folders = [*map(str, debian), None]
    found = [p for folder in folders if (p := shutil.which("initdb", path=folder))]
    if not found:
        pytest.skip("no PostgreSQL server is installed (initdb)")
    programs = Path(found[0]).resolve().parent
    user = None
    if os.geteuid() == 0:
        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    # Not pytest's folder, which other users may not enter.
    folder = Path(tempfile.mkdtemp(prefix="gw-pg-"))
    if user:
        os.chown(folder, user.pw_uid, user.pw_gid)

    def call(*command: Any) -> None:
        as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
        done = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            timeout=120,
            check=False,
            **as_user,
        )
        assert done.returncode == 0, done.stdout.decode()

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    control = [programs / "pg_ctl", "-D", folder / "data", "-w"]
    try:
        call(programs / "initdb", "-A", "trust", "-U", "test", "-E", "UTF8", "-D", folder / "data")
        options = f"-p {port} -h 127.0.0.1 -k {folder}"
        call(*control, "-l", folder / "log", "-o", options, "start")
        try:
            yield f"postgresql+psycopg://test@127.0.0.1:{port}/postgres"
        finally:
            call(*control, "-m", "fast", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_a_base_out_of_postgresql(postgres: str) -> None:
    _reads(postgres)


TURTLE = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:museum a ex:Museum ; rdfs:label "Harbour Museum"@en, "Hafenmuseum"@de ;
    skos:altLabel "The Museum" ; ex:opened "1987-05-02"^^xsd:date ; ex:employees 45 ;
    ex:founder ex:Ada_Lind ; ex:motto "Open"@en, "Offen"@de .
ex:Ada_Lind ex:born "1950"^^xsd:gYear .
"""


def test_a_base_out_of_rdf(tmp_path: Path) -> None:
    pytest.importorskip("rdflib")
    path = tmp_path / "facts.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    kb = KnowledgeBase.from_rdf(path)
    museum = kb.find_entity("hafenmuseum")
    assert museum is not None
    assert (museum.name, museum["key"]) == ("Harbour Museum", "http://example.org/museum")
    assert museum["type"] == "museum"
    assert museum.get_attribute("employees") == 45
    assert str(museum.get_attribute("opened")) == "1987-05-02"
    assert [fact["value"] for fact in museum.facts("motto")] == ["Open"]
    founder = kb.get_entity(museum.get_attribute("founder"))
    assert founder is not None
    assert founder.name == "Ada Lind"
    query = "SELECT ?name ?employees WHERE { ?s rdfs:label ?name ; ex:employees ?employees }"
    kb = KnowledgeBase.from_rdf(path, query="PREFIX ex: <http://example.org/> " + query)
    museum = kb.find_entity("Harbour Museum")
    assert museum is not None
    assert museum.get_attribute("employees") == 45


def test_what_is_no_rdf(tmp_path: Path) -> None:
    pytest.importorskip("rdflib")
    path = tmp_path / "facts.ttl"
    path.write_text("<a> <b", encoding="utf-8")
    with pytest.raises(FormatError, match=r"facts\.ttl"):
        KnowledgeBase.from_rdf(path)
    path.write_text(TURTLE, encoding="utf-8")
    with pytest.raises(FormatError, match="SPARQL"):
        KnowledgeBase.from_rdf(path, query="SELECT nonsense")
    with pytest.raises(FormatError, match="name"):
        KnowledgeBase.from_rdf(path, query="SELECT ?x WHERE { ?x ?y ?z }")
    with pytest.raises(FileNotFoundError):
        KnowledgeBase.from_rdf(tmp_path / "absent.ttl")


def test_a_unit_that_means_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("name,pop,area\nEly,20000,59\n", encoding="utf-8")
    with pytest.raises(ArgumentError, match=r"attributes\.pop\.unit.*'zork' is no unit"):
        KnowledgeBase.from_csv(path, units={"pop": "zork"})
    with pytest.raises(ArgumentError, match="did you mean 'hectare"):
        KnowledgeBase.from_csv(path, units={"area": "hectars"})
    with pytest.raises(ArgumentError, match="did you mean 'kilomet"):
        KnowledgeBase().upsert("Ely", attributes={"wall": {"value": 2, "unit": "kilometrs"}})
    kb = KnowledgeBase.from_csv(path, units={"pop": "inhabitants", "area": "km²"})
    assert {fact["unit"] for fact in kb.facts(0)} == {"inhabitants", "km²"}


def test_values_as_databases_give_them(postgres: str) -> None:
    import sqlalchemy as sa

    engine = sa.create_engine(postgres)
    with engine.begin() as connection:
        connection.execute(
            sa.text(
                "CREATE TABLE halls (name text, price_eur numeric(8,2), seats numeric, doors time)"
            )
        )
        connection.execute(sa.text("INSERT INTO halls VALUES ('Zedra Hall', 12.50, 940, '19:30')"))
    monitor = gw.Monitor(kb=KnowledgeBase.from_sql(engine, table="halls"))
    engine.dispose()
    said = "A ticket for Zedra Hall costs €{}. Zedra Hall has {} seats."
    wrong = [f.replacement for f in monitor.check(said.format("12.50", 940)).findings]
    assert wrong == []
    told = monitor.check(said.format("15.00", 900)).findings
    assert [f.replacement for f in told if f.status == "contradicted"] == ["€12.50", "940"]


def test_numbers_times_and_ids_of_records() -> None:
    ident = uuid.UUID(int=7)
    attributes = {
        "price": Decimal("12.50"),
        "seats": Decimal("940"),
        "doors": dt.time(19, 30, 5),
        "inventory_id": ident,
    }
    kb = KnowledgeBase.from_records([{"name": "Zedra Hall", "attributes": attributes}])
    hall = kb.find_entity("Zedra Hall")
    assert hall is not None
    told = [hall.get_attribute(name) for name in attributes]
    assert told == [12.5, 940, "19:30", str(ident)]
    with pytest.raises(ArgumentError, match=r"price.*nan"):
        KnowledgeBase.from_records([{"name": "X", "attributes": {"price": Decimal("nan")}}])


@pytest.mark.req("S0-022")
def test_postgresql_is_asked_while_an_answer_is_written(postgres: str) -> None:
    import sqlalchemy as sa

    engine = sa.create_engine(postgres)
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE staff (name text, department text)"))
        connection.execute(sa.text("INSERT INTO staff VALUES ('Sarah Chen', 'Engineering')"))
    for source in (
        SqlSource(engine, table="public.staff"),
        SqlSource(postgres, query="SELECT * FROM staff WHERE name = :name", name="staff"),
    ):
        monitor = gw.Monitor(detectors=[Lookup(source, timeout_s=20.0)], timeout_s=20.0)
        found = monitor.check("Sarah Chen works in Marketing.").findings
        (finding,) = [f for f in found if f.type == "dialogue.wrong_attribute"]
        assert finding.replacement == "Engineering"
        assert list(source.find("' OR '1'='1")) == []
        assert list(source.find("x'; DROP TABLE staff; --")) == []
        source.close()
    engine.dispose()


def test_a_database_is_only_read(tmp_path: Path) -> None:
    sa = pytest.importorskip("sqlalchemy")
    url = f"sqlite:///{tmp_path / 'facts.db'}"
    _fill(url)
    engine = sa.create_engine(url)
    for given in (url, engine):
        for query in (
            "DROP TABLE people",
            "DELETE FROM people",
            "INSERT INTO people VALUES ('A', 'B', 1) RETURNING name",
        ):
            with pytest.raises(FormatError, match="could not be read"):
                KnowledgeBase.from_sql(given, query=query)
        assert len(KnowledgeBase.from_sql(given, table="people")) == 2
    # An engine of one's own may write again afterwards.
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM people WHERE name = 'Tom'"))
    engine.dispose()
    assert len(KnowledgeBase.from_sql(url, table="people")) == 1
    for wrong in ({"query": 5}, {"query": "select '\ud800'"}, {"table": b"people"}):
        with pytest.raises(ArgumentError):
            KnowledgeBase.from_sql(url, **wrong)


def test_an_empty_cell_of_a_fact_says_nothing(tmp_path: Path) -> None:
    sa = pytest.importorskip("sqlalchemy")
    url = f"sqlite:///{tmp_path / 'facts.db'}"
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(
            sa.text("CREATE TABLE f (entity TEXT, attribute TEXT, value TEXT, unit TEXT, valid_to)")
        )
        connection.execute(
            sa.text(
                "INSERT INTO f VALUES ('Acme', 'height', '12', 'm', ''), ('Acme', 'ceo', 'Ann', "
                "'', ''), ('Acme', 'owner', '', '', ''), ('', 'owner', 'Bo', '', '')"
            )
        )
    engine.dispose()
    (acme,) = [KnowledgeBase.from_sql(url, table="f").find_entity("Acme")]
    assert acme is not None
    assert acme.attribute_names == ("ceo", "height")
    (fact,) = acme.facts("ceo")
    assert fact.get("valid_to") is None


def test_words_of_an_iri_are_parted(tmp_path: Path) -> None:
    pytest.importorskip("rdflib")
    path = tmp_path / "acme.ttl"
    path.write_text(
        "@prefix s: <http://schema.org/> . @prefix x: <http://example.org/> .\n"
        'x:a a s:Organization; s:name "Acme"; s:foundingDate "1987"; s:numberOfEmployees 450; '
        's:legalName "Acme Ltd"; x:URLPath "a" .\n'
    )
    kb = KnowledgeBase.from_rdf(path)
    acme = kb.find_entity("Acme")
    assert acme is not None
    assert acme.attribute_names == (
        "founding_date",
        "legal_name",
        "number_of_employees",
        "url_path",
    )
    report = gw.Monitor(kb=kb, profiles=("dialogue",)).check("Acme has 500 employees.")
    assert [finding.replacement for finding in report.findings] == ["450"]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"name": "B", "attributes": {"height": 1, "height": 2}}', "height"),
        ('{"name": "B", "name": "C"}', "name"),
        ('{"name": "B", "attributes": {"a": {"value": 1, "unit": "m", "unit": "km"}}}', "unit"),
        ('{"name": "B", "attributes": {"a": 1}, "attributes": {"b": 2}}', "attributes"),
    ],
)
def test_a_key_given_twice_is_refused_with_its_line(tmp_path: Path, line: str, key: str) -> None:
    lines = tmp_path / "kb.jsonl"
    lines.write_text('{"name": "A"}\n\n' + line + "\n", encoding="utf-8")
    with pytest.raises(ArgumentError, match=rf"kb\.jsonl line 3: the key '{key}' is given twice"):
        gw.KnowledgeBase.from_jsonl(lines)
    listed = tmp_path / "kb.json"
    listed.write_text('[\n{"name": "A"},\n' + line + "]", encoding="utf-8")
    with pytest.raises(FormatError, match=rf"the key '{key}' is given twice, again in line 3"):
        gw.KnowledgeBase.from_json(listed)


def test_the_same_key_in_different_objects_is_fine(tmp_path: Path) -> None:
    lines = tmp_path / "kb.jsonl"
    lines.write_text(
        '{"name": "A", "attributes": {"a": {"value": 1}, "b": {"value": 2}}}\n', encoding="utf-8"
    )
    assert len(gw.KnowledgeBase.from_jsonl(lines)) == 1


def test_a_column_of_bytes_is_refused_by_name(tmp_path: Path) -> None:
    sa = pytest.importorskip("sqlalchemy")
    url = f"sqlite:///{tmp_path / 'facts.db'}"
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE staff (name TEXT, photo BLOB, born INTEGER)"))
        connection.execute(sa.text("INSERT INTO staff VALUES ('Ada', x'00ff', 1990)"))
    engine.dispose()
    with pytest.raises(ArgumentError, match="column 'photo' holds bytes"):
        KnowledgeBase.from_sql(url, table="staff")
    assert len(KnowledgeBase.from_sql(url, query="SELECT name, born FROM staff")) == 1


@pytest.mark.parametrize("delimiter", [";;", "", '"', "\n", 3])
def test_a_delimiter_is_one_character(tmp_path: Path, delimiter: Any) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("name;height\nHull;3\n", encoding="utf-8")
    for kind in (KnowledgeBase, gw.Table):
        with pytest.raises(ArgumentError, match="a delimiter is one character"):
            kind.from_csv(path, delimiter=delimiter)
    assert len(KnowledgeBase.from_csv(path, delimiter=";")) == 1


def test_a_query_without_solutions_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("rdflib")
    path = tmp_path / "facts.ttl"
    path.write_text('<urn:a> <urn:called> "Hull" .\n', encoding="utf-8")
    kb = KnowledgeBase.from_rdf(path, query="SELECT ?name { ?x <urn:name> ?name }")
    assert len(kb) == 0
    assert "no solution" in caplog.text
