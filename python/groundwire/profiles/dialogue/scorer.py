"""How sure a flag is once everything about it is known (S0-065 to S0-072)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from groundwire import _core
from groundwire._checks import every, several, share, words
from groundwire.errors import ArgumentError
from groundwire.profiles.dialogue.types import (
    SIGNAL_KINDS,
    HallucinationFlag,
    HistoryEvidence,
    KBEvidence,
    LinguisticSignal,
)


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """How far each kind of evidence moves the score, 0..1 (S0-065)."""

    kb_evidence: float = 0.35
    history_evidence: float = 0.25
    linguistic_signals: float = 0.20
    consistency: float = 0.20

    def __post_init__(self) -> None:
        """Check that every weight lies in 0..1; raise ``ArgumentError`` naming the one that not."""
        for entry in fields(self):
            share(getattr(self, entry.name), f"weight {entry.name}")

    @classmethod
    def from_config(cls, config: Any) -> Self:
        """Return the weights of a ``Config``'s section ``dialogue.evidence_weights``."""
        weights = config.dialogue.evidence_weights
        return cls(weights.kb, weights.history, weights.linguistic, weights.consistency)


class HallucinationConfidenceScorer:
    """Scores a flag: base severity times one blended factor for each kind of evidence (S0-066).

    Each step is ``score *= weight * factor + (1 - weight)``; the result is clamped to 0..1 at the
    end. Flags are related if they have the same type or one's content contains the other's
    (S0-071), and also if they are about the same entity, which the document's own comment asks for
    and its code leaves out; ``strict_seed`` leaves it out as well.
    """

    def __init__(
        self, weights: EvidenceWeights | None = None, *, strict_seed: bool = False
    ) -> None:
        self.weights = weights or EvidenceWeights()
        self.strict_seed = strict_seed

    def score(
        self,
        flag: HallucinationFlag,
        kb_evidence: KBEvidence | None = None,
        history_evidence: HistoryEvidence | None = None,
        linguistic_signals: Sequence[LinguisticSignal] = (),
        other_flags: Sequence[HallucinationFlag] = (),
    ) -> float:
        """Return the score, 0..1; evidence that is ``None`` skips its step."""
        return self.explain(flag, kb_evidence, history_evidence, linguistic_signals, other_flags)[
            "score"
        ]

    def explain(
        self,
        flag: HallucinationFlag,
        kb_evidence: KBEvidence | None = None,
        history_evidence: HistoryEvidence | None = None,
        linguistic_signals: Sequence[LinguisticSignal] = (),
        other_flags: Sequence[HallucinationFlag] = (),
    ) -> Mapping[str, float]:
        """Return the steps: base severity, the factors that counted, the score; in their order."""
        other_flags = list(several(other_flags, "other_flags", "flags"))
        for one in (flag, *other_flags):
            if not hasattr(one, "hallucination_type"):
                raise ArgumentError(f"a HallucinationFlag is expected, not {one!r:.60}")
        for given, kind in ((kb_evidence, KBEvidence), (history_evidence, HistoryEvidence)):
            if given is not None and not isinstance(given, kind):
                raise ArgumentError(f"a {kind.__name__} is expected, not {given!r:.60}")
        linguistic_signals = every(linguistic_signals, "linguistic_signals", LinguisticSignal)
        weights = self.weights
        steps: dict[str, float] = {"base_severity": flag.hallucination_type.base_severity()}
        score = steps["base_severity"]
        counted: list[tuple[str, float, float]] = []
        if kb_evidence is not None:
            counted.append(("kb_factor", weights.kb_evidence, kb_factor(kb_evidence)))
        if history_evidence is not None:
            factor = history_factor(history_evidence)
            counted.append(("history_factor", weights.history_evidence, factor))
        wording = linguistic_factor(linguistic_signals)
        counted.append(("linguistic_factor", weights.linguistic_signals, wording))
        others = self.consistency_factor(flag, other_flags)
        counted.append(("consistency_factor", weights.consistency, others))
        for name, weight, factor in counted:
            steps[name] = factor
            score *= weight * factor + (1.0 - weight)
        steps["score"] = min(max(score, 0.0), 1.0)
        return steps

    def consistency_factor(
        self, flag: HallucinationFlag, other_flags: Sequence[HallucinationFlag]
    ) -> float:
        """Return the factor of related flags (S0-070)."""
        if not other_flags:
            return 1.0
        related = sum(self.flags_related(flag, other) for other in other_flags)
        return 1.0 + min(0.1 * related, 0.3)

    def flags_related(self, one: HallucinationFlag, other: HallucinationFlag) -> bool:
        """Whether two flags are about the same (S0-071)."""
        same_entity = (
            not self.strict_seed
            and one.entity is not None
            and other.entity is not None
            and one.entity.casefold() == other.entity.casefold()
        )
        return (
            same_entity
            or one.hallucination_type == other.hallucination_type
            or other.content in one.content
            or one.content in other.content
        )


def kb_factor(evidence: KBEvidence) -> float:
    """Return the knowledge base's factor (S0-067)."""
    if evidence.contradicts:
        return 1.0 + 0.3 * evidence.confidence
    return 1.0 if evidence.unverifiable else 0.5


def history_factor(evidence: HistoryEvidence) -> float:
    """Return the factor of earlier turns (S0-068)."""
    return 1.0 + 0.25 * evidence.confidence if evidence.contradicts else 0.7


def linguistic_factor(signals: Iterable[LinguisticSignal]) -> float:
    """Return the product over wording signals, 1 for none (S0-069)."""
    factor = 1.0
    for signal in signals:
        if signal.kind == "hedging":
            factor *= 1.0 - 0.3 * signal.strength
        elif signal.kind == "overconfidence":
            factor *= 1.0 + 0.2 * signal.strength
        elif signal.kind == "self_correction":
            factor *= 0.8
        elif signal.kind == "certainty":
            factor *= 1.15
    return factor


def linguistic_signals(text: str) -> tuple[LinguisticSignal, ...]:
    """Return the wording signals of a text, with the core's tables and strengths (S0-072)."""
    found = _core.linguistic_signals(words(text, "text"))
    return tuple(
        LinguisticSignal(signal.kind, signal.strength)
        for signal in found
        if signal.kind in SIGNAL_KINDS
    )
