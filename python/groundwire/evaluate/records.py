"""A labelled record, and what it is made of: words, sentences, sources."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from groundwire import _core

TOKEN = re.compile(r"\w+|[^\w\s]")
"""Tokens of every measure here: a word or one punctuation mark, so that no model's cut counts."""


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """A stretch labelled as not grounded: code points of the response, and the set's own type."""

    start: int
    end: int
    type: str = ""


@dataclass(frozen=True)
class Record:
    """One labelled response with what it was to rest on.

    Attributes:
        id: the set's own id.
        set: the set's own name, which thresholds are shipped for.
        response: the text that is judged.
        hallucinated: the label of the whole response.
        spans: labelled stretches, in code points of ``response``.
        evidence: passages as (id, text).
        kb: rows of a table, as the set gives them.
        history: earlier turns as (role, text).
        question: what was asked, if anything.
        extra: everything else the set says.
        spans_labelled: whether the set labels stretches at all.
    """

    id: str
    set: str
    response: str
    hallucinated: bool
    spans: tuple[GoldSpan, ...] = ()
    evidence: tuple[tuple[str, str], ...] = ()
    kb: tuple[Mapping[str, Any], ...] = ()
    history: tuple[tuple[str, str], ...] = ()
    question: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    spans_labelled: bool = False

    @cached_property
    def tokens(self) -> list[tuple[int, int]]:
        """(start, end) of every token of the response."""
        return [match.span() for match in TOKEN.finditer(self.response)]

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """(start, end) of every sentence, as the core cuts them; the whole text if it finds none.

        Between them they hold every token: what stands before the first or between two belongs to
        the next, what follows the last belongs to the last.
        """
        events = _core.segment(self.response)
        ends = sorted({int(e["end"]) for e in events if e["event"] == "sentence"})
        size = len(self.response)
        if not ends or not self.response[ends[-1] :].strip():
            ends = [*ends[:-1], size]
        else:
            ends.append(size)
        starts = [0, *ends[:-1]]
        return [(a, b) for a, b in zip(starts, ends, strict=True) if b > a]

    @cached_property
    def group(self) -> str:
        """What records share a source: they stay in one part, and are drawn together.

        The set's ``extra.source_id`` where there is one, else the evidence, the table, the pair, or
        the record itself.
        """
        source = self.extra.get("source_id")
        if source is not None:
            return f"source:{source}"
        if self.evidence:
            return "evidence:" + _digest([text for _, text in self.evidence])
        if self.kb:
            return "kb:" + _digest(self.kb)
        pair = self.extra.get("pair")
        return f"id:{self.id}" if pair is None else f"pair:{pair}"


def _digest(value: Any) -> str:
    data = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.blake2b(data.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
