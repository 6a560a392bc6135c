"""New content against what was said: contradictions, drift of concepts, goalposts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundwire.errors import ArgumentError
from groundwire.profiles.stream import (
    Coherence,
    contradiction_severity,
    validate_coherence,
    validateCoherence,
)

CASES = json.loads(
    (Path(__file__).parents[1] / "vectors" / "coherence.json").read_text(encoding="utf-8")
)


def cases(kind: str, which: str) -> list[tuple[str, str]]:
    found = [(case["history"], case["new"]) for case in CASES[kind][which]]
    assert len(found) >= 20
    return found


def judged(history: str, new: str) -> Coherence:
    return validate_coherence(new, [("assistant", history)])


@pytest.mark.req("S4-020", "S4-021", "S4-022")
@pytest.mark.parametrize(("history", "new"), cases("contradiction", "found"))
def test_contradictions(history: str, new: str) -> None:
    found = judged(history, new)
    assert not found.coherent
    for one in found.contradictions:
        assert one.claim in new and one.contradicts in history
        assert 0 < one.severity <= 1


@pytest.mark.req("S4-020", "S4-022")
@pytest.mark.parametrize(("history", "new"), cases("contradiction", "silent"))
def test_no_contradictions(history: str, new: str) -> None:
    assert judged(history, new).contradictions == ()


@pytest.mark.req("S4-024")
@pytest.mark.parametrize(("history", "new"), cases("goalposts", "found"))
def test_goalposts_that_moved(history: str, new: str) -> None:
    assert judged(history, new).goalposts


@pytest.mark.req("S4-024")
@pytest.mark.parametrize(("history", "new"), cases("goalposts", "silent"))
def test_goalposts_that_stand(history: str, new: str) -> None:
    assert judged(history, new).goalposts == ()


@pytest.mark.req("S4-023")
@pytest.mark.parametrize(("history", "new"), cases("drift", "found"))
def test_concepts_that_drift(history: str, new: str) -> None:
    (drift,) = [d for d in judged(history, new).drifts if d.drifted]
    assert drift.drift >= 0.8
    assert (drift.first, drift.now) == (history, new)


@pytest.mark.req("S4-023")
@pytest.mark.parametrize(("history", "new"), cases("drift", "silent"))
def test_concepts_that_stay(history: str, new: str) -> None:
    assert not [d for d in judged(history, new).drifts if d.drifted]


@pytest.mark.req("S4-020", "S4-022", "S4-036")
def test_the_documents_own_form() -> None:
    history = ["The Harbour Museum was founded in 1987."]
    assert validateCoherence("The Harbour Museum was founded in 1992.", history) == {
        "coherent": False,
        "contradictions": [
            {
                "claim": "The Harbour Museum was founded in 1992.",
                "contradicts": "The Harbour Museum was founded in 1987.",
                "severity": 1.0,
            }
        ],
    }
    assert validateCoherence("It is old.", history) == {"coherent": True, "contradictions": []}
    with pytest.raises(ArgumentError, match="new_content"):
        validate_coherence(3)


@pytest.mark.req("S4-021")
def test_severity_is_exclusivity_times_prior_confidence() -> None:
    assert contradiction_severity("founded", 1.0) == 1.0
    assert contradiction_severity("department", 0.5) == pytest.approx(0.35)
    assert contradiction_severity("likes", 1.0) == 0.0
    with pytest.raises(ArgumentError):
        contradiction_severity("founded", 1.5)


@pytest.mark.req("S4-024")
def test_a_correction_is_the_fact_from_there_on() -> None:
    history = [
        ("assistant", "The ticket costs $12."),
        ("assistant", "Actually, the ticket costs $15."),
    ]
    assert validate_coherence("The ticket costs $15.", history).coherent
    assert not validate_coherence("The ticket costs $12.", history).coherent
    marked = validate_coherence("Sorry, the ticket costs $18.", history)
    assert marked.coherent and marked.corrections == ("Sorry, the ticket costs $18.",)
