"""The report of a finished (or running) session."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from groundwire.findings import SCHEMA_VERSION, Claim, Finding, Intervention

_LONG = 1 << 18
"""Characters of a report that is read with other threads at work."""


def _as_it_is(found: dict[str, Any]) -> dict[str, Any]:
    """Return an object of JSON; a call by which the decoder lets other threads go on."""
    return found


@dataclass(frozen=True, slots=True)
class ProfileVerdict:
    """What a profile makes of all findings.

    ``status`` is ``pass``, ``warn`` or ``fail``; ``action`` and ``tier`` as in findings.
    """

    status: str
    action: str
    tier: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WeakPoint:
    """A claim of a finished answer that later work should look at again (S4-027).

    ``span`` is in code points of the text, ``confidence`` lies in 0..1, ``reason`` says what is
    weak: ``low_confidence``, or why the claim could not be verified (``unattributed_claim`` …).
    ``source`` names the kind of its source, if it has one.
    """

    claim_id: str
    content: str
    span: tuple[int, int]
    confidence: float
    reason: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything about one stream.

    Attributes:
        text: the surviving generated text; spans refer to it.
        released: what the reader got (equal to ``text`` where no guard was used); of more than
            ``max_retained`` bytes, the end.
        findings: in the order of the text, folded: duplicates removed, scores final.
        claims: in the order of the text.
        interventions: what the guard did, in order.
        stats: counts (segments, claims, entities, findings by type, severity, status, tier).
        tier: highest tier.
        verdict: verdict of the profile that acts.
        verdicts: verdicts of all profiles, by name.
        changes: what the fold changed against the log.
        truncated: part of the text, or the oldest interventions, are no longer retained.
        latched: why monitoring stopped, if it did.
        stopped: why the guard ended the answer, if one did; where the guard had nothing against it
            ``length`` if a loop's limit of tokens cut it off, ``abort`` if somebody else gave its
            request up.
        holds_given_up: times the guard released text because it had been held too long.
        unanswered: ids of claims that detectors and verifiers did not answer for in time.
        skipped: calls of detectors, verifiers and Python rules that were not made because too many
            were waiting.
        session_id: as given when the session was opened.
        turn_id: as given when the session was opened.
        confidence: in the answer as a whole, 0..1, where hooks followed it; else none.
        claim_confidence: in each claim, by its id, likewise.
        weak_points: claims of low confidence and those that could not be verified, likewise.
    """

    text: str
    released: str
    findings: tuple[Finding, ...]
    claims: tuple[Claim, ...]
    interventions: tuple[Intervention, ...]
    stats: Mapping[str, Any]
    tier: str
    verdict: ProfileVerdict
    verdicts: Mapping[str, ProfileVerdict]
    acting: str
    changes: tuple[Mapping[str, Any], ...]
    truncated: bool
    finished: bool
    latched: str | None
    stopped: str | None = None
    holds_given_up: int = 0
    unanswered: tuple[str, ...] = ()
    skipped: int = 0
    session_id: str | None = None
    turn_id: str | None = None
    schema_version: str = SCHEMA_VERSION
    confidence: float | None = None
    claim_confidence: Mapping[str, float] = field(default_factory=dict)
    weak_points: tuple[WeakPoint, ...] = ()

    @classmethod
    def from_core(
        cls, text: str, session_id: str | None = None, turn_id: str | None = None
    ) -> Report:
        """Build a report from the core's JSON (a session's or a guard's)."""
        outer = json.loads(text, object_hook=_as_it_is if len(text) > _LONG else None)
        data = outer.get("report", outer)
        verdicts = {
            name: ProfileVerdict(v["status"], v["action"], v["tier"], tuple(v["reasons"]))
            for name, v in data["verdicts"].items()
        }
        base = data["text_start_chars"]
        # What lies before the retained text has no place in it; its bytes are still counted.
        spans = [
            None if s is None or s["start"] < base else (s["start"] - base, s["end"] - base)
            for s in data["char_spans"]
        ]
        claim_spans = [(s["start"] - base, s["end"] - base) for s in data["claim_char_spans"]]
        status = data["claim_status"]
        return cls(
            text=data["text"],
            released=outer.get("released", data["text"]),
            findings=tuple(
                Finding.from_core(f, s) for f, s in zip(data["findings"], spans, strict=True)
            ),
            claims=tuple(
                Claim.from_core(c, s, status.get(c["id"]))
                for c, s in zip(data["claims"], claim_spans, strict=True)
            ),
            interventions=tuple(Intervention.from_core(i) for i in outer.get("interventions", ())),
            stats=data["stats"],
            tier=data["tier"],
            verdict=verdicts[data["acting"]],
            verdicts=verdicts,
            acting=data["acting"],
            changes=tuple(data["changes"]),
            truncated=data["truncated"],
            finished=data["finished"],
            latched=outer.get("failed") or data["latched"],
            stopped=outer.get("stopped"),
            holds_given_up=outer.get("holds_given_up", 0),
            unanswered=tuple(outer.get("unanswered", ())),
            session_id=session_id,
            turn_id=turn_id,
        )

    def over(self, text: str) -> Report:
        """Return this report with its spans in ``text``, the whole of what the stream held.

        A session that outgrew its retention (``truncated``) only has the end of its text; whoever
        has all of it gets every span again.
        """
        places = [f.byte_span for f in self.findings] + [c.byte_span for c in self.claims]
        chars = code_points(text, [offset for span in places if span for offset in span])

        def span(of: tuple[int, int] | None) -> tuple[int, int] | None:
            return None if of is None else (chars[of[0]], chars[of[1]])

        findings = tuple(replace(f, span=span(f.byte_span)) for f in self.findings)
        claims = tuple(replace(c, span=span(c.byte_span) or c.span) for c in self.claims)
        return replace(self, text=text, released=text, findings=findings, claims=claims)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-like data; ``schema_version`` names its form."""
        return {
            "schema_version": self.schema_version,
            "session_id": self.session_id,
            "turn_id": self.turn_id,
            "text": self.text,
            "released": self.released,
            "tier": self.tier,
            "verdict": _verdict(self.verdict),
            "verdicts": {name: _verdict(v) for name, v in self.verdicts.items()},
            "acting": self.acting,
            "findings": [f.to_dict() for f in self.findings],
            "claims": [c.to_dict() for c in self.claims],
            "interventions": [i.to_dict() for i in self.interventions],
            "stats": dict(self.stats),
            "changes": [dict(c) for c in self.changes],
            "truncated": self.truncated,
            "finished": self.finished,
            "latched": self.latched,
            "stopped": self.stopped,
            "holds_given_up": self.holds_given_up,
            "unanswered": list(self.unanswered),
            "confidence": self.confidence,
            "claim_confidence": dict(self.claim_confidence),
            "weak_points": [{**asdict(p), "span": list(p.span)} for p in self.weak_points],
            "skipped": self.skipped,
        }

    def to_json(self, indent: int | None = None) -> str:
        """Return the report as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)


def code_points(text: str, offsets: Sequence[int]) -> dict[int, int]:
    """Return how many code points stand before each of some byte offsets."""
    data = text.encode()
    counted, at, chars = {}, 0, 0
    for offset in sorted(set(offsets)):
        chars += len(data[at:offset].decode("utf-8", "replace"))
        counted[offset], at = chars, offset
    return counted


def _verdict(verdict: ProfileVerdict) -> dict[str, Any]:
    return {
        "status": verdict.status,
        "action": verdict.action,
        "tier": verdict.tier,
        "reasons": list(verdict.reasons),
    }
