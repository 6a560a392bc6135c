"""Findings that were made without a session are judged as a session judges them."""

from __future__ import annotations

from typing import Any

import pytest

import groundwire as gw


def made(**given: Any) -> gw.Finding:
    return gw.Finding(
        **{
            "type": "dialogue.fabricated_fact",
            "byte_span": (0, 3),
            "p_hallucinated": 0.99,
            "status": "contradicted",
            **given,
        }
    )


@pytest.mark.req("U-5")
@pytest.mark.parametrize("given", [{}, {"score": 0.95}, {"score": 0.96, "risk": 0.95}])
def test_a_finding_is_judged_wherever_it_was_made(given: dict[str, Any]) -> None:
    verdict = gw.judge([made(**given)])
    assert (verdict.status, verdict.tier) == ("fail", "critical")
    assert gw.judge([made(p_hallucinated=0.0)]).status == "pass"
    assert gw.judge([made()], profile="stream").status == "pass"


@pytest.mark.req("U-5")
def test_a_session_says_the_same_of_it() -> None:
    session = gw.Monitor().session()
    session.push_text("The museum is old. ")
    session.report(None, [made()])
    report = session.finish()
    assert report.verdict.tier == gw.judge([made()]).tier
    assert gw.judge(report.findings).tier == report.verdict.tier


def test_a_finding_is_of_the_system_that_its_type_names() -> None:
    assert made().system == "dialogue"
    assert made(type="stream.unknown_entity").system == "stream"
    assert made(type="budget.gap").system == "budget"
    assert made(type="weather.rain").system == "stream"
    assert made(system="budget").system == "budget"
