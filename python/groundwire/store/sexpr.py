r"""The tree as an S-expression, written and read.

::

    (groundwire-tree 1
      (hallucination
        ("session 1"
          (t1
            (detection
              (total_flags 2)
              (flag (0 (content "in \"1847\"") (confidence 0.85)))))))

A list is a name and either one value or lists. Values are strings in double quotes (``\"``,
``\\``, ``\n``, ``\t``, ``\r``, ``\u{hex}``), whole numbers, decimal numbers, ``True`` and
``False``; names are written bare where they can be, else as strings. A semicolon begins a comment.
The form is also one that MeTTa's parser reads, so a tree can be loaded into a MORK space or an
AtomSpace by their own tools; groundwire itself depends on neither.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from groundwire.errors import ArgumentError, FormatError
from groundwire.store.base import WHOLE
from groundwire.store.keys import MAX_NAMES, join, split

if TYPE_CHECKING:
    from groundwire.store.base import Store, Value

HEAD = "groundwire-tree"
VERSION = 1

_BARE = re.compile(r"[A-Za-z0-9_.+-]+")
_TOKEN = re.compile(
    r'(?P<space>[\s]+|;[^\n]*)|(?P<open>\()|(?P<close>\))|(?P<string>"(?:[^"\\]|\\.)*")'
    r'|(?P<word>[^\s()";]+)',
    re.DOTALL,
)
_WHOLE = re.compile(r"[+-]?[0-9]{1,19}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]{1,4})?")
_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|(.))", re.DOTALL)
_MEANING = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "r": "\r"}
_WRITTEN = {v: f"\\{k}" for k, v in _MEANING.items()}
# Anything that a screen, a line-based tool or UTF-8 could stumble over is written by its number.
_SPECIAL = re.compile('["\\\\\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff]')


def lines(items: Iterable[tuple[str, Value]]) -> Iterator[str]:
    """Yield the lines of the expression that holds ``items``, whose keys are in order."""
    open_names: list[str] = []
    yield f"({HEAD} {VERSION}"
    for key, value in items:
        *way, name = split(key)
        same = 0
        while same < min(len(way), len(open_names)) and way[same] == open_names[same]:
            same += 1
        if len(open_names) > same:
            yield "  " * (same + 1) + ")" * (len(open_names) - same)
        for depth in range(same, len(way)):
            yield "  " * (depth + 1) + f"({_name(way[depth])}"
        open_names = way
        yield "  " * (len(way) + 1) + f"({_name(name)} {_value(value)})"
    yield ")" * (len(open_names) + 1)


def dumps(items: Iterable[tuple[str, Value]]) -> str:
    """Return the expression that holds ``items``, whose keys are in order."""
    return "\n".join(lines(items)) + "\n"


def load(store: Store, text: str) -> int:
    """Put the tree of ``text`` into ``store``, all or nothing; return how many values."""
    found = list(loads(text))
    with store.transaction():
        store.put_all(found)
    return len(found)


def loads(text: str) -> Iterator[tuple[str, Value]]:
    """Yield key and value of an expression that :func:`dumps` wrote.

    Raises:
        FormatError: it is none; the message says line and column.

    """
    if not isinstance(text, str):
        raise ArgumentError(f"an S-expression is a string, not {type(text).__name__}")
    tokens = _tokens(text)
    for kind, wanted in (("open", "("), ("word", HEAD)):
        got, token, at = next(tokens)
        if (got, token) != (kind, wanted):
            raise _wrong(text, at, f"it begins with ({HEAD} {VERSION}")
    _, version, at = next(tokens)
    if version != str(VERSION):
        raise _wrong(text, at, f"this groundwire reads version {VERSION} of {HEAD}")
    yield from _tree(text, tokens)
    kind, _, at = next(tokens)
    if kind != "end":
        raise _wrong(text, at, "nothing stands behind the last parenthesis")


def _tree(text: str, tokens: Iterator[tuple[str, str, int]]) -> Iterator[tuple[str, Value]]:
    """Yield what stands between the version and the end; a loop, so that depth costs no stack."""
    way: list[str] = []
    seen = set[str]()
    # Whether each open list holds nothing yet, a value, or lists.
    holds: list[str] = ["lists"]
    while True:
        kind, token, at = next(tokens)
        if kind == "open":
            if holds[-1] == "value":
                raise _wrong(text, at, "a list holds one value or lists, not both")
            if len(way) == MAX_NAMES:
                raise _wrong(text, at, f"at most {MAX_NAMES} lists stand in one another")
            holds[-1] = "lists"
            kind, token, at = next(tokens)
            if kind not in {"word", "string"}:
                raise _wrong(text, at, "a list begins with a name")
            way.append(_string(text, token, at) if kind == "string" else token)
            holds.append("nothing")
        elif kind in {"word", "string"}:
            if holds[-1] != "nothing":
                raise _wrong(text, at, "a list holds one value or lists, not both")
            holds[-1] = "value"
            key = _key(text, way, at, seen)
            seen.add(key)
            yield key, _string(text, token, at) if kind == "string" else _number(text, token, at)
        elif kind == "close":
            if holds.pop() == "nothing":
                raise _wrong(text, at, "a list holds a value or lists behind its name")
            if not holds:
                return
            way.pop()
        else:
            raise _wrong(text, at, f"{len(holds)} parentheses are not closed")


def _key(text: str, way: list[str], at: int, seen: set[str]) -> str:
    """Return the key of the value at ``at``, which none of those ``seen`` may be."""
    try:
        key = join(*way)
    except ArgumentError as error:
        raise _wrong(text, at, str(error)) from error
    if key in seen:
        raise _wrong(text, at, f"{key!a:.80} has a value already")
    return key


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _wrong(text, at, "a string is not closed")
        if found.lastgroup != "space":
            yield str(found.lastgroup), found.group(), at
        at = found.end()
    while True:
        yield "end", "", at


def _string(text: str, token: str, at: int) -> str:
    def meaning(found: re.Match[str]) -> str:
        number, char = found.groups()
        if number is not None and int(number, 16) <= 0x10FFFF:
            return chr(int(number, 16))
        if char not in _MEANING:
            raise _wrong(text, at + 1 + found.start(), f"{found.group()!a} is no escape")
        return _MEANING[char]

    return _ESCAPE.sub(meaning, token[1:-1])


def _number(text: str, token: str, at: int) -> Value:
    if token in {"True", "False"}:
        return token == "True"
    if _WHOLE.fullmatch(token) and -WHOLE <= int(token) < WHOLE:
        return int(token)
    if _DECIMAL.fullmatch(token) and math.isfinite(float(token)):
        return float(token)
    raise _wrong(text, at, f"{token!a:.40} is no value; strings stand in double quotes")


def _name(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return str(value)
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    inside = _SPECIAL.sub(lambda m: _WRITTEN.get(m.group(), f"\\u{{{ord(m.group()):x}}}"), text)
    return f'"{inside}"'


def _wrong(text: str, at: int, why: str) -> FormatError:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return FormatError(f"line {line}, column {column}: this is no tree of groundwire's: {why}")
