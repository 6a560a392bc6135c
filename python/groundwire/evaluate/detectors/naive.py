"""Baselines that know nothing: what any detector has to beat."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from groundwire.evaluate.detectors.base import Judgement, Mode, ScoredSpan
from groundwire.evaluate.forms import HALLMARK
from groundwire.evaluate.records import Record

WORD = re.compile(r"\w+")
_FUNCTION_WORDS = (
    "a about above after again all also although always am an and any are as at be because "
    "been before being below between both but by can could did do does doing down during each "
    "either even every few for from further had has have having he her here hers him his how "
    "however i if in into is it its itself just may me might more most much must my neither "
    "no nor not now of off often on once one only or other our out over own rather same shall "
    "she should since so some such than that the their them then there these they this those "
    "through to too under until up upon very was we well were what when where whether which "
    "while who whom whose why will with within without would yet you your "
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
# What knows nothing of kinds says all of CI-ToD's alike.
_FLAGS = ("qi", "hi", "kbi")
_ENDINGS = ("ingly", "edly", "ings", "ing", "ied", "ies", "ers", "ed", "es", "er", "ly", "s")


def stem(word: str) -> str:
    """Return a word without a common ending, at least four letters of it."""
    low = word.lower()
    for ending in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= 4:
            low = low[: -len(ending)]
            break
    return low.removesuffix("e") if len(low) > 4 else low


def known_stems(record: Record) -> set[str]:
    """Return the stems of everything a record gives: evidence, table, turns, question."""
    given: Iterable[str] = [
        *(text for _, text in record.evidence),
        *(str(value) for row in record.kb for value in row.values()),
        *(text for _, text in record.history),
        record.question or "",
    ]
    words = (word for text in given for word in WORD.findall(text.replace("_", " ")))
    return {stem(word) for word in words}


class FlagAll:
    """Every sentence is doubted."""

    name = "flag-all"

    def judge(self, record: Record, mode: Mode) -> Judgement:
        """Doubt everything equally."""
        pieces = record.tokens if mode == "word" else record.sentences
        spans = tuple(ScoredSpan(a, b, 1.0, _read(record, mode, b), "all") for a, b in pieces)
        return Judgement(spans, 1.0, dict.fromkeys(_FLAGS, 1.0))


class Random:
    """A score drawn from the seed, the record's id and the sentence's number."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        """Draw from ``seed``."""
        self.seed = seed

    def judge(self, record: Record, mode: Mode) -> Judgement:
        """Doubt each sentence (in ``word`` mode each token) by a coin of its own."""
        pieces = record.tokens if mode == "word" else record.sentences
        spans = tuple(
            ScoredSpan(a, b, self._draw(record.id, str(i)), _read(record, mode, b), "random")
            for i, (a, b) in enumerate(pieces)
        )
        flags = {name: self._draw(record.id, name) for name in _FLAGS}
        return Judgement(spans, self._draw(record.id, "response"), flags)

    def _draw(self, *parts: str) -> float:
        text = "\x1f".join((str(self.seed), *parts)).encode("utf-8", "surrogatepass")
        number = int.from_bytes(hashlib.blake2b(text, digest_size=7).digest(), "big")
        return (number + 1) / (2**56 + 1)


class Length:
    """Longer sentences are doubted more: tokens / (tokens + 25)."""

    name = "length"

    def judge(self, record: Record, mode: Mode) -> Judgement:
        """Doubt by length; in ``word`` mode each token by those before it in its sentence."""
        spans: list[ScoredSpan] = []
        for a, b in record.sentences:
            inside = [token for token in record.tokens if a <= token[0] < b]
            if mode != "word":
                size = len(inside)
                spans.append(ScoredSpan(a, b, size / (size + 25), _read(record, mode, b), "length"))
                continue
            for i, (start, end) in enumerate(inside):
                spans.append(ScoredSpan(start, end, (i + 1) / (i + 26), end, "length"))
        size = len(record.tokens)
        score = size / (size + 25)
        return Judgement(tuple(spans), score, dict.fromkeys(_FLAGS, score))


class Novelty:
    """The share of a sentence's content words whose stem nothing given has.

    In ``word`` mode each content word that is new is doubted by the share so far.
    """

    name = "novelty"

    def judge(self, record: Record, mode: Mode) -> Judgement:
        """Doubt what is new."""
        known = known_stems(record)
        spans: list[ScoredSpan] = []
        for a, b in record.sentences:
            words = [
                m
                for m in WORD.finditer(record.response, a, b)
                if m.group().lower() not in FUNCTION_WORDS
            ]
            new = [stem(w) not in known for m in words for w in (m.group(),)]
            if mode != "word":
                if any(new):
                    share = sum(new) / len(new)
                    spans.append(ScoredSpan(a, b, share, _read(record, mode, b), "novelty"))
                continue
            count = 0
            for i, (match, is_new) in enumerate(zip(words, new, strict=True)):
                count += is_new
                if is_new:
                    spans.append(
                        ScoredSpan(
                            match.start(), match.end(), count / (i + 1), match.end(), "novelty"
                        )
                    )
        score = max((span.score for span in spans), default=0.0)
        return Judgement(tuple(spans), None, dict.fromkeys(_FLAGS, score))


class NoDoi:
    """For BibTeX entries: one without a DOI is doubted. A naive stand-in for looking it up."""

    name = "no-doi"

    def judge(self, record: Record, mode: Mode) -> Judgement:  # noqa: ARG002
        """Doubt an entry that has no DOI; nothing is said of anything else."""
        entry = record.extra.get("entry")
        if record.set != HALLMARK or not isinstance(entry, dict) or entry["fields"].get("doi"):
            return Judgement()
        size = len(record.response)
        return Judgement((ScoredSpan(0, size, 1.0, size, "no_doi"),))


def _read(record: Record, mode: Mode, end: int) -> int:
    return len(record.response) if mode == "whole" else end
