"""Tables inside a knowledge base: rows whose values stand together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from groundwire.errors import ArgumentError
from groundwire.table import cell_text, cells_of

if TYPE_CHECKING:
    from groundwire._core import KnowledgeBase

Row = dict[str, str]


class KbTable:
    """One table of a knowledge base; see ``KnowledgeBase.add_table``.

    Changes reach sessions that open afterwards. Rows are given back as mappings from column to
    cell, without empty cells; cells of the same words are one value and read as the first of them
    was written. Every call raises ``NotFoundError`` once the table was taken out.
    """

    def __init__(self, kb: KnowledgeBase, name: str) -> None:
        """Refer to the table of that name."""
        self._kb = kb
        self.name = name
        kb._table(name)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its columns."""
        return tuple(self._kb._table(self.name)[0])

    @property
    def key(self) -> str | None:
        """Column in which every row has a value of its own, if there is one."""
        columns, key, _ = self._kb._table(self.name)
        return None if key is None else columns[key]

    def upsert(self, row: Mapping[str, Any]) -> None:
        """Put a row in: it replaces the one of the same key.

        Without a key column a row that is there already changes nothing.

        Raises:
            ArgumentError: a column is none of the table's, a cell is no single value, or the key
                is empty; nothing changes then.

        """
        columns = self.columns
        _check(row, columns)
        cells = [cell_text(row.get(name), f"column {name!r}") for name in columns]
        self._kb._upsert_row(self.name, cells)

    def remove(self, **values: Any) -> int:
        """Take out the rows that have these values in these columns; return how many there were.

        Raises:
            ArgumentError: there is no value, or a column is none of the table's.

        """
        return self._kb._remove_rows(self.name, _wanted(values))

    def find(self, **values: Any) -> list[Row]:
        """Return the rows that have these values in these columns.

        Raises:
            ArgumentError: a column is none of the table's.

        """
        columns = self.columns
        rows = self._kb._rows(self.name, _wanted(values))
        return [_row(columns, cells) for cells in rows]

    def __iter__(self) -> Iterator[Row]:
        """Every row."""
        return iter(self.find())

    def __len__(self) -> int:
        """Number of rows."""
        return self._kb._table(self.name)[2]

    def __repr__(self) -> str:
        """Say how many rows there are."""
        return f"KbTable({self.name!r}, {len(self)} rows)"


def added(
    kb: KnowledgeBase,
    name: str,
    rows: Iterable[Mapping[str, Any]],
    columns: Sequence[str] | None,
    key: str | None,
) -> KbTable:
    """Put a table into a base; see ``KnowledgeBase.add_table``."""
    if not isinstance(name, str) or not name.strip():
        raise ArgumentError(f"a table has a name, not {name!r:.60}")
    names, cells = cells_of(rows, columns)
    if not names:
        raise ArgumentError(f"the table {name!r:.60} has no columns; give rows or columns=…")
    kb._put_table(name, names, cells, key)
    return KbTable(kb, name)


def _check(row: Mapping[str, Any], columns: tuple[str, ...]) -> None:
    if not isinstance(row, Mapping):
        raise ArgumentError(f"a row is a mapping from column to cell, not {row!r:.60}")
    strange = [column for column in row if column not in columns]
    if strange:
        raise ArgumentError(
            f"the table has no column {strange[0]!r}; there are: {', '.join(columns)}"
        )


def _wanted(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, cell_text(value, f"column {name!r}")) for name, value in values.items()]


def _row(columns: tuple[str, ...], cells: list[str]) -> Row:
    return {name: cell for name, cell in zip(columns, cells, strict=True) if cell}
