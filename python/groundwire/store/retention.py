"""What is dropped, and when: by age, by number of turns, by size; a turn, a session, on request.

Beside the seed's tree, which holds no time, ``/recorded`` keeps when each turn was recorded::

    by_time/{time}/{session_id}/{turn_id}          true
    turn/{session_id}/{turn_id}/time               the same time
    turn/{session_id}/{turn_id}/pattern/{id}       how often the pattern was seen in it
    turns                                          how many turns there are
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from groundwire._checks import whole_number
from groundwire.errors import ArgumentError
from groundwire.store import patterns, weak
from groundwire.store._common import stamp
from groundwire.store.keys import join, split

if TYPE_CHECKING:
    from groundwire.store.base import Store

ROOT = "recorded"
_TURNS = join(ROOT, "turns")


@dataclass(frozen=True, slots=True)
class Retention:
    """What may stay; ``None`` sets no limit.

    Attributes:
        max_age: older turns go, and patterns that were not seen for so long; 90 days by default.
        max_turns: beyond that the oldest turns go; 100,000 by default.
        max_bytes: of keys and values (``Store.size``); beyond that the oldest turns go; 256 MiB by
            default.

    Raises ``ArgumentError`` for a limit out of range.
    """

    max_age: timedelta | None = timedelta(days=90)
    max_turns: int | None = 100_000
    max_bytes: int | None = 256 * 1024 * 1024

    def __post_init__(self) -> None:
        """Check the limits."""
        if self.max_age is not None and (
            not isinstance(self.max_age, timedelta) or self.max_age < timedelta(0)
        ):
            raise ArgumentError(f"max_age is a timedelta of 0 or more, not {self.max_age!r:.60}")
        for name in ("max_turns", "max_bytes"):
            if getattr(self, name) is not None:
                whole_number(getattr(self, name), name, least=0)


DEFAULT = Retention()
"""What a store keeps unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Purged:
    """How many turns and patterns were dropped, and how many bytes that was."""

    turns: int
    patterns: int
    bytes: int


def note(store: Store, session_id: str, turn_id: str, time: str, seen: Mapping[str, int]) -> None:
    """Keep when a turn was recorded and what patterns it had."""
    turn = join(ROOT, "turn", session_id, turn_id)
    store.put(f"{turn}/time", time)
    store.put_all((f"{turn}/pattern/{name}", times) for name, times in seen.items())
    store.put(join(ROOT, "by_time", time, session_id, turn_id), True)
    store.put(_TURNS, store.get(_TURNS, 0) + 1)


def recorded_at(store: Store, session_id: str, turn_id: str) -> str:
    """Return when a turn was recorded (UTC, ISO 8601); empty where it is not there."""
    return str(store.get(join(ROOT, "turn", session_id, turn_id, "time"), ""))


def drop(store: Store, session_id: str, turn_id: str, *, uncount: bool) -> bool:
    """Drop all of a turn; with ``uncount`` its share in the frequencies too.

    Returns whether it was there.
    """
    turn = join(ROOT, "turn", session_id, turn_id)
    time = recorded_at(store, session_id, turn_id)
    if not time:
        return False
    seen = {split(key)[-1]: int(n) for key, n in store.items(f"{turn}/pattern")}
    patterns.drop_examples(store, list(seen), (session_id, turn_id))
    if uncount:
        patterns.uncount(store, seen)
    store.delete_prefix(join("hallucination", session_id, turn_id))
    store.delete_prefix(join(weak.ROOT, session_id, turn_id))
    store.delete_prefix(turn)
    store.delete(join(ROOT, "by_time", time, session_id, turn_id))
    store.put(_TURNS, store.get(_TURNS, 1) - 1)
    return True


def forget(store: Store, session_id: str, turn_id: str | None = None) -> int:
    """Drop a turn, or all turns of a session; return how many."""
    with store.transaction():
        if turn_id is not None:
            return int(drop(store, session_id, turn_id, uncount=False))
        times = [
            split(key)[3]
            for key in store.keys(join(ROOT, "turn", session_id))
            if key.endswith("/time")
        ]
        return sum(drop(store, session_id, name, uncount=False) for name in times)


def purge(store: Store, retention: Retention | None, *, patterns_too: bool = True) -> Purged:
    """Drop what is too old or too much, the oldest turns first, in one transaction.

    Without ``patterns_too`` patterns are looked at only if a turn was dropped.

    Raises:
        ArgumentError: there is nothing that says what may stay.

    """
    if retention is None:
        raise ArgumentError("the store has no retention of its own; give one to purge by")
    with store.transaction():
        before = store.size
        since = None if retention.max_age is None else stamp(store.clock() - retention.max_age)
        turns = 0
        for key in iter(lambda: next(store.keys(join(ROOT, "by_time")), None), None):
            time, session_id, turn_id = split(key)[2:]
            old = since is not None and time < since
            many = retention.max_turns is not None and store.get(_TURNS, 0) > retention.max_turns
            large = retention.max_bytes is not None and store.size > retention.max_bytes
            if not (old or many or large):
                break
            drop(store, session_id, turn_id, uncount=False)
            turns += 1
        gone = 0
        # A pattern grows too old together with the turn it was last seen in.
        if since is not None and (patterns_too or turns):
            gone = patterns.drop_before(store, since)
        return Purged(turns, gone, before - store.size)
