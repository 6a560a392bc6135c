"""``groundwire check``: a whole text at once."""

from __future__ import annotations

import json
from typing import Annotated, cast

import typer

from groundwire.cli import options, screen, sources
from groundwire.plain import ReportDict, tier_rank


def check(
    file: Annotated[str, typer.Argument(help="Text to check; - reads standard input.")] = "-",
    *,
    evidence: options.Evidence = None,
    kb: options.KnowledgeBase = None,
    history: options.History = None,
    question: options.Question = None,
    format: Annotated[
        options.Format, typer.Option("--format", "-f", help="How the report is written.")
    ] = options.Format.text,
    fail_on: options.FailOn = options.Level.high,
    config: options.Configuration = None,
    mask: Annotated[
        bool, typer.Option("--mask", help="Show no word of the text or of a source.")
    ] = False,
) -> None:
    """Check a text against evidence, a knowledge base and earlier turns.

    Exits with 0 if every finding is below --fail-on, 1 if one reaches it, 2 on wrong usage or
    input that cannot be read.
    """
    import groundwire as gw

    text = sources.read_text(file)
    report = gw.check(
        text,
        monitor=sources.open_monitor(kb, config),
        evidence=sources.read_evidence(evidence),
        history=sources.read_history(history),
        question=question,
    )
    data = cast("ReportDict", json.loads(report.to_json()))
    show(data, "stdin" if file == sources.STDIN else file, format, mask=mask)
    raise typer.Exit(1 if tier_rank(report.tier) >= tier_rank(fail_on) else 0)


def show(report: ReportDict, source: str, format: options.Format, *, mask: bool) -> None:
    """Write a report to standard output."""
    if format is options.Format.json:
        from groundwire.reports import json as writer

        typer.echo(writer.render(report, mask=mask))
    elif format is options.Format.github:
        from groundwire.reports import github

        typer.echo(github.render(report, source, mask=mask), nl=False)
    else:
        from groundwire.reports import text

        out = screen.console()
        width = out.width
        shown = text.report_text(report, source=source, width=width, mask=mask)
        # A pipe gets one line a fact, so that it can be searched line by line.
        out.print(shown, end="", soft_wrap=not out.is_terminal)
