"""What the messages of a request ask, and what was said before."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

ROLES = {"user", "assistant", "tool"}
SHORTEST = 24
"""Characters of a passage that is told apart from words of the question: a short sentence."""
_MARK = r"[^\S\n]*(?:[#*]+[^\S\n]*)?"
_LABEL = re.compile(rf"^{_MARK}(?:question|q)[^\S\n]*[:：]\**", re.IGNORECASE | re.MULTILINE)
_ANSWER = re.compile(rf"\n{_MARK}(?:answer|a)[^\S\n]*[:：]\**\Z", re.IGNORECASE)


def asked(messages: Any) -> dict[str, Any]:
    """Return the question, the last thing a user said, and the turns before it.

    What stands before a label ("Question:") of that turn is a turn before it.
    """
    said = [(str(m.get("role")), _text(m.get("content"))) for m in messages or ()]
    turns = [(role, text) for role, text in said if role in ROLES and text]
    at = max((i for i, (role, _) in enumerate(turns) if role == "user"), default=None)
    if at is None:
        return {"question": None, "history": turns}
    before, question = labelled(turns[at][1])
    turns[at : at + 1] = [("user", before)] if before else []
    return {"question": question, "history": turns}


def labelled(text: str) -> tuple[str, str]:
    """Return what stands before the last label ``Question:`` or ``Q:``, and what stands behind.

    A label begins a line, in any case. A label ``Answer:`` at the end, where an answer is to go on,
    is no part of the question. Without a label, or with nothing behind one, all is the question.
    """
    last = deque(_LABEL.finditer(text), maxlen=1)
    if not last:
        return "", text
    found = last[0]
    question = _ANSWER.sub("", text[found.end() :].rstrip()).strip()
    if not any(map(str.isalnum, question)):
        return "", text
    return text[: found.start()].strip(), question


def without(question: str, passages: Iterable[str]) -> str:
    """Return a question without the passages that stand in it by themselves, on lines of their own.

    A passage of fewer than ``SHORTEST`` characters, or one that asks, may be what is asked about
    and stays. Where no letters would be left, all of them stay.
    """
    left = question
    for passage in sorted(map(str.strip, passages), key=len, reverse=True):
        if len(passage) >= SHORTEST and not passage.endswith(("?", "？")) and passage in left:
            place = rf"^[^\S\n]*{re.escape(passage)}[^\S\n]*$"
            left = re.sub(place, "", left, flags=re.MULTILINE)
    return left if any(map(str.isalpha, left)) else question


def _text(content: Any) -> str:
    if isinstance(content, list):
        parts = (p.get("text") for p in content if isinstance(p, Mapping))
        return "\n".join(text for text in parts if isinstance(text, str))
    return content if isinstance(content, str) else ""
