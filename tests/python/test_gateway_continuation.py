"""Continuing an answer upstream: what is found out, what is sent, and what is left of it."""

from __future__ import annotations

import json
import time
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway_upstream import MODEL, Model, application, before, gateway, knowledge, served
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from slow_sse import strict, text_of

ASK: dict[str, Any] = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}]}
OPEN = "It is open. The Harbour Museum was founded in "
TWICE = (
    OPEN + "1992. It has 45 employees.",
    OPEN + "1987. It has 99 employees. Whales sing.",
    OPEN + "1987. It has 45 employees. Whales sing at night.",
)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return knowledge(tmp_path_factory.mktemp("kb"))


def post(url: str, **more: Any) -> httpx.Response:
    return httpx.post(f"{url}/v1/chat/completions", json={**ASK, **more}, timeout=30)


def answer(url: str, *, stream: bool, **more: Any) -> tuple[str, str, dict[str, Any]]:
    """Return text, finish reason and the groundwire object."""
    response = post(url, stream=stream, **more)
    if stream:
        found = strict(response.content)
        last = next(one for one in reversed(found) if one != "[DONE]" and one.get("choices"))
        return text_of(found), last["choices"][0]["finish_reason"], last["groundwire"]
    data = response.json()
    choice = data["choices"][0]
    return choice["message"]["content"], choice["finish_reason"], data["groundwire"]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("continues", ["final_message", "tokens"])
def test_several_claims_are_put_right(base: dict[str, Any], stream: bool, continues: str) -> None:
    with gateway(Model(TWICE, continues=continues), **base) as (url, _):
        text, finish, found = answer(url, stream=stream)
        assert (text, finish) == (TWICE[2], "stop")
        assert found["continued"] == 2
        assert [one["action"] for one in found["interventions"]] == ["correct", "correct"]


@pytest.mark.parametrize("stream", [True, False])
def test_what_is_sent_ends_in_no_space(base: dict[str, Any], stream: bool) -> None:
    wrong = "It is open.\n\nZorblax Quimby opened the museum in 1912. It is large."
    right = "It is open.\n\n"
    hedges = [right + lead + "the museum is old." for lead in _lead_ins()]
    with gateway(Model((wrong, *hedges), continues="final_message"), **base) as (url, _):
        model_text, finish, found = answer(
            url, stream=stream, groundwire={"evidence": ["The museum is open and old."]}
        )
        assert finish == "stop" and found["continued"] >= 1, (model_text, found)
        assert model_text in hedges


def _lead_ins() -> list[str]:
    phrases = Path(__file__).resolve().parents[2] / "rust" / "core" / "data" / "en" / "phrases.toml"
    return list(tomllib.loads(phrases.read_text(encoding="utf-8"))["lead_ins"])


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("release", ["claim", "token", "response"])
@pytest.mark.parametrize("more", ["tokens", "characters"])
@pytest.mark.parametrize("route", ["chat/completions", "completions"])
def test_nothing_of_what_was_taken_back_is_left_behind_it(
    base: dict[str, Any], route: str, more: str, release: str, stream: bool
) -> None:
    """One chunk may hold many tokens, or more characters than are judged at once."""
    long = "The halls are large and quiet. " * (20 if more == "characters" else 1)
    wrong, rest = f"{OPEN}1992. It is nice. {long}", "Come and see."
    chat = route == "chat/completions"
    logprobs = {"logprobs": True if chat else 1} if more == "tokens" else {}

    async def answer(request: Request) -> Response:
        body = json.loads(await request.body())
        asked.append(body["messages"][-1]["content"] if chat else body["prompt"])
        behind = f". {rest}" if asked[-1][-1].isdigit() else f" {rest}"
        text = wrong if len(asked) == 1 else behind
        words = [w + " " for w in text.split(" ")[:-1]] + [text.rpartition(" ")[2]]
        named = {"content": [{"token": w, "logprob": -0.1, "bytes": [*w.encode()]} for w in words]}
        if not chat:
            named = {"tokens": words, "token_logprobs": [-0.1] * len(words)}
        one: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
        one["logprobs"] = named if logprobs else None
        one |= {"delta" if stream else "message": {"content": text}} if chat else {"text": text}
        if not stream:
            return JSONResponse({"choices": [one]})
        sent = f"data: {json.dumps({'choices': [one]})}\n\ndata: [DONE]\n\n"
        return Response(sent, media_type="text/event-stream")

    asked: list[str] = []
    given = {**base, "policies": {"own": {"release": release}}, "default_policy": "own"}
    body: dict[str, Any] = {**ASK, **logprobs} if chat else {"model": MODEL, "prompt": "When?\n"}
    with before(answer, f"/v1/{route}", **given, continuation="final_message") as url:
        data = {**body, **logprobs, "stream": stream}
        found = httpx.post(f"{url}/v1/{route}", json=data, timeout=30)
    if stream:
        text = text_of(strict(found.content))
    else:
        choice = found.json()["choices"][0]
        text = choice["message"]["content"] if chat else choice["text"]
    # What the upstream is asked to go on with is what the reader has.
    kept = asked[-1].removeprefix("When?\n")
    assert text in {f"{kept}. {rest}", f"{kept} {rest}"} and len(asked) == 2
    assert "It is nice." not in text and "1987" in text


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_the_rest_of_the_budget_is_asked_for(base: dict[str, Any], stream: bool, name: str) -> None:
    model = Model(TWICE, continues="final_message")
    with gateway(model, **base) as (url, _):
        model.seen.clear()
        text, finish, _found = answer(url, stream=stream, **{name: 25})
        budgets = [body[name] for body in model.seen]
        assert budgets[0] == 25 and all(a > b for a, b in pairwise(budgets))
        assert finish in {"stop", "length"} and "1992" not in text
        # The continuation is the question, what stands, and nothing else.
        assert model.seen[1]["messages"][:-1] == ASK["messages"]
        assert model.seen[1]["messages"][-1]["content"] == OPEN + "1987"
        assert model.seen[1]["continue_final_message"] is True


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_a_budget_below_zero_is_none(base: dict[str, Any], stream: bool, name: str) -> None:
    model = Model(TWICE, continues="final_message")
    with gateway(model, **base) as (url, _):
        model.seen.clear()
        text, finish, _found = answer(url, stream=stream, **{name: -1})
        assert (text, finish) == answer(url, stream=stream)[:2]
        assert finish == "stop" and text == TWICE[2]
        assert model.seen[0][name] == -1


def test_continuations_have_a_limit(base: dict[str, Any]) -> None:
    model = Model(TWICE, continues="final_message")
    with gateway(model, **base, limits={"max_continuations": 1}) as (url, _):
        for stream in (True, False):
            text, finish, found = answer(url, stream=stream)
            # Behind the last one values are exchanged.
            assert (text, finish) == (OPEN + "1987. It has 45 employees. Whales sing.", "stop")
            assert found["continued"] == 1 and len(found["interventions"]) == 2


@pytest.mark.parametrize("stream", [True, False])
def test_what_was_taken_back_costs_no_budget(base: dict[str, Any], stream: bool) -> None:
    wrong = OPEN + "1992 by people who liked ships and all that has to do with ships and boats."
    right = OPEN + "1987. It is large."
    model = Model((wrong, right), continues="final_message")
    with gateway(model, **base) as (url, _):
        most = -(-len(wrong) // model.size)
        text, finish, found = answer(url, stream=stream, max_tokens=most)
        assert (text, finish, found["continued"]) == (right, "stop", 1)


@pytest.mark.parametrize("field", ["tool_call", "n"])
def test_what_cannot_be_resubmitted_is_put_right_in_place(base: dict[str, Any], field: str) -> None:
    model = Model(TWICE, continues="final_message", tool_call=field == "tool_call")
    with gateway(model, **base) as (url, _):
        model.seen.clear()
        more = {"n": 2} if field == "n" else {"tools": [{"type": "function"}]}
        found = strict(post(url, stream=True, **more).content)
        assert len(model.seen) == 1 and "in 1992" not in text_of(found)
        assert text_of(found).count("in 1987.") == (2 if field == "n" else 1)
        reasons = {c["finish_reason"] for one in found[:-1] for c in one["choices"]} - {None}
        assert reasons == {"stop" if field == "n" else "tool_calls"}


def test_tools_alone_do_not_keep_an_answer_from_going_on(base: dict[str, Any]) -> None:
    tools = [{"type": "function", "function": {"name": "f"}}]
    with gateway(Model(TWICE, continues="tokens"), **base) as (url, _):
        assert answer(url, stream=True, tools=tools)[:2] == (TWICE[2], "stop")


def test_an_upstream_that_breaks_while_it_goes_on(base: dict[str, Any]) -> None:
    class Breaks(Model):
        """Goes on once, and breaks off there."""

        def goes_on(self, prefix: str) -> str:
            self.fault = "reset" if prefix.startswith("It") else ""
            self.after = 2
            return super().goes_on(prefix)

    with gateway(Breaks(TWICE, continues="final_message"), **base) as (url, _):
        found = strict(post(url, stream=True).content)
        assert found[-2]["error"]["code"] == "upstream_reset"
        assert text_of(found) == OPEN + "1987" + TWICE[1][len(OPEN) + 4 :][:8]
        assert post(url).json()["error"]["code"] == "upstream_reset"


def flawed(answers: Any) -> Starlette:
    """Return an upstream whose answers to chats are what a function says."""

    async def chat(request: Request) -> Response:
        text = answers(json.loads(await request.body()))
        if isinstance(text, Response):
            return text
        choice = {"index": 0, "message": {"role": "assistant", "content": text}}
        return JSONResponse({"choices": [{**choice, "finish_reason": "stop"}]})

    async def models(_: Request) -> Response:
        return JSONResponse({"data": [{"id": MODEL}, {"id": "other"}]})

    routes = [Route("/v1/chat/completions", chat, methods=["POST"]), Route("/v1/models", models)]
    return Starlette(routes=routes)


def known(app: Starlette) -> dict[str, str]:
    with served(app) as root:
        made = Gateway(root, Config.load(environ={}), environ={})
        with served(create_app(made)):
            until = time.monotonic() + 30
            while made.prober is None or not made.prober.done.is_set():
                assert time.monotonic() < until
                time.sleep(0.005)
            return dict(made.prober.known)


@pytest.mark.parametrize(
    "answers",
    [
        lambda _: "red, green, blue, red, green, blue",  # begins anew
        lambda _: "Sure! Here you go: red, green, blue",
        lambda _: "",
        lambda _: " green, blue, red,",  # right once, by chance
        lambda body: JSONResponse({"error": {}}, 400) if "continue_final_message" in body else "x",
        lambda _: JSONResponse({"choices": "none"}),
    ],
)
def test_a_status_proves_nothing(answers: Any) -> None:
    assert known(flawed(answers)) == {MODEL: "none", "other": "none"}


def test_models_differ() -> None:
    def answers(body: dict[str, Any]) -> str:
        return Model(continues="final_message").goes_on(
            body["messages"][-1]["content"] if body["model"] == "other" else ""
        )

    assert known(flawed(answers)) == {MODEL: "none", "other": "final_message"}


@pytest.mark.parametrize("status", [401, 403])
def test_a_probe_without_a_key_ends(status: int) -> None:
    assert known(flawed(lambda _: JSONResponse({"error": {}}, status))) == {}


def test_an_upstream_that_comes_later_is_asked_then(monkeypatch: pytest.MonkeyPatch) -> None:
    from groundwire.gateway import prober

    monkeypatch.setattr(prober, "AGAIN_S", 0.1)
    states = [False]

    def answers(body: dict[str, Any]) -> Any:
        if not states[0]:
            states[0] = True
            return JSONResponse({"error": {}}, 503)
        return Model(continues="final_message").goes_on(body["messages"][-1]["content"])

    assert known(flawed(answers)) == {MODEL: "final_message", "other": "final_message"}


def test_what_is_configured_is_not_asked(base: dict[str, Any]) -> None:
    model = Model(TWICE, continues="final_message")
    with gateway(model, **base, continuation="final_message") as (url, _):
        assert model.seen == []
        assert answer(url, stream=True)[0] == TWICE[2]
    assert application(model)


@pytest.mark.parametrize("status", [500, 429, 403, 404])
@pytest.mark.parametrize("names", [("sick", MODEL), (MODEL, "sick")])
def test_a_model_that_cannot_be_asked_hides_no_other(
    base: dict[str, Any], status: int, names: tuple[str, ...]
) -> None:
    inner = application(Model(TWICE, continues="final_message"))

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await inner(scope, receive, send)
        elif scope["path"] == "/v1/models":
            listed = {"data": [{"id": name} for name in names]}
            await JSONResponse(listed)(scope, receive, send)
        else:
            body = await Request(scope, receive).body()
            if json.loads(body)["model"] == "sick":
                told = {"error": {"message": "not loaded"}}
                await JSONResponse(told, status)(scope, receive, send)
                return

            async def again() -> Any:
                return {"type": "http.request", "body": body, "more_body": False}

            await inner(scope, again, send)

    with served(app) as root:
        made = Gateway(root, Config.load(environ={}, serving=base), environ={})
        with served(create_app(made)) as url:
            until = time.monotonic() + 30
            while made.prober is None or MODEL not in made.prober.known:
                assert time.monotonic() < until, "the probe hangs"
                time.sleep(0.005)
            assert answer(url, stream=False)[:2] == (TWICE[2], "stop")
            assert made.prober.how(MODEL.upper()) == "final_message"
            assert made.prober.how(MODEL + ":latest") == "final_message"
            assert made.prober.how("sick") == made.prober.how("another") == "none"


class Late(Model):
    """Says what it took at a stream's end alone, as most servers do."""

    def goes_on(self, prefix: str) -> str:
        (self.seen[-1].get("stream_options") or {}).pop("continuous_usage_stats", None)
        return super().goes_on(prefix)


def test_the_usage_of_an_answer_whose_first_request_never_reported(base: dict[str, Any]) -> None:
    options = {"stream_options": {"include_usage": True}}
    with gateway(Late(TWICE, continues="final_message"), **base) as (url, _):
        found = strict(post(url, stream=True, **options).content)
        assert text_of(found) == TWICE[2]
        # The prompt of a later request has the answer in it: it is nobody's prompt.
        assert not any(one.get("usage") for one in found[:-1])
        notes = [note for one in found[:-1] for note in one.get("groundwire", {}).get("notes", [])]
        assert sum("usage is not told" in note for note in notes) == 1
    with gateway(Late((TWICE[2],), continues="final_message"), **base) as (url, _):
        usage = strict(post(url, stream=True, **options).content)[-2]["usage"]
        assert usage["prompt_tokens"] == 11 and usage["completion_tokens"] == -(-len(TWICE[2]) // 4)
