"""Server-sent events read slowly and obviously: the twin of the gateway's reader."""

from __future__ import annotations

import json
from typing import Any


def events(data: bytes) -> list[tuple[str, str]]:
    """Return (name, data) of each complete event, one byte at a time by the standard's steps."""
    text = data.decode("utf-8", "replace")
    text = text.removeprefix("\ufeff")
    lines, line, skip = [], "", False
    for character in text:
        if character == "\n" and skip:
            skip = False
            continue
        skip = character == "\r"
        if character in "\r\n":
            lines.append(line)
            line = ""
        else:
            line += character
    found: list[tuple[str, str]] = []
    name, values = "", []
    for line in lines:
        if line == "":
            if values:
                found.append((name, "\n".join(values)))
            name, values = "", []
            continue
        if line.startswith(":"):
            continue
        field, colon, value = line.partition(":")
        if colon and value.startswith(" "):
            value = value[1:]
        if field == "data":
            values.append(value)
        if field == "event":
            name = value
    return found


def strict(data: bytes) -> list[Any]:
    """Return the JSON of a stream that a strict client accepts; ``[DONE]`` stays a string.

    Every line is a field of one event, every event ends, and nothing comes behind ``[DONE]``.
    """
    assert data.endswith(b"\n\n"), data[-80:]
    found: list[Any] = []
    for block in data[:-2].split(b"\n\n"):
        assert not found or found[-1] != "[DONE]", "something follows [DONE]"
        lines = block.split(b"\n")
        named = lines[0].startswith(b"event: ")
        assert len(lines) == 1 + named, block
        assert lines[-1].startswith(b"data: "), block
        content = lines[-1].removeprefix(b"data: ").decode("utf-8")
        found.append(content if content == "[DONE]" else json.loads(content))
        if named:
            assert lines[0].removeprefix(b"event: ").decode() == found[-1]["type"]
    return found


def text_of(found: list[Any]) -> str:
    """Return what a reader of a stream gets, whatever its route."""
    text = ""
    for one in found:
        if one == "[DONE]":
            continue
        for choice in one.get("choices", ()):
            text += choice.get("text") or (choice.get("delta") or {}).get("content") or ""
        if one.get("type") == "response.output_text.delta":
            text += one["delta"]
    return text
