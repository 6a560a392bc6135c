"""Every command and code block of README.md is run, and every path of its map exists."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\S*) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MAIN = "import sys; from groundwire.cli import main; sys.exit(main())"
KINDS = {"python", "sh", "console", "text"}


class Block(NamedTuple):
    """A fenced block: its language, the word behind it, its text."""

    kind: str
    note: str
    text: str


BLOCKS = [Block(*found) for found in FENCE.findall(README)]


def of(kind: str, note: str = "") -> list[Block]:
    return [block for block in BLOCKS if (block.kind, block.note) == (kind, note)]


def commands() -> list[tuple[str, int]]:
    """Return each command of the shell blocks and the exit status it says."""
    found = []
    for block in of("sh"):
        for line in block.text.splitlines():
            command, _, note = line.partition("#")
            status = re.search(r"exit: (\d)", note)
            found.append((command.strip(), int(status[1]) if status else 0))
    return found


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """Return a copy of the examples with the README's text beside them."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (answer,) = of("text", "answer.txt")
    (tmp_path / "examples" / "answer.txt").write_text(answer.text, encoding="utf-8")
    program = tmp_path / "bin" / "groundwire"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{MAIN}" "$@"\n')
    program.chmod(0o755)
    return tmp_path / "examples"


def run(command: str, here: Path) -> subprocess.CompletedProcess[str]:
    path = f"{here.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=here,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    assert README.count("\n```") == 2 * len(BLOCKS)
    assert {block.kind for block in BLOCKS} <= KINDS
    assert len(of("python")) >= 4
    assert len(commands()) >= 6
    # What is neither code nor a command is an excerpt of output, and named.
    assert {block.note for block in BLOCKS if block.kind == "text"} == {"answer.txt", "demo"}


def test_the_python_blocks_run_in_order() -> None:
    names: dict[str, object] = {}
    for block in of("python"):
        exec(compile(block.text, "README.md", "exec"), names)


def test_the_python_blocks_hold_what_they_say() -> None:
    lines = [line for block in of("python")[:1] for line in block.text.splitlines() if line]
    assert len(lines) <= 12
    assert all("assert " in block.text for block in of("python"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(("command", "status"), commands())
def test_the_commands_run(command: str, status: int, here: Path) -> None:
    if command.startswith("make "):
        done = run(f"make -n -C '{ROOT}' {command.removeprefix('make ')}", here)
    else:
        done = run(command, here)
    assert done.returncode == status, done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_console_blocks_show_what_the_commands_print(here: Path) -> None:
    for block in of("console"):
        first, _, shown = block.text.partition("\n")
        printed = run(first.removeprefix("$ "), here).stdout
        assert sorted(printed.splitlines()) == sorted(shown.splitlines())


def test_the_excerpt_shows_scenes_of_the_demo() -> None:
    (excerpt,) = of("text", "demo")
    demo = (ROOT / "examples" / "demo.py").read_text(encoding="utf-8")
    asked = (ROOT / "examples" / "harbourlight" / "questions.jsonl").read_text(encoding="utf-8")
    titles = re.findall(r"^(.+?) ─+$", excerpt.text, re.MULTILINE)
    assert titles
    for title in titles:
        assert f'"{title}"' in demo
    questions = re.findall(r"─$\n([^?\n]+\?)", excerpt.text, re.MULTILINE)
    assert len(questions) == len(titles)
    for question in questions:
        assert question in asked


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_blocks_with_the_real_model_run() -> None:
    pytest.importorskip("transformers")
    names: dict[str, object] = {}
    for block in [*of("python"), *of("python", "slow")]:
        exec(compile(block.text, "README.md", "exec"), names)
    assert names["result"].text


def test_the_paths_it_names_exist() -> None:
    linked = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", README)
    assert {"DESIGN.md", "CONTRIBUTING.md", "SECURITY.md"} <= set(linked)
    for path in [*linked, *named]:
        assert (ROOT / path).exists(), path
