"""What a base says of its facts: worlds, several values, times, sources, dates in their order."""

from __future__ import annotations

from typing import Any

import pytest

import groundwire as gw


def checked(facts: dict[str, Any], text: str, **world: Any) -> list[gw.Finding]:
    record = {"name": "Ada Lind", "type": "person", "attributes": facts}
    kb = gw.KnowledgeBase.from_records([record])
    if world:
        kb.set_world(**world)
    monitor = gw.Monitor(kb=kb, reference_date="2026-01-01")
    return [f for f in monitor.check(text).findings if f.system == "dialogue"]


@pytest.mark.req("U-7")
def test_what_is_missing_counts_as_the_world_says() -> None:
    text = "Ada Lind's email is ada@example.org."
    (finding,) = checked({"department": "Sales"}, text)
    assert (finding.type, finding.tier) == ("dialogue.fabricated_fact", "low")
    worlds: list[dict[str, Any]] = [{"closed": True}, {"attributes": ["email"]}]
    for world in worlds:
        (finding,) = checked({"department": "Sales"}, text, **world)
        assert finding.extra["closed_world"] is True
        assert finding.tier != "low"
    (finding,) = checked({"department": "Sales"}, text, attributes=["phone"])
    assert finding.tier == "low"


@pytest.mark.req("U-7")
def test_several_values_contradict_only_where_they_are_all() -> None:
    spoken = {"language": ["French", "Dutch"]}
    text = "Ada Lind speaks Polish."
    assert checked(spoken, text) == []
    (finding,) = checked(spoken, text, attributes=["language"])
    assert finding.type == "dialogue.wrong_attribute"
    assert checked(spoken, "Ada Lind speaks Dutch.", closed=True) == []
    assert checked(spoken, "Ada Lind speaks French and Dutch.", closed=True) == []


def test_facts_of_another_time_contradict_nothing() -> None:
    moved = {
        "department": [
            {"value": "Sales", "valid_to": "2023-12-31"},
            {"value": "Legal", "valid_from": "2024-01-01"},
        ]
    }
    assert checked(moved, "Ada Lind works in Legal.") == []
    assert checked(moved, "Ada Lind worked in Sales.") == []
    (finding,) = checked(moved, "Ada Lind works in Support.")
    assert finding.expected == "Legal"
    assert finding.replacement == "Legal"
    ended = {"department": {"value": "Sales", "valid_to": "2023-12-31"}}
    assert checked(ended, "Ada Lind works in Support.") == []


def test_a_finding_names_source_and_confidence_of_its_fact() -> None:
    told = {"department": {"value": "Sales", "source": "hr-export", "confidence": 0.7}}
    (finding,) = checked(told, "Ada Lind works in Support.")
    assert finding.p_hallucinated == pytest.approx(0.7)
    assert finding.evidence[0].source == "hr-export"
    assert finding.evidence[0].quality == pytest.approx(0.7)


HISTORY = [
    {"name": "Kestrel", "type": "company", "attributes": {"founded": "1985"}},
    {
        "name": "Merlin",
        "type": "company",
        "attributes": {
            "founded": {"value": "1972-03-04", "source": "register"},
            "acquired": {"value": "March 1990", "type": "date"},
        },
    },
    {"name": "Ada Lind", "type": "person", "attributes": {"born": "1850-02-01"}},
    {"name": "Ben Frey", "type": "person", "attributes": {"born": "1850", "died": "1920"}},
]


@pytest.mark.req("S0-052", "S0-054")
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Kestrel was founded before Merlin was founded.", "known_order"),
        ("Kestrel was founded before Merlin.", "known_order"),
        ("Merlin was founded after Kestrel.", "known_order"),
        ("Kestrel was founded before 1980.", "known_order"),
        ("Kestrel was founded after 1990.", "known_order"),
        ("Kestrel was founded after Merlin was acquired.", "known_order"),
        ("Before Merlin was founded, Kestrel was founded.", "known_order"),
        ("Merlin was acquired before it was founded.", "known_order"),
        ("Ada Lind died in 1820.", "known_course"),
        ("Merlin was founded before Kestrel.", None),
        ("Merlin was founded before Kestrel was founded.", None),
        ("Kestrel was founded before 1990.", None),
        ("Kestrel was founded after 1980.", None),
        ("Kestrel was founded before Merlin was acquired.", None),
        ("Kestrel was not founded before 1980.", None),
        ("Kestrel may have been founded before 1980.", None),
        ("Was Kestrel founded before 1980?", None),
        ("If Kestrel was founded before 1980, it is old.", None),
        ("Kestrel was founded before Osprey.", None),
        ("Kestrel was praised before Merlin.", None),
        ("Ada Lind died in 1920.", None),
        # The attribute itself is wrong there, and says so.
        ("Ben Frey died in 1820.", None),
    ],
)
def test_events_that_the_base_dates(text: str, rule: str | None) -> None:
    kb = gw.KnowledgeBase.from_records(HISTORY)
    report = gw.Monitor(kb=kb, reference_date="2026-01-01").check(text)
    found = [f for f in report.findings if f.type == "dialogue.temporal_error"]
    assert [f.rule for f in found] == ([] if rule is None else [rule])
    for finding in found:
        assert finding.evidence
        assert all(e.kind == "kb_fact" for e in finding.evidence)
        sources = {e.source for e in finding.evidence if e.text.startswith("Merlin: founded")}
        assert sources <= {"register"}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Acme's CEO is Dr. Ingrid Moe.", []),
        ("Acme was founded by Mr. Dahl in 1962.", []),
        ("The CEO of Acme is I. Moe.", []),
        ("Acme's CEO is Dr. Tom Hill.", ["Dr. Tom Hill"]),
        ("Acme's CEO is J. R. Smith.", ["J. R. Smith"]),
    ],
)
def test_titles_and_initials_belong_to_their_name(text: str, wrong: list[str]) -> None:
    attributes = {"founded": 1962, "founder": "Helge Dahl", "ceo": "Ingrid Moe"}
    kb = gw.KnowledgeBase.from_records([{"name": "Acme", "attributes": attributes}])
    found = gw.Monitor(kb=kb).check(text).findings
    assert [f.text for f in found if f.type == "dialogue.wrong_attribute"] == wrong


@pytest.mark.req("S0-007")
def test_a_capital_is_a_town() -> None:
    kb = gw.KnowledgeBase.from_records(
        [
            {"name": "Velmora", "type": "country", "attributes": {"capital": "Hask"}},
        ]
    )

    def found(text: str) -> list[tuple[str, str | None]]:
        findings = gw.check(text, kb=kb).findings
        return [(f.text, f.replacement) for f in findings if f.tier in {"high", "critical"}]

    assert found("Velmora's capital is Madrid.") == [("Madrid", "Hask")]
    for text in (
        "The capital of Velmora is Hask.",
        "Velmora's capital is in the north.",
    ):
        assert found(text) == []
