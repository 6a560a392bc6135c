"""Peers that count words and characters and need no model: ROUGE-L and chrF, as precision.

Both were made to compare a summary with a reference. Here the reference is everything a record
gives, so that only the precision says something: how much of the text stands there.
"""

from __future__ import annotations

from groundwire.errors import ArgumentError
from groundwire.evaluate.detectors.peers import Found, need, passages_of
from groundwire.evaluate.records import Record


class RougeL:
    """ROUGE-L (Lin 2004) of the package ``rouge-score``, stemmed: longest common subsequence."""

    name = "rouge-l"

    def __init__(self, model: str | None = None) -> None:
        """Open the scorer; raises ``ArgumentError`` for a model, since it has none."""
        _no_model(self.name, model)
        module = need("rouge_score.rouge_scorer", "rouge-score", "rouge-score")
        self.scorer = module.RougeScorer(["rougeL"], use_stemmer=True)

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        """Return 1 - precision."""
        documents = passages_of(record)
        if not text.strip() or not documents:
            return [], None
        found = self.scorer.score("\n".join(documents), text)["rougeL"]
        return [], 1.0 - float(found.precision)


class ChrP:
    """chrF (Popović 2015) of the package ``sacrebleu`` with beta 0: precision of 1- to 6-grams."""

    name = "chrf-precision"

    def __init__(self, model: str | None = None) -> None:
        """Open the scorer; raises ``ArgumentError`` for a model, since it has none."""
        _no_model(self.name, model)
        module = need("sacrebleu.metrics", "sacrebleu", "sacrebleu")
        self.scorer = module.CHRF(beta=0)

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        """Return 1 - precision."""
        documents = passages_of(record)
        if not text.strip() or not documents:
            return [], None
        found = self.scorer.sentence_score(text, ["\n".join(documents)])
        return [], 1.0 - float(found.score) / 100.0


def _no_model(name: str, model: str | None) -> None:
    if model is not None:
        raise ArgumentError(f"{name} has no model, so {name}@{model} names none")
