"""What a detector is, what it says of a record, and what of that counts in a mode.

Modes: ``word`` (the verdict about a word may use the text up to it), ``sentence`` (up to the end of
its sentence) and ``whole`` (the whole text). The first two are what a stream allows.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable

from groundwire.evaluate.records import Record

Mode = Literal["word", "sentence", "whole"]
MODES: tuple[Mode, ...] = ("word", "sentence", "whole")
Aggregate = Literal["max", "mean", "noisy_or"]
AGGREGATES: tuple[Aggregate, ...] = ("max", "mean", "noisy_or")

LOOK_AHEAD = 2
"""Tokens that may be read past what is judged: a number may go on, a stop may end nothing."""
JOINT = 4.0
"""What doubts of a stretch that is ``joint`` weigh in an answer of one; of ``n``, JOINT / √n."""
PHRASE = 8
"""Tokens of a name, number or phrase, which is one thing and is judged when it has ended."""


@dataclass(frozen=True, slots=True)
class ScoredSpan:
    """A stretch a detector doubts.

    Attributes:
        start: first code point.
        end: code point after the last.
        score: how doubtful; higher is worse. Only the order matters, and a score of 0 or less is
            never a verdict.
        decided_at: code points of the response that had been read when it was said.
        type: the detector's own name for what is wrong.
        lm: a second score, from a language model, to be weighed against ``score``.
        joint: ``score`` is the probability of something wrong in a part of the response that no
            other such stretch is about, so that the response's score joins them.
        settled_by: type of the stretch that says the last word on this one; where such a one
            overlaps it and was said later, this one does not count for the response's score.
    """

    start: int
    end: int
    score: float
    decided_at: int
    type: str = ""
    lm: float | None = None
    joint: bool = False
    settled_by: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a detector says of one record.

    Attributes:
        spans: what it doubts.
        score: how doubtful the whole response is; the highest score of its spans unless given.
        flags: scores of verdicts in a set's own terms (CI-ToD's ``qi``, ``hi``, ``kbi``).
        micros: microseconds of each token, where the detector follows tokens; ``None`` where the
            time taken says nothing, as that of an answer from a cache.
        micros_around: microseconds before the first token and after the last (evidence read, the
            stream opened and closed); part of what an answer costs, and of no token.
    """

    spans: tuple[ScoredSpan, ...] = ()
    score: float | None = None
    flags: Mapping[str, float] = field(default_factory=dict)
    micros: tuple[float, ...] | None = ()
    micros_around: float = 0.0


@runtime_checkable
class Detector(Protocol):
    """Anything that judges records.

    In the modes ``word`` and ``sentence`` it is to read prefixes only and to say by ``decided_at``
    how long they were; what it says too late for its mode does not count. A detector that cannot
    serve a mode has ``modes`` without it; one that only scores responses has
    ``finds_spans = False``. ``batch_prepare(records)`` is called once a set if it exists.
    """

    @property
    def name(self) -> str:
        """Name in tables; ``lm`` is in it where a language model is asked."""

    def judge(self, record: Record, mode: Mode) -> Judgement:
        """Judge one record."""


def in_time(record: Record, mode: Mode, spans: Sequence[ScoredSpan]) -> list[ScoredSpan]:
    """Return what of ``spans`` was said in time for ``mode``, cut to it where only a part was.

    ``whole``: everything. ``sentence``: tokens whose sentence ended at most ``LOOK_AHEAD`` tokens
    before the verdict. ``word``: stretches of up to ``PHRASE`` tokens that ended at most so long
    before it; of longer ones the tokens that did. A stretch of which less than half is left does
    not count.
    """
    if mode == "whole":
        return list(spans)
    tokens = record.tokens
    starts = [a for a, _ in tokens]
    ends = [b for _, b in tokens]
    sentence_ends = [b for _, b in record.sentences]
    kept: list[ScoredSpan] = []
    for span in spans:
        first = bisect_right(ends, span.start)
        last = bisect_left(starts, span.end) - 1
        if last < first:
            continue
        read = decided_token(record, span.decided_at)
        oldest = first
        for at in range(first, last + 1):
            oldest = at
            if mode == "sentence":
                closes = sentence_ends[
                    min(bisect_right(sentence_ends, starts[at]), len(sentence_ends) - 1)
                ]
                due = bisect_left(starts, closes) - 1
            else:
                due = last if last - first < PHRASE else at
            if read - due <= LOOK_AHEAD:
                break
        else:
            continue
        if oldest == first:
            kept.append(span)
        elif last - oldest + 1 >= (last - first + 1) / 2:
            kept.append(replace(span, start=starts[oldest]))
    return kept


def decided_token(record: Record, decided_at: int) -> int:
    """Return the index of the last token of which anything had been read; -1 for none."""
    tokens = record.tokens
    low, high = 0, len(tokens)
    while low < high:
        middle = (low + high) // 2
        if tokens[middle][0] < decided_at:
            low = middle + 1
        else:
            high = middle
    return low - 1


def response_score(
    judgement: Judgement, spans: Sequence[ScoredSpan], aggregate: Aggregate = "max"
) -> float:
    """Return the score of the whole response: the detector's own, else one of its ``spans``.

    ``max`` is the highest, ``mean`` the mean, ``noisy_or`` 1 - prod(1 - score), each score cut to
    0..1. 0 where there is neither. With ``max``, the ``n`` stretches that are ``joint`` count as
    witnesses beside the highest of the others: their hazards ``-ln(1 - score)`` are added and
    weighed by ``JOINT / sqrt(n)``, so that an answer is not so much the worse for its length alone,
    and the score is 1 - (1 - highest) exp(-hazard). What has been settled does not count.
    """
    if judgement.score is not None:
        return judgement.score
    scores = [span.score for span in _unsettled(spans)]
    if not scores:
        return 0.0
    if aggregate == "mean":
        return sum(scores) / len(scores)
    if aggregate == "noisy_or":
        return 1.0 - math.prod(1.0 - min(max(score, 0.0), 1.0) for score in scores)
    joint = [span.score for span in spans if span.joint]
    if not joint:
        return max(scores)
    rest = max((span.score for span in _unsettled(spans) if not span.joint), default=0.0)
    kept = math.prod(1.0 - min(max(score, 0.0), 1.0) for score in joint)
    return 1.0 - (1.0 - min(max(rest, 0.0), 1.0)) * kept ** (JOINT / math.sqrt(len(joint)))


def _unsettled(spans: Sequence[ScoredSpan]) -> list[ScoredSpan]:
    types = {span.settled_by for span in spans} - {""}
    last = [span for span in spans if span.type in types]
    return [
        span
        for span in spans
        if not any(
            span.settled_by == own.type
            and span.start < own.end
            and own.start < span.end
            and span.decided_at <= own.decided_at
            for own in last
        )
    ]
