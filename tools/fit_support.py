"""Fit the weights by which the core judges whether evidence supports a sentence.

    python tools/fit_support.py --data DIR               fit, print figures, write the weights
    python tools/fit_support.py --data DIR --dry-run     the same, writing nothing

``DIR`` holds ``bump_task1.jsonl`` (BUMP, MIT), ``summedits.jsonl`` (SummEdits, Apache-2.0) and
``wice_tokens_train.jsonl`` (WiCE, ODC-BY). The answers are made from them by ``support_answers``;
no label of a data set is used. If ``ragtruth_qa.jsonl`` lies there too, it is measured, and with
it the two thresholds are chosen; no weight is fitted on it.

The score is a sum of one broken line a feature, each forced to run in the direction that the
feature's meaning gives it (more novel words never make a sentence better supported). Without that
the weights learn how the answers were made: on RAGTruth's development part logistic regression
with hinges and free signs came to 42.8 / 58.1 span and example F1, with given signs to 51.4 / 60.8,
each at its best threshold and without the rules by which a stream leaves sentences out.
Logistic loss, L2 penalty 3 / n, L-BFGS-B with bounds. The probability is calibrated on answers
about texts that were left out (Platt 1999), then moved from the answers' share of ungrounded
sentences to ``PRIOR``.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from support_answers import Answer, answers, common_words, read, sources

import groundwire as gw
from groundwire import _core

HERE = Path(__file__).resolve().parents[1]
TABLES = HERE / "rust" / "core" / "data" / "en"
UP = (
    "soft_novelty",
    "novelty",
    "novel_mass",
    "soft_mass",
    "pairs_missing",
    "clause_novelty",
    "clause_mass",
    "novel_numbers",
    "novel_names",
    "moved_numbers",
    "moved_names",
    "list",
    "item",
    "example_mass",
    "before",
    "answer",
    "negation",
    "recent",
    "open_novelty",
    "scattered",
)
DOWN = (
    "pairs",
    "coverage",
    "window",
    "margin",
    "clause_coverage",
    "source",
    "absent",
    "closing",
    "summary",
    "advice",
    "intro",
    "colon",
    "copied",
    "copied_run",
    "open_coverage",
    "question",
)
SEEDS = (3, 4, 5)
SEGMENTS = 3
PENALTY = 3.0
WORDS = 60_000
"""Beginnings of sentences to fit on, together weighing half as much as the sentences."""
PRIOR = 0.075
"""Share of ungrounded sentences in the answers of language models: RAGTruth-QA's."""
HEADER = """\
# Weights of the grounding scorer, made by tools/fit_support.py; see support.md for data, licences
# and figures. Fields parted by tabs: bias W; calibration SLOPE SHIFT; feature NAME KNOT:VALUE...
"""

Array = Any


class Rows(NamedTuple):
    """Features and labels of sentences and of their beginnings."""

    x: Array
    y: Array
    sentence: Array
    """Whether a row is a whole sentence."""
    group: Array
    """Number of the answer."""


def rows(made: Sequence[Answer]) -> Rows:
    """Return the features of all answers.

    A sentence is ungrounded if more than 0.3 of it is, a beginning if its last word is.
    """
    x, y, whole, group = [], [], [], []
    for number, answer in enumerate(made):
        mask = np.zeros(len(answer.text) + 1)
        for start, end in answer.ungrounded:
            mask[start:end] = 1
        found = _core.support_features(answer.text, answer.passages, answer.question)
        for sentence, start, end, features in found["rows"]:
            part = mask[start:end] if sentence else mask[max(start, end - 2) : end]
            x.append(features)
            y.append(part.mean() > (0.3 if sentence else 0.5))
            whole.append(sentence)
            group.append(number)
    return Rows(np.array(x), np.array(y), np.array(whole), np.array(group))


class Model:
    """A sum of monotone broken lines."""

    def __init__(self, names: Sequence[str], x: Array) -> None:
        """Place the knots at quantiles of ``x``."""
        self.columns = [(names.index(n), n, 1 if n in UP else -1) for n in (*UP, *DOWN)]
        self.knots: list[list[float]] = []
        for at, _, _ in self.columns:
            values = np.unique(x[:, at])
            if len(values) <= 4:
                knots = [float(values[0]), float(values[-1])] if len(values) > 1 else [0.0, 1.0]
            else:
                at_share = np.linspace(0, 1, SEGMENTS + 1) * 0.98 + 0.01
                knots = sorted({round(float(q), 3) for q in np.quantile(x[:, at], at_share)})
                knots = knots if len(knots) > 1 else [float(values[0]), float(values[-1])]
            self.knots.append(knots)
        self.weights: Array = np.zeros(1)

    def terms(self, x: Array) -> Array:
        """Return how far each row has come in each segment, 0..=1."""
        out = []
        for (at, _, _), knots in zip(self.columns, self.knots, strict=True):
            for a, b in itertools.pairwise(knots):
                out.append((np.clip(x[:, at], a, b) - a) / (b - a))
        return np.stack(out, 1)

    def fit(self, x: Array, y: Array, weight: Array) -> Model:
        """Minimise the weighted logistic loss under the signs."""
        terms = self.terms(x)
        target = y.astype(float)
        weight = weight / weight.sum()
        penalty = PENALTY / len(target)

        def loss(w: Array) -> tuple[float, Array]:
            z = terms @ w[1:] + w[0]
            error = weight * (1 / (1 + np.exp(-z)) - target)
            value = weight @ (np.logaddexp(0, z) - target * z) + penalty / 2 * (w[1:] @ w[1:])
            return value, np.concatenate(([error.sum()], terms.T @ error + penalty * w[1:]))

        bounds: list[tuple[float | None, float | None]] = [(None, None)]
        for (_, _, sign), knots in zip(self.columns, self.knots, strict=True):
            bounds += [(0, None) if sign > 0 else (None, 0)] * (len(knots) - 1)
        start = np.zeros(terms.shape[1] + 1)
        done = minimize(
            loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 400}
        )
        self.weights = done.x
        return self

    def score(self, x: Array) -> Array:
        """Return the score in nats."""
        return self.terms(x) @ self.weights[1:] + self.weights[0]

    def table(self, slope: float, shift: float) -> str:
        """Return the weights file."""
        lines = [f"bias\t{self.weights[0]:.4f}", f"calibration\t{slope:.4f}\t{shift:.4f}"]
        at = 1
        for (_, name, _), knots in zip(self.columns, self.knots, strict=True):
            steps = self.weights[at : at + len(knots) - 1]
            at += len(knots) - 1
            if np.abs(steps).sum() < 0.01:
                continue
            values = np.concatenate(([0.0], np.cumsum(steps)))
            points = (f"{k:.4g}:{v:.4f}" for k, v in zip(knots, values, strict=True))
            lines.append("\t".join(("feature", name, *points)))
        return HEADER + "\n".join(lines) + "\n"


def fitted(data: Rows, rng: Any) -> Model:
    """Fit on the sentences and on a sample of their beginnings."""
    whole = np.flatnonzero(data.sentence)
    words = np.flatnonzero(~data.sentence)
    words = rng.choice(words, min(WORDS, len(words)), replace=False)
    at = np.concatenate((whole, words))
    weight = np.concatenate(
        (np.ones(len(whole)), np.full(len(words), 0.5 * len(whole) / len(words)))
    )
    model = Model(_core.support_feature_names(), data.x[whole])
    return model.fit(data.x[at], data.y[at], weight)


def calibrated(data: Rows, texts: Array, rng: Any) -> tuple[float, float]:
    """Return slope and shift of the probability, from texts left out in turn."""
    scores = np.zeros(len(data.y))
    folds = 3
    for fold in range(folds):
        out = texts[data.group] % folds == fold
        model = fitted(Rows(*(part[~out] for part in data)), rng)
        scores[out] = model.score(data.x[out])
    z, y = scores[data.sentence], data.y[data.sentence].astype(float)

    def loss(w: Array) -> tuple[float, Array]:
        t = w[0] * z + w[1]
        error = 1 / (1 + np.exp(-t)) - y
        return float(np.mean(np.logaddexp(0, t) - y * t)), np.array(
            [np.mean(error * z), np.mean(error)]
        )

    slope, shift = minimize(loss, np.array([1.0, 0.0]), jac=True).x
    share = y.mean()
    move = math.log(PRIOR / (1 - PRIOR)) - math.log(share / (1 - share))
    return float(slope), float(shift + move)


def measure(path: Path) -> None:
    """Print span and example F1 on RAGTruth-QA, by threshold, of what a stream reports."""
    records = read(path)
    kinds = {"sentence": "stream.unsupported_sentence", "word": "stream.unsupported_span"}
    monitor = gw.Monitor(settings={"support_threshold": 1.0, "word_support_threshold": 1.0})
    marks: dict[str, list[tuple[Array, Array, bool]]] = {mode: [] for mode in kinds}
    for record in records:
        session = monitor.session(
            evidence=[(e["id"], e["text"]) for e in record["evidence"]],
            question=record["question"],
        )
        session.push_text(record["response"])
        found = session.finish().findings
        gold = np.zeros(len(record["response"]), bool)
        for span in record["spans"]:
            gold[span["start"] : span["end"]] = True
        for mode, kind in kinds.items():
            score = np.zeros(len(gold))
            for finding in found:
                if finding.type == kind and finding.span is not None:
                    part = score[finding.span[0] : finding.span[1]]
                    np.maximum(part, finding.p_hallucinated, out=part)
            marks[mode].append((score, gold, record["hallucinated"]))
    for mode, held in marks.items():
        table = []
        for bar in np.arange(0.06, 0.95, 0.02):
            hits = [((s >= bar), g, h) for s, g, h in held]
            tp = sum(int((f & g).sum()) for f, g, _ in hits)
            said = sum(int(f.sum()) for f, _, _ in hits)
            gold_size = sum(int(g.sum()) for _, g, _ in hits)
            etp = sum(bool(f.any()) and h for f, _, h in hits)
            esaid = sum(bool(f.any()) for f, _, _ in hits)
            egold = sum(h for _, _, h in hits)
            clean = sum(bool(f.any()) and not h for f, _, h in hits) / (len(hits) - egold)
            table.append(
                (200 * tp / (said + gold_size), 200 * etp / (esaid + egold), bar, clean * 100)
            )
        print(f"{mode}: span F1, example F1, clean answers flagged, by support threshold")
        best = max(range(len(table)), key=lambda i: table[i][0] + table[i][1])
        for i, (span, example, bar, clean) in enumerate(table):
            if i == best or i % 4 == 0:
                star = " *" if i == best else ""
                print(f"  {1 - bar:.2f}: {span:.1f} {example:.1f} {clean:.1f} %{star}")


def main(argv: Sequence[str] | None = None) -> int:
    """Fit, write and measure; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    parser.add_argument("--measure", action="store_true", help="only measure what is built in")
    options = parser.parse_args(argv)
    ragtruth = options.data / "ragtruth_qa.jsonl"
    if options.measure:
        measure(ragtruth)
        return 0
    common = common_words(options.data)
    if common != (TABLES / "common.tsv").read_text(encoding="utf-8"):
        print("common.tsv is to be written first: build the core with it, then fit")
        if not options.dry_run:
            (TABLES / "common.tsv").write_text(common, encoding="utf-8")
        return 1
    found = sources(options.data)
    made = answers(found, SEEDS)
    data = rows(made)
    print(
        f"{len(found)} texts, {len(made)} answers, {data.sentence.sum()} sentences, "
        f"{data.y[data.sentence].mean():.3f} of them ungrounded"
    )
    rng = np.random.default_rng(0)
    texts = np.array([a.number for a in made])
    slope, shift = calibrated(data, texts, rng)
    table = fitted(data, rng).table(slope, shift)
    print(table)
    if not options.dry_run:
        (TABLES / "support.tsv").write_text(table, encoding="utf-8")
        print("written; build the core, then run this with --measure")
    return 0


if __name__ == "__main__":
    sys.exit(main())
