"""What findings and reports look like as plain data, and how a message becomes text.

The shapes are those the Rust core serialises; spans are pairs of code-point offsets, so that
``report["text"][start:end]`` is the text of a finding. ``byte_span`` counts bytes of UTF-8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

Severity = Literal["info", "low", "medium", "high", "critical"]
Tier = Literal["none", "low", "medium", "high", "critical"]
Status = Literal["supported", "excluded", "unverifiable", "not_in_context", "contradicted"]

TIERS: tuple[Tier, ...] = ("none", "low", "medium", "high", "critical")
MASK = "[masked]"


class ParamDict(TypedDict):
    """One parameter of a message; a sensitive one quotes the stream or a source."""

    name: str
    value: str
    sensitive: bool


class MessageDict(TypedDict):
    """A template with ``{name}`` places and the values for them."""

    template: str
    params: list[ParamDict]


class EvidenceDict(TypedDict):
    """Why something is judged so."""

    kind: str
    source: str | None
    locator: str | None
    text: str
    quality: float
    data: Any


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
    message: MessageDict
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
    truncated: NotRequired[bool]


def tier_rank(tier: str) -> int:
    """Return the place of ``tier`` from 0 (none) to 4 (critical); 0 for an unknown name."""
    return TIERS.index(tier) if tier in TIERS else 0


def render_message(message: MessageDict | Mapping[str, Any] | str, *, mask: bool) -> str:
    """Return a message as text; with ``mask``, sensitive values show as ``[masked]``.

    A place without a parameter stays as it stands, and a parameter's own braces are not read
    again. A message that is already text may quote anything, so ``mask`` hides all of it.
    """
    if isinstance(message, str):
        return MASK if mask else message
    params = {param["name"]: param for param in message["params"]}
    out: list[str] = []
    rest = message["template"]
    while (start := rest.find("{")) >= 0:
        out.append(rest[:start])
        name, closed, tail = rest[start + 1 :].partition("}")
        if closed and name in params:
            param = params[name]
            out.append(MASK if mask and param["sensitive"] else param["value"])
            rest = tail
        else:
            out.append("{")
            rest = rest[start + 1 :]
    return "".join(out) + rest


def mask_finding(finding: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``finding`` without a word of the stream or of a source.

    Kept: what kind it is, where it stands, how sure and how bad it is, and which sources were
    looked at. ``message`` becomes text with sensitive values masked.
    """
    masked = dict(finding)
    for key in ("text", "content", "suggestion", "replacement", "detected", "expected"):
        if masked.get(key) not in (None, ""):
            masked[key] = MASK
    if "message" in masked:
        masked["message"] = render_message(masked["message"], mask=True)
    if "evidence" in masked:
        masked["evidence"] = [
            {key: piece[key] for key in ("kind", "source", "locator", "quality") if key in piece}
            for piece in masked["evidence"]
        ]
    masked.pop("extra", None)
    return masked
