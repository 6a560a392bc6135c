"""An upstream for the gateway's tests: a model of scripts behind real HTTP, and servers on threads.

The model writes the first of its scripts that begins with what it is to continue. How it takes the
beginning of an answer is what real servers differ in: some continue it, some begin anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import openai
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

import gateway_responses
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway

COLOURS = ("red", "green", "blue")
MODEL = "script-1"
KB = [
    {"name": "Harbour Museum", "attributes": {"founded": 1987, "employees": 45}},
    {"name": "Sarah Chen", "attributes": {"department": "Engineering"}},
]
RIGHT = "The Harbour Museum was founded in 1987. It has 45 employees."
WRONG = "The Harbour Museum was founded in 1992. It has 45 employees. It is open."


@dataclass
class Model:
    """What the upstream writes, how, and what goes wrong.

    ``continues`` is how it takes the beginning of an answer: ``final_message``, ``tokens`` (both,
    as vLLM), or ``restart``. ``fault`` happens after ``after`` chunks.
    """

    scripts: tuple[str, ...] = (RIGHT,)
    texts: tuple[str, ...] = ()
    """What a stream's choices say, where each says something else."""
    continues: str = "restart"
    size: int = 4
    fault: str = ""
    after: int = 3
    logprob: float = -0.25
    tool_call: bool = False
    stays_open: bool = False
    """Whether a stream has neither usage nor its mark behind the last text."""
    delay_s: float = 0.0
    seen: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    aborted: int = 0
    written: int = 0

    def more(self) -> dict[str, Any]:
        """Return fields of the server's own, for answers and their choices."""
        return {}

    def goes_on(self, prefix: str) -> str:
        """Return what follows ``prefix``."""
        if prefix.startswith("red, green"):
            n = prefix.count(",")
            return " " + ", ".join(COLOURS[(n + i) % 3] for i in range(3)) + ","
        for script in self.scripts:
            if script.startswith(prefix) and len(script) > len(prefix):
                return script[len(prefix) :]
        return ""

    def cut(self, text: str) -> list[str]:
        return [text[i : i + self.size] for i in range(0, len(text), self.size)]


class Says(Model):
    """An upstream that says the same whatever the request is."""

    def goes_on(self, prefix: str) -> str:
        del prefix
        return self.scripts[0]


def _chat_prefix(model: Model, body: dict[str, Any]) -> str:
    last = body["messages"][-1]
    asked = body.get("continue_final_message") and body.get("add_generation_prompt") is False
    if last["role"] == "assistant" and asked and model.continues in {"final_message", "tokens"}:
        content = last["content"]
        if isinstance(content, list):
            return "".join(part["text"] for part in content)
        return str(content)
    return ""


def _budget(body: dict[str, Any]) -> int:
    """Return how many tokens may be written; a number below zero is no limit, as at llama.cpp's."""
    most = int(body.get("max_completion_tokens") or body.get("max_tokens") or -1)
    return most if most > 0 else 1 << 30


def _entry(piece: str, logprob: float) -> dict[str, Any]:
    top = [{"token": piece, "logprob": logprob, "bytes": list(piece.encode())}]
    top.append({"token": "zzz", "logprob": -3.0, "bytes": [122, 122, 122]})
    return {**top[0], "top_logprobs": top}


async def _begun() -> AsyncIterator[bytes]:
    yield b'{"choices": ['


async def _half() -> AsyncIterator[bytes]:
    yield b'{"choices": ['
    await asyncio.sleep(0.01)
    raise RuntimeError("the upstream breaks off")


async def _stalls() -> AsyncIterator[bytes]:
    yield b'{"id":'
    await asyncio.sleep(30)


async def _spoilt(fault: str) -> Response | None:
    """Return the answer in one piece that is none, for the faults that spoil it; wait for one."""
    form = "application/json"
    if fault == "stall":
        await asyncio.sleep(30)
    if fault in {"no_choices", "error"}:
        # An error that says so in its body alone.
        return JSONResponse(
            {"id": "x"} if fault == "no_choices" else {"error": {"message": "full"}}
        )
    if fault == "stall_inside":
        return StreamingResponse(_stalls(), media_type=form, headers={"content-length": "500"})
    if fault == "reset":
        return StreamingResponse(_half(), media_type=form)
    if fault == "eof":
        return StreamingResponse(_begun(), media_type=form, headers={"content-length": "500"})
    bodies = {"malformed": b"{not json", "binary": b'{"id": "\xff\xfe"}', "early_done": b""}
    if fault == "events":
        return Response(b"data: [DONE]\n\n", media_type="text/event-stream")
    return Response(bodies[fault], media_type=form) if fault in bodies else None


def application(model: Model) -> Starlette:
    """Return the upstream."""

    async def note(request: Request) -> dict[str, Any]:
        body = json.loads(await request.body())
        model.seen.append(body)
        model.headers.append(dict(request.headers))
        return body

    def refusal() -> Response | None:
        if model.fault == "status":
            return JSONResponse(
                {"error": {"message": "too many", "type": "rate_limit", "code": "slow_down"}},
                429,
                {"retry-after": "7"},
            )
        return None

    def choice(chat: bool, i: int, piece: str, finish: str | None, body: Any) -> dict[str, Any]:
        found: dict[str, Any] = {"index": i, "finish_reason": finish, "logprobs": None}
        if chat:
            found["delta"] = {"content": piece} if piece else {}
            if body.get("logprobs") and piece:
                found["logprobs"] = {"content": [_entry(piece, model.logprob)]}
        else:
            found["text"] = piece
            if body.get("logprobs") is not None and piece:
                found["logprobs"] = {
                    "tokens": [piece],
                    "token_logprobs": [model.logprob],
                    "top_logprobs": [{piece: model.logprob, "zzz": -3.0}],
                    "text_offset": [0],
                }
        return found

    async def stream(chat: bool, body: dict[str, Any], prefix: str) -> AsyncIterator[bytes]:
        count = len(model.texts) or int(body.get("n") or 1)
        texts = model.texts or (model.goes_on(prefix),) * count
        options = body.get("stream_options") or {}
        base = {
            "id": "up-1",
            "object": "chat.completion.chunk" if chat else "text_completion",
            "created": 1700000000,
            "model": body["model"],
        }
        sent = 0

        def usage() -> dict[str, int]:
            return {"prompt_tokens": 11, "completion_tokens": sent, "total_tokens": 11 + sent}

        def event(choices: list[Any], **more: Any) -> bytes:
            if options.get("continuous_usage_stats"):
                more.setdefault("usage", usage())
            choices = [{**one, **model.more()} for one in choices]
            data = {**base, "choices": choices, **more, **model.more()}
            return b"data: " + json.dumps(data).encode() + b"\n\n"

        finished = False
        try:
            if chat:
                for i in range(count):
                    delta = {"role": "assistant", "content": ""}
                    yield event([{"index": i, "delta": delta, "finish_reason": None}])
            if model.tool_call:
                call = {"index": 0, "id": "c1", "type": "function"}
                call["function"] = {"name": "look_up", "arguments": '{"q": 1992}'}
                yield event([{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}])
            most = _budget(body)
            cuts = [model.cut(text) for text in texts]
            cut = max(cuts, key=len)
            for step in range(len(cut[:most])):
                if model.fault and step == model.after:
                    if (raw := await gateway_responses.broken(model.fault)) is not None:
                        yield raw
                    if model.fault == "error":
                        yield b'data: {"error": {"message": "out of memory", "code": 500}}\n\n'
                    if model.fault == "no_choices":
                        yield b'data: {"id": "x"}\n\n'
                    if model.fault == "eof":
                        return
                    if model.fault == "early_done":
                        yield b"data: [DONE]\n\n"
                        return
                said = {i: cuts[i][step] for i in range(count) if step < len(cuts[i])}
                sent += len(said)
                model.written += len(said)
                yield event([choice(chat, i, piece, None, body) for i, piece in said.items()])
                if model.delay_s:
                    await asyncio.sleep(model.delay_s)
            why = "length" if len(cut) > most else "tool_calls" if model.tool_call else "stop"
            yield event([choice(chat, i, "", why, body) for i in range(count)])
            if model.stays_open:
                await asyncio.sleep(30)
            if options.get("include_usage"):
                yield event([], usage=usage())
            yield b"data: [DONE]\n\n"
            finished = True
        finally:
            model.aborted += not finished

    async def answer(request: Request, chat: bool) -> Response:
        body = await note(request)
        if (refused := refusal()) is not None:
            return refused
        prompt = body.get("prompt")
        if isinstance(prompt, list) and prompt and isinstance(prompt[0], list):
            prompt = prompt[0]
        if isinstance(prompt, list) and prompt and isinstance(prompt[0], int):
            # Ids are characters here; the prompt ends where the answer begins.
            prompt = "".join(map(chr, prompt)).rpartition("\x00")[2]
            prefix = prompt
        elif chat:
            prefix = _chat_prefix(model, body)
        else:
            prefix = (prompt[0] if isinstance(prompt, list) else prompt).partition("\n")[2]
        if body.get("stream"):
            if model.fault == "json":
                return JSONResponse({"choices": []})
            return StreamingResponse(
                stream(chat, body, prefix), headers={"content-type": "text/event-stream"}
            )
        if (spoilt := await _spoilt(model.fault)) is not None:
            return spoilt
        text = model.goes_on(prefix)
        most = _budget(body)
        cut = model.cut(text)
        model.written += len(cut[:most])
        text, why = "".join(cut[:most]), "length" if len(cut) > most else "stop"
        choices = []
        for i in range(int(body.get("n") or 1)):
            one: dict[str, Any] = {"index": i, "finish_reason": why, "logprobs": None}
            if chat:
                one["message"] = {"role": "assistant", "content": text}
                if body.get("logprobs"):
                    entries = [_entry(piece, model.logprob) for piece in cut[:most]]
                    one["logprobs"] = {"content": entries}
            else:
                one["text"] = text
            choices.append(one)
        choices = [{**one, **model.more()} for one in choices]
        used = len(cut[:most]) * len(choices)
        usage = {"prompt_tokens": 11, "completion_tokens": used, "total_tokens": 11 + used}
        base = {"id": "up-1", "object": "chat.completion", "created": 1, "model": body["model"]}
        data = {**base, "choices": choices, "usage": usage, **model.more()}
        return JSONResponse(data, headers={"x-up": "1"})

    async def chat(request: Request) -> Response:
        return await answer(request, True)

    async def completions(request: Request) -> Response:
        return await answer(request, False)

    async def responses(request: Request) -> Response:
        body = await note(request)
        if (refused := refusal()) is not None:
            return refused
        if body.get("stream"):
            if model.fault == "json":
                return JSONResponse({"output": []})
            return StreamingResponse(
                gateway_responses.events(model, body), headers={"content-type": "text/event-stream"}
            )
        if (spoilt := await _spoilt(model.fault)) is not None:
            return spoilt
        text, cut = gateway_responses.limited(model, body)
        output = [gateway_responses.message(text)]
        if model.tool_call:
            output.append(gateway_responses.CALL)
        why = "incomplete" if cut else "completed"
        return JSONResponse(gateway_responses.response(body.get("model", MODEL), why, output))

    async def tokenize(request: Request) -> Response:
        body = await note(request)
        if model.continues != "tokens":
            return JSONResponse({"error": {"message": "not found"}}, 404)
        text = "\x00" + _chat_prefix(model, body)
        return JSONResponse({"tokens": [ord(c) for c in text], "max_model_len": 4096})

    async def models(request: Request) -> Response:
        model.headers.append(dict(request.headers))
        if model.fault == "stall_inside":
            return StreamingResponse(_stalls(), media_type="application/json")
        return JSONResponse({"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    return Starlette(
        routes=[
            Route("/v1/chat/completions", chat, methods=["POST"]),
            Route("/v1/completions", completions, methods=["POST"]),
            Route("/v1/responses", responses, methods=["POST"]),
            Route("/tokenize", tokenize, methods=["POST"]),
            Route("/v1/models", models),
        ]
    )


@contextlib.contextmanager
def served(app: Any) -> Iterator[str]:
    """Serve an application on loopback, on a thread; give its root."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        until = time.monotonic() + 30
        while not server.started:
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(30)


@contextlib.contextmanager
def gateway(
    model: Model | None, *, environ: dict[str, str] | None = None, **serving: Any
) -> Iterator[tuple[str, Gateway]]:
    """Serve a gateway before a model; give its root and itself. No model is nobody at all."""
    with contextlib.ExitStack() as stack:
        if model is None:
            with socket.socket() as unused:
                unused.bind(("127.0.0.1", 0))
                root = f"http://127.0.0.1:{unused.getsockname()[1]}"
        else:
            root = stack.enter_context(served(application(model)))
        config = Config.load(environ={}, serving=serving)
        made = Gateway(root, config, environ=environ or {})
        url = stack.enter_context(served(create_app(made)))
        if model is not None:
            until = time.monotonic() + 30
            while made.prober is None or not made.prober.done.is_set():
                assert time.monotonic() < until, "the probe did not end"
                time.sleep(0.005)
        yield url, made


def settled(made: Gateway) -> None:
    """Wait until every answer is over, behind its last byte too."""
    until = time.monotonic() + 30
    while made.open:
        assert time.monotonic() < until, "an answer does not end"
        time.sleep(0.005)


def streamed(found: list[dict[str, Any]]) -> Response:
    """Return an answer of the first choice's chunks as events."""
    base = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": MODEL}
    chunks = ({**base, "choices": [{"index": 0, **one}]} for one in found)
    events = (f"data: {json.dumps(one)}\n\n".encode() for one in chunks)
    return StreamingResponse(events, media_type="text/event-stream")


@contextlib.contextmanager
def before(answer: Any, path: str = "/v1/chat/completions", **serving: Any) -> Iterator[str]:
    """Serve a gateway before an upstream that answers at a path; return the gateway's address."""
    route = Route(path, answer, methods=["POST"])
    with served(Starlette(routes=[route])) as root:
        made = Gateway(root, Config.load(environ={}, serving=serving), environ={})
        with served(create_app(made)) as url:
            yield url


def knowledge(folder: Any) -> dict[str, Any]:
    """Return the serving section's keys for the knowledge base of the tests."""
    path = folder / "museum.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in KB), encoding="utf-8")
    return {"knowledge_bases": {"museum": str(path)}, "default_knowledge_base": "museum"}


def client(url: str, **given: Any) -> openai.OpenAI:
    """Return the official client, which keeps no connection open."""
    http = httpx.Client(limits=httpx.Limits(max_keepalive_connections=0), timeout=60)
    given = {"api_key": "sk-client", "max_retries": 0, "http_client": http, **given}
    return openai.OpenAI(base_url=f"{url}/v1", **given)
