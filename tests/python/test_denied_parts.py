"""Denials of a part ("is not always open") leave the rest open; those of the whole do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groundwire as gw

VECTORS = json.loads(
    (Path(__file__).parent.parent / "vectors" / "denied_parts.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def monitor() -> gw.Monitor:
    return gw.Monitor(kb=gw.KnowledgeBase.from_records(VECTORS["kb"]))


@pytest.mark.req("S0-008", "S0-063", "X-12")
@pytest.mark.parametrize("case", VECTORS["base"], ids=lambda case: case["text"])
def test_a_denial_against_the_base(monitor: gw.Monitor, case: dict[str, Any]) -> None:
    found = [f for f in monitor.check(case["text"]).findings if f.status == "contradicted"]
    assert bool(found) is case["wrong"]


@pytest.mark.req("S0-009", "S0-048", "S0-056")
@pytest.mark.parametrize("case", VECTORS["sources"], ids=lambda case: case["text"])
def test_a_denial_against_a_source_and_an_earlier_turn(case: dict[str, Any]) -> None:
    for given in (
        {"evidence": [case["source"]]},
        {"history": [("assistant", case["source"])]},
    ):
        report = gw.Monitor().check(case["text"], **given)
        found = [f for f in report.findings if f.status == "contradicted"]
        assert bool(found) is case["wrong"], given
