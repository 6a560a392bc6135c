"""What of an upstream's answer is passed on: fields of known names with values of known kinds.

Servers repeat the answer's text in fields of their own. So a field is taken because it is known; of
the others only numbers, flags and nulls are, which hold no text. Calls of tools are no text of the
answer, and pass whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

Json = dict[str, Any]
_MARK = re.compile(r"[^\s]{1,256}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_REASONING = ("reasoning", "reasoning_content", "thinking")
_LISTED = ("reasoning_details", "thinking_blocks")
_THOUGHT = ("type", "text", "summary", "thinking", "signature", "data", "id", "format", "index")
_CITED = (
    "type", "url", "title", "start_index", "end_index", "index", "file_id", "filename",
    "container_id",
)  # fmt: skip
_CITATIONS = ("url_citation", "file_citation", "container_file_citation", "file_path")
_SOURCE = ("title", "url", "date", "last_updated", "source", "id", "index")
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,15}:\S{1,4096}")


def mark(value: Any) -> bool:
    """Whether a value is an id, a name or a label: a string without white space."""
    return isinstance(value, str) and _MARK.fullmatch(value) is not None


def opaque(value: Any) -> bool:
    """Whether a value is a string that only its maker reads: one without white space."""
    return isinstance(value, str) and not re.search(r"\s", value)


def number(value: Any) -> bool:
    """Whether a value is null, a flag or a finite number."""
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, bool | int)


def known(data: Mapping[str, Any], marks: Iterable[str], left_out: Iterable[str] = ()) -> Json:
    """Return the ids and labels among ``marks``, and every number, flag and null."""
    named, out = set(marks), set(left_out)
    return {
        name: value
        for name, value in data.items()
        if name not in out
        and ((name in named and mark(value)) or (number(value) and _NAME.fullmatch(name)))
    }


def numbers(data: Any, depth: int = 3) -> Json:
    """Return an object's numbers, those of objects in it too: usage, timings."""
    found: Json = {}
    for name, value in data.items() if isinstance(data, Mapping) and depth else ():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            continue
        if number(value):
            found[name] = value
        elif isinstance(value, Mapping):
            found[name] = numbers(value, depth - 1)
    return found


def strings(data: Mapping[str, Any], names: Iterable[str]) -> Json:
    """Return those fields of ``names`` that are strings, numbers or null."""
    given = {name: data[name] for name in names if name in data}
    return {name: value for name, value in given.items() if isinstance(value, str) or number(value)}


def objects(value: Any) -> list[Json]:
    """Return the objects in a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def beside(part: Mapping[str, Any], *, audio: bool) -> Json:
    """Return what a chat's message or delta holds beside its text: calls, reasoning, media.

    ``audio`` says whether the request asked for speech, which comes with its transcript.
    """
    found: Json = {}
    if mark(part.get("role")):
        found["role"] = part["role"]
    if isinstance(part.get("tool_calls"), list):
        found["tool_calls"] = objects(part["tool_calls"])
    if isinstance(part.get("function_call"), dict):
        found["function_call"] = part["function_call"]
    if signed := _signatures(part.get("extra_content")):
        found["extra_content"] = signed
    if isinstance(part.get("annotations"), list):
        found["annotations"] = cited(part["annotations"])
    found |= {name: part[name] for name in _REASONING if isinstance(part.get(name), str)}
    for name in _LISTED:
        if isinstance(part.get(name), list):
            found[name] = [
                {key: one[key] for key in _THOUGHT if key in one} for one in objects(part[name])
            ]
    if audio and isinstance(part.get("audio"), dict):
        found["audio"] = strings(part["audio"], ("id", "data", "transcript", "expires_at"))
    if isinstance(part.get("images"), list):
        found["images"] = [image for one in objects(part["images"]) for image in images(one)]
    return found


def images(part: Mapping[str, Any]) -> list[Json]:
    """Return a picture among the parts of a message, or nothing."""
    place = part.get("image_url")
    url = place.get("url") if isinstance(place, dict) else None
    if part.get("type") != "image_url" or not isinstance(url, str) or " " in url:
        return []
    index = {"index": part["index"]} if isinstance(part.get("index"), int) else {}
    return [{**index, "type": "image_url", "image_url": {"url": url}}]


def cited(value: Any) -> list[Json]:
    """Return the sources that a chat's answer names, by their places in its text."""
    found = []
    for one in objects(value):
        kind = one.get("type")
        if kind not in _CITATIONS:
            continue
        held = one.get(kind)
        named = {kind: strings(held, _CITED)} if isinstance(held, dict) else strings(one, _CITED)
        found.append({**named, "type": kind})
    return found


def sources(data: Mapping[str, Any]) -> Json:
    """Return the lists of sources beside a chat's choices, which its text refers to by number."""
    found: Json = {}
    for name in ("citations", "search_results"):
        if isinstance(data.get(name), list):
            found[name] = [
                strings(one, _SOURCE) if isinstance(one, dict) else one
                for one in data[name]
                if isinstance(one, dict) or (isinstance(one, str) and _URL.fullmatch(one))
            ]
    return found


def _signatures(value: Any, depth: int = 3) -> Json:
    """Return the strings without white space in an object, and in objects in it."""
    found: Json = {}
    for name, held in value.items() if isinstance(value, Mapping) and depth else ():
        inner = _signatures(held, depth - 1)
        if mark(name) and (inner or opaque(held)):
            found[name] = inner or held
    return found


def citations(value: Any) -> list[Json]:
    """Return the sources that an answer of the Responses route names, by their places in it."""
    return [strings(one, _CITED) for one in objects(value) if one.get("type") in _CITATIONS]
