"""Between the profile's flags and the common findings (U-1, U-2); both directions lose nothing.

The profile's confidence is certainty of detection, so it equals ``p_hallucinated`` (X-02).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.findings import Evidence, Finding
from groundwire.profiles.dialogue.types import HallucinationFlag, HallucinationType

_OWN = {member.native: member for member in HallucinationType}
_NEAREST = {
    "stream.unknown_entity": HallucinationType.NonexistentEntity,
    "stream.unsupported_number": HallucinationType.UnsupportedClaim,
    "stream.unsupported_sentence": HallucinationType.UnsupportedClaim,
    "stream.altered_detail": HallucinationType.UnsupportedClaim,
    "stream.verifier_unsupported": HallucinationType.UnsupportedClaim,
    "stream.quantity_conflict": HallucinationType.ContradictsFact,
    "stream.contradicts_evidence": HallucinationType.ContradictsFact,
    "stream.verifier_contradicted": HallucinationType.ContradictsFact,
}
NOTED = (
    "absence",
    "closed_world",
    "evidence_given",
    "denied",
    "disputed",
    "no_substitute",
    "person",
)
"""What a finding's ``extra`` and a flag's ``detail`` both note, as truth values: that something is
only missing, from a base declared complete, from evidence; that the right value was denied; that
sources disagree about it; that nothing can stand in its place; that it names a person."""
_SEVERITY = {"HIGH": "high", "MEDIUM-HIGH": "high", "MEDIUM": "medium"}


def type_of(finding: Finding, *, nearest: bool = False) -> HallucinationType | None:
    """Return the profile's type of a finding, or ``None`` if it has none.

    With ``nearest`` a finding of the stream's own detectors counts as the type most like it:
    unknown names as ``NonexistentEntity``, numbers, sentences and details no source supports as
    ``UnsupportedClaim``, quantities and claims that a source contradicts as ``ContradictsFact``.
    """
    own = _OWN.get(finding.type)
    return own if own is not None or not nearest else _NEAREST.get(finding.type)


def to_flag(finding: Finding, *, nearest: bool = False) -> HallucinationFlag | None:
    """Return a finding as a flag; ``None`` if its type, or a place in the text, is missing.

    A flag's evidence is the texts of the finding's evidence, one a line.
    """
    if not isinstance(finding, Finding):
        raise ArgumentError(f"a groundwire.Finding is expected, not {finding!r:.60}")
    kind = type_of(finding, nearest=nearest)
    if kind is None or finding.span is None:
        return None
    evidence = "\n".join(item.text for item in finding.evidence if item.text) or None
    entity, attribute = finding.extra.get("topic"), finding.extra.get("predicate")
    native = finding.extra.get("native_span")
    return HallucinationFlag(
        span=finding.span if native is None else (native[0], native[1]),
        content=finding.content or finding.text,
        hallucination_type=kind,
        confidence=finding.p_hallucinated,
        suggestion=finding.suggestion,
        evidence=evidence,
        text=finding.text,
        replacement=finding.replacement,
        status=finding.status,
        entity=entity if isinstance(entity, str) else None,
        attribute=attribute if isinstance(attribute, str) else None,
        detail={
            "finding": finding.id,
            "detected": finding.detected,
            "evidence_kind": finding.evidence[0].kind if finding.evidence else None,
            **{name: bool(finding.extra.get(name, False)) for name in NOTED},
        },
    )


def to_flags(findings: Iterable[Finding], *, nearest: bool = False) -> list[HallucinationFlag]:
    """Return findings as flags, in their order, without those that cannot be one."""
    flags = (to_flag(finding, nearest=nearest) for finding in findings)
    return [flag for flag in flags if flag is not None]


def to_finding(flag: HallucinationFlag, answer: str = "") -> Finding:
    """Return a flag as a finding of the system ``dialogue``.

    With the ``answer`` it was raised on, the finding has its place in bytes too, as
    ``Session.report`` takes it. A span whose end stands before its start is put in order; the
    finding's ``extra["native_span"]`` keeps it as it was.
    """
    if not isinstance(flag, HallucinationFlag):
        raise ArgumentError(f"a HallucinationFlag is expected, not {flag!r:.60}")
    kind = flag.hallucination_type
    start, end = sorted(flag.span)
    byte_span = None
    if answer:
        before = len(answer[:start].encode())
        byte_span = (before, before + len(answer[start:end].encode()))
    extra: dict[str, Any] = {"profile": "dialogue", "base_severity": kind.base_severity()}
    if flag.entity is not None:
        extra["topic"] = flag.entity
    if flag.attribute is not None:
        extra["predicate"] = flag.attribute
    extra.update({name: True for name in NOTED if flag.detail.get(name)})
    if (start, end) != flag.span:
        extra["native_span"] = list(flag.span)
    native = kind.label()
    evidence = () if flag.evidence is None else (Evidence(flag.evidence, kind="signal"),)
    return Finding(
        type=kind.native,
        system="dialogue",
        text=flag.text or answer[start:end],
        span=(start, end),
        byte_span=byte_span,
        decided_at=0 if byte_span is None else byte_span[1],
        p_hallucinated=flag.confidence,
        severity=_SEVERITY[native],
        native_severity=native,
        status=flag.status,
        content=flag.content,
        message=kind.description(),
        suggestion=flag.suggestion,
        replacement=flag.replacement,
        evidence=evidence,
        extra=extra,
    )
