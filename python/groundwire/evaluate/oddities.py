"""What a set holds that can be measured as it stands, and is probably not meant so."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from groundwire.evaluate.records import Record

NEAR = 0.85
"""Likeness (``difflib``) from which a field's name may be a slip; "response_id" is below it."""


class Oddities:
    """Ids that stand twice, and fields nearly named as one that is there; hears each record."""

    def __init__(self, fields: tuple[str, ...]) -> None:
        """Begin with the first record; ``fields`` are the names that are read."""
        self._fields = fields
        self._ids: dict[str, str] = {}
        self._twice: dict[str, tuple[str, str]] = {}
        self._slips: dict[tuple[str, str], list[str]] = {}

    def hear(self, record: Record, where: str, data: Mapping[str, Any] | None = None) -> None:
        """Note what is odd about a record at ``where``; ``data`` are its fields as they stood."""
        first = self._ids.setdefault(record.id, where)
        if first != where:
            self._twice.setdefault(record.id, (first, where))
        for name in data or ():
            if name not in self._fields:
                near = _nearest(str(name), self._fields)
                if near is not None and data is not None and near in data:
                    self._slips.setdefault((str(name), near), []).append(where)

    def lines(self) -> list[str]:
        """Return one line for the ids and one for each field, with the first place of it."""
        found = []
        if self._twice:
            name, (first, second) = next(iter(self._twice.items()))
            more = f"; {len(self._twice)} ids stand twice" if len(self._twice) > 1 else ""
            found.append(f"{second}: the id {name!a:.60} stands at {first} already{more}")
        for (name, near), places in self._slips.items():
            more = f"; so in {len(places)} records" if len(places) > 1 else ""
            found.append(
                f"{places[0]}: the field {name!a:.40} is not read; {near!r} beside it is{more}"
            )
        return found


@lru_cache(maxsize=256)
def _nearest(name: str, fields: tuple[str, ...]) -> str | None:
    found = difflib.get_close_matches(name.lower(), fields, n=1, cutoff=NEAR)
    return found[0] if found else None
