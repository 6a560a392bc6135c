"""The count of unknown-name false alarms, and its bound on the project's own clean text."""

from __future__ import annotations

import json
from pathlib import Path

import false_alarms
import pytest


def rows(printed: str) -> list[list[str]]:
    lines = [line for line in printed.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_clean_text_raises_at_most_five_in_a_thousand(capsys: pytest.CaptureFixture[str]) -> None:
    assert false_alarms.main([]) == 0
    found = rows(capsys.readouterr().out)
    assert [row[0] for row in found] == ["clean_text.txt"] * 2
    assert all(int(row[3]) > 500 for row in found)
    assert all(float(row[5]) <= 5 for row in found)


def test_data_sets_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = [{"text": "Mira Tolland runs the bakery in Oddersund."}]
    records = [
        {"response": "Mira Tolland runs it.", "evidence": source, "hallucinated": False},
        {"response": "Mira Tolland runs it.", "evidence": source, "hallucinated": False},
        {"response": "Jorun Vesk runs it.", "evidence": source, "hallucinated": False},
        {"response": "Zelda Quorn runs it.", "evidence": source, "hallucinated": True},
        {"response": "No source.", "evidence": [], "hallucinated": False},
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    assert false_alarms.main(["--data", str(tmp_path), "--show", "1"]) == 0
    told = capsys.readouterr()
    with_source, without = rows(told.out)[2:]
    assert with_source == ["set.jsonl", "its sources", "2", "10", "1", "100.00"]
    assert without[4] == "2"
    assert "1 Jorun Vesk" in told.err
    assert "Zelda" not in told.err


def test_a_folder_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        false_alarms.main(["--data", "nowhere"])
    assert stop.value.code == 2
    assert "nowhere is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "options", "said"),
    [
        ("{", [], "set.jsonl:1: not JSON"),
        ('{"response": "x", "hallucinated": "no"}', [], "set.jsonl:1: 'hallucinated' is true or"),
        (
            '{"response": "x", "hallucinated": false}',
            ["--limit", "0"],
            "--limit is a number from 1",
        ),
        ('{"response": "x", "hallucinated": false}', ["--show", "-1"], "--show is a number from 0"),
    ],
)
def test_what_cannot_be_counted_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, options: list[str], said: str
) -> None:
    (tmp_path / "set.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        false_alarms.main(["--data", str(tmp_path), *options])
    assert stop.value.code == 2
    assert said in capsys.readouterr().err
