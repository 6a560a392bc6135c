"""Arguments that several places take: checked, or refused by name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, TypeVar

from groundwire.errors import ArgumentError

Kind = TypeVar("Kind")


def several(given: Any, name: str, what: str) -> Iterable[Any]:
    """Return ``given`` if it is a list of ``what``.

    Raises:
        ArgumentError: it is one string or mapping, or nothing that can be gone through.

    """
    if isinstance(given, str | bytes | Mapping):
        one = "mapping" if isinstance(given, Mapping) else "string"
        raise ArgumentError(f"{name} is a list of {what}; put the one {one} into a list")
    if not isinstance(given, Iterable):
        raise ArgumentError(f"{name} is a list of {what}, not {type(given).__name__}")
    return given


def whole_number(value: Any, name: str, *, least: int) -> int:
    """Return ``value`` if it is a whole number of at least ``least``.

    Raises:
        ArgumentError: it is not; the message names the argument and the range.

    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ArgumentError(f"{name} is a whole number from {least} on, not {value!r:.60}")
    return value


def words(value: Any, name: str) -> str:
    """Return ``value`` if it is a string.

    Raises:
        ArgumentError: it is not; the message names the argument.

    """
    if not isinstance(value, str):
        raise ArgumentError(f"{name} is a string, not {type(value).__name__}")
    return value


def delimiter(value: Any) -> str:
    """Return ``value`` if it can stand between a table's cells.

    Raises:
        ArgumentError: it is not one character, or one that a cell's text is quoted or ended by.

    """
    if not isinstance(value, str) or len(value) != 1 or value in '"\r\n':
        raise ArgumentError(f"a delimiter is one character such as ; or a tab, not {value!r:.60}")
    return value


def share(value: Any, name: str) -> float:
    """Return ``value`` if it is a number from 0 to 1.

    Raises:
        ArgumentError: it is not; the message names the argument and the range.

    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise ArgumentError(f"{name} is a number from 0 to 1, not {value!r:.60}")
    return float(value)


def factor(value: Any, name: str) -> float:
    """Return ``value`` if it is a finite number of 0 or more.

    Raises:
        ArgumentError: it is not; the message names the argument and the range.

    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value < math.inf:
        raise ArgumentError(f"{name} is a number of 0 or more, not {value!r:.60}")
    return float(value)


def every(given: Any, name: str, kind: type[Kind]) -> list[Kind]:
    """Return ``given`` as a list if it is one of ``kind``.

    Raises:
        ArgumentError: it is no list, or one of its items is of another kind; the message names it.

    """
    found = list(several(given, name, f"{kind.__name__} objects"))
    for i, item in enumerate(found):
        if not isinstance(item, kind):
            raise ArgumentError(f"{name}[{i}] is no {kind.__name__}: {item!r:.60}")
    return found


def seconds(value: Any, name: str) -> float:
    """Return ``value`` if it is a time in seconds, 0 or more.

    Raises:
        ArgumentError: it is not; the message names the argument and the range.

    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value < math.inf:
        raise ArgumentError(f"{name} is a number of seconds, 0 or more, not {value!r:.60}")
    return float(value)


def day(value: Any, name: str) -> str | None:
    """Return ``value``, a date or its ``YYYY-MM-DD``, as text; None stays None.

    Raises:
        ArgumentError: it is no day of the calendar; the message names the argument.

    """
    if value is None:
        return None
    if isinstance(value, datetime):
        raise ArgumentError(f"{name} is a day without a time; pass its .date()")
    if isinstance(value, date):
        return value.isoformat()
    try:
        written = date.fromisoformat(value).isoformat()
    except (TypeError, ValueError):
        written = None
    if written is None or written != value:
        raise ArgumentError(f"{name} is a date or text as YYYY-MM-DD, not {value!r:.60}")
    return written
