"""The name index through the binding."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire as gw
from groundwire._core import EntityIndex
from groundwire.errors import ArgumentError, FormatError

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "entities.json").read_text(encoding="utf-8")
)
KINDS = {"near": "near_miss"}


@pytest.fixture(scope="module")
def index():
    return EntityIndex.build((name, entity) for name, entity in VECTORS["names"])


@pytest.mark.req("S4-013")
@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["text"][:40])
def test_golden_cases(index, case):
    found = [
        [case["text"][start:end], kind, ids]
        for start, end, kind, ids, _, _ in index.scan(case["text"])
    ]
    assert found == [[text, KINDS.get(kind, kind), ids] for text, kind, ids in case["mentions"]]


def test_lookup_says_kind_ids_and_distances(index):
    assert index.lookup("the ACME museum’s") == ("known", [1], [])
    assert index.lookup("Sarha Chen") == ("near_miss", [3], [1])
    assert index.lookup("Nobody Atall") == ("unknown", [], [])


def test_offsets_count_code_points(index):
    text = "Çà et là 😀 Sarah Chen."
    ((start, end, kind, ids, _, decided),) = [m for m in index.scan(text) if m[2] == "known"]
    assert (text[start:end], kind, ids) == ("Sarah Chen", "known", [3])
    assert end <= decided <= len(text)


def test_saved_and_mapped_is_the_same(index, tmp_path):
    path = tmp_path / "names.idx"
    index.save(path)
    mapped = EntityIndex.load(path)
    assert len(mapped) == len(index)
    assert mapped.memory == index.memory == path.stat().st_size
    for name, _ in VECTORS["names"]:
        assert mapped.lookup(name) == index.lookup(name)
    # Saved over while mapped: the map keeps what it had.
    EntityIndex.build([("Other", 1)]).save(path)
    assert mapped.lookup("Sarah Chen")[0] == "known"
    assert [p.name for p in tmp_path.iterdir()] == ["names.idx"]


def test_refuses_bad_files_and_arguments(tmp_path, index):
    path = tmp_path / "bad.idx"
    for content in (b"", b"not an index", b"\0" * 4096):
        path.write_bytes(content)
        with pytest.raises(FormatError, match="index"):
            EntityIndex.load(path)
    index.save(path)
    path.write_bytes(path.read_bytes()[:-16])
    with pytest.raises(FormatError, match="cut off"):
        EntityIndex.load(path)
    index.save(path)
    body = bytearray(path.read_bytes())
    body[-5] ^= 4
    path.write_bytes(body)
    with pytest.raises(FormatError, match="contents are damaged; save it again"):
        EntityIndex.load(path)
    assert len(EntityIndex.load(path, verify=False)) == len(index)
    body[8] = 1
    path.write_bytes(body)
    with pytest.raises(FormatError, match=r"version 1, .*save it again"):
        EntityIndex.load(path, verify=False)
    with pytest.raises(OSError, match="No such file"):
        EntityIndex.load(tmp_path / "absent.idx")
    with pytest.raises(TypeError):
        EntityIndex.build([("Acme", "one")])
    with pytest.raises(ArgumentError, match="out of range"):
        EntityIndex.build([("Acme", -1)])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=20), st.integers(0, 9)), max_size=10), st.text())
def test_any_text_scans_in_order_within_bounds(names, text):
    found = EntityIndex.build(names).scan(text)
    last = 0
    for start, end, _, _, _, decided in found:
        assert last <= start < end <= decided <= len(text)
        last = end


def test_few_false_alarms_on_clean_text():
    """Ordinary wording without any name that a reader would have to be told."""
    text = (Path(__file__).parents[1] / "vectors" / "clean_text.txt").read_text(encoding="utf-8")
    found = EntityIndex.build([]).scan(text)
    alarms = [text[start:end] for start, end, kind, *_ in found if kind in {"unknown", "near_miss"}]
    per_thousand = 1000 * len(alarms) / len(text.split())
    assert per_thousand <= 2, alarms
    # The names it does hold are recognised as such.
    common = {text[start:end] for start, end, kind, *_ in found if kind == "common"}
    assert {"Berlin", "United Nations", "World War II", "Christmas", "Albert Einstein"} <= common


SOURCE = "The Harbour Museum was founded in 1987 by Ada Lind."


@pytest.mark.parametrize("name", ["Elon Musk", "Napoleon", "Microsoft"])
def test_who_is_known_everywhere_is_told_where_the_evidence_lacks_them(name):
    said = f"The Harbour Museum was founded by {name}."
    found = [f for f in gw.check(said, evidence=[SOURCE]).findings if "unknown" in f.type]
    assert [(f.text, f.tier) for f in found] == [(name, "low")]
    last = name.split()[-1]
    for known in (f"{SOURCE} {name} came.", f"{SOURCE} Then {last} came."):
        assert "unknown" not in str([f.type for f in gw.check(said, evidence=[known]).findings])
    kb = gw.KnowledgeBase.from_records([{"name": "Harbour Museum"}])
    assert "unknown" not in str([f.type for f in gw.check(said, kb=kb).findings])
