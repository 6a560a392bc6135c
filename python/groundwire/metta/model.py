"""The dialogue system's own names for what the predicates take and give (seed 000)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from groundwire._core import LinguisticSignal
from groundwire.errors import ArgumentError
from groundwire.findings import Claim, Finding, Span

TYPES: dict[str, tuple[float, str]] = {
    "FabricatedFact": (0.95, "This fact could not be verified"),
    "NonexistentEntity": (0.90, "This entity could not be found"),
    "WrongAttribute": (0.75, "This attribute appears incorrect"),
    "ContradictsFact": (0.95, "This contradicts known information"),
    "ContradictsPrior": (0.80, "This contradicts earlier in the conversation"),
    "UnsupportedClaim": (0.50, "This claim has no supporting evidence"),
    "TemporalError": (0.65, "The timeline appears incorrect"),
    "LogicalInconsistency": (0.60, "This contains a logical contradiction"),
}
"""The eight types, in the order of their detectors, with base severity 0..1 and description."""

_SYSTEM = "dialogue."


def type_of(finding: Finding) -> str | None:
    """Return the seed's name of a finding's type; none for other systems' types."""
    if not finding.type.startswith(_SYSTEM):
        return None
    name = "".join(w.capitalize() for w in finding.type.removeprefix(_SYSTEM).split("_"))
    return name if name in TYPES else None


def flag_type(finding: Finding) -> str:
    """Return the seed's name of a flag's type.

    Raises:
        ArgumentError: the finding is of none of the eight types.

    """
    name = type_of(finding)
    if name is None:
        raise ArgumentError(f"{finding.type} is none of {', '.join(TYPES)}")
    return name


@dataclass(frozen=True, slots=True)
class DialogueState:
    """Earlier turns, as (role, text), oldest first."""

    turns: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Say how many turns there are; their words belong to the speakers."""
        return f"(dialogue of {len(self.turns)} turns)"


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name in a text; spans are code points of the text it was found in."""

    surface: str
    span: Span
    mention_type: str = "ProperName"


@dataclass(frozen=True, slots=True)
class TemporalExpression:
    """A date in a text: ISO 8601 where it names a day, else the year alone."""

    surface: str
    span: Span
    resolved_date: str | None
    year: int | None


@dataclass(frozen=True, slots=True)
class ResponseSegment:
    """A sentence of an answer; all spans are code points of the answer."""

    index: int
    text: str
    span: Span
    claims: tuple[Claim, ...]
    entities: tuple[EntityMention, ...]
    temporals: tuple[TemporalExpression, ...]


@dataclass(frozen=True, slots=True)
class KBEvidence:
    """What the knowledge base says about a flag; ``confidence`` 0..1."""

    contradicts: bool
    unverifiable: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class HistoryEvidence:
    """What earlier turns say about a flag; ``confidence`` 0..1."""

    contradicts: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class MitigationAction:
    """What to do about a flag: ``None``, ``Flag``, ``Correct`` or ``Remove``."""

    type: str
    span: Span | None = None
    original: str | None = None
    replacement: str | None = None
    reason: str | None = None


Signals = tuple[LinguisticSignal, ...]


def shown(value: Any) -> str:
    """Return a value as MeTTa prints it: its kind and what names it, quoted where it is text."""
    if isinstance(value, Finding):
        return f"(flag {type_of(value) or value.type} {value.span} {value.p_hallucinated:.2f})"
    if isinstance(value, tuple):
        return f"[{' '.join(map(shown, value))}]"
    if isinstance(value, Claim):
        return f"(claim {value.id} {value.span})"
    if isinstance(value, LinguisticSignal):
        return f"(signal {value.kind} {value.strength:.2f})"
    if isinstance(value, MitigationAction):
        return f"(action {value.type} {value.span})"
    return repr(value)
