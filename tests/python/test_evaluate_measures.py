"""Every measure against a slow, obvious twin, and on cases worked out by hand."""

from __future__ import annotations

import itertools
import random

import pytest

np = pytest.importorskip("numpy")

from groundwire.evaluate.bootstrap import Bootstrap  # noqa: E402
from groundwire.evaluate.detectors.base import ScoredSpan  # noqa: E402
from groundwire.evaluate.measures import (  # noqa: E402
    Ranking,
    balanced_accuracy,
    best_balanced_threshold,
    best_f1_threshold,
    character_mask,
    character_scores,
    f1,
    flagged_runs,
    rank_correlation,
)
from groundwire.evaluate.records import GoldSpan  # noqa: E402

CASES = [
    ([True, False, True, False], [0.9, 0.1, 0.4, 0.4]),
    ([True, True, False], [0.5, 0.5, 0.5]),
    ([False, True, False, True, True, False], [0.2, 0.2, 0.9, 0.0, 1.0, 0.0]),
]


def drawn(seed: int):
    rng = random.Random(seed)
    n = rng.randint(2, 30)
    labels = [rng.random() < 0.4 for _ in range(n)]
    scores = [rng.choice([0.0, 0.1, 0.2, 0.5, 0.5, 0.7, 1.0]) for _ in range(n)]
    return labels, scores


ALL = [*CASES, *(drawn(seed) for seed in range(60))]


def slow_auc(labels, scores):
    pairs = [
        1.0 if a > b else 0.5 if a == b else 0.0
        for a, x in zip(scores, labels, strict=True)
        if x
        for b, y in zip(scores, labels, strict=True)
        if not y
    ]
    return sum(pairs) / len(pairs) if pairs else float("nan")


def slow_recall_at(labels, scores, rate):
    positives, negatives = sum(labels), len(labels) - sum(labels)
    if not positives or not negatives:
        return float("nan")
    best = 0.0
    for bar in sorted({*scores, 2.0}):
        hit = sum(x and s >= bar for s, x in zip(scores, labels, strict=True))
        miss = sum(not x and s >= bar for s, x in zip(scores, labels, strict=True))
        if miss / negatives <= rate:
            best = max(best, hit / positives)
    return best


@pytest.mark.parametrize(("labels", "scores"), ALL)
def test_ranking_measures_equal_their_slow_twins(labels, scores) -> None:
    ranking, one = Ranking.of(np.array(labels), np.array(scores)), np.ones((1, len(labels)))
    assert ranking.auc(one)[0] == pytest.approx(slow_auc(labels, scores), nan_ok=True)
    for rate in (0.01, 0.05, 0.1, 0.34, 1.0):
        expected = slow_recall_at(labels, scores, rate)
        assert ranking.recall_at(rate, one)[0] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(("labels", "scores"), ALL[:20])
def test_weights_are_repetitions(labels, scores) -> None:
    counts = [(i * 7) % 3 for i in range(len(labels))]
    repeated = [(x, s) for x, s, n in zip(labels, scores, counts, strict=True) for _ in range(n)]
    ranking = Ranking.of(np.array(labels), np.array(scores))
    weights = np.array([counts], dtype=float)
    flat = [x for x, _ in repeated], [s for _, s in repeated]
    assert ranking.auc(weights)[0] == pytest.approx(slow_auc(*flat), nan_ok=True)
    expected = slow_recall_at(*flat, 0.2)
    assert ranking.recall_at(0.2, weights)[0] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(("labels", "scores"), ALL)
def test_best_thresholds_are_the_best_there_are(labels, scores) -> None:
    labels, scores = np.array(labels), np.array(scores)

    def value_f1(bar):
        said = (scores > 0) & (scores >= bar)
        return f1((said & labels).sum(), said.sum(), labels.sum())

    bar = best_f1_threshold(scores, np.ones(len(labels)), labels, labels.sum())
    bars = [s for s in scores if s > 0]
    if bar is None:
        assert not bars
    else:
        assert value_f1(bar) == pytest.approx(max(value_f1(b) for b in bars))
    fair = best_balanced_threshold(scores, labels)
    if fair is not None:

        def value_fair(b):
            said = (scores > 0) & (scores >= b)
            return balanced_accuracy(
                (said & labels).sum(), labels.sum(), (said & ~labels).sum(), (~labels).sum()
            )

        assert value_fair(fair) == pytest.approx(max(value_fair(b) for b in bars))


def test_a_threshold_lies_between_scores_and_equal_values_flag_less() -> None:
    scores = np.array([0.8, 0.4, 0.2])
    labels = np.array([True, False, False])
    assert best_f1_threshold(scores, np.ones(3), labels, 1) == pytest.approx(0.6)
    assert best_f1_threshold(np.zeros(3), np.ones(3), labels, 1) is None


def test_by_hand() -> None:
    # Two right of three said and four there: 2 * 2 / 7.
    assert f1(np.array(2.0), np.array(3.0), np.array(4.0)) == pytest.approx(4 / 7)
    assert f1(np.array(0.0), np.array(0.0), np.array(0.0)) == 0.0
    # Half of the hallucinated, three quarters of the clean.
    assert balanced_accuracy(1.0, 2.0, 1.0, 4.0) == pytest.approx(0.625)
    assert rank_correlation([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1.0)
    # d = 0, 1, -1, 0: 1 - 6 * 2 / (4 * 15).
    assert rank_correlation([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert np.isnan(rank_correlation([1, 1], [1, 2]))


def test_characters_take_the_highest_score_and_words_join() -> None:
    text = "ab cd ef"
    spans = [ScoredSpan(0, 2, 0.4, 2), ScoredSpan(3, 5, 0.9, 5), ScoredSpan(4, 5, 0.1, 8)]
    scores = character_scores(text, spans)
    assert scores.tolist() == [0.4, 0.4, 0.4, 0.9, 0.9, 0, 0, 0]
    assert flagged_runs(scores, 0.4) == [(0, 5)]
    assert flagged_runs(scores, 0.5) == [(3, 5)]
    assert flagged_runs(np.zeros(3), 0.0) == [], "a score of 0 is never a verdict"
    mask = character_mask(6, [GoldSpan(1, 3), GoldSpan(2, 5)])
    assert mask.tolist() == [False, True, True, True, True, False]


def test_the_bootstrap_draws_whole_sources() -> None:
    groups = ["a", "a", "b", "c", "c", "c"]
    bootstrap = Bootstrap(groups, resamples=300, seed=3)
    weights = bootstrap.weights
    assert weights.shape == (300, 6)
    for one, two in ((0, 1), (3, 4), (4, 5)):
        assert (weights[:, one] == weights[:, two]).all()
    assert (bootstrap.draws.sum(axis=1) == 3).all()
    counts = np.arange(12.0).reshape(6, 2)
    slow = np.stack([(w[:, None] * counts).sum(axis=0) for w in weights])
    assert np.allclose(bootstrap.sums(counts), slow)
    again = Bootstrap(groups, resamples=300, seed=3)
    assert (again.draws == bootstrap.draws).all()


def test_an_interval_holds_the_middle_of_all_resamples() -> None:
    # Two sources: the resamples are aa, ab, ba, bb, so the mean is 0, .5 or 1.
    bootstrap = Bootstrap(["a", "b"], resamples=4000, seed=1)
    value, interval = bootstrap.of_counts(
        np.array([[0.0, 1.0], [1.0, 1.0]]), lambda c: c[:, 0] / c[:, 1]
    )
    assert value == 0.5
    assert interval == [0.0, 1.0]
    shares = [((bootstrap.draws[:, 1] == k).mean()) for k in (0, 1, 2)]
    assert np.allclose(shares, [0.25, 0.5, 0.25], atol=0.03)
    assert Bootstrap(["a", "a"], 10).of_counts(np.ones((2, 1)), lambda c: c[:, 0])[1] is None


def test_span_f1_by_sets_of_characters() -> None:
    rng = random.Random(5)
    for _ in range(50):
        size = rng.randint(1, 40)
        text = "x" * size

        places = range(size + 1)

        def span(places=places):
            a, b = sorted(rng.sample(places, 2))
            return a, b

        said = [(*span(), rng.random()) for _ in range(rng.randint(0, 4))]
        gold = [span() for _ in range(rng.randint(0, 3))]
        bar = rng.random()
        flagged = set(itertools.chain(*(range(a, b) for a, b, s in said if s >= bar)))
        wanted = set(itertools.chain(*(range(a, b) for a, b in gold)))
        scores = character_scores(text, [ScoredSpan(a, b, s, size) for a, b, s in said])
        mask = character_mask(size, [GoldSpan(a, b) for a, b in gold])
        hit = scores >= bar
        assert set(np.flatnonzero(hit & (scores > 0))) == flagged
        both = len(flagged) + len(wanted)
        expected = 2 * len(flagged & wanted) / both if both else 0.0
        assert f1((hit & mask).sum(), hit.sum(), mask.sum()) == pytest.approx(expected)
