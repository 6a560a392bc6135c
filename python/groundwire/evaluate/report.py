"""Every measure of one detector on one set in one mode."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from groundwire.evaluate.bootstrap import Bootstrap
from groundwire.evaluate.calibration import FEW, Thresholds, spans_count
from groundwire.evaluate.delay import BINS, delays, first_alarm_early
from groundwire.evaluate.detectors.base import Mode
from groundwire.evaluate.measures import (
    Array,
    Ranking,
    balanced_accuracy,
    f1,
    flagged_runs,
    ratio,
)
from groundwire.evaluate.numeric import np
from groundwire.evaluate.own_terms import own_terms
from groundwire.evaluate.scored import Scored

RATES = ((0.01, "recall_at_1_percent_false_alarms"), (0.05, "recall_at_5_percent_false_alarms"),
         (0.10, "recall_at_10_percent_false_alarms"))  # fmt: skip

Values = dict[str, Any]
Measure = Callable[[Array], Array]


def measures(
    scored: Sequence[Scored],
    thresholds: Sequence[Thresholds],
    mode: Mode,
    bootstrap: Bootstrap,
    *,
    finds_spans: bool = True,
) -> Values:
    """Return value and interval of every measure that the labels allow.

    ``thresholds`` holds one a record, since folds differ; ``finds_spans`` is false of detectors
    that only score responses. A measure that nothing can be said of
    (no stretch is labelled, one label is missing) is left out.
    """
    found: Values = {"records": len(scored)}
    found["hallucinated"] = sum(s.record.hallucinated for s in scored)
    _examples(found, scored, thresholds, bootstrap)
    if finds_spans:
        _spans(found, scored, thresholds, bootstrap)
        _false_alarms(found, scored, thresholds, bootstrap)
        if mode != "whole":
            _delays(found, scored, thresholds, bootstrap)
    found |= own_terms(scored, thresholds, bootstrap)
    _cost(found, scored)
    return found


def _examples(
    found: Values, scored: Sequence[Scored], thresholds: Sequence[Thresholds], bootstrap: Bootstrap
) -> None:
    labels = np.array([s.record.hallucinated for s in scored], dtype=bool)
    scores = np.array([s.score for s in scored])
    said = (scores > 0) & (scores >= _bars([t.example for t in thresholds]))
    columns = np.stack([said & labels, said, labels], axis=1)
    for name, measure in _prf("example"):
        _put(found, name, bootstrap.of_counts(columns, measure))
    if min(labels.sum(), (~labels).sum()) < FEW:
        return
    fair = (scores > 0) & (scores >= _bars([t.balanced for t in thresholds]))
    columns = np.stack([fair & labels, labels, fair & ~labels, ~labels], axis=1)
    value = bootstrap.of_counts(
        columns, lambda c: balanced_accuracy(c[:, 0], c[:, 1], c[:, 2], c[:, 3])
    )
    _put(found, "balanced_accuracy", value)
    ranking = Ranking.of(labels, scores)
    one, weights = np.ones((1, len(scored))), bootstrap.weights
    _put(found, "roc_auc", (ranking.auc(one)[0], bootstrap.interval(ranking.auc(weights))))
    for rate, name in RATES:
        drawn = bootstrap.interval(ranking.recall_at(rate, weights))
        _put(found, name, (ranking.recall_at(rate, one)[0], drawn))


def _spans(
    found: Values, scored: Sequence[Scored], thresholds: Sequence[Thresholds], bootstrap: Bootstrap
) -> None:
    if not any(s.record.spans for s in scored):
        return
    counts = np.zeros((len(scored), 3))
    for i, (item, limits) in enumerate(zip(scored, thresholds, strict=True)):
        if spans_count(item.record):
            flagged = (item.characters > 0) & (item.characters >= _bar(limits.span))
            counts[i] = (flagged & item.gold).sum(), flagged.sum(), item.gold.sum()
    for name, measure in _prf("span"):
        _put(found, name, bootstrap.of_counts(counts, measure))


def _false_alarms(
    found: Values, scored: Sequence[Scored], thresholds: Sequence[Thresholds], bootstrap: Bootstrap
) -> None:
    """Flagged stretches in clean responses; by the span threshold, else that of responses."""
    counts = np.zeros((len(scored), 2))
    for i, (item, limits) in enumerate(zip(scored, thresholds, strict=True)):
        if not item.record.hallucinated:
            bar = limits.example if limits.span is None else limits.span
            runs = flagged_runs(item.characters, _bar(bar))
            counts[i] = len(runs), len(item.record.tokens)
    value = bootstrap.of_counts(counts, lambda c: 1000.0 * ratio(c[:, 0], c[:, 1]))
    _put(found, "false_alarms_per_1000_clean_tokens", value)


def _delays(
    found: Values, scored: Sequence[Scored], thresholds: Sequence[Thresholds], bootstrap: Bootstrap
) -> None:
    counts = np.zeros((len(scored), len(BINS) + 1))
    early = np.zeros((len(scored), 2))
    onset: list[int] = []
    end: list[int] = []
    for i, (item, limits) in enumerate(zip(scored, thresholds, strict=True)):
        bar = _bar(limits.span)
        for delay in delays(item.record, item.spans, bar):
            counts[i, BINS.index(delay.bin)] += 1
            counts[i, -1] += 1
            if delay.onset is not None and delay.end is not None:
                onset.append(delay.onset)
                end.append(delay.end)
        if item.record.spans:
            early[i] = first_alarm_early(item.record, item.spans, bar), 1
    if not counts[:, -1].any():
        return
    for at, name in enumerate(BINS):
        columns = counts[:, [at, -1]]
        value = bootstrap.of_counts(columns, lambda c: ratio(c[:, 0], c[:, 1]))
        _put(found, f"delay_{name}", value)
    _put(found, "first_alarm_early", bootstrap.of_counts(early, lambda c: ratio(c[:, 0], c[:, 1])))
    for name, values in (("onset", onset), ("end", end)):
        if values:
            found[f"delay_from_{name}_p50"] = float(np.percentile(values, 50))
            found[f"delay_from_{name}_p90"] = float(np.percentile(values, 90))


def _cost(found: Values, scored: Sequence[Scored]) -> None:
    """Time of tokens, and of whole answers with what is done before and after their tokens."""
    micros = [m for s in scored for m in s.micros]
    if micros:
        found["us_per_token_p50"] = float(np.percentile(micros, 50))
        found["us_per_token_p99"] = float(np.percentile(micros, 99))
        found["us_per_token_mean"] = float(np.mean(micros))
    spent = [(sum(s.micros) + s.micros_around) / 1000 for s in scored if s.micros]
    if spent:
        found["ms_per_response_p50"] = float(np.percentile(spent, 50))
        found["ms_per_response_p99"] = float(np.percentile(spent, 99))


def _prf(what: str) -> tuple[tuple[str, Measure], ...]:
    """Return precision, recall and F1 of columns (right, said, gold)."""
    return (
        (f"{what}_precision", lambda c: ratio(c[:, 0], c[:, 1])),
        (f"{what}_recall", lambda c: ratio(c[:, 0], c[:, 2])),
        (f"{what}_f1", lambda c: f1(c[:, 0], c[:, 1], c[:, 2])),
    )


def _put(found: Values, name: str, value: tuple[float, list[float] | None]) -> None:
    if not math.isfinite(value[0]):
        return
    found[name] = float(value[0])
    if value[1] is not None:
        found[f"{name}_ci"] = value[1]


def _bar(threshold: float | None) -> float:
    return math.inf if threshold is None else threshold


def _bars(thresholds: Sequence[float | None]) -> Array:
    return np.array([_bar(t) for t in thresholds])
