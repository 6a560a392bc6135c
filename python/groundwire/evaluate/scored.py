"""A record with what one detector said of it in one mode, ready for measuring."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from groundwire.evaluate.detectors.base import (
    Aggregate,
    Judgement,
    Mode,
    ScoredSpan,
    in_time,
    response_score,
)
from groundwire.evaluate.measures import Array, character_mask, character_scores
from groundwire.evaluate.numeric import np
from groundwire.evaluate.records import Record

LM_WEIGHTS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
"""Weights tried for a language model's score beside a detector's own (nats to score)."""


@dataclass
class Scored:
    """One record's verdicts: spans said in time, the response's score, flags, and the cost."""

    record: Record
    spans: list[ScoredSpan]
    score: float
    flags: Mapping[str, float] = field(default_factory=dict)
    micros: tuple[float, ...] = ()
    micros_around: float = 0.0

    @classmethod
    def of(
        cls, record: Record, mode: Mode, judgement: Judgement, aggregate: Aggregate = "max"
    ) -> Scored:
        """Keep of a judgement what was said in time; ``check_judgement`` has seen it.

        A span beyond the response is cut to it. The response's score is ``aggregate`` of its spans
        unless the detector gave one; in a prefix mode a detector's own one was to be made of
        prefixes too.
        """
        size = len(record.response)
        fit = [
            replace(
                span,
                start=max(0, span.start),
                end=min(size, span.end),
            )
            for span in judgement.spans
        ]
        spans = in_time(record, mode, [span for span in fit if span.end > span.start])
        return cls(
            record,
            spans,
            float(response_score(judgement, spans, aggregate)),
            dict(judgement.flags),
            judgement.micros or (),
            judgement.micros_around,
        )

    @property
    def has_lm(self) -> bool:
        """Whether spans carry a language model's score to be weighed."""
        return any(span.lm is not None for span in self.spans)

    def weighed(self, weight: float) -> Scored:
        """Return the same with ``exp(score + weight * lm)`` as score, which is above 0."""
        spans = [
            replace(span, score=math.exp(span.score + weight * (span.lm or 0.0)), lm=None)
            for span in self.spans
        ]
        score = max((span.score for span in spans), default=0.0)
        return Scored(self.record, spans, score, self.flags, self.micros, self.micros_around)

    @cached_property
    def characters(self) -> Array:
        """Score of each character."""
        return character_scores(self.record.response, self.spans)

    @cached_property
    def gold(self) -> Array:
        """Whether each character is labelled."""
        return character_mask(len(self.record.response), self.record.spans)


def character_arrays(scored: Sequence[Scored]) -> tuple[Array, Array]:
    """Return scores and labels of every character of some records, one after another."""
    if not scored:
        return np.zeros(0), np.zeros(0, dtype=bool)
    return np.concatenate([s.characters for s in scored]), np.concatenate([s.gold for s in scored])


def variants(scored: Sequence[Scored]) -> dict[float, list[Scored]]:
    """Return the records by weight of the language model; one variant, 0, where there is none."""
    if not any(s.has_lm for s in scored):
        return {0.0: list(scored)}
    return {w: [s.weighed(w) for s in scored] for w in LM_WEIGHTS}
