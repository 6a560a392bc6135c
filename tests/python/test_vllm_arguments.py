"""What requests say by their arguments, and the question that the gate reads from a chat."""

from __future__ import annotations

import dataclasses
import json
from types import SimpleNamespace
from typing import Any

import pytest

import groundwire as gw
import test_vllm_front as fronts
from groundwire.config import Config
from groundwire.errors import ArgumentError
from groundwire.integrations.serving import Registry
from groundwire.integrations.vllm import arguments, loading
from groundwire.integrations.vllm.questions import questions
from groundwire.integrations.vllm.stream import Stream, follow

QUESTION = "When was the Harbour Museum founded?"
ANSWER = "It was founded in 1992."
CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hello."},
    {"role": "assistant", "content": "Hello!"},
    {"role": "user", "content": QUESTION},
]
PARTS = [{"role": "user", "content": [{"type": "text", "text": QUESTION}, {"type": "image_url"}]}]
BEGUN = {"role": "assistant", "content": "It was"}
OTHER = [{"role": "user", "content": "When was the Tower opened?"}]


class Array:
    """Like numpy's: nothing is equal to it, since each of its parts would have to say so."""

    ndim = 1
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> Any:
        return self

    def __bool__(self) -> bool:
        raise ValueError("the truth value of an array is ambiguous")


def registry_of(**serving: Any) -> Registry:
    config = Config.load(environ={}, serving={"default_policy": "default", **serving})
    kb = gw.KnowledgeBase()
    kb.upsert("Harbour Museum", attributes={"founded": 1987})
    vocabulary = {i: bytes([i]) for i in range(256)}
    made = Registry.load(config, tokenizer=vocabulary)
    return dataclasses.replace(made, monitors={"": gw.Monitor(kb=kb, tokenizer=vocabulary)})


def loaded_of(**serving: Any) -> loading.Loaded:
    return dataclasses.replace(fronts.loaded_of(), registry=registry_of(**serving))


def asking(**extra: Any) -> fronts.Params:
    params = fronts.asking()
    params.extra_args = extra or None
    return params


def wrong_in(stream: Any) -> bool:
    assert isinstance(stream, Stream)
    follow([(stream, list(ANSWER.encode()))])
    said = stream.guard.foresee([])
    return said is not None and "1987, not 1992" in said.text


def test_the_plugin_reads_what_was_asked() -> None:
    loaded = loaded_of()
    assert wrong_in(loaded.open(asking(groundwire_question=QUESTION)))
    assert not wrong_in(loaded.open(asking()))
    assert not wrong_in(loaded.open(asking(groundwire_question=OTHER[0]["content"])))
    assert not wrong_in(loaded.open(asking(groundwire_question="")))


@pytest.mark.parametrize(
    ("path", "asked", "wrong"),
    [
        ("/v1/chat/completions", {"messages": CHAT}, True),
        ("/v1/chat/completions", {"messages": PARTS}, True),
        ("/v1/chat/completions", {"messages": [*CHAT, BEGUN]}, True),
        ("/v1/chat/completions", {"messages": [*CHAT, *OTHER]}, False),
        ("/v1/messages", {"messages": PARTS}, True),
        ("/v1/responses", {"input": QUESTION}, True),
        (
            "/v1/responses",
            {"input": [{"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}]},
            True,
        ),
        ("/invocations", {"messages": CHAT}, True),
        ("/v1/completions", {"prompt": QUESTION}, False),
    ],
)
def test_the_gate_reads_a_chats_question_for_both_processes(
    monkeypatch: pytest.MonkeyPatch, path: str, asked: dict[str, Any], wrong: bool
) -> None:
    loaded, engine, params = loaded_of(), fronts.Engine(ANSWER), asking()
    _, body = fronts.ask(monkeypatch, engine, params, path=path, loaded=loaded, asked=asked)
    found = json.loads(body)["groundwire"]
    assert bool([f for f in found["findings"] if f["text"] == "1992"]) is wrong
    # What the worker's session gets is the same.
    assert wrong_in(loaded.open(engine.params[0])) is wrong
    assert params.extra_args is None


def test_each_chat_of_a_batch_has_its_own_question(monkeypatch: pytest.MonkeyPatch) -> None:
    class Twice(fronts.Server):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            engine = scope["app"].state.engine_client
            for outputs in [engine.generate("p", self.params, name) for name in "abc"]:
                async for _ in outputs:
                    pass
            engine.closed = 1
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": b'{"choices": []}'})

    monkeypatch.setattr(fronts, "Server", Twice)
    engine = fronts.Engine(ANSWER)
    path, asked = "/v1/chat/completions/batch", {"messages": [OTHER, CHAT, PARTS]}
    _, body = fronts.ask(monkeypatch, engine, asking(), path=path, loaded=loaded_of(), asked=asked)
    texts = json.loads(body)["groundwire"]["texts"]
    found = [{f["text"] for f in text["findings"]} for text in texts]
    assert ["1992" in words for words in found] == [False, True, True]


def test_what_the_request_gives_stands_above_its_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = fronts.Engine(ANSWER)
    for given, text in (("Who?", "Who?"), ("", ""), (None, QUESTION)):
        params = asking() if given is None else asking(groundwire_question=given)
        fronts.ask(monkeypatch, engine, params, loaded=loaded_of(), asked={"messages": CHAT})
        assert engine.params[-1].extra_args == {"groundwire_question": text}
        engine.closed = 0


def test_a_question_is_sent_without_evidence_as_text_and_not_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passage = "The Tower was opened in 1950."
    loaded = loaded_of(limits={"max_history": 64})
    for content, text in [
        (f"{passage}\n\n{QUESTION}", QUESTION),
        (f"{'ü' * 100}", "ü" * 32),
        ("Was \ud83d it?", "Was ? it?"),
    ]:
        engine = fronts.Engine(ANSWER)
        messages = [{"role": "user", "content": content}]
        params = asking(groundwire_evidence=[passage])
        fronts.ask(monkeypatch, engine, params, loaded=loaded, asked={"messages": messages})
        assert engine.params[0].extra_args["groundwire_question"] == text


def test_nothing_is_added_where_nothing_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, params = fronts.Engine(ANSWER), asking()
    loaded = loaded_of(default_policy="off")
    fronts.ask(monkeypatch, engine, params, loaded=loaded, asked={"messages": CHAT})
    assert engine.params == [params]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": None},
        {"messages": 5, "input": QUESTION},
        {"messages": [5, {"role": "user"}, {"role": "user", "content": 5}]},
        {"messages": [{"role": "user", "content": [5, {"text": 5}]}]},
        {"input": [QUESTION]},
        {"input": {"role": "user"}},
        {"prompt": QUESTION},
    ],
)
def test_what_is_no_chat_asks_nothing(body: dict[str, Any]) -> None:
    assert questions(body) == [""]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({5: 1}, "an argument's name is a string, not 5"),
        ({5: 1, "groundwire": "default"}, "an argument's name is a string, not 5"),
        ({None: 1}, "an argument's name is a string"),
        (["groundwire"], "extra_args is a mapping"),
        ("groundwire", "extra_args is a mapping"),
        ({"groundwire_id": 5}, "^groundwire_id is a string"),
        ({"groundwire_id": ""}, "^groundwire_id is a string"),
        ({"groundwire_question": 5}, "groundwire_question is a string, not 5"),
        ({"groundwire_question": [QUESTION]}, "groundwire_question is a string"),
        ({"groundwire_question": "\ud83d"}, "lone surrogate at character 0"),
        ({"groundwire_question": "x" * 300_000}, "300000 bytes; at most 262144"),
        ({"groundwire_questoin": "x"}, "there are .*groundwire_question"),
        ({"groundwire_evidence": 5}, "^groundwire_evidence "),
        ({"groundwire_evidence": [5]}, r"^groundwire_evidence\[0\] "),
        ({"groundwire_kb": 5}, "^groundwire_kb is a name"),
        ({"groundwire": [1]}, "^groundwire is a name"),
        ({"groundwire": 2}, "^groundwire is a name"),
        ({"Groundwire": "default"}, "'Groundwire' is no argument; write groundwire$"),
        ({" groundwire": "default"}, "' groundwire' is no argument; write groundwire$"),
        ({"GROUNDWIRE_KB ": "x"}, "no argument; write groundwire_kb$"),
        ({"Groundwire_Question": "x"}, "no argument; write groundwire_question$"),
        ({"Groundwire_Signals": 1}, "no argument; write groundwire_signals$"),
        ({"Groundwire_x": 1}, "no argument; there are groundwire, "),
        ({"groundwire": Array()}, r"^groundwire is a string.*not an array \(Array\)"),
        ({"groundwire_evidence": Array()}, "^groundwire_evidence is .*not an array"),
        ({"groundwire_signals": Array()}, "^groundwire_signals is .*not an array"),
        ({"groundwire_kb": Array()}, "^groundwire_kb is .*not an array"),
    ],
)
def test_what_means_nothing_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, given: Any, said: str
) -> None:
    monkeypatch.setattr(arguments, "front", registry_of)
    with pytest.raises(ArgumentError, match=said):
        arguments.validate(SimpleNamespace(extra_args=given))
    # Where it reaches a worker all the same, the server's own choices hold.
    params = asking()
    params.extra_args = given
    assert isinstance(loaded_of().open(params), Stream)


def test_other_arguments_are_nobodys_business_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "front", registry_of)
    for given in (None, {}, {"top_k": 4}, {"groundwire_question": QUESTION, "other": [1]}):
        arguments.validate(SimpleNamespace(extra_args=given))


ACTS = {"groundwire": "default"}
FORM = SimpleNamespace(regex=".*")


@pytest.mark.parametrize(
    ("serving", "given", "form", "refused"),
    [
        ({"refuse_observed_only": True}, None, FORM, True),
        ({"refuse_observed_only": True}, {"top_k": 4}, FORM, True),
        ({"refuse_observed_only": True}, ACTS, FORM, True),
        ({"refuse_observed_only": True}, None, None, False),
        ({"refuse_observed_only": False}, ACTS, FORM, False),
        ({}, ACTS, FORM, False),
        ({"refuse_observed_only": True, "default_policy": "observe"}, None, FORM, False),
        ({"refuse_observed_only": True, "default_policy": "off"}, None, FORM, False),
        ({"refuse_observed_only": True, "default_policy": "off"}, ACTS, FORM, True),
        # Asking for a policy that only reports is asking for less.
        ({"refuse_observed_only": True}, {"groundwire": "observe"}, FORM, True),
        (
            {"refuse_observed_only": True, "requests_may_lower": True},
            {"groundwire": "observe"},
            FORM,
            False,
        ),
    ],
)
def test_a_server_may_refuse_what_it_could_only_observe(
    monkeypatch: pytest.MonkeyPatch,
    serving: dict[str, Any],
    given: dict[str, Any] | None,
    form: Any,
    refused: bool,
) -> None:
    registry = registry_of(**serving)
    monkeypatch.setattr(arguments, "front", lambda: registry)
    monkeypatch.setattr(arguments, "_refuses", lambda: registry.serving.refuse_observed_only)
    params = asking(**(given or {}))
    params.structured_outputs = form
    engine = fronts.Engine(ANSWER)
    if not refused:
        arguments.validate(params)
        fronts.ask(monkeypatch, engine, params, loaded=loaded_of(**serving))
        return
    with pytest.raises(ArgumentError, match=r"refuse_observed_only|less than its policy"):
        arguments.validate(params)
    with pytest.raises(ArgumentError, match=r"refuse_observed_only|less than its policy"):
        fronts.ask(monkeypatch, engine, params, loaded=loaded_of(**serving))
    assert engine.params == []


def test_the_model_decides_where_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    models = {"m": {"policy": "observe"}, "other": {"policy": "default"}}
    serving = {"refuse_observed_only": True, "default_policy": "off", "models": models}
    registry = registry_of(**serving)
    monkeypatch.setattr(arguments, "front", lambda: registry)
    params = asking(groundwire_id="x")
    params.structured_outputs = FORM
    # The engine alone does not know it: one of the models that are named would be acted for.
    with pytest.raises(ArgumentError, match="refuse_observed_only"):
        arguments.validate(params)

    class Engine(fronts.Engine):
        async def generate(self, *given: Any, **more: Any) -> Any:
            arguments.validate(given[1])
            async for output in super().generate(*given, **more):
                yield output

    fronts.ask(monkeypatch, Engine(ANSWER), params, loaded=loaded_of(**serving))
    assert arguments.SERVED.get() is None


def test_a_misspelt_setting_is_named() -> None:
    with pytest.raises(gw.errors.ConfigError, match="refuse_observed_only"):
        Config.load(environ={}, serving={"refuse_observed": True})
