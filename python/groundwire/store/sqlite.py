"""A tree in a SQLite file."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from groundwire._checks import seconds
from groundwire._files import path_of
from groundwire.errors import ArgumentError, FormatError, SessionLatched
from groundwire.store._common import CLASH, now, written
from groundwire.store.base import Store, Value
from groundwire.store.keys import above
from groundwire.store.retention import DEFAULT, Retention

if TYPE_CHECKING:
    from groundwire.store.retention import Retention

SCHEMA_VERSION = 1
# "GWst": tells this file from any other SQLite file.
APPLICATION_ID = 0x47577374

_SCHEMA = """
CREATE TABLE leaves (key TEXT PRIMARY KEY COLLATE BINARY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE totals (bytes INTEGER NOT NULL);
INSERT INTO totals VALUES (0);
CREATE TRIGGER leaf_in AFTER INSERT ON leaves BEGIN UPDATE totals SET bytes = bytes
  + length(CAST(new.key AS BLOB)) + length(CAST(new.value AS BLOB)); END;
CREATE TRIGGER leaf_out AFTER DELETE ON leaves BEGIN UPDATE totals SET bytes = bytes
  - length(CAST(old.key AS BLOB)) - length(CAST(old.value AS BLOB)); END;
CREATE TRIGGER leaf_new AFTER UPDATE ON leaves BEGIN UPDATE totals SET bytes = bytes
  + length(CAST(new.value AS BLOB)) - length(CAST(old.value AS BLOB)); END;
"""


class SqliteStore(Store):
    """A durable tree in one SQLite file, with a write-ahead log.

    Readers (of this process and of others) see the last finished transaction and wait for nobody;
    writers take turns. A transaction is on the disk once it has ended (``synchronous=FULL``); one
    that a crash cut off never was.

    Args:
        path: the file; made if it is not there.
        mask, retention, clock: see ``Store``.
        must_exist: refuse a file that is not there.
        timeout_s: seconds that a writer waits for another.

    Raises:
        FormatError: the file is no store, or one that a newer groundwire wrote.
        FileNotFoundError: it is not there, and must be.
        OSError: it cannot be opened.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        mask: bool = True,
        retention: Retention | None = DEFAULT,
        clock: Callable[[], datetime] = now,
        must_exist: bool = False,
        timeout_s: float = 30.0,
    ) -> None:
        self.mask, self.retention, self.clock = mask, retention, clock
        self.path = path_of(path, "a store").absolute()
        if str(path) == ":memory:":
            raise ArgumentError("a store in memory is a MemoryStore, or open() without a path")
        self._timeout_s = seconds(timeout_s, "timeout_s")
        self._local = threading.local()
        self._open: weakref.WeakSet[_Connection] = weakref.WeakSet()
        self._guard = threading.Lock()
        self._closed = False
        if self.path.is_dir():
            raise ArgumentError(f"{self.path} is a folder; a store is a file")
        if must_exist:
            self.path.stat()
        elif not self.path.parent.is_dir():
            raise ArgumentError(f"{self.path.parent} is no folder; make it first")
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        with self._translated():
            connection = self._connection()
            tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            if tables == 0:
                connection.execute("PRAGMA journal_mode=WAL")
                with self._exclusive(connection):
                    # Another process may have been first.
                    if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                        for statement in _statements(_SCHEMA):
                            connection.execute(statement)
                        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
                        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
            kind = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if kind != APPLICATION_ID:
                raise FormatError(f"{self.path} is a SQLite file, but no store of groundwire's")
            if version != SCHEMA_VERSION:
                raise FormatError(
                    f"{self.path} is of version {version}; this groundwire reads {SCHEMA_VERSION}. "
                    "Export it with the groundwire that wrote it, and import it here"
                )

    @property
    def size(self) -> int:
        """Bytes of all keys and values as they are written."""
        with self._translated():
            found = self._connection().execute("SELECT bytes FROM totals").fetchone()
        return int(found[0])

    def close(self) -> None:
        """Close the file for every thread; what uses it afterwards raises ``SessionLatched``."""
        with self._guard:
            self._closed = True
            held = list(self._open)
        for one in held:
            one.sql.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See :meth:`Store.transaction`; waits ``timeout_s`` for another writer."""
        if getattr(self._local, "inside", False):
            yield
            return
        connection = self._connection()
        with self._exclusive(connection):
            self._local.inside = True
            try:
                yield
            finally:
                self._local.inside = False

    @contextmanager
    def _exclusive(self, connection: sqlite3.Connection) -> Iterator[None]:
        # What the block itself raises is not SQLite's to explain.
        with self._translated():
            connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self._translated():
                connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _get(self, key: str) -> Value | None:
        found = self._one("SELECT value FROM leaves WHERE key = ?", key)
        return None if found is None else self._value(found[0])

    def _put(self, key: str, value: Value) -> None:
        if found := self._one(
            "SELECT key FROM leaves WHERE key > ? AND key < ? LIMIT 1", key + "/", key + "0"
        ):
            raise ArgumentError(CLASH.format(key=key, other=found[0]))
        for other in above(key):
            if self._one("SELECT 1 FROM leaves WHERE key = ?", other):
                raise ArgumentError(CLASH.format(key=key, other=other))
        with self._translated():
            self._connection().execute(
                "INSERT INTO leaves VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = "
                "excluded.value",
                (key, written(value)),
            )

    def _delete(self, key: str) -> bool:
        with self._translated():
            done = self._connection().execute("DELETE FROM leaves WHERE key = ?", (key,))
        return done.rowcount > 0

    def _delete_below(self, prefix: str) -> int:
        with self._translated():
            # "0" is the character behind "/".
            done = self._connection().execute(
                "DELETE FROM leaves WHERE key > ? AND key < ?", (prefix + "/", prefix + "0")
            )
        return done.rowcount

    def _below(self, prefix: str, after: str | None, limit: int) -> list[tuple[str, Value]]:
        start = max(prefix + "/", after or "")
        with self._translated():
            rows = self._connection().execute(
                "SELECT key, value FROM leaves WHERE key > ? AND key < ? ORDER BY key LIMIT ?",
                (start, prefix + "0", limit),
            )
            return [(key, self._value(value)) for key, value in rows.fetchall()]

    def _one(self, statement: str, *arguments: str) -> tuple[Any, ...] | None:
        with self._translated():
            found = self._connection().execute(statement, arguments).fetchone()
        return cast("tuple[Any, ...] | None", found)

    def _value(self, text: str) -> Value:
        try:
            return cast("Value", json.loads(text))
        except ValueError as error:
            raise FormatError(f"{self.path} is damaged: a value is no JSON") from error

    def _connection(self) -> sqlite3.Connection:
        """Return this thread's connection: SQLite's readers are apart by connection."""
        if self._closed:
            raise SessionLatched(f"the store {self.path} is closed; open it again")
        held: _Connection | None = getattr(self._local, "held", None)
        if held is None or held.process != os.getpid():
            held = _Connection(self.path, self._timeout_s)
            with self._guard:
                self._open.add(held)
            held.sql.execute("PRAGMA synchronous=FULL")
            self._local.held = held
        return held.sql

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn SQLite's errors into ones that name the file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise OSError(0, f"{error} (a store, SQLite)", str(self.path)) from error
        except sqlite3.DatabaseError as error:
            raise FormatError(
                f"{self.path} is no store, or it is damaged ({error}); restore it from a backup or "
                "import an export into a new one"
            ) from error


class _Connection:
    """One thread's connection: closed when the thread has ended, never shared with a fork."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        self.process = os.getpid()
        # Only `close` is called from another thread.
        self.sql = sqlite3.connect(
            path, timeout=timeout_s, isolation_level=None, check_same_thread=False
        )

    def __del__(self) -> None:
        sql = getattr(self, "sql", None)
        if sql is not None:
            sql.close()


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of ``script``: ``executescript`` would end the transaction."""
    piece = ""
    for line in script.splitlines(keepends=True):
        piece += line
        if sqlite3.complete_statement(piece):
            yield piece
            piece = ""
