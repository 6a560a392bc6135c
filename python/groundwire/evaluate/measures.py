"""The measures, as plain functions of labels, scores and counts.

Each has a brute-force twin in the tests. A weight of a record is how often a bootstrap resample
drew it; matrices of weights are resamples x records.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.evaluate.detectors.base import ScoredSpan
from groundwire.evaluate.numeric import np
from groundwire.evaluate.records import GoldSpan

_SPACE = re.compile(r"\s+")

Array = Any
"""A NumPy array; NumPy is an extra, so its types are not named here."""


def f1(tp: Array, predicted: Array, gold: Array) -> Array:
    """2 tp / (predicted + gold); 0 where there is nothing predicted and nothing to find."""
    both = np.asarray(predicted + gold, dtype=float)
    tp = np.broadcast_to(np.asarray(tp, dtype=float), both.shape)
    return np.divide(2.0 * tp, both, out=np.zeros(both.shape), where=both > 0)


def ratio(part: Array, whole: Array) -> Array:
    """Part / whole; NaN where the whole is 0."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=float), np.asarray(whole, dtype=float))
    return np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole > 0)


def balanced_accuracy(tp: Array, positives: Array, fp: Array, negatives: Array) -> Array:
    """Mean of the shares of hallucinated and of clean responses judged rightly."""
    return (ratio(tp, positives) + 1.0 - ratio(fp, negatives)) / 2.0


def character_scores(text: str, spans: Sequence[ScoredSpan]) -> Array:
    """Return the highest score over each character; 0 where nothing is doubted.

    White space that no span covers gets the lower score of its two neighbours, so that words
    flagged one by one make one stretch.
    """
    scores = np.zeros(len(text))
    for span in spans:
        part = scores[span.start : span.end]
        np.maximum(part, span.score, out=part)
    for gap in _SPACE.finditer(text):
        a, b = gap.span()
        if a > 0 and b < len(text) and not scores[a:b].any():
            scores[a:b] = min(scores[a - 1], scores[b])
    return scores


def character_mask(length: int, spans: Sequence[GoldSpan]) -> Array:
    """Return for each character whether a labelled span covers it."""
    mask = np.zeros(length, dtype=bool)
    for span in spans:
        mask[span.start : span.end] = True
    return mask


def flagged_runs(scores: Array, threshold: float) -> list[tuple[int, int]]:
    """Return the stretches whose characters all reach ``threshold`` and more than 0."""
    flagged = (scores >= threshold) & (scores > 0)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flagged, [False])).astype(np.int8)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


@dataclass(frozen=True)
class Ranking:
    """Labels and scores in the order of the scores, for measures of ranking.

    Equal scores are one step: no threshold can part them.
    """

    order: Array
    steps: Array
    positive: Array

    @classmethod
    def of(cls, labels: Array, scores: Array) -> Ranking:
        """Sort by score, highest first."""
        scores = np.asarray(scores, dtype=float)
        order = np.argsort(-scores, kind="stable")
        ranked = scores[order]
        steps = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1])))
        return cls(order, steps, np.asarray(labels, dtype=bool)[order])

    def totals(self, weights: Array) -> tuple[Array, Array]:
        """Return weight of hallucinated and of clean records at each step (resamples x steps)."""
        ranked = np.atleast_2d(weights)[:, self.order]
        if not len(self.steps):
            return ranked, ranked
        hit = np.add.reduceat(ranked * self.positive, self.steps, axis=1)
        miss = np.add.reduceat(ranked * ~self.positive, self.steps, axis=1)
        return hit, miss

    def auc(self, weights: Array) -> Array:
        """Area under the ROC curve of each resample, ties counted half; NaN without both labels.

        The chance that a hallucinated record scores above a clean one (Mann and Whitney, 1947).
        """
        hit, miss = self.totals(weights)
        positives, negatives = hit.sum(axis=1), miss.sum(axis=1)
        below = negatives[:, None] - np.cumsum(miss, axis=1)
        return ratio((hit * (below + miss / 2.0)).sum(axis=1), positives * negatives)

    def recall_at(self, rate: float, weights: Array) -> Array:
        """Highest recall of each resample at a false alarm rate of at most ``rate`` (0..1).

        The cut-off is the best that these very clean records allow, as published figures have it;
        it is a property of the ranking and no threshold to use.
        """
        hit, miss = self.totals(weights)
        positives, negatives = hit.sum(axis=1), miss.sum(axis=1)
        allowed = np.cumsum(miss, axis=1) <= rate * negatives[:, None] + 1e-9
        recall = ratio(np.cumsum(hit, axis=1), positives[:, None] * np.ones_like(hit))
        best = np.where(allowed, recall, 0.0).max(axis=1, initial=0.0)
        return np.where((positives > 0) & (negatives > 0), best, np.nan)


def best_f1_threshold(
    scores: Array,
    predicted: Array,
    true: Array,
    gold: float,
    *,
    within: tuple[float, float] = (0.0, math.inf),
) -> float | None:
    """Return the threshold with the highest F1, or ``None`` where no score is above 0.

    Args:
        scores: one a piece (a response, a stretch of characters).
        predicted: what flagging the piece counts as predicted.
        true: what of that is right.
        gold: all there is to find, whether anything scores it or not.
        within: the lowest and the highest score that may be the lowest one flagged.

    A threshold lies half-way to the next lower score, so that it does not hang on one record.
    Of equal values the highest threshold is taken: fewer flags.
    """
    cuts, sums = _cuts(scores, predicted, true)
    if cuts is None:
        return None
    values = f1(sums[1], sums[0], gold)
    allowed = (cuts >= within[0]) & (cuts <= within[1])
    if not allowed.any():
        return None
    return _between(cuts, int(np.argmax(np.where(allowed, values, -1.0))))


def best_balanced_threshold(scores: Array, labels: Array) -> float | None:
    """Return the threshold with the highest balanced accuracy; ``None`` without positive scores."""
    labels = np.asarray(labels, dtype=bool)
    cuts, sums = _cuts(scores, ~labels, labels)
    if cuts is None or labels.all() or not labels.any():
        return None
    value = balanced_accuracy(sums[1], labels.sum(), sums[0], (~labels).sum())
    return _between(cuts, int(np.argmax(value)))


def _cuts(scores: Array, first: Array, second: Array) -> tuple[Array, tuple[Array, Array]]:
    """Return distinct positive scores, highest first, and sums of what reaches each."""
    scores = np.asarray(scores, dtype=float)
    kept = np.flatnonzero(scores > 0)
    if not len(kept):
        return None, (kept, kept)
    order = kept[np.argsort(-scores[kept], kind="stable")]
    ranked = scores[order]
    last = np.flatnonzero(np.concatenate((ranked[1:] != ranked[:-1], [True])))
    sums = [np.cumsum(np.asarray(x, dtype=float)[order])[last] for x in (first, second)]
    return ranked[last], (sums[0], sums[1])


def _between(cuts: Array, at: int) -> float:
    return float((cuts[at] + cuts[at + 1]) / 2) if at + 1 < len(cuts) else float(cuts[at])


def rank_correlation(x: Array, y: Array) -> float:
    """Return Spearman's rank correlation, ties at their mean rank; NaN where one never varies."""
    a, b = (_ranks(np.asarray(v, dtype=float)) for v in (x, y))
    if len(a) < 2 or a.std() == 0 or b.std() == 0:
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])


def _ranks(values: Array) -> Array:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2.0)[inverse]
