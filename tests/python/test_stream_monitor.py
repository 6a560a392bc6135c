"""The monitor of a generation by its document's names, and growing specificity."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError
from groundwire.profiles.stream import GenerationMonitor, SpecificityDrift

PATTERNED = "Recent studies have shown that cats rule . Call now ."
PLAIN = "The cat sat on the mat and went to sleep ."


class Shout:
    name = "shout"

    def matches(self, text: str) -> bool:
        return "LOUD" in text

    def confidence(self, text: str) -> float:
        return 0.9


@pytest.mark.req("S4-013", "S4-014", "S4-015", "S4-016", "S4-017")
def test_tokens_are_appended_and_checked() -> None:
    monitor = GenerationMonitor([Shout()])
    for token in ("a" * 200, " LO", "U", "D", " noise", " goes on"):
        assert not monitor.should_interrupt() or "LOUD" in monitor.current_generation
        monitor.update(token)
    assert monitor.current_generation.endswith("LOUD noise goes on")
    (warning,) = monitor.warnings
    assert warning["pattern"] == "shout"
    assert warning["segment"] == ("a" * 200 + " LOUD")[-100:]
    assert warning["confidence"] == 0.9
    assert monitor.should_interrupt()
    assert not GenerationMonitor([Shout()], threshold=0.9).should_interrupt()


@pytest.mark.req("S4-014", "U-10")
def test_to_the_letter_every_token_warns_again() -> None:
    monitor = GenerationMonitor([Shout()], strict_seed=True)
    for token in ("LOUD", " and", " on"):
        monitor.update(token)
    assert [w["segment"] for w in monitor.warnings] == ["LOUD", "LOUD and", "LOUD and on"]


@pytest.mark.req("S4-018")
def test_builtin_patterns() -> None:
    monitor = GenerationMonitor()
    for token in PATTERNED.split(" "):
        monitor.update(token + " ")
    assert monitor.warnings
    clean = GenerationMonitor()
    for token in PLAIN.split(" "):
        clean.update(token + " ")
    assert clean.warnings == []
    with pytest.raises(ArgumentError, match="threshold"):
        GenerationMonitor(threshold=2)
    with pytest.raises(ArgumentError, match="as its text"):
        clean.update(3)


def test_a_token_costs_the_same_anywhere() -> None:
    monitor = GenerationMonitor([Shout()])

    def cost() -> float:
        began = time.process_time()
        for _ in range(300):
            monitor.update(" word")
        return time.process_time() - began

    cost()
    early = cost()
    for _ in range(6000):
        monitor.update(" word")
    assert cost() < 10 * early + 0.05


GROWING = (
    "The harbour is an old place. It has been there for a long time. "
    "It was opened by Marta Quell in 1911. "
    "On 14 May 1923 Olaf Brandt sold 37 boats to Jonas Wirth for 4,820 crowns."
)


TEXTS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "specificity.json").read_text(encoding="utf-8")
)


@pytest.mark.req("S4-019")
@pytest.mark.parametrize("text", TEXTS["found"])
def test_growing_specificity(text: str) -> None:
    drift = SpecificityDrift()
    assert drift.matches(text)
    assert 0.5 <= drift.confidence(text) <= 0.9
    # All of it is in the evidence: nothing is wrong.
    assert not SpecificityDrift([text]).matches(text)
    # A stream says the same by itself.
    found = gw.Monitor().check(text).findings
    assert [f.type for f in found].count("stream.specificity_drift") == 1


@pytest.mark.req("S4-019")
@pytest.mark.parametrize("text", TEXTS["silent"])
def test_plain_texts_do_not_grow(text: str) -> None:
    assert not SpecificityDrift().matches(text)
    found = gw.Monitor().check(text).findings
    assert not [f for f in found if f.type == "stream.specificity_drift"]


@pytest.mark.req("S4-019")
def test_it_runs_beside_a_stream() -> None:
    report = gw.Monitor(detectors=[SpecificityDrift()]).check(GROWING)
    (finding,) = [f for f in report.findings if f.type == "stream.specificity_drift"]
    assert finding.text.startswith("On 14 May 1923")
    assert finding.tier in {"low", "none"}
    told = gw.Monitor(detectors=[SpecificityDrift([GROWING])]).check(GROWING, evidence=[GROWING])
    assert not [f for f in told.findings if f.type == "stream.specificity_drift"]


@pytest.mark.req("S4-017", "S4-018")
@pytest.mark.parametrize(
    "text",
    [
        "The table is 100% certain to be taken .",
        "She was completely certain of her vote .",
        "The court found no undeniable proof .",
        "Nobody is absolutely certain why .",
    ],
)
def test_how_sure_somebody_sounds_interrupts_nothing(text: str) -> None:
    monitor = GenerationMonitor()
    for token in text.split(" "):
        monitor.update(token + " ")
    assert not monitor.should_interrupt()
