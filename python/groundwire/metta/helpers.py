"""What a program needs beside the predicates: values to begin with, and ways into results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.findings import Evidence, Finding
from groundwire.kb import KnowledgeBase
from groundwire.metta.model import (
    DialogueState,
    HistoryEvidence,
    KBEvidence,
    MitigationAction,
    flag_type,
)
from groundwire.profiles.dialogue.types import TemporalExpression


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ArgumentError(f"a confidence is a number from 0 to 1, not {value!r:.40}")
    return float(value)


def _evidence(kind: str, text: str, quality: float) -> Evidence:
    return Evidence(text, kind=kind, quality=_share(quality))


def _turn(dialogue: DialogueState, role: str, text: str) -> DialogueState:
    return DialogueState((*dialogue.turns, (role, text)))


def _span(flag: Finding) -> tuple[int, int]:
    if flag.span is None:
        raise ArgumentError(f"the flag {flag.id} has no place in the text")
    return flag.span


def _date(time: TemporalExpression) -> str | None:
    """Return a time's date as ISO 8601 writes it; of a bare year the year."""
    day = time.resolved_date
    if day is None:
        return None
    return str(time.year) if time.surface.strip() == str(time.year) else day.isoformat()


def _replacement(action: MitigationAction) -> str | None:
    return action.replacement


def _reason(action: MitigationAction) -> str | None:
    return action.annotation if action.reason is None else action.reason


HELPERS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "load-knowledge-base": (KnowledgeBase.open, ("String", "KnowledgeBase")),
    "new-dialogue": (DialogueState, ("DialogueState",)),
    "add-turn": (_turn, ("DialogueState", "String", "String", "DialogueState")),
    "kb-evidence": (
        lambda against, unknown, sure: KBEvidence(against, unknown, _share(sure)),
        ("Bool", "Bool", "Number", "KBEvidence"),
    ),
    "history-evidence": (
        lambda against, sure: HistoryEvidence(against, _share(sure)),
        ("Bool", "Number", "HistoryEvidence"),
    ),
    "evidence": (_evidence, ("String", "String", "Number", "Evidence")),
    "list-length": (len, ("List $t", "Number")),
    "flag-type": (flag_type, ("HallucinationFlag", "HallucinationType")),
    "flag-content": (lambda flag: flag.content, ("HallucinationFlag", "String")),
    "flag-start": (lambda flag: _span(flag)[0], ("HallucinationFlag", "Number")),
    "flag-end": (lambda flag: _span(flag)[1], ("HallucinationFlag", "Number")),
    "flag-suggestion": (lambda flag: flag.suggestion, ("HallucinationFlag", "Maybe String")),
    "flag-evidence": (lambda flag: flag.evidence, ("HallucinationFlag", "List Evidence")),
    "action-type": (lambda action: action.kind.name, ("MitigationAction", "String")),
    "action-replacement": (_replacement, ("MitigationAction", "Maybe String")),
    "action-reason": (_reason, ("MitigationAction", "Maybe String")),
    "claim-text": (str, ("Claim", "String")),
    "mention-surface": (lambda mention: mention.surface, ("EntityMention", "String")),
    "temporal-date": (_date, ("TemporalExpression", "Maybe String")),
    "segment-text": (lambda segment: segment.text, ("ResponseSegment", "String")),
}
"""Operations beside the predicates; ``elements`` (every element of a list in turn) is apart."""
