"""An OpenAI-compatible server on loopback that says what it was told to, over real HTTP."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

EVIDENCE = ["The Copper Lighthouse was lit in 1866 by Tove Karlsen. It has 212 steps."]
TRUE = "The Copper Lighthouse was lit in 1866 by Tove Karlsen. It has 212 steps. Do climb it."
WRONG = "The Copper Lighthouse was lit in 1899 by Tove Karlsen. It has 212 steps. Do climb it."
UNKNOWN = "The Copper Lighthouse was lit in 1866. Mirko Salvesen keeps it now. Do climb it."


def chunk(
    text: str | None = None,
    index: int = 0,
    finish: str | None = None,
    logprobs: Any = None,
    **delta: Any,
) -> dict[str, Any]:
    if text is not None:
        delta["content"] = text
    choice = {"index": index, "delta": delta, "finish_reason": finish, "logprobs": logprobs}
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**head, "choices": [choice]}


def usage(tokens: int) -> dict[str, Any]:
    counts = {"prompt_tokens": 1, "completion_tokens": tokens, "total_tokens": tokens + 1}
    return {**chunk(), "choices": [], "usage": counts}


def chat(pieces: Sequence[str], finish: str = "stop", index: int = 0) -> list[dict[str, Any]]:
    """Return the chunks of one choice: its role, its text, its end."""
    said = [chunk(piece, index) for piece in pieces]
    return [chunk("", index, role="assistant"), *said, chunk(None, index, finish)]


def completion(*texts: str, **message: Any) -> dict[str, Any]:
    """Return finished answers."""
    choices = [
        {
            "index": i,
            "message": {"role": "assistant", "content": text, **message},
            "finish_reason": "stop",
            "logprobs": None,
        }
        for i, text in enumerate(texts)
    ]
    head = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m"}
    return {**head, "choices": choices, "usage": usage(9)["usage"]}


def pieces(text: str, size: int = 4) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


class Upstream:
    """What the server says next, and what became of it.

    ``say`` is a list of events (streams) or one object (anything else). ``gap_s`` is the pause
    between two events. ``sent`` counts the events that went out, ``broken`` says that the client
    went away first, ``asked`` holds the requests' bodies.
    """

    def __init__(self) -> None:
        self.url = ""
        self.reset()

    def reset(self) -> None:
        """Forget everything but the address."""
        self.say: Any = []
        self.gap_s = 0.0
        self.sent = 0
        self.broken = threading.Event()
        self.breaks_after: int | None = None
        self.asked: list[dict[str, Any]] = []


@contextmanager
def serving() -> Iterator[Upstream]:
    """Run a server for as long as the block lasts."""
    upstream = Upstream()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            upstream.asked.append(json.loads(self.rfile.read(length)))
            if isinstance(upstream.say, list):
                self.stream(upstream.say)
                return
            body = json.dumps(upstream.say).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def stream(self, events: Sequence[dict[str, Any]]) -> None:
            self.close_connection = True
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                for number, event in enumerate(events):
                    if upstream.breaks_after == number:
                        return
                    name = f"event: {event['type']}\n" if "type" in event else ""
                    self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())
                    self.wfile.flush()
                    upstream.sent += 1
                    time.sleep(upstream.gap_s)
                self.wfile.write(b"data: [DONE]\n\n")
            except OSError:
                upstream.broken.set()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    upstream.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield upstream
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
