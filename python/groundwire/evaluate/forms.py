"""Sets that keep a form of their own: HALLMARK (BibTeX entries) and WiCE (labelled tokens)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from groundwire.errors import FormatError
from groundwire.evaluate.records import GoldSpan, Record

HALLMARK, WICE = "hallmark", "wice"


def bibtex(kind: str, key: str, fields: Mapping[str, Any]) -> str:
    """Return an entry as BibTeX, its fields in the order given."""
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items()]
    return "@" + kind + "{" + ",\n".join([key, *lines]) + "\n}"


def hallmark_record(data: Mapping[str, Any], where: str) -> Record:
    """Return one HALLMARK entry.

    The response is the entry in BibTeX. The key of the labelled file can give the answer away, so
    a neutral one is written. ``extra`` holds ``entry`` (type and fields), ``error_type``,
    ``difficulty_tier``, ``subtests`` and ``reference_date``, the day it came to the set.

    Raises ``FormatError`` naming ``where``.
    """
    fields = data.get("fields")
    label = data.get("label")
    if not isinstance(fields, Mapping):
        raise FormatError(f"{where}: a HALLMARK entry has an object 'fields'")
    if label not in {"VALID", "HALLUCINATED"}:
        raise FormatError(f"{where}: 'label' is VALID or HALLUCINATED, not {label!r:.40}")
    tier = data.get("difficulty_tier")
    if tier is not None and (not isinstance(tier, int) or isinstance(tier, bool) or tier < 1):
        raise FormatError(f"{where}: 'difficulty_tier' is a whole number from 1, not {tier!r:.40}")
    kind = str(data.get("bibtex_type") or "misc")
    return Record(
        id=str(data["bibtex_key"]),
        set=HALLMARK,
        response=bibtex(kind, "entry", fields),
        hallucinated=label == "HALLUCINATED",
        extra={
            "entry": {"type": kind, "fields": dict(fields)},
            "error_type": data.get("hallucination_type"),
            "difficulty_tier": tier,
            "generation_method": data.get("generation_method"),
            "subtests": data.get("subtests") or {},
            "reference_date": _day(data.get("added_to_benchmark"), where),
        },
    )


def _day(value: Any, where: str) -> str | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except (TypeError, ValueError):
        raise FormatError(
            f"{where}: 'added_to_benchmark' is a day as YYYY-MM-DD, not {value!r:.40}"
        ) from None


def wice_record(data: Mapping[str, Any], where: str) -> Record:
    """Return one WiCE claim: tokens its article does not support become spans.

    The claim is the response, the article's lines are one passage, and tokens that follow each
    other make one span. ``extra`` holds ``tokens`` as (start, end) and ``unsupported`` (a truth
    value each), which WiCE's own measure counts.

    Raises ``FormatError`` naming ``where``.
    """
    claim, tokens, flags = (
        data.get("claim"),
        data.get("claim_tokens"),
        data.get("non_supported_spans"),
    )
    lines = data.get("evidence")
    if not isinstance(claim, str) or not isinstance(tokens, list) or not isinstance(flags, list):
        raise FormatError(f"{where}: WiCE needs 'claim', 'claim_tokens' and 'non_supported_spans'")
    if len(tokens) != len(flags):
        raise FormatError(f"{where}: {len(tokens)} claim_tokens, {len(flags)} non_supported_spans")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise FormatError(f"{where}: 'evidence' is a list of lines of text")
    places: list[tuple[int, int]] = []
    at = 0
    for token in tokens:
        word = str(token).strip()
        found = claim.find(word, at) if word else at
        if found < 0:
            # A token the claim writes otherwise (a lost space character) has no place of its own.
            places.append((at, at))
            continue
        places.append((found, found + len(word)))
        at = found + len(word)
    meta = data.get("meta") or {}
    if not isinstance(meta, Mapping):
        raise FormatError(f"{where}: 'meta' is an object, not {type(meta).__name__}")
    return Record(
        id=str(meta.get("id", where)),
        set=WICE,
        response=claim,
        hallucinated=data.get("label") != "supported",
        spans=_runs(places, flags),
        evidence=(("article", "\n".join(lines)),),
        extra={"tokens": places, "unsupported": flags, "label": data.get("label")},
        spans_labelled=True,
    )


def _runs(places: list[tuple[int, int]], flags: list[bool]) -> tuple[GoldSpan, ...]:
    spans: list[GoldSpan] = []
    open_at: int | None = None
    last = 0
    for (start, end), flag in zip(places, flags, strict=True):
        if flag and end > start:
            open_at = start if open_at is None else open_at
            last = end
        elif not flag and open_at is not None:
            spans.append(GoldSpan(open_at, last, "not_supported"))
            open_at = None
    if open_at is not None:
        spans.append(GoldSpan(open_at, last, "not_supported"))
    return tuple(spans)
