"""Everything a run reports, against the same by slow and obvious formulas.

Records and verdicts are drawn; the thresholds are given, so that nothing is chosen on the way.
"""

from __future__ import annotations

import random
import re
import statistics
from pathlib import Path

import pytest

pytest.importorskip("numpy")

import numpy as np

from groundwire.evaluate import runner
from groundwire.evaluate.data import record
from groundwire.evaluate.detectors import Judgement, ScoredSpan, detector
from groundwire.evaluate.detectors.base import in_time
from groundwire.evaluate.threshold_file import ThresholdFile

SPAN, EXAMPLE, BALANCED = 0.5, 0.6, 0.3
FILE = ThresholdFile(
    {
        "schema_version": 1,
        "data": {},
        "thresholds": {
            "drawn": {
                mode: {"*": {"span": SPAN, "example": EXAMPLE, "balanced": BALANCED}}
                for mode in ("word", "sentence", "whole")
            }
        },
    }
)


def drawn_record(rng, n):
    words = [f"w{rng.randint(0, 99)}" for _ in range(rng.randint(4, 30))]
    text = " ".join(words) + "."
    wrong = rng.random() < 0.5
    spans = []
    if wrong and rng.random() < 0.9:
        for _ in range(rng.randint(1, 2)):
            a, b = sorted(rng.sample(range(len(text) + 1), 2))
            spans.append({"start": a, "end": b})
    extra = {"source_id": n // 2}
    return record(
        {"id": str(n), "response": text, "hallucinated": wrong, "spans": spans, "extra": extra}
    )


class Drawn:
    """Stretches of whole words with scores, said when they end or a little later."""

    name = "drawn"

    def judge(self, item, mode):
        rng = random.Random(item.id)
        spans = []
        for _ in range(rng.randint(0, 4)):
            a = rng.randrange(len(item.tokens))
            b = min(a + rng.randint(0, 5), len(item.tokens) - 1)
            read = min(b + rng.randint(0, 2), len(item.tokens) - 1)
            score = rng.choice([0.2, 0.4, 0.5, 0.55, 0.7, 0.9])
            spans.append(
                ScoredSpan(item.tokens[a][0], item.tokens[b][1], score, item.tokens[read][1])
            )
        micros = tuple(rng.uniform(0.5, 9) for _ in item.tokens)
        return Judgement(tuple(spans), None, micros=micros)


@pytest.fixture(scope="module")
def world():
    rng = random.Random(11)
    return [drawn_record(rng, n) for n in range(80)]


@pytest.fixture(scope="module")
def measured(world):
    done = runner.run_all({"mine": world}, [Drawn()], file=FILE, resamples=40)
    assert set(done.thresholds["mine"]["drawn"].values()) == {"*"}
    return done.sets["mine"]["drawn"]


def said(item, mode):
    return in_time(item, mode, Drawn().judge(item, mode).spans)


def by_character(item, spans):
    """Return the highest score of each character; spaces between two take the lower of both."""
    scores = [max([s.score for s in spans if s.start <= i < s.end], default=0.0)
              for i in range(len(item.response))]  # fmt: skip
    for gap in re.finditer(r"\s+", item.response):
        a, b = gap.span()
        if not any(scores[a:b]) and a and b < len(scores):
            for i in range(a, b):
                scores[i] = min(scores[a - 1], scores[b])
    return scores


def prf(right, predicted, gold):
    return right / predicted, right / gold, 2 * right / (predicted + gold)


@pytest.mark.parametrize("mode", ["word", "sentence", "whole"])
def test_examples(world, measured, mode) -> None:
    score = [max((s.score for s in said(r, mode)), default=0.0) for r in world]
    truth = [r.hallucinated for r in world]
    flagged = [s >= EXAMPLE for s in score]
    right = sum(f and t for f, t in zip(flagged, truth, strict=True))
    wanted = prf(right, sum(flagged), sum(truth))
    found = measured[mode]
    names = ("example_precision", "example_recall", "example_f1")
    assert [found[n] for n in names] == pytest.approx(wanted)
    fair = [s >= BALANCED for s in score]
    bad = [f for f, t in zip(fair, truth, strict=True) if t]
    good = [not f for f, t in zip(fair, truth, strict=True) if not t]
    share = (sum(bad) / len(bad) + sum(good) / len(good)) / 2
    assert found["balanced_accuracy"] == pytest.approx(share)
    pairs = [
        1.0 if a > b else 0.5 if a == b else 0.0
        for a, x in zip(score, truth, strict=True)
        for b, y in zip(score, truth, strict=True)
        if x and not y
    ]
    assert found["roc_auc"] == pytest.approx(sum(pairs) / len(pairs))
    for percent in (1, 5, 10):
        best = 0.0
        for bar in {*score, 2.0}:
            alarms = sum(s >= bar and not t for s, t in zip(score, truth, strict=True))
            hits = sum(s >= bar and t for s, t in zip(score, truth, strict=True))
            if alarms / truth.count(False) <= percent / 100:
                best = max(best, hits / truth.count(True))
        assert found[f"recall_at_{percent}_percent_false_alarms"] == pytest.approx(best)


@pytest.mark.parametrize("mode", ["word", "sentence", "whole"])
def test_characters_and_false_alarms(world, measured, mode) -> None:
    right = predicted = gold = alarms = tokens = 0
    for item in world:
        flagged = [s >= SPAN for s in by_character(item, said(item, mode))]
        labelled = [any(s.start <= i < s.end for s in item.spans) for i in range(len(flagged))]
        if item.spans or not item.hallucinated:
            right += sum(f and g for f, g in zip(flagged, labelled, strict=True))
            predicted += sum(flagged)
            gold += sum(labelled)
        if not item.hallucinated:
            marks = "".join("x" if f else " " for f in flagged)
            alarms += len(marks.split())
            tokens += len(re.findall(r"\w+|[^\w\s]", item.response))
    found = measured[mode]
    names = ("span_precision", "span_recall", "span_f1")
    assert [found[n] for n in names] == pytest.approx(prf(right, predicted, gold))
    assert found["false_alarms_per_1000_clean_tokens"] == pytest.approx(1000 * alarms / tokens)


@pytest.mark.parametrize("mode", ["word", "sentence"])
def test_delays(world, measured, mode) -> None:
    bins: list[str] = []
    onsets, ends = [], []
    early = []
    for item in world:
        spans = [s for s in said(item, mode) if s.score >= SPAN]
        starts = [a for a, _ in item.tokens]
        if item.spans:
            first = min((s.decided_at for s in spans), default=None)
            early.append(first is not None and first <= min(s.start for s in item.spans))
        for gold in item.spans:
            inside = [i for i, (a, b) in enumerate(item.tokens) if a < gold.end and b > gold.start]
            if not inside:
                continue
            hits = [
                sum(a < s.decided_at for a in starts) - 1
                for s in spans
                if s.start < gold.end and gold.start < s.end
            ]
            if not hits:
                bins.append("never")
            elif min(hits) < inside[0]:
                bins.append("early")
            else:
                late = min(hits) - inside[-1]
                bins.append("in_span" if late <= 0 else "1_32")
                onsets.append(min(hits) - inside[0])
                ends.append(late)
    found = measured[mode]
    for name in ("early", "in_span", "1_32", "33_64", "65_128", "over_128", "never"):
        assert found[f"delay_{name}"] == pytest.approx(bins.count(name) / len(bins)), name
    assert found["first_alarm_early"] == pytest.approx(sum(early) / len(early))
    assert found["delay_from_onset_p50"] == pytest.approx(statistics.median(onsets))
    assert found["delay_from_end_p50"] == pytest.approx(statistics.median(ends))


def test_cost(world, measured) -> None:
    every = sorted(m for r in world for m in Drawn().judge(r, "word").micros)
    found = measured["word"]
    assert found["us_per_token_p50"] == pytest.approx(statistics.median(every))
    assert found["us_per_token_mean"] == pytest.approx(statistics.fmean(every))
    rank = 0.99 * (len(every) - 1)
    low, part = int(rank), rank % 1
    p99 = every[low] + part * (every[low + 1] - every[low])
    assert found["us_per_token_p99"] == pytest.approx(p99)
    assert found["resident_growth_mib"] >= 0


def test_an_interval_is_that_of_resampled_sources(world, measured) -> None:
    """Draw the sources anew, slowly, from the same seed: F1 of the examples in each resample."""
    sources = sorted({r.group for r in world})
    draws = np.random.default_rng(0).integers(0, len(sources), size=(40, len(sources)))
    values = []
    for row in draws:
        drawn = [r for i in row for r in world if r.group == sources[i]]
        flagged = [max((s.score for s in said(r, "whole")), default=0.0) >= EXAMPLE for r in drawn]
        right = sum(f and r.hallucinated for f, r in zip(flagged, drawn, strict=True))
        values.append(2 * right / (sum(flagged) + sum(r.hallucinated for r in drawn)))
    low, high = np.percentile(values, [2.5, 97.5])
    assert measured["whole"]["example_f1_ci"] == pytest.approx([low, high])


def test_every_measure_is_explained(world, measured) -> None:
    folder = Path(__file__).resolve().parents[2] / "docs"
    text = (folder / "evaluation.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z0-9_]+)`", text)) | {"records", "hallucinated"}
    named |= {f"recall_at_{n}_percent_false_alarms" for n in (1, 5, 10)}
    named |= {"delay_from_onset_p90", "delay_from_end_p90"}
    for values in measured.values():
        assert {name.removesuffix("_ci") for name in values} <= named
    with_all = runner.run_all({"mine": world}, [detector("novelty")], resamples=2)
    for values in with_all.sets["mine"]["novelty"].values():
        assert {name.removesuffix("_ci") for name in values} <= named
