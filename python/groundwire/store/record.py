"""What one turn brought, under the key tree of the dialogue system (seed 000, "PathMap Schema").

::

    /hallucination/{session_id}/{turn_id}/
        detection/   total_flags, high_confidence, medium_confidence
            flag/{idx}/   span_start, span_end, content, type, confidence, suggestion, evidence_text
                evidence/     kb_lookup, history_match, linguistic
        mitigation/  action_count, corrections_applied, regeneration_needed
            action/{idx}/ type, span_start, span_end, original, replacement, reason
        metrics/     detection_time_ms, segments_analyzed, claims_checked, entities_verified

What is not known has no leaf. The seed names ``evidence`` both a value and a folder; here the
value is ``evidence_text``. A confidence of 0.8 and more counts as high, from 0.5 to below 0.8 as
medium; a flag below 0.5 counts in ``total_flags`` alone, for the seed has no bucket for it.
Spans are code points of the report's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from groundwire._checks import factor
from groundwire.errors import ArgumentError
from groundwire.plain import MASK, mask_finding
from groundwire.report import Report
from groundwire.store import patterns, retention, weak
from groundwire.store._common import stamp
from groundwire.store.actions import mitigation_leaves
from groundwire.store.keys import join, unescape

if TYPE_CHECKING:
    from groundwire.findings import Claim
    from groundwire.store.base import Store, Value

ROOT = "hallucination"
HIGH, MEDIUM = 0.8, 0.5

_SEED_SYSTEM = "dialogue."
_LOOKED_UP = {"kb_lookup": "kb_fact", "history_match": "prior_turn"}


def record(
    store: Store,
    report: Report,
    session_id: str | None = None,
    turn_id: str | None = None,
    mitigation: Iterable[Any] | None = None,
    detection_time_ms: float | None = None,
    confidence: Mapping[str, float] | None = None,
) -> str:
    """Keep a report under its session and turn, in one transaction; return the turn's key.

    A turn that was kept before is replaced, its share in the patterns' frequencies too. Unless the
    store was made with ``mask=False``, no word of the answer or of a source is kept: contents read
    ``[masked]``, as in logs.

    Args:
        store: where.
        report: what a session, a guard or ``check`` returned.
        session_id: the report's own unless given.
        turn_id: likewise.
        mitigation: what was done about it: objects or mappings with ``type`` (or the name of their
            class), ``span``, ``original``, ``replacement``, ``reason``; the report's interventions
            unless given.
        detection_time_ms: what detection took; a report does not hold that.
        confidence: how well founded claims are, by claim id, 0..1 (1 is sure), for weak points.

    Raises:
        ArgumentError: there is no session or turn id, or a number is out of range; the store is
            unchanged.

    """
    if not isinstance(report, Report):
        raise ArgumentError(f"a report is expected, not {report!r:.60}")
    session_id = session_id if session_id is not None else report.session_id
    turn_id = turn_id if turn_id is not None else report.turn_id
    for given, name in ((session_id, "session_id"), (turn_id, "turn_id")):
        if given is None:
            raise ArgumentError(f"the report names no {name}; give one to record it under")
    turn = join(ROOT, session_id or "", turn_id or "")
    claims = {claim.id: claim for claim in report.claims}
    findings = [finding.to_dict() for finding in report.findings]
    leaves: dict[str, Value] = dict(_detection(findings, claims, store.mask))
    leaves |= mitigation_leaves(report, mitigation, mask=store.mask)
    leaves |= _metrics(report.stats, detection_time_ms)
    time = stamp(store.clock())
    with store.transaction():
        retention.drop(store, session_id or "", turn_id or "", uncount=True)
        store.put_all((f"{turn}/{name}", value) for name, value in leaves.items())
        seen = patterns.count(store, findings, claims, (session_id or "", turn_id or ""), time)
        weak.keep(store, report, (session_id or "", turn_id or ""), confidence or {})
        retention.note(store, session_id or "", turn_id or "", time, seen)
        if store.retention is not None:
            retention.purge(store, store.retention, patterns_too=False)
    return turn


def add(store: Store, report: Report) -> str:
    """Record a report under its own ids, or new ones; see ``Store.add``."""
    session_id = report.session_id or uuid4().hex
    with store.transaction():
        turn_id = report.turn_id or _next_turn(store, session_id)
        return record(store, report, session_id, turn_id, confidence=report.claim_confidence)


def _next_turn(store: Store, session_id: str) -> str:
    """Return the number after the highest of a session's turns, from 1."""
    turns = (unescape(step.rstrip("/")) for step in store.children(join(ROOT, session_id)))
    return str(max((int(turn) for turn in turns if turn.isdecimal()), default=0) + 1)


def type_name(type: str) -> str:
    """Return the seed's name of one of its types, other types as they are.

    ``dialogue.fabricated_fact`` is ``FabricatedFact``; ``stream.unknown_entity`` stays.
    """
    if not type.startswith(_SEED_SYSTEM):
        return type
    return "".join(part.capitalize() for part in type.removeprefix(_SEED_SYSTEM).split("_"))


def _detection(
    findings: Sequence[dict[str, Any]], claims: Mapping[str, Claim], mask: bool
) -> Iterable[tuple[str, Value]]:
    sure = [finding["p_hallucinated"] for finding in findings]
    yield "detection/total_flags", len(findings)
    yield "detection/high_confidence", sum(p >= HIGH for p in sure)
    yield "detection/medium_confidence", sum(MEDIUM <= p < HIGH for p in sure)
    for index, finding in enumerate(findings):
        for name, value in _flag(finding, claims.get(finding["claim_id"] or ""), mask):
            yield f"detection/flag/{index}/{name}", value


def _flag(finding: dict[str, Any], claim: Claim | None, mask: bool) -> Iterable[tuple[str, Value]]:
    shown = mask_finding(finding) if mask else finding
    if finding["span"] is not None:
        yield "span_start", finding["span"][0]
        yield "span_end", finding["span"][1]
    yield "content", shown["content"] or shown["text"]
    yield "type", type_name(finding["type"])
    yield "confidence", finding["p_hallucinated"]
    if shown["suggestion"] or shown["replacement"]:
        yield "suggestion", shown["suggestion"] or shown["replacement"]
    if finding["evidence"]:
        yield "evidence_text", "; ".join(_piece(piece) for piece in shown["evidence"])
    for name, kind in _LOOKED_UP.items():
        found = [piece for piece in shown["evidence"] if piece["kind"] == kind]
        if found:
            yield f"evidence/{name}", "; ".join(_piece(piece) for piece in found)
    if claim is not None and claim.signals:
        yield (
            "evidence/linguistic",
            "; ".join(f"{s['kind']} {s['strength']:.2f}" for s in claim.signals),
        )


def _piece(piece: Mapping[str, Any]) -> str:
    """Return a piece of evidence with its source; a masked one has no text."""
    text = piece.get("text", MASK)
    return f"{text} ({piece['source']})" if piece.get("source") else str(text)


def _metrics(stats: Mapping[str, Any], time_ms: float | None) -> dict[str, Value]:
    if time_ms is not None:
        factor(time_ms, "detection_time_ms")
    leaves: dict[str, Value] = {} if time_ms is None else {"metrics/detection_time_ms": time_ms}
    counts = {
        "segments_analyzed": "segments",
        "claims_checked": "claims",
        "entities_verified": "entities",
    }
    return leaves | {f"metrics/{name}": stats[of] for name, of in counts.items() if of in stats}
