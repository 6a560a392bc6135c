"""Arguments that several places take: checked, or refused by name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.findings import Claim, Finding


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


def unfit(finding: Any, claim: Claim, text: str) -> str | None:
    """Return why this is no finding about ``claim``, at whose end ``text`` ends; or ``None``."""
    if not isinstance(finding, Finding):
        return f"a finding is a groundwire.Finding, not {finding!r:.60}"
    p = finding.p_hallucinated
    if isinstance(p, bool) or not isinstance(p, int | float) or not 0 <= p <= 1:
        return f"{finding.type}: p_hallucinated is {p!r:.60}; it lies between 0 and 1"
    if finding.byte_span is None:
        return None
    span, end = finding.byte_span, claim.byte_span[1]
    if not (
        isinstance(span, tuple | list)
        and len(span) == 2
        and all(isinstance(at, int) and not isinstance(at, bool) for at in span)
        and 0 <= span[0] <= span[1] <= end
    ):
        return f"{finding.type}: byte_span {span!r:.60} does not lie in the text (0..{end})"
    data = text.encode()
    base = end - len(data)
    inside = [at - base for at in span]
    if inside[0] < 0 or any(at < len(data) and data[at] & 0xC0 == 0x80 for at in inside):
        return (
            f"{finding.type}: byte_span {span!r:.60} begins or ends inside a character, or before "
            f"byte {base}, where the retained text begins"
        )
    return None
