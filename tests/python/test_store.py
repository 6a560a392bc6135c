"""Stores: one tree in memory and in SQLite, its keys, transactions, crashes, neighbours."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire import store as stores
from groundwire.errors import ArgumentError, FormatError, SessionLatched
from groundwire.store import MemoryStore, SqliteStore, Store, key
from groundwire.store.sexpr import dumps, loads

NAMES = st.text(st.characters(), min_size=1, max_size=6) | st.sampled_from(
    ["a", "b", "a/b", "..", "%2F", "a%", "a-b", "a0", "(", '"', ";", "\n", "\ud800", "True", "0"]
)
VALUES = (
    st.text(st.characters(), max_size=8)
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
)
KEYS = st.lists(NAMES, min_size=1, max_size=4).map(lambda names: key(*names))


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    path = None if request.param == "memory" else tmp_path / "s.db"
    with stores.open(path) as opened:
        yield opened


@given(st.lists(NAMES, max_size=5))
def test_names_come_back_from_a_key_and_stay_in_their_place(names: list[str]) -> None:
    made = key(*names)
    assert stores.split(made or "/") == tuple(names)
    assert made.count("/") == len(names)
    made.encode()


@pytest.mark.req("S0-095")
def test_an_id_cannot_reach_another_place(store: Store) -> None:
    store.put(key("hallucination", "s/../t", "1", "x"), 1)
    store.put(key("hallucination", "s", "1", "x"), 2)
    assert store.children("/hallucination") == ["s%2F..%2Ft/", "s/"]
    assert list(store.items("/hallucination/s")) == [("/hallucination/s/1/x", 2)]
    assert store.delete_prefix("/hallucination/s") == 1
    assert store.get(key("hallucination", "s/../t", "1", "x")) == 1


@pytest.mark.parametrize(
    "bad", ["", "a", "//", "/a//b", "/a%2", "/a%2f", "/a%41", "/\n", "/a/\x00", 3, None]
)
def test_what_is_no_key_is_refused(store: Store, bad: Any) -> None:
    for call in (store.get, store.delete, lambda k: store.put(k, 1), lambda k: [*store.items(k)]):
        with pytest.raises(ArgumentError):
            call(bad)


@pytest.mark.parametrize("bad", [None, float("nan"), float("inf"), [], {}, b"x", 2**63])
def test_what_is_no_value_is_refused(store: Store, bad: Any) -> None:
    with pytest.raises(ArgumentError, match="a value is"):
        store.put("/a", bad)
    assert list(store.items()) == []


@pytest.mark.req("X-17")
def test_a_key_holds_a_value_or_keys_never_both(store: Store) -> None:
    store.put("/a/b/c", 1)
    for clash in ("/a", "/a/b", "/a/b/c/d", "/a/b/c/d/e"):
        with pytest.raises(ArgumentError, match="cannot hold a value"):
            store.put(clash, 2)
    assert list(store.items()) == [("/a/b/c", 1)]
    assert store.delete("/a/b/c")
    store.put("/a", 2)
    assert list(store.items()) == [("/a", 2)]


def apply(to: Any, steps: list[tuple[str, str, Any]]) -> list[Any]:
    out: list[Any] = []
    for what, where, value in steps:
        try:
            if what == "put":
                out.append(to.put(where, value))
            elif what == "delete":
                out.append(to.delete(where))
            elif what == "prefix":
                out.append(to.delete_prefix(where))
            else:
                out.append(
                    ([*to.items(where)], [*to.items(where, limit=2)], to.children(where), to.size)
                )
        except ArgumentError as error:
            out.append(str(error)[:20])
    return out


STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "put", "put", "delete", "prefix", "look"]), KEYS, VALUES),
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_both_backends_are_one_tree(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, Any]]
) -> None:
    path = tmp_path_factory.mktemp("s") / "s.db"
    with MemoryStore() as one, SqliteStore(path) as other:
        assert apply(one, steps) == apply(other, steps)
        items = list(one.items())
        assert items == list(other.items()) == sorted(items)
        assert repr(items) == repr(list(other.items()))
        assert one.size == other.size
        for name, _ in items:
            assert list(one.items(after=name)) == list(other.items(after=name))
        for name, _ in items:
            one.delete(name)
        assert one.size == 0
        assert one._root == {}  # type: ignore[attr-defined]


@settings(max_examples=60, deadline=None)
@given(STEPS, STEPS)
def test_a_transaction_left_by_an_exception_never_was(
    tmp_path_factory: pytest.TempPathFactory, before: Any, within: Any
) -> None:
    path = tmp_path_factory.mktemp("s") / "s.db"
    with MemoryStore() as one, SqliteStore(path) as other:
        for store in (one, other):
            apply(store, before)
            stood, size = list(store.items()), store.size
            with pytest.raises(KeyError), store.transaction():
                apply(store, within)
                with store.transaction():
                    apply(store, within)
                raise KeyError
            assert list(store.items()) == stood
            assert store.size == size


def test_readers_see_a_transaction_as_a_whole(store: Store) -> None:
    seen: list[int] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(len(list(store.items("/t"))))

    reader = threading.Thread(target=read)
    reader.start()
    for round_ in range(20):
        with store.transaction():
            for n in range(10):
                store.put(key("t", round_, n), n)
    done.set()
    reader.join()
    assert all(count % 10 == 0 for count in seen)


def test_writers_of_several_threads_take_turns(store: Store) -> None:
    store.put("/n", 0)

    def add() -> None:
        for _ in range(25):
            with store.transaction():
                store.put("/n", store.get("/n") + 1)

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.get("/n") == 100


def test_the_file_outlives_the_process_and_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.put("/a/b", "ü")
    with SqliteStore(path) as store:
        assert store.get("/a/b") == "ü"
        store.close()
        store.close()
        for use in (lambda: store.get("/a/b"), lambda: store.put("/a/b", 1), lambda: store.size):
            with pytest.raises(SessionLatched, match="is closed") as raised:
                use()
            assert isinstance(raised.value, RuntimeError)
    sql = sqlite3.connect(path)
    assert sql.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    sql.execute("PRAGMA user_version=2")
    sql.close()
    with pytest.raises(FormatError, match="of version 2"):
        SqliteStore(path)


def test_files_that_are_no_store_are_refused_and_unchanged(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database, but long enough to look like one\n" * 50)
    sql = sqlite3.connect(tmp_path / "other")
    sql.execute("CREATE TABLE t (x)")
    sql.close()
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    for name in ("text", "other"):
        with pytest.raises(FormatError, match="store"):
            SqliteStore(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        SqliteStore(tmp_path / "absent", must_exist=True)
    with pytest.raises(ArgumentError, match="is a folder"):
        SqliteStore(tmp_path)
    with pytest.raises(ArgumentError, match="is no folder"):
        SqliteStore(tmp_path / "no" / "s.db")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


KILLED = """
import sys
from groundwire.store import SqliteStore
store = SqliteStore(sys.argv[1])
for n in range(10**9):
    with store.transaction():
        store.put(f"/t/{n}/a", n)
        store.put(f"/t/{n}/b", n)
    print(n, flush=True)
"""


def test_a_killed_writer_leaves_whole_transactions(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = -1
    while told < 20:
        told = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split()
    process.stdout.close()
    process.wait()
    told = int(rest[-1]) if rest else told
    with SqliteStore(path) as store:
        found = dict(store.items("/t"))
        assert len(found) % 2 == 0
        assert all(found[f"/t/{n}/{leaf}"] == n for n in range(told + 1) for leaf in "ab")
        assert store.size == sum(len(k.encode()) + len(str(v)) for k, v in found.items())


def test_a_store_may_be_used_on_both_sides_of_a_fork(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "s.db") as store:
        store.put("/a", 1)
        context = multiprocessing.get_context("fork")
        child = context.Process(target=lambda: store.put("/b", os.getpid()))
        child.start()
        child.join()
        assert child.exitcode == 0
        assert store.get("/b") == child.pid
        store.put("/c", 3)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=15))
@pytest.mark.req("S0-102")
def test_a_tree_comes_back_from_its_expression(values: dict[str, Any]) -> None:
    store = MemoryStore()
    for name, value in values.items():
        try:
            store.put(name, value)
        except ArgumentError:
            continue
    text = dumps(store.items())
    text.encode()
    assert repr(list(loads(text))) == repr(list(store.items()))
    other = MemoryStore()
    assert other.load(text) == len(list(store.items()))
    assert "\n".join(other.export()) + "\n" == text


@pytest.mark.req("S0-102")
def test_the_expression_is_read_as_people_write_it() -> None:
    text = '; mine\n(groundwire-tree 1 (a (b "x\\u{e9}\\n")(c -1.5e3)) ("d e" True)) ; end'
    expected = [("/a/b", "xé\n"), ("/a/c", -1500.0), ("/d e", True)]
    assert list(loads(text)) == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1, column 1: .*begins with"),
        ("(tree 1)", "column 2: .*begins with"),
        ("(groundwire-tree 2)", "reads version 1"),
        ("(groundwire-tree 1", "1 parentheses are not closed"),
        ("(groundwire-tree 1\n (a", "line 2, column 4: .*2 parentheses|holds a value"),
        ("(groundwire-tree 1 (a))", "a value or lists behind its name"),
        ("(groundwire-tree 1 (a 1 2))", "not both"),
        ("(groundwire-tree 1 (a 1 (b 2)))", "not both"),
        ("(groundwire-tree 1 (a (b 2) 1))", "not both"),
        ("(groundwire-tree 1 x)", "not both"),
        ("(groundwire-tree 1 ((a 1)))", "begins with a name"),
        ('(groundwire-tree 1 ("" 1))', "is empty"),
        ("(groundwire-tree 1 (a x))", "strings stand in double quotes"),
        ("(groundwire-tree 1 (a 1e999))", "is no value"),
        ("(groundwire-tree 1 (a 99999999999999999999))", "is no value"),
        ('(groundwire-tree 1 (a "x\\q"))', "is no escape"),
        ('(groundwire-tree 1 (a "\\u{110000}"))', "is no escape"),
        ('(groundwire-tree 1 (a "x))', "a string is not closed"),
        ("(groundwire-tree 1 (a 1)))", "nothing stands behind"),
        ("(groundwire-tree 1 (a 1) (b 2)\n (a 3))", "line 2, column 5: .*'/a' has a value already"),
        ("(groundwire-tree 1 (a (b 1)) (a (b 1)))", "'/a/b' has a value already"),
        ("(groundwire-tree 1 " + "(a " * 100_000, "stand in one another"),
    ],
)
def test_an_expression_that_is_none_says_where(store: Store, text: str, why: str) -> None:
    store.put("/kept", 1)
    with pytest.raises(FormatError, match=why):
        store.load(text)
    assert list(store.items()) == [("/kept", 1)]


def test_an_import_that_does_not_fit_changes_nothing(store: Store) -> None:
    store.put("/a/b", 1)
    with pytest.raises(ArgumentError, match="cannot hold"):
        store.load("(groundwire-tree 1 (x 1) (a 2))")
    assert list(store.items()) == [("/a/b", 1)]


@settings(max_examples=200, deadline=None)
@given(st.text('()"\\; \n1aT.egroundwire-', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, f"(groundwire-tree 1 {text})"):
        try:
            assert dumps(loads(whole))
        except FormatError as error:
            assert "line" in str(error)


@pytest.mark.req("S0-102")
def test_mettas_own_parser_reads_an_export() -> None:
    hyperon = pytest.importorskip("hyperon", reason="the extra metta is not installed")
    store = MemoryStore()
    store.put_all({"/a/b c": 'x "y" \\ \n', "/a/d": 1.5, "/a/e": True, "/f/0": -3})
    (whole,) = hyperon.MeTTa().parse_all("\n".join(store.export()))
    head, version, a, f = whole.get_children()
    assert (str(head), str(version)) == ("groundwire-tree", "1")
    assert [len(part.get_children()) for part in (a, f)] == [4, 2]


def test_a_writer_that_waited_too_long_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with SqliteStore(path) as one, SqliteStore(path, timeout_s=0.05) as other:
        with one.transaction():
            one.put("/a", 1)
            with pytest.raises(OSError, match="locked") as told:
                other.put("/b", 2)
            assert other.get("/a") is None
        assert told.value.filename == str(path)
        other.put("/b", 2)
        assert list(one.items()) == [("/a", 1), ("/b", 2)]


def test_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.put_all({key("t", n): "x" * 500 for n in range(200)})
    data = bytearray(path.read_bytes())
    data[8192:-4096] = b"\xff" * (len(data) - 12288)
    path.write_bytes(data)
    with pytest.raises(FormatError, match="damaged"), SqliteStore(path) as store:
        list(store.items())
