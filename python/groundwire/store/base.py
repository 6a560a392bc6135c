"""What every store can do: a tree of small values under keys, changed in transactions."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from groundwire.errors import ArgumentError
from groundwire.store.keys import checked, prefix_of

if TYPE_CHECKING:
    from groundwire.report import Report
    from groundwire.store.patterns import Pattern
    from groundwire.store.retention import Purged, Retention
    from groundwire.store.weak import WeakPoint

Value = str | int | float | bool
"""What a leaf holds. Nothing known is no leaf."""

WHOLE = 2**63
"""Whole numbers lie below this, and not below its negative."""

_PIECE = 500


class Store(ABC):
    """A tree of values: ``/hallucination/{session_id}/{turn_id}/detection/total_flags`` and so on.

    Keys are written by ``groundwire.store.key`` (``join`` of its parts, each escaped). A key either
    holds a value or has keys below it, never both. Keys come in the order of their code points, so
    that ``flag/10`` stands before ``flag/2``. A store may be used by several threads; what stands
    in one transaction is seen as a whole or not at all.

    Args of every store:
        mask: whether no word of an answer or of a source is kept (see :meth:`record`).
        retention: what is dropped of itself whenever something is recorded: by default turns older
            than 90 days, beyond 100,000 or beyond 256 MiB; ``None`` keeps everything.
        clock: gives the time in UTC; the system's unless given.
    """

    mask: bool
    retention: Retention | None
    clock: Callable[[], datetime]

    # -- what a backend brings

    @abstractmethod
    def _get(self, key: str) -> Value | None: ...

    @abstractmethod
    def _put(self, key: str, value: Value) -> None: ...

    @abstractmethod
    def _delete(self, key: str) -> bool: ...

    @abstractmethod
    def _below(self, prefix: str, after: str | None, limit: int) -> list[tuple[str, Value]]:
        """Return the first ``limit`` leaves whose key begins with ``prefix`` + ``/``, in order."""

    @abstractmethod
    def _delete_below(self, prefix: str) -> int: ...

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Return a ``with`` block whose changes all happen, or none if it is left by an exception.

        Inside another transaction it is part of that one. Others see the changes once the
        outermost block has ended.
        """

    @property
    @abstractmethod
    def size(self) -> int:
        """Bytes of all keys and values as they are written, without what a file adds."""

    @abstractmethod
    def close(self) -> None:
        """Release what the store holds; calling it twice is no error.

        A store in a file raises ``SessionLatched``, a ``RuntimeError``, when it is used afterwards.
        """

    # -- the tree

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value at ``key``, or ``default``.

        Raises:
            ArgumentError: it is no key.

        """
        found = self._get(checked(key))
        return default if found is None else found

    def put(self, key: str, value: Value) -> None:
        """Set the value at ``key``.

        Raises:
            ArgumentError: it is no key, the value is no string, truth value or finite number, or
                the key would stand above or below another that holds a value.

        """
        if not _storable(value):
            raise ArgumentError(
                "a value is a string, a truth value, a finite number or a whole number of 64 bits, "
                f"not {type(value).__name__} {value!a:.60}"
            )
        if not prefix_of(key):
            raise ArgumentError("the root holds no value; give a key below it")
        with self.transaction():
            self._put(checked(key), value)

    def put_all(self, values: Mapping[str, Value] | Iterable[tuple[str, Value]]) -> None:
        """Set several values, all or none; raises as :meth:`put`."""
        with self.transaction():
            for key, value in values.items() if isinstance(values, Mapping) else values:
                self.put(key, value)

    def delete(self, key: str) -> bool:
        """Remove the value at ``key``; say whether there was one.

        Raises:
            ArgumentError: it is no key.

        """
        with self.transaction():
            return self._delete(checked(key))

    def delete_prefix(self, prefix: str) -> int:
        """Remove the value at ``prefix`` and everything below; return how many values went.

        Raises:
            ArgumentError: it is no key.

        """
        start = prefix_of(prefix)
        with self.transaction():
            return int(bool(start) and self._delete(start)) + self._delete_below(start)

    def items(
        self, prefix: str = "/", *, after: str | None = None, limit: int | None = None
    ) -> Iterator[tuple[str, Value]]:
        """Yield key and value at and below ``prefix``, in order.

        Args:
            prefix: a key, with or without ``/`` at its end; ``/a`` does not mean ``/ab``.
            after: yield only keys that come after this one.
            limit: yield at most that many.

        What other threads change meanwhile may or may not be seen. Raises ``ArgumentError`` where
        ``prefix`` is no key.

        """
        start = prefix_of(prefix)
        return islice(self._items(start, after, min(limit or _PIECE, _PIECE)), limit)

    def _items(self, start: str, after: str | None, piece: int) -> Iterator[tuple[str, Value]]:
        own = self._get(start) if start else None
        if own is not None:
            if after is None or start > after:
                yield start, own
            return
        while page := self._below(start, after, piece):
            yield from page
            after = page[-1][0]

    def keys(self, prefix: str = "/") -> Iterator[str]:
        """Yield the keys at and below ``prefix``, in order; raises as :meth:`items`."""
        return (key for key, _ in self.items(prefix))

    def children(self, prefix: str = "/") -> list[str]:
        """Return the steps right below ``prefix``, in order, those with keys below end in ``/``.

        They are escaped as in keys. Takes one look-up each, however much stands below them.
        Raises ``ArgumentError`` where ``prefix`` is no key.
        """
        start, found, after = prefix_of(prefix), list[str](), None
        while page := self._below(start, after, 1):
            step, slash, _ = page[0][0][len(start) + 1 :].partition("/")
            found.append(step + slash)
            # No name holds U+10FFFF, so this sorts behind all that stands there.
            after = f"{start}/{step}/\U0010ffff" if slash else page[0][0]
        return found

    def __contains__(self, key: object) -> bool:
        """Whether ``key`` holds a value."""
        return isinstance(key, str) and self.get(key) is not None

    def __enter__(self) -> Self:
        """Use the store in a ``with`` statement; its end closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        self.close()

    # -- what groundwire keeps in it

    def record(
        self,
        report: Report,
        session_id: str | None = None,
        turn_id: str | None = None,
        *,
        mitigation: Iterable[Any] | None = None,
        detection_time_ms: float | None = None,
        confidence: Mapping[str, float] | None = None,
    ) -> str:
        """Keep what was found in one turn; see ``groundwire.store.record``."""
        from groundwire.store import record

        return record.record(
            self, report, session_id, turn_id, mitigation, detection_time_ms, confidence
        )

    def add(self, report: Report) -> str:
        """Record a report under its own ids, or new ones; return the turn's key.

        A report without a session gets one of its own, one without a turn the next number of its
        session. The confidences that hooks gave to claims go with their weak points.
        """
        from groundwire.store import record

        return record.add(self, report)

    def forget(self, session_id: str, turn_id: str | None = None) -> int:
        """Drop a turn, or all turns of a session; return how many.

        With them go their weak points and their examples of patterns. How often a pattern was
        seen stays: it is a count.
        """
        from groundwire.store import retention

        return retention.forget(self, session_id, turn_id)

    def purge(self, retention: Retention | None = None) -> Purged:
        """Drop what ``retention`` (the store's own, unless given) says is too old or too much."""
        from groundwire.store import retention as rules

        return rules.purge(self, retention or self.retention)

    def patterns(self, *, type: str | None = None, least: int = 1) -> list[Pattern]:
        """Return patterns seen at least ``least`` times, the most frequent first."""
        from groundwire.store import patterns

        return patterns.patterns(self, type=type, least=least)

    def weak_points(
        self,
        session_id: str | None = None,
        turn_id: str | None = None,
        *,
        status: str | None = None,
        below: float | None = None,
    ) -> list[WeakPoint]:
        """Return claims that nothing supported (S4-027); see ``groundwire.store.weak``."""
        from groundwire.store import weak

        return weak.weak_points(self, session_id, turn_id, status=status, below=below)

    def export(self, prefix: str = "/") -> Iterator[str]:
        """Yield the tree at and below ``prefix`` as lines of one S-expression (see ``sexpr``)."""
        from groundwire.store import sexpr

        return sexpr.lines(self.items(prefix))

    def load(self, text: str) -> int:
        """Put what :meth:`export` wrote into the tree, all or nothing; return how many values.

        Values already there under the same keys are replaced, others stay.

        Raises:
            FormatError: it is no such text; the message says line and column.
            ArgumentError: a key holds a value here and has keys below there, or the reverse.

        """
        from groundwire.store import sexpr

        return sexpr.load(self, text)


def _storable(value: Any) -> bool:
    if isinstance(value, bool | str):
        return True
    if isinstance(value, int):
        return -WHOLE <= value < WHOLE
    return isinstance(value, float) and math.isfinite(value)
