"""Reports for people: what was found, where, why, and what would help."""

from __future__ import annotations

import io
from collections import Counter

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from groundwire.plain import FindingDict, ReportDict, mask_source, tier_rank, unchecked
from groundwire.reports.places import Lines

STYLES = ("dim", "cyan", "yellow", "red", "bold red")
_CONTEXT = 24
_FAR = 4
"""Widths on either side of a span that are looked at: some characters take no room."""


def style(tier: str) -> str:
    """Return the rich style of a tier."""
    return STYLES[tier_rank(tier)]


def safe(text: str) -> str:
    """Return ``text`` with control characters shown, so that none reaches a terminal."""
    return "".join(char if char.isprintable() else _visible(char) for char in text)


def _visible(char: str) -> str:
    """Return a control character as something that can be seen."""
    return " " if char in "\t\n\u00a0" else f"\\x{ord(char):02x}" if ord(char) < 256 else "\ufffd"


def excerpt(lines: Lines, span: list[int], width: int) -> tuple[str, str]:
    """Return the line a span starts on, cut to ``width`` cells, and the marks under the span."""
    place = lines.place(span[0], span[1])
    line = lines.line(place.line)
    start = place.column - 1
    end = place.end_column if place.end_line == place.line else len(line)
    # A text may be one line: what is far from the span is not even measured.
    far = max(0, start - _FAR * width)
    line, start, end = line[far : end + _FAR * width], start - far, end - far
    marked = safe(line[start:end])
    before = safe(line[:start])
    if far or cell_len(before + marked + safe(line[end:])) > width:
        # The marked words come first; what stands before them gets what room is left.
        room = max(0, min(_CONTEXT, width - cell_len(marked) - 2))
        kept = min(start, room)
        while kept and cell_len(safe(line[start - kept : start])) > room:
            kept -= 1
        before = ("…" if far or kept < start else "") + safe(line[start - kept : start])
    shown = before + marked + safe(line[end:])
    offset = cell_len(before)
    shown_text = Text(shown)
    shown_text.truncate(width, overflow="ellipsis")
    marks = "^" * max(1, min(cell_len(marked), width - offset))
    return shown_text.plain, " " * offset + marks


def summary(report: ReportDict) -> str:
    """Return one line: how risky the text is, how much was found, and what the verdict is."""
    findings = report["findings"]
    verdict = report.get("verdict")
    by_status = Counter(finding["status"].replace("_", " ") for finding in findings)
    counted = ", ".join(f"{count} {status}" for status, count in sorted(by_status.items()))
    number = f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"
    parts = [f"tier {report['tier']}", number + (f" ({counted})" if counted else "")]
    if verdict:
        parts.append(f"verdict {verdict['status']}, {verdict['action']}")
    return " · ".join(parts)


def finding_text(
    finding: FindingDict,
    lines: Lines,
    source: str,
    width: int,
    *,
    mask: bool = False,
    sources: dict[str, int] | None = None,
) -> Text:
    """Return one finding as styled lines, none wider than ``width`` unless a word is.

    With ``mask``, sources are numbered, over all findings shown with the same ``sources``.
    """
    numbers: dict[str, int] = {} if sources is None else sources
    colour = style(finding["tier"])
    where = source
    if finding["span"] is not None:
        place = lines.place(*finding["span"])
        where = f"{source}:{place.line}:{place.column}"
    out = Text()
    out.append(where, style="bold").append(" ")
    out.append(finding["tier"], style=colour).append(f" {finding['type']} ")
    out.append(f"risk {finding['risk']:.2f} [{finding['id']}]\n", style="dim")
    if finding["span"] is not None and not mask:
        line, marks = excerpt(lines, finding["span"], max(8, width - 4))
        out.append(f"  {line}\n").append(f"  {marks}\n", style=colour)
    # A report that was masked when it was written has only the one message left.
    message = finding.get("masked_message", finding["message"]) if mask else finding["message"]
    out.append(f"  {safe(message)}\n")
    for piece in finding["evidence"]:
        source_name = (
            mask_source(piece["source"], numbers) or ""
            if mask
            else ", ".join(filter(None, (piece["source"], piece["locator"])))
        )
        words = "" if mask or not piece.get("text") else f": “{safe(piece['text'])}”"
        out.append(
            f"  evidence: {piece['kind']} {safe(source_name)}".rstrip() + words + "\n", "dim"
        )
    if finding["suggestion"] and not mask:
        out.append(f"  suggestion: {safe(finding['suggestion'])}\n")
    return out


def report_text(
    report: ReportDict, *, source: str = "text", width: int = 80, mask: bool = False
) -> Text:
    """Return the whole report as styled lines: findings in text order, then a summary."""
    lines = Lines(report["text"])
    out, sources = Text(), dict[str, int]()
    for finding in sorted(report["findings"], key=lambda f: (f["span"] or [0, 0], f["id"])):
        shown = finding_text(finding, lines, source, width, mask=mask, sources=sources)
        out.append_text(shown).append("\n")
    out.append(f"{source}: ", style="bold")
    out.append(summary(report) + "\n", style=style(report["tier"]))
    left_out = unchecked(report["stats"])
    if left_out:
        out.append(f"{left_out}\n", style="yellow")
    if report.get("truncated"):
        less = (
            "of very many findings, the last and the worst of the others are told"
            if _from_its_beginning(report)
            else "only its end is shown"
        )
        out.append(f"The text was longer than what is retained; {less}.\n", "dim")
    return out


def _from_its_beginning(report: ReportDict) -> bool:
    """Whether the text is there from its beginning, so that offsets in it are the stream's."""
    for one in (*report["findings"], *report["claims"]):
        chars, place = one.get("span"), one.get("byte_span")
        if place:
            if not chars or chars[0] < 0:
                return False
            return bool(len(report["text"][: chars[0]].encode()) == place[0])
    return False


def render(
    report: ReportDict,
    *,
    source: str = "text",
    width: int = 80,
    color: bool = False,
    mask: bool = False,
) -> str:
    """Return the report as a string, wrapped at ``width``, with terminal colours if ``color``."""
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=color,
        no_color=not color,
        color_system="standard" if color else None,
        highlight=False,
        legacy_windows=False,
    )
    text = report_text(report, source=source, width=width, mask=mask)
    console.print(text, end="")
    output = console.file
    return output.getvalue() if isinstance(output, io.StringIO) else ""
