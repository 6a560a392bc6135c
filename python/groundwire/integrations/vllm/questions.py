"""What the chats of a request to vLLM's server ask, whatever route it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.integrations._asked import asked, question_in


def questions(body: Mapping[str, Any], passages: Sequence[str] = ()) -> list[str]:
    """Return what a request's chat asks, the text of its last turn of a user; empty for nothing.

    Of a text with a label ("Question:") it is what stands behind the last one. ``passages`` that
    stand in it whole are left out.

    ``body`` has ``messages`` (of a batch a list of them for each chat, and then there is one
    question for each), or ``input``, a text or a list of items. What is none of these asks nothing:
    what it is, is the server's to say.
    """
    messages, given = body.get("messages"), body.get("input")
    if isinstance(messages, list) and messages and isinstance(messages[0], list):
        return [_question(chat, passages) for chat in messages]
    if messages is None and isinstance(given, str):
        return [question_in(given, passages)[1]]
    return [_question(given if messages is None else messages, passages)]


def _question(chat: Any, passages: Sequence[str]) -> str:
    turns = [one for one in chat if isinstance(one, Mapping)] if isinstance(chat, list) else []
    return asked(turns, passages)["question"] or ""
