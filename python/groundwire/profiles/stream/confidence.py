"""Confidence in claims: by source, by context, while streaming, and in words (S4-009..012)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from groundwire._checks import every, several, share
from groundwire.errors import ArgumentError
from groundwire.findings import Claim, Finding
from groundwire.profiles.stream.attribution import Attributor, base_confidence
from groundwire.profiles.stream.knowledge import KnowledgeCheck
from groundwire.profiles.stream.language import tables
from groundwire.profiles.stream.shapes import part_of
from groundwire.profiles.stream.sources import OTHER_CONFIDENCE, quality

HALLUCINATION_THRESHOLD = 0.5
"""Confidence below which a claim is flagged (S4-011; the document leaves the number open)."""
BASELINE_WEIGHT = 2.0
"""Claims that the baseline counts for in the confidence of an answer."""


def score_confidence(
    claim: Any, evidence: Any, *, flag: Callable[[Any, float], object] | None = None
) -> float:
    """Return the confidence in a claim: base of the evidence's type times its quality (S4-010).

    Args:
        claim: the claim, in any form; it is handed on to ``flag``.
        evidence: an object or mapping with ``type`` and ``quality_factor`` (0..1, 1 if there is
            none), several of them, of which the best counts, or none at all.
        flag: called with claim and score where the score is below 0.5 (S4-011).

    Returns:
        A number in 0..1: 0.9, 0.8, 0.7, 0.6 or 0.3 by type, times the quality factor.

    Raises:
        ArgumentError: the quality factor is no number in 0..1, or this is no evidence.

    """
    if flag is not None and not callable(flag):
        raise ArgumentError(f"flag is called with claim and score; {flag!r:.60} cannot be")
    if isinstance(evidence, list | tuple):
        score = max(map(_scored, evidence), default=OTHER_CONFIDENCE)
    else:
        score = _scored(evidence)
    if score < HALLUCINATION_THRESHOLD and flag is not None:
        flag(claim, score)
    return score


scoreConfidence = score_confidence


def _scored(evidence: Any) -> float:
    known = evidence is None or isinstance(evidence, Mapping) or hasattr(evidence, "type")
    if not known:
        raise ArgumentError(
            f"evidence is an object or mapping with a type, not {evidence!r:.60}; "
            "pass a source, several, or None where there is none"
        )
    given = part_of(evidence, "quality_factor")
    factor = quality(1.0 if given is None else given)
    return base_confidence(str(part_of(evidence, "type"))) * factor


def baseline_confidence(check: KnowledgeCheck | None) -> float:
    """Return what to expect of an answer before it is begun, 0..1 (S4-025).

    The mean, over everything the request needs, of the base confidence of what supplies it
    (0.3 where nothing does). Where nothing particular is needed, or there is no check, 0.5.
    """
    if check is not None and not isinstance(check, KnowledgeCheck):
        raise ArgumentError(f"a KnowledgeCheck is expected, not {check!r:.60}")
    if check is None or not check.needs:
        return HALLUCINATION_THRESHOLD
    worth = [_worth(check.sources.get(need.label, ())) for need in check.needs]
    return sum(worth) / len(worth)


def _worth(names: Iterable[str]) -> float:
    kinds = [
        "direct_observation"
        if name == "today"
        else ("user_statement" if name.startswith("turn ") else "file_content")
        for name in names
    ]
    return max(map(base_confidence, kinds), default=OTHER_CONFIDENCE)


def adjusted_confidence(scores: Iterable[float], findings: Iterable[Finding] = ()) -> float:
    """Return the confidence in a claim given its sources' scores and what was found (S4-012).

    The best score b, raised by half of the second best s where there are two
    (1 - (1 - b)(1 - s / 2)), 0.3 where there is none; times 1 - x for the worst finding x:
    ``p_hallucinated`` of one that a source contradicts, ``risk`` of any other.
    """
    given = several(scores, "scores", "numbers")
    ordered = sorted((share(score, "a source's score") for score in given), reverse=True)
    score = ordered[0] if ordered else OTHER_CONFIDENCE
    if len(ordered) > 1:
        score = 1 - (1 - score) * (1 - ordered[1] / 2)
    worst = max(
        (
            f.p_hallucinated if f.status == "contradicted" else f.risk
            for f in every(findings, "findings", Finding)
        ),
        default=0.0,
    )
    return score * (1 - worst)


def epistemic_phrase(confidence: float) -> str:
    """Return how to introduce a claim of that confidence: "I know that", "I believe that" ….

    Raises ``ArgumentError`` for a number outside 0..1.
    """
    share(confidence, "a confidence")
    entries = tables()["epistemic"]
    return str(next(e["phrase"] for e in entries if confidence >= e["from"]))


class ConfidenceTracker:
    """Confidence in the claims of a stream and in the answer as a whole, while it is written.

    The answer's confidence starts at the baseline and is the mean of the claims' confidences and
    of the baseline, which counts as two claims (S4-025, S4-026).

    Attributes:
        baseline: 0..1, from before the generation.
    """

    def __init__(self, attributor: Attributor, baseline: float = HALLUCINATION_THRESHOLD) -> None:
        self.baseline = quality(baseline)
        self._attributor = attributor
        self._claims: dict[str, tuple[Claim, list[float]]] = {}
        self._findings: dict[str, dict[str, Finding]] = {}

    def update(self, claims: Iterable[Claim], findings: Iterable[Finding] = ()) -> float:
        """Take what a step brought; return the answer's confidence."""
        for finding in every(findings, "findings", Finding):
            if finding.claim_id is not None:
                self._findings.setdefault(finding.claim_id, {})[finding.id] = finding
        for claim in every(claims, "claims", Claim):
            scores = [score for _, score in self._attributor.sources(claim)]
            self._claims[claim.id] = (claim, scores)
        return self.confidence

    def keep(self, length: int) -> None:
        """Text was cut back to ``length`` code points: claims that reach further are gone."""
        kept = {k: v for k, v in self._claims.items() if v[0].span[1] <= length}
        for gone in self._claims.keys() - kept.keys():
            self._findings.pop(gone, None)
        self._claims = kept

    @property
    def claims(self) -> Mapping[str, float]:
        """Confidence in each claim, by its id."""
        return {
            key: adjusted_confidence(scores, self._findings.get(key, {}).values())
            for key, (_, scores) in self._claims.items()
        }

    @property
    def confidence(self) -> float:
        """Confidence in the answer so far, 0..1."""
        scores = self.claims.values()
        total = self.baseline * BASELINE_WEIGHT + sum(scores)
        return total / (BASELINE_WEIGHT + len(scores))

    @property
    def phrase(self) -> str:
        """How the answer as a whole is best introduced."""
        return epistemic_phrase(self.confidence)
