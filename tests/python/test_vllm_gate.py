"""What the gate says of which answer, and what it refuses before the server has seen it."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator
from typing import Any

import pytest

import test_vllm_front as fronts
from groundwire.gateway.requests import conversation
from groundwire.gateway.responses import Responses
from groundwire.integrations._asked import asked, labelled
from groundwire.integrations.vllm.questions import questions

RIGHT, WRONG = fronts.FINE, fronts.CONTRADICTED


class Writing(fronts.Engine):
    """Writes for each prompt what the prompt says; its answers of ``n`` come the last first."""

    async def generate(
        self, prompt: Any, sampling_params: Any, request_id: str, **more: Any
    ) -> AsyncGenerator[Any, None]:
        self.text = prompt
        async for output in super().generate(prompt, sampling_params, request_id, **more):
            output.outputs.reverse()
            yield output


class Backwards(fronts.Server):
    """Begins its prompts in their order, and reads the last one first."""

    prompts = (RIGHT, WRONG, RIGHT)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        engine = scope["app"].state.engine_client
        begun = [engine.generate(text, self.params, text) for text in self.prompts]
        for outputs in reversed(begun):
            async for _ in outputs:
                pass
        engine.closed = 1
        events = self.kind == "events"
        kind = b"text/event-stream" if events else b"application/json"
        body = b'data: {"id": "c"}\n\ndata: [DONE]\n\n' if events else b'{"choices": []}'
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]}
        )
        await send({"type": "http.response.body", "body": body})


def texts_in(body: bytes, kind: str) -> list[dict[str, Any]]:
    if kind == "events":
        body = body.split(b"\n\n")[-3].removeprefix(b"data: ")
    texts: list[dict[str, Any]] = json.loads(body)["groundwire"]["texts"]
    return texts


@pytest.mark.parametrize("kind", ["json", "events"])
@pytest.mark.parametrize("n", [1, 2])
def test_findings_stand_at_the_index_of_their_choice(
    monkeypatch: pytest.MonkeyPatch, kind: str, n: int
) -> None:
    monkeypatch.setattr(fronts, "Server", Backwards)
    _, body = fronts.ask(monkeypatch, Writing(""), fronts.asking("FINAL_ONLY", n), kind)
    texts = texts_in(body, kind)
    assert [one["index"] for one in texts] == list(range(3 * n))
    wrong = [bool(one["findings"]) for one in texts]
    assert wrong == [text == WRONG for text in Backwards.prompts for _ in range(n)]


def test_the_answers_of_one_prompt_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    class Differing(fronts.Engine):
        async def generate(self, *given: Any, **more: Any) -> AsyncGenerator[Any, None]:
            async for output in super().generate(*given, **more):
                output.outputs[1].token_ids = [*RIGHT.encode(), 0]
                output.outputs.reverse()
                yield output

    asked = fronts.asking("FINAL_ONLY", 2)
    _, body = fronts.ask(monkeypatch, Differing(WRONG), asked)
    found = [(one["index"], bool(one["findings"])) for one in texts_in(body, "json")]
    assert found == [(0, True), (1, False)]


def test_a_choice_that_was_never_written_moves_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Writing):
        async def generate(
            self, prompt: Any, *given: Any, **more: Any
        ) -> AsyncGenerator[Any, None]:
            if prompt:
                async for output in super().generate(prompt, *given, **more):
                    yield output

    monkeypatch.setattr(fronts, "Server", Backwards)
    monkeypatch.setattr(Backwards, "prompts", ("", WRONG))
    _, body = fronts.ask(monkeypatch, Silent(""), fronts.asking("FINAL_ONLY"))
    assert [(one["index"], one["checked"]) for one in texts_in(body, "json")] == [(1, True)]


QUESTION = "When was the Harbour Museum founded?"
PASSAGE = "The Tower of Tessaly was opened to the public in 1950."
LONG = "The Tower of Tessaly was opened in 1950.\nIt has been open to the public ever since."


@pytest.mark.parametrize(
    ("content", "passages", "left"),
    [
        (QUESTION, ["Harbour Museum"], QUESTION),
        (QUESTION, ["a"], QUESTION),
        (QUESTION, [QUESTION], QUESTION),
        (f"Be brief.\n{QUESTION}", [QUESTION], f"Be brief.\n{QUESTION}"),
        (f"The Harbour Museum\n{QUESTION}", ["The Harbour Museum"], f"The Harbour Museum\n{QUESTION}"),
        (f"Is it so that {PASSAGE}", [PASSAGE], f"Is it so that {PASSAGE}"),
        (f"{PASSAGE} Is it so?", [PASSAGE], f"{PASSAGE} Is it so?"),
        (PASSAGE, [PASSAGE], PASSAGE),
        (f"{PASSAGE}\n\n1.", [PASSAGE], f"{PASSAGE}\n\n1."),
        (f"{LONG}\n{PASSAGE}\n", [PASSAGE, LONG], f"{LONG}\n{PASSAGE}"),
        (f"{PASSAGE}\n{QUESTION}", [PASSAGE], QUESTION),
        (f"{QUESTION}\r\n  {PASSAGE} \r\n", [f"\n{PASSAGE}\n"], QUESTION),
        (f"{LONG}\n\n{PASSAGE}\n\n{QUESTION}", [PASSAGE, LONG], QUESTION),
        (f"{LONG}\n{QUESTION}", ["It has been open to the public ever since.", LONG], QUESTION),
        (f"Context: {PASSAGE}\nQuestion: {QUESTION}", [PASSAGE], QUESTION),
    ],
)  # fmt: skip
def test_only_whole_passages_are_taken_out_of_a_question(
    monkeypatch: pytest.MonkeyPatch, content: str, passages: list[str], left: str
) -> None:
    engine, params = fronts.Engine(RIGHT), fronts.asking(groundwire_evidence=passages)
    chat = {"messages": [{"role": "user", "content": content}]}
    fronts.ask(monkeypatch, engine, params, asked=chat)
    assert engine.params[0].extra_args["groundwire_question"] == left


LABELLED = [
    (f"Context: {PASSAGE}\nQuestion: {QUESTION}", f"Context: {PASSAGE}", QUESTION),
    (f"  q :{QUESTION}", "", QUESTION),
    (f"Context.\n**QUESTION:** {QUESTION}\n\nAnswer:\n", "Context.", QUESTION),
    (f"### Question:\n{QUESTION}\nBe brief.", "", f"{QUESTION}\nBe brief."),
    (f"Q: Who?\nA: Ada.\nQ: {QUESTION}\nA:", "Q: Who?\nA: Ada.", QUESTION),
    (f"My question: {QUESTION}", "", f"My question: {QUESTION}"),
    (f"FAQ: {QUESTION}", "", f"FAQ: {QUESTION}"),
    (f"{QUESTION}\nQuestion:", "", f"{QUESTION}\nQuestion:"),
]


@pytest.mark.parametrize(("text", "before", "question"), LABELLED)
def test_what_stands_behind_a_label_is_the_question(text: str, before: str, question: str) -> None:
    chat = [{"role": "assistant", "content": "Hello."}, {"role": "user", "content": text}]
    turns = [("assistant", "Hello."), *([("user", before)] if before else [])]
    assert asked(chat) == {"question": question, "history": turns}
    assert conversation(chat) == (question, turns)
    assert questions({"messages": chat}) == questions({"input": text}) == [question]
    responses = Responses().read({"model": "m", "input": text})
    assert (responses.question, responses.history) == (question, turns[1:])


def test_a_text_of_labels_alone_is_read_in_time() -> None:
    for text in (" " * 400_000, "#" * 400_000, "\n" * 400_000, "q " * 200_000, "q:\n" * 130_000):
        began = time.perf_counter()
        assert labelled(text) == ("", text)
        assert time.perf_counter() - began < 5
