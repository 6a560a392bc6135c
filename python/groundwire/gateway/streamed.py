"""What answers that stream have in common, whatever their route."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable

from groundwire.gateway.errors import UpstreamFault
from groundwire.gateway.upstream import Events
from groundwire.gateway.watched import Watched

QUIET_S = 15.0
"""Seconds without a byte for the client after which a comment keeps its connection open."""
ALIVE = b": \n\n"
"""A comment of server-sent events, which clients pass over."""


class Streamed(ABC):
    """The upstream's side of one answer: its headers, and how it ends from outside."""

    def __init__(self) -> None:
        self.headers: list[tuple[str, str]] = []
        self.ended = False
        """Whether the chunk yielded now, and what follows it, only tells the end of the answer."""
        self._events: Events | None = None
        self._quiet = time.monotonic()

    def spoke(self) -> None:
        """Note that the client gets something."""
        self._quiet = time.monotonic()

    def alive(self) -> bytes:
        """Return a comment where the client has heard nothing for long, else nothing."""
        if time.monotonic() < self._quiet + QUIET_S:
            return b""
        self.spoke()
        return ALIVE

    def until(self, due: Iterable[float | None]) -> float:
        """Return the monotonic second at which to look again, by what is ``due`` and the client."""
        return min([self._quiet + QUIET_S, *(one for one in due if one is not None)])

    @abstractmethod
    def watched(self) -> Iterable[Watched]:
        """Return the guarded texts of the answer."""

    def fail(self, fault: UpstreamFault) -> None:
        """End the answer with a fault, from outside."""
        if self._events is not None:
            self._events.fail(fault)

    def close(self) -> None:
        """End the upstream's work and ask nobody any more."""
        if self._events is not None:
            self._events.close()
        for one in self.watched():
            one.abandon()
