"""What answers that stream have in common, whatever their route."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from groundwire.gateway.errors import UpstreamFault
from groundwire.gateway.upstream import Events
from groundwire.gateway.watched import Watched


class Streamed(ABC):
    """The upstream's side of one answer: its headers, and how it ends from outside."""

    def __init__(self) -> None:
        self.headers: list[tuple[str, str]] = []
        self._events: Events | None = None

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
