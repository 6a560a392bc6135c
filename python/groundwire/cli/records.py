"""Recorded token streams: JSON lines with a token each, as ``groundwire watch`` reads them.

``{"token": " Paris", "logprob": -0.01}``, with any of ``id``, ``bytes`` (the token's own bytes,
where it is a piece of a character), ``prior_logprob`` (of the same token without the evidence)
and ``top_logprobs`` (numbers, or objects with ``logprob``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from groundwire.errors import FormatError

# Token confidence is the mean over the twenty likeliest tokens; fewer do not give it.
_CONFIDENCE_TOKENS = 20
# Those who send logprobs round them.
_ROUNDING = 1e-3


@dataclass(frozen=True, slots=True)
class Record:
    """One token: its bytes, and the numbers that came with it (natural logarithms)."""

    data: bytes
    signals: dict[str, float]


def _number(record: dict[str, Any], key: str, line: int) -> float | None:
    value = record.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        msg = f"line {line}: {key} is {value!r}, not a number"
        raise FormatError(msg)
    if value > _ROUNDING:
        msg = f"line {line}: {key} is {value!r}; a natural logarithm of a probability is 0 or less"
        raise FormatError(msg)
    return float(value)


def _no_token(record: Any) -> str:
    """Return what a record that holds no token is told."""
    wanted = 'its text is expected under "token", as in {"token": " Paris", "logprob": -0.01}'
    if not isinstance(record, dict):
        return f"a token is expected: {wanted}; this is {json.dumps(record):.40}"
    if "token" in record:
        return f"{wanted}; here it is {json.dumps(record['token']):.40}"
    keys = ", ".join(json.dumps(key)[:30] for key in list(record)[:5])
    return f"no token: {wanted}; this line has {keys or 'no key'}"


def parse_record(text: str, line: int) -> Record:
    """Return the token of one line.

    Raises:
        FormatError: the line is no such record; the message names the line.

    """
    try:
        record = json.loads(text)
    except ValueError as error:
        msg = f"line {line} is not JSON: {error}"
        raise FormatError(msg) from error
    if not isinstance(record, dict) or not isinstance(record.get("token"), str):
        raise FormatError(f"line {line}: {_no_token(record)}")
    raw = record.get("bytes")
    try:
        data = bytes(raw) if isinstance(raw, list) else record["token"].encode("utf-8", "replace")
    except (TypeError, ValueError) as error:
        msg = f"line {line}: bytes are numbers from 0 to 255"
        raise FormatError(msg) from error
    signals: dict[str, float] = {}
    logprob = _number(record, "logprob", line)
    prior = _number(record, "prior_logprob", line)
    if logprob is not None:
        signals |= {"logprob": logprob, "surprisal": -logprob}
        if prior is not None and math.isfinite(max(logprob, prior)):
            lift = (logprob - prior) / math.log(2)
            signals |= {"prior_logprob": prior, "lift_bits": lift}
    signals |= _from_top(record.get("top_logprobs"), line)
    return Record(data, signals)


def _from_top(top: Any, line: int) -> dict[str, float]:
    """Return what the listed alternatives say exactly: the margin, and confidence from twenty."""
    if top is None:
        return {}
    if isinstance(top, dict):
        top = list(top.values())
    if not isinstance(top, list):
        msg = f"line {line}: top_logprobs is a list of numbers or of objects with a logprob"
        raise FormatError(msg)
    values = []
    for entry in top:
        holder = entry if isinstance(entry, dict) else {"logprob": entry}
        value = _number(holder, "logprob", line)
        if value is not None:
            values.append(value)
    values.sort(reverse=True)
    out: dict[str, float] = {}
    if len(values) > 1:
        out["margin"] = math.exp(min(values[0], 0.0)) - math.exp(min(values[1], 0.0))
    finite = [value for value in values[:_CONFIDENCE_TOKENS] if math.isfinite(value)]
    if len(finite) == _CONFIDENCE_TOKENS:
        out["confidence"] = -sum(finite) / _CONFIDENCE_TOKENS
    return out


def read_records(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the tokens of ``lines``; empty lines are skipped.

    Raises:
        FormatError: a line is no record.

    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield parse_record(line, number)
