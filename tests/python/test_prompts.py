"""Prompts: in one text, for models that have no chat template; and what they ask."""

from __future__ import annotations

import time

import pytest

from groundwire.gateway.dialects import Completions
from groundwire.gateway.requests import Asked, converse
from groundwire.integrations.prompts import asked, chat, conversation, plain, without_evidence

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


WHOLE = "The Harbour Museum was founded in 1987."
OTHER = "It has 45 employees and a café, and it is open daily."
ASKS = "When was the Harbour Museum founded?"


@pytest.mark.parametrize(
    ("before", "left"),
    [
        (f"{WHOLE}\n\n", ""),
        (f"{WHOLE} {OTHER}\n\n", ""),
        (f"{WHOLE}\n{OTHER}\n\n", ""),
        (f"Context: {WHOLE}\n\n", ""),
        (f"**Document [2]:** {WHOLE}\n", ""),
        (f"Passage 1: {WHOLE}\nPassage 2: {OTHER}\n", ""),
        (f"[1] {WHOLE}\n[2] {OTHER}\n", ""),
        (f"1. {WHOLE}\n- {OTHER}\n", ""),
        (f'<doc id="1">{WHOLE}</doc>\n', ""),
        (f"Answer from this.\n{OTHER}\n", "Answer from this."),
        # What stands in a line of other words, or in a word, is no passage that was shown.
        (f"Is this so: {WHOLE}\n", f"Is this so: {WHOLE}"),
        (f"{WHOLE} Is it so?\n", f"{WHOLE} Is it so?"),
        (f"x{WHOLE}\n", f"x{WHOLE}"),
        (f"{OTHER}9\n", f"{OTHER}9"),
    ],
)
def test_passages_are_taken_out_of_a_question_whole_or_not_at_all(before: str, left: str) -> None:
    passages = [("a", WHOLE), ("b", f"{OTHER}\n"), ("c", "45")]
    want = f"{left}\n{ASKS}" if left else ASKS
    for prompt in (before + ASKS, [{"role": "user", "content": before + ASKS}]):
        question, history = conversation(prompt, passages)
        assert question is not None and question.split() == want.split()
        assert history == []
        assert asked(prompt, passages) == question


def test_a_chat_made_of_passages_asks_its_question() -> None:
    given = [("a", WHOLE), ("b", OTHER), ("c", "Rent: 900")]
    for made in (chat(ASKS, evidence=given[:2]), plain(ASKS, evidence=given[:2])):
        assert asked(made, given) == ASKS


def test_passages_that_overlap_leave_no_rest_of_each_other() -> None:
    text = f"{WHOLE} {OTHER}"
    parts = [("a", text[:60]), ("b", text[20:]), ("c", text[:20])]
    assert asked(f"{text}\n\n{ASKS}", parts) == f"{text}\n\n{ASKS}", "the cut is inside a word"
    at = text.index("employees")
    parts = [("a", text[: at + len("employees")]), ("b", text[at:])]
    assert asked(f"{text}\n\n{ASKS}", parts) == ASKS


def test_a_label_in_a_passage_is_no_label_of_the_prompt() -> None:
    rule = "Q: Is there parking?\nA: Yes, for 200 cars."
    for prompt in (f"{rule}\n\n{ASKS}", f"{ASKS}\n\n{rule}"):
        assert conversation(prompt, [("faq", rule)]) == (ASKS, [])
        body = Asked({})
        converse(body, [{"role": "user", "content": prompt}])
        body.take_out([rule])
        assert (body.question, body.history) == (ASKS, [])


def test_what_a_prompt_asks_stands_behind_its_label() -> None:
    prompt = f"The museum is by the sea.\n\nQuestion: {ASKS}\nAnswer:"
    before = [("user", "The museum is by the sea.")]
    assert conversation(prompt, []) == (ASKS, before)
    assert conversation(f"Context: {WHOLE}\nQuestion: {ASKS}\nAnswer:", [("a", WHOLE)]) == (
        ASKS,
        [],
    )
    body = Completions().read({"model": "m", "prompt": prompt})
    assert (body.question, body.history) == (ASKS, before)


def test_the_turns_of_a_chat_around_its_question_are_its_history() -> None:
    turns = [{"role": "system", "content": "Be brief."}, *TURNS]
    turns += [{"role": "user", "content": "And when was it built?"}]
    told = [(turn["role"], turn["content"]) for turn in TURNS]
    assert conversation(turns, []) == ("And when was it built?", told)
    assert conversation([1, 2, 3], []) == (None, [])


def test_long_prompts_are_read_in_time() -> None:
    for text in (
        "Context" + ":" * 200_000 + WHOLE,
        "<a>" * 100_000 + WHOLE,
        f"{WHOLE} " * 50_000,
        f"{WHOLE}\n" * 30_000 + ASKS,
        "-" * 200_000 + WHOLE,
    ):
        began = time.perf_counter()
        conversation(text, [("a", WHOLE)])
        assert time.perf_counter() - began < 5
