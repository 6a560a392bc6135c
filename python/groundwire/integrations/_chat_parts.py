"""What a choice of the OpenAI API's completions is made of, and copies that say something else."""

from __future__ import annotations

from itertools import compress
from typing import Any

from groundwire.integrations._feed import fitting

FIELDS = ("content", "refusal", "text")
"""Where a choice holds words of the answer; each of them is an answer of its own."""
_COLUMNS = ("tokens", "token_logprobs", "top_logprobs", "text_offset")


def with_delta(choice: Any) -> Any:
    """Return a chat's choice with a delta where it came without, so that text has a place."""
    if not hasattr(choice, "delta") and not hasattr(choice, "message") and hasattr(choice, "text"):
        return choice
    if getattr(choice, "delta", None) is None and getattr(choice, "message", None) is None:
        kind = getattr(type(choice), "model_fields", {}).get("delta")
        if kind is not None:
            return choice.model_copy(update={"delta": kind.annotation.construct()})
    return choice


def part_of(choice: Any) -> Any:
    """Return what of a choice holds its words: its delta, its message, or the choice itself."""
    return getattr(choice, "delta", None) or getattr(choice, "message", None) or choice


def words_of(part: Any) -> dict[str, str]:
    """Return the words of a part, by the field that holds them."""
    return {field: text for field in FIELDS if (text := getattr(part, field, None))}


def emptied(choice: Any) -> Any:
    """Return a chat's choice that holds nothing but its role; a plain completion's as it is."""
    part = part_of(choice)
    if part is choice:
        return choice
    name = "delta" if getattr(choice, "delta", None) is not None else "message"
    return choice.model_copy(update={name: type(part)(role=getattr(part, "role", None))})


def changed(choice: Any, words: dict[str, Any], part: Any = None, **own: Any) -> Any:
    """Return a copy of ``choice`` that says ``words``, without log-probabilities of others."""
    own["logprobs"] = None
    part = part_of(choice) if part is None else part
    if part is choice:
        return choice.model_copy(update={**words, **own})
    name = "delta" if getattr(choice, "delta", None) is not None else "message"
    return choice.model_copy(update={name: part.model_copy(update=words), **own})


def told(choice: Any) -> Any:
    """Return ``choice`` without what is told of tokens whose text is not in it."""
    given: Any = getattr(choice, "logprobs", None)
    part, own = part_of(choice), dict[str, Any]()
    for field in FIELDS if given is not None else ():
        if tokens := getattr(given, field, None):
            fits = fitting(tokens, getattr(part, field, None) or "")
            own[field] = list(compress(tokens, fits))
    if names := getattr(given, "tokens", None):
        fits = fitting([{"token": name} for name in names], getattr(part, "text", None) or "")
        columns = {name: getattr(given, name, None) for name in _COLUMNS}
        own = {name: list(compress(column, fits)) for name, column in columns.items() if column}
    own = {name: kept for name, kept in own.items() if len(kept) < len(getattr(given, name))}
    return choice.model_copy(update={"logprobs": given.model_copy(update=own)}) if own else choice


def more(part: Any) -> bool:
    """Whether a part holds anything but words of the answer."""
    held = part.model_dump(exclude_none=True, exclude=set(FIELDS))
    return any(held.values()) and set(held) - {"index", "logprobs"} != set()


def unused(chunk: Any) -> dict[str, None]:
    """Return what changes in a copy of ``chunk`` that is not the one with the usage."""
    return {"usage": None} if getattr(chunk, "usage", None) is not None else {}
