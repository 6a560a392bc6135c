"""Detection delay: how many tokens after a labelled stretch began, and ended, it was flagged.

A stretch is found by the first flagged span that overlaps it. ``early`` is a flag from before the
stretch began: it was raised for something else, so it counts as a false alarm and not as a hit.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evaluate.detectors.base import ScoredSpan, decided_token
from groundwire.evaluate.records import Record

BINS = ("early", "in_span", "1_32", "33_64", "65_128", "over_128", "never")
_EDGES = ((32, "1_32"), (64, "33_64"), (128, "65_128"))


@dataclass(frozen=True, slots=True)
class Delay:
    """One labelled stretch: which bin, and tokens from its first and last token to the verdict.

    ``onset`` and ``end`` are ``None`` for ``early`` and ``never``; ``end`` is negative inside.
    """

    bin: str
    onset: int | None = None
    end: int | None = None


def delays(record: Record, spans: Sequence[ScoredSpan], threshold: float) -> list[Delay]:
    """Return the delay of every labelled stretch of a record that holds a token."""
    tokens = record.tokens
    starts = [a for a, _ in tokens]
    ends = [b for _, b in tokens]
    flagged = [s for s in spans if s.score > 0 and s.score >= threshold]
    found: list[Delay] = []
    for gold in record.spans:
        first = bisect_right(ends, gold.start)
        last = bisect_left(starts, gold.end) - 1
        if last < first:
            continue
        hits = [
            decided_token(record, s.decided_at)
            for s in flagged
            if s.start < gold.end and gold.start < s.end
        ]
        if not hits:
            found.append(Delay("never"))
            continue
        at = min(hits)
        if at < first:
            found.append(Delay("early"))
        else:
            found.append(Delay(delay_bin(at - last), at - first, at - last))
    return found


def delay_bin(after_end: int) -> str:
    """Return the bin of a verdict so many tokens after a stretch's last token."""
    if after_end <= 0:
        return "in_span"
    return next((name for edge, name in _EDGES if after_end <= edge), "over_128")


def first_alarm_early(record: Record, spans: Sequence[ScoredSpan], threshold: float) -> bool:
    """Say whether the first flag of a response was raised before its first labelled stretch."""
    read = [s.decided_at for s in spans if s.score > 0 and s.score >= threshold]
    return bool(read and record.spans) and min(read) <= min(s.start for s in record.spans)
