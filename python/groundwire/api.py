"""One-call functions over a monitor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

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
) -> Report:
    """Judge a whole text in one call; the answer is that of any streaming of it.

    Give either a ``monitor`` or a knowledge base for a plain one.
    """
    if monitor is None:
        monitor = default_monitor() if kb is None else Monitor(kb=kb)
    return monitor.check(text, evidence=evidence, history=history, question=question)


def judge(findings: Iterable[Finding], profile: str = "dialogue") -> ProfileVerdict:
    """Return a built-in profile's verdict over findings that were made anywhere.

    Raises ``NotFoundError`` if there is no profile of that name.
    """
    return Monitor(profiles=(profile,)).verdicts(findings)[profile]
