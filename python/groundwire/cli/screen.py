"""The terminal: whether there is one, how wide it is, and a text coloured by risk."""

from __future__ import annotations

import io
import itertools
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.text import Text

from groundwire.plain import tier_rank
from groundwire.reports.text import safe, style

if TYPE_CHECKING:
    from groundwire.findings import Finding

# Beside the text there must be room for findings; below this they go under it.
WIDE = 80
PIPE_WIDTH = 100


class _Pipe(io.FileIO):
    """A descriptor that takes what nobody reads any more, so that a command keeps its status."""

    left = False
    """Whether the reader is gone."""

    def write(self, data: Any, /) -> int:
        """Write, or drop what the reader did not stay for."""
        try:
            return super().write(data)
        except BrokenPipeError:
            self.left = True
            return memoryview(data).nbytes


def _lasting(stream: TextIO) -> TextIO:
    """Return a stream to where ``stream`` goes that outlasts the reader of a pipe."""
    if not isinstance(stream, io.TextIOWrapper) or stream.isatty():
        return stream
    try:
        place = stream.fileno()
    except io.UnsupportedOperation:
        # What a program gave in place of its standard output has no reader that could leave.
        return stream
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Pipe(place, "wb", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
    )


def reader_left() -> bool:
    """Return whether nobody reads standard output any more (``… | head``): time to stop."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(raw, _Pipe) and raw.left


@contextmanager
def standard_streams() -> Iterator[str | None]:
    """Yield which standard stream the process was started without, if that matters.

    Without standard output nothing could be shown. An absent standard input is an empty one, and
    without standard error messages are dropped; so is what the reader of a pipe did not stay for.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    with Path(os.devnull).open() as nothing, Path(os.devnull).open("w") as nowhere:
        sys.stdin, sys.stderr = sys.stdin or nothing, _lasting(sys.stderr or nowhere)
        try:
            # The interpreter has no stream where the descriptor is closed.
            if sys.stdout:
                sys.stdout = _lasting(sys.stdout)
            yield None if sys.stdout else "output"
        finally:
            sys.stdin, sys.stdout, sys.stderr = before


def console(*, stderr: bool = False) -> Console:
    """Return a console for standard output or error.

    Colours only on a terminal and never with ``NO_COLOR``; a pipe gets plain lines.
    """
    stream = sys.stderr if stderr else sys.stdout
    terminal = stream.isatty()
    return Console(
        file=stream,
        force_terminal=terminal,
        no_color=bool(os.environ.get("NO_COLOR")) or not terminal,
        width=None if terminal else int(os.environ.get("COLUMNS") or PIPE_WIDTH),
        highlight=False,
        markup=False,
        emoji=False,
    )


def visible(text: str) -> str:
    """Return ``text`` fit for a terminal: line breaks stay, other control characters show."""
    return "\n".join(safe(line) for line in text.split("\n"))


def write(out: Console, text: str) -> None:
    """Write a piece of a stream as it is: rich would wrap it, and drop line breaks at its end."""
    out.file.write(visible(text))
    out.file.flush()


def coloured(text: str, findings: Sequence[Finding]) -> Text:
    """Return ``text`` with each finding's span in the colour of its tier; the worst is on top."""
    marks = [finding for finding in findings if finding.span is not None and finding.tier != "none"]
    marks.sort(key=lambda finding: tier_rank(finding.tier))
    edges = sorted({0, len(text), *(edge for f in marks if f.span for edge in f.span)})
    out = Text()
    for start, end in itertools.pairwise(edges):
        tier = "none"
        for finding in marks:
            if finding.span and finding.span[0] <= start and end <= finding.span[1]:
                tier = finding.tier
        colour = f"{style(tier)} underline" if tier != "none" else ""
        out.append(visible(text[start:end]), style=colour)
    return out


def finding_line(finding: Finding) -> Text:
    """Return one finding as one line: tier, type, message."""
    out = Text(f"{finding.tier:<8} ", style=style(finding.tier))
    out.append(f"{finding.type} ", style="bold").append(safe(finding.message))
    return out
