"""Growing specificity without evidence: more and more figures and names, none of them sourced."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from groundwire import _core
from groundwire._given import passages
from groundwire.findings import Claim, Finding
from groundwire.profiles.stream.language import numbers, sentences, words

WINDOW = 6
"""Sentences that are compared."""
LEAST_SENTENCES = 4
LEAST_SPECIFICS = 4
"""Unsourced figures and names that the later half has to hold."""
LEAST_RISE = 1.5
"""How many more of them a sentence of the later half has to hold, on average."""
_LIST = re.compile(r"^\s*(?:[-*•|]|\d+[.)])\s")


class SpecificityDrift:
    """A pattern and a detector of ``stream.specificity_drift`` (S4-019).

    Over the last six sentences of prose, counts what each holds of numbers (dates included) and
    names that neither the grounds nor an earlier sentence has. It matches where there are at
    least four sentences, the later half holds at least four of them and on average 1.5 a
    sentence more than the earlier half, and the last sentence no fewer than any before it. Lists
    and tables count for nothing: they are meant to be dense. The confidence is 0.5 for a rise of
    1.5 a sentence, 0.1 more for each further one, at most 0.9.

    Args:
        evidence: passages; their numbers and names are sourced.
        question: what is asked; likewise.
    """

    name = "stream.specificity_drift"

    def __init__(self, evidence: Iterable[Any] = (), question: str | None = None) -> None:
        given = " ".join([*(text for _, text in passages(evidence)), question or ""])
        self._numbers = numbers(given)
        self._words = set(words(given))

    def matches(self, text: str) -> bool:
        """Return whether the end of ``text`` grows more specific without evidence."""
        return self.rise(text) is not None

    def confidence(self, text: str) -> float:
        """Return 0.5..0.9 where it does, else 0."""
        rise = self.rise(text)
        return 0.0 if rise is None else min(0.9, 0.5 + 0.1 * (rise - LEAST_RISE))

    def rise(self, text: str) -> float | None:
        """Return how many more unsourced specifics a later sentence holds, or none."""
        counts = self._counts(text)[-WINDOW:]
        if len(counts) < LEAST_SENTENCES:
            return None
        half = len(counts) // 2
        early, late = counts[:half], counts[half:]
        rise = sum(late) / len(late) - sum(early) / len(early)
        grows = counts[-1] >= max(counts) and sum(late) >= LEAST_SPECIFICS
        return rise if grows and rise >= LEAST_RISE else None

    def detect(self, claim: Claim, text: str) -> list[Finding]:
        """Return a finding at a claim with which specificity has grown."""
        rise = self.rise(text)
        if rise is None:
            return []
        return [
            Finding(
                type=self.name,
                rule=self.name,
                text=claim.content,
                byte_span=claim.byte_span,
                claim_id=claim.id,
                decided_at=claim.decided_at,
                p_hallucinated=self.confidence(text),
                severity="medium",
                message=(
                    f"the text grows more specific without a source: {rise:.1f} more unsourced "
                    "figures and names a sentence"
                ),
                extra={"absence": True},
            )
        ]

    def _counts(self, text: str) -> list[int]:
        known_numbers, known_words = set(self._numbers), set(self._words)
        counts = []
        for start, end in sentences(text):
            sentence = text[start:end]
            if not _LIST.match(sentence) and "|" not in sentence:
                fresh = numbers(sentence) - known_numbers
                named = [
                    sentence[a:b]
                    for a, b, kind, *_ in _names().scan(sentence)
                    if kind != "common" and not set(words(sentence[a:b])) <= known_words
                ]
                counts.append(len(fresh) + len(named))
            known_numbers |= numbers(sentence)
            known_words |= set(words(sentence))
        return counts


@lru_cache(maxsize=1)
def _names() -> _core.EntityIndex:
    return _core.EntityIndex.build([])
