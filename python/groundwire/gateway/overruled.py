"""What the server's own evidence has otherwise, where a request's lets it stand."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from groundwire.gateway.delivered import with_findings

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

    Passages that say different things support either, and no guard takes anything back by that.
    ``lead`` is what the text goes on with, ``given`` what ``Monitor.open`` takes of the dialogue.
    """
    monitor = resolved.monitor
    if not resolved.own or monitor is None:
        return report
    passages, history = list(resolved.own), given.get("history") or []
    session = monitor.open(
        passages, history, given.get("question"), None, None, monitor.today(None), None
    )
    text = lead + report.released
    for at in range(0, len(text), _PIECE):
        session.push_text(text[at : at + _PIECE])
    known = {(one.type, one.text) for one in report.findings}
    more = [
        _behind(one, len(lead))
        for one in session.finish().findings
        if one.status == "contradicted" and (one.type, one.text) not in known
        if one.span is None or one.span[0] >= len(lead)
    ]
    return with_findings(report, [*report.findings, *more], monitor) if more else report


def _behind(finding: Finding, lead: int) -> Finding:
    """Return a finding whose span counts from the end of a lead."""
    if finding.span is None:
        return finding
    start, end = finding.span
    return dataclasses.replace(finding, span=(start - lead, end - lead))
