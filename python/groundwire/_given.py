"""Evidence and earlier turns as callers give them, brought into one form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from groundwire._checks import several
from groundwire.errors import ArgumentError
from groundwire.findings import Evidence

Passages = list[tuple[str, str]]
ROLES = ("system", "developer", "user", "human", "assistant", "model", "tool", "function")
"""Roles of turns: instructions, the person, the model and tools, by either of their two names."""


def passages(evidence: Iterable[Any]) -> Passages:
    """Return evidence as ``(id, text)`` pairs; raises ``ArgumentError`` for anything else."""
    found: Passages = []
    for i, item in enumerate(several(_one(evidence), "evidence", "passages")):
        if isinstance(item, str):
            found.append((f"e{i}", item))
        elif isinstance(item, Evidence):
            found.append((item.id or item.source or f"e{i}", item.text))
        elif isinstance(item, Mapping) and isinstance(item.get("text"), str):
            found.append((str(item.get("id", f"e{i}")), item["text"]))
        elif isinstance(item, tuple) and len(item) == 2 and all(isinstance(x, str) for x in item):
            found.append(item)
        else:
            raise ArgumentError(
                f"evidence[{i}] is neither a string, an (id, text) pair, a mapping with 'text', "
                "nor an Evidence"
            )
    return found


def turns(history: Iterable[Any]) -> Passages:
    """Return turns as ``(role, text)`` pairs; raises ``ArgumentError`` for anything else.

    Chat messages are taken as they are: a content that is a list counts with its parts of text,
    and a message that only calls tools says nothing.
    """
    found: Passages = []
    for i, item in enumerate(several(history, "history", "turns")):
        if isinstance(item, Mapping):
            text = item["text"] if "text" in item else _content(item)
            role = item.get("role", "user")
        elif isinstance(item, tuple) and len(item) == 2:
            role, text = item
        else:
            role, text = None, None
        if not isinstance(text, str) or not isinstance(role, str):
            raise ArgumentError(
                f"history[{i}] is neither a mapping with 'role' and 'text' (or 'content', as in "
                "chat messages) nor a (role, text) pair"
            )
        if role not in ROLES:
            raise ArgumentError(
                f"history[{i}] has the role {role!r:.60}; a role is one of {', '.join(ROLES)}"
            )
        found.append((role, text))
    return found


def _content(message: Mapping[str, Any]) -> Any:
    """Return what a chat message says; something that is no string if it is none."""
    content = message.get("content")
    if content is None and "content" in message:
        calls = message.get("tool_calls") or message.get("function_call")
        return "" if calls or message.get("refusal") else None
    if not isinstance(content, list | tuple):
        return content
    if not all(isinstance(part, str | Mapping) for part in content):
        return None
    words = [part if isinstance(part, str) else part.get("text") for part in content]
    return "\n".join(text for text in words if isinstance(text, str))


def _one(evidence: Any) -> Any:
    """Return evidence as it was given; one passage alone counts as a mapping."""
    return {"text": evidence.text} if isinstance(evidence, Evidence) else evidence
