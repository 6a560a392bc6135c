"""The check of knowledge before generation: needs, gaps, alternatives, the hook."""

from __future__ import annotations

import pytest

import groundwire as gw
from groundwire.errors import ArgumentError
from groundwire.profiles.stream import (
    KnowledgeStore,
    extract_needs,
    verify_knowledge,
    verifyKnowledgeAvailability,
)

KB = gw.KnowledgeBase.from_records(
    [
        {
            "name": "Sarah Chen",
            "type": "person",
            "attributes": {"department": "Engineering", "email": "s.chen@example.org"},
        },
        {
            "name": "Harbour Museum",
            "type": "organization",
            "attributes": {"founded": 1987, "employees": 45},
        },
    ]
)


@pytest.mark.req("S4-003")
@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("When was the Harbour Museum founded?", [("Harbour Museum", "founded")]),
        ("What is Sarah Chen's e-mail address?", [("Sarah Chen", "email")]),
        ("Give me the email of Sarah Chen, please.", [("Sarah Chen", "email")]),
        ("Where does Sarah Chen work?", [("Sarah Chen", "department")]),
        ("Who wrote The Glass Orchard?", [("Glass Orchard", "author")]),
        ("How old is Ada Lind?", [("Ada Lind", "age")]),
        ("How many people live in Springfield?", [("Springfield", "population")]),
        ("How much does the Aurora Pass cost?", [("Aurora Pass", "price")]),
        ("What is the capital of France?", [("France", "capital")]),
        ("Tell me about Ada Lind.", [("Ada Lind", None)]),
        (
            "Compare Aurora Hotel and Borealis Hotel by price.",
            [("Aurora Hotel", "price"), ("Borealis Hotel", "price")],
        ),
        (
            "Is Alpha Tower taller than Sirius Tower?",
            [("Alpha Tower", "height"), ("Sirius Tower", "height")],
        ),
        (
            "Who leads Zorblax Quimby and when was it founded?",
            [("Zorblax Quimby", "leader"), ("Zorblax Quimby", "founded")],
        ),
    ],
)
def test_what_is_asked(request_: str, expected: list[tuple[str, str | None]]) -> None:
    found = [(n.entity, n.attribute) for n in extract_needs(request_)]
    assert sorted(found, key=str) == sorted(expected, key=str)


@pytest.mark.req("S4-003")
@pytest.mark.parametrize(
    ("request_", "labels"),
    [
        ("Book a room for two nights.", {"which rooms are free", "what a room costs"}),
        ("What are this year's holidays?", {"today's date"}),
        ("Is it open today?", {"today's date"}),
        ("Where is my order?", {"your order"}),
        ("Find a bakery near me.", {"where you are"}),
        ("Convert 30 USD to EUR.", {"what the exchange rate is"}),
    ],
)
def test_what_is_taken_for_granted(request_: str, labels: set[str]) -> None:
    assert {n.label for n in extract_needs(request_) if not n.explicit} == labels


@pytest.mark.req("S4-003")
@pytest.mark.parametrize(
    "request_",
    [
        "How do plants grow?",
        "Can you explain recursion?",
        "Write a poem about spring.",
        "What is the meaning of life?",
        "Please summarise the report.",
        "What is a monad?",
        "How long should I boil an egg?",
        "Why is the sky blue?",
        "Give me three ideas for dinner.",
        "Is this sentence correct?",
        "",
    ],
)
def test_a_question_about_nobody_needs_nothing(request_: str) -> None:
    assert extract_needs(request_) == ()
    assert verify_knowledge(request_).verified


@pytest.mark.req("S4-002", "S4-004", "S4-036")
def test_every_source_counts() -> None:
    question = "When was the Harbour Museum founded?"
    said = "The Harbour Museum was founded in 1987."
    assert not verify_knowledge(question).verified
    for context in (
        {"kb": KB},
        {"evidence": [said]},
        {"history": [("user", said)]},
        {"retrievers": [lambda query: [said] if "Harbour Museum" in query else []]},
    ):
        assert verifyKnowledgeAvailability(question, context) == {"verified": True}
    asked = {"history": [("user", "Was the Harbour Museum founded in 1987?")]}
    assert not verify_knowledge(question, asked).verified
    other = {"evidence": ["The Harbour Museum has 45 rooms. The Old Mill was built of wood."]}
    assert not verify_knowledge(question, other).verified


@pytest.mark.req("S4-002", "S4-005")
def test_a_gap_names_what_is_missing_and_what_to_do() -> None:
    check = verify_knowledge("What is Sarah Chen's phone number?", {"kb": KB})
    assert check["missing_knowledge"] == "the telephone number of Sarah Chen"
    assert check["alternative_actions"] == [
        "I can tell you where Sarah Chen works or the e-mail address of Sarah Chen.",
        "Do you have a source for the telephone number of Sarah Chen?",
    ]
    near = verify_knowledge("Where does Sara Chen work?", {"kb": KB})
    assert near.missing_knowledge == "Sara Chen"
    assert near.alternative_actions[0] == "Did you mean Sarah Chen?"
    assert near.limitation.startswith("I can't answer this reliably: I have nothing on Sara Chen.")


@pytest.mark.req("S4-003", "S4-004")
def test_a_pronoun_is_what_was_named_last() -> None:
    history = [("user", "Tell me about the Harbour Museum."), ("assistant", "It shows ships.")]
    check = verify_knowledge("When was it founded?", {"kb": KB, "history": history})
    assert check.verified
    alone = verify_knowledge("When was it founded?", {"kb": KB})
    assert alone.missing_knowledge == "what “it” refers to"


@pytest.mark.req("S4-004")
def test_implicit_needs_are_supplied_by_texts_and_by_the_date() -> None:
    rooms = ["Rooms 12 and 14 are free this weekend.", "A room costs $80 a night."]
    assert verify_knowledge("Book a room.", {"evidence": [" ".join(rooms)]}).verified
    assert not verify_knowledge("Book a room.", {"evidence": rooms[1:]}).verified
    assert verify_knowledge("What's on today?", {"today": "2026-03-01"}).verified
    told = [("system", "Today is 1 March 2026.")]
    assert verify_knowledge("What's on today?", {"history": told}).verified


def test_a_retriever_that_fails_is_named_and_harms_nothing() -> None:
    def broken(query: str) -> list[str]:
        raise OSError("no network")

    check = verify_knowledge("Tell me about Ada Lind.", {"retrievers": [broken]})
    assert not check.verified
    assert check.failed == ("broken",)
    with pytest.raises(ArgumentError, match=r"retrievers\[0\]"):
        KnowledgeStore(retrievers=[3])
    with pytest.raises(ArgumentError, match="a request is a string"):
        extract_needs(3)


@pytest.mark.req("S4-002", "S4-025", "S4-034")
def test_the_hook_keeps_the_model_from_inventing() -> None:
    def never(ids: list[int]) -> int:
        raise AssertionError("the model must not be asked")

    monitor = gw.Monitor(kb=KB)
    hooks = gw.KnowledgeHooks()
    question = "What is Sarah Chen's phone number?"
    events = list(gw.guard(never, [], monitor=monitor, hooks=hooks, question=question))
    assert [event.kind for event in events] == ["release", "stop", "end"]
    assert "the telephone number of Sarah Chen" in events[0].text
    assert events[1].reason == "limitation"
    assert hooks.last_check is not None and not hooks.last_check.verified
    answered = gw.guard(
        lambda ids: None, [], monitor=monitor, hooks=hooks, question="Where does Sarah Chen work?"
    )
    assert [event.kind for event in answered] == ["stop", "end"]
    assert hooks.last_check.verified


MUSEUM = gw.KnowledgeBase.from_records(
    [
        {
            "name": "Harbour Museum",
            "attributes": {"director": "Ada Lind", "founded": 1987, "facilities": "shop, lift"},
        },
        {"name": "Ada Lind", "attributes": {"birthplace": "Oslo"}},
    ]
)
BUDGET = [("user", "My budget is 500 euros."), ("assistant", "Fine. Lunch is at noon.")]


@pytest.mark.req("S4-002", "S4-003", "S4-004", "S4-005")
@pytest.mark.parametrize(
    ("request_", "context", "missing"),
    [
        # What is asked of somebody's director is asked of the one whom the base names.
        ("Where was the director of the Harbour Museum born?", {"kb": MUSEUM}, None),
        ("Where was the Harbour Museum's director born?", {"kb": MUSEUM}, None),
        (
            "When was the director of the Harbour Museum born?",
            {"kb": MUSEUM},
            "when the director of Harbour Museum was born",
        ),
        (
            "Where was the owner of the Harbour Museum born?",
            {"kb": MUSEUM},
            "who owns the Harbour Museum",
        ),
        (
            "Where was the director of the Harbour Museum born?",
            {"evidence": ["Bo Ek is the director of the Harbour Museum. He was born in Rome."]},
            None,
        ),
        ("Where is the Harbour Museum?", {"kb": MUSEUM}, "where the Harbour Museum is"),
        # Whether somebody has something.
        ("Does the Harbour Museum have a café?", {"kb": MUSEUM}, "the café of the Harbour Museum"),
        ("Does the Harbour Museum have a shop?", {"kb": MUSEUM}, None),
        (
            "Does the Harbour Museum have a café?",
            {"evidence": ["The Harbour Museum has a café upstairs."]},
            None,
        ),
        ("Do plants have roots?", {"kb": MUSEUM}, None),
        # What was said before.
        ("What did I say about my budget?", {}, "what you said about budget"),
        ("What did I say about my budget?", {"history": BUDGET}, None),
        ("What did I say about lunch?", {"history": BUDGET}, "what you said about lunch"),
        ("What did you say about lunch?", {"history": BUDGET}, None),
        ("What did Ada Lind say about lunch?", {"kb": MUSEUM}, None),
    ],
)
def test_needs_that_lead_further(request_: str, context: dict, missing: str | None) -> None:
    check = verify_knowledge(request_, context)
    assert check.missing_knowledge == missing
    assert check.verified is (missing is None)


@pytest.mark.req("S4-005")
def test_who_has_no_type_is_named_for_a_part_of_the_name() -> None:
    records = [
        {"name": "Sarah Chen", "attributes": {"department": "Engineering"}},
        {"name": "Harbour Museum", "aliases": ["the old house"], "type": "museum"},
    ]
    kb = gw.KnowledgeBase.from_records(records)
    for name in ("Sarah", "Chen", "Dr. Chen"):
        check = verify_knowledge(f"Where does {name} work?", {"kb": kb})
        assert not check.verified
        assert check.alternative_actions[0] == "Did you mean Sarah Chen?"
    # A word of a thing's name, one of nobody, and a name with another part mean no one known.
    for name in ("Harbour", "Anna", "Sarah Brown"):
        check = verify_knowledge(f"Where does {name} work?", {"kb": kb})
        assert not any("Did you mean" in way for way in check.alternative_actions)
    namesakes = [{"name": f"Sarah {surname}"} for surname in ("Ames", "Bohm", "Chen", "Dorn")]
    check = verify_knowledge(
        "Where does Sarah work?", {"kb": gw.KnowledgeBase.from_records(namesakes)}
    )
    (asked, *_) = check.alternative_actions
    assert asked.startswith("Did you mean Sarah Ames") and asked.count("Sarah") == 3


@pytest.mark.req("S4-005")
def test_what_is_asked_for_can_be_told() -> None:
    for request_ in ("Will it rain in Oslo?", "Convert 5 euros to dollars.", "Book a train."):
        check = verify_knowledge(request_)
        for gap in check.gaps:
            if gap.need.kind == "implicit":
                (way,) = gap.alternatives
                assert way.startswith(("Could you tell me what ", "Could you tell me which "))
