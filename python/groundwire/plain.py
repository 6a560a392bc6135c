"""Findings and reports as plain data: their shape, and how they are masked.

``Finding.to_dict`` and ``Report.to_dict`` give this shape. Spans are pairs of code-point offsets,
so that ``report["text"][start:end]`` is the text of a finding; ``byte_span`` counts bytes of UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict, TypeVar

Severity = Literal["info", "low", "medium", "high", "critical"]
Tier = Literal["none", "low", "medium", "high", "critical"]
Status = Literal["supported", "excluded", "unverifiable", "not_in_context", "contradicted"]

TIERS: tuple[Tier, ...] = ("none", "low", "medium", "high", "critical")
MASK = "[masked]"
_One = TypeVar("_One")


class EvidenceDict(TypedDict):
    """Why something is judged so."""

    kind: str
    source: str | None
    locator: str | None
    text: str
    quality: float
    data: Any
    id: NotRequired[str | None]


class FindingDict(TypedDict):
    """One thing judged wrong or risky."""

    id: str
    system: str
    type: str
    rule: str
    span: list[int] | None
    byte_span: list[int] | None
    spans: list[list[int]]
    text: str
    locator: str | None
    claim_id: str | None
    decided_at: int
    p_hallucinated: float
    severity: Severity
    native_severity: str
    score: float
    risk: float
    tier: Tier
    status: Status
    content: str
    message: str
    masked_message: str
    suggestion: str | None
    replacement: str | None
    evidence: list[EvidenceDict]
    detected: Any
    expected: Any
    extra: dict[str, Any]


class VerdictDict(TypedDict):
    """What a profile makes of all findings together."""

    status: str
    action: str
    reasons: list[str]
    tier: NotRequired[Tier]


class ReportDict(TypedDict):
    """What a finished session says."""

    schema_version: str
    text: str
    released: str
    tier: Tier
    verdict: VerdictDict
    findings: list[FindingDict]
    claims: list[dict[str, Any]]
    interventions: list[dict[str, Any]]
    stats: dict[str, Any]
    session_id: NotRequired[str | None]
    turn_id: NotRequired[str | None]
    verdicts: NotRequired[dict[str, VerdictDict]]
    acting: NotRequired[str]
    changes: NotRequired[list[dict[str, Any]]]
    truncated: NotRequired[bool]
    finished: NotRequired[bool]
    latched: NotRequired[str | None]
    stopped: NotRequired[str | None]
    holds_given_up: NotRequired[int]
    unanswered: NotRequired[list[str]]
    mitigation: NotRequired[dict[str, Any]]
    skipped: NotRequired[int]
    confidence: NotRequired[float | None]
    claim_confidence: NotRequired[dict[str, float]]
    weak_points: NotRequired[list[dict[str, Any]]]


def tier_rank(tier: str) -> int:
    """Return the place of ``tier`` from 0 (none) to 4 (critical); 0 for an unknown name."""
    return TIERS.index(tier) if tier in TIERS else 0


def unchecked(stats: Mapping[str, Any]) -> str | None:
    """Return the line that says how many claims nothing was held against, if there are any."""
    beyond = stats.get("claims_unverifiable", 0)
    if not beyond:
        return None
    were = "claim was" if beyond == 1 else "claims were"
    return (
        f"{beyond} {were} not checked: the limit of a text is {stats['claims'] - beyond}; "
        "raise dialogue.max_claims in the configuration"
    )


def worst(entries: Sequence[_One], most: int, tier: Callable[[_One], str]) -> list[_One]:
    """Return ``most`` entries of the worst tiers, in the order in which they came."""
    if len(entries) <= most:
        return list(entries)
    ranked = sorted(range(len(entries)), key=lambda at: -tier_rank(tier(entries[at])))
    return [entries[at] for at in sorted(ranked[:most])]


def mask_source(source: str | None, sources: dict[str, int]) -> str | None:
    """Return a number in place of a source's name, which may be a title or a path.

    ``sources`` are those met so far, by name; a new one is added.
    """
    if not source or re.fullmatch(r"\[source \d+\]", source):
        return source
    return f"[source {sources.setdefault(source, len(sources) + 1)}]"


def mask_finding(
    finding: Mapping[str, Any], sources: dict[str, int] | None = None
) -> dict[str, Any]:
    """Return ``finding`` without a word of the stream or of a source.

    Kept: what kind it is, where it stands, how sure and how bad it is, and how many sources were
    looked at: they are numbered, over all findings masked with the same ``sources``. Of the
    message, the words that quote nothing are kept.
    """
    numbers: dict[str, int] = {} if sources is None else sources
    masked = dict(finding)
    for key in ("text", "content", "suggestion", "replacement", "detected", "expected"):
        if masked.get(key) not in (None, ""):
            masked[key] = MASK
    if "message" in masked:
        masked["message"] = masked.pop("masked_message", "") or MASK
    if "evidence" in masked:
        masked["evidence"] = [
            {key: piece[key] for key in ("kind", "quality") if key in piece}
            | {"source": mask_source(piece.get("source"), numbers), "locator": None}
            for piece in masked["evidence"]
        ]
    masked.pop("extra", None)
    return masked


def mask_weak_point(
    point: Mapping[str, Any], sources: dict[str, int] | None = None
) -> dict[str, Any]:
    """Return a weak point without the claim's words; its source is numbered as in findings."""
    numbers: dict[str, int] = {} if sources is None else sources
    return {**point, "content": MASK, "source": mask_source(point.get("source"), numbers)}
