"""Whom an answer's pronouns mean, in the answer and in earlier turns."""

from __future__ import annotations

import pytest

import groundwire as gw

KB = gw.KnowledgeBase.from_records(
    [
        {"name": "Sarah Chen", "type": "person", "attributes": {"department": "Engineering"}},
        {"name": "Ada Lind", "type": "person", "attributes": {"department": "Sales"}},
    ]
)


@pytest.mark.req("S0-015", "S0-044")
@pytest.mark.parametrize(
    "given",
    [
        {"question": "Tell me about Sarah Chen."},
        {"history": [("user", "Tell me about Sarah Chen.")]},
        {"history": [("user", "Sarah Chen?"), ("assistant", "What about her?")]},
    ],
)
def test_a_pronoun_means_whom_the_question_named(given: dict[str, object]) -> None:
    report = gw.Monitor(kb=KB).check("She works in Marketing.", **given)  # type: ignore[arg-type]
    (claim,) = report.claims
    assert claim.referent is not None
    assert claim.referent.name == "Sarah Chen"
    assert claim.referent.kind == "person"
    assert claim.referent.turn == 1
    assert claim.referent.entities == tuple(KB.find("Sarah Chen"))
    (finding,) = [f for f in report.findings if f.type == "dialogue.wrong_attribute"]
    assert finding.replacement == "Engineering"


def test_a_name_that_the_base_lacks_is_none_of_its_entities() -> None:
    text = "She works in Marketing."
    report = gw.Monitor(kb=KB).check(text, question="Who is Mary Poole, not Ada Lind?")
    assert not report.claims[0].referent or report.claims[0].referent.name != "Sarah Chen"
    history = [("user", "Sarah Chen is here."), ("user", "Tell me about Mary Poole.")]
    report = gw.Monitor(kb=KB).check(text, history=history)
    assert report.claims[0].referent is not None
    assert report.claims[0].referent.name == "Mary Poole"
    assert report.claims[0].referent.entities == ()
    assert not [f for f in report.findings if f.type == "dialogue.wrong_attribute"]


def test_the_answers_own_names_come_first() -> None:
    report = gw.Monitor(kb=KB).check(
        "Ada Lind runs the stand. She works in Sales.", question="Tell me about Sarah Chen."
    )
    (claim,) = [c for c in report.claims if c.subject == "She"]
    assert claim.referent is not None
    assert (claim.referent.name, claim.referent.turn) == ("Ada Lind", None)


def test_coordinated_objects_name_the_whole() -> None:
    report = gw.Monitor().check("Zoë said: Ada Lind speaks French and German.")
    parts = [c for c in report.claims if c.object in {"French", "German"}]
    assert {c.coordinated for c in parts} == {"French and German"}
    data = parts[0].to_dict()
    assert data["coordinated"] == "French and German"
    again = gw.Monitor(kb=KB).check("She works in Sales.", question="Who is Ada Lind?")
    referent = again.claims[0].to_dict()["referent"]
    assert referent["name"] == "Ada Lind"
    assert referent["byte_span"] == [7, 15]


def test_cuts_do_not_matter() -> None:
    text = "She works in Marketing. She speaks French. It is said."
    monitor = gw.Monitor(kb=KB)
    whole = monitor.check(text, question="Tell me about Sarah Chen.")
    session = monitor.session(question="Tell me about Sarah Chen.")
    for letter in text:
        session.push_text(letter)
    report = session.finish()
    assert report.claims == whole.claims
    assert [f.id for f in report.findings] == [f.id for f in whole.findings]
