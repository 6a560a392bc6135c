"""How claims stand to what is known: supported, excluded, or not to be verified."""

from __future__ import annotations

import pytest

import groundwire as gw
from groundwire.store import open as open_store

KB = gw.KnowledgeBase.from_records(
    [
        {
            "name": "Harbour Museum",
            "type": "museum",
            "attributes": {
                "founded": 1987,
                "employees": 450,
                "director": "Ada Lind",
                "opened": [{"value": 1990, "source": "a"}, {"value": 1991, "source": "b"}],
            },
        },
        {
            "name": "Ada Lind",
            "type": "person",
            "attributes": {"department": "Sales", "born": "1980-03-02", "email": "ada@x.org"},
        },
    ]
)
MONITOR = gw.Monitor(kb=KB)


@pytest.mark.req("U-4", "S4-027")
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("The Harbour Museum was founded in 1987.", "supported"),
        ("The Harbour Museum has 450 employees.", "supported"),
        ("The director of the Harbour Museum is Ada Lind.", "supported"),
        ("Ada Lind works in the Sales department.", "supported"),
        ("Ada Lind was born on 2 March 1980.", "supported"),
        ("Ada Lind was born in 1980.", "supported"),
        ("Ada Lind's email is ada@x.org.", "supported"),
        # What says more, or something else, is not what the base says.
        ("I doubt that the Harbour Museum was founded in 1987.", "unverifiable"),
        ("The Harbour Museum was almost founded in 1987.", "unverifiable"),
        ("The Harbour Museum has 450 part-time employees.", "unverifiable"),
        ("Its director was formerly Ada Lind.", "unverifiable"),
        ("Ada Lind does not work in Legal.", "unverifiable"),
        ("The Harbour Museum opened in 1990.", "unverifiable"),
        ("The Harbour Museum was founded in 1988.", "contradicted"),
        # Nothing to verify.
        ("Was the Harbour Museum founded in 1987?", "excluded"),
        ("Please call the Harbour Museum.", "excluded"),
        ("Thank you!", "excluded"),
        ("You're welcome.", "excluded"),
    ],
)
def test_a_claim_that_the_base_has_is_supported(text: str, status: str) -> None:
    (claim,) = MONITOR.check(text).claims
    assert claim.status == status


CLOSED = "The museum is closed on Mondays."


@pytest.mark.req("U-4", "S4-027")
@pytest.mark.parametrize(
    ("text", "evidence", "status"),
    [
        (CLOSED, CLOSED, "supported"),
        (CLOSED, "We know it. The museum is closed on Mondays, and has a café.", "supported"),
        (CLOSED, "It is not true that the museum is closed on Mondays.", "unverifiable"),
        (CLOSED, "If it rains, the museum is closed on Mondays.", "unverifiable"),
        ("The museum is open on Mondays.", CLOSED, "contradicted"),
        ("The museum is open on Fridays.", CLOSED, "unverifiable"),
    ],
)
def test_a_claim_that_evidence_says_word_for_word_is_supported(text, evidence, status) -> None:
    (claim,) = gw.check(text, evidence=[evidence]).claims
    assert claim.status == status


@pytest.mark.req("S4-027")
def test_what_is_supported_or_says_nothing_is_no_weak_point() -> None:
    report = MONITOR.check("The Harbour Museum was founded in 1987. Thank you! It has a café.")
    with open_store(mask=False) as store:
        store.record(report, "s", "t")
        assert [point.content for point in store.weak_points()] == ["It has a café."]


def test_a_stream_says_the_same_however_it_is_cut() -> None:
    text = "The Harbour Museum was founded in 1987. Thank you! It has a café. Is it open?"
    whole = [claim.status for claim in MONITOR.check(text).claims]
    with MONITOR.session() as session:
        for letter in text:
            session.push_text(letter)
        cut = [claim.status for claim in session.finish().claims]
    assert cut == whole == ["supported", "excluded", "unverifiable", "excluded"]
