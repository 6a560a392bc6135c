"""What a detector returns, and is, before it is measured.

A score that is no number would count as 0, a reversed stretch as none: a broken detector would be
measured as a quiet one. It is named instead, with the record.
"""

from __future__ import annotations

import math
from typing import Any

from groundwire.errors import ArgumentError, GroundwireError
from groundwire.evaluate.detectors.base import MODES, Judgement, ScoredSpan
from groundwire.evaluate.records import Record


class DetectorError(GroundwireError, RuntimeError):
    """A detector failed; the message names it and the record, ``__cause__`` is what it raised."""


def check_detector(detector: Any) -> None:
    """Raise ``ArgumentError`` for what is no detector: no name, no ``judge``, unknown modes."""
    name = getattr(detector, "name", None)
    if isinstance(detector, type):
        raise ArgumentError(
            f"{detector.__name__} is a class; a detector is an object: {detector.__name__}()"
        )
    if not isinstance(name, str) or not name:
        raise ArgumentError(
            f"{type(detector).__name__} is no detector: it needs a 'name', a text that is not empty"
        )
    if not callable(getattr(detector, "judge", None)):
        raise ArgumentError(f"{name} is no detector: it needs a method judge(record, mode)")
    modes = getattr(detector, "modes", MODES)
    if isinstance(modes, str) or not all(mode in MODES for mode in modes):
        raise ArgumentError(f"{name}: 'modes' is a list of {', '.join(MODES)}, not {modes!a:.60}")


def check_judgement(name: str, record: Record, judged: Any) -> None:
    """Raise ``ArgumentError`` for what cannot be measured, naming detector, record and field.

    Scores are finite numbers, a stretch ends where it starts or later, and places are whole
    numbers. A stretch that reaches out of the response is cut to it later (``reaches_out`` says
    whether one does), and an empty one does not count.
    """
    if not isinstance(judged, Judgement):
        raise ArgumentError(f"{name}: judge returned {type(judged).__name__}, not a Judgement")
    where = f"{name}, record {record.id!a:.60}"
    for i, span in enumerate(judged.spans):
        place = f"{where}: spans[{i}]"
        if not isinstance(span, ScoredSpan):
            raise ArgumentError(f"{place} is {type(span).__name__}, not a ScoredSpan")
        for field in ("start", "end", "decided_at"):
            value = getattr(span, field)
            if isinstance(value, bool) or not isinstance(value, int):
                raise ArgumentError(f"{place}: {field} is a whole number, not {value!r:.40}")
        if span.end < span.start:
            raise ArgumentError(f"{place} ends ({span.end}) before it starts ({span.start})")
        _finite(span.score, f"{place}: its score")
        if span.lm is not None:
            _finite(span.lm, f"{place}: its lm")
    if judged.score is not None:
        _finite(judged.score, f"{where}: the score")
    for flag, value in judged.flags.items():
        _finite(value, f"{where}: flags[{flag!a:.40}]")
    for value in (judged.micros_around, *(judged.micros or ())):
        _finite(value, f"{where}: a time in micros")


def reaches_out(record: Record, judged: Judgement) -> ScoredSpan | None:
    """Return the first stretch that reaches out of the response, as one counted in bytes does."""
    size = len(record.response)
    return next((span for span in judged.spans if span.start < 0 or span.end > size), None)


def _finite(value: Any, what: str) -> None:
    try:
        fine = not isinstance(value, str | bytes) and math.isfinite(value)
    except (TypeError, OverflowError):
        fine = False
    if not fine:
        raise ArgumentError(f"{what} is {value!r:.40}; it has to be a finite number")
