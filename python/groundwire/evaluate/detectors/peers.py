"""Other people's detectors, where they are installed; each is asked through its documented calls.

They judge whole texts. One that finds stretches is asked about the prefix that ends with each
sentence, or each word, and of its answer counts what concerns that one; one that only scores is
asked about the sentence, or what there is of it at the word. ``word`` costs a call a word. Models
are fetched by the peers' own packages when they are first used; ``NAME@MODEL`` names another one,
or a folder that holds one.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from groundwire.errors import MissingExtraError, NotFoundError
from groundwire.evaluate.detectors.base import Judgement, Mode, ScoredSpan
from groundwire.evaluate.detectors.ours import row_text
from groundwire.evaluate.records import Record

Found = tuple[int, int, float]
"""(start, end, score) in a text, code points."""


class Scorer(Protocol):
    """What an adaptor does: judge a text by a record's sources."""

    name: str

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        """Return the stretches it finds in ``text``, and its score (higher is worse) or none."""


class Peer:
    """A scorer of whole texts as a detector; a score that is no number counts as none."""

    def __init__(self, scorer: Scorer, spans: bool) -> None:
        """Wrap ``scorer``; ``spans`` says whether it finds stretches or only scores a text."""
        self.scorer = scorer
        self.name = scorer.name
        self.spans = spans

    def judge(self, record: Record, mode: Mode) -> Judgement:
        """Judge one record."""
        if mode == "whole" and self.spans:
            found, score = self._ask(record, record.response)
            size = len(record.response)
            return Judgement(tuple(ScoredSpan(a, b, s, size) for a, b, s in found), score)
        pieces = record.tokens if mode == "word" else record.sentences
        spans: list[ScoredSpan] = []
        for start, end in pieces:
            spans.extend(self._piece(record, start, end))
        if mode == "whole":
            size = len(record.response)
            spans = [ScoredSpan(s.start, s.end, s.score, size) for s in spans]
            return Judgement(tuple(spans), self._ask(record, record.response)[1])
        return Judgement(tuple(spans))

    def _piece(self, record: Record, start: int, end: int) -> list[ScoredSpan]:
        if self.spans:
            found, _ = self._ask(record, record.response[:end])
            return [ScoredSpan(max(a, start), b, s, end) for a, b, s in found if b > start]
        at = next((a for a, b in record.sentences if a <= start < b), start)
        _, score = self._ask(record, record.response[at:end])
        return [] if score is None else [ScoredSpan(start, end, score, end)]

    def _ask(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        found, score = self.scorer.whole(record, text)
        kept = [(a, b, s) for a, b, s in found if math.isfinite(s) and a <= b]
        return kept, score if score is not None and math.isfinite(score) else None


def passages_of(record: Record) -> list[str]:
    """Return everything a record gives as passages: evidence, rows of its table, turns."""
    rows = [row_text(row) for row in record.kb]
    turns = [f"{role}: {text}" for role, text in record.history]
    return [*(text for _, text in record.evidence), *rows, *turns]


class RecordedPeer:
    """Scores of a detector that came with the set, in ``extra.peers`` (FaithBench)."""

    def __init__(self, peer: str) -> None:
        """Read the scores of ``peer``."""
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


def fetched(name: str, model: str, load: Callable[[], Any]) -> Any:
    """Return what ``load`` returns; raises ``NotFoundError`` where the model cannot be had."""
    try:
        return load()
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
        message = (
            f"{name} needs the model {model}, which could not be loaded ({reason}); "
            f"fetch it first, or name a folder that holds one: {name}@FOLDER"
        )
        raise NotFoundError(message) from error
