"""What measures read of ``extra`` has to be what it is in the sets that they are of.

Everything else in ``extra`` is the set's own and is not looked at. One file is one set: what the
first record says of itself in a set's terms, the others say too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from typing import Any

from groundwire.errors import FormatError
from groundwire.evaluate.forms import HALLMARK, WICE, check_tier
from groundwire.evaluate.lines import all_encodable
from groundwire.evaluate.records import Record

FLAGS = ("qi", "hi", "kbi")


def check_extra(extra: Mapping[str, Any], name: str, size: int, where: str) -> None:
    """Check the ``extra`` of a record of the set ``name`` whose response has ``size`` characters.

    Raises ``FormatError`` naming ``where`` and the field.
    """
    all_encodable(extra, f"{where}: extra")
    for flag in FLAGS:
        if not isinstance(extra.get(flag, False), bool):
            raise FormatError(f"{where}: extra.{flag} is true or false, not {extra[flag]!r:.40}")
    for key in ("pair", "source_id"):
        value = extra.get(key)
        if isinstance(value, bool) or not isinstance(value, str | int | None):
            raise FormatError(f"{where}: extra.{key} is a name or a number, not {value!r:.40}")
    kind = extra.get("error_type")
    if not isinstance(kind, str | None):
        raise FormatError(f"{where}: extra.error_type is a text, not {kind!r:.40}")
    _check_peers(extra, where)
    _check_day(extra, where)
    if name == HALLMARK:
        _check_entry(extra, where)
    if name == WICE:
        _check_tokens(extra, size, where)


def _check_peers(extra: Mapping[str, Any], where: str) -> None:
    peers = extra.get("peers")
    if not isinstance(peers, Mapping | None):
        raise FormatError(f"{where}: extra.peers is an object of scores by name")
    for peer, score in (peers or {}).items():
        if score is None:
            continue
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise FormatError(
                f"{where}: extra.peers is an object of scores by name, and {peer!a:.40} has "
                f"{score!r:.40}"
            )
        if not math.isfinite(score):
            raise FormatError(
                f"{where}: extra.peers: the score of {peer!a:.40} is {score}; leave it out, or "
                "write null, where there is none"
            )


def _check_day(extra: Mapping[str, Any], where: str) -> None:
    value = extra.get("reference_date")
    if value is None:
        return
    try:
        date.fromisoformat(value)
    except (TypeError, ValueError):
        raise FormatError(
            f"{where}: extra.reference_date is a day as YYYY-MM-DD, not {value!r:.40}"
        ) from None


def _check_entry(extra: Mapping[str, Any], where: str) -> None:
    entry = extra.get("entry")
    if entry is not None and not (
        isinstance(entry, Mapping) and isinstance(entry.get("fields"), Mapping)
    ):
        raise FormatError(f"{where}: extra.entry is an object with an object 'fields'")
    check_tier(extra.get("difficulty_tier"), "extra.difficulty_tier", where)


def _check_tokens(extra: Mapping[str, Any], size: int, where: str) -> None:
    tokens, flags = extra.get("tokens"), extra.get("unsupported")
    if tokens is None and flags is None:
        return
    if not isinstance(tokens, list) or not isinstance(flags, list) or len(tokens) != len(flags):
        raise FormatError(
            f"{where}: extra.tokens and extra.unsupported are lists of the same length"
        )
    for i, (token, flag) in enumerate(zip(tokens, flags, strict=True)):
        if not isinstance(flag, bool):
            raise FormatError(f"{where}: extra.unsupported[{i}] is true or false, not {flag!r:.40}")
        if not _is_stretch(token, size):
            raise FormatError(
                f"{where}: extra.tokens[{i}] is [start, end] within the response, not {token!r:.40}"
            )


def _is_stretch(token: Any, size: int) -> bool:
    if not isinstance(token, list | tuple) or len(token) != 2:
        return False
    if any(isinstance(x, bool) or not isinstance(x, int) for x in token):
        return False
    return bool(0 <= token[0] <= token[1] <= size)


class OneSet:
    """Whether the records of a file, or of a call, are of one set; hears each in its turn."""

    def __init__(self) -> None:
        """Begin with the next record."""
        self._first: Record | None = None
        self._where = ""

    def hear(self, record: Record, where: str, *, named: bool = True) -> None:
        """Compare a record with the first; raises ``FormatError`` if it is of another set.

        ``named`` is false of a record that does not say which set it is of.
        """
        if self._first is None:
            self._first, self._where = record, where
            return
        first = self._first
        if named and record.set != first.set:
            raise FormatError(
                f"{where}: 'set' is {record.set!a:.40}, and {first.set!a:.40} at {self._where}; "
                "a file holds one set"
            )
        for key in (*FLAGS, "pair"):
            has, had = (r.extra.get(key) is not None for r in (record, first))
            if has != had:
                here, there = (where, self._where) if has else (self._where, where)
                raise FormatError(
                    f"{there}: there is no extra.{key}, and there is one at {here}; all records "
                    "of a set have it, or none"
                )
