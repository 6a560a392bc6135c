"""The dialogue profile's types: what is flagged, and what an answer is read as.

Spans are half-open ranges of code points of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum
from typing import Any, Self

from groundwire._checks import share
from groundwire.errors import ArgumentError
from groundwire.findings import Span

EMPTY: Mapping[str, Any] = {}


class HallucinationType(Enum):
    """The eight types (S0-004); a value is the native name after ``dialogue.``."""

    FabricatedFact = "fabricated_fact"
    NonexistentEntity = "nonexistent_entity"
    WrongAttribute = "wrong_attribute"
    ContradictsFact = "contradicts_fact"
    ContradictsPrior = "contradicts_prior"
    UnsupportedClaim = "unsupported_claim"
    TemporalError = "temporal_error"
    LogicalInconsistency = "logical_inconsistency"

    def base_severity(self) -> float:
        """How bad the type is in itself, 0..1 (S0-005 to S0-012)."""
        return _TABLE[self][0]

    def label(self) -> str:
        """The document's own label: ``HIGH``, ``MEDIUM-HIGH`` or ``MEDIUM``."""
        return _TABLE[self][1]

    def description(self) -> str:
        """One line for people."""
        return _TABLE[self][2]

    @property
    def native(self) -> str:
        """The namespaced type of a ``Finding``, for example ``dialogue.wrong_attribute``."""
        return f"dialogue.{self.value}"


_TABLE = {
    HallucinationType.FabricatedFact: (0.95, "HIGH", "This fact could not be verified"),
    HallucinationType.NonexistentEntity: (0.90, "HIGH", "This entity could not be found"),
    HallucinationType.WrongAttribute: (0.75, "MEDIUM-HIGH", "This attribute appears incorrect"),
    HallucinationType.ContradictsFact: (0.95, "HIGH", "This contradicts known information"),
    HallucinationType.ContradictsPrior: (
        0.80,
        "MEDIUM-HIGH",
        "This contradicts earlier in the conversation",
    ),
    HallucinationType.UnsupportedClaim: (0.50, "MEDIUM", "This claim has no supporting evidence"),
    HallucinationType.TemporalError: (0.65, "MEDIUM", "The timeline appears incorrect"),
    HallucinationType.LogicalInconsistency: (
        0.60,
        "MEDIUM",
        "This contains a logical contradiction",
    ),
}


@dataclass(frozen=True, slots=True)
class HallucinationFlag:
    """One thing flagged (S0-014).

    Attributes:
        span: where; under ``strict_seed`` a pair of statements may give an end before the start.
        content: what is flagged, in words.
        hallucination_type: one of the eight.
        confidence: how sure this is a hallucination, 0..1.
        suggestion: advice to people.
        evidence: what speaks against the content, in words.
        text: the answer's text at ``span``, where known.
        replacement: text fit to stand in the answer at ``span``, if a source has it.
        status: how the text stands to what is known, as in ``Finding.status``.
        entity: the entity it is about, if known.
        attribute: that entity's attribute, if it is about one.
        detail: anything else the detector knows, as JSON-like data.

    Raises ``ArgumentError`` for a confidence outside 0..1.
    """

    span: Span
    content: str
    hallucination_type: HallucinationType
    confidence: float
    suggestion: str | None = None
    evidence: str | None = None
    text: str = ""
    replacement: str | None = None
    status: str = "unverifiable"
    entity: str | None = None
    attribute: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        """Check the numbers; raise ``ArgumentError`` naming what is wrong."""
        share(self.confidence, "a flag's confidence")
        if not isinstance(self.hallucination_type, HallucinationType):
            raise ArgumentError(
                f"a flag's type is a HallucinationType, not {self.hallucination_type!r:.60}"
            )
        span = self.span
        if not isinstance(span, tuple) or [type(x) for x in span] != [int, int]:
            raise ArgumentError(f"a flag's span is two whole numbers, not {span!r:.60}")
        if min(span) < 0:
            raise ArgumentError(f"a flag's span counts from 0, not {span!r:.60}")


@dataclass(frozen=True, slots=True)
class Claim:
    """One assertion (S0-016); ``str(claim)`` is its display string.

    ``subject`` is empty where none was found; such a claim is compared with earlier turns only.
    """

    subject: str
    predicate: str
    span: Span
    object: str = ""
    text: str = ""
    polarity: str = "positive"
    modality: str = "asserted"
    cited: bool = False

    def __str__(self) -> str:
        """The words of the claim, or its parts where only these are known."""
        return self.text or " ".join(
            part for part in (self.subject, self.predicate, self.object) if part
        )


class MentionType(Enum):
    """How something is referred to (S0-017)."""

    Pronoun = "pronoun"
    ProperName = "proper_name"
    DefiniteDesc = "definite_desc"
    Generic = "generic"


@dataclass(frozen=True, slots=True)
class EntityMention:
    """One mention of an entity; ``resolved`` is its key where it was resolved already."""

    surface: str
    span: Span
    mention_type: MentionType
    type: str = "unknown"
    resolved: str | None = None


class Tense(Enum):
    """Tense of the clause around a time expression."""

    Past = "past"
    Present = "present"
    Future = "future"
    Unknown = "unknown"


class TemporalRelation(Enum):
    """How an event stands to the time it is tied to."""

    Before = "before"
    After = "after"
    During = "during"
    Since = "since"
    Until = "until"


@dataclass(frozen=True, slots=True)
class TemporalExpression:
    """One time expression (S0-018); ``target`` is the one its relation points to, if known."""

    surface: str
    resolved_date: date | None = None
    year: int | None = None
    tense: Tense = Tense.Unknown
    relation: TemporalRelation | None = None
    span: Span | None = None
    target: TemporalExpression | None = None
    event: str = ""


@dataclass(frozen=True, slots=True)
class LogicalStatement:
    """A sentence's logical form (S0-019).

    ``quantifier`` is ``all``, ``no``, ``some``, ``not_all``, ``most``, ``exactly`` or none,
    ``scope`` what the quantifier ranges over.
    """

    subject: str
    predicate: str
    object: str
    category: str | None
    surface: str
    span: Span
    negative: bool = False
    quantifier: str | None = None
    scope: str = ""
    modality: str = "asserted"

    def is_negation_of(self, other: LogicalStatement) -> bool:
        """Whether one says what the other denies: same parts, other polarity, same quantifier."""
        return (
            self.negative != other.negative
            and self.quantifier == other.quantifier
            and all(
                _same(getattr(self, part), getattr(other, part))
                for part in ("subject", "predicate", "object")
            )
        )

    def has_universal_quantifier(self) -> bool:
        """Whether it speaks of all."""
        return self.quantifier == "all" and not self.negative

    def has_existential_negation_of(self, subject: str) -> bool:
        """Whether it says of ``subject`` that none, or not all, are so.

        "All servers" and "no server" have one subject.
        """
        none = self.quantifier in {"no", "not_all"}
        return (none or (self.quantifier == "some" and self.negative)) and _same(
            singular(self.subject), singular(subject)
        )


@dataclass(frozen=True, slots=True)
class ResponseSegment:
    """One sentence of an answer and what stands in it (S0-015)."""

    index: int
    text: str
    span: Span
    claims: tuple[Claim, ...] = ()
    entities: tuple[EntityMention, ...] = ()
    temporals: tuple[TemporalExpression, ...] = ()
    statements: tuple[LogicalStatement, ...] | None = None

    def shifted(self, by: int) -> Self:
        """Return the segment ``by`` code points further on."""

        def moved(part: Any) -> Any:
            return part if part.span is None else replace(part, span=_shift(part.span, by))

        return replace(
            self,
            span=_shift(self.span, by),
            claims=tuple(map(moved, self.claims)),
            entities=tuple(map(moved, self.entities)),
            temporals=tuple(map(moved, self.temporals)),
            statements=None if self.statements is None else tuple(map(moved, self.statements)),
        )


class ContradictionType(Enum):
    """In what two statements disagree (S0-021)."""

    DirectNegation = "direct_negation"
    IncompatibleValues = "incompatible_values"
    TemporalImpossibility = "temporal_impossibility"
    LogicalImpossibility = "logical_impossibility"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """That two statements, or one and the world, disagree (S0-020); ``confidence`` 0..1."""

    confidence: float
    explanation: str


@dataclass(frozen=True, slots=True)
class ContradictionResult:
    """A classifier's answer about two texts (S0-020); ``confidence`` 0..1."""

    is_contradiction: bool
    confidence: float
    contradiction_type: ContradictionType | None = None


@dataclass(frozen=True, slots=True)
class KBEvidence:
    """How a knowledge base stands to a flag (S0-025); ``ArgumentError`` for no confidence 0..1."""

    contradicts: bool = False
    unverifiable: bool = False
    confidence: float = 0.0

    def __post_init__(self) -> None:
        """Check the confidence; raise ``ArgumentError`` naming what is wrong."""
        share(self.confidence, "the confidence of KBEvidence")


@dataclass(frozen=True, slots=True)
class HistoryEvidence:
    """How earlier turns stand to a flag (S0-025); ``ArgumentError`` for no confidence 0..1."""

    contradicts: bool = False
    confidence: float = 0.0

    def __post_init__(self) -> None:
        """Check the confidence; raise ``ArgumentError`` naming what is wrong."""
        share(self.confidence, "the confidence of HistoryEvidence")


@dataclass(frozen=True, slots=True)
class LinguisticSignal:
    """One wording signal (S0-026); make it by the class methods."""

    kind: str
    strength: float = 1.0

    def __post_init__(self) -> None:
        """Check kind and strength; raise ``ArgumentError`` naming what is wrong."""
        if self.kind not in SIGNAL_KINDS:
            raise ArgumentError(
                f"a signal's kind is one of {', '.join(SIGNAL_KINDS)}, not {self.kind!r:.60}"
            )
        share(self.strength, "a signal's strength")

    @classmethod
    def Hedging(cls, strength: float) -> Self:
        """The text takes itself back ("may", "possibly"), by ``strength`` 0..1."""
        return cls("hedging", strength)

    @classmethod
    def Overconfidence(cls, strength: float) -> Self:
        """The text insists ("without any doubt"), by ``strength`` 0..1."""
        return cls("overconfidence", strength)

    @classmethod
    def Vagueness(cls, strength: float = 1.0) -> Self:
        """The text stays vague ("some", "various")."""
        return cls("vagueness", strength)

    @classmethod
    def SelfCorrection(cls) -> Self:
        """The text corrects itself ("or rather")."""
        return cls("self_correction")

    @classmethod
    def CertaintyMarker(cls) -> Self:
        """The text marks something as certain ("certainly")."""
        return cls("certainty")


SIGNAL_KINDS = ("hedging", "overconfidence", "vagueness", "self_correction", "certainty")


def singular(noun: str) -> str:
    """Return a noun phrase without the ending of the usual plurals of English."""
    if len(noun) > 4 and noun.endswith("ies"):
        return noun[:-3] + "y"
    if noun.endswith(("sses", "xes", "ches", "shes")):
        return noun[:-2]
    plural = len(noun) > 3 and noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
    return noun[:-1] if plural else noun


def _same(one: str, other: str) -> bool:
    return one.casefold().strip() == other.casefold().strip()


def _shift(span: Span, by: int) -> Span:
    return (span[0] + by, span[1] + by)
