"""What happened in an engine and in its server, for an operator to see: log lines and metrics."""

from __future__ import annotations

import logging
import time
import weakref
from collections import Counter
from functools import lru_cache
from multiprocessing.util import Finalize
from typing import Any

log = logging.getLogger("groundwire.vllm")
EVERY_S = 60.0
"""Seconds between two lines about counts that change."""
_WARNS = ("unmonitored", "faults", "observed")
"""What an operator should hear of whatever the log's level; the rest is told as information."""


class Counts(Counter[str]):
    """Counters that log themselves when they change, once a minute at most, and at the end."""

    def __init__(self) -> None:
        """Begin at nothing."""
        super().__init__()
        self._told: dict[str, int] = {}
        self._at = float("-inf")
        # An engine's process ends without the interpreter's own exit handlers.
        Finalize(None, _at_the_end, args=(weakref.ref(self),), exitpriority=0)

    def __setitem__(self, name: str, value: int) -> None:
        """Set a counter, and tell of it."""
        changed = value != self.get(name, 0)
        super().__setitem__(name, value)
        if changed and time.monotonic() >= self._at + EVERY_S:
            self.tell()

    def tell(self) -> None:
        """Log what has changed since the last line, if anything has."""
        now = {name: count for name, count in self.items() if count}
        if now == self._told:
            return
        loud = any(now.get(name, 0) != self._told.get(name, 0) for name in _WARNS)
        said = ", ".join(f"{count} {name}" for name, count in sorted(now.items()))
        log.log(logging.WARNING if loud else logging.INFO, "groundwire: counted so far: %s", said)
        self._told, self._at = now, time.monotonic()


def _at_the_end(counts: weakref.ref[Counts]) -> None:
    """Log what was counted since the last line, as the process ends."""
    found = counts()
    if found is not None:
        found.tell()


def note_text(summary: dict[str, Any]) -> None:
    """Count a text that was answered, by what its ``groundwire`` object says."""
    metric = _texts()
    if metric is not None:
        state = "unchecked" if not summary["checked"] else "checked"
        metric.labels("observed_only" if "observed_only" in summary else state).inc()


@lru_cache(maxsize=1)
def _texts() -> Any:
    """Return the counter that the server's ``/metrics`` shows, where its client is installed."""
    try:
        from prometheus_client import Counter as Metric
    except ImportError:
        return None
    return Metric(
        "groundwire_vllm_texts",
        "Answers' texts by whether they were checked, only observed, or not checked.",
        ["state"],
    )
