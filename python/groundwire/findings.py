"""What a session found, and what the guard did about it, as plain immutable objects.

Spans are half-open ranges of code points of ``Report.text``; ``byte_span`` is the same in UTF-8
bytes of the whole stream.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from numbers import Real
from typing import Any

from groundwire.claims import Claim, ClaimBits, Referent, Span
from groundwire.errors import ArgumentError

__all__ = [
    "SCHEMA_VERSION",
    "STATUSES",
    "Claim",
    "ClaimBits",
    "Evidence",
    "Finding",
    "Intervention",
    "Referent",
    "Span",
    "Verdict",
]

SCHEMA_VERSION = "1.0"

SYSTEMS = ("stream", "dialogue", "budget")
"""Who may find something."""

STATUSES = ("supported", "contradicted", "not_in_context", "unverifiable", "excluded")
"""How a text can stand to what is known."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why something is judged so, or a passage an answer may rest on.

    Attributes:
        text: its words.
        kind: ``passage``, ``kb_fact``, ``prior_turn``, ``tool_result``, ``source_record``,
            ``rule`` or ``signal``.
        source: where it comes from (document, fact or rule id), if known.
        locator: place inside the source, if known.
        quality: how good it is, 0..1.
        data: anything else, as JSON-like data.
        id: id under which it was given to a session, if any.
    """

    text: str
    kind: str = "passage"
    source: str | None = None
    locator: str | None = None
    quality: float = 1.0
    data: Any = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verifier's answer about one claim.

    Attributes:
        status: ``supported``, ``contradicted``, ``not_in_context``, ``unverifiable`` or
            ``excluded``.
        p0: bounds of P(true | without evidence), 0..1, if estimated.
        p1: bounds of P(true | with evidence), 0..1, if estimated.
        reason: why, in words.

    Raises ``ArgumentError`` for another status, and for bounds out of range or reversed.
    """

    status: str
    p0: tuple[float, float] | None = None
    p1: tuple[float, float] | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        """Check status, bounds and reason; raise ``ArgumentError`` naming what is wrong."""
        if self.status not in STATUSES:
            raise ArgumentError(
                f"a verdict's status is one of {', '.join(STATUSES)}, not {self.status!r:.60}"
            )
        for name in ("p0", "p1"):
            bounds = getattr(self, name)
            if bounds is not None and not _is_interval(bounds):
                raise ArgumentError(
                    f"a verdict's {name}: bounds are two numbers from 0 to 1, the lower one first, "
                    f"not {bounds!r:.60}"
                )
        if not isinstance(self.reason, str):
            raise ArgumentError(f"a verdict's reason is a string, not {self.reason!r:.60}")

    def to_json(self) -> str:
        """Return the form the core reads."""

        def interval(bounds: tuple[float, float] | None) -> dict[str, float] | None:
            return None if bounds is None else {"lo": bounds[0], "hi": bounds[1]}

        return json.dumps(
            {
                "status": self.status,
                "p0": interval(self.p0),
                "p1": interval(self.p1),
                "reason": self.reason,
            }
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing judged wrong or risky.

    Attributes:
        type: namespaced type, for example ``stream.unknown_entity``.
        system: system that found it (``stream``, ``dialogue``, ``budget``); where none is given,
            the one that the type begins with, else ``stream``.
        id: derived from its content, never random.
        rule: rule or detector that made it.
        text: the text at ``span`` (its first 512 bytes).
        span: code points, or none.
        byte_span: the same in bytes of the stream.
        decided_at: bytes of the stream after which nothing could change it.
        p_hallucinated: probability that this is a hallucination, 0..1.
        severity: ``info``, ``low``, ``medium``, ``high`` or ``critical``.
        score: base severity times evidence factors (S0-066), 0..1.
        risk: ``score * p_hallucinated``.
        tier: ``none``, ``low``, ``medium``, ``high`` or ``critical``.
        status: how the text stands to what is known.
        message: what to tell people, with its values filled in.
        replacement: text fit to stand in the answer, if a source has it.

    Raises ``ArgumentError`` if ``p_hallucinated`` is no number from 0 to 1.
    """

    type: str
    system: str = ""
    id: str = ""
    rule: str = ""
    text: str = ""
    span: Span | None = None
    byte_span: Span | None = None
    spans: tuple[Span, ...] = ()
    locator: str | None = None
    claim_id: str | None = None
    decided_at: int = 0
    p_hallucinated: float = 0.5
    severity: str = "medium"
    native_severity: str = ""
    score: float = 0.0
    risk: float = 0.0
    tier: str = "none"
    status: str = "unverifiable"
    content: str = ""
    message: str = ""
    suggestion: str | None = None
    replacement: str | None = None
    evidence: tuple[Evidence, ...] = ()
    detected: Any = None
    expected: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    masked_message: str = ""

    def __post_init__(self) -> None:
        """Check the probability; raise ``ArgumentError`` where it is none."""
        if not self.system:
            named = self.type.partition(".")[0]
            object.__setattr__(self, "system", named if named in SYSTEMS else "stream")
        p = self.p_hallucinated
        if isinstance(p, bool) or not isinstance(p, Real) or not 0 <= p <= 1:
            raise ArgumentError(
                f"{self.type}: p_hallucinated is {p!r:.60}; it is a probability from 0 to 1"
            )

    @classmethod
    def from_core(cls, data: Mapping[str, Any], char_span: Sequence[int] | None) -> Finding:
        """Build a finding from the core's form."""
        return cls(
            type=data["type"],
            system=data["system"],
            id=data["id"],
            rule=data["rule"],
            text=data["text"],
            span=None if char_span is None else (char_span[0], char_span[1]),
            byte_span=_span(data["span"]),
            spans=tuple((s["start"], s["end"]) for s in data["spans"]),
            locator=data["locator"],
            claim_id=data["claim_id"],
            decided_at=data["decided_at"],
            p_hallucinated=data["p_hallucinated"],
            severity=data["severity"],
            native_severity=data["native_severity"],
            score=data["score"],
            risk=data["risk"],
            tier=data["tier"],
            status=data["status"],
            content=data["content"],
            message=_render(data["message"], mask=False),
            masked_message=_render(data["message"], mask=True),
            suggestion=data["suggestion"],
            replacement=data["replacement"],
            evidence=tuple(_evidence(e) for e in data["evidence"]),
            detected=data["detected"],
            expected=data["expected"],
            extra=data["extra"],
        )

    def to_core(self) -> dict[str, Any]:
        """Return the core's form; ``byte_span`` is what the core reads as the place."""
        return {
            "id": self.id,
            "system": self.system,
            "type": self.type,
            "rule": self.rule,
            "span": None
            if self.byte_span is None
            else {"start": self.byte_span[0], "end": self.byte_span[1]},
            "spans": [{"start": a, "end": b} for a, b in self.spans],
            "text": self.text,
            "locator": self.locator,
            "claim_id": self.claim_id,
            "decided_at": self.decided_at,
            "p_hallucinated": self.p_hallucinated,
            "severity": self.severity,
            "native_severity": self.native_severity or self.severity,
            "score": self.score,
            "risk": self.risk,
            "tier": self.tier,
            "status": self.status,
            "content": self.content or self.text,
            "message": {
                "template": "{message}",
                "params": [
                    {"name": "message", "value": self.message or self.type, "sensitive": True}
                ],
            },
            "suggestion": self.suggestion,
            "replacement": self.replacement,
            "evidence": [
                {
                    "kind": e.kind,
                    "source": e.source,
                    "locator": e.locator,
                    "text": e.text,
                    "quality": e.quality,
                    "data": e.data,
                }
                for e in self.evidence
            ],
            "detected": self.detected,
            "expected": self.expected,
            "extra": dict(self.extra),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as JSON-like data (the report's form)."""
        data = asdict(self)
        for key in ("span", "byte_span"):
            data[key] = None if data[key] is None else list(data[key])
        data["spans"] = [list(s) for s in data["spans"]]
        data["evidence"] = [asdict(e) for e in self.evidence]
        data["extra"] = dict(self.extra)
        return data


@dataclass(frozen=True, slots=True)
class Intervention:
    """One thing the guard did to an answer.

    ``span`` is in bytes of the session's text before the rewrite; ``at_push`` counts the model's
    own tokens, those taken back included. The ``findings`` have a ``byte_span`` in the same text
    and no ``span``: that counts code points of a report's text, where theirs may be gone.
    """

    action: str
    tier: str
    at_push: int
    span: Span
    retracted: str
    inserted: str
    already_sent: bool
    findings: tuple[Finding, ...]

    @classmethod
    def from_core(cls, data: Mapping[str, Any]) -> Intervention:
        """Build an intervention from the core's form."""
        return cls(
            action=data["action"],
            tier=data["tier"],
            at_push=data["at_push"],
            span=(data["span"]["start"], data["span"]["end"]),
            retracted=data["retracted"],
            inserted=data["inserted"],
            already_sent=data["already_sent"],
            findings=tuple(Finding.from_core(f, None) for f in data["findings"]),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the intervention as JSON-like data."""
        data = asdict(self)
        data["span"] = list(self.span)
        data["findings"] = [f.to_dict() for f in self.findings]
        return data


def _is_interval(bounds: Any) -> bool:
    """Whether these are two numbers of 0..1 in order."""
    return (
        isinstance(bounds, tuple | list)
        and len(bounds) == 2
        and all(isinstance(x, int | float) and not isinstance(x, bool) for x in bounds)
        and 0 <= bounds[0] <= bounds[1] <= 1
    )


def _span(data: Mapping[str, int] | None) -> Span | None:
    return None if data is None else (data["start"], data["end"])


def _evidence(data: Mapping[str, Any]) -> Evidence:
    return Evidence(
        text=data["text"],
        kind=data["kind"],
        source=data["source"],
        locator=data["locator"],
        quality=data["quality"],
        data=data["data"],
    )


def _render(message: Mapping[str, Any], *, mask: bool) -> str:
    """Fill a message's template; values marked sensitive show as ``[masked]`` under ``mask``."""
    text = str(message["template"])
    parts: list[str] = []
    values = {p["name"]: p for p in message["params"]}
    while True:
        head, brace, tail = text.partition("{")
        parts.append(head)
        if not brace:
            return "".join(parts)
        name, close, rest = tail.partition("}")
        if close and name in values:
            param = values[name]
            parts.append("[masked]" if mask and param["sensitive"] else str(param["value"]))
            text = rest
        else:
            parts.append("{")
            text = tail
