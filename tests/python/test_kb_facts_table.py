"""Knowledge bases from tables with one fact a row, and tables parted by other marks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError, FormatError


@pytest.mark.req("S0-022")
@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_facts_have_a_type_a_source_and_a_confidence_of_their_own(
    tmp_path: Path, mark: str
) -> None:
    rows = [
        ("entity", "kind", "attribute", "value", "type", "source", "confidence"),
        ("Harbour Museum", "museum", "founded", "1987", "date", "charter", "0.9"),
        ("Harbour Museum", "museum", "director", "Nina Hart", "", "press office", ""),
        ("Harbour Museum", "", "closed", "", "", "", ""),
    ]
    path = tmp_path / "facts.csv"
    path.write_text("\n".join(mark.join(row) for row in rows), encoding="utf-8")
    kb = gw.KnowledgeBase.open(path)
    report = gw.check("The Harbour Museum was founded in 1992.", kb=kb)
    wrong = next(f for f in report.findings if f.type == "dialogue.wrong_attribute")
    assert wrong.replacement == "1987"
    assert wrong.evidence[0].source == "charter"
    other = gw.check("The director of the Harbour Museum is Bob Field.", kb=kb)
    wrong = next(f for f in other.findings if f.type == "dialogue.wrong_attribute")
    assert wrong.evidence[0].source == "press office"


def test_a_confidence_that_is_no_number_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_text("entity,attribute,value,confidence\nA,b,c,high\n", encoding="utf-8")
    with pytest.raises(ArgumentError, match=r"line 2: confidence is a number .* 'high'"):
        gw.KnowledgeBase.from_csv(path)


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_the_header_tells_what_parts_the_cells(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "kb.csv"
    text = f"name{mark}founded{mark}motto\nHarbour Museum{mark}1987{mark}Sea, wind\n"
    path.write_text(text, encoding="utf-8")
    kb = gw.KnowledgeBase.from_csv(path)
    report = gw.check("The Harbour Museum was founded in 1992.", kb=kb)
    assert "1987" in {f.replacement for f in report.findings}
    with pytest.raises(FormatError, match="no column 'name'"):
        gw.KnowledgeBase.from_csv(path, delimiter=",")


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"role": "assistant", "content": "It costs 30 euros."}, True),
        ({"role": "assistant", "content": [{"type": "text", "text": "It costs 30 euros."}]}, True),
        ({"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]}, False),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}, False),
    ],
)
def test_chat_messages_are_turns_as_they_are(message: dict[str, object], said: bool) -> None:
    history = [{"role": "user", "content": "What does the ticket cost?"}, message]
    report = gw.check("It costs 30 euros.", history=history, evidence=["Nothing of that."])
    assert report.text == "It costs 30 euros."
    with pytest.raises(ArgumentError, match="content"):
        gw.check("It is open.", history=[{"role": "user", "content": said and 5}])


def test_what_is_no_sink_is_refused() -> None:
    for events in ([5], print, [print]):
        with pytest.raises(ArgumentError, match="events"):
            gw.Monitor(events=events)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["bad.gguf", "empty.gguf", "folder"])
def test_damaged_models_are_named_in_one_line(tmp_path: Path, name: str) -> None:
    pytest.importorskip("transformers")
    pytest.importorskip("gguf")
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
        (path / "config.json").write_text("{}", encoding="utf-8")
    else:
        path.write_bytes(b"garbage" if name == "bad.gguf" else b"")
    command = "import sys; from groundwire.cli import main; sys.exit(main())"
    result = subprocess.run(
        [sys.executable, "-c", command, "generate", str(path), "Hello"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert "cannot read the model" in result.stderr
    assert "Traceback" not in result.stderr
