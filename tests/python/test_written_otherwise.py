"""The same time, amount or name in another form is in the evidence; another one is not."""

from __future__ import annotations

import pytest

import groundwire as gw

SAME = [
    ("The talk starts at 8:15 pm.", "The talk starts at 20:15."),
    ("The talk starts at a quarter past eight.", "The talk starts at 20:15."),
    ("The gate closes at half past ten.", "The gate closes at 22:30."),
    ("The tram leaves at 16:40.", "The tram leaves at 4:40 pm."),
    ("The café opens at eight and closes at five.", "The café opens at 8 am and closes at 5 pm."),
    ("It was minus twelve degrees that night.", "It was -12 °C that night."),
    ("About 50 % of the seats were taken.", "About half of the seats were taken."),
    ("About 25 % of the seats were taken.", "About a quarter of the seats were taken."),
    ("A stamp costs 85 cents.", "A stamp costs 0.85 euros."),
    ("A stamp costs 0.85 euros.", "A stamp costs 85 cents."),
    ("King Gustav the Fifth opened the hall.", "King Gustav V opened the hall."),
    ("King Gustav V opened the hall.", "King Gustav the Fifth opened the hall."),
]
OTHER = [
    ("The talk starts at 8:45 pm.", "The talk starts at 20:15."),
    ("The gate closes at half past nine.", "The gate closes at 22:30."),
    ("The café opens at seven.", "The café opens at 8 am and closes at 5 pm."),
    ("It was minus nine degrees that night.", "It was -12 °C that night."),
    ("About 40 % of the seats were taken.", "About half of the seats were taken."),
    ("A stamp costs 65 cents.", "A stamp costs 0.85 euros."),
    ("King Gustav the Fourth opened the hall.", "King Gustav V opened the hall."),
]


def doubted(text: str, evidence: str) -> list[str]:
    return [f.type for f in gw.check(text, evidence=[evidence]).findings if f.tier != "low"]


@pytest.mark.req("S0-010")
@pytest.mark.parametrize(("text", "evidence"), SAME)
def test_the_same_written_otherwise_is_known(text: str, evidence: str) -> None:
    assert doubted(text, evidence) == []


@pytest.mark.req("S0-010")
@pytest.mark.parametrize(("text", "evidence"), OTHER)
def test_another_value_is_still_doubted(text: str, evidence: str) -> None:
    assert doubted(text, evidence)
