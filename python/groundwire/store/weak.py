"""Claims that nothing supported, kept for later: ``/weak_points`` (seed 004, third phase; S4-027).

::

    /weak_points/{session_id}/{turn_id}/{idx}/
        claim_id, status, span_start, span_end, content, confidence, types, unanswered, reason
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire._checks import share
from groundwire.errors import ArgumentError
from groundwire.findings import STATUSES
from groundwire.plain import MASK
from groundwire.store.keys import join, split

if TYPE_CHECKING:
    from groundwire.report import Report
    from groundwire.store.base import Store, Value

ROOT = "weak_points"

_GOOD = ("supported", "excluded")


@dataclass(frozen=True, slots=True)
class WeakPoint:
    """A claim that stands on nothing, or against something.

    Attributes:
        session_id: where it was made.
        turn_id: likewise.
        claim_id: its id in the report.
        status: ``contradicted``, ``not_in_context`` or ``unverifiable``; a claim with a doubtful
            finding may be ``supported``.
        span: code points of the report's text.
        content: its words, masked as the store says.
        confidence: how well founded it is, 0..1 (1 is sure): as given when it was recorded, else
            1 less the highest ``p_hallucinated`` of its findings, else none.
        types: types of its findings, each once, in order.
        unanswered: detectors or verifiers did not answer about it in time.
        reason: what ``Report.weak_points`` says of it (``low_confidence``, ``unattributed_claim``
            …); empty where no hook verified the claims.
    """

    session_id: str
    turn_id: str
    claim_id: str
    status: str
    span: tuple[int, int]
    content: str
    confidence: float | None
    types: tuple[str, ...]
    unanswered: bool
    reason: str = ""


def keep(
    store: Store, report: Report, turn: tuple[str, str], confidence: Mapping[str, float]
) -> int:
    """Keep the weak claims of a report; return how many.

    Weak is a claim that is neither supported nor excluded (a question, an instruction), that has
    a finding, or that the report names as a weak point. Where hooks verified the claims, what they
    verified stands on something, whatever the detectors could not tell.

    Raises:
        ArgumentError: a confidence is no number of 0..1.

    """
    if not isinstance(confidence, Mapping):
        raise ArgumentError(f"confidence is a mapping by claim id, not {confidence!r:.60}")
    for claim_id, value in confidence.items():
        share(value, f"the confidence of {claim_id!r:.60}")
    late = set(report.unanswered)
    noted = {point.claim_id: point for point in report.weak_points}
    index = 0
    for claim in report.claims:
        found = [f for f in report.findings if f.claim_id == claim.id]
        status = claim.status or "unverifiable"
        verified = claim.id in report.claim_confidence and status == "unverifiable"
        if (status in _GOOD or verified) and not found and claim.id not in noted:
            continue
        leaves: dict[str, Value] = {
            "claim_id": claim.id,
            "status": status,
            "span_start": claim.span[0],
            "span_end": claim.span[1],
            "content": MASK if store.mask else claim.content,
            "types": " ".join(dict.fromkeys(f.type for f in found)),
            "unanswered": claim.id in late,
        }
        if claim.id in noted:
            leaves["reason"] = noted[claim.id].reason
        if claim.id in confidence:
            leaves["confidence"] = float(confidence[claim.id])
        elif found:
            leaves["confidence"] = 1.0 - max(f.p_hallucinated for f in found)
        store.put_all((join(ROOT, *turn, index, name), leaf) for name, leaf in leaves.items())
        index += 1
    return index


def weak_points(
    store: Store,
    session_id: str | None = None,
    turn_id: str | None = None,
    *,
    status: str | None = None,
    below: float | None = None,
) -> list[WeakPoint]:
    """Return weak points by session, turn and place.

    Args:
        store: where.
        session_id: only those of this session.
        turn_id: only those of this turn; needs a session.
        status: only those of this status.
        below: only those whose confidence is known and below this.

    Raises:
        ArgumentError: a turn without a session, or a status that is none.

    """
    if turn_id is not None and session_id is None:
        raise ArgumentError("a turn is found in its session; give session_id too")
    if status is not None and status not in STATUSES:
        raise ArgumentError(f"a status is one of {', '.join(STATUSES)}, not {status!r:.60}")
    place = [name for name in (session_id, turn_id) if name is not None]
    found = [
        point
        for point in _points(store, join(ROOT, *place))
        if status in (None, point.status)
        and (below is None or (point.confidence is not None and point.confidence < below))
    ]
    return sorted(found, key=lambda p: (p.session_id, p.turn_id, p.span))


def _points(store: Store, prefix: str) -> Iterator[WeakPoint]:
    at: tuple[str, ...] = ()
    leaves: dict[str, Value] = {}
    for key, value in store.items(prefix):
        *place, name = split(key)
        if tuple(place) != at:
            if leaves:
                yield _point(at, leaves)
            at, leaves = tuple(place), {}
        leaves[name] = value
    if leaves:
        yield _point(at, leaves)


def _point(at: tuple[str, ...], leaves: Mapping[str, Value]) -> WeakPoint:
    confidence = leaves.get("confidence")
    return WeakPoint(
        session_id=at[1],
        turn_id=at[2],
        claim_id=str(leaves.get("claim_id", "")),
        status=str(leaves.get("status", "unverifiable")),
        span=(int(leaves.get("span_start", 0)), int(leaves.get("span_end", 0))),
        content=str(leaves.get("content", "")),
        confidence=None if confidence is None else float(confidence),
        types=tuple(str(leaves.get("types", "")).split()),
        unanswered=bool(leaves.get("unanswered", False)),
        reason=str(leaves.get("reason", "")),
    )
