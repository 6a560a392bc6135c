"""Questions about what the person who asks can, may or must do, against what was given."""

import pytest

from groundwire.profiles.stream import KnowledgeStore, extract_needs, verify_knowledge
from groundwire.protocol import ProtocolHooks

POOL = [
    "The Lido rents lockers. Guests may reserve up to 3 lanes. Swimmers need a cap and a towel. "
    "You must be 16 to swim alone. Lockers have to be emptied within 2 days. "
    "Adults take 200mg, children half a tablet."
]


@pytest.mark.req("S4-002", "S4-003", "S4-004")
@pytest.mark.parametrize(
    ("request_", "label"),
    [
        ("How many lanes can I reserve?", "how many lanes you can reserve"),
        ("How many lockers may we rent?", "how many lockers you may rent"),
        ("How many lanes am I allowed to reserve?", "how many lanes you are allowed to reserve"),
        ("What equipment do I need?", "what equipment you need"),
        ("How old do I have to be?", "how old you have to be"),
        (
            "How many days do I have to empty my locker?",
            "how many days you have to empty your locker",
        ),
        ("how many mg can I take", "how many mg you can take"),
    ],
)
def test_what_the_evidence_tells_of_the_one_who_asks_is_had(request_: str, label: str) -> None:
    (need,) = extract_needs(request_)
    assert (need.kind, need.label, need.entity) == ("own", label, None)
    assert verify_knowledge(request_, {"evidence": POOL}).verified


@pytest.mark.req("S4-002", "S4-005", "S4-034")
@pytest.mark.parametrize(
    ("request_", "label"),
    [
        ("How many kayaks can I hire?", "how many kayaks you can hire"),
        ("Which vaccines must I have?", "which vaccines you must have"),
        ("How many dogs am I allowed to bring?", "how many dogs you are allowed to bring"),
    ],
)
def test_what_it_does_not_tell_is_missing_in_plain_words(request_: str, label: str) -> None:
    check = verify_knowledge(request_, {"evidence": POOL})
    assert check.missing_knowledge == label
    assert check.alternative_actions == (f"Do you have a source for {label}?",)
    assert check.limitation == (
        f"I can't answer this reliably: I have nothing on {label}. "
        f"Do you have a source for {label}?"
    )
    assert verify_knowledge(request_).verified, "nothing was given to look it up in"


@pytest.mark.req("S4-003")
@pytest.mark.parametrize(
    "request_",
    [
        "What time can I check in?",
        "What do I need?",
        "How long can I stay?",
        "How much do we have to pay?",
        "Which languages do you speak?",
        "What should we do?",
        "What kind of ticket do I need?",
    ],
)
def test_questions_that_name_nothing_need_nothing(request_: str) -> None:
    assert extract_needs(request_) == ()


@pytest.mark.req("S4-003")
def test_the_number_of_a_ruler_is_nobody_who_asks() -> None:
    (need,) = extract_needs("When was Aldric I born?")
    assert need.entity == "Aldric I"


@pytest.mark.req("S4-002", "S4-034")
def test_the_hooks_let_a_question_through_that_the_evidence_answers() -> None:
    store = KnowledgeStore(evidence=POOL)
    answered = ProtocolHooks().pre_check("How many lanes can I reserve?", store)
    assert answered is None or answered.verified
    missing = ProtocolHooks().pre_check("How many kayaks can I hire?", store)
    assert missing is not None
    assert not missing.verified
