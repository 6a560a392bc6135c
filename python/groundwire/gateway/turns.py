"""Turns of a conversation in parts that are read whole."""

from __future__ import annotations

READ = 32 * 1024
"""Bytes of a turn that the core reads; of what stands behind them it only knows the words."""
_LEAST = READ // 2
"""Bytes of a part that has to begin with a line or a word; it may begin within one else."""
Turn = tuple[str, str]


def parts(text: str) -> list[str]:
    """Return a text in parts of at most ``READ`` bytes, which begin with a line or a word.

    They are counted from the end, where a turn says what it asks.
    """
    found: list[str] = []
    while len(text) > READ or len(text.encode()) > READ:
        # Of a character that is cut the rest is left out, and stands in the part before.
        end = text[-READ:].encode()[-READ:].decode(errors="ignore")
        end = end[_begin(end, text[-len(end) - 1]) :]
        found.append(end)
        text = text[: -len(end)]
    return [text, *reversed(found)]


def _begin(end: str, before: str) -> int:
    """Return where a part begins in ``end``, of a text that has a character ``before`` it."""
    if before.isspace():
        return 0
    for mark in "\n", " ":
        at = end.find(mark) + 1
        if at and len(end[at:].encode()) >= _LEAST:
            return at
    return 0


def heard(
    history: list[Turn], question: str | None, *, later: int, limit: int
) -> tuple[list[Turn], str | None]:
    """Return a conversation and its question as the core reads them, the end of at most ``limit``.

    A user's long turn is several, and so is that which asks: its last part is the question.

    Args:
        history: the turns beside the one that asks.
        question: what that asks, if anything.
        later: how many of the turns stand behind it.
        limit: bytes of the turns together; of a question, characters.

    """
    place = len(history) - later
    before: list[Turn] = []
    if question is not None:
        *first, question = parts(question[-limit:])
        before = [("user", part) for part in first]
    turns = [
        (role, part)
        for role, text in [*history[:place], *before, *history[place:]]
        for part in (parts(text[-limit:]) if role == "user" else [text])
    ]
    return _latest(turns, limit), question


def _latest(history: list[Turn], limit: int) -> list[Turn]:
    """Return the last turns that have at most ``limit`` bytes together."""
    size = 0
    for at in range(len(history) - 1, -1, -1):
        size += len(history[at][1].encode())
        if size > limit:
            return history[at + 1 :]
    return history
