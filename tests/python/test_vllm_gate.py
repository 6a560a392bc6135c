"""What the gate says of which answer, and what it refuses before the server has seen it."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import AsyncGenerator
from typing import Any

import pytest

import test_vllm_front as fronts
from groundwire.errors import ArgumentError
from groundwire.gateway.requests import conversation
from groundwire.gateway.responses import Responses
from groundwire.integrations._asked import asked, labelled
from groundwire.integrations.vllm import middleware
from groundwire.integrations.vllm.questions import questions
from groundwire.integrations.vllm.requests import single
from test_vllm_arguments import registry_of

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
        (f"The Museum\n{QUESTION}", ["The Museum"], f"The Museum\n{QUESTION}"),
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


CHAT = {"messages": [{"role": "user", "content": QUESTION}]}
SCHEMA = {"type": "json_schema", "name": "x", "schema": {"type": "object"}}
TOOLS = {"tools": [{"type": "function", "function": {"name": "look"}}]}
SERVER = fronts.Server
FLAT = "groundwire, groundwire_evidence, groundwire_kb, groundwire_id, groundwire_question"


def refused(
    monkeypatch: pytest.MonkeyPatch, path: str, body: dict[str, Any], **serving: Any
) -> str:
    """What the gate says with status 400; empty where the server gets the request."""
    engine, params = fronts.Engine(RIGHT), fronts.asking()
    sent: list[Any] = []

    class Remembering(SERVER):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            sent.append(await receive())
            await super().__call__(scope, receive, send)
            engine.closed = 1

    monkeypatch.setattr(fronts, "Server", Remembering)
    loaded = dataclasses.replace(fronts.loaded_of(), registry=registry_of(**serving))
    engine.closed = 1
    body = {"stream": True, **body}
    headers, said = fronts.ask(monkeypatch, engine, params, path=path, loaded=loaded, asked=body)
    if sent:
        return ""
    assert headers[b"content-length"] == str(len(said)).encode()
    error = json.loads(said)["error"]
    assert (error["type"], error["code"]) == ("BadRequestError", 400)
    return str(error["message"])


@pytest.mark.parametrize("path", sorted(middleware.GENERATING))
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"groundwire_evidenc": "x"}, "'groundwire_evidenc' is no argument; there are " + FLAT),
        ({"groundwire_evidence": 5}, "evidence"),
        ({"groundwire": "nonsense"}, "there is no policy 'nonsense'"),
        ({"groundwire": "off"}, "Leave `groundwire` out"),
        ({"groundwire_kb": 5}, "groundwire_kb is a name"),
        ({"groundwire_id": ""}, "groundwire_id is a string"),
        ({"groundwire_question": 5}, "groundwire_question is a string"),
        ({"Groundwire": "default"}, "write groundwire"),
        ({"groundwire_signals": 1}, "serving.signals_socket"),
    ],
)
def test_bad_arguments_go_no_further_than_the_gate(
    monkeypatch: pytest.MonkeyPatch, path: str, given: dict[str, Any], said: str
) -> None:
    inside = path == "/inference/v1/generate"
    body = {"sampling_params": {"extra_args": given}} if inside else {"vllm_xargs": given}
    assert said in refused(monkeypatch, path, CHAT | body)


@pytest.mark.parametrize("given", [None, {}, {"top_k": 4}, {"groundwire": "default"}, "x", [5]])
def test_other_arguments_pass(monkeypatch: pytest.MonkeyPatch, given: Any) -> None:
    for path in ("/v1/responses", "/inference/v1/generate"):
        for body in ({"vllm_xargs": given}, {"sampling_params": {"extra_args": given}}):
            assert refused(monkeypatch, path, body) == ""
    assert refused(monkeypatch, "/inference/v1/generate", {"sampling_params": given}) == ""


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/v1/responses", {"text": {"format": SCHEMA}}),
        ("/v1/responses", {"structured_outputs": {"regex": "x"}}),
        ("/v1/responses", {**TOOLS, "tool_choice": "required"}),
        ("/v1/responses", {**TOOLS, "tool_choice": {"type": "function", "name": "look"}}),
        ("/v1/chat/completions", {"response_format": {"type": "json_object"}}),
        ("/v1/messages", {"output_config": {"format": SCHEMA}}),
        ("/v1/messages", {**TOOLS, "tool_choice": {"type": "any"}}),
        ("/inference/v1/generate", {"sampling_params": {"structured_outputs": {"regex": "x"}}}),
    ],
)
def test_what_could_only_be_observed_goes_no_further(
    monkeypatch: pytest.MonkeyPatch, path: str, form: dict[str, Any]
) -> None:
    serving = {"refuse_observed_only": True}
    assert "refuse_observed_only" in refused(monkeypatch, path, CHAT | form, **serving)
    assert refused(monkeypatch, path, CHAT | form) == ""


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"text": {"format": {"type": "text"}}},
        {"response_format": {"type": "text"}},
        {"output_config": {"effort": "low"}},
        {**TOOLS, "tool_choice": "auto"},
        {"tool_choice": "required"},
        {"sampling_params": 5},
    ],
)
def test_what_has_no_form_passes(monkeypatch: pytest.MonkeyPatch, form: dict[str, Any]) -> None:
    assert refused(monkeypatch, "/v1/responses", CHAT | form, refuse_observed_only=True) == ""


@pytest.mark.parametrize("path", sorted(middleware.GENERATING))
@pytest.mark.parametrize("name", ["groundwire", "groundwire_kb", "Groundwire", " groundwire"])
def test_the_gateways_form_is_told_where_it_belongs(
    monkeypatch: pytest.MonkeyPatch, path: str, name: str
) -> None:
    said = refused(monkeypatch, path, CHAT | {name: {"policy": "default"}})
    assert said.startswith(repr(name))
    assert f"inside vllm_xargs, whose names are {FLAT}" in said


def test_arguments_without_a_policy_are_named_as_they_were_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = CHAT | {"vllm_xargs": {"groundwire_evidence": ["x"]}}
    said = refused(monkeypatch, "/v1/responses", body, default_policy="off")
    assert said.startswith("groundwire_evidence is given")
    assert "a policy as well (groundwire)" in said and "leave groundwire_evidence out" in said


@pytest.mark.parametrize(
    "prompts", [["x", "y"], ["x"], [[5], [6]], [{"prompt": "x"}], [CHAT["messages"]]]
)
def test_the_asynchronous_front_takes_one_prompt(prompts: list[Any]) -> None:
    with pytest.raises(ArgumentError, match="takes one prompt a call"):
        single(prompts)
    assert single(prompts[0]) == ("x" if isinstance(prompts[0], dict) else prompts[0])
