"""What the server's own evidence has otherwise, where a request's lets it stand."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from groundwire.gateway.delivered import with_findings
from groundwire.plain import tier_rank

if TYPE_CHECKING:
    from groundwire.findings import Finding
    from groundwire.integrations.serving import Resolved
    from groundwire.report import Report

OVERRULED = (
    "what the server's evidence contradicts stands by the request's: `findings` has it as the "
    "server's has it"
)
"""Note of an answer with such a finding."""
_PIECE = 4096


def held_to_own(resolved: Resolved, report: Report, lead: str, **given: Any) -> Report:
    """Return a report of delivered text with what the server's evidence alone contradicts in it.

    Passages that say different things support either, and no guard takes anything back by that;
    beside a passage that has what was said, a knowledge base weighs less than by itself.
    ``lead`` is what the text goes on with, ``given`` what ``Monitor.open`` takes of the dialogue.
    """
    monitor = resolved.monitor
    if not resolved.brought or monitor is None:
        return report
    passages, history = list(resolved.own), given.get("history") or []
    session = monitor.open(
        passages, history, given.get("question"), None, None, monitor.today(None), None
    )
    text = lead + report.released
    for at in range(0, len(text), _PIECE):
        session.push_text(text[at : at + _PIECE])
    found = list(report.findings)
    for one in session.finish().findings:
        if one.status != "contradicted" or (one.span is not None and one.span[0] < len(lead)):
            continue
        told = _behind(one, len(lead))
        same = [other for other in found if _is_same(other, told)]
        if not any(_weighs(other) >= _weighs(told) for other in same):
            found = [*(other for other in found if other not in same), told]
    return report if found == list(report.findings) else with_findings(report, found, monitor)


def _is_same(one: Finding, other: Finding) -> bool:
    """Whether two findings are of one kind, at one place as far as both have one."""
    placed = one.span is not None and other.span is not None
    at_one = not placed or one.span == other.span
    return (one.type, one.text) == (other.type, other.text) and at_one


def _weighs(one: Finding) -> tuple[bool, int]:
    return one.status == "contradicted", tier_rank(one.tier)


def _behind(finding: Finding, lead: int) -> Finding:
    """Return a finding whose span counts from the end of a lead."""
    if finding.span is None:
        return finding
    start, end = finding.span
    return dataclasses.replace(finding, span=(start - lead, end - lead))
