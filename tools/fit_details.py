"""Fit the weights by which the core judges whether a detail of a sentence was changed.

    python tools/fit_details.py --data DIR               fit, print figures, write the weights
    python tools/fit_details.py --data DIR --dry-run     the same, writing nothing

``DIR`` holds ``bump_task1.jsonl`` (BUMP, MIT) and ``summedits.jsonl`` (SummEdits, Apache-2.0).

A word's score is linear in its features, each with the sign that its meaning gives it (a word that
stands with its neighbours in the evidence is never worse for that). A response's score is the
log-sum-exp of its words' scores, so that the words' hazards ``exp(score)`` add up, less half the
log of its number of sentences, as the harness joins them (``response_score``). Four losses are
added, each logistic: of the response's label; of the difference between an edited response and an
unedited one of the same source (BUMP's pairs; SummEdits' inconsistent and consistent edits of one
document, whose harmless synonyms are what tells a change of wording from a change of content); of
the same difference between only those words that do not stand alike in both, whose features differ
(what both share tells nothing, and mostly outweighs one changed word); and of each word, where a
word counts as wrong that an edit brought into a response labelled so. L2 penalty, L-BFGS-B with
bounds. Figures are cross-fitted in five folds by source. The weights written are fitted on
everything; ``shift`` is set so that the probabilities, one minus exp of minus the sum of the
hazards, sum to ``PRIOR`` of the responses when good and bad ones weigh as 1 - ``PRIOR`` and
``PRIOR``.
"""

from __future__ import annotations

import argparse
import difflib
import itertools
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import brentq, minimize
from scipy.special import expit
from scipy.stats import mannwhitneyu

from groundwire import _core
from groundwire.evaluate.calibration import fold_of
from groundwire.evaluate.data import read_records
from groundwire.evaluate.detectors.base import JOINT
from groundwire.evaluate.detectors.ours import Groundwire
from groundwire.evaluate.measures import best_balanced_threshold
from groundwire.evaluate.scored import Scored

TABLE = Path(__file__).resolve().parents[1] / "rust" / "core" / "data" / "en" / "details.tsv"
CLASSES = ("name", "number", "verb", "word", "pronoun", "negation")
FREE = ("base", "opens")
DOWN = ("novel_related", "paired", "copied_3", "copied_5", "copied_8")
FOLDS = 5
PENALTY = 1.0
FILES = {"bump_task1": 750.0, "summedits": 500.0}
"""What each set's mean loss weighs against the penalty."""
PAIRS = 0.5
"""Weight of the loss of pairs."""
WORDS = 0.03
"""Weight of the loss of single words."""
PRIOR = 1 / 3
"""Share of responses with a changed detail that the probabilities assume; set by hand."""
WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
HEADER = """\
# Weights of the scorer of changed details, made by tools/fit_details.py; see details.md for data,
# licences and figures. Fields parted by tabs: shift W; weight CLASS FEATURE W.
"""

Array = Any


class Part:
    """One set: the features of its words, its labels, and which responses are to be compared."""

    def __init__(self, path: Path, columns: dict[tuple[str, str], int], scale: float) -> None:
        """Read a set and measure its responses."""
        self.scale = scale
        with path.open(encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        texts = {r["extra"]["pair"]: r["response"] for r in records if _is_original(r)}
        rows: list[int] = []
        columns_of: list[int] = []
        values: list[float] = []
        sizes: list[int] = []
        sentences: list[int] = []
        changed: list[bool] = []
        for record in records:
            original = record["extra"].get("original") or texts[record["extra"]["pair"]]
            edits = edited(original, record["response"])
            found = measured(record)
            for _, start, _, kind, features in found["rows"]:
                for name, value in zip(found["names"], features, strict=True):
                    if value:
                        rows.append(len(changed))
                        columns_of.append(columns[kind, name])
                        values.append(value)
                changed.append(record["hallucinated"] and start in edits)
            sizes.append(len(found["rows"]))
            sentences.append(len({row[0] for row in found["rows"]}))
        self.x = sparse.csr_matrix((values, (rows, columns_of)), shape=(len(changed), len(columns)))
        self.changed = np.array(changed, float)
        self.y = np.array([r["hallucinated"] for r in records], float)
        self.sizes = np.array(sizes)
        self.sentences = np.array(sentences, float)
        self.starts = np.concatenate(([0], np.cumsum(self.sizes)[:-1]))
        sources = [record["evidence"][0]["text"] for record in records]
        self.fold = np.array([fold_of(source, FOLDS) for source in sources])
        self.pairs = _pairs(records, sources)
        self._contrast()

    def _contrast(self) -> None:
        """Find the words of each pair's responses whose features no word of the other has."""
        ends = self.x.indptr
        keys = [
            (self.x.indices[a:b].tobytes(), self.x.data[a:b].tobytes())
            for a, b in itertools.pairwise(ends)
        ]
        spans = [range(a, a + n) for a, n in zip(self.starts, self.sizes, strict=True)]
        counts = [Counter(keys[at] for at in span) for span in spans]
        sides: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        for pair, (bad, good) in enumerate(self.pairs):
            both = counts[bad] & counts[good]
            for side, own in zip(sides, (bad, good), strict=True):
                shared = both.copy()
                for at in spans[own]:
                    if shared[keys[at]] > 0:
                        shared[keys[at]] -= 1
                    else:
                        side.append((pair, at))
        shape = (len(self.pairs), len(keys))
        self.only = [
            sparse.csr_matrix((np.ones(len(side)), np.array(side).T), shape=shape) for side in sides
        ]
        self.told = np.minimum(*(only.getnnz(axis=1) for only in self.only)) > 0
        # Every edited response weighs the same, however many it is compared with.
        self.weight = 1 / np.bincount(self.pairs[:, 0])[self.pairs[:, 0]]

    def contrast(self, words: Array, mask: Array) -> tuple[float, Array]:
        """Return the mean loss of what differs in the mask's pairs, and its slope by word."""
        weight = self.weight * self.told * mask[self.pairs[:, 0]]
        weight /= weight.sum()
        hazard = np.exp(words)
        bad, good = (np.where(self.told, only @ hazard, 1.0) for only in self.only)
        ahead = np.log(bad) - np.log(good)
        push = weight * expit(-ahead)
        slope = self.only[1].T @ (push / good) - self.only[0].T @ (push / bad)
        return float(weight @ np.logaddexp(0, -ahead)), hazard * slope

    def scores(self, weights: Array) -> tuple[Array, Array, Array]:
        """Return the words' scores, the responses', and each word's share of its response."""
        words = self.x @ weights
        top = np.maximum.reduceat(words, self.starts)
        hazard = np.exp(words - np.repeat(top, self.sizes))
        total = np.add.reduceat(hazard, self.starts)
        score = top + np.log(total) - np.log(self.sentences) / 2
        return words, score, hazard / np.repeat(total, self.sizes)

    def joined(self, score: Array, shift: float, rest: Array) -> Array:
        """Return the score of changed details with that of the rest, as the harness joins them."""
        return 1 - (1 - rest) * np.exp(-np.exp(score + shift) * JOINT)


def _is_original(record: dict[str, Any]) -> bool:
    return "pair" in record["extra"] and not record["hallucinated"]


def _pairs(records: Sequence[dict[str, Any]], sources: Sequence[str]) -> Array:
    groups: dict[Any, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for at, (record, source) in enumerate(zip(records, sources, strict=True)):
        groups[record["extra"].get("pair", source)][record["hallucinated"]].append(at)
    return np.array(
        [(bad, good) for goods, bads in groups.values() for bad in bads for good in goods]
    )


def edited(original: str, text: str) -> set[int]:
    """Return where the words of ``text`` begin that ``original`` does not have there."""
    old = [match.group() for match in WORD.finditer(original)]
    new = [(match.group(), match.start()) for match in WORD.finditer(text)]
    blocks = difflib.SequenceMatcher(None, old, [word for word, _ in new], autojunk=False)
    return {
        new[at][1]
        for kind, _, _, start, end in blocks.get_opcodes()
        if kind != "equal"
        for at in range(start, end)
    }


def measured(record: dict[str, Any]) -> dict[str, Any]:
    """Return the features of a record's words."""
    passages = [passage["text"] for passage in record["evidence"]]
    found: dict[str, Any] = _core.detail_features(record["response"], passages, record["question"])
    return found


def fitted(parts: Sequence[tuple[Part, Array]], columns: dict[tuple[str, str], int]) -> Array:
    """Minimise the losses over the responses that each part's mask names."""
    size = len(columns)

    def loss(v: Array) -> tuple[float, Array]:
        weights = v[:size]
        total = PENALTY / 2 * float(weights @ weights)
        gradient = np.concatenate((PENALTY * weights, np.zeros(len(parts))))
        for at, (part, mask) in enumerate(parts):
            words, scores, shares = part.scores(weights)
            each = part.scale * mask / mask.sum()
            z = scores + v[size + at]
            total += float(each @ (np.logaddexp(0, z) - part.y * z))
            pull = each * (expit(z) - part.y)
            gradient[size + at] = pull.sum()
            pairs = part.pairs[mask[part.pairs[:, 0]] > 0]
            ahead = scores[pairs[:, 0]] - scores[pairs[:, 1]]
            weight = PAIRS * part.scale
            total += weight * float(np.logaddexp(0, -ahead).mean())
            push = weight / len(pairs) * expit(-ahead)
            np.add.at(pull, pairs[:, 0], -push)
            np.add.at(pull, pairs[:, 1], push)
            single = WORDS * np.repeat(each, part.sizes)
            total += float(single @ (np.logaddexp(0, words) - part.changed * words))
            pull_words = shares * np.repeat(pull, part.sizes)
            pull_words += single * (expit(words) - part.changed)
            differing, slope = part.contrast(words, mask)
            total += part.scale * differing
            pull_words += part.scale * slope
            gradient[:size] += part.x.T @ pull_words
        return total, gradient

    bounds: list[tuple[float | None, float | None]] = []
    for _, name in columns:
        free = name in FREE
        bounds.append((None if free or name in DOWN else 0, 0 if name in DOWN else None))
    bounds += [(None, None)] * len(parts)
    start = np.zeros(size + len(parts))
    start[[at for (_, name), at in columns.items() if name == "base"]] = -3.0
    done = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 300}
    )
    return done.x[:size]


def cross_fitted(parts: Sequence[Part], columns: dict[tuple[str, str], int]) -> list[Array]:
    """Return each response's score by weights fitted without its source's fold."""
    scores = [np.zeros(len(part.y)) for part in parts]
    for fold in range(FOLDS):
        kept = [(part, (part.fold != fold).astype(float)) for part in parts]
        weights = fitted(kept, columns)
        for part, own in zip(parts, scores, strict=True):
            out = part.fold == fold
            own[out] = part.scores(weights)[1][out]
    return scores


def others(path: Path) -> Array:
    """Return the score of each response by all that groundwire finds but changed details."""
    detector = Groundwire(without=["altered_detail"])
    records = read_records(path)
    return np.array(
        [Scored.of(r, "sentence", detector.judge(r, "sentence")).score for r in records]
    )


def figures(name: str, part: Part, score: Array) -> None:
    """Print area under the curve, pairs won and balanced accuracy, cut-offs of other folds."""
    ahead = score[part.pairs[:, 0]] - score[part.pairs[:, 1]]
    won = (ahead > 0).mean() + 0.5 * (ahead == 0).mean()
    bad, good = score[part.y > 0], score[part.y == 0]
    area = mannwhitneyu(bad, good).statistic / (len(bad) * len(good))
    said = np.zeros(len(score), bool)
    for fold in range(FOLDS):
        out = part.fold == fold
        said[out] = score[out] >= (best_balanced_threshold(score[~out], part.y[~out] > 0) or 0.0)
    balanced = (said[part.y > 0].mean() + 1 - said[part.y == 0].mean()) / 2
    print(f"{name}: AUC {100 * area:.1f}, pairs {100 * won:.1f}, balanced {100 * balanced:.1f}")


def shift_of(scores: Sequence[Array], parts: Sequence[Part]) -> float:
    """Return what is added to every score so that the probabilities sum to ``PRIOR``."""
    sums = [z + np.log(part.sentences) / 2 for z, part in zip(scores, parts, strict=True)]
    z, y = np.concatenate(sums), np.concatenate([part.y for part in parts])
    weight = np.where(y > 0, PRIOR / (y > 0).sum(), (1 - PRIOR) / (y == 0).sum())
    mean = lambda shift: float(weight @ -np.expm1(-np.exp(z + shift))) - PRIOR  # noqa: E731
    return float(brentq(mean, -20, 20))


def table(weights: Array, shift: float, columns: dict[tuple[str, str], int]) -> str:
    """Return the weights file; what adds less than 0.005 nats is left out."""
    lines = [f"shift\t{shift:.4f}"]
    for (kind, name), at in columns.items():
        if abs(weights[at]) >= 0.005:
            lines.append(f"weight\t{kind}\t{name}\t{weights[at]:.4f}")
    return HEADER + "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Fit, write and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    options = parser.parse_args(argv)
    names = _core.detail_features("x", [])["names"]
    columns = {key: at for at, key in enumerate((c, n) for c in CLASSES for n in names)}
    parts = [Part(options.data / f"{name}.jsonl", columns, scale) for name, scale in FILES.items()]
    scores = cross_fitted(parts, columns)
    shift = shift_of(scores, parts)
    for name, part, z in zip(FILES, parts, scores, strict=True):
        figures(f"{name}, changed details alone", part, z)
        rest = others(options.data / f"{name}.jsonl")
        figures(f"{name}, the rest alone", part, rest)
        figures(f"{name}, joined", part, part.joined(z, shift, rest))
    weights = fitted([(part, np.ones(len(part.y))) for part in parts], columns)
    text = table(weights, shift, columns)
    print(text)
    if not options.dry_run:
        TABLE.write_text(text, encoding="utf-8")
        print("written; build the core")
    return 0


if __name__ == "__main__":
    sys.exit(main())
