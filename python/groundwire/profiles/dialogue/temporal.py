"""Times that cannot be (S0-050 to S0-054)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from groundwire._checks import every, whole_number
from groundwire.errors import ArgumentError
from groundwire.findings import Span
from groundwire.profiles.dialogue.base import Component, parsed
from groundwire.profiles.dialogue.parts import TemporalExtractor
from groundwire.profiles.dialogue.types import (
    HallucinationFlag,
    HallucinationType,
    ResponseSegment,
    TemporalExpression,
    TemporalRelation,
    Tense,
)

MAX_FUTURE_YEARS = 10
"""Years from today that are still plausible (S0-051)."""
_MOST = 2**32 - 1
"""Years that the core counts up to; there is no later date."""


class TemporalConsistencyChecker(Component):
    """Future dates told as past, years too far off, and orders of events that dates belie.

    Orders that no date tells ("completed before it started", S0-054) and times that the calendar
    belies ("last year in 2026") are found by the core, so in ``HallucinationDetector`` as long as
    the extractor is the built-in one; date and limit given here count there.

    Args:
        temporal_extractor: finds the time expressions of sentences.
        current_date: today; the UTC date of the call by default.
        max_future_years: years from today that are still plausible (S0-051).
        strict_seed: "before" is held against every later date of the answer, and "after" against
            none, as the document writes. Otherwise each is held against its own target.
    """

    def __init__(
        self,
        temporal_extractor: TemporalExtractor | None = None,
        current_date: date | None = None,
        *,
        max_future_years: int = MAX_FUTURE_YEARS,
        strict_seed: bool = False,
    ) -> None:
        whole_number(max_future_years, "max_future_years", least=0)
        super().__init__(
            (temporal_extractor,),
            settings={"max_future_years": min(max_future_years, _MOST)}
            if max_future_years != MAX_FUTURE_YEARS
            else {},
            strict_seed=strict_seed,
        )
        self.temporal_extractor = temporal_extractor
        if isinstance(current_date, datetime):
            current_date = current_date.date()
        if current_date is not None and not isinstance(current_date, date):
            raise ArgumentError(f"current_date is a date, not {current_date!r:.60}")
        self.current_date = current_date
        self.max_future_years = max_future_years

    def detect(self, segments: Sequence[ResponseSegment]) -> list[HallucinationFlag]:
        """Return one flag for each such time; those on one expression take its sentence's span."""
        today = self.current_date or datetime.now(UTC).date()
        extractor = self.temporal_extractor
        found = [
            (temporal, segment)
            for segment in every(segments, "segments", ResponseSegment)
            for temporal in (
                segment.temporals if extractor is None else parsed(segment, extractor.extract)
            )
        ]
        flags = []
        for temporal, segment in found:
            when = temporal.resolved_date
            if when is not None and when > today and temporal.tense is Tense.Past:
                flags.append(
                    _flag(
                        segment,
                        temporal.surface,
                        0.85,
                        f"{when} is in the future but referenced in past tense",
                        f"Current date: {today}",
                    )
                )
            if temporal.year is not None and temporal.year > today.year + self.max_future_years:
                too_far = f"Year {temporal.year} seems too far in the future"
                flags.append(_flag(segment, temporal.surface, 0.90, too_far, None))
        return flags + self.check_temporal_ordering(found)

    def check_temporal_ordering(
        self, temporals: Sequence[tuple[TemporalExpression, ResponseSegment]]
    ) -> list[HallucinationFlag]:
        """Return one flag for each "before" or "after" that the dates belie (S0-052)."""
        flags = []
        for i, (one, segment) in enumerate(temporals):
            if one.resolved_date is None:
                continue
            if self.strict_seed:
                if one.relation is TemporalRelation.Before:
                    others = [other for other, _ in temporals[i + 1 :]]
                    flags += [_order(segment, one, other) for other in others if _late(one, other)]
            elif one.target is not None:
                after = one.relation is TemporalRelation.After
                if (one.relation is TemporalRelation.Before and _late(one, one.target)) or (
                    after and _late(one.target, one)
                ):
                    flags.append(_order(segment, one, one.target))
        return flags


def _late(one: TemporalExpression, other: TemporalExpression) -> bool:
    """Whether one is known to lie after the other."""
    return (
        one.resolved_date is not None
        and other.resolved_date is not None
        and one.resolved_date > other.resolved_date
    )


def _order(
    segment: ResponseSegment, one: TemporalExpression, other: TemporalExpression
) -> HallucinationFlag:
    after = one.relation is TemporalRelation.After
    said, really = ("after", "before") if after else ("before", "after")
    return _flag(
        segment,
        f"{one.surface} {said} {other.surface}",
        0.80,
        "Temporal ordering is inconsistent",
        f"{one.resolved_date} is actually {really} {other.resolved_date}",
    )


def _flag(
    segment: ResponseSegment,
    content: str,
    confidence: float,
    suggestion: str,
    evidence: str | None,
) -> HallucinationFlag:
    span: Span = segment.span
    return HallucinationFlag(
        span=span,
        content=content,
        hallucination_type=HallucinationType.TemporalError,
        confidence=confidence,
        suggestion=suggestion,
        evidence=evidence,
        text=segment.text,
        status="contradicted",
    )
