"""Streams around their text: what keeps them open, how they end, and their headers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, Router

from gateway_upstream import served
from groundwire.config import Config
from groundwire.gateway import relay, streamed
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from slow_sse import strict, text_of

TEXT = "The café is open. It has a terrace."
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "yes", "X-Kept": "1"}
ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Is it?"}]}


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"


class Slow:
    """An upstream that comments, and may never end its stream."""

    def __init__(self) -> None:
        self.ends = True
        self.headers: dict[str, str] = {}

    async def say(self) -> AsyncIterator[bytes]:
        yield b": WORKING\n\n"
        for i in range(0, len(TEXT), 5):
            yield chunk({"content": TEXT[i : i + 5]})
            await asyncio.sleep(0)
        yield chunk({}, "stop")
        if self.ends:
            yield b"data: [DONE]\n\n"
        else:
            await asyncio.sleep(60)

    async def __call__(self, request: Request) -> Response:
        self.headers = dict(request.headers)
        if request.method == "GET":
            return JSONResponse({"data": []})
        return StreamingResponse(self.say(), media_type="text/event-stream", headers=HEADERS)


@pytest.fixture(scope="module")
def slow() -> Iterator[tuple[str, Slow]]:
    said = Slow()
    serving = {"continuation": "none", "policies": {"late": {"release": "response"}}}

    async def anything(request: Request) -> Response:
        return await said(request)

    with served(Router(routes=[Route("/{path:path}", anything, methods=["GET", "POST"])])) as root:
        made = Gateway(root, Config.load(environ={}, serving=serving), environ={})
        with served(create_app(made)) as url:
            yield url, said


def ask(url: str, **headers: str) -> httpx.Response:
    body = {**ASK, "stream": True, "groundwire": "late"}
    return httpx.post(f"{url}/v1/chat/completions", json=body, headers=headers, timeout=30)


def test_comments_keep_a_stream_open(
    slow: tuple[str, Slow], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert b"\n:" not in b"\n" + ask(slow[0]).content
    monkeypatch.setattr(streamed, "QUIET_S", 0.0)
    blocks = ask(slow[0]).content.split(b"\n\n")
    comments = [one for one in blocks if one.startswith(b":")]
    assert (
        comments and text_of(strict(b"\n\n".join(b for b in blocks if b not in comments))) == TEXT
    )


def test_an_answer_that_is_whole_needs_no_mark_of_its_end(
    slow: tuple[str, Slow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "LAST_S", 0.05)
    url, said = slow
    said.ends = False
    try:
        found = strict(ask(url).content)
    finally:
        said.ends = True
    assert text_of(found) == TEXT and found[-1] == "[DONE]"
    assert found[-2]["choices"][0]["finish_reason"] == "stop"


def test_headers_are_each_ones_own(slow: tuple[str, Slow]) -> None:
    url, said = slow
    hop = {"connection": "keep-alive, X-Hop", "x-hop": "1", "x-through": "2"}
    answer = ask(url, **hop)
    assert answer.headers.get_list("cache-control") == ["no-cache"]
    assert answer.headers.get_list("x-accel-buffering") == ["no"]
    assert answer.headers["x-kept"] == "1"
    assert "x-hop" not in said.headers and said.headers["x-through"] == "2"


@pytest.mark.parametrize("body", [b"{", b"[]", json.dumps({**ASK, "n": 0}).encode()])
def test_refusals_have_an_id(slow: tuple[str, Slow], body: bytes) -> None:
    answer = httpx.post(f"{slow[0]}/v1/chat/completions", content=body)
    assert answer.status_code == 400 and answer.headers["x-groundwire-id"].startswith("gw-")
