"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """How a report is written."""

    text = "text"
    json = "json"
    github = "github"


class Level(StrEnum):
    """Tiers a run can fail on."""

    low = "low"
    medium = "medium"
    high = "high"
    critical = "critical"


def _named(path: str | Path) -> Path:
    """Return a path that was given; refuse an empty one, which would be the current folder."""
    if str(path) == "":
        raise typer.BadParameter("the path is empty; is a variable of the shell not set?")
    return Path(path)


Evidence = Annotated[
    list[Path] | None,
    typer.Option(
        "--evidence",
        "-e",
        parser=_named,
        metavar="PATH",
        help="File the answer may rest on, or a folder of .txt, .md, .rst files; may be repeated.",
        show_default=False,
    ),
]
KnowledgeBase = Annotated[
    Path | None,
    typer.Option(
        "--kb",
        parser=_named,
        metavar="PATH",
        help="Knowledge base: .jsonl, .json, .csv, or one saved.",
        show_default=False,
    ),
]
History = Annotated[
    Path | None,
    typer.Option(
        "--history",
        parser=_named,
        metavar="PATH",
        help='Earlier turns as JSON: [{"role": "user", "content": "…"}, …].',
        show_default=False,
    ),
]
Question = Annotated[
    str | None, typer.Option("--question", "-q", help="What was asked.", show_default=False)
]
Configuration = Annotated[
    Path | None,
    typer.Option("--config", help="Configuration file: .toml or .yaml.", show_default=False),
]
FailOn = Annotated[
    Level, typer.Option("--fail-on", help="Exit with 1 if a finding reaches this tier.")
]
