"""The pages say what is there: commands, options, names and paths exist, and blocks run.

README.md and the pages of ``OWN_TEST`` have tests of their own, which run their blocks; here is
what goes for every page, those to come included.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path

import pytest
from typer.main import get_command

import groundwire as gw
from groundwire import store as stores
from groundwire.cli.app import app
from groundwire.errors import ArgumentError

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
OWN_TEST = {
    "README.md",
    "CONTRIBUTING.md",
    "evaluation.md",
    "gateway.md",
    "integrations.md",
    "knowledge.md",
    "protocol.md",
    "store.md",
}
BLOCK = re.compile(r"^```(\S*) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = {"python", "sh", "console", "text", "json", "jsonl", "toml", "yaml", ""}


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def commands(text: str) -> list[list[str]]:
    """Return the words of every ``groundwire …`` that a page shows, in a block or inline."""
    found = re.findall(r"^(?:\$ )?(groundwire(?: .*)?)$", text, re.MULTILINE)
    found += re.findall(r"`(groundwire [a-z][^`\n]*)`", text)
    lines = [re.split(r"\s+[#|<>]|\s{3,}|\\$", line)[0] for line in found]
    return [line.split() for line in lines]


def place(words: list[str]) -> tuple[object, list[str]]:
    """Return the command that words name and what is left of them."""
    at = get_command(app)
    rest = words[1:]
    while rest and rest[0] in getattr(at, "commands", {}):
        at = at.commands[rest[0]]
        rest = rest[1:]
    return at, rest


def unknown(words: list[str]) -> str | None:
    """Say what of a command line does not exist."""
    at, rest = place(words)
    if getattr(at, "commands", None) and rest and not rest[0].startswith("-"):
        return f"no subcommand {rest[0]}"
    if at.context_settings.get("ignore_unknown_options"):
        return None  # the rest is for another program
    known = {name for part in at.params for name in (*part.opts, *part.secondary_opts)}
    known |= {"--help", "-h"}
    options = [word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)]
    return next((f"no option {option}" for option in options if option not in known), None)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_that_a_page_shows_exist(page: Path) -> None:
    wrong = {" ".join(words): unknown(words) for words in commands(read(page)) if unknown(words)}
    assert wrong == {}


def test_the_check_of_commands_finds_what_does_not_exist() -> None:
    shown = commands(
        "```sh\ngroundwire check --nope x\ngroundwire stroe ls a.db\n"
        "groundwire store ls a.db /x | head --lines 3\n```\nand `groundwire bench quality --data D`"
    )
    assert [unknown(words) for words in shown] == [
        "no option --nope",
        "no subcommand stroe",
        None,
        None,
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_names_of_the_package_that_a_page_gives_exist(page: Path) -> None:
    prose = BLOCK.sub("", read(page))
    named = set(re.findall(r"`(?:from )?((?:gw|groundwire)(?:\.[A-Za-z_]\w*)+)", prose))
    missing = []
    for name in sorted(named):
        parts = name.split(".")
        if parts[-1] in {"md", "py", "jsonl", "json", "toml"}:
            continue
        try:
            if not exists(["groundwire", *parts[1:]]):
                missing.append(name)
        except ImportError as error:
            # An extra is not installed; a module of our own that is not there is no excuse.
            if (error.name or "").startswith("groundwire"):
                missing.append(name)
    assert missing == []


def exists(parts: list[str]) -> bool:
    """Say whether a dotted name is a module of the package or something in one."""
    for size in range(len(parts), 0, -1):
        module = ".".join(parts[:size])
        try:
            found = importlib.util.find_spec(module)
        except ModuleNotFoundError:
            continue
        if found is None:
            continue
        value = importlib.import_module(module)
        for part in parts[size:]:
            if not hasattr(value, part):
                return False
            value = getattr(value, part)
        return True
    return False


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_pages_that_a_page_links_to_exist(page: Path) -> None:
    linked = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", read(page))
    assert [path for path in linked if not (page.parent / path).exists()] == []
    prose = BLOCK.sub("", read(page))
    named = set(
        re.findall(r"`((?:docs|tools|tests|examples|benches|python|rust)/[\w./-]+)`", prose)
    )
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_blocks_of_a_page_are_closed_and_of_known_kinds(page: Path) -> None:
    text = read(page)
    blocks = BLOCK.findall(text)
    assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len(blocks)
    assert {kind for kind, _, _ in blocks} <= KINDS


def test_the_python_blocks_of_further_pages_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks marked with a word (``python slow``, ``python server``) are left to other tests."""
    monkeypatch.chdir(tmp_path)
    for page in PAGES:
        names: dict[str, object] = {}
        for kind, note, text in BLOCK.findall(read(page)):
            if kind == "python" and not note and page.name not in OWN_TEST:
                exec(compile(text, page.name, "exec"), names)


def test_the_tree_and_the_keys_that_the_page_about_stores_shows_are_those_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = read(ROOT / "docs" / "store.md")
    blocks = BLOCK.findall(page)
    first = next(text for kind, _, text in blocks if kind == "python")
    exec(compile(first, "store.md", "exec"), {})
    keys = next(text for kind, _, text in blocks if kind == "text" and "{session_id}" in text)
    leaves = set(re.findall(r"\b[a-z_]+\b", keys))
    with stores.open("findings.db") as kept:
        shown = next(text for kind, _, text in blocks if text.startswith("(groundwire-tree"))
        assert "\n".join(kept.export()).startswith(shown.rstrip("\n"))
        for path, _ in kept.items("/hallucination"):
            assert path.rpartition("/")[2] in leaves, path


def test_a_check_by_one_call_takes_the_day_and_the_table() -> None:
    text = "The annex was closed on 3 May 2031."
    early = gw.check(text, reference_date="2026-01-01")
    late = gw.check(text, reference_date="2032-01-01")
    assert [f.type for f in early.findings] == ["dialogue.temporal_error"]
    assert late.findings == ()
    rows = [
        {"name": "Blue Heron", "food": "Thai", "price": "cheap"},
        {"name": "Old Quay", "food": "Greek", "price": "expensive"},
    ]
    (row,) = gw.check("The Blue Heron serves Thai food at an expensive price.", rows=rows).findings
    assert row.rule == "row"
    assert not gw.check("The Blue Heron serves Thai food at a cheap price.", rows=rows).findings
    with pytest.raises(ArgumentError, match="reference_date"):
        gw.check(text, reference_date="soon")
