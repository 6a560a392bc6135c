"""Permissions, duties, hours and marked values that a source has otherwise, and look-alikes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw

FOLDER = Path(__file__).parent.parent / "vectors"
PAIRS = [
    case
    for name in ("rules_and_days.json", "marks_and_links.json")
    for case in json.loads((FOLDER / name).read_text(encoding="utf-8"))["pairs"]
]
MONITOR = gw.Monitor()


@pytest.mark.req("S0-009", "S0-056", "S4-021", "S4-031")
@pytest.mark.parametrize("case", PAIRS, ids=lambda case: f"{case['text']} | {case['source']}")
def test_what_a_source_has_otherwise_in_other_words(case: dict[str, Any]) -> None:
    report = MONITOR.check(case["text"], evidence=[case["source"]])
    found = [f for f in report.findings if f.status == "contradicted"]
    assert bool(found) is case["wrong"]
    if case.get("right") is not None:
        assert case["right"] in [f.replacement for f in found]
    elif "right" in case:
        assert [f.replacement for f in found] == [None] * len(found)
