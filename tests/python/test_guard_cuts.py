"""What a guard says of an answer depends on its text, not on how the text was cut."""

from __future__ import annotations

import re

import pytest

import groundwire as gw
from groundwire.integrations._text import TextGuard

KB = gw.KnowledgeBase.from_records([{"name": "Harbour Museum", "attributes": {"founded": 1987}}])
ANSWERS = [
    "Studies show that 40 % of guests return. The Harbour Museum was founded in 1992. It is nice.",
    "Zelda Quorn wrote the guide. The Harbour Museum was founded in 1992. It is nice.",
    "It is old. Research suggests that it pays. The Harbour Museum was founded in 1992 on a hill.",
]


@pytest.mark.req("S4-028")
@pytest.mark.parametrize("answer", ANSWERS)
def test_what_stands_before_a_correction_stays_judged(answer: str) -> None:
    seen = set()
    for size in (1, 3, 9, 40, 1000):
        guard = TextGuard(gw.Monitor(kb=KB))
        cut = [answer[at : at + size] for at in range(0, len(answer), size)]
        text = "".join(guard.push(piece) for piece in cut) + guard.end()
        report = guard.report()
        found = tuple((finding.type, finding.text, finding.tier) for finding in report.findings)
        seen.add((text, report.tier, report.verdict.status, found))
    ((text, _, _, found),) = seen
    assert "1987" in text
    assert found


@pytest.mark.req("S4-031")
@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (
            "It is old. It is open. Studies show that 40 % of guests return. It is nice.",
            "It is old. It is open.",
        ),
        ("It is old. Studies show that 40 % of guests return.", "It is old."),
        ("Studies show that 40 % of guests return. It is nice.", ""),
        ("- It is old.\n- Its number is 555-0100.\n- It is big.\n", "- It is old."),
        ("It is old. Its number is 555-0100. It is nice. It is big.", "It is old."),
    ],
)
@pytest.mark.parametrize("release", ["claim", "response"])
def test_a_discard_leaves_the_reader_the_same_text(answer: str, left: str, release: str) -> None:
    policy = gw.Policy(low="accept", medium="discard", high="discard", release=release)
    seen = set()
    for size in (1, 2, 3, 9, 17, 40, 1000):
        guard = TextGuard(gw.Monitor(kb=KB), policy=policy)
        cut = [answer[at : at + size] for at in range(0, len(answer), size)]
        text = "".join(guard.push(piece) for piece in cut) + guard.end()
        assert text == guard.report().released
        seen.add(text)
    (text,) = seen
    good, _, statement = text.rpartition("\n\n")
    assert good == (left if release == "claim" else "")
    assert statement.startswith("I can't give a reliable answer here")


def test_appeals_in_forced_text_are_not_judged() -> None:
    for first, then in [
        ("Studies show that 99 % agree.", " It is open."),
        ("Research proves it. According to experts,", " it is open. It is."),
        ("As [source] says, it is old.", " It is open. " + "It stands. " * 60),
    ]:
        session = gw.Monitor().session()
        session.push_text(first, forced=True)
        session.push_text(then)
        assert not [f for f in session.finish().findings if f.span[0] < len(first)]


@pytest.mark.req("S4-029")
@pytest.mark.parametrize("size", [1, 5, 400])
def test_a_footnote_leaves_with_its_mark(size: int) -> None:
    """One of a claim that is hedged afterwards has no mark, and is not told."""
    policy = gw.Policy(annotation="footnote")
    question = "When was the Harbour Museum founded?"
    callback = gw.GroundwireCallback(gw.Monitor(kb=KB), policy=policy, question=question)
    answer = "The Harbour Museum sold 9999 cakes. Studies show that 53 % come back. It is nice."
    rest = " it is open daily."
    todo, text = [answer[at : at + size] for at in range(0, len(answer), size)], ""
    while True:
        decision = callback.on_token(todo.pop(0)) if todo else callback.on_end()
        text += decision.release
        if decision.stop:
            break
        if decision.keep is not None:
            assert decision.force
            todo, rest = [rest] if rest else [], ""
            text += callback.on_token(decision.force, forced=True).release
    marks = re.findall(r"(?<!\n)\[\^note-(\d+)\]", text)
    notes = re.findall(r"\n\[\^note-(\d+)\]: ", text)
    assert marks == notes == [str(i + 1) for i in range(len(notes))]
    assert notes
    assert "53 %" not in text
