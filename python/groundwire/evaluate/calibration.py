"""Thresholds: chosen on one part, used on another, never on the same.

A record that shipped thresholds were chosen on, and every record where a detector has none, gets
cross-fitted ones: what the folds without its source chose.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.evaluate.measures import best_balanced_threshold, best_f1_threshold, f1
from groundwire.evaluate.numeric import np
from groundwire.evaluate.records import Record
from groundwire.evaluate.scored import Scored, character_arrays

FOLDS = 5
FLAGS = ("qi", "hi", "kbi")
FEW = 5
"""Responses of a label below which nothing is said of ranking them or of balanced accuracy."""
MOST, LEAST = 0.95, 0.02
"""Shares of responses beyond which a threshold says nothing: everything is flagged, or nothing."""


@dataclass(frozen=True)
class Thresholds:
    """What counts as a verdict; a threshold is ``None`` where nothing could be chosen.

    Attributes:
        span: for characters, the highest span F1.
        example: for responses, the highest F1 that is not had by flagging all or none.
        balanced: for responses, the highest balanced accuracy.
        flags: for verdicts in a set's own terms, the highest F1 each.
        lm_weight: of a language model's score beside the detector's own.
        left_out: of thresholds for any set: by set, what they would be without it, and what that
            does on it (``groundwire.evaluate.any_set``).
    """

    span: float | None = None
    example: float | None = None
    balanced: float | None = None
    flags: Mapping[str, float | None] = field(default_factory=dict)
    lm_weight: float = 0.0
    left_out: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Thresholds:
        """Read one from JSON data."""
        return cls(
            data.get("span"),
            data.get("example"),
            data.get("balanced"),
            dict(data.get("flags") or {}),
            float(data.get("lm_weight") or 0.0),
        )


def choose(variants: Mapping[float, Sequence[Scored]]) -> Thresholds:
    """Choose thresholds, and a language model's weight, on records that are not reported.

    The weight is that with the highest span F1, or example F1 where no stretch is labelled.
    """
    best: tuple[float, Thresholds] | None = None
    for weight, scored in variants.items():
        value, chosen = _choose(scored, weight)
        if best is None or value > best[0]:
            best = (value, chosen)
    return best[1] if best is not None else Thresholds()


def _choose(scored: Sequence[Scored], weight: float) -> tuple[float, Thresholds]:
    scores = np.array([s.score for s in scored])
    labels = np.array([s.record.hallucinated for s in scored], dtype=bool)
    ones = np.ones(len(scored))
    characters, gold = character_arrays([s for s in scored if spans_count(s.record)])
    example = None
    if len(scored):
        allowed = (
            sensible(scores, labels) if min(labels.sum(), (~labels).sum()) >= FEW else (0, math.inf)
        )
        example = best_f1_threshold(scores, ones, labels, labels.sum(), within=allowed)
    span = None
    value = _f1_at(scores, labels, example)
    if gold.any():
        span = best_f1_threshold(characters, np.ones(len(gold)), gold, gold.sum())
        value = _f1_at(characters, gold, span)
    flags: dict[str, float | None] = {}
    for name in FLAGS:
        truth = [s.record.extra.get(name) for s in scored]
        if any(isinstance(t, bool) for t in truth):
            right = np.array([bool(t) for t in truth])
            given = np.array([s.flags.get(name, 0.0) for s in scored])
            flags[name] = best_f1_threshold(given, ones, right, right.sum())
    chosen = Thresholds(span, example, best_balanced_threshold(scores, labels), flags, weight)
    return value, chosen


def sensible(scores: Any, labels: Any) -> tuple[float, float]:
    """Return the lowest and highest score at which a threshold neither flags all nor none.

    It flags at most ``MOST`` of the responses, or their hallucinated share where that is more, and
    at least ``LEAST``, or that share where it is less. Where scores allow no such threshold, any
    is as good: 0 and infinity.
    """
    size = len(scores)
    share = float(labels.mean()) if size else 0.0
    cuts = np.unique(scores[scores > 0])
    flagged = (size - np.searchsorted(np.sort(scores), cuts, side="left")) / max(size, 1)
    fits = cuts[(flagged >= min(LEAST, share)) & (flagged <= max(MOST, share))]
    return (float(fits[0]), float(fits[-1])) if len(fits) else (0.0, math.inf)


def degenerate(scored: Sequence[Scored], thresholds: Sequence[Thresholds]) -> str | None:
    """Say that thresholds flag nearly all responses of a set, or hardly any; else ``None``.

    As for ``sensible``, and nothing is said where a label has fewer than ``FEW`` responses, or
    where no threshold at all would do better.
    """
    labels = np.array([s.record.hallucinated for s in scored], dtype=bool)
    if min(labels.sum(), (~labels).sum()) < FEW:
        return None
    scores = np.array([s.score for s in scored], dtype=float)
    if sensible(scores, labels) == (0.0, math.inf):
        return None
    bars = np.array([math.inf if t.example is None else t.example for t in thresholds])
    flagged = float(((scores > 0) & (scores >= bars)).mean())
    share = float(labels.mean())
    if min(LEAST, share) <= flagged <= max(MOST, share):
        return None
    advice = "choose thresholds for such texts (--tune)"
    if all(t.example is None for t in thresholds):
        advice = "no threshold could be chosen; answers of one source alone leave none to choose on"
    return (
        f"{100 * flagged:.1f} % of the answers are flagged, {100 * share:.1f} % are hallucinated; "
        + advice
    )


def spans_count(record: Record) -> bool:
    """Say whether a record takes part in measures of stretches.

    A hallucinated response without a labelled stretch does not: where it is wrong is unknown.
    """
    return bool(record.spans) or not record.hallucinated


def _f1_at(scores: Any, labels: Any, threshold: float | None) -> float:
    flagged = scores >= (math.inf if threshold is None else threshold)
    return float(f1((flagged & labels).sum(), flagged.sum(), labels.sum()))


def fold_of(group: str, folds: int = FOLDS) -> int:
    """Return the fold of a source: by its hash, so the same on every machine."""
    return group_hash(group) % folds


def cross_fit(variants: Mapping[float, Sequence[Scored]]) -> tuple[list[Scored], list[Thresholds]]:
    """Return each record, and the thresholds that the folds without its source chose for it."""
    first = next(iter(variants.values()))
    folds = [fold_of(s.record.group) for s in first]
    chosen: dict[int, Thresholds] = {}
    for fold in set(folds):
        rest = {
            weight: [s for s, f in zip(scored, folds, strict=True) if f != fold]
            for weight, scored in variants.items()
        }
        chosen[fold] = choose(rest)
    thresholds = [chosen[fold] for fold in folds]
    return pick(variants, thresholds), thresholds


def pick(
    variants: Mapping[float, Sequence[Scored]], thresholds: Sequence[Thresholds]
) -> list[Scored]:
    """Return each record as its thresholds' weight has it."""
    any_weight = next(iter(variants))
    return [
        variants[t.lm_weight if t.lm_weight in variants else any_weight][i]
        for i, t in enumerate(thresholds)
    ]


def group_hash(text: str) -> int:
    """Return a hash of a source's name, the same on every machine."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
