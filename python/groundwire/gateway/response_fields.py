"""Responses and their items made anew of known fields; see ``fields``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.gateway.fields import (
    citations,
    known,
    mark,
    number,
    numbers,
    objects,
    opaque,
    strings,
)

Json = dict[str, Any]
WORDS = {"output_text": "text", "refusal": "refusal"}
"""Types of content that are text of the answer, and where they have it."""
RAN = (
    "file_search_call", "web_search_call", "code_interpreter_call", "image_generation_call",
    "mcp_call", "shell_call_output", "apply_patch_call_output",
)  # fmt: skip
"""Items that tell of tools which the upstream itself has run."""
_MARKS = ("id", "object", "model", "status", "service_tier", "previous_response_id", "truncation")
# What a response repeats of its request. It is taken from there where it could hold other words.
_ECHOED = (
    "instructions", "metadata", "prompt", "prompt_cache_key", "prompt_cache_retention", "reasoning",
    "safety_identifier", "text", "tool_choice", "tools", "user", "conversation", "include",
)  # fmt: skip
_ITEM = ("id", "type", "status", "call_id", "phase", "role", "server_label", "container_id")
# Calls and what they brought, which pass as they are.
_HELD: dict[str, tuple[str, ...]] = {
    "function_call": ("name", "arguments", "namespace"),
    "custom_tool_call": ("name", "input", "namespace"),
    "file_search_call": ("queries", "results"),
    "web_search_call": ("action",),
    "computer_call": ("action", "actions", "pending_safety_checks"),
    "code_interpreter_call": ("code", "outputs"),
    "image_generation_call": ("result", "size", "quality", "background", "output_format"),
    "local_shell_call": ("action",),
    "shell_call": ("action", "environment"),
    "shell_call_output": ("output", "max_output_length"),
    "apply_patch_call": ("operation",),
    "apply_patch_call_output": ("output",),
    "mcp_call": ("name", "arguments", "output", "error", "approval_request_id"),
    "mcp_list_tools": ("tools", "error"),
    "mcp_approval_request": ("name", "arguments"),
    "tool_search_call": ("arguments", "execution"),
    "compaction": ("encrypted_content",),
    "reasoning": ("encrypted_content",),
    "message": (),
}


def response(data: Json, request: Mapping[str, Any]) -> Json:
    """Return a response with its items, all of known fields."""
    found = known(data, _MARKS)
    if "model" in data and "model" not in found:
        found["model"] = request.get("model")
    for name in _ECHOED:
        if name in data:
            value = data[name]
            found[name] = value if _bare(value) else request.get(name)
    details = data.get("incomplete_details")
    if isinstance(details, Mapping):
        found["incomplete_details"] = known(details, ("reason",))
    error = data.get("error")
    if isinstance(error, Mapping) and error:
        found["error"] = strings(error, ("code", "message"))
    if isinstance(data.get("usage"), Mapping):
        found["usage"] = numbers(data["usage"])
    output = data.get("output")
    listed = output if isinstance(output, list) else ()
    found["output"] = [item(one if isinstance(one, dict) else {}) for one in listed]
    return found


def clean(response: Json) -> Json:
    """Take out what stands in place of no items and of unknown parts, for the others' numbers."""
    response["output"] = [clean_item(one) for one in response["output"] if one]
    return response


def clean_item(item: Json) -> Json:
    """Take out of an item what stands in place of unknown parts."""
    if item.get("type") == "message":
        item["content"] = [one for one in item["content"] if one]
    return item


_REFERS = ("item_id", "output_index", "content_index", "summary_index")
# Events that hold no text of the answer, by how their names begin, and what they hold.
_EVENTS: dict[str, tuple[str, ...]] = {
    "response.function_call_arguments.": ("delta", "arguments", "name", "call_id"),
    "response.custom_tool_call_input.": ("delta", "input"),
    "response.mcp_call_arguments.": ("delta", "arguments"),
    "response.mcp_": (),
    "response.file_search_call.": (),
    "response.web_search_call.": (),
    "response.code_interpreter_call_code.": ("delta", "code"),
    "response.code_interpreter_call.": (),
    "response.image_generation_call.": (
        "partial_image_b64", "partial_image_index", "size", "quality", "background",
        "output_format",
    ),
    "response.reasoning": ("delta", "text"),
}  # fmt: skip
_SPEECH = ("response.audio.", "response.output_audio")


def event(data: Json, *, audio: bool) -> Json:
    """Return an event that passes without being judged, of known fields; else an empty one."""
    kind = data["type"]
    names = next((held for begin, held in _EVENTS.items() if kind.startswith(begin)), None)
    if names is None and audio and kind.startswith(_SPEECH):
        names = ("delta", "transcript")
    if names is None:
        return {}
    found = {"type": kind, **known(data, _REFERS), **strings(data, names)}
    given = data.get("part")
    if kind.startswith("response.reasoning") and isinstance(given, dict) and _thought(given):
        found["part"] = strings(given, ("type", "text"))
    return found


def item(data: Json) -> Json:
    """Return an item of known fields; of an unknown kind, that it is there."""
    kind = data.get("type", "message" if "content" in data else None)
    if not isinstance(kind, str) or kind not in _HELD:
        named = {name: data[name] for name in ("id", "status") if mark(data.get(name))}
        return {**named, "type": kind if mark(kind) else "unknown"}
    found = {**known(data, _ITEM), "type": kind}
    found |= {name: data[name] for name in _HELD[kind] if name in data}
    if kind != "message":
        # An id may carry more than a name, such as a signature.
        found |= strings(data, ("id", "call_id"))
    if "encrypted_content" in found and not opaque(found["encrypted_content"]):
        found["encrypted_content"] = None
    if kind == "reasoning":
        for name in ("summary", "content"):
            if isinstance(data.get(name), list):
                found[name] = [
                    strings(one, ("type", "text")) for one in objects(data[name]) if _thought(one)
                ]
    elif kind == "message":
        found["role"] = "assistant"
        content = data.get("content")
        given = [{"type": "output_text", "text": content}] if isinstance(content, str) else content
        given = [
            {"type": "output_text", "text": one} if isinstance(one, str) else one
            for one in (given if isinstance(given, list) else ())
        ]
        found["content"] = [part(one) if isinstance(one, dict) else {} for one in given]
    return found


def is_unknown(item: Json) -> bool:
    """Whether an item only keeps the place of one of an unknown kind, for the others' numbers."""
    return item.get("type") not in _HELD


def part(data: Json) -> Json:
    """Return a part of a message of known fields; an empty one for an unknown kind."""
    if _thought(data):
        return {}
    if isinstance(data.get("refusal"), str):
        return {"type": "refusal", "refusal": data["refusal"]}
    if not isinstance(data.get("text"), str):
        return {}
    found = {"type": "output_text", "text": data["text"]}
    return {**found, "annotations": citations(data.get("annotations"))} | (
        {"logprobs": data["logprobs"]} if isinstance(data.get("logprobs"), list) else {}
    )


def _thought(part: Json) -> bool:
    """Whether a part is reasoning, and no text of the answer."""
    return str(part.get("type")).startswith(("reasoning", "summary"))


def _bare(value: Any, depth: int = 4) -> bool:
    """Whether a value holds nothing but labels and numbers."""
    if number(value) or mark(value):
        return True
    if not depth:
        return False
    if isinstance(value, Mapping):
        return all(mark(n) and _bare(one, depth - 1) for n, one in value.items())
    return isinstance(value, list) and all(_bare(one, depth - 1) for one in value)
