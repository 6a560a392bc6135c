"""When held text is to be looked at again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from groundwire.beside_guard import WatchedGuard

if TYPE_CHECKING:
    from groundwire import _core

LOOK_S = 0.05
"""Seconds between two looks at verifiers that have not answered."""


class Holding:
    """How long the text of one guard has been held.

    Args:
        most_ms: milliseconds that its policy holds text for, at most.
    """

    def __init__(self, most_ms: int) -> None:
        self._most_s = most_ms / 1000
        self._since: float | None = None

    def note(self, guard: _core.Guard | WatchedGuard | None, *, left: bool) -> None:
        """Note whether text is held now; ``left`` says that some has just left."""
        if guard is None or guard.held == 0:
            self._since = None
        elif self._since is None or left:
            self._since = time.monotonic()

    def looked(self) -> None:
        """Note that time has passed: what is held all the same waits from here on."""
        self._since = None

    def due(self, guard: _core.Guard | WatchedGuard | None) -> float | None:
        """Return the monotonic second at which to look again; none if nothing waits."""
        if guard is None or self._since is None:
            return None
        if isinstance(guard, WatchedGuard):
            return time.monotonic() + LOOK_S
        return self._since + self._most_s + 0.002
