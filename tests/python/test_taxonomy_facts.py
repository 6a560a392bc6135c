"""Dialogue detectors that look at facts, through the package; vectors shared with the core."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw

VECTORS = Path(__file__).parents[1] / "vectors"
TAXONOMY: dict[str, Any] = json.loads((VECTORS / "taxonomy_facts.json").read_text("utf-8"))
GOLDEN: dict[str, Any] = json.loads((VECTORS / "dialogue_facts.json").read_text("utf-8"))


def findings(case: dict[str, Any], text: str, folder: Path, **profile: Any) -> list[gw.Finding]:
    records = [record for base in case.get("kb", ()) for record in TAXONOMY["bases"][base]]
    kb = None
    if records:
        path = folder / "kb.jsonl"
        path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
        kb = gw.KnowledgeBase.from_jsonl(path)
    monitor = gw.Monitor(kb=kb, profiles=({"name": "dialogue", **profile},))
    history = [{"role": role, "content": said} for role, said in case.get("history", ())]
    session = monitor.session(history=history, question=case.get("question"))
    session.push_text(text)
    return list(session.finish().findings)


@pytest.mark.req("S0-013", "S0-034")
@pytest.mark.parametrize("case", TAXONOMY["cases"], ids=lambda case: case["text"][:40])
def test_examples_and_look_alikes(case: dict[str, Any], tmp_path: Path) -> None:
    found = findings(case, case["text"], tmp_path)
    assert any(f.type == case["type"] for f in found) is case["fires"]


@pytest.mark.req("S0-013")
def test_mutations(tmp_path: Path) -> None:
    right = total = 0
    for case in TAXONOMY["mutations"]:
        names = list(case["slots"])
        # A few of each; the core's tests expand all.
        for values in list(product(*case["slots"].values()))[::5]:
            text = case["template"].format(**dict(zip(names, values, strict=True)))
            fired = any(f.type == case["type"] for f in findings(case, text, tmp_path))
            right += fired is case["fires"]
            total += 1
    assert right >= 0.95 * total


@pytest.mark.req("S0-040", "S0-041", "S0-043", "S0-048", "S0-062", "S0-063", "S0-064")
@pytest.mark.parametrize(
    "case", [c for c in GOLDEN["cases"] if not c.get("closed")], ids=lambda case: case["text"][:40]
)
def test_texts_and_confidences(case: dict[str, Any], tmp_path: Path) -> None:
    found = findings(case, case["text"], tmp_path)
    assert [f.type for f in found] == [want["type"] for want in case["findings"]]
    for finding, want in zip(found, case["findings"], strict=True):
        assert finding.p_hallucinated == pytest.approx(want["confidence"])
        if "suggestion" in want:
            assert finding.suggestion == want["suggestion"]
        if "evidence" in want:
            assert finding.evidence[0].text == want["evidence"]
        if "replacement" in want:
            assert finding.replacement == want["replacement"]


@pytest.mark.req("S0-030", "S0-031", "S0-037")
def test_switches_reach_the_core(tmp_path: Path) -> None:
    case = next(c for c in TAXONOMY["cases"] if c["type"] == "dialogue.wrong_attribute")
    text = case["text"]
    plain = findings(case, text, tmp_path)
    assert [f.type for f in plain] == ["dialogue.wrong_attribute"]
    off = {"enabled_detectors": {"wrong_attributes": False}}
    assert findings(case, text, tmp_path, **off) == []
    half = findings(case, text, tmp_path, detector_weights={"wrong_attributes": 0.5})
    assert half[0].risk == pytest.approx(plain[0].risk / 2)
    with pytest.raises(gw.errors.GroundwireError, match="wrong_attributes"):
        findings(case, text, tmp_path, detector_weights={"wrong_attributes": -1})
