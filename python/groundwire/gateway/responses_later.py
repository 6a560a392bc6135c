"""Events of a Responses answer that wait for text which is held, each text's in its own order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from groundwire.gateway.response_parts import Json, Place, begun_by


class Later:
    """What came and waits; texts that interleave wait beside one another, not in one row.

    Attributes:
        size: bytes of the events.
    """

    def __init__(self) -> None:
        self.size = 0
        self._rows: dict[Place | None, deque[tuple[int, Json, int]]] = {}
        self._number = 0

    def add(self, data: Json, size: int) -> None:
        """Keep an event of ``size`` bytes."""
        self._rows.setdefault(begun_by(data), deque()).append((self._number, data, size))
        self._number += 1
        self.size += size

    def places(self) -> Iterator[Place]:
        """Yield where the events stand that say so."""
        return (place for place in self._rows if place is not None)

    def take(self, waits: Callable[[Json], bool], item: int | None = None) -> Json | None:
        """Return the earliest event that no longer ``waits``; none if there is none.

        With ``item``, only texts of that item are looked at. What stands behind an event of its own
        text is not looked at before that.
        """
        firsts = sorted((row[0][0], place) for place, row in self._rows.items() if row)
        for _, place in firsts:
            if item is not None and (place is None or place[0] != item or place[1] < 0):
                continue
            row = self._rows[place]
            if not waits(row[0][1]):
                _, data, size = row.popleft()
                if not row:
                    del self._rows[place]
                self.size -= size
                return data
        return None
