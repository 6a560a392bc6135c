"""The command line put together: its subcommands, and what errors become.

Exit status: 0 nothing at or above ``--fail-on``, 1 something was, 2 wrong usage or input that
cannot be read. It is the same where the reader of a pipe leaves (``… | head``).
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from groundwire._core import __version__
from groundwire.cli import bench, screen, store
from groundwire.cli.check import check
from groundwire.cli.doctor import doctor
from groundwire.cli.explain import explain
from groundwire.cli.generate import generate
from groundwire.cli.serve import serve
from groundwire.cli.serve_vllm import serve_vllm
from groundwire.cli.watch import watch
from groundwire.errors import GroundwireError

USAGE_ERROR = 2

app = typer.Typer(
    name="groundwire",
    help="Catch what a language model says without grounds, while it says it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"groundwire {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_tell_version,
            is_eager=True,
            help="Say which version this is, and leave.",
        ),
    ] = False,
) -> None:
    """Take what stands before a subcommand."""


for command in (check, watch, generate, serve, doctor, explain):
    app.command()(command)
app.command(
    "serve-vllm", context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)(serve_vllm)
app.add_typer(bench.app, name="bench")
app.add_typer(store.app, name="store")


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    with screen.standard_streams() as closed:
        if closed:
            typer.echo(f"groundwire: standard {closed} is closed", err=True)
            return USAGE_ERROR
        return _run(arguments)


def _run(arguments: list[str] | None) -> int:
    try:
        try:
            app(args=arguments)
        except SystemExit as leaving:
            sys.stdout.flush()
            return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
        sys.stdout.flush()
    except (GroundwireError, OSError, UnicodeDecodeError) as error:
        typer.echo(f"groundwire: {_message(error)}", err=True)
        return USAGE_ERROR
    return 0


def _message(error: Exception) -> str:
    """Return an error as one line for people."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"cannot read {error.filename}: {error.strerror}"
    return str(error)
