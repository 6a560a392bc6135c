"""``groundwire check``: a whole text at once."""

from __future__ import annotations

import json
from typing import Annotated, cast

import typer

from groundwire.cli import mend, options, screen, sources
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
    mitigate: Annotated[
        bool,
        typer.Option("--mitigate", help="Say what to do about each finding; show the mended text."),
    ] = False,
    mask: Annotated[
        bool, typer.Option("--mask", help="Show no word of the text or of a source.")
    ] = False,
) -> None:
    """Check a text against evidence, a knowledge base and earlier turns.

    Exits with 0 if every finding is below --fail-on, 1 if one reaches it, 2 on wrong usage or
    input that cannot be read.
    """
    import groundwire as gw

    if mitigate and format is options.Format.github:
        raise typer.BadParameter("annotations hold no mended text; use --format text or json")
    text = sources.read_text(file)
    monitor = sources.open_monitor(kb, config)
    report = gw.check(
        text,
        monitor=monitor,
        evidence=sources.read_evidence(evidence),
        history=sources.read_history(history),
        question=question,
    )
    data = cast("ReportDict", json.loads(report.to_json()))
    name = "stdin" if file == sources.STDIN else file
    if mitigate:
        from groundwire.config import Config
        from groundwire.mitigation import apply

        known = None if kb is None else sources.read_kb(kb)
        actions = gw.mitigate(report, kb=known, config=Config.load(config))
        mended = apply(actions, report.text)
        if format is options.Format.json:
            data["mitigation"] = mend.as_data(actions, mended, mask=mask)
            show(data, name, format, mask=mask)
        else:
            show(data, name, format, mask=mask)
            typer.echo(mend.as_lines(actions, mended, mask=mask), nl=False)
    else:
        show(data, name, format, mask=mask)
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
