"""``groundwire generate``: a model's answer, guarded while it is written."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.cli import models, options, screen, sources


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
    format: Annotated[
        options.Format, typer.Option("--format", "-f", help="How the report is written.")
    ] = options.Format.text,
    config: options.Configuration = None,
) -> None:
    """Let a model answer, and take back what has no ground while it writes.

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
    from groundwire.integrations.transformers import stream

    out = screen.console()
    quiet = format is not options.Format.text
    events = stream(
        loaded,
        tokenizer,
        asked,
        monitor=monitor,
        evidence=passages,
        history=turns,
        max_new_tokens=max_new_tokens,
    )
    for event in events:
        if event.text and not quiet:
            out.print(screen.visible(event.text), end="", soft_wrap=True)
