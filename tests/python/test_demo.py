"""What the demo says beside an answer is so, whatever the model wrote."""

from __future__ import annotations

import importlib
import sys
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
