"""Values that the knowledge base has otherwise, and claims without a source (S0-062 to S0-064).

The document gives these three no algorithm. Here a claim is compared with the values of its
subject's attribute. As documented, a wrong attribute and a contradicted fact cannot be told apart,
so under ``strict_seed`` both detectors flag such a claim. Otherwise a wrong attribute is one that
describes a named entity, and a contradicted fact is a schedule, a denial, or a statement about
something without a name; a claim is flagged by one of the two.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import Any, ClassVar

from groundwire import _core
from groundwire._checks import share
from groundwire.profiles.dialogue.base import placed, within
from groundwire.profiles.dialogue.builtin import tokens
from groundwire.profiles.dialogue.claimwise import NOT_CLAIMS, ClaimDetector
from groundwire.profiles.dialogue.knowledge import AttributeValue, KnowledgeBase, values_of
from groundwire.profiles.dialogue.parts import ClaimExtractor
from groundwire.profiles.dialogue.types import (
    Claim,
    HallucinationFlag,
    HallucinationType,
    ResponseSegment,
)
from groundwire.profiles.dialogue.values import exchange, values
from groundwire.profiles.dialogue.wording import attribute_suggestion, kb_evidence

_ARTICLES = frozenset({"a", "an", "the", "on", "in", "at", "by", "of"})
_SCHEDULE = frozenset({"weekday", "clock"})
_AUTHORITY = re.compile(
    r"\b(?:stud(?:y|ies)|research(?:ers)?|experts?|scientists?|surveys?|statistics|analysts?|"
    r"reports?|data)\s+(?:\w+\s+)?(?:shows?|shown|suggests?|suggested|finds?|found|proves?|proven|"
    r"indicates?|agree|says?|reveals?|confirms?)\b",
    re.IGNORECASE,
)
UNSUPPORTED = 0.6
"""How sure a statistic or an unnamed authority without a source is (D-2)."""


class _Compared(ClaimDetector):
    """A detector that compares claims with the values of the knowledge base."""

    kind: ClassVar[HallucinationType]

    def judge(
        self, segment: ResponseSegment, claim: Claim, kb: KnowledgeBase
    ) -> HallucinationFlag | None:
        """Return a flag where the knowledge base has another value."""
        known = _conflict(claim, kb)
        if known and (self.strict_seed or self.takes(claim)):
            return self._flag(segment, claim, known)
        return None

    @abstractmethod
    def takes(self, claim: Claim) -> bool:
        """Whether a conflict is this detector's."""

    def _flag(
        self, segment: ResponseSegment, claim: Claim, known: tuple[AttributeValue, ...]
    ) -> HallucinationFlag:
        right = known[0]
        text = within(segment, claim.span)
        mended = None
        if len(known) == 1 and claim.polarity != "negative" and not self.strict_seed:
            mended = exchange(text, right.value, claim.object or None)
        attribute = self.kind is HallucinationType.WrongAttribute
        named = (claim.subject, claim.predicate, right.value)
        return HallucinationFlag(
            **placed(claim.span, text, mended),
            content=str(claim),
            hallucination_type=self.kind,
            confidence=right.confidence,
            suggestion=attribute_suggestion(*named) if attribute else None,
            evidence=kb_evidence(*named),
            status="contradicted",
            entity=claim.subject,
            attribute=claim.predicate,
            detail={"detected": claim.object, "denied": claim.polarity == "negative"},
        )


class AttributeVerifier(_Compared):
    """Attributes of known, named entities that have another value (S0-062)."""

    kind: ClassVar[HallucinationType] = HallucinationType.WrongAttribute

    def takes(self, claim: Claim) -> bool:
        """Whether the claim describes something that has a name."""
        return not _is_statement(claim)


class KBContradictionDetector(_Compared):
    """Statements, schedules and denials that the knowledge base contradicts (S0-063)."""

    kind: ClassVar[HallucinationType] = HallucinationType.ContradictsFact

    def takes(self, claim: Claim) -> bool:
        """Whether the claim is a schedule, a denial, or about something without a name."""
        return _is_statement(claim)


class UnsupportedClaimDetector(ClaimDetector):
    """Statistics and unnamed authorities without a source (S0-064).

    A claim is looked at if it calls on studies, experts or data, or gives a share in per cent. It
    is supported by a citation, or by an attribute that the knowledge base has for its subject.
    """

    def __init__(
        self,
        claim_extractor: ClaimExtractor | None = None,
        *,
        confidence: float = UNSUPPORTED,
        strict_seed: bool = False,
    ) -> None:
        tuned = share(confidence, "confidence") != UNSUPPORTED
        settings = {"unsupported_confidence": confidence} if tuned else {}
        super().__init__(claim_extractor, settings=settings, strict_seed=strict_seed)
        self.confidence = confidence

    def judge(
        self, segment: ResponseSegment, claim: Claim, kb: KnowledgeBase
    ) -> HallucinationFlag | None:
        """Return a flag where such a claim has no source."""
        text = within(segment, claim.span) or str(claim)
        if claim.cited or claim.modality in NOT_CLAIMS or not _needs_source(text):
            return None
        entity = kb.get_entity(claim.subject) if claim.subject else None
        if entity is not None and entity.has_attribute(claim.predicate):
            return None
        return HallucinationFlag(
            span=claim.span,
            content=str(claim),
            hallucination_type=HallucinationType.UnsupportedClaim,
            confidence=self.confidence,
            suggestion=f"Could not find a source for: '{claim}'",
            evidence="No source given, and none in the knowledge base",
            text=text,
            entity=claim.subject or None,
            detail={"absence": True},
        )


def agrees(said: str, known: str) -> bool:
    """Whether a value in words is a value that is known: by words, date or number."""
    mine, theirs = set(tokens(said)) - _ARTICLES, set(tokens(known)) - _ARTICLES
    if mine and theirs and (mine <= theirs or theirs <= mine):
        return True
    dates, known_dates = _events(said, "date"), _events(known, "date")
    if dates and known_dates:
        return any(_same_date(one, other) for one in dates for other in known_dates)
    numbers, known_numbers = _events(said, "quantity"), _events(known, "quantity")
    return any(a["value"] == b["value"] for a in numbers for b in known_numbers)


def _conflict(claim: Claim, kb: KnowledgeBase) -> tuple[AttributeValue, ...]:
    """Return the values the knowledge base has instead; for a denial, the value denied."""
    if not (claim.subject and claim.object and claim.predicate) or claim.modality in NOT_CLAIMS:
        return ()
    entity = kb.get_entity(claim.subject)
    known = () if entity is None else values_of(entity, claim.predicate)
    same = tuple(value for value in known if agrees(claim.object, value.value))
    if claim.polarity == "negative":
        return same
    return () if same else known


def _is_statement(claim: Claim) -> bool:
    return (
        claim.polarity == "negative"
        or not claim.subject[:1].isupper()
        or claim.subject.startswith("The ")
        or bool(_SCHEDULE & values(claim.object).keys())
    )


def _needs_source(text: str) -> bool:
    return bool(_AUTHORITY.search(text)) or "percent" in values(text)


def _events(text: str, kind: str) -> list[dict[str, Any]]:
    return [event for event in _core.segment(text) if event["event"] == kind]


def _same_date(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(
        one.get(part) == other.get(part)
        for part in ("year", "month", "day", "weekday")
        if one.get(part) is not None and other.get(part) is not None
    )
