"""Completions continued by their prompt: where the upstream goes on with it, and where it does not.

Some servers put the prompt of a completion through a chat's template: a prompt that ends in the
beginning of an answer is a user's turn to them, and they begin anew.
"""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway_upstream import MODEL, Model, gateway, knowledge, served
from groundwire.config import Config
from groundwire.gateway.anew import Anew
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from slow_sse import strict, text_of

WRONG = "The Harbour Museum was founded in 1992. It has 45 employees. It is open."
RIGHT = WRONG.replace("1992", "1987")
ON = RIGHT.replace("It is open.", "Whales sing at night.")
PROMPT = "When was the Harbour Museum founded?\n"


class Templated(Model):
    """Takes the prompt of a completion for what a user says, and goes on with chats alone."""

    def goes_on(self, prefix: str) -> str:
        return super().goes_on("" if isinstance(self.seen[-1].get("prompt"), str) else prefix)


class Forgetful(Model):
    """Continues what the probe asks, and begins every other answer anew."""

    def goes_on(self, prefix: str) -> str:
        return super().goes_on(prefix if prefix.startswith("red, ") else "")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return knowledge(tmp_path_factory.mktemp("kb"))


def ask(url: str, *, stream: bool, prompt: str = PROMPT) -> tuple[str, str, dict[str, Any]]:
    """Return text, finish reason and the groundwire object."""
    body = {"model": MODEL, "prompt": prompt, "stream": stream}
    answer = httpx.post(f"{url}/v1/completions", json=body, timeout=30)
    assert answer.status_code == 200, answer.text
    if not stream:
        data = answer.json()
        return data["choices"][0]["text"], data["choices"][0]["finish_reason"], data["groundwire"]
    found = strict(answer.content)
    last = next(one for one in reversed(found) if one != "[DONE]")
    return text_of(found), last["choices"][0]["finish_reason"], last["groundwire"]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("continues", ["final_message", "tokens", "restart"])
def test_a_prompt_that_the_upstream_goes_on_with(
    base: dict[str, Any], stream: bool, continues: str
) -> None:
    model = Model((WRONG, ON), continues=continues)
    with gateway(model, **base) as (url, made):
        assert made.prober is not None and made.prober.completes(MODEL)
        probes = [one for one in model.seen if isinstance(one.get("prompt"), str)]
        assert len(probes) == 2
        for _ in range(2):
            model.seen.clear()
            text, finish, found = ask(url, stream=stream)
            assert (text, finish, found["continued"]) == (ON, "stop", 1)
            assert [one["prompt"] for one in model.seen] == [PROMPT, PROMPT + ON.partition(".")[0]]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("size", [1, 4, 200])
def test_a_prompt_that_becomes_a_users_turn(base: dict[str, Any], size: int, stream: bool) -> None:
    model = Templated((WRONG, ON), continues="tokens", size=size)
    with gateway(model, **base) as (url, made):
        assert made.prober is not None
        assert made.prober.how(MODEL) == "tokens" and not made.prober.completes(MODEL)
        assert len([one for one in model.seen if isinstance(one.get("prompt"), str)]) == 1
        model.seen.clear()
        text, finish, found = ask(url, stream=stream)
        assert (text, finish) == (RIGHT, "stop") and len(model.seen) == 1
        assert "continued" not in found and found["verdict"] == "corrected"


@pytest.mark.parametrize("stream", [True, False])
def test_a_claim_that_would_be_interrupted_ends_the_answer_there(
    base: dict[str, Any], stream: bool
) -> None:
    made_up = "It is a large hall. The Harbour Museum has 4,200 ropes. It is open."
    tiers = dict.fromkeys(("low", "medium", "high"), "interrupt")
    model = Templated((made_up, ON), continues="tokens")
    with gateway(model, **base, policies={"own": tiers}, default_policy="own") as (url, _):
        model.seen.clear()
        text, finish, found = ask(url, stream=stream)
        assert finish == "content_filter" and len(model.seen) == 1
        assert text.startswith("It is a large hall.") and "4,200" not in text
        assert found["verdict"] == "blocked"


@pytest.mark.parametrize("stream", [True, False])
def test_who_is_said_to_continue_nothing_is_asked_for_nothing(
    base: dict[str, Any], stream: bool
) -> None:
    model = Model((WRONG, ON), continues="tokens")
    with gateway(model, **base, continuation="none") as (url, _):
        assert ask(url, stream=stream)[:2] == (RIGHT, "stop")
        assert len(model.seen) == 1


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("size", [1, 4, 200])
def test_one_that_passed_and_begins_anew_is_found_out(
    base: dict[str, Any], size: int, stream: bool
) -> None:
    model = Forgetful((WRONG, ON), continues="final_message", size=size)
    with gateway(model, **base) as (url, made):
        assert made.prober is not None and made.prober.completes(MODEL)
        text, finish, found = ask(url, stream=stream)
        kept = RIGHT.partition(" It")[0]
        assert (text, finish) == ((kept, "content_filter") if stream else (RIGHT, "stop"))
        assert found["notes"] == ["the upstream did not continue the answer"]
        # Its chats are another matter, and are found out by themselves.
        assert not made.prober.completes(MODEL) and made.prober.how(MODEL) == "final_message"
        model.seen.clear()
        assert ask(url, stream=stream)[:2] == (RIGHT, "stop") and len(model.seen) == 1


@pytest.mark.parametrize("stream", [True, False])
def test_what_a_prompt_begins_may_be_begun_anew_as_well(base: dict[str, Any], stream: bool) -> None:
    lead = "The Harbour Museum was founded in"

    class Repeats(Model):
        """Says the prompt's own sentence once more, where it is asked to go on."""

        def goes_on(self, prefix: str) -> str:
            if prefix.startswith("red, "):
                return super().goes_on(prefix)
            return " 1992. It is open." if prefix == lead else f"{lead} 1987, they say."

    with gateway(Repeats(), **base) as (url, _):
        text, _, found = ask(url, stream=stream, prompt=f"Go on.\n{lead}")
        assert text == (" 1987." if stream else " 1987. It is open.")
        assert found["notes"] == ["the upstream did not continue the answer"]


def test_the_beginning_before_the_answer_counts_where_nothing_parts_it() -> None:
    for text, anew in ((" It was built", False), ("It was built in 1990", True), ("It was", False)):
        assert Anew(" 1998", lead="It was built in").hear(text, ends=True) is anew


def known(answers: Any) -> tuple[dict[str, Any], dict[str, bool], int]:
    """Return what is found out of an upstream whose completions are what a function says."""
    asked: list[Any] = []

    async def completion(request: Request) -> Response:
        asked.append(json.loads(await request.body())["prompt"])
        text = answers(asked[-1])
        if isinstance(text, Response):
            return text
        return JSONResponse({"choices": [{"index": 0, "text": text, "finish_reason": "stop"}]})

    async def chat(request: Request) -> Response:
        said = json.loads(await request.body())["messages"][-1]["content"]
        message = {"role": "assistant", "content": Model().goes_on(said)}
        return JSONResponse({"choices": [{"index": 0, "message": message}]})

    async def models(_: Request) -> Response:
        return JSONResponse({"data": [{"id": MODEL}]})

    routes = [
        Route("/v1/completions", completion, methods=["POST"]),
        Route("/v1/chat/completions", chat, methods=["POST"]),
        Route("/v1/models", models),
    ]
    with served(Starlette(routes=routes)) as root:
        made = Gateway(root, Config.load(environ={}), environ={})
        with served(create_app(made)):
            until = time.monotonic() + 30
            while made.prober is None or not made.prober.known or not asked:
                assert time.monotonic() < until
                time.sleep(0.005)
            while not made.prober.done.is_set() and time.monotonic() < until - 28:
                time.sleep(0.005)
            return dict(made.prober.known), dict(made.prober.prompts), len(asked)


def goes_on(prompt: str) -> str:
    return Model().goes_on(prompt.partition("\n")[2])


@pytest.mark.parametrize(
    ("answers", "prompts", "count"),
    [
        (goes_on, {MODEL: True}, 2),
        (lambda _: "Yes.", {MODEL: False}, 1),
        (lambda _: "red, green, blue, red", {MODEL: False}, 1),
        # The pattern is gone on with, but as a turn of its own.
        (lambda prompt: goes_on(prompt).lstrip(), {MODEL: False}, 1),
        (lambda prompt: f"Sure!{goes_on(prompt)}", {MODEL: False}, 1),
        # Right once, by chance.
        (lambda _: " green, blue, red,", {MODEL: False}, 2),
        (lambda _: "", {MODEL: False}, 1),
        (lambda _: JSONResponse({"error": {}}, 404), {MODEL: False}, 1),
        (lambda _: JSONResponse({"error": {}}, 501), {MODEL: False}, 1),
        (lambda _: JSONResponse({"choices": "none"}), {MODEL: False}, 1),
        # Chats are known though completions are for nobody, or not yet there.
        (lambda _: JSONResponse({"error": {}}, 401), {}, 1),
        (lambda _: JSONResponse({"error": {}}, 403), {}, 1),
        (lambda _: JSONResponse({"error": {}}, 503), {}, 1),
    ],
)
def test_what_comes_back_is_believed(answers: Any, prompts: dict[str, bool], count: int) -> None:
    assert known(answers) == ({MODEL: "final_message"}, prompts, count)
