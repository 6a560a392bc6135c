"""What the messages of a request ask, and what was said before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ROLES = {"user", "assistant", "tool"}


def asked(messages: Any) -> dict[str, Any]:
    """Return the question, the last thing a user said, and the turns before it."""
    said = [(str(m.get("role")), _text(m.get("content"))) for m in messages or ()]
    turns = [(role, text) for role, text in said if role in ROLES and text]
    at = max((i for i, (role, _) in enumerate(turns) if role == "user"), default=None)
    question = None if at is None else turns[at][1]
    return {"question": question, "history": [t for i, t in enumerate(turns) if i != at]}


def _text(content: Any) -> str:
    if isinstance(content, list):
        parts = (p.get("text") for p in content if isinstance(p, Mapping))
        return "\n".join(text for text in parts if isinstance(text, str))
    return content if isinstance(content, str) else ""
