"""Answers in the form of another route: what stands in them is not lost without a word."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway_upstream import MODEL, before
from slow_sse import strict, text_of

SAID = "The museum opens at nine."
CHAT, COMPLETIONS = "/v1/chat/completions", "/v1/completions"
ASKS: dict[str, dict[str, Any]] = {
    CHAT: {"messages": [{"role": "user", "content": "When?"}]},
    COMPLETIONS: {"prompt": "When?\n"},
}
STOP: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def ask(path: str, choices: list[dict[str, Any]], *, stream: bool) -> tuple[str, Any]:
    """Return the text and the error of what a client gets of an upstream's choices."""

    async def answer(_: Request) -> Response:
        if not stream:
            return JSONResponse({"choices": choices})
        events = "".join(f"data: {json.dumps({'choices': [one]})}\n\n" for one in choices)
        return Response(f"{events}data: [DONE]\n\n", media_type="text/event-stream")

    with before(answer, path, continuation="none") as url:
        body = {"model": MODEL, "stream": stream, **ASKS[path]}
        found = httpx.post(f"{url}{path}", json=body, timeout=30)
    if not stream:
        data = found.json()
        if "error" in data:
            assert found.status_code == 502
            return "", data["error"]["code"]
        one = data["choices"][0]
        return (one["message"]["content"] if path == CHAT else one["text"]), None
    events = strict(found.content)
    codes = [one["error"]["code"] for one in events[:-1] if "error" in one]
    assert not codes or "pass" not in found.text
    return text_of(events), codes[0] if codes else None


@pytest.mark.parametrize(
    "part",
    [{"content": SAID}, {"role": "assistant", "refusal": SAID}, {"tool_calls": [CALL]}],
    ids=["content", "refusal", "calls"],
)
@pytest.mark.parametrize("name", ["message", "delta"])
@pytest.mark.parametrize("stream", [True, False])
def test_a_completion_in_a_chats_form(stream: bool, name: str, part: dict[str, Any]) -> None:
    assert ask(COMPLETIONS, [{**STOP, name: part}], stream=stream) == ("", "upstream_malformed")


def test_a_stream_of_completions_in_a_chats_form() -> None:
    deltas = [{"index": 0, "delta": {"content": one}} for one in SAID.split(" ")]
    found = ask(COMPLETIONS, [*deltas, {**STOP, "delta": {}}], stream=True)
    assert found == ("", "upstream_malformed")


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("part", [{}, {"content": None}])
def test_a_chat_in_a_completions_form(stream: bool, part: dict[str, Any]) -> None:
    name = "delta" if stream else "message"
    found = ask(CHAT, [{**STOP, "text": SAID, name: part}], stream=stream)
    assert found == ("", "upstream_malformed")


@pytest.mark.parametrize("stream", [True, False])
def test_what_stands_where_the_route_has_it_is_read(stream: bool) -> None:
    name = "delta" if stream else "message"
    both = {**STOP, "text": SAID, name: {"role": "assistant", "content": SAID}}
    for path in (CHAT, COMPLETIONS):
        assert ask(path, [both], stream=stream) == (SAID, None)
    # An empty answer is one.
    empty = {**STOP, "text": "", name: {"role": "assistant", "content": ""}}
    for path in (CHAT, COMPLETIONS):
        assert ask(path, [empty], stream=stream) == ("", None)
