"""An answer read as segments: sentences with their claims, mentions, times and statements."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from groundwire import _core
from groundwire._checks import several, words
from groundwire.profiles.dialogue.base import overlap
from groundwire.profiles.dialogue.errors import HallucinationError
from groundwire.profiles.dialogue.types import (
    Claim,
    EntityMention,
    LogicalStatement,
    MentionType,
    ResponseSegment,
    TemporalExpression,
    TemporalRelation,
    Tense,
)

_MENTIONS = {
    "proper_name": MentionType.ProperName,
    "definite_desc": MentionType.DefiniteDesc,
    "pronoun": MentionType.Pronoun,
}

_QUANTIFIER = re.compile(
    r"^(?:not )?(?:all|every|each|any|no|none|some|most)(?: of)?(?: (?:the|these|those))? (?=\w)",
    re.IGNORECASE,
)


def segment_response(
    text: str,
    *,
    kb: _core.KnowledgeBase | None = None,
    history: Iterable[tuple[str, str]] = (),
    reference_date: date | None = None,
) -> list[ResponseSegment]:
    """Return the sentences of an answer with what stands in them, in order (S0-038).

    Args:
        text: the answer.
        kb: names in it are found in the text.
        history: earlier turns as ``(role, text)``; pronouns may refer to them.
        reference_date: today, which "last year" is counted from.

    Raises:
        HallucinationError: the text could not be read.

    """
    segments = getattr(_core, "segments", None)
    if segments is None:
        raise HallucinationError(
            "segmentation failed: this build of groundwire's core has no 'segments'; install a "
            "newer one"
        )
    words(text, "text")
    given = {
        "kb": kb,
        "history": list(several(history, "history", "turns")),
        "reference_date": None if reference_date is None else reference_date.isoformat(),
    }
    try:
        rows = json.loads(segments(text, **given))
        return [_segment(row) for row in rows]
    except Exception as error:
        raise HallucinationError(f"segmentation failed: {error}") from error


def _segment(row: Mapping[str, Any]) -> ResponseSegment:
    times = [_span(item) for item in row["temporals"]]
    return ResponseSegment(
        index=row["index"],
        text=row["text"],
        span=_span(row),
        claims=tuple(_claim(item) for item in row["claims"]),
        # A weekday is written like a name, and is none.
        entities=tuple(
            _mention(item)
            for item in row["entities"]
            if not any(overlap(_span(item), span) for span in times)
        ),
        temporals=tuple(_temporal(item) for item in row["temporals"]),
        statements=tuple(_statement(item) for item in row["statements"]),
    )


def _claim(item: Mapping[str, Any]) -> Claim:
    return Claim(
        subject=item["subject"] or "",
        predicate=item["predicate"] or "",
        span=_span(item),
        object=item["object"] or "",
        text=item["content"],
        polarity=item["polarity"],
        modality=item["modality"],
        cited=bool(item.get("citations")),
    )


def _mention(item: Mapping[str, Any]) -> EntityMention:
    resolved = item["resolved"]
    return EntityMention(
        surface=item["surface"],
        span=_span(item),
        mention_type=_MENTIONS.get(item["mention_type"], MentionType.Generic),
        type=item["type"],
        resolved=None if resolved is None else str(resolved),
    )


def _temporal(item: Mapping[str, Any]) -> TemporalExpression:
    relation, target = item["relation"], item["target"]
    return TemporalExpression(
        surface=item["surface"],
        resolved_date=_date(item["resolved_date"]),
        year=item["year"],
        tense=Tense(item["tense"]),
        relation=None if relation is None else TemporalRelation(relation),
        span=_span(item),
        target=None
        if target is None
        else TemporalExpression(target["surface"], _date(target["resolved_date"])),
        event=item.get("event") or "",
    )


def _statement(item: Mapping[str, Any]) -> LogicalStatement:
    return LogicalStatement(
        subject=_QUANTIFIER.sub("", item["subject"] or ""),
        predicate=item["predicate"] or "",
        object=item["object"] or "",
        category=item["category"],
        surface=item["surface"],
        span=_span(item),
        negative=item["negative"],
        quantifier=item["quantifier"],
        scope=item["scope"] or "",
        modality=item["modality"],
    )


def _span(item: Mapping[str, Any]) -> tuple[int, int]:
    start, end = item["span"]
    return (start, end)


def _date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
