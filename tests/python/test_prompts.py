"""Prompts in one text, for models that have no chat template."""

from __future__ import annotations

from groundwire.integrations.prompts import chat, plain, without_evidence

PASSAGES = [("a.md", "The mill was built in 1874.\n"), ("b.md", "It employs 31 people.")]
TURNS = [
    {"role": "user", "content": "Is there a mill?"},
    {"role": "assistant", "content": "Yes, by the river. "},
]


def test_the_question_alone_is_the_prompt() -> None:
    assert plain("The mill was built in") == "The mill was built in"


def test_passages_come_first_word_for_word() -> None:
    made = plain("The mill was built in", evidence=PASSAGES)
    assert made == "The mill was built in 1874.\n\nIt employs 31 people.\n\nThe mill was built in"
    assert without_evidence(made, PASSAGES) == "The mill was built in"


def test_turns_are_lines_with_their_roles() -> None:
    made = plain("Who works there?", evidence=PASSAGES[1:], history=TURNS)
    assert made == (
        "It employs 31 people.\n\nUser: Is there a mill?\nAssistant: Yes, by the river.\n"
        "User: Who works there?\nAssistant:"
    )


def test_both_forms_hold_the_same() -> None:
    given = {"evidence": PASSAGES, "history": TURNS}
    text = plain("Who works there?", **given)
    for message in chat("Who works there?", **given):
        for line in message["content"].split("\n\n"):
            assert line.strip() in text
