"""What the messages of a request ask, and what was said before."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

ROLES = {"user", "assistant", "tool"}
SHORTEST = 24
"""Characters of a passage that is told apart from words of the question: a short sentence."""
_MARK = r"[^\S\n]*(?:[#*]+[^\S\n]*)?"
_LABEL = re.compile(rf"^{_MARK}(?:question|q)[^\S\n]*[:：]\**", re.IGNORECASE | re.MULTILINE)
_ANSWER = re.compile(rf"\n{_MARK}(?:answer|a)[^\S\n]*[:：]\**\Z", re.IGNORECASE)
_LONGEST = 120
"""Characters before a passage on its line that may be a label."""
_TAG = r"<[^<>\n]{1,80}>"
_KINDS = (
    "article|background|content|context|data|document|doc|evidence|excerpt|fact|information|"
    "knowledge|material|note|passage|reference|result|snippet|source|text"
)
_BEFORE = re.compile(
    rf"[^\w\n?？<]*(?:{_TAG}[^\w\n?？<]*)*(?:(?:{_KINDS})s?\b[^\w\n?？]*(?:\w{{1,3}}\b)?"
    rf"[^\w\n?？]*[:：][^\w\n?？<]*)?(?:\d{{1,4}}[^\w\n?？<]*)?(?:{_TAG}[^\w\n?？<]*)*",
    re.IGNORECASE,
)
_BETWEEN = re.compile(rf"(?:[^\w?？<]|{_TAG})*")
_BEHIND = re.compile(rf"(?:[^\w\n?？<]|{_TAG})*")
Place = tuple[int, int]


def asked(messages: Any, passages: Iterable[str] = ()) -> dict[str, Any]:
    """Return the question, the last thing a user said, and the turns around it.

    What stands before a label ("Question:") of that turn is a turn before it. ``passages`` are
    taken out of it where they stand whole.
    """
    said = [(str(m.get("role")), _text(m.get("content"))) for m in messages or ()]
    turns = [(role, text) for role, text in said if role in ROLES and text]
    at = max((i for i, (role, _) in enumerate(turns) if role == "user"), default=None)
    if at is None:
        return {"question": None, "history": turns}
    before, question = question_in(turns[at][1], passages)
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


def question_in(text: str, passages: Iterable[str] = ()) -> tuple[str, str]:
    """Return what stands before the question of a turn or prompt, and the question.

    Every front reads by this. Passages are taken out first (``without``), since one of them may
    hold a label; the question is what stands behind the last label that is left (``labelled``).
    """
    return labelled(without(text, passages))


def without(question: str, passages: Iterable[str]) -> str:
    """Return a question without the passages that stand in it whole, on lines of their own.

    Such a line may hold several of them, and before them a label ("Context:"), a number or a tag,
    which go with them. A passage of fewer than ``SHORTEST`` characters, or one that asks, may be
    what is asked about and stays. Where no letters would be left, all of them stay.
    """
    left, end = "", 0
    for group in _groups(question, _places(question, passages)):
        begin = question.rfind("\n", 0, group[0][0]) + 1
        over = question.find("\n", group[-1][1])
        over = len(question) if over < 0 else over
        apart = (
            group[0][0] - begin <= _LONGEST
            and _BEFORE.fullmatch(question, begin, group[0][0])
            and all(_BETWEEN.fullmatch(question, one[1], two[0]) for one, two in pairwise(group))
            and _BEHIND.fullmatch(question, group[-1][1], over)
        )
        if apart:
            left, end = left + question[end:begin], over
    left += question[end:]
    return left.strip() if end and any(map(str.isalpha, left)) else question


def _places(text: str, passages: Iterable[str]) -> list[Place]:
    """Return where passages stand in a text, in order; what overlaps is one place."""
    found: list[Place] = []
    for passage in {one.strip() for one in passages}:
        if len(passage) < SHORTEST or passage.endswith(("?", "？")):
            continue
        at = text.find(passage)
        while at >= 0:
            end = at + len(passage)
            if not _in_word(text, at) and not _in_word(text, end):
                found.append((at, end))
            at = text.find(passage, end)
    joined: list[Place] = []
    for begin, end in sorted(found):
        if joined and begin < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined


def _in_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1 : at + 1].isalnum()


def _groups(text: str, places: Iterable[Place]) -> Iterator[list[Place]]:
    """Yield places that share a line."""
    group: list[Place] = []
    for place in places:
        if group and "\n" in text[group[-1][1] : place[0]]:
            yield group
            group = []
        group.append(place)
    if group:
        yield group


def _text(content: Any) -> str:
    if isinstance(content, list):
        parts = (p.get("text") for p in content if isinstance(p, Mapping))
        return "\n".join(text for text in parts if isinstance(text, str))
    return content if isinstance(content, str) else ""
