"""The dialogue system's own names for what the predicates take and give (seed 000)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from groundwire._core import LinguisticSignal
from groundwire.errors import ArgumentError
from groundwire.findings import Finding
from groundwire.mitigation import MitigationAction
from groundwire.profiles.dialogue import native
from groundwire.profiles.dialogue.types import (
    Claim,
    HallucinationFlag,
    HallucinationType,
    HistoryEvidence,
    KBEvidence,
)

TYPES: dict[str, tuple[float, str]] = {
    kind.name: (kind.base_severity(), kind.description()) for kind in HallucinationType
}
"""The eight types, in the order of their detectors, with base severity 0..1 and description."""


def type_of(finding: Finding) -> str | None:
    """Return the seed's name of a finding's type; none for other systems' types."""
    kind = native.type_of(finding)
    return None if kind is None else kind.name


def flag_type(finding: Finding) -> str:
    """Return the seed's name of a flag's type.

    Raises:
        ArgumentError: the finding is of none of the eight types.

    """
    name = type_of(finding)
    if name is None:
        raise ArgumentError(f"{finding.type} is none of {', '.join(TYPES)}")
    return name


def native_flag(finding: Finding) -> HallucinationFlag:
    """Return a finding as the dialogue profile's flag.

    Raises:
        ArgumentError: the finding is of none of the eight types, or has no place in the text.

    """
    flag_type(finding)
    flag = native.to_flag(finding)
    if flag is None:
        raise ArgumentError(f"the flag {finding.id} has no place in the text")
    return flag


@dataclass(frozen=True, slots=True)
class DialogueState:
    """Earlier turns, as (role, text), oldest first."""

    turns: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Say how many turns there are; their words belong to the speakers."""
        return f"(dialogue of {len(self.turns)} turns)"


Signals = tuple[LinguisticSignal, ...]


def shown(value: Any) -> str:
    """Return a value as MeTTa prints it: its kind and what names it, quoted where it is text."""
    if isinstance(value, Finding):
        return f"(flag {type_of(value) or value.type} {value.span} {value.p_hallucinated:.2f})"
    if isinstance(value, tuple):
        return f"[{' '.join(map(shown, value))}]"
    if isinstance(value, Claim):
        return f"(claim {value.span})"
    if isinstance(value, LinguisticSignal):
        return f"(signal {value.kind} {value.strength:.2f})"
    if isinstance(value, MitigationAction):
        return f"(action {value.kind.name} {value.span})"
    return repr(value)


__all__ = [
    "TYPES",
    "DialogueState",
    "HistoryEvidence",
    "KBEvidence",
    "MitigationAction",
    "Signals",
    "flag_type",
    "native_flag",
    "shown",
    "type_of",
]
