"""Exchanging the one wrong value of a text, so that the sentence stays a sentence."""

from __future__ import annotations

import re

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_KINDS = {
    "weekday": re.compile(rf"\b(?:{_DAYS})\b", re.IGNORECASE),
    "date": re.compile(
        rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b"
        rf"|\b(?:\d{{1,2}} )?(?:{_MONTHS})(?: \d{{1,2}}\b)?(?:,? \d{{4}}\b)?"
    ),
    "clock": re.compile(r"\b\d{1,2}(?::\d{2})(?: ?[ap]\.?m\b\.?)?|\b\d{1,2} ?[ap]\.?m\b\.?", re.I),
    "email": re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"),
    "percent": re.compile(r"\b\d+(?:[.,]\d+)*(?: ?%| per ?cent\b)"),
    "money": re.compile(r"[$€£]\d+(?:[.,]\d+)*(?: ?(?:[kKmMbB]\b|thousand|million|billion))?"),
    "number": re.compile(r"(?<![\w.,$€£-])\d+(?:[.,]\d+)*(?![\w%-]|[.,]\d)"),
}
_FRAME = re.compile(r"^(?P<head>(?:(?:the|a|an|our|its|their|his|her)\s+)?)", re.IGNORECASE)


def values(text: str) -> dict[str, list[tuple[int, int]]]:
    """Return the places of values by kind; a value inside another (a year in a date) is left out.

    Kinds are weekday, date, clock, email, percent, money and number.
    """
    taken: list[tuple[int, int]] = []
    found: dict[str, list[tuple[int, int]]] = {}
    for kind, pattern in _KINDS.items():
        for match in pattern.finditer(text):
            span = match.span()
            if all(span[1] <= a or b <= span[0] for a, b in taken):
                taken.append(span)
                found.setdefault(kind, []).append(span)
    return found


def swapped(text: str, right: str, detected: str | None = None) -> str | None:
    """Return ``text`` with its wrong value exchanged, as ``exchange`` says, or ``None``."""
    found = exchange(text, right, detected)
    return None if found is None else text[: found[0]] + found[2] + text[found[1] :]


def exchange(text: str, right: str, detected: str | None = None) -> tuple[int, int, str] | None:
    """Return where the wrong value of ``text`` stands and what of ``right`` belongs there.

    ``right`` is a bare value, or a statement that holds one. With ``detected``, the words of
    ``text`` that give the value, these are exchanged; article and the noun behind the value stay
    ("the Marketing department" becomes "the Engineering department"). Otherwise there must be
    exactly one kind of value that both texts hold once, and in which they differ. ``None`` where
    nothing can be exchanged.
    """
    bare = _bare(right)
    if detected and bare and text.count(detected) == 1:
        at = text.index(detected)
        mended = _reframed(detected, right)
        return None if mended == detected else (at, at + len(detected), mended)
    here, there = values(text), values(right)
    options = []
    for kind in here.keys() & there.keys():
        if len(here[kind]) == 1 == len(there[kind]):
            (a, b), (c, d) = here[kind][0], there[kind][0]
            if text[a:b].casefold() != right[c:d].casefold():
                options.append((a, b, right[c:d]))
        else:
            return None
    return options[0] if len(options) == 1 else None


def _bare(right: str) -> bool:
    """Whether this is a value rather than a statement: few words, no end of a sentence."""
    return len(right.split()) <= 6 and right[-1:] not in ".!?"


def _reframed(detected: str, value: str) -> str:
    """Return ``value`` with the article of ``detected`` and the common noun at its end."""
    head = _FRAME.match(detected)
    article = head["head"] if head else ""
    core = detected[len(article) :].split(" ")
    noun = core[-1] if article and len(core) > 1 and core[-1].islower() else ""
    if value.lower().startswith(article.lower()) and article:
        article = ""
    if noun and value.lower().endswith(noun.lower()):
        noun = ""
    return article + value + (f" {noun}" if noun else "")
