"""Prompts that the answer completes, and strings that end it, in transformers' loop."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import groundwire as gw
from groundwire.errors import ArgumentError
from groundwire.integrations.prompts import unfinished
from groundwire.integrations.transformers import generate, stream
from tiny_model import Reads, settings, tiny_model, tiny_tokenizer

pytestmark = pytest.mark.filterwarnings("ignore")
EVIDENCE = ["The Harbour Museum was founded in 1987. It has 45 employees."]


@pytest.fixture(scope="module")
def tiny():
    tokenizer = tiny_tokenizer()
    return tiny_model(tokenizer), tokenizer, gw.Monitor(tokenizer=tokenizer)


def answer(tiny, prompt, attempts, **given):
    model, tokenizer, monitor = tiny
    end = given.pop("end", prompt)
    reads = Reads(tokenizer, end[-12:], {"": [attempts]})
    return generate(
        model, tokenizer, prompt, monitor=monitor, evidence=EVIDENCE, **settings(reads), **given
    )


@pytest.mark.req("S4-033", "S4-029")
@pytest.mark.parametrize("as_ids", [False, True])
def test_a_statement_that_the_prompt_begins_is_put_right(tiny, as_ids) -> None:
    text = "Read this.\nThe Harbour Museum was founded in"
    prompt = tiny[1].encode(text) if as_ids else text
    done = answer(tiny, prompt, [" 1992. Come and see it.", " 1987. Come and see it."], end=text)
    assert done.text == " 1987. Come and see it."
    assert [one.action for one in done.report.interventions] == ["correct"]
    assert done.report.interventions[0].inserted == "1987"
    assert tiny[1].decode(list(done.tokens)) == done.text
    # It is read, but never said again.
    assert done.report.text == f"The Harbour Museum was founded in{done.text}"


def test_a_right_completion_stays(tiny) -> None:
    done = answer(tiny, "The Harbour Museum was founded in", [" 1987."])
    assert done.text == " 1987."
    assert not done.report.interventions
    assert done.report.tier == "none"


@pytest.mark.parametrize(
    ("prompt", "lead"),
    [
        ("The Harbour Museum was founded in", "The Harbour Museum was founded in"),
        ("It is old. Its director is", "Its director is"),
        ("It is old.\nThe hall has ", "The hall has "),
        ("The Harbour Museum, which opened in 1987, has", None),
        ("It is old.", ""),
        ("When was it founded?", ""),
        ("When was it founded", ""),
        ("Question: When was it founded?\nAnswer:", ""),
        ("The hall has\n", ""),
        ("Tell me about the Harbour Museum", ""),
        ("Write a poem about", ""),
        ("<|user|>It was founded in<|assistant|>", ""),
        ("", ""),
    ],
)
def test_what_of_a_prompt_is_unfinished(tiny, prompt, lead) -> None:
    want = prompt if lead is None else lead
    assert unfinished(tiny[1], prompt) == want
    if prompt:
        assert unfinished(tiny[1], tiny[1].encode(prompt)) == want


@pytest.mark.parametrize("many", [False, True])
def test_what_stands_before_a_label_is_known_to_the_answer(tiny, many) -> None:
    model, tokenizer, _ = tiny
    kb = gw.KnowledgeBase.from_records(
        [{"name": "Harbour Museum", "attributes": {"founded": 1987}}]
    )
    monitor = gw.Monitor(kb=kb, tokenizer=tokenizer)
    asks = "Question: And when was it founded?\nAnswer:"
    for before, said in (("Read of the Harbour Museum.\n\n", "1987"), ("", "1992")):
        prompt = f"{before}{asks}"
        reads = Reads(
            tokenizer, "Answer:", {"": [[" It was founded in 1992.", " It was founded in 1987."]]}
        )
        done = generate(
            model, tokenizer, [prompt] if many else prompt, monitor=monitor, **settings(reads)
        )
        assert (done[0] if many else done).text == f" It was founded in {said}."


def test_the_question_is_behind_the_label_and_without_passages(tiny) -> None:
    asked: list[str] = []

    class Heard(gw.Hooks):
        def pre_check(self, question, knowledge):
            asked.append(question)

    for head in ("", f"Context: {EVIDENCE[0]}\n", f"{EVIDENCE[0]}\n\n"):
        prompt = f"{head}Question: Who works there?\nAnswer:"
        answer(tiny, prompt, [" Many do."], hooks=Heard())
    assert asked == ["Who works there?"] * 3


def test_a_chat_begins_no_answer(tiny) -> None:
    assert unfinished(tiny[1], [{"role": "user", "content": "The hall was founded in"}]) == ""


def test_without_a_chat_template_a_chat_is_refused_with_the_way_out(tiny) -> None:
    model, tokenizer, monitor = tiny
    with pytest.raises(ArgumentError, match="ends where the answer goes on"):
        generate(model, tokenizer, [{"role": "user", "content": "Hello"}], monitor=monitor)


@pytest.mark.parametrize("stop", ["\n\n", ["END", "Stop"], "5 emp"])
def test_strings_end_the_answer_as_in_transformers(tiny, stop) -> None:
    model, tokenizer, _ = tiny
    prompt = "Say something.\n"
    said = "It has 45 employees. END Or more.\n\nStop here. And there."
    done = answer(tiny, prompt, [said], stop_strings=stop)
    reads = Reads(tokenizer, prompt[-12:], {"": [[said]]})
    plain = model.generate(
        **tokenizer(prompt, return_tensors="pt"),
        **settings(reads),
        stop_strings=stop,
        tokenizer=tokenizer,
    )
    ends = [stop] if isinstance(stop, str) else stop
    cut = min(said.find(end) + len(end) for end in ends if end in said)
    text = tokenizer.decode(plain[0][len(tokenizer.encode(prompt)) :])
    assert done.text == said[:cut] == text
    assert done.reason == "criteria"
    events = stream(
        model, tokenizer, prompt, monitor=tiny[2], stop_strings=stop,
        **settings(Reads(tokenizer, prompt[-12:], {"": [[said]]})),
    )  # fmt: skip
    assert "".join(event.text for event in events) == said[:cut]


@pytest.mark.parametrize("bad", [7, [], [""], ["a", 3]])
def test_stop_strings_that_are_none_are_refused(tiny, bad) -> None:
    with pytest.raises(ArgumentError, match="stop_strings"):
        answer(tiny, "Say something.\n", ["Ok."], stop_strings=bad)


def test_stop_strings_of_the_generation_config_count(tiny) -> None:
    model = tiny[0]
    before = model.generation_config.stop_strings
    model.generation_config.stop_strings = ["old."]
    try:
        done = answer(tiny, "Say something.\n", ["It is old. It is blue."])
        other = answer(tiny, "Say something.\n", ["It is old. It is blue."], stop_strings="blue")
    finally:
        model.generation_config.stop_strings = before
    assert (done.text, other.text) == ("It is old.", "It is old. It is blue")


def test_interventions_say_what_a_hook_put_in(tiny) -> None:
    class Words(gw.Hooks):
        def reformulate(self, retracted, text, findings):
            assert text.endswith(".")
            return "I would have to look that up."

    model, tokenizer, monitor = tiny
    prompt = "Say something.\n"
    reads = Reads(
        tokenizer,
        prompt[-12:],
        {"": [["It has 45 employees. It has 60 employees. Bye.", "It has 45 employees. I would "
        "have to look that up. Bye."]]},
    )  # fmt: skip
    policy = gw.Policy(medium="interrupt", high="interrupt", auto_correct=1.0)
    seen = []
    for event in stream(
        model, tokenizer, prompt, monitor=monitor, evidence=EVIDENCE, policy=policy,
        hooks=Words(), **settings(reads),
    ):  # fmt: skip
        if event.intervention is not None:
            seen.append(event.intervention)
        if event.result is not None:
            result = event.result
    (done,) = result.report.interventions
    assert done.inserted == "I would have to look that up."
    assert done.inserted in result.text
    assert [one.inserted for one in seen] == [done.inserted]
