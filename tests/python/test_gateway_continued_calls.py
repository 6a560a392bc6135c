"""Calls and media of an answer that the upstream continued, and why such an answer ended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway_upstream import MODEL, before, knowledge, streamed
from slow_sse import strict, text_of

FIRST = "The Harbour Museum was founded in 1992 by Ada Lind. It is open on Mondays."
AGAIN = " by Ada Lind. Let me look it up."
RIGHT = "The Harbour Museum was founded in 1987" + AGAIN
CALLS: dict[str, Any] = {
    "tool_calls": [
        {
            "index": 0,
            "id": "c1",
            "type": "function",
            "function": {"name": "look_up", "arguments": '{"q": 1}'},
        }
    ]
}
LEGACY: dict[str, Any] = {"function_call": {"name": "look_up", "arguments": "{}"}}
PICTURE: dict[str, Any] = {
    "images": [{"type": "image_url", "image_url": {"url": "http://x/y.png"}}]
}


class Script:
    """What the upstream says at first, and what it says when it is to go on."""

    def __init__(self) -> None:
        self.first: dict[str, Any] = {}
        self.first_end = "stop"
        self.more: dict[str, Any] = {}
        self.end = "stop"
        self.behind = AGAIN
        self.asked = 0

    async def __call__(self, request: Request) -> Response:
        body = json.loads(await request.body())
        goes_on = bool(body.get("continue_final_message"))
        self.asked += goes_on
        text, rest, why = FIRST, self.first, self.first_end
        if goes_on:
            text, rest, why = self.behind, self.more, self.end
        if not body.get("stream"):
            message = {"role": "assistant", "content": text, **rest}
            choice = {"index": 0, "finish_reason": why, "message": message}
            return JSONResponse({"id": "x", "model": MODEL, "choices": [choice]})
        chunks: list[dict[str, Any]] = [{"delta": {"role": "assistant", "content": text}}]
        chunks += [{"delta": {name: value}} for name, value in rest.items()]
        return streamed([*chunks, {"delta": {}, "finish_reason": why}])


@pytest.fixture
def served(tmp_path: Any) -> Iterator[tuple[str, Script]]:
    script = Script()

    async def answer(request: Request) -> Response:
        return await script(request)

    with before(answer, **knowledge(tmp_path), continuation="final_message") as url:
        yield url, script


def asked(url: str, *, stream: bool) -> tuple[str, dict[str, Any], str, str]:
    """Return the text, what came beside it, the finish reason and all that was sent."""
    tool = {"type": "function", "function": {"name": "look_up", "parameters": {}}}
    messages = [{"role": "user", "content": "When was the Harbour Museum founded?"}]
    body = {"model": MODEL, "messages": messages, "tools": [tool], "stream": stream}
    response = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30)
    assert response.status_code == 200, response.text
    if not stream:
        choice = response.json()["choices"][0]
        rest = {k: v for k, v in choice["message"].items() if k not in {"role", "content"}}
        return choice["message"]["content"], rest, choice["finish_reason"], response.text
    chunks = strict(response.content)
    choices = [one["choices"][0] for one in chunks[:-1]]
    beside: dict[str, Any] = {}
    for one in choices:
        beside |= {k: v for k, v in one["delta"].items() if k not in {"role", "content"}}
    return text_of(chunks), beside, choices[-1]["finish_reason"], response.text


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("more", "end"),
    [(CALLS, "tool_calls"), (LEGACY, "function_call"), (PICTURE, "stop"), (CALLS, "stop")],
)
def test_what_a_continuation_holds_is_passed_on(
    served: tuple[str, Script], stream: bool, more: dict[str, Any], end: str
) -> None:
    url, script = served
    script.more, script.end = more, end
    text, beside, finish, raw = asked(url, stream=stream)
    assert script.asked == 1 and "1992" not in raw
    assert (text, beside, finish) == (RIGHT, more, end)


@pytest.mark.parametrize("stream", [True, False])
def test_a_claim_before_a_continuations_call_is_put_right_in_place(
    served: tuple[str, Script], stream: bool
) -> None:
    url, script = served
    script.behind = " by Ada Lind. The Harbour Museum has 99 employees."
    script.more, script.end = CALLS, "tool_calls"
    text, beside, finish, raw = asked(url, stream=stream)
    assert "99 employees" not in raw and "1987" in text and "45" in text
    assert finish == ("tool_calls" if beside else "stop")
    if not stream:
        assert beside == CALLS


@pytest.mark.parametrize("stream", [True, False])
def test_without_a_call_no_answer_ended_for_one(served: tuple[str, Script], stream: bool) -> None:
    url, script = served
    script.more, script.end = {"tool_calls": []}, "tool_calls"
    text, beside, finish, _ = asked(url, stream=stream)
    assert (text, beside, finish) == (RIGHT, {}, "stop")


def test_calls_of_what_was_taken_back_are_dropped(served: tuple[str, Script]) -> None:
    url, script = served
    script.first, script.first_end = CALLS, "tool_calls"
    text, beside, finish, raw = asked(url, stream=True)
    assert script.asked == 1 and "look_up" not in raw
    assert (text, beside, finish) == (RIGHT, {}, "stop")
