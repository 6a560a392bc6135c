"""Sets that keep a form of their own: HALLMARK (BibTeX entries) and WiCE (labelled tokens)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from groundwire.errors import FormatError
from groundwire.evaluate.lines import all_encodable
from groundwire.evaluate.records import GoldSpan, Record

HALLMARK, WICE = "hallmark", "wice"
MAX_TIER = 100
WICE_LABELS = ("supported", "partially_supported", "not_supported")


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
    if label not in ("VALID", "HALLUCINATED"):
        raise FormatError(f"{where}: 'label' is VALID or HALLUCINATED, not {label!r:.40}")
    for name, value in fields.items():
        if isinstance(value, list | Mapping):
            raise FormatError(
                f"{where}: 'fields' holds {type(value).__name__} in {name!a:.40}; a field is a text"
            )
    all_encodable(fields, f"{where}: fields")
    for name in ("bibtex_key", "bibtex_type", "hallucination_type"):
        value = data.get(name)
        if not isinstance(value, str) and (name == "bibtex_key" or value is not None):
            raise FormatError(f"{where}: {name!r} is a text, not {value!r:.40}")
        all_encodable(value, f"{where}: {name!r}")
    tier = check_tier(data.get("difficulty_tier"), "'difficulty_tier'", where)
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


def check_tier(tier: Any, name: str, where: str) -> int | None:
    """Return a difficulty tier, which weighs an entry; raises ``FormatError`` if it is none."""
    if tier is None:
        return None
    if not isinstance(tier, int) or isinstance(tier, bool) or not 1 <= tier <= MAX_TIER:
        raise FormatError(
            f"{where}: {name} is a whole number from 1 to {MAX_TIER}, not {tier!r:.40}"
        )
    return tier


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
    _check_wice(data, where)
    claim, tokens, flags = data["claim"], data["claim_tokens"], data["non_supported_spans"]
    places: list[tuple[int, int]] = []
    at = 0
    for token in tokens:
        word = token.strip()
        found = claim.find(word, at) if word else at
        if found < 0:
            # A token the claim writes otherwise (a lost space character) has no place of its own.
            places.append((at, at))
            continue
        places.append((found, found + len(word)))
        at = found + len(word)
    return Record(
        id=str((data.get("meta") or {}).get("id", where)),
        set=WICE,
        response=claim,
        hallucinated=data["label"] != "supported",
        spans=_runs(places, flags),
        evidence=(("article", "\n".join(data["evidence"])),),
        extra={"tokens": places, "unsupported": flags, "label": data["label"]},
        spans_labelled=True,
    )


def _check_wice(data: Mapping[str, Any], where: str) -> None:
    claim, tokens, flags = (
        data.get("claim"),
        data.get("claim_tokens"),
        data.get("non_supported_spans"),
    )
    lines = data.get("evidence")
    if not isinstance(claim, str) or not isinstance(tokens, list) or not isinstance(flags, list):
        raise FormatError(f"{where}: WiCE needs 'claim', 'claim_tokens' and 'non_supported_spans'")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise FormatError(f"{where}: 'evidence' is a list of lines of text")
    for name in ("claim", "claim_tokens", "evidence"):
        all_encodable(data[name], f"{where}: {name}")
    _check_tokens(tokens, flags, where)
    if data.get("label") not in WICE_LABELS:
        raise FormatError(
            f"{where}: 'label' is one of {', '.join(WICE_LABELS)}, not {data.get('label')!r:.40}"
        )
    meta = data.get("meta") or {}
    if not isinstance(meta, Mapping):
        raise FormatError(f"{where}: 'meta' is an object, not {type(meta).__name__}")
    if data["label"] == "supported" and any(flags):
        raise FormatError(
            f"{where}: 'label' is supported, but 'non_supported_spans' marks {sum(flags)} tokens"
        )
    name = meta.get("id", where)
    if not isinstance(name, str | int):
        raise FormatError(f"{where}: meta.id is a name or a number, not {name!r:.40}")


def _check_tokens(tokens: list[Any], flags: list[Any], where: str) -> None:
    if len(tokens) != len(flags):
        raise FormatError(f"{where}: {len(tokens)} claim_tokens, {len(flags)} non_supported_spans")
    for i, (token, flag) in enumerate(zip(tokens, flags, strict=True)):
        if not isinstance(token, str):
            raise FormatError(f"{where}: claim_tokens[{i}] is a text, not {token!r:.40}")
        if not isinstance(flag, bool):
            raise FormatError(
                f"{where}: non_supported_spans[{i}] is true or false, not {flag!r:.40}"
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
