"""What is said of known entities in its many shapes, through the package; vectors of the core."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw
from groundwire.mitigation import apply

FOLDER = Path(__file__).parents[1] / "vectors"
VECTORS: dict[str, Any] = json.loads((FOLDER / "kb_readings.json").read_text("utf-8"))
PHRASINGS: dict[str, Any] = json.loads((FOLDER / "phrasings.json").read_text("utf-8"))
BINDINGS: dict[str, Any] = json.loads((FOLDER / "bindings.json").read_text("utf-8"))
BASES: dict[str, Any] = {**VECTORS["bases"], **PHRASINGS["bases"]}
MENDED = [case for case in [*VECTORS["cases"], *PHRASINGS["cases"]] if "mended" in case]
CONFLICTS = {"dialogue.wrong_attribute", "dialogue.contradicts_fact"}


def base(case: dict[str, Any]) -> gw.KnowledgeBase:
    records = list(BASES[case["kb"]])
    if "closed" in case:
        records.append({"closed_world": case["closed"]})
    return gw.KnowledgeBase.from_records(records)


@pytest.mark.req("S0-079", "X-12")
@pytest.mark.parametrize("case", MENDED, ids=lambda case: case["text"][:40])
def test_the_mended_text(case: dict[str, Any]) -> None:
    kb = base(case)
    report = gw.Monitor(kb=kb).check(case["text"], reference_date="2026-11-22")
    assert apply(gw.mitigate(report, kb=kb), case["text"]) == case["mended"]


@pytest.mark.req("S0-079")
@pytest.mark.parametrize(
    "case", [c for c in PHRASINGS["cases"] if "mended" in c], ids=lambda case: case["text"][:40]
)
def test_a_corrected_sentence_is_flagged_no_more(case: dict[str, Any]) -> None:
    monitor = gw.Monitor(kb=base(case))
    again = monitor.check(case["mended"], reference_date="2026-11-22")
    assert not [f for f in again.findings if f.type in CONFLICTS]


@pytest.mark.req("X-12")
@pytest.mark.parametrize(
    ("kb", "text"),
    [
        ("hotel", "The Grand Hotel has no wifi."),
        ("hotel", "The Grand Hotel has parking."),
        ("zeta", "Zeta Corp is a private company."),
        ("namesakes", "Anna Berg works in Marketing."),
        ("lena", "Lena Vogt is the director."),
    ],
)
def test_a_value_that_fits_nowhere_is_put_nowhere(kb: str, text: str) -> None:
    known = base({"kb": kb})
    report = gw.Monitor(kb=known).check(text, reference_date="2026-11-22")
    assert report.findings
    actions = gw.mitigate(report, kb=known)
    assert all(action.kind is not gw.mitigation.ActionKind.Correct for action in actions)


@pytest.mark.req("S0-019", "S0-079")
@pytest.mark.parametrize("case", BINDINGS["cases"], ids=lambda case: case["text"][:40])
def test_what_may_be_another_is_neither_corrected_nor_hedged(case: dict[str, Any]) -> None:
    kb = gw.KnowledgeBase.from_records(BINDINGS["bases"][case["kb"]])
    report = gw.Monitor(kb=kb).check(case["text"], reference_date="2026-11-22")
    if not any(found["type"] in CONFLICTS for found in case["findings"]):
        assert all(finding.tier in {"none", "low"} for finding in report.findings)
        actions = gw.mitigate(report, kb=kb)
        harmless = {gw.mitigation.ActionKind.NoAction, gw.mitigation.ActionKind.Flag}
        assert all(action.kind in harmless for action in actions)
