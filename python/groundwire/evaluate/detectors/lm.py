"""Evidence lift as a detector, alone and beside any other.

The answer is read by a local model with and without its evidence (``groundwire.verifiers.lift``).
A sentence is judged by the mean of its tokens, in ``word`` mode a word by the mean of its
sentence so far: a verdict reads only the prefix, as teacher forcing does.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from groundwire.errors import ArgumentError, FormatError
from groundwire.evaluate.detectors.base import (
    Detector,
    Judgement,
    Mode,
    ScoredSpan,
    in_time,
)
from groundwire.evaluate.detectors.peers import passages_of
from groundwire.evaluate.lines import objects
from groundwire.evaluate.records import Record
from groundwire.verifiers.lift import Lift, LiftReader, LiftScorer, TokenLift, mean_lift

_NATS = math.log(2.0)


class LmScores:
    """Every token of a record's answer under a model, from a cache file where it has been read.

    Args:
        scorer: the model; ``None`` reads the cache only.
        name: the model's name, part of a record's key in the cache.
        cache: file of one JSON object a line, appended to; none by default.

    Raises:
        FormatError: the cache is no such file.

    """

    def __init__(self, scorer: LiftScorer | None, name: str, cache: Path | None = None) -> None:
        """Read what the cache holds."""
        self.scorer = scorer
        self.name = name
        self.cache = cache
        self._known: dict[str, list[TokenLift]] = {}
        self._seconds: dict[str, float] = {}
        self._reader: tuple[Any, LiftReader] | None = None
        if cache is not None and cache.exists():
            for where, data in objects(cache):
                try:
                    self._known[data["key"]] = [_token(row) for row in data["tokens"]]
                    if "seconds" in data:
                        self._seconds[data["key"]] = float(data["seconds"])
                except (ValueError, KeyError, TypeError) as error:
                    raise FormatError(
                        f"{where}: no cached scores ({type(error).__name__}: {error}); delete the "
                        "line, or the file, and the model is asked again"
                    ) from error

    def of(self, record: Record) -> list[TokenLift]:
        """Return the tokens of a record's answer; none where it has no evidence."""
        key, prompt = self._key(record)
        if not prompt[0] or not record.response.strip():
            return []
        if key not in self._known:
            if self.scorer is None:
                raise ArgumentError(f"record {record.id}: not in the cache, and there is no model")
            # Records of one source follow each other, so that its prompts are read once.
            began = time.perf_counter()
            if self._reader is None or self._reader[0] != prompt:
                self._reader = (prompt, self.scorer.open(prompt[0], (), record.question))
            self._known[key] = self._reader[1].score(record.response)
            self._seconds[key] = time.perf_counter() - began
            if self.cache is not None:
                rows = [
                    [s.start, s.end, *(round(x, 5) for x in (s.lift, s.kl, s.surprisal, s.entropy))]
                    for s in self._known[key]
                ]
                with self.cache.open("a", encoding="utf-8") as out:
                    out.write(
                        json.dumps({"key": key, "seconds": self._seconds[key], "tokens": rows})
                        + "\n"
                    )
        return self._known[key]

    def micros(self, record: Record) -> tuple[float, ...] | None:
        """Return what reading a record's answer cost, shared out over its tokens, if known."""
        seconds = self._seconds.get(self._key(record)[0])
        if seconds is None or not record.tokens:
            return None
        return (1e6 * seconds / len(record.tokens),) * len(record.tokens)

    def _key(self, record: Record) -> tuple[str, tuple[list[tuple[str, str]], str | None]]:
        passages = [(f"e{i}", text) for i, text in enumerate(passages_of(record)) if text.strip()]
        limit = None if self.scorer is None else self.scorer.max_evidence_tokens
        prompt = (passages, record.question)
        body = json.dumps([self.name, limit, prompt, record.response], ensure_ascii=False)
        data = body.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(data, digest_size=16).hexdigest(), prompt


def _token(row: Sequence[Any]) -> TokenLift:
    start, end, *numbers = row
    if not all(isinstance(x, int) for x in (start, end)):
        msg = "a token's place is two whole numbers"
        raise ValueError(msg)
    if not all(math.isfinite(x) for x in numbers):
        msg = "a number is none"
        raise ValueError(msg)
    return TokenLift(start, end, *numbers)


class LmAlone:
    """One of the model's numbers as a score, nothing fitted.

    ``lm-kl``: exp(-KL), which the evidence did not change; ``lm-lift``: 1 / (1 + exp(lift));
    ``lm-surprisal``: 1 - p, of the mean token; all in nats.
    """

    def __init__(self, name: str, scores: LmScores) -> None:
        """Choose the number; raises ``ArgumentError`` for another name."""
        measures: dict[str, Callable[[Lift], float]] = {
            "lm-kl": lambda x: math.exp(-_NATS * x.kl),
            "lm-lift": lambda x: 1.0 / (1.0 + math.exp(min(_NATS * x.lift, 60.0))),
            "lm-surprisal": lambda x: 1.0 - math.exp(-_NATS * max(x.surprisal, 0.0)),
        }
        if name not in measures:
            raise ArgumentError(f"{name!a} is none of {', '.join(measures)}")
        self.name = name
        self.scores = scores
        self._measure = measures[name]

    def judge(self, record: Record, mode: Mode) -> Judgement:
        """Judge one record."""
        spans = [
            ScoredSpan(a, b, self._measure(lift), read, self.name)
            for a, b, read, lift in pieces(record, mode, self.scores.of(record))
        ]
        return Judgement(tuple(spans), micros=self.scores.micros(record))


class WithLm:
    """Another detector's score with minus the mean KL (nats) beside it, to be weighed.

    The weight is chosen with the thresholds, on records that are not reported.
    """

    def __init__(self, base: Detector, scores: LmScores) -> None:
        """Wrap ``base``."""
        self.base = base
        self.scores = scores
        self.name = f"{base.name}+lm"

    def judge(self, record: Record, mode: Mode) -> Judgement:
        """Judge one record."""
        judged = self.base.judge(record, mode)
        own = in_time(record, mode, judged.spans)
        scores = self.scores.of(record)
        spans = []
        for a, b, read, lift in pieces(record, mode, scores):
            over = [s for s in own if s.start < b and a < s.end]
            if over and mode == "word":
                # A phrase is judged when it has ended: cut into words, all but its last come late.
                continue
            score = max((s.score for s in over), default=0.0)
            decided = max([read, *(s.decided_at for s in over)])
            spans.append(ScoredSpan(a, b, score, decided, "lm", lm=-_NATS * lift.kl))
        if mode == "word" and scores:
            spans += [replace(s, lm=self._so_far(record, scores, s.end)) for s in own]
        if not spans:
            return judged
        return Judgement(tuple(spans), None, judged.flags, self.scores.micros(record))

    def _so_far(self, record: Record, scores: Sequence[TokenLift], end: int) -> float:
        """Minus the mean KL (nats) of the sentence that holds ``end``, up to there."""
        start = max((a for a, _ in record.sentences if a < end), default=0)
        means = mean_lift(scores, record.response, start, end)
        return 0.0 if means is None else -_NATS * means.kl


def pieces(
    record: Record, mode: Mode, scores: Sequence[TokenLift]
) -> list[tuple[int, int, int, Lift]]:
    """Return (start, end, code points read, means) of each sentence, or each word in its mode."""
    found: list[tuple[int, int, int, Lift]] = []
    text = record.response
    for a, b in record.sentences:
        if mode != "word":
            means = mean_lift(scores, text, a, b)
            if means is not None:
                found.append((a, b, len(text) if mode == "whole" else b, means))
            continue
        for start, end in record.tokens:
            if a <= start < b:
                means = mean_lift(scores, text, a, end)
                if means is not None:
                    found.append((start, end, end, means))
    return found
