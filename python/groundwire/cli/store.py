"""``groundwire store``: what is kept in a store, listed, moved and dropped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli import sources
from groundwire.cli.screen import visible

if TYPE_CHECKING:
    from groundwire.store import Store

app = typer.Typer(
    help="Look into a store of results, move what it holds, drop what is old.",
    no_args_is_help=True,
)

File = Annotated[Path, typer.Argument(metavar="PATH", help="The store, a SQLite file.")]
Key = Annotated[str, typer.Argument(metavar="KEY", help="Where, as in /hallucination/s1/t1.")]


@contextmanager
def _opened(path: Path, *, must_exist: bool = True) -> Iterator[Store]:
    from groundwire.store import SqliteStore

    with SqliteStore(path, must_exist=must_exist) as store:
        yield store


@app.command("ls")
def ls(
    path: File,
    key: Key = "/",
    *,
    long: Annotated[
        bool, typer.Option("--long", "-l", help="All keys below, with their values.")
    ] = False,
) -> None:
    """List what stands right below a key; what has more below it ends in a slash."""
    with _opened(path) as store:
        if long:
            for name, value in store.items(key):
                typer.echo(f"{visible(name)}\t{json.dumps(value)}")
        else:
            for step in store.children(key):
                typer.echo(visible(step))


@app.command("get")
def get(path: File, key: Annotated[str, typer.Argument(metavar="KEY")]) -> None:
    """Write the value at a key as JSON; exits with 1 where there is none."""
    with _opened(path) as store:
        value = store.get(key)
    if value is None:
        typer.echo(f"groundwire: {key} holds no value; list it with ls", err=True)
        raise typer.Exit(1)
    # Escaped, so that no value can move a terminal's cursor.
    typer.echo(json.dumps(value))


@app.command("export")
def export(
    path: File,
    key: Key = "/",
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write; standard output without it."),
    ] = None,
) -> None:
    """Write the tree at and below a key as an S-expression."""
    with _opened(path) as store:
        if output is None:
            for line in store.export(key):
                typer.echo(line)
        else:
            with output.open("w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in store.export(key))


@app.command("import")
def import_(
    path: File,
    file: Annotated[str, typer.Argument(help="An export; - reads standard input.")] = "-",
) -> None:
    """Put an export into a store, all or nothing; the store is made if it is not there."""
    from groundwire._files import read_text

    piped = file == sources.STDIN
    text = sources.read_text(file) if piped else read_text(file, "an export")
    with _opened(path, must_exist=False) as store:
        typer.echo(f"{store.load(text)} values")


@app.command("purge")
def purge(
    path: File,
    *,
    max_age: Annotated[
        str | None, typer.Option(help="Drop turns and patterns older than this: 30d, 12h.")
    ] = None,
    max_turns: Annotated[
        int | None, typer.Option(min=0, help="Keep at most so many turns, the newest.")
    ] = None,
    max_bytes: Annotated[
        str | None, typer.Option(help="Keep at most so much: 10MiB. The oldest turns go.")
    ] = None,
    session: Annotated[
        str | None, typer.Option(help="Drop all turns of this session instead.")
    ] = None,
    turn: Annotated[str | None, typer.Option(help="Of the session only this turn.")] = None,
) -> None:
    """Drop what is too old or too much, or what belongs to one session."""
    from groundwire.config.units import parse_duration, parse_size
    from groundwire.store import Retention

    limits = (max_age, max_turns, max_bytes)
    by_age = any(limit is not None for limit in limits)
    if by_age == (session is not None) or (turn is not None and session is None):
        raise typer.BadParameter(
            "give --max-age, --max-turns or --max-bytes, or else --session (and --turn)"
        )
    with _opened(path) as store:
        if session is not None:
            typer.echo(f"{store.forget(session, turn)} turns dropped")
            return
        retention = Retention(
            _parsed(parse_duration, max_age, "--max-age"),
            max_turns,
            _parsed(parse_size, max_bytes, "--max-bytes"),
        )
        gone = store.purge(retention)
    typer.echo(f"{gone.turns} turns and {gone.patterns} patterns dropped, {gone.bytes} bytes")


def _parsed(parse: Any, text: str | None, option: str) -> Any:
    if text is None:
        return None
    try:
        return parse(text)
    except ValueError as error:
        raise typer.BadParameter(f"{option}: {error}") from error
