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


@dataclass(frozen=True)
class Thresholds:
    """What counts as a verdict; a threshold is ``None`` where nothing could be chosen.

    Attributes:
        span: for characters, the highest span F1.
        example: for responses, the highest F1.
        balanced: for responses, the highest balanced accuracy.
        flags: for verdicts in a set's own terms, the highest F1 each.
        lm_weight: of a language model's score beside the detector's own.
    """

    span: float | None = None
    example: float | None = None
    balanced: float | None = None
    flags: Mapping[str, float | None] = field(default_factory=dict)
    lm_weight: float = 0.0

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
    example = best_f1_threshold(scores, ones, labels, labels.sum()) if len(scored) else None
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
