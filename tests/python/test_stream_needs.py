"""Which questions need more than that a name is known, and which need nothing of it."""

from __future__ import annotations

import pytest

import groundwire as gw
from groundwire.profiles.stream import extract_needs, verify_knowledge

BARE = gw.KnowledgeBase.from_records(
    [
        {
            "name": "Orvelle",
            "type": "company",
            "attributes": {"location": "Ghent", "employees": 40},
        },
        {"name": "Tilda Krane", "type": "person", "attributes": {"department": "Sales"}},
    ]
)
FULL = gw.KnowledgeBase.from_records(
    [
        {
            "name": "Orvelle",
            "type": "company",
            "attributes": {
                "location": "Ghent",
                "turnover": "$3M",
                "award": "Gold Leaf",
                "valuation": "$9M",
            },
        },
        {
            "name": "Tilda Krane",
            "type": "person",
            "attributes": {
                "role": "surveyor",
                "husband": "Jon Vik",
                "salary": "$90,000",
                "languages": ["Dutch", "Finnish"],
                "university": "Lund",
                "supervisor": "Ines Toft",
                "employer": "Orvelle",
            },
        },
    ]
)
ASKED = [
    "What is Orvelle's revenue?",
    "What's the turnover of Orvelle?",
    "How much does Orvelle earn?",
    "How much money did Orvelle make last year so far?",
    "What does Orvelle earn per year?",
    "How much is Orvelle worth?",
    "Which awards has Orvelle won?",
    "Who is Tilda Krane married to?",
    "Is Tilda Krane married?",
    "Who did Tilda Krane marry?",
    "Who is Tilda Krane's husband?",
    "What is Tilda Krane's job?",
    "What is the title of Tilda Krane?",
    "What does Tilda Krane do for a living?",
    "How much does Tilda Krane earn?",
    "What languages does Tilda Krane speak?",
    "Where did Tilda Krane study?",
    "Which university did Tilda Krane attend?",
    "Who does Tilda Krane report to?",
    "Which company does Tilda Krane work for?",
]


@pytest.mark.req("S4-003", "S4-004")
@pytest.mark.parametrize("request_", ASKED)
def test_a_name_is_not_what_is_asked_about_it(request_: str) -> None:
    check = verify_knowledge(request_, {"kb": BARE})
    assert not check.verified
    assert check.needs[0].kind == "attribute"
    assert check.missing_knowledge not in {"Orvelle", "Tilda Krane"}


@pytest.mark.req("S4-003", "S4-004")
@pytest.mark.parametrize("request_", [q for q in ASKED if "last year" not in q])
def test_what_the_base_has_under_another_name_is_had(request_: str) -> None:
    check = verify_knowledge(request_, {"kb": FULL})
    assert check.verified, check.missing_knowledge


@pytest.mark.req("S4-004")
@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ("Who is Bo Farr married to?", "Bo Farr is married to Mia Voss."),
        ("What does Bo Farr do?", "Bo Farr works as a glazier."),
        ("How much does Norrel Ltd earn?", "Norrel Ltd had a turnover of 3 million euros in 2021."),
        ("How much is Norrel Ltd worth?", "Norrel Ltd was valued at 9 million euros."),
    ],
)
def test_a_passage_that_says_it_supplies_it(request_: str, text: str) -> None:
    assert verify_knowledge(request_, {"evidence": [text]}).verified
    name = "Bo Farr" if "Bo Farr" in text else "Norrel Ltd"
    assert not verify_knowledge(request_, {"evidence": [f"{name} came by train."]}).verified


@pytest.mark.req("S4-003")
@pytest.mark.parametrize(
    "request_",
    [
        "Translate 'Zubrik' into German.",
        'Translate the name "Zubrik Ltd" to French, please.',
        "Translate the word Zubrik into Greek.",
        "Please translate “Zubrik bought Norrel Ltd” into Spanish.",
        "How do you spell Zubrik?",
        "How is 'Bo Farr' pronounced?",
        "Spell the name Zubrik.",
        "What rhymes with Zubrik?",
        "Write 'Bo Farr' in capital letters.",
        "How many letters does Zubrik have?",
        "Summarise the following text: Zubrik bought Norrel Ltd. Bo Farr leads it.",
        "Proofread this: Bo Farr lifes in Ghent.",
    ],
)
def test_of_words_as_such_nothing_has_to_be_known(request_: str) -> None:
    assert extract_needs(request_) == ()
    assert verify_knowledge(request_, {"kb": BARE}).verified


@pytest.mark.req("S4-003")
@pytest.mark.parametrize(
    ("request_", "entity"),
    [
        ("Translate Zubrik's annual report into German.", "Zubrik"),
        ("Translate 'good morning' for Zubrik Ltd and say who founded Zubrik Ltd.", "Zubrik Ltd"),
        ("How do you spell the name of Zubrik's founder?", "Zubrik"),
        ("Summarise what Bo Farr said.", "Bo Farr"),
        ("How many letters did Bo Farr write?", "Bo Farr"),
    ],
)
def test_what_goes_beyond_the_words_is_needed(request_: str, entity: str) -> None:
    assert entity in {need.entity for need in extract_needs(request_)}
    assert not verify_knowledge(request_, {"kb": BARE}).verified


@pytest.mark.req("S4-002", "S4-003")
@pytest.mark.parametrize(
    "request_",
    [
        "What shape is Orvelle?",
        "Which colour are the Orvelle vans?",
        "How many guests came to Orvelle?",
        "How many trucks are there at Orvelle?",
        "Where is Orvelle, and what does a tour cost?",
    ],
)
def test_a_name_alone_answers_nothing_that_is_asked_of_it(request_: str) -> None:
    check = verify_knowledge(request_, {"kb": BARE})
    assert not check.verified
    assert check.missing_knowledge != "Orvelle"


@pytest.mark.req("S4-002", "S4-003")
@pytest.mark.parametrize(
    "request_",
    [
        "What colour is Tarn House?",
        "How many guests came to Tarn House?",
        "Who is the director of Tarn House, and what does a tour cost?",
    ],
)
def test_what_is_known_of_it_answers(request_: str) -> None:
    record = {"colour": "red", "guests": 900, "director": "Ada Voss", "price": "9 euros"}
    kb = gw.KnowledgeBase.from_records([{"name": "Tarn House", "attributes": record}])
    assert verify_knowledge(request_, {"kb": kb}).verified


@pytest.mark.req("S4-002", "S4-004")
@pytest.mark.parametrize("value", ["", "unknown", "N/A", "tbd", "-", "?", "not known", "(none)"])
def test_a_field_that_nobody_filled_in_supplies_nothing(value: str) -> None:
    person = {"name": "Bo Lind", "attributes": {"death date": value, "born": 1950}}
    kb = gw.KnowledgeBase.from_records([person])
    assert not verify_knowledge("When did Bo Lind die?", {"kb": kb}).verified
    assert verify_knowledge("When was Bo Lind born?", {"kb": kb}).verified


DEVICES = gw.KnowledgeBase.from_records(
    [
        {"name": "Zenith X2", "attributes": {"battery life": "11 hours", "price": "$499"}},
        {
            "name": "Tallow Ridge",
            "attributes": {"ceo": "Petra Voll", "last renovation": 2015, "founder": "Jo Kern"},
        },
        {"name": "Petra Voll", "type": "person", "attributes": {"born": "3 May 1970"}},
    ]
)
BRIDGE = ["The Otter Bridge is 320 metres long."]


@pytest.mark.req("S4-003", "S4-004", "S4-005")
@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("How long does the Zenith X2's battery last?", None),
        ("How long does the battery of the Zenith X2 last?", None),
        ("How long does the Zenith X2's screen last?", "the screen of the Zenith X2"),
        ("Who is the CEO of Tallow Ridge and when was she born?", None),
        ("Who leads Tallow Ridge and when was she born?", None),
        (
            "Who leads Tallow Ridge and where was she born?",
            "where the leader of Tallow Ridge was born",
        ),
        ("Who is Petra Voll and when was she born?", None),
        ("What is the price and battery life of the Zenith X2?", None),
        ("Give me the price and the weight of the Zenith X2.", "what the Zenith X2 weighs"),
        ("How long is the Otter Bridge?", None),
        ("How wide is the Otter Bridge?", "how wide the Otter Bridge is"),
        ("How deep is the Otter Bridge?", "how deep the Otter Bridge is"),
        ("How much RAM does the Zenith X2 have?", "the RAM of the Zenith X2"),
        ("How much does the Zenith X2 cost?", None),
        ("When was Tallow Ridge sold?", "when Tallow Ridge was sold"),
        ("When was Tallow Ridge renovated?", None),
        ("When was Tallow Ridge painted?", "when Tallow Ridge was painted"),
        ("When is my birthday?", "your birthday"),
        ("What's my order number?", "your order number"),
        ("What is my best option?", None),
    ],
)
def test_what_is_asked_of_a_part_a_person_or_a_measure(question: str, missing: str | None) -> None:
    check = verify_knowledge(question, {"kb": DEVICES, "evidence": BRIDGE})
    assert check.missing_knowledge == missing


@pytest.mark.req("S4-004")
def test_a_fact_about_the_person_is_told_by_the_person() -> None:
    history = [("user", "My birthday is on 3 May.")]
    assert verify_knowledge("When is my birthday?", {"history": history}).verified
    assert not verify_knowledge("What is my address?", {"history": history}).verified
