"""Where an answer begins right behind a text: whether a new word does, or one goes on.

Some servers take the space away with which an answer begins: "founded in" and "1992" are two
words then, "fo" and "unded" one, "19" and "92" one number.
"""

from __future__ import annotations

import re
from typing import Literal

Way = Literal["apart", "together"]


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_SMALL = _words(
    "a about above across after against along amid among an and around as at before behind below "
    "beneath beside between beyond but by during except for from in inside into like near of off "
    "on onto or outside over past per since than that the through throughout till to toward "
    "towards under until up upon via which who whose with within without"
)
_VERBS = _words(
    "are be became been being can comes contains cost costs could covers dates did do does employs "
    "had has have holds houses is lies may measures might must opened remains seats serves should "
    "stands was weighs were will would"
)
_BEFORE = _words(
    "almost approximately based began born both built called closed completed created designed "
    "directed established exactly founded had held launched led located made moved named nearly "
    "not now number only opened owned published reached released renamed roughly run situated "
    "started written year years"
)
_KNOWN = _SMALL | _VERBS | _BEFORE
"""Words behind which another one begins, rather than that they go on."""
_STARTS = _words(
    "here he i if it its my no our she so their there these they this those we well what when "
    "where while yes you your"
)
_LAST = re.compile(r"(?<![\w.@#/\\’'-])[^\W\d_]+\Z")
_FIRST = re.compile(r"[^\W_]+")
_NAME = re.compile(r"\w+(?:[-’']\w+)*")
_CLOSES = "\"”’'*)]"
_MOST = 160
"""Characters of a word or of names whose end nobody waits for."""
_LONG = 4
"""Letters of a word that is no unit or ending of a number."""


def way(lead: str, text: str, *, ends: bool = False) -> Way | None:
    """Return whether ``text`` begins a new word right behind ``lead``; none while that is open.

    ``ends`` says that nothing of the text is still to come.
    """
    if not text or not lead:
        return None if lead and not ends else "together"
    if not text[0].isalnum() or lead[-1].isspace():
        return "together"
    first = _FIRST.match(text)
    assert first is not None
    word = first.group()
    open_ = first.end() == len(text) < _MOST and not word[0].isdigit()
    if open_ and not ends:
        return None
    return "apart" if _parted(lead, word) else "together"


def _parted(lead: str, word: str) -> bool:
    if lead[-1].isdigit():
        small = word in _SMALL and word not in {"a", "as"}
        named = len(word) > 2 and word[0].isupper() and word[1:].islower()
        return not word[0].isdigit() and (len(word) >= _LONG or small or named)
    if lead[-1].isalpha():
        last = _last_word(lead)
        if word[0].islower():
            # "in" and "to" are one word more often than two.
            return last in _BEFORE and word in _SMALL
        return last in _KNOWN
    return _behind_mark(lead, word)


def _behind_mark(lead: str, word: str) -> bool:
    mark = lead[-1]
    if mark in ",;:":
        return not (lead[-2:-1].isdigit() and word[0].isdigit())
    if mark in ".!?…":
        return len(re.split(r"[\W\d_]", lead[:-1])[-1]) > 1 and not word[0].islower()
    if mark not in _CLOSES or (mark in "’'" and word[0].islower()):
        return False
    said = lead.rstrip(_CLOSES)
    return said[-1:].isalnum() or said.endswith(tuple(".!?…,%"))


def _last_word(lead: str) -> str:
    """Return the word at the end, in small letters; empty for none that may go on or end there."""
    last = _LAST.search(lead)
    return "" if last is None or last.group().isupper() else last.group().casefold()


def starts_over(lead: str, text: str) -> bool | None:
    """Return whether ``text``, with a capital right behind ``lead``, begins a sentence of its own.

    It goes on where a word is needed behind ``lead`` and a name comes that no verb follows. None is
    returned while that is open.
    """
    if _last_word(lead) not in _KNOWN or text.startswith("The"):
        return True
    at, over = 0, False
    while (found := _NAME.match(text, at)) is not None:
        if found.end() == len(text) or len(text) > _MOST:
            return None if len(text) < _MOST else False
        word = found.group()
        over = word in _VERBS or (not at and word.casefold() in _KNOWN | _STARTS)
        at = found.end() + 1
        if over or not word[0].isupper() or text[at - 1] != " ":
            return over
    return None if at == len(text) else over
