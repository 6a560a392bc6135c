"""What a continuation carries over of its request, and what becomes of one that fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway_upstream import MODEL, Model, application, gateway, knowledge, served
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from slow_sse import strict, text_of

WRONG = "It is open. The Harbour Museum was founded in 1992. It has 45 employees."
RIGHT = "It is open. The Harbour Museum was founded in 1987. It has 45 employees."
SAID = [{"role": "user", "content": "When?"}]
PICTURE = [{"type": "image_url", "image_url": {"url": "data:x"}}, {"type": "text", "text": "When?"}]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return knowledge(tmp_path_factory.mktemp("kb"))


def ask(url: str, *, stream: bool = False, **more: Any) -> tuple[str, Any, dict[str, Any]]:
    """Return text, finish reason and the groundwire object."""
    body = {"model": MODEL, "messages": SAID, "stream": stream, **more}
    answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30)
    assert answer.status_code == 200, answer.text
    if stream:
        found = strict(answer.content)
        last = next(one for one in reversed(found) if one != "[DONE]")
        return text_of(found), last["choices"][0]["finish_reason"], last["groundwire"]
    data = answer.json()
    choice = data["choices"][0]
    return choice["message"]["content"], choice["finish_reason"], data["groundwire"]


@pytest.mark.parametrize("stream", [True, False])
def test_ids_go_on_with_what_the_request_says(base: dict[str, Any], stream: bool) -> None:
    model = Model((WRONG, RIGHT), continues="tokens")
    more = {"chat_template_kwargs": {"enable_thinking": False}, "chat_template": "{{ x }}"}
    more |= {"bad_words": ["whale"], "allowed_token_ids": [1, 2], "min_tokens": 30}
    with gateway(model, **base) as (url, _):
        model.seen.clear()
        assert ask(url, stream=stream, **more)[0] == RIGHT
        first, tokenize, second = model.seen
        assert first["min_tokens"] == 30 and second["prompt"]
        for name in ("chat_template_kwargs", "chat_template"):
            assert tokenize[name] == more[name] and name not in second
        for name in ("bad_words", "allowed_token_ids"):
            assert second[name] == more[name]
        assert 0 < second["min_tokens"] < 30


@pytest.mark.parametrize(
    "more",
    [
        {"messages": [{"role": "user", "content": PICTURE}]},
        {"documents": [{"text": "It is old."}]},
        {"reasoning_effort": "low"},
        {"a_new_field": 1},
    ],
)
def test_what_ids_cannot_say_goes_on_by_the_message(
    base: dict[str, Any], more: dict[str, Any]
) -> None:
    model = Model((WRONG, RIGHT), continues="tokens")
    with gateway(model, **base) as (url, _):
        model.seen.clear()
        assert ask(url, **more)[0] == RIGHT
        assert len(model.seen) == 2
        second = model.seen[1]
        assert second["continue_final_message"] and second["add_generation_prompt"] is False
        messages = more.get("messages", SAID)
        assert second["messages"][:-1] == messages
        assert all(second[name] == value for name, value in more.items() if name != "messages")


@pytest.mark.parametrize("continues", ["tokens", "final_message"])
@pytest.mark.parametrize(
    "content", ["Well: ", [{"type": "text", "text": "Well"}, {"type": "text", "text": ": "}]]
)
def test_a_prefilled_answer_goes_on_behind_its_beginning(
    base: dict[str, Any], continues: str, content: Any
) -> None:
    model = Model(("Well: " + WRONG, "Well: " + RIGHT), continues=continues)
    more = {"continue_final_message": True, "add_generation_prompt": False}
    messages = [*SAID, {"role": "assistant", "content": content}]
    with gateway(model, **base) as (url, _):
        model.seen.clear()
        assert ask(url, messages=messages, **more)[0] == RIGHT
        begun = [b["messages"][-1]["content"] for b in model.seen[1:] if "messages" in b]
        assert begun
        assert all(isinstance(one, str) and one.startswith("Well: ") for one in begun)


class Fails:
    """Answers continuations, or what is asked before them, with an error or with nonsense."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.how = app, "tokenize"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            body = b""
            while True:
                part = await receive()
                body += part.get("body", b"")
                if not part.get("more_body"):
                    break
            data, sent = json.loads(body), False
            goes_on = data.get("continue_final_message") or isinstance(data.get("prompt"), list)
            answer: Response | None = None
            if self.how == "tokenize" and scope["path"] == "/tokenize":
                answer = JSONResponse({"error": {"message": "no such route"}}, 404)
            elif self.how == "nonsense" and scope["path"] == "/tokenize":
                answer = JSONResponse({"tokens": "none"})
            elif self.how == "refused" and goes_on and scope["path"] != "/tokenize":
                answer = JSONResponse({"error": {"message": "too long"}}, 400)
            elif self.how == "no_choices" and goes_on and scope["path"] != "/tokenize":
                answer = JSONResponse({"choices": []})
            if answer is not None:
                await answer(scope, receive, send)
                return

            async def again() -> Any:
                nonlocal sent
                if sent:
                    return await receive()
                sent = True
                return {"type": "http.request", "body": body, "more_body": False}

            await self.app(scope, again, send)
            return
        await self.app(scope, receive, send)


@pytest.fixture(scope="module")
def failing(base: dict[str, Any]) -> Iterator[tuple[str, Fails]]:
    up = Fails(application(Model((WRONG, RIGHT), continues="tokens")))
    given = {**base, "policies": {"whole": {"release": "response"}}}
    with served(up) as root:
        config = Config.load(environ={}, serving={**given, "continuation": "tokens"})
        with served(create_app(Gateway(root, config, environ={}))) as url:
            yield url, up


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("how", ["tokenize", "nonsense", "refused", "no_choices"])
@pytest.mark.parametrize("policy", ["default", "whole"])
def test_an_answer_that_is_not_continued_is_corrected_as_far_as_it_came(
    failing: tuple[str, Fails], stream: bool, how: str, policy: str
) -> None:
    url, up = failing
    up.how = how
    text, finish, found = ask(url, stream=stream, groundwire=policy)
    if stream:
        # What the upstream would have said behind the claim has gone with its first answer.
        assert text.startswith("It is open. The Harbour Museum was founded in 1987.")
        assert finish == "content_filter" and found["stopped"] == "interrupted"
    else:
        assert (text, finish, found["stopped"]) == (RIGHT, "stop", "end")
    assert [one["action"] for one in found["interventions"]] == ["correct"]
    assert "1992" not in str(found)
    assert found["notes"] == ["the upstream did not continue the answer"]
    assert "continued" not in found
