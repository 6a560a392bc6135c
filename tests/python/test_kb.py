from __future__ import annotations

import copy
import datetime as dt
import pickle
import re
import threading
import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import groundwire as gw
from groundwire.errors import ArgumentError, FormatError, NotFoundError
from groundwire.kb import KnowledgeBase

JSONL = """\
{"name": "Acme Corp", "aliases": ["Acme"], "type": "company", "attributes": {"founded": 1987, \
"revenue": "$5M", "opening_hours": ["Mon 9-17", "Sat 10-14"], "ceo": {"value": "Maria Lopez", \
"type": "entity"}}}

{"name": "Maria Lopez", "type": "person", "attributes": {"department": {"value": "Engineering", \
"source": "hr.csv", "confidence": 0.9, "type": "text"}, "email": "m@acme.example", \
"joined": "2015-03-01"}}
{"closed_world": ["department"]}
"""


@pytest.fixture
def company(tmp_path: Path) -> Path:
    path = tmp_path / "company.jsonl"
    path.write_text(JSONL, encoding="utf-8")
    return path


def values(kb: KnowledgeBase, entity: str, attribute: str) -> list[object]:
    found = kb.get_entity(entity)
    assert found is not None
    return [fact["value"] for fact in found["attributes"].get(attribute, [])]


@pytest.mark.req("S0-022", "S0-023", "U-7")
def test_jsonl(company: Path) -> None:
    kb = KnowledgeBase.from_jsonl(company)
    assert len(kb) == 2
    assert "acme" in kb and "MARIA LÓPEZ" in kb and "Bob" not in kb and 3 not in kb
    acme = kb.get_entity("Acme")
    assert acme is not None
    assert (acme["name"], acme["type"], acme["aliases"]) == ("Acme Corp", "company", ["Acme"])
    assert values(kb, "Acme", "opening_hours") == ["Mon 9-17", "Sat 10-14"]
    revenue = acme["attributes"]["revenue"][0]
    assert (revenue["value"], revenue["unit"], revenue["source"]) == (
        5_000_000,
        "USD",
        "company.jsonl",
    )
    department = kb.facts(kb.find("Maria Lopez")[0], "department")[0]
    assert department["source"] == "hr.csv"
    assert department["confidence"] == pytest.approx(0.9, abs=1e-6)
    assert kb.facts(kb.find("Maria Lopez")[0], "joined")[0]["type"] == "date"
    assert kb.is_closed("department") and not kb.is_closed("email") and not kb.is_closed()


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ('{"name": "A"', ["line 2", "JSON"]),
        ('{"nam": "A"}', ["line 2", "nam"]),
        ("[]", ["line 2", "object"]),
        ('{"name": ""}', ["line 2", "name"]),
        ('{"name": 3}', ["line 2", "name"]),
        ('{"name": "A", "aliases": [1]}', ["line 2", "aliases"]),
        ('{"name": "A", "attributes": []}', ["line 2", "attributes"]),
        ('{"name": "A", "attributes": {"x": {"valu": 1}}}', ["line 2", "attributes.x", "valu"]),
        ('{"name": "A", "attributes": {"x": {"value": "no", "type": "colour"}}}', ["attributes.x"]),
        ('{"name": "A", "attributes": {"x": {"value": "no", "type": "number"}}}', ["attributes.x"]),
        ('{"name": "A", "attributes": {"x": {"value": 1, "confidence": 2}}}', ["confidence"]),
        ('{"name": "A", "attributes": {"x": {"value": 1, "valid_from": "soon"}}}', ["valid_from"]),
        ('{"name": "First"}', ["line 2", "First"]),
        ('{"name": "A", "attributes": {"x": [[1]]}}', ["line 2", "attributes.x"]),
        ('{"name": "A", "attributes": {"x": 1e999}}', ["line 2"]),
    ],
)
def test_bad_records_are_named(tmp_path: Path, line: str, names: list[str]) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"name": "First"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(ArgumentError) as error:
        KnowledgeBase.from_jsonl(path)
    for name in ["bad.jsonl", *names]:
        assert name in str(error.value)


def test_json(tmp_path: Path) -> None:
    path = tmp_path / "kb.json"
    path.write_text('{"entities": [{"name": "A"}, {"name": "B"}], "closed_world": true}')
    kb = KnowledgeBase.from_json(path)
    assert len(kb) == 2 and kb.is_closed()
    path.write_text('[{"name": "A"}, {"name": "B", "x": 1}]')
    with pytest.raises(ArgumentError, match=r"kb\.json record 2: field 'x'"):
        KnowledgeBase.from_json(path)
    for bad in ('{"name": "A"}', "[1,", '"text"'):
        path.write_text(bad)
        with pytest.raises(FormatError, match=r"kb\.json"):
            KnowledgeBase.from_json(path)
    path.write_bytes(b'[{"name": "\xff"}]')
    with pytest.raises(FormatError, match="UTF-8"):
        KnowledgeBase.from_json(path)


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "staff.csv"
    path.write_text(
        "name,aliases,type,department,joined,height,badge\n"
        "Alice Chen,A. Chen; Ali,person,Engineering,2015-03-01,1.70,00123\n"
        '"Ray, Bob",,person,,May 2019,,\n'
    )
    kb = KnowledgeBase.from_csv(path, units={"height": "m"}, types={"badge": "text"})
    assert kb.find("ali") == kb.find("Alice Chen") != []
    assert values(kb, "Alice Chen", "department") == ["Engineering"]
    assert values(kb, "Alice Chen", "badge") == ["00123"]
    height = kb.facts(kb.find("Ali")[0], "height")[0]
    assert (height["value"], height["unit"], height["source"]) == (1.7, "m", "staff.csv")
    assert values(kb, "Ray, Bob", "joined") == ["2019-05"]
    assert values(kb, "Ray, Bob", "department") == []
    path.write_text("name,age\nA,3\nB,old\n")
    with pytest.raises(ArgumentError, match=r"staff\.csv line 3: field 'attributes\.age'"):
        KnowledgeBase.from_csv(path, types={"age": "number"})
    path.write_text("name,age\nA,3\n,4\n")
    with pytest.raises(ArgumentError, match=r"line 3: field 'name'"):
        KnowledgeBase.from_csv(path)
    path.write_text("title\nA\n")
    with pytest.raises(FormatError, match="name"):
        KnowledgeBase.from_csv(path)
    path.write_text("name\nA,b\n")
    with pytest.raises(FormatError, match="line 2"):
        KnowledgeBase.from_csv(path)


def test_dataframe() -> None:
    frame = pd.DataFrame(
        {
            "name": ["A", "B"],
            "founded": pd.to_datetime(["1987-05-02", None]),
            "staff": [12, np.nan],
            "open": [True, False],
            "tags": [["x", "y"], None],
        }
    )
    kb = KnowledgeBase.from_dataframe(frame, source="table")
    assert values(kb, "A", "founded") == ["1987-05-02"]
    assert values(kb, "A", "staff") == [12]
    assert values(kb, "A", "tags") == ["x", "y"]
    assert values(kb, "B", "open") == [False]
    assert set(kb.get_entity("B")["attributes"]) == {"open"}  # type: ignore[index]
    assert kb.facts(0)[0]["source"] == "table"
    with pytest.raises(ArgumentError, match=r"row 1: field 'attributes\.staff'"):
        bad = pd.DataFrame({"name": ["A", "B"], "staff": ["1", "few"]})
        KnowledgeBase.from_dataframe(bad, types={"staff": "number"})
    with pytest.raises(FormatError):
        KnowledgeBase.from_dataframe(pd.DataFrame({"x": [1]}))


@pytest.mark.parametrize("cell", [np.inf, -np.inf, np.float32(np.inf), [1.5, np.inf]])
def test_an_infinite_number_is_refused_by_its_column(cell: object) -> None:
    frame = pd.DataFrame({"name": ["A", "B"], "age": [3, 4], "height": [2.5, cell]})
    said = r"holds -?inf, which .*; put a finite number in its place, or nothing \(None"
    with pytest.raises(ArgumentError, match=rf"^row 1: field 'attributes\.height' {said}"):
        KnowledgeBase.from_dataframe(frame)
    with pytest.raises(ArgumentError, match=rf"^row 1: field 'attributes\.height\.value' {said}"):
        KnowledgeBase.from_dataframe(frame, units={"height": "m"})
    with pytest.raises(ArgumentError, match=rf"^field 'attributes\.height' {said}"):
        KnowledgeBase().add_entity("A", attributes={"height": cell})
    with pytest.raises(ArgumentError, match=rf"^the value {said}"):
        KnowledgeBase.from_records([{"name": "A"}]).set_attribute("A", "height", cell)
    empty = frame.assign(height=[2.5, None])
    assert values(KnowledgeBase.from_dataframe(empty), "A", "height") == [2.5]
    none = [{"name": "A", "attributes": {"height": None, "age": 3}}]
    assert values(KnowledgeBase.from_records(none), "A", "age") == [3]


def test_records_take_python_values() -> None:
    kb = KnowledgeBase.from_records(
        [{"name": "A", "attributes": {"day": dt.date(2020, 1, 2), "n": np.int64(3)}}]
    )
    assert values(kb, "A", "day") == ["2020-01-02"]
    assert values(kb, "A", "n") == [3]
    with pytest.raises(ArgumentError, match="record 2"):
        KnowledgeBase.from_records([{"name": "A"}, {"name": "B", "attributes": {"x": object()}}])
    with pytest.raises(ArgumentError, match="record 1"):
        KnowledgeBase.from_records([{"name": "A", "attributes": {"x": float("nan")}}])


def test_changes(company: Path) -> None:
    kb = KnowledgeBase.from_jsonl(company)
    bob = kb.add_entity("Bob Ray", ["Bobby"], "person", {"department": "Sales"})
    assert kb.find("bobby") == [bob]
    with pytest.raises(ArgumentError, match="used already"):
        kb.add_entity("Bob Ray")
    for change in (kb.add_entity, kb.upsert):
        with pytest.raises(ArgumentError, match=r"not a mapping; .*upsert\(\*\*record\)"):
            change({"name": "Bob Ray"})  # type: ignore[operator]
    assert kb.upsert(**{"name": "Bob Ray", "type": "person"}) == bob
    assert kb.find("bobby") == [] and values(kb, "Bob Ray", "department") == []
    kb.set_attribute("Bob Ray", "Department", {"value": ["HR", "Sales"], "source": "x"})
    assert values(kb, "Bob Ray", "department") == ["HR", "Sales"]
    kb.set_attribute(bob, "department", {"value": "IT", "source": "x"})
    assert values(kb, "Bob Ray", "department") == ["IT"]
    assert kb.remove_attribute(bob, "department") == 1
    kb.remove("Bob Ray")
    assert kb.get_entity("Bob Ray") is None and kb.get_entity(bob) is None
    for call in (lambda: kb.remove("Bob Ray"), lambda: kb.set_attribute(bob, "x", 1)):
        with pytest.raises(NotFoundError):
            call()
    other = kb.add_entity("Maria Lopez", key="maria-2")
    assert len(kb.find("Maria Lopez")) == 2 and kb.find_key("maria-2") == other
    assert kb.get_entity("Maria Lopez")["key"] == "Maria Lopez"  # type: ignore[index]


def test_save_map_and_pickle(company: Path, tmp_path: Path) -> None:
    kb = KnowledgeBase.from_jsonl(company)
    path = tmp_path / "company.gwkb"
    kb.save(path)
    mapped = KnowledgeBase.load(path)
    assert isinstance(mapped, KnowledgeBase)
    assert [mapped.get_entity(i) for i in mapped.ids()] == [kb.get_entity(i) for i in kb.ids()]
    assert len(pickle.dumps(mapped)) < 500
    for other in (pickle.loads(pickle.dumps(mapped)), pickle.loads(pickle.dumps(kb))):
        assert other.get_entity("Acme") == kb.get_entity("Acme")
    mapped.add_entity("New")
    copied = copy.deepcopy(mapped)
    assert "New" in copied and "New" not in KnowledgeBase.load(path)
    mapped.save(path)
    assert "New" in KnowledgeBase.load(path)
    assert list(tmp_path.glob("*.tmp")) == []
    with pytest.raises(OSError, match="missing"):
        KnowledgeBase.load(tmp_path / "missing")


def test_damaged_files(company: Path, tmp_path: Path) -> None:
    data = KnowledgeBase.from_jsonl(company).to_bytes()
    path = tmp_path / "damaged"
    for cut in (0, 3, 24, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:cut])
        with pytest.raises(FormatError):
            KnowledgeBase.load(path)
    kb = KnowledgeBase()
    with pytest.raises(FormatError):
        kb.from_bytes(b"GWKB" + b"\xff" * 500)
    old = bytearray(data)
    old[4] = 1
    path.write_bytes(old)
    for verify in (True, False):
        with pytest.raises(FormatError, match=r"format 1 .*save it again"):
            KnowledgeBase.load(path, verify=verify)
    # Damage behind the header: only who trusts the file reads it.
    body = bytearray(data)
    body[-3] ^= 1
    path.write_bytes(body)
    with pytest.raises(FormatError, match="contents are damaged; save it again"):
        KnowledgeBase.load(path)
    assert isinstance(KnowledgeBase.load(path, verify=False).find("Acme"), list)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_flipped_bytes_are_refused(data: st.DataObject) -> None:
    kb = KnowledgeBase.from_records([{"name": "A b", "aliases": ["C"], "attributes": {"x": "y"}}])
    raw = bytearray(kb.to_bytes())
    for at in data.draw(st.lists(st.integers(0, len(raw) - 1), min_size=1, max_size=4)):
        raw[at] ^= data.draw(st.integers(1, 255))
    assume(bytes(raw) != kb.to_bytes())
    with pytest.raises(FormatError, match="again"):
        KnowledgeBase.from_bytes(bytes(raw))
    try:
        other = KnowledgeBase.from_bytes(bytes(raw), verify=False)
    except FormatError:
        return
    assert isinstance(other.find("A b"), list)
    assert isinstance(other.facts(0), list)
    other.attribute_names()


@given(st.text(max_size=30), st.text(max_size=30))
@settings(max_examples=200, deadline=None)
def test_any_name_and_value(name: str, value: str) -> None:
    kb = KnowledgeBase()
    try:
        entity = kb.add_entity(name, attributes={"note": {"value": value, "type": "text"}})
    except ArgumentError:
        # A ligature of marks alone looks like a letter, and nothing of it stays; nor does a letter
        # that is written in brackets or a circle of its own.
        bare = re.sub("[\u3200-\u32ff]", "", name)
        plain = re.sub(r"\(.\)", "", unicodedata.normalize("NFKD", bare))
        assert not any(c.isalnum() for c in plain) or not value.strip() or not name.strip()
        return
    assert kb.find(name) == [entity]
    # Rust and Python differ in what white space is.
    assert kb.facts(entity, "note")[0]["value"].strip() == value.strip()


def test_threads_share_a_base() -> None:
    kb = KnowledgeBase()
    errors: list[Exception] = []

    def work(number: int) -> None:
        try:
            for i in range(50):
                kb.upsert(f"Name {number} {i % 5}", attributes={"v": i})
                assert kb.find(f"Name {number} {i % 5}")
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(kb) == 20


def test_json_nested_without_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    file.write_text("[" * 100_000)
    with pytest.raises(FormatError, match="nested too deeply"):
        KnowledgeBase.from_json(file)


def test_what_names_no_entity_is_refused_by_name() -> None:
    kb = KnowledgeBase.from_records([{"name": "a"}, {"name": "b"}])
    for absent in (-1, 2**40):
        with pytest.raises(NotFoundError, match="no entity"):
            kb.remove(absent)
        assert kb.get_entity(absent) is None
    for odd in (True, 1.0, None):
        with pytest.raises(ArgumentError, match="id, key or name"):
            kb.get_entity(odd)  # type: ignore[arg-type]


def test_what_is_no_data_frame_is_refused() -> None:
    pandas = pytest.importorskip("pandas")
    for odd in (None, [], [{"name": "a"}]):
        with pytest.raises(ArgumentError, match="data frame"):
            KnowledgeBase.from_dataframe(odd)  # type: ignore[arg-type]
    twice = pandas.DataFrame([["a", 1, 2]], columns=["name", "pop", "pop"])
    with pytest.raises(FormatError, match="'pop' twice"):
        KnowledgeBase.from_dataframe(twice)


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("in the late 1980s", False),
        ("in the 1980s", False),
        ("in the '80s", False),
        ("in the 80s", False),
        ("in '87", False),
        ("in nineteen eighty-seven", False),
        ("in nineteen eighty", False),
        ("in the late 1990s", True),
        ("in the early 1950s", True),
        ("in the first half of the 1990s", True),
        ("in the 1990s", True),
        ("in 1992", True),
        ("in two thousand and one", True),
        ("in 1987", False),
    ],
)
def test_decades_and_short_years_compare_as_what_they_are(said: str, wrong: bool) -> None:
    kb = gw.KnowledgeBase.from_records(
        [{"name": "Harbour Museum", "attributes": {"founded": 1987}}]
    )
    report = gw.check(f"The Harbour Museum was founded {said}. It is open.", kb=kb)
    found = [f for f in report.findings if f.status == "contradicted"]
    assert bool(found) == wrong, found
    # A year takes a decade's place with its article: "in 1987", not "in the 1987".
    taken = {"in 1992": "1992", "in the 1990s": "the 1990s", "in the late 1990s": "the late 1990s"}
    taken |= {
        f"in {part}": part
        for part in ("the early 1950s", "the first half of the 1990s", "two thousand and one")
    }
    assert [(f.text, f.replacement) for f in found] == ([(taken[said], "1987")] if wrong else [])


def test_a_wrapped_line_reads_on() -> None:
    kb = gw.KnowledgeBase.from_records(
        [{"name": "Harbour Museum", "attributes": {"founded": 1987}}]
    )
    for text in (
        "The Harbour Museum was founded\nin 1992.",
        "The Harbour Museum\nwas founded in 1992.",
    ):
        found = [f.text for f in gw.check(text, kb=kb).findings if f.status == "contradicted"]
        assert found == ["1992"], text
    two = "# Harbour Museum\nIt was founded in 1987.\n\n- 1992: a new wing"
    assert not [f for f in gw.check(two, kb=kb).findings if f.status == "contradicted"]
