"""Thresholds for sets that nobody tuned on (``*``), chosen on sets that count alike.

Pooled records would let the largest set decide, and the highest F1 in a set of which two thirds are
hallucinated is had by flagging everything. So each set counts the same, whatever its size, by its
balanced accuracy, which does not depend on how many of its answers are hallucinated: the threshold
with the highest mean over the sets is taken, of equal ones the highest, since a false alarm is
worse than a miss. Where some set would be flagged nearly whole or hardly at all by it, the nearest
threshold is taken that does so to none. (The best thresholds of single sets are a noisy thing, and
their median little less so: on a set left out it did worse.) For stretches, of which few sets have
any, and for flags it is the median of the sets' best ones, of two middle ones the higher.

What such a threshold does on a set that had no say is measured by leaving out one set at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from groundwire.evaluate.calibration import FEW, FLAGS, Thresholds, choose, sensible
from groundwire.evaluate.measures import balanced_accuracy, f1
from groundwire.evaluate.numeric import np
from groundwire.evaluate.scored import Scored, variants

Sets = Mapping[str, Sequence[Scored]]
"""Records with their verdicts by the set they are of."""


def for_any(sets: Sets) -> Thresholds:
    """Return thresholds for sets that are none of these, and what they would do on each of these.

    ``example`` and ``balanced`` are one threshold, since how many answers of an unknown set are
    hallucinated is not known. Sets with fewer than ``FEW`` answers of a label have no vote on it,
    those without labelled stretches none on ``span``. The weight of a language model is that with
    the best result on all sets together.
    """
    everything = [item for part in sets.values() for item in part]
    pooled = choose(variants(everything))
    weighed = {name: _weighed(part, pooled.lm_weight) for name, part in sets.items()}
    votes = {name: choose({pooled.lm_weight: part}) for name, part in weighed.items()}
    answers = {name: part for name, part in weighed.items() if _both_labels(part)}
    found = replace(
        pooled,
        example=_of_answers(answers) if answers else pooled.example,
        balanced=_of_answers(answers) if answers else pooled.balanced,
        span=_median([vote.span for vote in votes.values()]),
        flags={
            flag: _median([vote.flags.get(flag) for vote in votes.values()])
            for flag in FLAGS
            if any(flag in vote.flags for vote in votes.values())
        },
    )
    if len(answers) < 3:
        return found
    left_out = {}
    for name, part in answers.items():
        others = {other: answers[other] for other in answers if other != name}
        threshold = _of_answers(others)
        left_out[name] = {} if threshold is None else effect(part, threshold)
    return replace(found, left_out=left_out)


def effect(scored: Sequence[Scored], threshold: float) -> dict[str, float]:
    """Return a threshold, the share of responses it flags, and what comes of it."""
    scores, labels = arrays(scored)
    said = (scores > 0) & (scores >= threshold)
    hit, false = (said & labels).sum(), (said & ~labels).sum()
    return {
        "threshold": threshold,
        "flagged": float(said.mean()),
        "example_f1": float(f1(hit, said.sum(), labels.sum())),
        "balanced_accuracy": float(balanced_accuracy(hit, labels.sum(), false, (~labels).sum())),
    }


def arrays(scored: Sequence[Scored]) -> tuple[Any, Any]:
    """Return scores and labels of responses."""
    labels = np.array([s.record.hallucinated for s in scored], dtype=bool)
    return np.array([s.score for s in scored], dtype=float), labels


def _of_answers(sets: Sets) -> float | None:
    measured = [arrays(part) for part in sets.values()]
    scores = np.concatenate([given for given, _ in measured])
    cuts = np.unique(scores[scores > 0])[::-1]
    if not len(cuts):
        return None
    means = sum(_balanced(given, labels, cuts) for given, labels in measured)
    at = int(np.argmax(means))
    best = float(cuts[at] + cuts[min(at + 1, len(cuts) - 1)]) / 2
    bounds = [sensible(given, labels) for given, labels in measured]
    low, high = max(b[0] for b in bounds), min(b[1] for b in bounds)
    # Where the sets leave no room in common, the best stands.
    return best if low > high else min(max(best, low), high)


def _balanced(scores: Any, labels: Any, cuts: Any) -> Any:
    """Return the balanced accuracy at each of some thresholds above 0."""
    reached = [
        len(part) - np.searchsorted(np.sort(part), cuts, side="left")
        for part in (scores[labels], scores[~labels])
    ]
    return balanced_accuracy(reached[0], labels.sum(), reached[1], (~labels).sum())


def _median(votes: Sequence[float | None]) -> float | None:
    given = sorted(vote for vote in votes if vote is not None)
    return given[len(given) // 2] if given else None


def _both_labels(scored: Sequence[Scored]) -> bool:
    wrong = sum(s.record.hallucinated for s in scored)
    return min(wrong, len(scored) - wrong) >= FEW


def _weighed(scored: Sequence[Scored], weight: float) -> Sequence[Scored]:
    found = variants(scored)
    return found.get(weight, next(iter(found.values())))
