"""JSON in an answer: what its strings write by number, and need not, is written as itself."""

from __future__ import annotations

import re
import unicodedata

_OPENS = re.compile(r"[\[{]")
_NEXT = re.compile(r"\s*(\S?)")
_MARKS = re.compile(r'["\[\]{}]')
_IN_STRING = re.compile(r'["\\]')
_NUMBER = re.compile(r"\\u([0-9A-Fa-f]{4})")
_SIZE = 6
"""Characters of one that is written by its number."""
_KEPT = frozenset("\"\\<>&'")
"""What would end the string, or what pages need to be written otherwise."""
_BLANKS = frozenset("\u00a0\u2009\u202f")


class Escapes:
    r"""Writes digits, marks and plain letters of JSON strings as themselves.

    ``"19\u00392"`` is the same string as ``"1992"``, and is read as such by whoever parses it: so
    it is judged, and so it leaves, that places in the answer are those in what was judged. Other
    letters (``\u00e9``) stay, and so does what must not stand in a string.
    """

    def __init__(self) -> None:
        self._depth, self._string = 0, False
        # Whether nothing but what opens has come, so that it may be no JSON.
        self._opened = False
        self._half = ""

    def take(self, text: str) -> str:
        """Return ``text`` so written, up to a number that may go on in the next."""
        if not self._depth and "{" not in text and "[" not in text:
            return text
        text, self._half = self._half + text, ""
        done, at = list[str](), 0
        while at < len(text):
            to = self._plain(text, at)
            done.append(text[at:to])
            at = to
            if at == len(text) or text[at] != "\\":
                continue
            one = text[at : at + _SIZE]
            if len(one) < (_SIZE if one[1:2] in {"u", ""} else 2):
                self._half = one
                break
            number = _NUMBER.fullmatch(one)
            size = _SIZE if number else 2
            said = chr(int(number[1], 16)) if number else ""
            done.append(said if said and _stands(said) else text[at : at + size])
            at += size
        return "".join(done)

    @property
    def waits(self) -> str:
        """What waits for what follows."""
        return self._half

    def end(self) -> str:
        """Return what is left at the end."""
        half, self._half = self._half, ""
        return half

    def _plain(self, text: str, at: int) -> int:
        """Return where from ``at`` on a string has an escape; the end if none has."""
        while at < len(text):
            if self._opened:
                found = _NEXT.match(text, at)
                assert found is not None
                mark = found[1]
                if not mark:
                    return len(text)
                self._opened, self._string = mark in "[{", mark == '"'
                self._depth = self._depth + self._opened if self._opened or self._string else 0
                at = found.end() if self._depth else found.start(1)
                continue
            if self._string:
                found = _IN_STRING.search(text, at)
                if found is None or found[0] == "\\":
                    return len(text) if found is None else found.start()
                self._string = False
            elif self._depth:
                found = _MARKS.search(text, at)
                if found is None:
                    return len(text)
                self._string = found[0] == '"'
                self._depth += (found[0] in "[{") - (found[0] in "]}")
            else:
                found = _OPENS.search(text, at)
                if found is None:
                    return len(text)
                self._depth, self._opened = 1, True
            at = found.end()
        return len(text)


def _stands(said: str) -> bool:
    if said in _BLANKS:
        return True
    letter = not said.isascii() and unicodedata.category(said)[0] in "LM"
    return said.isprintable() and said not in _KEPT and not letter
