"""One-call functions over a monitor."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.findings import Finding
from groundwire.monitor import Monitor
from groundwire.report import ProfileVerdict, Report


@lru_cache(maxsize=1)
def default_monitor() -> Monitor:
    """Return the monitor of one-call functions: built-in rules, stream and dialogue profiles."""
    return Monitor()


def check(
    text: str,
    *,
    monitor: Monitor | None = None,
    kb: Any = None,
    evidence: Iterable[Any] = (),
    history: Iterable[Any] = (),
    question: str | None = None,
    reference_date: date | str | None = None,
    rows: Any = None,
) -> Report:
    """Judge a whole text in one call; the answer is that of any streaming of it.

    Args:
        text: what is judged.
        monitor: a monitor to judge by; by default a plain one.
        kb: a knowledge base for a plain monitor; a ``monitor`` has its own.
        evidence: passages, as for ``Monitor.session``.
        history: earlier turns, as for ``Monitor.session``.
        question: what is being answered.
        reference_date: the day that counts as today, a ``date`` or ``YYYY-MM-DD``; by default the
            monitor's, else the UTC date now. Give it where the same text is to be judged alike on
            another day: "last year" and dates to come are counted from it.
        rows: a ``Table``, or rows whose values must stand together, as for ``Monitor.session``.

    Raises:
        ArgumentError: an argument is none of these, or ``kb`` stands beside ``monitor``; the
            message names it.

    """
    if monitor is not None and kb is not None:
        raise ArgumentError(
            "kb: a monitor has its own knowledge base; give check() one of the two, or build the "
            "monitor over it: Monitor(kb=…)"
        )
    if monitor is not None and not isinstance(monitor, Monitor):
        raise ArgumentError(f"monitor is a Monitor, not {monitor!r:.60}")
    if monitor is None:
        monitor = default_monitor() if kb is None else Monitor(kb=kb)
    return monitor.check(
        text,
        evidence=evidence,
        history=history,
        question=question,
        reference_date=reference_date,
        rows=rows,
    )


def judge(findings: Iterable[Finding], profile: str = "dialogue") -> ProfileVerdict:
    """Return a built-in profile's verdict over findings that were made anywhere.

    Those without a score are scored as a session scores the first finding of a stream, by their
    type and evidence (S0-065); those that have one, as a report's have, keep it.

    Raises ``NotFoundError`` if there is no profile of that name.
    """
    return Monitor(profiles=(profile,)).verdicts(findings)[profile]
