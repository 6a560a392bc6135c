"""A value that a guard puts in stays what it is, whatever the model writes behind it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundwire as gw

KB = gw.KnowledgeBase.from_records(
    [
        {
            "name": "Harbour Museum",
            "attributes": {"founded": 1987, "director": "Nina Hart", "visitors": 450},
        }
    ]
)
VOCAB = gw.Vocab.from_entries([(i, bytes([i]), False) for i in range(256)])


def run(first: str, after: str, *, cut: int = 1) -> gw.GuardReport:
    """Run a model that writes ``first``; behind anything put in it writes ``after``."""
    script, behind = first.encode(), after.encode()
    state: dict[str, bytes] = {}

    def model(ids: list[int]) -> int | None:
        text = bytes(ids)
        if "from" not in state and script.startswith(text):
            return script[len(text)] if len(text) < len(script) else None
        if "from" not in state or len(text) < len(state["from"]):
            state["from"] = text
        at = len(text) - len(state["from"])
        return (
            behind[at] if at < len(behind) and text[len(state["from"]) :] == behind[:at] else None
        )

    monitor = gw.Monitor(kb=KB, tokenizer=VOCAB)
    events = list(
        gw.guard(model, [], monitor=monitor, encode=lambda s: list(s.encode()), max_tokens=900)
    )
    report = events[-1].report
    assert "".join(e.text for e in events if e.kind == "release") == report.released
    return report


LED = "The Harbour Museum is led by Bob Carr. It is open."
FOUNDED = "The Harbour Museum was founded in 1992. It is open."
VISITED = "The Harbour Museum has 900 visitors. It is open."


@pytest.mark.req("S4-032")
@pytest.mark.parametrize(
    ("first", "after", "value"),
    [
        (LED, "ley, an artist. It is open.", "Nina Hart."),
        (LED, "-Smith, an artist. It is open.", "Nina Hart."),
        (LED, " Blackmore, an artist. It is open.", "Nina Hart."),
        (LED, " and Bob Field. It is open.", "Nina Hart."),
        (LED, " of the Northern Harbour. It is open.", "Nina Hart."),
        (FOUNDED, "5. It is open.", "1987."),
        (FOUNDED, "s by Ann. It is open.", "1987."),
        (FOUNDED, " 1992. It is open.", "1987."),
        (VISITED, "0 visitors. It is open.", "450 visitors"),
        (VISITED, ",000 visitors. It is open.", "450 visitors"),
        (VISITED, ".5 million visitors. It is open.", "450 visitors"),
        (VISITED, " thousand visitors. It is open.", "450 visitors"),
    ],
)
def test_what_makes_a_corrected_value_longer_is_taken_back(
    first: str, after: str, value: str
) -> None:
    report = run(first, after)
    assert value in report.released
    assert not any(f.tier in ("high", "critical") for f in report.findings)
    longer = value.rstrip(".").split(" visitors")[0] + after.split(maxsplit=1)[0].rstrip(",.")
    assert longer not in report.released


@pytest.mark.parametrize(
    ("first", "after"),
    [
        (LED, ", an artist. It is open."),
        (LED, "'s own daughter. It is open."),
        (LED, " since 2012 and is open."),
        (FOUNDED, " by Ann. It is open."),
        (FOUNDED, ", 12 years after the fire. It is open."),
        (VISITED, " visitors a day. It is open."),
    ],
)
def test_what_follows_a_corrected_value_is_left_alone(first: str, after: str) -> None:
    report = run(first, after)
    corrections = [i for i in report.interventions if i.action == "correct"]
    assert len(corrections) == 1
    assert after.split(". ", maxsplit=1)[0] in report.released


def test_a_model_that_insists_ends_the_sentence_behind_the_value() -> None:
    insists = "ley. The Harbour Museum is led by Nina Hartley. It is led by Nina Hartley."
    report = run("The Harbour Museum (led by Bob Carr) is open. Come in.", insists)
    assert "Hartley" not in report.released
    assert report.released.count("(") == report.released.count(")")


@settings(max_examples=120, deadline=None)
@given(st.text(alphabet="aeln 019,.-’%&A\n", max_size=12), st.sampled_from([LED, FOUNDED, VISITED]))
def test_whatever_follows_the_value_ends_as_a_word(after: str, first: str) -> None:
    report = run(first, after)
    for wrong, value in ((LED, "Nina Hart"), (FOUNDED, "1987"), (VISITED, "450")):
        if wrong is first and value in report.released:
            behind = report.released.split(value, 1)[1]
            assert not behind[:1].isalnum()


def test_a_name_that_begins_as_the_base_s_is_another() -> None:
    monitor = gw.Monitor(kb=KB)
    for name in ("Nina Hartley", "Nina Hartmann", "Nina Hartwell"):
        found = monitor.check(f"The director of the Harbour Museum is {name}.").findings
        assert [f.replacement for f in found if f.type == "dialogue.wrong_attribute"] == [
            "Nina Hart"
        ], name
    for name in ("Nina Hart", "N. Hart", "Dr. Nina Hart", "Nina K. Hart", "Hart", "Nina"):
        found = monitor.check(f"The director of the Harbour Museum is {name}.").findings
        assert not [f for f in found if f.type == "dialogue.wrong_attribute"], name
