"""Keys of the tree: names joined by ``/``, escaped, so that no id can reach out of its place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

from groundwire.errors import ArgumentError, FormatError

MAX_NAME = 1024
"""Bytes a name may have once it is escaped."""
MAX_NAMES = 32
"""Names a key may have."""

# The slash parts names, the percent sign begins an escape; controls and lone surrogates would not
# survive every place where keys are kept or shown; U+10FFFF marks the end of what is below a key.
_SPECIAL = "/%\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff\\U0010ffff"
_ESCAPED = re.compile(f"[{_SPECIAL}]")
# Keys without an escape, short enough in any characters; nearly all keys are.
_PLAIN = re.compile(f"(?:/[^{_SPECIAL}]{{1,{MAX_NAME // 4}}}){{1,{MAX_NAMES}}}")
_BROKEN = re.compile(r"%(?![0-9A-F]{2})")


def escape(name: str) -> str:
    """Return ``name`` as one step of a key: ``a/b`` becomes ``a%2Fb``.

    Percent-encoding of UTF-8 bytes (RFC 3986, section 2.1) for ``/``, ``%``, control characters
    and lone surrogates; everything else stays readable.

    Raises:
        ArgumentError: it is no string, is empty, or is longer than ``MAX_NAME`` bytes.

    """
    if not isinstance(name, str):
        raise ArgumentError(f"a name in a key is a string, not {type(name).__name__}")
    if not name:
        raise ArgumentError("a name in a key is empty; give the session and the turn ids of text")
    step = _ESCAPED.sub(
        lambda m: "".join(f"%{byte:02X}" for byte in m.group().encode("utf-8", "surrogatepass")),
        name,
    )
    if len(step.encode()) > MAX_NAME:
        raise ArgumentError(f"a name in a key has at most {MAX_NAME} bytes; {name!a:.60} has more")
    return step


def unescape(step: str) -> str:
    """Return the name that :func:`escape` made ``step`` of.

    Raises:
        FormatError: ``step`` holds a percent sign that begins no escape, or no UTF-8.

    """
    if "%" not in step:
        return step
    if _BROKEN.search(step):
        raise FormatError(
            f"{step!a:.80} is no part of a key: a percent sign is followed by two digits 0-9A-F"
        )
    try:
        return unquote_to_bytes(step).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise FormatError(f"{step!a:.80} is no part of a key: its bytes are not UTF-8") from error


def join(*names: str | int) -> str:
    """Return the key of ``names`` from the root on: ``join("a/b", 0)`` is ``/a%2Fb/0``.

    Raises:
        ArgumentError: as :func:`escape`, and for more than ``MAX_NAMES`` names.

    """
    if len(names) > MAX_NAMES:
        raise ArgumentError(f"a key has at most {MAX_NAMES} names, not {len(names)}")
    return "".join(f"/{escape(str(n) if type(n) is int else n)}" for n in names)  # type: ignore[arg-type]


def split(key: str) -> tuple[str, ...]:
    """Return the names of ``key``; the root ``/`` has none.

    Raises:
        ArgumentError: it is no key.
        FormatError: a name is not escaped as :func:`escape` does.

    """
    return tuple(unescape(step) for step in steps(key))


def steps(key: str) -> list[str]:
    """Return the escaped names of ``key``.

    Raises:
        ArgumentError: it is no key: it does not begin with ``/``, ends with one, or has an empty
            name.

    """
    if not isinstance(key, str):
        raise ArgumentError(f"a key is a string, not {type(key).__name__}")
    if key == "/":
        return []
    if not key.startswith("/"):
        raise ArgumentError(f"a key begins with '/', unlike {key!a:.80}")
    parts = key[1:].split("/")
    if not all(parts):
        raise ArgumentError(f"{key!a:.80} is no key: a name in it is empty")
    return parts


def checked(key: str) -> str:
    """Return ``key`` if it is one in the only way it can be written.

    Raises:
        ArgumentError: it is no key, or written otherwise than :func:`join` writes it.

    """
    if isinstance(key, str) and _PLAIN.fullmatch(key):
        return key
    try:
        written = join(*split(key))
    except FormatError as error:
        raise ArgumentError(str(error)) from error
    if written and written != key:
        raise ArgumentError(f"the key {key!a:.80} is written {written!a:.80}")
    return key


def prefix_of(given: str) -> str:
    """Return what keys below ``given`` begin with; a ``/`` at its end does not matter.

    Raises:
        ArgumentError: it is no key.

    """
    if isinstance(given, str) and len(given) > 2 and given.endswith("/"):
        given = given[:-1]
    checked(given)
    return "" if given == "/" else given


def above(key: str) -> Iterable[str]:
    """Yield the keys on the way to ``key``, nearest to the root first, ``key`` itself left out."""
    at = key.find("/", 1)
    while at >= 0:
        yield key[:at]
        at = key.find("/", at + 1)
