"""Every code block and command of docs/evaluation.md is run, and every measure it names exists."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

pytest.importorskip("numpy")

from groundwire.evaluate.data import read_folder
from groundwire.evaluate.detectors import listed
from groundwire.evaluate.records import Record

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\S*) ?([^\n]*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
COMMANDS = [line for kind, _, text in BLOCKS if kind == "sh" for line in text.splitlines()]
SCHEMA = json.loads(
    resources.files("groundwire.evaluate").joinpath("results.schema.json").read_text("utf-8")
)


@pytest.fixture
def mine(tmp_path):
    for kind, note, text in BLOCKS:
        if kind == "json":
            path = tmp_path / note
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return tmp_path


def test_every_block_is_tested() -> None:
    assert {kind for kind, _, _ in BLOCKS} == {"sh", "json", "python"}
    assert len(COMMANDS) == 6


def test_the_python_blocks_hold_what_they_say() -> None:
    names: dict[str, object] = {}
    blocks = [text for kind, _, text in BLOCKS if kind == "python"]
    assert all("assert " in text for text in blocks)
    for text in blocks:
        exec(compile(text, "docs/evaluation.md", "exec"), names)
    start = blocks[0].index("class Numbers")
    body = blocks[0][start : blocks[0].index("\n\n\n", start)].splitlines()
    assert len([line for line in body if line.strip()]) <= 11, "ten lines and the class's own"


def test_the_records_are_what_the_table_says(mine) -> None:
    (records,) = read_folder(mine / "mine").values()
    bad = records[1]
    assert bad.response[slice(bad.spans[0].start, bad.spans[0].end)].startswith("A bank")
    fields = set(re.findall(r"^\| (`[^|]+`) \|", TEXT.partition("## A detector")[0], re.MULTILINE))
    named = {name for cell in fields for name in re.findall(r"`(\w+)`", cell)}
    own = set(Record.__dataclass_fields__) - {"spans_labelled"}
    assert named == own


def test_the_commands_run_in_order(mine) -> None:
    for command in COMMANDS:
        words = shlex.split(command)
        assert words[0] == "groundwire"
        if "--plots" in words:
            pytest.importorskip("matplotlib")
        code = "import sys; from groundwire.cli import main; sys.exit(main())"
        done = subprocess.run(
            [sys.executable, "-c", code, *words[1:], "--resamples", "10"],
            capture_output=True, check=False, text=True, timeout=120, cwd=mine,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    data = json.loads((mine / "out.json").read_text(encoding="utf-8"))
    jsonschema.validate(data, SCHEMA)
    assert set(data["sets"]["answers"]) == {"groundwire", "novelty"}
    assert (mine / "chosen.json").is_file()


def test_every_detector_it_names_is_one() -> None:
    peers = re.findall(r"^\| `([a-z0-9-]+)` \| `", TEXT.partition("## Other people")[2], re.M)
    assert len(peers) == 6
    assert {*peers, "lm-kl", "lm-lift", "lm-surprisal", "novelty"} <= set(listed())
