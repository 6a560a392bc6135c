"""E-mail addresses, web addresses and phone numbers that no source has."""

from __future__ import annotations

import pytest

import groundwire as gw

EVIDENCE = [
    "The Harbour Museum is open daily. Write to info@harbour-museum.example or phone 0555 201 778; "
    "from abroad dial +47 555 201 778. The shop is at https://www.harbour-museum.example/shop/.",
    "Press: Ada Lind, ada.lind@harbour-museum.example (tel. 555-0181-77).",
]
MONITOR = gw.Monitor()


def found(text: str, evidence: list[str] | None = None, **given: object) -> list[tuple[str, str]]:
    """Return (rule, text) of what is said to be no address that a source has."""
    report = MONITOR.check(text, evidence=EVIDENCE if evidence is None else evidence, **given)
    rules = {"unknown_address", "unsupported_phone"}
    return [(f.rule, f.text) for f in report.findings if f.rule in rules]


@pytest.mark.parametrize(
    "text",
    [
        "Write to info@harbour-museum.example.",
        "Mail: INFO@Harbour-Museum.example",
        "You can reach Ada Lind at <ada.lind@harbour-museum.example>.",
        "See [the shop](https://harbour-museum.example/shop).",
        "See www.harbour-museum.example for more.",
        "Visit http://harbour-museum.example/shop#top!",
        "Phone: 0555 201 778",
        "Call +47 555 201 778.",
        "Call (0555) 201-778.",
        "Dial +47 (0)555 201 778, or 0047 555 201 778.",
        "The press phone is 555 0181 77.",
    ],
)
def test_what_the_evidence_has(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "rule", "said"),
    [
        (
            "Write to help@harbour-museum.example.",
            "unknown_address",
            "help@harbour-museum.example",
        ),
        ("Mail **ada@harbour.example**!", "unknown_address", "ada@harbour.example"),
        (
            "You will find it at https://harbour-museum.example/tickets.",
            "unknown_address",
            "https://harbour-museum.example/tickets",
        ),
        ("See www.harbourmuseum.example.", "unknown_address", "www.harbourmuseum.example"),
        ("Book at harbourtickets.com/book.", "unknown_address", "harbourtickets.com/book"),
        ("Call 0555 201 779 for a table.", "unsupported_phone", "0555 201 779"),
        ("The office's phone number is +47 22 33 44 55.", "unsupported_phone", "+47 22 33 44 55"),
        ("The desk (tel. 555-0181-78) helps.", "unsupported_phone", "555-0181-78"),
        ("- Phone: (0555) 301-9021", "unsupported_phone", "(0555) 301-9021"),
    ],
)
def test_what_the_evidence_lacks(text: str, rule: str, said: str) -> None:
    assert found(text) == [(rule, said)]
    report = MONITOR.check(text, evidence=EVIDENCE)
    assert [f.tier for f in report.findings if f.rule == rule] == ["medium"]
    # One number is one finding.
    assert sum(f.type == "stream.unsupported_number" for f in report.findings) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "Is help@harbour-museum.example the right address?",
        "It is made with Node.js and a README.md.",
        "It was open in 1990-1995, 2001, 2003 and 2010.",
        "The file is 1 234 567 bytes long.",
        "Its ISBN is 978-3-16-148410-0.",
        "We called 12 people, 300 of them twice.",
        "Follow @harbourmuseum for news.",
        "The version is 1.2.3.4 of 2024-05-01 10:30.",
    ],
)
def test_what_is_no_address(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Mobile users made 10 000 000 calls.", "Mobile users made 10,000,000 calls."),
        (
            "The call is open from 2024-05-01 to 2024-06-30.",
            "The call is open from 1 May 2024 to 30 June 2024.",
        ),
        (
            "The call runs 1.5.2024 - 30.6.2024.",
            "The call is open from 1 May 2024 to 30 June 2024.",
        ),
    ],
)
def test_numbers_and_days_are_no_phone_numbers(text: str, evidence: str) -> None:
    assert found(text, [evidence]) == []


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Call 22 33 44 55.", "Phone +47 22 33 44 55."),
        ("Call 22334455.", "Phone +47 22 33 44 55."),
        ("Call 0047 22 33 44 55.", "Phone +47 22 33 44 55."),
        ("Call 020 7946 0991.", "Phone +44 20 7946 0991."),
        ("The phone is (415) 555-2671.", "Phone +1-415-555-2671."),
    ],
)
def test_no_part_of_a_right_number_is_wrong(text: str, evidence: str) -> None:
    report = MONITOR.check(text, evidence=[evidence])
    assert not [f for f in report.findings if f.type == "stream.unsupported_number"]


def test_sources_of_every_kind_count() -> None:
    text = "Write to help@pellow.example."
    assert found(text)
    assert found(text, question="Does help@pellow.example answer mails?") == []
    assert found(text, history=[("user", "I wrote to help@pellow.example.")]) == []
    base = gw.KnowledgeBase.from_records(
        [{"name": "Pellow", "attributes": {"email": "help@pellow.example"}}]
    )
    report = gw.Monitor(kb=base).check("Pellow's e-mail is help@pellow.example.", evidence=EVIDENCE)
    assert not [f for f in report.findings if f.rule == "unknown_address"]


def test_nothing_is_said_without_evidence() -> None:
    assert found("Write to help@pellow.example or call +47 22 33 44 55.", evidence=[]) == []


def test_a_statement_does_not_say_it_again() -> None:
    policy = gw.Policy(medium="interrupt", after_interrupt="stop")
    guard = MONITOR.guard(policy=policy, evidence=EVIDENCE)
    out = guard.push_text("The address is help@pellow.example. Bye.", now_ms=0)[1]
    said = "".join(d.text or "" for d in out if d.kind == "release")
    assert said.startswith("I could not verify ")
    assert "pellow.example" not in said


@pytest.mark.parametrize("size", [1, 3, 7])
def test_cuts_do_not_matter(size: int) -> None:
    text = "Call 0555 301 9021 or +47 22 33 44 55. Write to help@pellow.example, see www.x.example."
    session = MONITOR.session(evidence=EVIDENCE)
    for i in range(0, len(text), size):
        session.push_text(text[i : i + size])
    streamed = [(f.rule, f.span) for f in session.finish().findings]
    whole = [(f.rule, f.span) for f in MONITOR.check(text, evidence=EVIDENCE).findings]
    assert streamed == whole
