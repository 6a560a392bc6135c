"""What the demo says beside an answer is so, whatever the model wrote."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import groundwire as gw
from small_model import HERE

pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def demo() -> Any:
    sys.path.insert(0, str(HERE.parent))
    try:
        return importlib.import_module("demo")
    finally:
        sys.path.remove(str(HERE.parent))


@pytest.fixture(scope="module")
def kb() -> gw.KnowledgeBase:
    return gw.KnowledgeBase.from_jsonl(HERE / "kb.jsonl")


def test_words_that_are_wrong_are_told_only_where_they_stay(demo: Any, kb: Any) -> None:
    scenes = {scene.question: scene for scene in demo.SCENES}
    for name, text, said in (
        ("museum-year", "It was founded in 1962 by Agnes Thorvald, a local artist.",
         "“local artist”; the knowledge base has Agnes Thorvald, occupation: lighthouse engineer"),
        ("museum-year", "It was founded in 1962 by Agnes Thorvald, a lighthouse engineer.", None),
        ("fleet-years", "The Northern Wren is a lifeboat.",
         "“lifeboat”; the knowledge base has Northern Wren, kind: steam tug"),
        ("ticket", "As far as I know, it is £12.", None),
        ("saved", "211 people.", None),
    ):  # fmt: skip
        assert list(demo.uncorrected(scenes[name], text, kb)) == ([said] if said else [])
    (price,) = demo.uncorrected(scenes["ticket"], "The ticket is £1.50 for a day.", kb)
    assert price.startswith("“£1.50”; the knowledge base has Day Ticket, price: ")
    assert "12" in price


def test_every_scene_names_what_the_base_has(demo: Any, kb: Any) -> None:
    for scene in demo.SCENES:
        for _, name, attribute in scene.wrong:
            assert demo.told(kb, name, attribute)


def test_what_was_only_watched_is_judged(demo: Any, kb: Any) -> None:
    monitor = gw.Monitor(kb=kb)
    answer = demo.Answer(sampled=9)
    given = {"evidence": demo.handbook(["history"]), "question": "Who started the museum?"}
    false = monitor.check("The Thorvald Trust was founded in 1892 by Agnes Thorvald.", **given)
    (row,) = demo.judged(answer, false, kb)
    assert (row.done, row.instead, row.token) == ("would be corrected", "1970", 9)
    assert (row.finding.type, row.finding.text) == ("dialogue.wrong_attribute", "1892")
    true = monitor.check("The Thorvald Trust was founded in 1970 by Agnes Thorvald.", **given)
    assert demo.judged(answer, true, kb) == []


def test_the_summary_has_a_row_for_every_scene(demo: Any, kb: Any) -> None:
    found = gw.Monitor(kb=kb).check("The Thorvald Trust was founded in 1892.")
    rows = demo.judged(demo.Answer(), found, kb)
    table = demo.summary([("saved", []), ("founding", rows)])
    cells = [[str(cell) for cell in column.cells] for column in table.columns]
    assert cells[0] == ["saved", "founding"]
    assert cells[3:] == [["left as it was", "would be corrected"], ["", "1970"]]
    assert demo.acted(SimpleNamespace(done=[])) == []
