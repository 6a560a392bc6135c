"""``groundwire generate``: a model's answer, guarded while it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.text import Text

from groundwire.cli import models, options, screen, sources
from groundwire.cli.check import show
from groundwire.plain import ReportDict, unchecked
from groundwire.reports.text import safe, style, summary

if TYPE_CHECKING:
    from groundwire.findings import Intervention
    from groundwire.monitor import Monitor
    from groundwire.report import Report


def generate(
    model: Annotated[str, typer.Argument(help="Hub name, local folder, GGUF file, or smollm2.")],
    prompt: Annotated[str, typer.Argument(help="What to ask; - reads standard input.")] = "-",
    *,
    evidence: options.Evidence = None,
    kb: options.KnowledgeBase = None,
    history: options.History = None,
    max_new_tokens: Annotated[
        int, typer.Option("--max-new-tokens", "-n", min=1, help="Longest answer, in tokens.")
    ] = 128,
    max_hold_ms: Annotated[
        int | None,
        typer.Option(
            "--max-hold-ms",
            min=0,
            help="Milliseconds after which text leaves, judged or not. By default the clock is "
            "not looked at, unless the configuration sets stream.max_hold_ms.",
            show_default=False,
        ),
    ] = None,
    format: Annotated[
        options.Format, typer.Option("--format", "-f", help="How the report is written.")
    ] = options.Format.text,
    config: options.Configuration = None,
) -> None:
    """Let a model answer, and take back what has no ground while it writes.

    The passages and earlier turns stand before the question: as a chat's messages, or where the
    model has no chat template as text, the passages first, then lines such as "User: …".

    The answer goes to standard output as it is released; what was done to it and the report go
    to standard error, or with --format json the report alone goes to standard output.
    """
    errors = screen.console(stderr=True)
    asked = sources.read_text(prompt).strip() if prompt == sources.STDIN else prompt
    passages = sources.read_evidence(evidence)
    turns = sources.read_history(history)
    with errors.status(f"loading {model} …"):
        loaded, tokenizer = models.load(model)
        monitor = sources.open_monitor(kb, config, tokenizer=tokenizer)
    from groundwire.integrations.prompts import chat, plain
    from groundwire.integrations.transformers import stream

    # A model without a chat template completes text: it reads the same in one piece.
    ask = plain if getattr(tokenizer, "chat_template", None) is None else chat
    out = screen.console()
    report = None
    timing = hold(monitor, max_hold_ms, config)
    for event in stream(
        loaded,
        tokenizer,
        ask(asked, evidence=passages, history=turns),
        monitor=monitor,
        evidence=passages,
        history=turns,
        question=asked,
        max_new_tokens=max_new_tokens,
        **timing,
    ):
        if event.kind == "release" and format is options.Format.text:
            screen.write(out, event.text)
            if screen.reader_left():
                return
        elif event.kind == "end":
            report = event.report
    if report is None:
        raise typer.Exit(1)
    if format is options.Format.text:
        out.print()
        out.file.flush()
        for done in apart(report.interventions):
            if done.retracted.strip() or done.inserted.strip() or done.findings:
                errors.print(intervention_line(done), soft_wrap=True)
        for finding in report.findings:
            errors.print(screen.finding_line(finding), soft_wrap=True)
        for line in filter(None, (unchecked(report.stats), given_up_line(report.holds_given_up))):
            errors.print(line, soft_wrap=True)
        if report.stopped == "length":
            errors.print(f"cut at --max-new-tokens ({max_new_tokens})", soft_wrap=True)
        errors.print(summary(told(report)), soft_wrap=True, highlight=False)
    else:
        show(told(report), "answer", format, mask=False)


def hold(monitor: Monitor, max_hold_ms: int | None, config: Path | None) -> dict[str, Any]:
    """Return what the loop is told of time.

    Few wait for a command's text as it comes, and a limit in milliseconds would let text out
    unjudged on a slow machine alone: there is one where somebody asked for it.
    """
    from groundwire.config import Config

    if max_hold_ms is not None:
        return {"policy": replace(monitor.policy, max_hold_ms=max_hold_ms)}
    asked = "max_hold_ms" in Config.load(config).stream.model_fields_set
    return {} if asked else {"clock": None}


def apart(interventions: Sequence[Intervention]) -> list[Intervention]:
    """Return them with the words of each alone.

    Of notes that leave together, the first intervention holds the words of all, and each of the
    others, which follow it, its own.
    """
    out = []
    for at, done in enumerate(interventions):
        words = done.inserted
        for other in interventions[at + 1 :]:
            if (other.at_push, other.span) != (done.at_push, (done.span[0], done.span[0])):
                break
            words = words.replace(other.inserted.strip(), "", 1)
        out.append(replace(done, inserted=words) if words.strip() else done)
    return out


def told(report: Report) -> ReportDict:
    """Return the report as its reader gets it."""
    return cast("ReportDict", report.to_dict())


def given_up_line(times: int) -> str | None:
    """Return the line that says how often text left before it was judged, if it did."""
    if not times:
        return None
    often = "Once" if times == 1 else f"{times} times"
    return (
        f"{often} text left before all of it was judged, as it had been held for longer than "
        "stream.max_hold_ms (--max-hold-ms) or stream.max_hold_tokens; what was found in it later "
        "could no longer be taken back"
    )


def intervention_line(done: Intervention) -> Text:
    """Return what was done to a claim as one line: the action, the old words, the new ones."""
    line = Text(f"{done.action:<10} ", style=style(done.tier))
    line.append(f"token {done.at_push}: ", style="dim")
    gone = done.retracted.strip()
    if gone:
        line.append(f"“{safe(gone)}”", style="strike")
    else:
        # Nothing was taken back: what it is about stands in the text.
        about = dict.fromkeys(safe(one.text or one.type) for one in done.findings)
        line.append(", ".join(f"“{one}”" for one in about))
    if done.inserted:
        line.append(f" → “{safe(done.inserted.strip())}”")
    return line
