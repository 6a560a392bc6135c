"""Tables whose values stand together a row at a time."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from groundwire import _core
from groundwire._checks import delimiter as one_delimiter
from groundwire._files import path_of, read_text
from groundwire._records import missing
from groundwire.errors import ArgumentError, FormatError


class Table(_core.Table):
    """Rows that an answer's values are looked up in; see ``Monitor.session(rows=…)``.

    An answer that names several values of a table puts them together ("the Golden Dragon serves
    Chinese food in the north"); that is right only where one row has them all. Cells are compared
    as words, without case, marks and punctuation, and ``_`` divides words; empty cells and dashes
    say nothing. A table is made once and may serve many streams and threads.
    """

    @classmethod
    def from_rows(
        cls, rows: Iterable[Mapping[str, Any]], columns: Sequence[str] | None = None
    ) -> Self:
        """Index rows that are mappings from column to cell.

        Args:
            rows: the rows; a column that a row lacks is empty in it.
            columns: names of the columns; by default all that occur, in order.

        Raises:
            ArgumentError: a row is no mapping, has a column that is not in ``columns``, or a cell
                that is a list or mapping; the message names row (from 0) and column.

        """
        names, cells = cells_of(rows, columns)
        return cls(names, cells)

    @classmethod
    def from_csv(cls, source: str | os.PathLike[str], *, delimiter: str = ",") -> Self:
        """Read a UTF-8 file with a header row.

        Raises:
            FormatError: there is no header, or a row is too long; the message names the line.
            ArgumentError: a column is there twice or has no name, or the delimiter is none.
            OSError: the file cannot be read.

        """
        path = path_of(source, "a table")
        reader = csv.reader(
            io.StringIO(read_text(path, "a table")),
            delimiter=one_delimiter(delimiter),
            strict=True,
        )
        try:
            columns = [name.strip() for name in next(reader, [])]
            if not columns:
                raise FormatError(f"{path.name} is empty; the first line names the columns")
            rows = []
            for row in reader:
                if len(row) > len(columns):
                    raise FormatError(
                        f"{path.name} line {reader.line_num}: more cells than columns"
                    )
                if row:
                    rows.append(row + [""] * (len(columns) - len(row)))
        except csv.Error as error:
            raise FormatError(f"{path.name} line {reader.line_num}: {error}") from error
        return cls(columns, rows)

    def __repr__(self) -> str:
        """Say how many rows there are."""
        return f"Table({len(self)} rows)"


def table_of(rows: Any) -> _core.Table | None:
    """Return rows as a table; raises ``ArgumentError`` for what is none."""
    if rows is None or isinstance(rows, _core.Table):
        return rows
    return Table.from_rows(rows)


def cells_of(
    rows: Iterable[Mapping[str, Any]], columns: Sequence[str] | None
) -> tuple[list[str], list[list[str]]]:
    """Return the columns of rows, and their cells as text; raises as ``Table.from_rows``."""
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise ArgumentError(
            f"rows is a list of mappings, not {type(rows).__name__}; put the one row into a list"
        )
    given = list(rows)
    for at, row in enumerate(given):
        if not isinstance(row, Mapping):
            raise ArgumentError(f"rows[{at}] is a mapping from column to cell, not {row!r:.60}")
    names = (
        list(columns) if columns is not None else list(dict.fromkeys(k for r in given for k in r))
    )
    known = set(names)
    cells = []
    for at, row in enumerate(given):
        strange = [column for column in row if column not in known]
        if strange:
            raise ArgumentError(f"rows[{at}] has a column {strange[0]!r} that is not in columns")
        cells.append([cell_text(row.get(name), f"rows[{at}] column {name!r}") for name in names])
    return [str(name) for name in names], cells


def cell_text(value: Any, place: str) -> str:
    """Return a cell as text; raises ``ArgumentError`` naming its place for no single value."""
    if missing(value):
        return ""
    if isinstance(value, Mapping | list | tuple | set):
        raise ArgumentError(f"{place} holds a {type(value).__name__}; a cell is one value")
    return str(value)
