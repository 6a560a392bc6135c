"""What is said of a text: of what was delivered, and of what the guard did before it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.plain import tier_rank

if TYPE_CHECKING:
    from groundwire.findings import Finding, Intervention
    from groundwire.report import Report

ENDED_BY_GUARD = ("discarded", "interrupted", "exhausted", "failed")
"""Reasons to stop for which the answer's own end was never reached."""
CALLS = ("tool_calls", "function_call")
"""Fields of a chat message that ask the client to do something."""
LEFT = ("accept", "annotate")
"""What leaves the text as it is."""


@dataclass(frozen=True, slots=True)
class Acted:
    """A finding in text that was taken back, or put right, and what was done about it."""

    action: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class Judged:
    """One text, with all that was found while it was written.

    Attributes:
        report: the guard's; its findings are in the text as it was delivered.
        acted: findings that are in that text no more.
        tier: the worst tier of both.
        verdict: ``blocked`` where the guard ended the answer; else ``fail`` where the text that was
            delivered fails; else ``corrected`` where the guard changed something; else the
            ``pass`` or ``warn`` of the text.
    """

    report: Report
    acted: tuple[Acted, ...]
    tier: str
    verdict: str

    @classmethod
    def of(cls, report: Report) -> Judged:
        """Return what is said of a text by its report."""
        acted = tuple(_acted(report))
        tiers = [report.tier, *(done.tier for done in report.interventions)]
        tiers += [one.finding.tier for one in acted]
        changed = any(done.action not in LEFT for done in report.interventions)
        verdict = report.verdict.status
        if report.stopped in ENDED_BY_GUARD:
            verdict = "blocked"
        elif changed and verdict != "fail":
            verdict = "corrected"
        return cls(report, acted, max(tiers, key=tier_rank), verdict)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that was found, each thing once."""
        return (*self.report.findings, *(one.finding for one in self.acted))


def _acted(report: Report) -> list[Acted]:
    seen = {finding.id for finding in report.findings}
    said = {(finding.type, finding.text) for finding in report.findings}
    acted = []
    for done in report.interventions:
        for finding in done.findings if done.action not in LEFT else ():
            if finding.id in seen or not _concerned(done, finding):
                continue
            if done.action == "hedge" and (finding.type, finding.text) in said:
                # Found again in the claim as it was said anew.
                continue
            seen.add(finding.id)
            acted.append(Acted(done.action, finding))
    return acted


def _concerned(done: Intervention, finding: Finding) -> bool:
    """Whether a finding in the claim is about what was changed: of a correction, the value."""
    if done.action != "correct" or done.already_sent or finding.byte_span is None:
        return True
    at = done.span[0]
    start, end = finding.byte_span
    return start <= at < end
