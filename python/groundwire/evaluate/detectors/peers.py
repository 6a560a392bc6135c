"""Other people's detectors, where they are installed; each is asked through its documented calls.

They judge whole texts, so that a prefix mode asks them about the prefix that ends with each
sentence, or each word, and takes of the answer what concerns that one. ``word`` costs a call a
word. Models are fetched by the peers' own packages when they are first used.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from groundwire.errors import MissingExtraError
from groundwire.evaluate.detectors.base import Detector, Judgement, Mode, ScoredSpan
from groundwire.evaluate.detectors.ours import row_text
from groundwire.evaluate.records import Record

Found = tuple[int, int, float]
"""(start, end, score) in a text, code points."""


class _Scorer(Protocol):
    name: str

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]: ...


class Peer:
    """A scorer of whole texts as a detector."""

    def __init__(self, scorer: _Scorer, spans: bool) -> None:
        """Wrap ``scorer``; ``spans`` says whether it finds stretches or only scores a text."""
        self.scorer = scorer
        self.name = scorer.name
        self.spans = spans

    def judge(self, record: Record, mode: Mode) -> Judgement:
        """Judge one record."""
        if mode == "whole" and self.spans:
            found, score = self.scorer.whole(record, record.response)
            size = len(record.response)
            return Judgement(tuple(ScoredSpan(a, b, s, size) for a, b, s in found), score)
        pieces = record.tokens if mode == "word" else record.sentences
        spans: list[ScoredSpan] = []
        for start, end in pieces:
            spans.extend(self._piece(record, start, end))
        if mode == "whole":
            size = len(record.response)
            spans = [ScoredSpan(s.start, s.end, s.score, size) for s in spans]
            return Judgement(tuple(spans), self.scorer.whole(record, record.response)[1])
        return Judgement(tuple(spans))

    def _piece(self, record: Record, start: int, end: int) -> list[ScoredSpan]:
        if self.spans:
            found, _ = self.scorer.whole(record, record.response[:end])
            return [ScoredSpan(max(a, start), b, s, end) for a, b, s in found if b > start]
        _, score = self.scorer.whole(record, record.response[start:end])
        return [] if score is None else [ScoredSpan(start, end, score, end)]


def passages_of(record: Record) -> list[str]:
    """Return everything a record gives as passages: evidence, rows of its table, turns."""
    rows = [row_text(row) for row in record.kb]
    turns = [f"{role}: {text}" for role, text in record.history]
    return [*(text for _, text in record.evidence), *rows, *turns]


class _LettuceDetect:
    """LettuceDetect (Kovács and Recski 2025): token classification by ModernBERT.

    ``HallucinationDetector.predict(context, question, answer, output_format="spans")`` gives
    ``start``, ``end``, ``confidence`` and ``text`` of stretches it takes as hallucinated.
    """

    name = "lettucedetect"

    def __init__(self, model: str = "KRLabsOrg/lettucedect-base-modernbert-en-v1") -> None:
        module = need("lettucedetect.models.inference", "lettucedetect", "lettucedetect")
        self.model = module.HallucinationDetector(method="transformer", model_path=model)

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        """Return the stretches it finds."""
        if not text.strip():
            return [], None
        found = self.model.predict(
            context=passages_of(record),
            question=record.question or "",
            answer=text,
            output_format="spans",
        )
        return [(int(f["start"]), int(f["end"]), float(f["confidence"])) for f in found], None


class _Hhem:
    """HHEM-2.1-Open (Vectara): consistency of a hypothesis with a premise, 1 is consistent.

    Its model card loads it with ``trust_remote_code=True``: naming this detector runs the code that
    comes with the model.
    """

    name = "hhem"

    def __init__(self, model: str = "vectara/hallucination_evaluation_model") -> None:
        module = need("transformers", "transformers", "groundwire[transformers]")
        self.model = module.AutoModelForSequenceClassification.from_pretrained(
            model, trust_remote_code=True
        )

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        """Return 1 - consistency."""
        if not text.strip():
            return [], None
        score = self.model.predict([("\n".join(passages_of(record)), text)])
        return [], 1.0 - float(score[0])


class _Summac:
    """SummaC-ZS (Laban et al. 2022): entailment between sentences; scores from -1 to 1."""

    name = "summac-zs"

    def __init__(self) -> None:
        module = need("summac.model_summac", "summac", "summac")
        self.model = module.SummaCZS(granularity="sentence", model_name="vitc", device="cpu")

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        """Return (1 - consistency) / 2."""
        documents = passages_of(record)
        if not text.strip() or not documents:
            return [], None
        score = self.model.score(["\n".join(documents)], [text])["scores"][0]
        return [], (1.0 - float(score)) / 2.0


class _RecordedPeer:
    """Scores of a detector that came with the set, in ``extra.peers`` (FaithBench)."""

    def __init__(self, peer: str) -> None:
        self.peer = peer
        self.name = f"recorded-{peer}"

    modes: Sequence[Mode] = ("whole",)
    finds_spans = False

    def judge(self, record: Record, mode: Mode) -> Judgement:  # noqa: ARG002
        """Return 1 - the recorded consistency; nothing where the set has none."""
        value = (record.extra.get("peers") or {}).get(self.peer)
        return Judgement((), None if value is None else max(1.0 - float(value), 0.0))


def need(module: str, package: str, install: str) -> Any:
    """Return a module; raises ``MissingExtraError`` saying what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"the detector needs {package} ({error}): pip install '{install}'"
        raise MissingExtraError(message) from error


_RECORDED = ("hhem-2.1", "hhem-2.1-english", "hhemv1", "trueteacher", "true_nli", "gpt-3.5-turbo",
             "gpt-4-turbo", "gpt_4o")  # fmt: skip

PEERS: dict[str, Callable[[], Detector]] = {
    "hhem": lambda: Peer(_Hhem(), spans=False),
    "lettucedetect": lambda: Peer(_LettuceDetect(), spans=True),
    "summac-zs": lambda: Peer(_Summac(), spans=False),
    **{f"recorded-{name}": partial(_RecordedPeer, name) for name in _RECORDED},
}
