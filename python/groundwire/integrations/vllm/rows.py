"""Which row of a batch is which request, in both model runners."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from groundwire.integrations.vllm.stream import Tap

Open = Callable[[Any, Sequence[int] | None], Tap | None]
"""From a request's parameters and the ids of its prompt to its stream."""
PARKED = 256
"""Streams of requests that left the batch and may come back."""


class Rows:
    """The rows of the older runner: kept up by batch updates, read from live lists of ids.

    A request that is removed may be finished, preempted or not scheduled; nobody says which. Its
    stream is parked beside its list and taken up again if the same list comes back; otherwise the
    list says all there is to know.
    """

    def __init__(self, open_stream: Open) -> None:
        """Prepare an empty batch; ``open_stream`` opens a request's stream."""
        self._open = open_stream
        self.rows: dict[int, tuple[Tap, list[int]]] = {}
        self._parked: OrderedDict[int, tuple[Tap, list[int]]] = OrderedDict()

    def update(self, update: Any) -> None:
        """Carry out a ``BatchUpdate``: removed, added, then moved."""
        if update is None:
            return
        for index in update.removed:
            self._park(self.rows.pop(index, None))
        for index, params, prompt, ids in update.added:
            self._park(self.rows.pop(index, None))
            entry = self._resume(ids) or self._begin(params, prompt, ids)
            if entry is not None:
                self.rows[index] = entry
        for one, other, direction in update.moved:
            moved = self.rows.pop(one, None)
            there = self.rows.pop(other, None)
            if moved is not None:
                self.rows[other] = moved
            if getattr(direction, "name", direction) == "SWAP":
                if there is not None:
                    self.rows[one] = there
            else:
                self._park(there)

    def news(self) -> list[tuple[Tap, Sequence[int]]]:
        """Return the streams with the ids they have not seen."""
        found: list[tuple[Tap, Sequence[int]]] = []
        for index, (stream, ids) in self.rows.items():
            if len(ids) == len(stream.seen) or stream.lost is not None:
                continue
            if len(ids) < len(stream.seen) or (
                stream.seen and ids[len(stream.seen) - 1] != stream.seen[-1]
            ):
                again = self._again(stream)
                self.rows[index] = (again, ids)
                found.append((again, list(ids)))
            else:
                found.append((stream, ids[len(stream.seen) :]))
        return found

    def _begin(
        self, params: Any, prompt: Sequence[int] | None, ids: list[int]
    ) -> tuple[Tap, list[int]] | None:
        stream = self._open(params, prompt)
        if stream is None:
            return None
        stream.reopen = lambda: self._open(params, prompt)
        return stream, ids

    @staticmethod
    def _again(stream: Tap) -> Tap:
        """Return a stream that has seen nothing, for ids that are not those it has seen."""
        fresh = stream.reopen() if stream.reopen is not None else None
        if fresh is None:
            stream.lose("the output's tokens changed")
            return stream
        fresh.reopen = stream.reopen
        return fresh

    def _park(self, entry: tuple[Tap, list[int]] | None) -> None:
        if entry is None:
            return
        self._parked[id(entry[1])] = entry
        while len(self._parked) > PARKED:
            self._parked.popitem(last=False)

    def _resume(self, ids: list[int]) -> tuple[Tap, list[int]] | None:
        """Return what was parked for this very list, if its ids are those that were seen."""
        entry = self._parked.pop(id(ids), None)
        if entry is None or entry[1] is not ids:
            return None
        seen = entry[0].seen
        return entry if ids[: len(seen)] == seen else None
