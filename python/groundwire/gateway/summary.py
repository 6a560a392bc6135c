"""What a client is told about an answer, beside its text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from groundwire.gateway.judged import ENDED_BY_GUARD, Acted, Judged
from groundwire.plain import tier_rank, worst

if TYPE_CHECKING:
    from groundwire.findings import Finding, Intervention
    from groundwire.integrations.serving import Resolved
    from groundwire.report import Report

_FIELDS = (
    "id",
    "type",
    "span",
    "text",
    "severity",
    "tier",
    "status",
    "p_hallucinated",
    "risk",
    "message",
    "suggestion",
    "replacement",
)
HEADER = "x-groundwire"
_CALLED = ("tool_calls", "function_call")
"""Reasons to end that send the client to the answer's calls."""
_VERDICTS = ("pass", "warn", "corrected", "fail", "blocked")
"""From the best to the worst."""


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return a finding as clients see it; its span counts code points of the answer's text."""
    data = finding.to_dict()
    found = {name: data[name] for name in _FIELDS}
    found["evidence"] = [
        {key: piece[key] for key in ("kind", "source", "text", "quality")}
        for piece in data["evidence"]
    ]
    return found


def intervention_data(done: Intervention, most: int) -> dict[str, Any]:
    """Return an intervention as clients see it, with ``most`` findings at most.

    What was taken back is not shown.
    """
    return {
        "action": done.action,
        "tier": done.tier,
        "inserted": done.inserted,
        "already_sent": done.already_sent,
        "findings": [
            {
                "type": finding.type,
                "tier": finding.tier,
                "status": finding.status,
                "p_hallucinated": finding.p_hallucinated,
            }
            for finding in done.findings[:most]
        ],
    }


def acted_data(acted: Acted) -> dict[str, Any]:
    """Return a finding that was acted upon as clients see it, without a word of its text."""
    finding = acted.finding
    return {
        "action": acted.action,
        "id": finding.id,
        "type": finding.type,
        "severity": finding.severity,
        "tier": finding.tier,
        "status": finding.status,
        "p_hallucinated": finding.p_hallucinated,
        "risk": finding.risk,
        "message": finding.masked_message,
    }


def summary(
    report: Report | None, resolved: Resolved, request_id: str, *, most: int, **more: Any
) -> dict[str, Any]:
    """Return the ``groundwire`` object of one text; ``more`` are keys that are set, not none.

    The report is one of the text as it was delivered (``as_delivered``). Each list has ``most``
    entries at most, of the worst tiers; ``left_out`` counts the others.
    """
    found: dict[str, Any] = {"id": request_id, "policy": resolved.policy_name}
    if resolved.knowledge_base:
        found["knowledge_base"] = resolved.knowledge_base
    if resolved.id is not None:
        found["client_id"] = resolved.id
    if report is None:
        return {**found, "checked": False}
    judged = Judged.of(report)
    found |= {
        "checked": report.latched is None,
        "tier": judged.tier,
        "verdict": judged.verdict,
        "delivered": {"tier": report.tier, "verdict": report.verdict.status},
        "stopped": report.stopped,
    }
    findings = worst(report.findings, most, lambda finding: finding.tier)
    acted = worst(judged.acted, most, lambda one: one.finding.tier)
    done = worst(report.interventions, most, lambda one: one.tier)
    found |= {
        "findings": [finding_data(finding) for finding in findings],
        "acted": [acted_data(one) for one in acted],
        "interventions": [intervention_data(one, most) for one in done],
    }
    sizes = (
        ("findings", len(report.findings) - len(findings)),
        ("acted", len(judged.acted) - len(acted)),
        ("interventions", len(report.interventions) - len(done)),
        ("unanswered", len(report.unanswered) - most),
    )
    if left_out := {name: size for name, size in sizes if size > 0}:
        found["left_out"] = left_out
    if report.latched is not None:
        found["unchecked_because"] = report.latched
    if report.holds_given_up:
        found["holds_given_up"] = report.holds_given_up
    if report.unanswered:
        found["unanswered"] = list(report.unanswered[:most])
    return found | {key: value for key, value in more.items() if value is not None}


def several(found: list[dict[str, Any]], request_id: str) -> dict[str, Any]:
    """Return the object of an answer with several texts: the worst of them, and how many."""
    checked = [one for one in found if one.get("checked")]
    tier = max((str(one["tier"]) for one in checked), key=tier_rank, default="none")
    # Of no text at all nothing was checked.
    whole = bool(found) and len(checked) == len(found)
    said: dict[str, Any] = {"id": request_id, "checked": whole, "tier": tier}
    if checked:
        said["verdict"] = max((str(one["verdict"]) for one in checked), key=_VERDICTS.index)
    return {**said, "texts": len(found)}


def header(found: dict[str, Any]) -> str:
    """Return the header of an answer: short, ASCII, without a word of the text."""
    short: dict[str, Any] = {
        key: found[key]
        for key in ("id", "policy", "checked", "tier", "verdict", "stopped")
        if key in found
    }
    for name in ("findings", "acted", "interventions"):
        if name in found:
            short[name] = len(found[name]) + found.get("left_out", {}).get(name, 0)
    return json.dumps(short, separators=(",", ":"))


def honest_finish(reason: str | None, stopped: str | None, *, called: bool) -> str | None:
    """Return why an answer ended: the upstream's reason, unless the guard ended it.

    ``called`` says whether a call was passed on: without one, there is none to wait for.
    """
    if stopped in ENDED_BY_GUARD:
        return "content_filter"
    return "stop" if reason in _CALLED and not called else reason
