"""BibTeX as entries with fields, each with its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from groundwire.errors import ArgumentError

_HEAD = re.compile(r"@\s*([A-Za-z]+)\s*([{(])\s*")
_KEY = re.compile(r"[^\s,{}()=\"]*\s*,?\s*")
_NAME = re.compile(r"\s*,?\s*([A-Za-z][\w.+/-]*)\s*=\s*")
_BARE = re.compile(r"[^\s,{}\"#]+")
_JOIN = re.compile(r"\s*#\s*")
_SKIPPED = frozenset({"comment", "preamble", "string"})


@dataclass(frozen=True, slots=True)
class Field:
    """A field's value and where it stands: code points of the text, delimiters left out."""

    value: str
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its type and field names in lower case, its key as written.

    ``span`` is in code points of the text it was read from.
    """

    kind: str
    key: str
    fields: Mapping[str, Field] = field(default_factory=dict)
    span: tuple[int, int] = (0, 0)


def read_bibtex(text: str) -> list[Entry]:
    """Return the entries of a text; what stands between them, and broken ends, are passed over.

    An entry that breaks off keeps the fields before the break. Of a field that is given twice the
    first counts, as BibTeX has it. Strings that ``@string`` defines are not put in.

    Raises ``ArgumentError`` if ``text`` is no string.
    """
    if not isinstance(text, str):
        raise ArgumentError(f"a bibliography is a text, not {type(text).__name__}")
    found = []
    at = 0
    while (head := _HEAD.search(text, at)) is not None:
        at = head.end()
        if head[1].lower() in _SKIPPED:
            at = (_closing(text, head.start(2)) if head[2] == "{" else None) or at
            continue
        key = _KEY.match(text, at)
        key_text = "" if key is None else key.group()
        at += len(key_text)
        fields: dict[str, Field] = {}
        for name, value in _fields(text, at):
            fields.setdefault(name.lower(), value)
            at = max(at, value.span[1])
        found.append(Entry(head[1].lower(), key_text.strip(" ,\n\t\r"), fields, (head.start(), at)))
    return found


def _fields(text: str, at: int) -> Iterator[tuple[str, Field]]:
    while (name := _NAME.match(text, at)) is not None:
        value = _value(text, name.end())
        if value is None:
            return
        content, at = value
        yield name[1], content


def _value(text: str, at: int) -> tuple[Field, int] | None:
    """Return a value (pieces joined by #) and where it ends; ``None`` if it breaks off."""
    parts: list[tuple[int, int]] = []
    while True:
        if at < len(text) and text[at] in '{"':
            end = _closing(text, at)
            if end is None:
                return None
            parts.append((at + 1, end))
            at = end + 1
        elif bare := _BARE.match(text, at):
            parts.append(bare.span())
            at = bare.end()
        else:
            return None
        join = _JOIN.match(text, at)
        if join is None:
            break
        at = join.end()
    words = "".join(text[a:b] for a, b in parts)
    return Field(words, (parts[0][0], parts[-1][1])), at


def _closing(text: str, at: int) -> int | None:
    """Return where the brace or quotation mark at ``at`` is closed; braces inside are counted."""
    quoted = text[at] == '"'
    depth = 0
    for i in range(at + 1, len(text)):
        c = text[i]
        if c == "{":
            depth += 1
        elif c == "}":
            if depth == 0:
                return None if quoted else i
            depth -= 1
        elif c == '"' and quoted and depth == 0:
            return i
    return None
