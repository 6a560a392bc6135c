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
    """Return turns as ``(role, text)`` pairs; raises ``ArgumentError`` for anything else."""
    found: Passages = []
    for i, item in enumerate(several(history, "history", "turns")):
        if isinstance(item, Mapping):
            text = item.get("text", item.get("content"))
            role = item.get("role", "user")
        elif isinstance(item, tuple) and len(item) == 2:
            role, text = item
        else:
            role, text = None, None
        if not isinstance(text, str) or not isinstance(role, str):
            raise ArgumentError(
                f"history[{i}] is neither a mapping with 'role' and 'text' nor a (role, text) pair"
            )
        if role not in ROLES:
            raise ArgumentError(
                f"history[{i}] has the role {role!r:.60}; a role is one of {', '.join(ROLES)}"
            )
        found.append((role, text))
    return found


def _one(evidence: Any) -> Any:
    """Return evidence as it was given; one passage alone counts as a mapping."""
    return {"text": evidence.text} if isinstance(evidence, Evidence) else evidence
