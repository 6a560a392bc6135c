"""The English tables, read once; and the few operations on words that all parts share."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

from groundwire import _core
from groundwire._checks import words as checked

# "One" is said of anything ("one of the halls").
_SMALL = "two three four five six seven eight nine ten eleven twelve"
_DIGITS = {word: str(value) for value, word in enumerate(_SMALL.split(), start=2)}
_WORD = re.compile(r"[^\W_]+(?:[.'’@-][^\W_]+)*", re.UNICODE)


@lru_cache(maxsize=1)
def tables() -> dict[str, Any]:
    """Return the English tables."""
    place = files("groundwire.profiles.stream") / "data" / "en.toml"
    return tomllib.loads(place.read_text("utf-8"))


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Return the words that say nothing about a subject."""
    return frozenset(tables()["function_words"].split())


def words(text: str) -> list[str]:
    """Return the words of ``text`` in lower case, small numbers in digits, without separators."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    found = (m.group().lower().replace("’", "'") for m in _WORD.finditer(plain))
    return [_DIGITS.get(word, word) for word in found]


def content_words(text: str) -> set[str]:
    """Return what ``text`` is about: its words without function words, endings cut."""
    return {stem(w) for w in words(text) if w not in function_words()}


def stem(word: str) -> str:
    """Return ``word`` without its possessive and the commonest endings of English."""
    word = word.removesuffix("'s")
    for ending, least in (("ing", 6), ("ed", 5), ("es", 5), ("s", 4)):
        if len(word) >= least and word.endswith(ending) and not word.endswith("ss"):
            return word.removesuffix(ending).rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences of ``text`` in code points, as the core cuts them."""
    yield from _core.sentences(checked(text, "a text"))


def numbers(text: str) -> set[str]:
    """Return the numbers of ``text`` in plain digits, "two" to "twelve" too."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    told = {_DIGITS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _DIGITS}
    return told | set(re.findall(r"\d+(?:\.\d+)?", plain))


def differs(said: str, quote: str) -> bool:
    """Whether ``said`` has a day or a name that ``quote`` lacks, or a word that its words exclude.

    A name may be shortened ("the museum"), but neither be missing as a whole nor stand beside
    another one of which it shares a part.
    """
    return opposed(said, quote) or names_other(said, quote)


def opposed(said: str, quote: str) -> bool:
    """Whether ``said`` has a word that a word of ``quote`` excludes."""
    mine, theirs = content_words(said), content_words(quote)
    return any(
        (mine - theirs) & group and (theirs - mine) & group and not mine & theirs & group
        for group in _opposed()
    )


def names_other(said: str, quote: str) -> bool:
    """Whether ``said`` has a day or a name that ``quote`` lacks."""
    mine, theirs = content_words(said), content_words(quote)
    if (mine - theirs) & _days() or renamed(said, quote):
        return True
    there = [content_words(name) for name in names(quote)]
    for name in map(content_words, names(said)):
        if not name & theirs:
            return True
        if not name <= theirs and any(name & other and other - name for other in there):
            return True
    return False


def renamed(said: str, quote: str) -> bool:
    """Whether one text has a capitalised word where the other has another one, in the same words.

    The first word of a text has its capital anyway, and tells nothing.
    """
    mine, theirs = _WORD.findall(said), _WORD.findall(quote)
    if len(mine) != len(theirs):
        return False
    pairs = [(a, b) for a, b in zip(mine[1:], theirs[1:], strict=True) if a.lower() != b.lower()]
    return bool(pairs) and all(
        a[0].isupper()
        and b[0].isupper()
        and stem(a.lower()) != stem(b.lower())
        and (a[0] != b[0] or min(len(a), len(b)) > 1)
        for a, b in pairs
    )


def names(text: str) -> list[str]:
    """Return the names in a text, those of countries and cities too."""
    return [text[start:end] for start, end, *_ in _no_names().scan(text)]


@lru_cache(maxsize=1)
def _no_names() -> _core.EntityIndex:
    return _core.EntityIndex.build([])


@lru_cache(maxsize=1)
def _days() -> frozenset[str]:
    return frozenset(stem(word) for word in tables()["days"].split())


@lru_cache(maxsize=1)
def _opposed() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem, line.split())) for line in tables()["opposed"])


@lru_cache(maxsize=1)
def _negations() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b"
    )


@lru_cache(maxsize=1)
def excluding() -> frozenset[str]:
    """Return the words, endings cut, that one of a group of opposites has."""
    return frozenset().union(*_opposed())


def denies(text: str) -> bool:
    """Return whether a word of ``text`` denies what it stands before ("lacks", "excludes")."""
    held = [word for word in words(text) if word in tables()["denying"].split()]
    return len(held) % 2 == 1


def negative(text: str) -> bool:
    """Return whether ``text`` denies something, once or an odd number of times."""
    return len(_negations().findall(text.lower())) % 2 == 1
