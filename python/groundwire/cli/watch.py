"""``groundwire watch``: a stream as it comes, coloured by risk, with findings beside it."""

from __future__ import annotations

import codecs
import itertools
import sys
import time
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from groundwire.cli import options, records, screen, sources
from groundwire.errors import FormatError
from groundwire.plain import tier_rank, unchecked

if TYPE_CHECKING:
    from types import TracebackType

    from groundwire.findings import Finding

_CHUNK = 4096
# Wide enough for a sentence, and the reader's eye.
_TEXT_SHARE = 0.6


def watch(
    file: Annotated[
        str,
        typer.Argument(help="Text, or recorded tokens (.jsonl); - reads standard input."),
    ] = "-",
    *,
    evidence: options.Evidence = None,
    kb: options.KnowledgeBase = None,
    history: options.History = None,
    question: options.Question = None,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="Read recorded tokens, whatever the name is.")
    ] = False,
    rate: Annotated[
        float, typer.Option("--rate", min=0.0, help="Tokens a second; 0 is as fast as they come.")
    ] = 0.0,
    fail_on: options.FailOn = options.Level.critical,
    config: options.Configuration = None,
) -> None:
    """Watch a stream as it comes.

    On a terminal the text is coloured by risk and findings stand beside it. In a pipe the text
    passes through unchanged on standard output and findings go to standard error.

    A file is UTF-8. What comes through standard input may have been cut anywhere: its bytes that
    are no UTF-8 are judged and shown as U+FFFD.
    """
    monitor = sources.open_monitor(kb, config)
    session = monitor.session(
        evidence=sources.read_evidence(evidence),
        history=sources.read_history(history),
        question=question,
    )
    recorded = tokens or Path(file).suffix.lower() == ".jsonl"
    with view() as shown:
        for record in _records(file, recorded=recorded):
            step = session.push_bytes(record.data, signals=record.signals or None)
            shown.add(record.data, step.findings)
            if screen.reader_left():
                break
            if rate:
                time.sleep(1.0 / rate)
        report = session.finish()
        shown.end(report.text, report.findings)
    errors = screen.console(stderr=True)
    errors.print(_summary(report.tier, len(report.findings)))
    left_out = unchecked(report.stats)
    if left_out:
        errors.print(left_out, soft_wrap=True)
    raise typer.Exit(1 if tier_rank(report.tier) >= tier_rank(fail_on) else 0)


def _summary(tier: str, count: int) -> str:
    return f"tier {tier}, {count} finding{'' if count == 1 else 's'}"


def _records(file: str, *, recorded: bool) -> Iterator[records.Record]:
    """Yield what ``file`` holds as it arrives: recorded tokens, or pieces of text."""
    if recorded:
        with ExitStack() as stack:
            name, stream = "standard input", sys.stdin.buffer
            if file != sources.STDIN:
                name, stream = file, stack.enter_context(Path(file).open("rb"))
            try:
                yield from records.read_records(_lines(stream))
            except FormatError as error:
                msg = f"{name}: {error}"
                raise FormatError(msg) from error
        return
    # Unbuffered, so that a pipe's text is seen when it comes and not when a buffer is full.
    source = sys.stdin.fileno() if file == sources.STDIN else file
    with open(source, "rb", buffering=0, closefd=file != sources.STDIN) as stream:
        pieces = iter(lambda: stream.read(_CHUNK), b"")
        for data in pieces if file == sources.STDIN else _utf8(pieces, file):
            yield records.Record(data, {})


def _utf8(pieces: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield a file's pieces as they come; raises ``FormatError`` where they are no UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    read = 0
    for data in itertools.chain(pieces, [b""]):
        begun = len(decoder.getstate()[0])
        try:
            decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            at = read - begun + error.start
            raise FormatError(f"{name} is not UTF-8 at byte {at}; save it as UTF-8 text") from error
        read += len(data)
        yield data


def _lines(stream: Iterable[bytes]) -> Iterator[str]:
    """Yield a stream's lines as they come; raises ``FormatError`` where one is no UTF-8."""
    for number, line in enumerate(stream, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            msg = f"line {number} is not UTF-8 at byte {error.start} of the line"
            raise FormatError(msg) from error


def view() -> View:
    """Return the view that fits where the output goes."""
    out = screen.console()
    if not out.is_terminal:
        return PipeView()
    return LiveView(out) if out.width >= screen.WIDE else NarrowView(out)


class View(AbstractContextManager["View"]):
    """Shows a stream."""

    def __enter__(self) -> Self:
        """Start showing."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop showing."""

    @abstractmethod
    def add(self, data: bytes, findings: tuple[Finding, ...]) -> None:
        """Show what one push brought."""

    def end(self, text: str, findings: tuple[Finding, ...]) -> None:
        """Show the final state."""


class PipeView(View):
    """Passes the stream through; findings go to standard error, a line each."""

    def __init__(self) -> None:
        self._errors = screen.console(stderr=True)
        self._seen: set[str] = set()

    def add(self, data: bytes, findings: tuple[Finding, ...]) -> None:
        """Write the bytes unchanged."""
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        self._say(findings)

    def end(self, text: str, findings: tuple[Finding, ...]) -> None:
        """Say what only the end of the text decided."""
        del text
        sys.stdout.buffer.flush()
        self._say(findings)

    def _say(self, findings: tuple[Finding, ...]) -> None:
        for finding in findings:
            if finding.id not in self._seen:
                self._seen.add(finding.id)
                self._errors.print(screen.finding_line(finding), soft_wrap=True)


class NarrowView(View):
    """Writes the text as it comes and each finding on lines of its own, below what it is about."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._seen: set[str] = set()
        self._at_line_start = True

    def add(self, data: bytes, findings: tuple[Finding, ...]) -> None:
        """Write the text that is whole."""
        self._write(self._decoder.decode(data))
        self._say(findings)

    def end(self, text: str, findings: tuple[Finding, ...]) -> None:
        """Write what was still open."""
        del text
        self._write(self._decoder.decode(b"", final=True))
        self._say(findings)
        if not self._at_line_start:
            self._out.print()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave a line that an error cut off, so that its message has one of its own."""
        if kind is not None and not self._at_line_start:
            self._out.print()

    def _write(self, text: str) -> None:
        if text:
            screen.write(self._out, text)
            self._at_line_start = text.endswith("\n")

    def _say(self, findings: tuple[Finding, ...]) -> None:
        for finding in findings:
            if finding.id in self._seen:
                continue
            self._seen.add(finding.id)
            if not self._at_line_start:
                self._out.print()
            self._out.print(screen.finding_line(finding))
            self._at_line_start = True


class LiveView(View):
    """Text on the left, coloured by risk; findings on the right; both keep their end in view."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        self._findings: dict[str, Finding] = {}
        self._live = Live(console=out, auto_refresh=False, vertical_overflow="crop")

    def __enter__(self) -> Self:
        """Take over the lower part of the screen."""
        self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the screen back."""
        self._live.stop()

    def add(self, data: bytes, findings: tuple[Finding, ...]) -> None:
        """Draw the text and the findings so far."""
        self._text += self._decoder.decode(data)
        self._findings |= {finding.id: finding for finding in findings}
        self._draw(max(4, self._out.height - 2))

    def end(self, text: str, findings: tuple[Finding, ...]) -> None:
        """Draw all of it once more, now from the report."""
        self._text = text
        self._findings = {finding.id: finding for finding in findings}
        self._live.vertical_overflow = "visible"
        self._draw(None)

    def _draw(self, height: int | None) -> None:
        width = int((self._out.width - 3) * _TEXT_SHARE)
        found = list(self._findings.values())
        left = self._tail(screen.coloured(self._text, found), width, height)
        notes = Text("\n").join(screen.finding_line(finding) for finding in found)
        right = self._tail(notes, self._out.width - 3 - width, height)
        table = Table.grid(padding=(0, 1), expand=True)
        table.add_column(width=width)
        table.add_column(ratio=1)
        table.add_row(left, right)
        self._live.update(table, refresh=True)

    def _tail(self, text: Text, width: int, height: int | None) -> Text:
        """Return the last ``height`` lines of ``text`` wrapped at ``width``."""
        lines = text.wrap(self._out, width)
        kept = lines if height is None else lines[-height:]
        return Text("\n").join(kept)
