"""The monitor of a generation by its document's names, and growing specificity."""

from __future__ import annotations

import time

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
SAME = "It has many boats and a small cafe by the water."


@pytest.mark.req("S4-019")
@pytest.mark.parametrize(
    "text",
    [
        GROWING,
        "We looked at the market. It has been calm of late. Sales rose by 13 percent to 4.7 "
        "million. Of these 62 percent came from Zorvex, 21 percent from Quillon and 17 from Brant.",
        "She writes novels. Her books are widely read. The first came out in 1994 at Kestrel "
        "Press. The second, The Glass Orchard, sold 48,200 copies in 11 weeks for Nadia Orlov.",
        "The drug is new. It is taken daily. In the Brandt trial 412 patients took 35 mg. "
        "By week 18, 71 percent had improved, against 23 percent at Saint Orlan Hospital.",
        "The bridge is long. People like it. It weighs 4,300 tonnes and has 17 arches. "
        "Its builder Emil Farrow used 92,000 bricks from Dunholm in 1884 and 1886.",
    ],
)
def test_growing_specificity(text: str) -> None:
    drift = SpecificityDrift()
    assert drift.matches(text)
    assert 0.5 <= drift.confidence(text) <= 0.9
    # All of it is in the evidence: nothing is wrong.
    assert not SpecificityDrift([text]).matches(text)


@pytest.mark.req("S4-019")
@pytest.mark.parametrize(
    "text",
    [
        "",
        SAME,
        " ".join([SAME] * 8),
        # Specific from the beginning.
        "In 1911 Marta Quell bought 12 boats. In 1912 Olaf Brandt bought 13 boats. In 1913 Jonas "
        "Wirth bought 14 boats. In 1914 Emil Farrow bought 15 boats.",
        # Less and less.
        "On 14 May 1923 Olaf Brandt sold 37 boats. It rained in 1924. Then it was calm. It is old.",
        # A list is meant to be dense.
        "Here is what you need.\nIt is simple.\n- 3 eggs, 250 g flour\n- 120 ml milk, 15 g salt\n"
        "- 2 spoons of oil, 40 g sugar",
        # One figure is no trend.
        "The harbour is old. It is deep. It is calm. It was opened in 1911.",
        # The same figures again and again.
        "In 1911 it opened. It is deep. Since 1911 it is calm. In 1911, yes, 1911, it opened.",
        # Names that everybody knows.
        "It is an old city. People like it. It lies in France. It is near Paris in May.",
        "Short. Text.",
    ],
)
def test_plain_texts_do_not_grow(text: str) -> None:
    assert not SpecificityDrift().matches(text)


@pytest.mark.req("S4-019")
def test_it_runs_beside_a_stream() -> None:
    report = gw.Monitor(detectors=[SpecificityDrift()]).check(GROWING)
    (finding,) = [f for f in report.findings if f.type == "stream.specificity_drift"]
    assert finding.text.startswith("On 14 May 1923")
    assert finding.tier in {"low", "none"}
    told = gw.Monitor(detectors=[SpecificityDrift([GROWING])]).check(GROWING)
    assert not [f for f in told.findings if f.type == "stream.specificity_drift"]
