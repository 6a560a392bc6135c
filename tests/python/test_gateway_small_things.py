"""Headers, packed bodies, odd transports, logs and counts at the gateway's edges."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import re
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway_upstream import MODEL, RIGHT, Model, application, before, gateway, served
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from groundwire.gateway.errors import SHUTTING_DOWN, UpstreamFault
from groundwire.gateway.headers import beside_answer
from groundwire.gateway.sse import Reader
from slow_sse import strict, text_of

CHAT = "/v1/chat/completions"
ASK: dict[str, Any] = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}]}


def whole(text: str, **headers: str) -> JSONResponse:
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return JSONResponse({"choices": choices}, headers=headers)


@pytest.mark.parametrize("stream", [True, False])
def test_a_header_of_an_answer_passes_by_its_name(stream: bool) -> None:
    theirs = {
        "X-Request-Id": "req-7",
        "X-RateLimit-Remaining-Requests": "59",
        "X-Answer": "The museum was founded in 1992.",
        "Link": "<https://example.org/founded-in-1992>",
        "Set-Cookie": "said=1992",
        "X-Groundwire": "fake",
        "OpenAI-Version": "founded in 1992",
    }

    async def answer(_: Request) -> Response:
        if not stream:
            return whole("It is open.", **theirs)
        events = 'data: {"choices": [{"index": 0, "delta": {"content": "It is open."}, '
        events += '"finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
        return Response(events, media_type="text/event-stream", headers=theirs)

    with before(answer, continuation="none") as url:
        found = httpx.post(f"{url}{CHAT}", json={**ASK, "stream": stream}, timeout=30)
    assert found.status_code == 200 and found.headers["x-request-id"] == "req-7"
    assert found.headers["x-ratelimit-remaining-requests"] == "59"
    assert "1992" not in str(found.headers) and "fake" not in str(found.headers)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("X-Request-ID", "0af7651916cd43dd", True),
        ("request-id", "req_1", True),
        ("x-ratelimit-reset-tokens", "6m0s", True),
        ("Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT", True),
        ("Retry-After", "7", True),
        ("Cache-Control", "no-cache, no-store", True),
        ("Access-Control-Allow-Origin", "*", True),
        ("Access-Control-Expose-Headers", "X-A, X-B", True),
        ("Vary", "Accept-Encoding, Origin", True),
        ("openai-processing-ms", "12", True),
        ("X-Request-ID", "founded in 1992", False),
        ("X-Request-ID", "a" * 257, False),
        ("Retry-After", "it was founded in 1992", False),
        ("X-Answer", "Founded-in-1992", False),
        ("X-Cached", "true", True),
        ("X-Process-Time-S", "0.125", True),
        ("Content-Length", "12", False),
        ("X-Groundwire-Id", "12", False),
        ("Content-Disposition", "attachment", False),
        ("Refresh", "0; url=x", False),
    ],
)
def test_what_a_header_may_say(name: str, value: str, told: bool) -> None:
    assert beside_answer([(name, value)]) == ([(name, value)] if told else [])


def test_an_upstreams_own_error_keeps_its_headers() -> None:
    async def answer(_: Request) -> Response:
        return JSONResponse({"error": {"message": "no"}}, 429, {"x-why": "too many at once"})

    with before(answer, continuation="none") as url:
        found = httpx.post(f"{url}{CHAT}", json=ASK, timeout=30)
    assert found.status_code == 429 and found.headers["x-why"] == "too many at once"


HALVES = (json.dumps(ASK).encode()[:20], json.dumps(ASK).encode()[20:])


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize(
    ("coding", "data", "status", "part"),
    [
        ("gzip", gzip.compress(HALVES[0]) + gzip.compress(HALVES[1]), 200, ""),
        ("gzip", gzip.compress(b"".join(HALVES)) + gzip.compress(b""), 200, ""),
        ("gzip", gzip.compress(b"".join(HALVES)) + gzip.compress(b"{}"), 400, "not JSON"),
        ("gzip", gzip.compress(b"".join(HALVES)) + b"junk", 400, "no gzip"),
        ("gzip", gzip.compress(b"".join(HALVES)) + gzip.compress(b" ")[:-4], 400, "ends inside"),
        ("gzip", gzip.compress(b" " * 9000) * 9, 413, "at most"),
        ("deflate", zlib.compress(b"".join(HALVES)), 200, ""),
        ("deflate", zlib.compress(b"".join(HALVES)) + b"{}", 400, "behind its end"),
    ],
    ids=["two", "empty", "more", "junk", "torn", "large", "deflate", "behind"],
)
def test_all_of_a_packed_body_is_read(
    packed: tuple[str, Model], coding: str, data: bytes, status: int, part: str, size: int
) -> None:
    url, model = packed
    model.seen.clear()
    parts = (data[at : at + size] for at in range(0, len(data), size))
    headers = {"content-type": "application/json", "content-encoding": coding}
    found = httpx.post(f"{url}{CHAT}", content=parts, headers=headers, timeout=30)
    assert found.status_code == status, found.text
    if status == 200:
        assert model.seen == [ASK]
    else:
        assert part in found.json()["error"]["message"]


@pytest.fixture(scope="module")
def packed() -> Iterator[tuple[str, Model]]:
    model = Model()
    with gateway(model, continuation="none", limits={"max_body": 20_000}) as (url, _):
        yield url, model


@contextlib.contextmanager
def raw(*sent: str) -> Iterator[str]:
    """Serve parts of an answer to everybody, and keep the connection; give the server's root."""
    ready, ended = threading.Event(), threading.Event()
    ports: list[int] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            for part in sent:
                writer.write(part.encode())
                await writer.drain()
                await asyncio.sleep(0.3)
            while not ended.is_set():
                await asyncio.sleep(0.02)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()
        async with server:
            while not ended.is_set():
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.5)

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    assert ready.wait(30)
    try:
        yield f"http://127.0.0.1:{ports[0]}"
    finally:
        ended.set()
        thread.join(30)


HEAD = "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("stream", [True, False])
def test_chunks_that_are_none_are_told_at_once(stream: bool) -> None:
    chunk = {"choices": [{"index": 0, "delta": {"content": "It is open. "}, "finish_reason": None}]}
    data = f"data: {json.dumps(chunk)}\n\n" if stream else '{"choices": ['
    head = HEAD.format("text/event-stream" if stream else "application/json")
    with raw(f"{head}{len(data):x}\r\n{data}\r\n", "ZZ\r\nfoo") as root:
        made = Gateway(root, Config.load(environ={}, serving={"continuation": "none"}), environ={})
        with served(create_app(made)) as url:
            began = time.monotonic()
            found = httpx.post(f"{url}{CHAT}", json={**ASK, "stream": stream}, timeout=100)
            assert time.monotonic() - began < made.serving.timeouts.idle.total_seconds() / 2
    error = strict(found.content)[-2]["error"] if stream else found.json()["error"]
    assert error["code"] == "upstream_malformed" and "HTTP" in error["message"]
    assert not stream or text_of(strict(found.content)) == "It is open. "


def test_an_error_in_place_of_a_stream_is_told() -> None:
    sends: list[Response] = []

    async def answer(_: Request) -> Response:
        return sends[-1]

    with before(answer, continuation="none") as url:
        for data, code, part in (
            ({"error": {"message": "the GPU is full"}}, "upstream_error", "the GPU is full"),
            ({"object": "error", "message": "no such model"}, "upstream_error", "no such model"),
            ({"choices": []}, "upstream_malformed", "sent application/json"),
        ):
            sends.append(JSONResponse(data))
            found = httpx.post(f"{url}{CHAT}", json={**ASK, "stream": True}, timeout=30)
            assert found.status_code == 502
            assert (
                found.json()["error"]["code"] == code and part in found.json()["error"]["message"]
            )


@pytest.mark.parametrize("size", [1, 100, 10_000])
def test_an_event_has_a_limit_however_it_comes(size: int) -> None:
    good, most = b"data: {}\n\n", 1024
    for bad in (
        b"data: " + b"x" * most + b"\n\n",
        b"data: x\n" * 600 + b"\n",
        b": " + b"x" * most + b"\n\n",
    ):
        data, reader = good + bad, Reader(most)
        found = []
        with pytest.raises(UpstreamFault, match="more than 1024 bytes"):
            for at in range(0, len(data), size):
                found.extend(reader.feed(data[at : at + size]))
            pytest.fail("an event is too large")
    fits = b"data: " + b"x" * (most - 6) + b"\n\n"
    reader = Reader(most)
    assert [e for at in range(0, len(fits), size) for e in reader.feed(fits[at : at + size])]


def test_what_came_before_an_event_that_is_too_large_is_delivered() -> None:
    def chunk(text: str) -> str:
        one = {"index": 0, "delta": {"content": text}, "finish_reason": None}
        return f"data: {json.dumps({'choices': [one]})}\n\n"

    async def answer(_: Request) -> Response:
        data = chunk("It is open. ") + chunk("x" * 5000) + "data: [DONE]\n\n"
        return Response(data, media_type="text/event-stream")

    with before(answer, continuation="none", limits={"max_event": 1024}) as url:
        found = strict(httpx.post(f"{url}{CHAT}", json={**ASK, "stream": True}, timeout=30).content)
    assert text_of(found) == "It is open. "
    assert found[-2]["error"]["code"] == "upstream_malformed"


@pytest.mark.parametrize("policy", ["default", "off"])
@pytest.mark.parametrize("text", ["Fine.\r", "Fine\r\n\r\n\r", "\r", "It is\r\nopen.\r\n"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_last_token_of_a_text_that_ends_in_a_line_is_told(
    text: str, size: int, policy: str
) -> None:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    named = [{"token": one, "logprob": -0.1, "bytes": [*one.encode()]} for one in pieces]

    async def answer(request: Request) -> Response:
        if not (await request.json()).get("stream"):
            one = {"index": 0, "message": {"role": "assistant", "content": text}}
            one |= {"finish_reason": "stop", "logprobs": {"content": named}}
            return JSONResponse({"choices": [one]})
        sent = ""
        for piece, token in zip(pieces, named, strict=True):
            one = {"index": 0, "delta": {"content": piece}, "logprobs": {"content": [token]}}
            sent += f"data: {json.dumps({'choices': [{**one, 'finish_reason': None}]})}\n\n"
        sent += 'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n'
        return Response(f"{sent}data: [DONE]\n\n", media_type="text/event-stream")

    body = {**ASK, "logprobs": True, "groundwire": policy}
    with before(answer, continuation="none", requests_may_lower=True) as url:
        found = httpx.post(f"{url}{CHAT}", json=body, timeout=30).json()["choices"][0]
        assert found["message"]["content"] == text
        told = found["logprobs"]["content"]
        assert [one["token"] for one in told] == pieces
        events = strict(httpx.post(f"{url}{CHAT}", json={**body, "stream": True}).content)
        assert text_of(events) == text
        choices = [one for event in events[:-1] for one in event["choices"]]
        told = [e["token"] for c in choices for e in (c.get("logprobs") or {}).get("content") or ()]
        assert told == pieces


def test_requests_for_what_is_not_served_are_counted() -> None:
    with gateway(Model(), continuation="none") as (url, _):
        for path in ("/v1/embeddings", "/v1/messages", f"{CHAT}/"):
            assert httpx.post(f"{url}{path}", json={}).status_code == 404
        assert httpx.get(f"{url}{CHAT}").status_code == 405
        told = httpx.get(f"{url}/metrics").text
    assert 'groundwire_requests_total{route="unknown",status="404"} 3.0' in told
    assert 'groundwire_requests_total{route="unknown",status="405"} 1.0' in told
    assert "embeddings" not in told


def test_an_end_of_the_gateways_own_is_no_fault_of_the_upstream() -> None:
    ended = UpstreamFault(SHUTTING_DOWN, "the gateway is shutting down").body()["error"]
    assert (ended["type"], ended["code"]) == ("server_error", "shutting_down")
    assert UpstreamFault("upstream_reset", "x").body()["error"]["type"] == "upstream_error"


def test_a_request_is_a_line_of_json() -> None:
    with served(application(Model((RIGHT,)))) as root:
        words = [sys.executable, "-m", "groundwire", "serve", "--upstream", root, "--port", "0"]
        with subprocess.Popen(
            [*words, "--verbose"], stderr=subprocess.PIPE, text=True, encoding="utf-8"
        ) as server:
            assert server.stderr is not None
            line = ""
            while " on http" not in line:
                line = server.stderr.readline()
                assert line, "the server did not start"
            url = line.split(" on ")[1].partition(",")[0]
            httpx.post(f"{url}{CHAT}", json=ASK, timeout=30)
            httpx.post(f"{url}/v1/embeddings", json={}, timeout=30)
            late = threading.Timer(60, server.kill)
            late.start()
            lines = list[str]()
            while sum(one.startswith("{") for one in lines) < 2:
                line = server.stderr.readline()
                assert line, "a request left no line"
                lines.append(line.rstrip("\n"))
            late.cancel()
            server.kill()
    found = [json.loads(one) for one in lines if one.startswith("{")]
    assert [(one["event"], one["route"], one["status"]) for one in found] == [
        ("request", CHAT, 200),
        ("request", "unknown", 404),
    ]
    assert all(re.fullmatch(r"[\d-]{10}T[\d:.]{12}\+00:00", one["time"]) for one in found)
    assert not any('{"event"' in one for one in lines if not one.startswith("{"))
