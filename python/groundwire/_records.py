"""Rows, records and files on their way into a knowledge base."""

from __future__ import annotations

import datetime as dt
import decimal
import json
import math
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from groundwire.errors import ArgumentError

FACT_COLUMNS = ("entity", "attribute", "value")
"""The columns of a table with one fact a row."""
_OF_FACT = ("type", "unit", "source", "confidence", "valid_from", "valid_to")
_TEXT_FIELDS = ("name", "type", "key")
_SCALARS = (dt.date, dt.time, decimal.Decimal, uuid.UUID)
_LIST_SEPARATORS = re.compile("[;|]")


def entity_record(
    name: str,
    aliases: Sequence[str] | str,
    kind: str,
    attributes: Mapping[str, Any] | None,
    key: str | None,
) -> str:
    """Give the parts of an entity as the JSON of one record; one alias may be a plain string."""
    if isinstance(name, Mapping):
        raise ArgumentError(
            "field 'name': a text is expected, not a mapping; a record is given by its parts "
            "(upsert(**record)), and several records to KnowledgeBase.from_records"
        )
    names = [aliases] if isinstance(aliases, str) else list(aliases)
    record: dict[str, Any] = {"name": name, "aliases": names}
    if kind:
        record["type"] = kind
    if key is not None:
        record["key"] = key
    if attributes:
        record["attributes"] = dict(attributes)
    return dump(record)


def missing(cell: Any) -> bool:
    """Whether a cell says nothing: None, NaN, NA or NaT."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return True
    # pandas' NA and NaT are equal to nothing, themselves included.
    return type(cell).__name__ in {"NAType", "NaTType"}


def named(columns: Iterable[Any]) -> bool:
    """Whether one of the columns holds the entities' names."""
    return any(str(column).strip().lower() == "name" for column in columns)


def from_row(
    row: Mapping[Any, Any], types: Mapping[str, str], units: Mapping[str, str]
) -> dict[str, Any]:
    """Turn a table's row into a record; empty cells say nothing.

    Columns called name, type, key or aliases, in whatever case, are the entity's; aliases in one
    text are parted by ``;`` or ``|``.
    """
    record: dict[str, Any] = {}
    attributes: dict[str, Any] = {}
    for column, cell in row.items():
        name = str(column)
        value = cell.strip() if isinstance(cell, str) else cell
        if missing(value) or value == "":
            continue
        if isinstance(value, bytes | bytearray | memoryview):
            raise ArgumentError(
                f"column {name!r:.60} holds bytes, which no text can be compared with; leave it out"
            )
        field = name.strip().lower()
        if field in _TEXT_FIELDS:
            record[field] = str(value)
        elif field == "aliases":
            parts = _LIST_SEPARATORS.split(value) if isinstance(value, str) else list(value)
            record[field] = [str(part).strip() for part in parts if str(part).strip()]
        elif name in types or name in units:
            described: dict[str, Any] = {"value": value}
            if name in types:
                described["type"] = types[name]
            if name in units:
                described["unit"] = units[name]
            attributes[name] = described
        else:
            attributes[name] = value
    record.setdefault("name", "")
    if attributes:
        record["attributes"] = attributes
    return record


def of_facts(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Turn rows of one fact each into a record an entity; an empty cell says nothing."""
    entities: dict[str, dict[str, Any]] = {}
    for row in rows:
        name, attribute, value = (row[column] for column in FACT_COLUMNS)
        if any(missing(cell) or cell == "" for cell in (name, attribute, value)):
            continue
        told = {column: row.get(column) for column in (*_OF_FACT, "kind")}
        more = {column: cell for column, cell in told.items() if not missing(cell) and cell != ""}
        kind = more.pop("kind", None)
        confidence = more.get("confidence")
        if isinstance(confidence, str):
            more["confidence"] = float(confidence)
        fact = {"value": value, **more}
        record = entities.setdefault(str(name), {"name": str(name), "attributes": {}})
        if kind is not None:
            record["type"] = str(kind)
        record["attributes"].setdefault(str(attribute), []).append(fact if len(fact) > 1 else value)
    yield from entities.values()


def plain(value: Any) -> Any:
    """Give JSON something it knows for dates, NumPy scalars and arrays, and what databases give."""
    if isinstance(value, _SCALARS):
        return _scalar(value)
    for method in ("tolist", "item"):
        convert = getattr(value, method, None)
        if callable(convert):
            return convert()
    if isinstance(value, set | frozenset | tuple):
        return sorted(value) if isinstance(value, set | frozenset) else list(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a value of type {type(value).__name__} cannot be stored")


def _scalar(value: Any) -> str | int | float:
    if isinstance(value, decimal.Decimal):
        whole = value.is_finite() and value == value.to_integral_value()
        return int(value) if whole else float(value)
    if isinstance(value, dt.time):
        return value.isoformat(timespec="minutes")[:5]
    return str(value) if isinstance(value, uuid.UUID) else str(value.isoformat()[:10])


def dump(value: Any) -> str:
    """Write a value as JSON; raise TypeError or ValueError for what cannot be stored."""
    try:
        return json.dumps(value, default=plain, allow_nan=False, ensure_ascii=False)
    except ValueError:
        for field, number in _not_finite(json.loads(json.dumps(value, default=plain))):
            where = f"field {field!r:.80}" if field else "the value"
            raise ArgumentError(
                f"{where} holds {number}, which nothing in a text can be held against; put a "
                "finite number in its place, or nothing (None, an empty cell)"
            ) from None
        raise


def _not_finite(value: Any, field: str = "") -> Iterator[tuple[str, float]]:
    """Yield where a value of JSON holds an infinite number or none, and that number."""
    if isinstance(value, float) and not math.isfinite(value):
        yield field, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _not_finite(one, f"{field}.{key}" if field else key)
    elif isinstance(value, list):
        for one in value:
            yield from _not_finite(one, field)
