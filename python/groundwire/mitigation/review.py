"""What people are to decide: a queue that outlives the process (S0-079)."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, Self

from groundwire._files import path_of
from groundwire.errors import ArgumentError, FormatError, NotFoundError
from groundwire.mitigation.actions import MitigationAction
from groundwire.profiles.dialogue.native import to_flags
from groundwire.profiles.dialogue.types import HallucinationFlag
from groundwire.report import Report

_SQLITE = {".db", ".sqlite", ".sqlite3"}


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One escalation.

    Attributes:
        id: its number in the queue, from 1.
        created: when it was added, UTC, ISO 8601.
        reason: why it was escalated.
        span: code points of the answer, if it concerns one place.
        flags: what was flagged: type, content, confidence, suggestion, evidence.
        decision: what was decided, or ``None`` while it waits.
        note: what was said about the decision.
    """

    id: int
    created: str
    reason: str
    span: tuple[int, int] | None
    flags: tuple[dict[str, Any], ...]
    decision: str | None = None
    note: str = ""


class ReviewQueue:
    """Escalations in a file, until somebody has decided; safe from several threads.

    A file that ends in ``.jsonl`` gets one line an event and is flushed to the disk after each; one
    that ends in ``.db``, ``.sqlite`` or ``.sqlite3`` is a SQLite database, which several
    processes may use. It holds what was flagged word by word, since a person is to judge it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path_of(path, "a review queue")
        suffix = self.path.suffix.lower()
        if suffix != ".jsonl" and suffix not in _SQLITE:
            raise ArgumentError(
                f"cannot tell the format of the review queue {self.path}: name it .jsonl or .db"
            )
        self._rows: _Rows = _Lines(self.path) if suffix == ".jsonl" else _Table(self.path)
        self._lock = threading.Lock()

    def add(self, action: MitigationAction, flags: Sequence[HallucinationFlag]) -> int:
        """Add an escalation with what it is about; return its id."""
        item = {
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "reason": action.reason or "",
            "span": None if action.span is None else list(action.span),
            "flags": [
                {
                    "type": flag.hallucination_type.value,
                    "content": flag.content,
                    "span": list(flag.span),
                    "confidence": flag.confidence,
                    "suggestion": flag.suggestion,
                    "evidence": flag.evidence,
                }
                for flag in flags
            ],
        }
        with self._lock:
            return self._rows.add(item)

    def escalate(self, report: Report, before: Sequence[Report]) -> None:
        """Add an answer that could not be mended: ``Regeneration(escalate=queue.escalate)``.

        Holds everything found in its last attempt, in words that were taken back too. The last
        attempt stays with the reader as the guard left it.
        """
        found = {f.id: f for done in report.interventions for f in done.findings}
        found.update((f.id, f) for f in report.findings)
        many = "answer" if len(before) == 1 else "answers"
        reason = f"{len(before)} new {many} did not help"
        self.add(MitigationAction.Escalate(reason), to_flags(found.values(), nearest=True))

    def decide(self, id: int, decision: str, note: str = "") -> None:
        """Record a decision, for example ``accept``, ``correct`` or ``remove``.

        Raises:
            NotFoundError: there is no such item, or it was decided already.

        """
        with self._lock:
            if not any(item.id == id and item.decision is None for item in self._items()):
                raise NotFoundError(f"no item {id} waits in the review queue {self.path.name}")
            self._rows.decide(id, decision, note)

    def pending(self) -> list[ReviewItem]:
        """Return what waits for a decision, oldest first."""
        return [item for item in self.items() if item.decision is None]

    def items(self) -> list[ReviewItem]:
        """Return everything, oldest first.

        Raises:
            FormatError: the file was damaged; the message names the line.

        """
        with self._lock:
            return self._items()

    def _items(self) -> list[ReviewItem]:
        return [
            ReviewItem(
                id=number,
                created=item["created"],
                reason=item["reason"],
                span=None if item["span"] is None else (item["span"][0], item["span"][1]),
                flags=tuple(item["flags"]),
                decision=decision,
                note=note,
            )
            for number, item, decision, note in self._rows.read()
        ]

    def __len__(self) -> int:
        """Return how many wait for a decision."""
        return len(self.pending())

    def __enter__(self) -> Self:
        """Return the queue itself; nothing stays open between calls."""
        return self

    def __exit__(self, *_args: object) -> None:
        """Do nothing: every call has already written what it had to."""


_Read = list[tuple[int, dict[str, Any], str | None, str]]


class _Rows(Protocol):
    """Where items are kept."""

    def add(self, item: dict[str, Any]) -> int: ...
    def decide(self, id: int, decision: str, note: str) -> None: ...
    def read(self) -> _Read: ...


class _Lines:
    """One JSON object a line: an item, or a decision about an earlier one."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, item: dict[str, Any]) -> int:
        number = len(self.read()) + 1
        self._append({"id": number, **item})
        return number

    def decide(self, id: int, decision: str, note: str) -> None:
        self._append({"decided": id, "decision": decision, "note": note})

    def _append(self, row: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            # In ASCII: half a character of two, which an answer may hold, is no UTF-8.
            file.write(json.dumps(row) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> _Read:
        found: dict[int, tuple[dict[str, Any], str | None, str]] = {}
        if not self.path.exists():
            return []
        # Only a line feed ends a line: quoted text may hold other breaks, as U+2028.
        text = self.path.read_text(encoding="utf-8")
        lines = text.removesuffix("\n").split("\n") if text else []
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                if "decided" in row:
                    item = found[row["decided"]][0]
                    found[row["decided"]] = (item, row["decision"], row["note"])
                else:
                    found[row["id"]] = (row, None, "")
            except (ValueError, KeyError, TypeError) as error:
                raise FormatError(
                    f"{self.path.name} line {number} is no line of a review queue"
                ) from error
        return [(number, *rest) for number, rest in found.items()]


class _Table:
    """A table of SQLite."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with closing(self._open()) as db, db:
                db.execute(
                    "CREATE TABLE IF NOT EXISTS review (id INTEGER PRIMARY KEY AUTOINCREMENT, "
                    "item TEXT NOT NULL, decision TEXT, note TEXT NOT NULL DEFAULT '')"
                )
        except sqlite3.DatabaseError as error:
            raise FormatError(f"{path} is no SQLite database of reviews: {error}") from error

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=10)

    def add(self, item: dict[str, Any]) -> int:
        with closing(self._open()) as db, db:
            text = json.dumps(item)
            done = db.execute("INSERT INTO review (item) VALUES (?)", (text,))
            return int(done.lastrowid or 0)

    def decide(self, id: int, decision: str, note: str) -> None:
        with closing(self._open()) as db, db:
            db.execute(
                "UPDATE review SET decision = ?, note = ? WHERE id = ?", (decision, note, id)
            )

    def read(self) -> _Read:
        with closing(self._open()) as db:
            rows = db.execute("SELECT id, item, decision, note FROM review ORDER BY id").fetchall()
        return [(number, json.loads(item), decision, note) for number, item, decision, note in rows]
