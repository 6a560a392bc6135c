"""Measures in a set's own terms: CI-ToD, BUMP, HALLMARK, WiCE, FActScore.

Every function takes the records with the thresholds that hold for each, and returns values and
intervals by measure; sets it does not know give none.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from groundwire.evaluate.bootstrap import Bootstrap
from groundwire.evaluate.calibration import FLAGS, Thresholds
from groundwire.evaluate.forms import HALLMARK, WICE
from groundwire.evaluate.measures import f1, rank_correlation, ratio
from groundwire.evaluate.numeric import np
from groundwire.evaluate.scored import Scored

Values = dict[str, Any]


def own_terms(
    scored: Sequence[Scored], thresholds: Sequence[Thresholds], bootstrap: Bootstrap
) -> Values:
    """Return the measures that the records' own fields call for."""
    extra = scored[0].record.extra
    found: Values = {}
    if all(name in extra for name in FLAGS):
        found |= citod(scored, thresholds, bootstrap)
    if "pair" in extra:
        found |= bump(scored)
    if scored[0].record.set == HALLMARK:
        found |= hallmark(scored, thresholds, bootstrap)
    if scored[0].record.set == WICE and isinstance(extra.get("tokens"), list):
        found |= wice(scored, thresholds, bootstrap)
    if isinstance(extra.get("facts"), dict):
        found |= factscore(scored)
    return found


def citod(
    scored: Sequence[Scored], thresholds: Sequence[Thresholds], bootstrap: Bootstrap
) -> Values:
    """F1 of QI, HI and KBI and overall accuracy, as CI-ToD's own ``evaluate.py`` has them.

    F1 is that of the inconsistent ones; an answer counts as right overall where all three are.
    """
    counts: dict[str, Any] = {}
    wrong = np.zeros(len(scored), dtype=bool)
    for name in FLAGS:
        truth = np.array([bool(s.record.extra.get(name)) for s in scored])
        given = np.array([s.flags.get(name, 0.0) for s in scored])
        bars = np.array([_bar(t.flags.get(name)) for t in thresholds])
        said = (given > 0) & (given >= bars)
        wrong |= said != truth
        counts[f"{name}_f1"] = np.stack([said & truth, said, truth], axis=1)
    found: Values = {}
    for name, columns in counts.items():
        _put(found, name, bootstrap.of_counts(columns, lambda c: f1(c[:, 0], c[:, 1], c[:, 2])))
    right = np.stack([~wrong, np.ones(len(scored))], axis=1)
    _put(found, "overall_accuracy", bootstrap.of_counts(right, lambda c: ratio(c[:, 0], c[:, 1])))
    return found


def bump(scored: Sequence[Scored]) -> Values:
    """Share of pairs whose edited summary scores worse than the other, ties counted half.

    In all and for each error type, with the interval of a pair bootstrap.
    """
    pairs: dict[Any, dict[bool, Scored]] = defaultdict(dict)
    for item in scored:
        pairs[item.record.extra["pair"]][item.record.hallucinated] = item
    whole = [(p[True], p[False]) for p in pairs.values() if len(p) == 2]
    if not whole:
        return {}
    wins = np.array(
        [1.0 if a.score > b.score else 0.5 if a.score == b.score else 0.0 for a, b in whole]
    )
    bootstrap = Bootstrap([edited.record.group for edited, _ in whole])
    found: Values = {}
    columns = np.stack([wins, np.ones(len(wins))], axis=1)
    _put(found, "pairs_won", bootstrap.of_counts(columns, lambda c: ratio(c[:, 0], c[:, 1])))
    found["pairs_tied"] = float((wins == 0.5).mean())
    types: dict[str, list[float]] = defaultdict(list)
    for (edited, _), win in zip(whole, wins, strict=True):
        types[_slug(edited.record.extra.get("error_type"))].append(float(win))
    for name, values in sorted(types.items()):
        found[f"pairs_won_{name}"] = sum(values) / len(values)
    return found


def hallmark(
    scored: Sequence[Scored], thresholds: Sequence[Thresholds], bootstrap: Bootstrap
) -> Values:
    """Detection rate, F1, false positive rate, tier-weighted F1, and detection rate by error type.

    As HALLMARK's own ``evaluation/metrics.py`` defines them: an entry of difficulty tier k counts k
    times in the weighted F1, a valid one once.
    """
    bad = np.array([s.record.hallucinated for s in scored])
    said = np.array(
        [
            s.score > 0 and s.score >= _bar(t.example)
            for s, t in zip(scored, thresholds, strict=True)
        ]
    )
    tier = np.array([float(s.record.extra.get("difficulty_tier") or 1) for s in scored])
    found: Values = {}
    columns = np.stack([bad & said, bad, ~bad & said, ~bad, said], axis=1)
    for name, measure in (
        ("detection_rate", lambda c: ratio(c[:, 0], c[:, 1])),
        ("false_positive_rate", lambda c: ratio(c[:, 2], c[:, 3])),
        ("hallmark_f1", lambda c: f1(c[:, 0], c[:, 4], c[:, 1])),
    ):
        _put(found, name, bootstrap.of_counts(columns, measure))
    weighed = np.stack(
        [tier * (bad & said), tier * (bad & said) + (~bad & said), tier * bad], axis=1
    )
    _put(
        found,
        "tier_weighted_f1",
        bootstrap.of_counts(weighed, lambda c: f1(c[:, 0], c[:, 1], c[:, 2])),
    )
    types: dict[str, list[bool]] = defaultdict(list)
    for item, hit in zip(scored, said, strict=True):
        if item.record.hallucinated:
            types[_slug(item.record.extra.get("error_type"))].append(bool(hit))
    for name, hits in sorted(types.items()):
        found[f"detection_rate_{name}"] = sum(hits) / len(hits)
    return found


def wice(
    scored: Sequence[Scored], thresholds: Sequence[Thresholds], bootstrap: Bootstrap
) -> Values:
    """Precision, recall and F1 over WiCE's own tokens that the article does not support.

    A token is flagged where any of its characters is.
    """
    counts = np.zeros((len(scored), 3))
    for i, (item, limits) in enumerate(zip(scored, thresholds, strict=True)):
        flagged = (item.characters > 0) & (item.characters >= _bar(limits.span))
        extra = item.record.extra
        for (start, end), gold in zip(extra["tokens"], extra["unsupported"], strict=True):
            said = bool(flagged[start:end].any())
            counts[i] += (said and gold, said, gold)
    found: Values = {}
    for name, measure in (
        ("token_precision", lambda c: ratio(c[:, 0], c[:, 1])),
        ("token_recall", lambda c: ratio(c[:, 0], c[:, 2])),
        ("token_f1", lambda c: f1(c[:, 0], c[:, 1], c[:, 2])),
    ):
        _put(found, name, bootstrap.of_counts(counts, measure))
    return found


def factscore(scored: Sequence[Scored]) -> Values:
    """Rank correlation of a biography's score with the share of its facts that are not entailed."""
    pairs = [
        (s.score, sum(v != "entailment" for v in facts.values()) / len(facts))
        for s in scored
        if (facts := s.record.extra.get("facts"))
    ]
    if not pairs:
        return {}
    value = rank_correlation([a for a, _ in pairs], [b for _, b in pairs])
    return {} if math.isnan(value) else {"fact_error_rank_correlation": value}


def _put(found: Values, name: str, value: tuple[float, list[float] | None]) -> None:
    if math.isnan(value[0]):
        return
    found[name] = value[0]
    if value[1] is not None:
        found[f"{name}_ci"] = value[1]


def _bar(threshold: float | None) -> float:
    return math.inf if threshold is None else threshold


def _slug(name: Any) -> str:
    return "_".join(str(name or "unnamed").lower().replace("-", " ").split())
