"""The Responses route of the tests' upstream, with the events of the real one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse


def response(model: str, status: str, output: list[Any]) -> dict[str, Any]:
    usage = {
        "input_tokens": 11,
        "output_tokens": 7,
        "total_tokens": 18,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1700000000,
        "model": model,
        "status": status,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage if status == "completed" else None,
    }


def message(text: str, status: str = "completed") -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": status,
        "content": [part] if text else [],
    }


CALL = {
    "id": "fc_1",
    "type": "function_call",
    "call_id": "c1",
    "name": "look_up",
    "arguments": '{"q": 1992}',
    "status": "completed",
}


async def broken(fault: str) -> bytes | None:
    """Return what a stream sends at a fault that breaks its form; wait or raise as others ask."""
    if fault == "reset":
        raise RuntimeError("the upstream breaks off")
    if fault == "stall":
        await asyncio.sleep(30)
    return {"malformed": b"data: {not json\n\n", "binary": b"data: \xff\xfe\n\n"}.get(fault)


def limited(model: Any, body: dict[str, Any]) -> tuple[str, bool]:
    """Return what of an answer the request's limit lets through, and whether that is less."""
    text, most = model.goes_on(""), body.get("max_output_tokens")
    kept = text if most is None else "".join(model.cut(text)[:most])
    return kept, kept != text


async def events(model: Any, body: dict[str, Any]) -> AsyncIterator[bytes]:
    """Yield the events of an answer."""
    (text, cut), name, number = limited(model, body), body["model"], 0
    at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}

    def event(kind: str, **data: Any) -> bytes:
        nonlocal number
        number += 1
        line = json.dumps({"type": kind, "sequence_number": number - 1, **data})
        return f"event: {kind}\ndata: {line}\n\n".encode()

    finished = False
    try:
        yield event("response.created", response=response(name, "in_progress", []))
        yield event("response.output_item.added", output_index=0, item=message("", "in_progress"))
        part = {"type": "output_text", "text": "", "annotations": []}
        yield event("response.content_part.added", **at, part=part)
        yield event("response.secret_text.delta", delta=text)
        for step, piece in enumerate(model.cut(text)):
            if model.fault and step == model.after:
                if (raw := await broken(model.fault)) is not None:
                    yield raw
                if model.fault == "error":
                    yield event("error", code="x", message="out of memory", param=None)
                if model.fault == "no_choices":
                    yield event("response.output_text.delta", output_index=-1, delta="x")
                if model.fault in {"eof", "early_done"}:
                    return
            yield event("response.output_text.delta", **at, delta=piece, logprobs=[])
            if model.delay_s:
                await asyncio.sleep(model.delay_s)
        yield event("response.output_text.done", **at, text=text, logprobs=[])
        part = {"type": "output_text", "text": text, "annotations": []}
        yield event("response.content_part.done", **at, part=part)
        yield event("response.output_item.done", output_index=0, item=message(text))
        output = [message(text)]
        if model.tool_call:
            yield event("response.output_item.added", output_index=1, item=CALL)
            yield event(
                "response.function_call_arguments.done",
                item_id="fc_1",
                output_index=1,
                name="look_up",
                arguments=CALL["arguments"],
            )
            yield event("response.output_item.done", output_index=1, item=CALL)
            output.append(CALL)
        # As real servers have it, the text and its item end alike, whatever ended the answer.
        why = "incomplete" if cut else "completed"
        yield event(f"response.{why}", response=response(name, why, output))
        finished = True
    finally:
        model.aborted += not finished


class Sender:
    """An upstream that sends the events it is given, or as a whole the response in the last."""

    sends: list[dict[str, Any]]

    async def __call__(self, request: Request) -> Response:
        if not json.loads(await request.body()).get("stream"):
            return JSONResponse(self.sends[-1]["response"])
        events = (f"data: {json.dumps(one)}\n\n".encode() for one in self.sends)
        return StreamingResponse(events, media_type="text/event-stream")
