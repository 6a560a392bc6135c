"""Batches of columns: mappings of arrays or lists, pandas frames, Arrow tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from groundwire.errors import ArgumentError


def columns_of(batch: Any) -> list[str]:
    """Return the names of a batch's columns; raises ``ArgumentError`` if it has none."""
    if isinstance(batch, Mapping):
        return list(batch)
    names = getattr(batch, "column_names", None)
    if names is None:
        names = getattr(batch, "columns", None)
    if names is None:
        raise ArgumentError(f"a batch has columns; {type(batch).__name__} has none")
    return list(names)


def values_of(column: Any) -> list[Any]:
    """Return a column as Python's own objects; not a number stands for nothing."""
    for name in ("to_pylist", "tolist"):
        if hasattr(column, name):
            column = getattr(column, name)()
            break
    return [_plain(value) for value in column]


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    return None if isinstance(value, float) and math.isnan(value) else value


def with_columns(batch: Any, added: dict[str, list[Any]]) -> Any:
    """Return a batch of the same kind with more columns."""
    if isinstance(batch, Mapping):
        return {**batch, **added}
    if hasattr(batch, "assign"):
        return batch.assign(**added)
    for name, values in added.items():
        batch = batch.append_column(name, [values])
    return batch
