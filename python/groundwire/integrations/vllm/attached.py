"""Puts an object ``groundwire`` with what was found into the answers of vLLM's server."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from groundwire.integrations.vllm.front import Answers

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
DONE = b"data: [DONE]\n\n"
LAST = (
    b"event: response.completed", b"event: response.incomplete", b"event: response.failed",
    b"event: message_stop",
)  # fmt: skip
"""Events that end a stream of ``/v1/responses`` and ``/v1/messages``."""
_SHARED = ("id", "object", "created", "model")


class Attached:
    """Wraps an ASGI ``send``: the final chunk, or the whole body, gets the findings.

    The server sends each event of a stream in a piece of its own, and a line break inside of an
    event's data is escaped, so that an event's end is seen by its bytes.
    """

    def __init__(self, send: Send, answers: Answers) -> None:
        """Prepare; ``answers`` are complete when the last piece is sent."""
        self._send, self._answers = send, answers
        self._start: MutableMapping[str, Any] | None = None
        self._stream = False
        self._body = b""
        self._event = b""

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        """Send one message of the server on."""
        if message["type"] == "http.response.start":
            headers = {name.lower(): value for name, value in message["headers"]}
            kind = headers.get(b"content-type", b"").split(b";")[0].strip()
            self._stream = kind == b"text/event-stream"
            if message["status"] == 200 and kind == b"application/json":
                self._start = message
                return
        elif message["type"] == "http.response.body":
            if self._start is not None:
                await self._whole(message)
                return
            if self._stream:
                message = {**message, "body": self._piece(message.get("body", b""))}
        await self._send(message)

    async def _whole(self, message: MutableMapping[str, Any]) -> None:
        self._body += message.get("body", b"")
        if message.get("more_body", False):
            return
        assert self._start is not None
        body, found = self._body, self._answers.summary()
        if found is not None:
            body = _added(body, found)
        headers = [(n, v) for n, v in self._start["headers"] if n.lower() != b"content-length"]
        headers.append((b"content-length", str(len(body)).encode()))
        await self._send({**self._start, "headers": headers})
        self._start = None
        await self._send({"type": "http.response.body", "body": body})

    def _piece(self, body: bytes) -> bytes:
        """Return a piece of a stream, with the findings if it is the last one."""
        found = self._answers.summary() if body.endswith(DONE) or body.startswith(LAST) else None
        if found is None:
            self._event = body or self._event
            return body
        if body.startswith(LAST):
            head, _, data = body.partition(b"data: ")
            return head + b"data: " + _added(data.strip(), found, inside="response") + b"\n\n"
        before = body.removesuffix(DONE)
        shared = _json((before or self._event).strip().rpartition(b"data: ")[2])
        chunk = {name: shared[name] for name in _SHARED if name in shared}
        own = json.dumps({**chunk, "choices": [], "groundwire": found}, ensure_ascii=False)
        return before + b"data: " + own.encode("utf-8", "replace") + b"\n\n" + DONE


def _added(body: bytes, found: dict[str, Any], inside: str = "") -> bytes:
    """Return an object with the findings in it, or in its part ``inside`` if it has one."""
    data = _json(body)
    if not data:
        return body
    place = data.get(inside)
    (place if isinstance(place, dict) else data)["groundwire"] = found
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _json(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
