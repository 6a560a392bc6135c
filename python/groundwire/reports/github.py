"""Findings as workflow commands, which code hosts show beside the line they are about."""

from __future__ import annotations

from groundwire.plain import FindingDict, ReportDict, tier_rank, unchecked
from groundwire.reports.places import Lines

_COMMANDS = ("notice", "notice", "warning", "error", "error")


def _data(text: str) -> str:
    """Escape the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def annotation(
    finding: FindingDict, path: str, lines: Lines, *, first_line: int = 1, mask: bool = False
) -> str:
    """Return the command for one finding.

    Args:
        finding: the finding.
        path: file the text came from, relative to the repository.
        lines: the lines of the text the finding's span counts in.
        first_line: line of the file on which that text starts.
        mask: leave out what quotes the text or a source.

    """
    command = _COMMANDS[tier_rank(finding["tier"])]
    properties = {"file": path, "title": f"groundwire: {finding['type']}"}
    if finding["span"] is not None:
        place = lines.place(*finding["span"])
        properties |= {
            "line": str(place.line + first_line - 1),
            "endLine": str(place.end_line + first_line - 1),
        }
        # Columns are only shown where the annotation stays on one line.
        if place.line == place.end_line:
            properties |= {"col": str(place.column), "endColumn": str(place.end_column)}
    message = finding["masked_message"] if mask else finding["message"]
    if finding["suggestion"] and not mask:
        message += f"\n{finding['suggestion']}"
    joined = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{command} {joined}::{_data(message)}"


def render(report: ReportDict, path: str, *, first_line: int = 1, mask: bool = False) -> str:
    """Return one workflow command a finding, each on its own line; empty if there is none.

    Claims that were not checked, as the text has too many, are a warning of their own.
    """
    lines = Lines(report["text"])
    commands = [
        annotation(finding, path, lines, first_line=first_line, mask=mask)
        for finding in report["findings"]
    ]
    left_out = unchecked(report["stats"])
    if left_out:
        title = _property("groundwire: claims not checked")
        commands.append(f"::warning file={_property(path)},title={title}::{_data(left_out)}")
    return "".join(command + "\n" for command in commands)
