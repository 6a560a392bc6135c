"""Clients that stop reading: their connection ends, and nobody logs a fault."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
import time
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from gateway_upstream import MODEL, served
from groundwire.config import Config
from groundwire.gateway.core import Gateway
from groundwire.gateway.server import listen, make_server


async def long(_: Request) -> Response:
    chunk = {"choices": [{"index": 0, "delta": {"reasoning_content": "hm " * 20_000}}]}
    data = f"data: {json.dumps(chunk)}\n\n".encode()

    async def events() -> AsyncIterator[bytes]:
        for _ in range(400):
            yield data

    return StreamingResponse(events(), media_type="text/event-stream")


def test_a_client_that_stops_reading_is_left_quietly(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    routes = [Route("/v1/chat/completions", long, methods=["POST"])]
    with served(Starlette(routes=routes)) as root, listen("127.0.0.1", 0) as listening:
        limits = {"timeouts": {"client": "500ms", "drain": "1s"}, "continuation": "none"}
        made = Gateway(root, Config.load(environ={}, serving=limits), environ={})
        server = make_server(made)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        log = logging.getLogger("uvicorn.error")
        monkeypatch.setattr(log, "handlers", [caplog.handler])
        monkeypatch.setattr(log, "level", logging.WARNING)
        ask = {"model": MODEL, "stream": True, "messages": [{"role": "user", "content": "?"}]}
        body = json.dumps(ask).encode()
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
        port = urlsplit(f"//127.0.0.1:{listening.getsockname()[1]}").port
        assert port is not None
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
                client.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
                assert client.recv(100).startswith(b"HTTP/1.1 200")
                until = time.monotonic() + 30
                while made.open:
                    assert time.monotonic() < until, "the answer does not end"
                    time.sleep(0.02)
                # The server has let go of it: what it had not sent never comes.
                got = 0
                with contextlib.suppress(ConnectionError):
                    while part := client.recv(1 << 20):
                        got += len(part)
                assert 0 < got < 400 * 60_000
        finally:
            server.should_exit = True
            thread.join(30)
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []
