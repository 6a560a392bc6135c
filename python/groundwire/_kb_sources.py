"""Where a knowledge base comes from: files, tables, data frames, queries and records."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, Self

from groundwire import _core
from groundwire._checks import delimiter as one_delimiter
from groundwire._files import KeyTwice, parse_json, path_of, read_text
from groundwire._records import FACT_COLUMNS, dump, from_row, named, of_facts
from groundwire.errors import ArgumentError, FormatError

WHAT = "a knowledge base"
"""What a path is said to lead to, where it does not."""


_DELIMITERS = ",;\t|"


def _no_name(columns: list[str]) -> str:
    shown = ", ".join(columns[:8]) or "none"
    return (
        "there is no column 'name' with what each entity is called, nor the columns 'entity', "
        f"'attribute' and 'value' of a table with one fact a row; the columns are: {shown}"
    )


def _facts(columns: Iterable[str]) -> bool:
    """Whether a table has one fact a row."""
    return set(FACT_COLUMNS) <= set(columns)


def _delimiter(text: str) -> str:
    """Return what parts the cells of a header that names the entities' column."""
    header = next(csv.reader(io.StringIO(text)), [])
    line = text[: text.find("\n")] if "\n" in text else text
    if named(header) or _facts(header):
        return ","
    for mark in _DELIMITERS:
        columns = [column.strip() for column in next(csv.reader([line], delimiter=mark), [])]
        if len(columns) > 1 and (named(columns) or _facts(columns)):
            return mark
    return ","


def _twice(columns: list[str]) -> list[str]:
    """Return the columns that are there more than once; names and the like in whatever case."""
    own = {"name", "type", "key", "aliases"}
    keys = [c.strip().lower() if c.strip().lower() in own else c for c in columns]
    return [column for at, column in enumerate(columns) if keys[at] in keys[:at]]


def _facts_of(rows: list[dict[str, Any]], name: str, lines: list[int]) -> list[dict[str, Any]]:
    """Return the records of a file with one fact a row."""
    for row, line in zip(rows, lines, strict=True):
        told = row.get("confidence")
        try:
            float(told or 1)
        except (TypeError, ValueError):
            raise ArgumentError(
                f"{name} line {line}: confidence is a number from 0 to 1, not {told!r:.40}"
            ) from None
    return list(of_facts(rows))


class _Frame(Protocol):
    """What is used of a data frame (pandas; polars by ``to_pandas``)."""

    def to_dict(self, orient: str) -> list[dict[str, Any]]: ...


class FromSources(_core.KnowledgeBase):
    """The ways to build a base; a record is as ``KnowledgeBase`` has it."""

    @classmethod
    def from_jsonl(cls, source: str | os.PathLike[str]) -> Self:
        """Read a file of one record a line.

        The file's name becomes the source of facts that name none.

        Raises:
            ArgumentError: a record is not valid, or an object in it has a key twice; the message
                names the line, and the field or key.
            FormatError: the file is not UTF-8.
            OSError: the file cannot be read.

        """
        path = path_of(source, WHAT)
        kb = cls()
        kb._read_jsonl(read_text(path, WHAT), path.name)
        return kb

    @classmethod
    def from_json(cls, source: str | os.PathLike[str]) -> Self:
        """Read a file that holds a list of records, or an object with ``entities``.

        Beside ``entities`` the object may hold ``closed_world``.

        Raises:
            ArgumentError: a record is not valid; the message names record and field.
            FormatError: the file is not JSON of that shape, has a key twice, or is not UTF-8.
            OSError: the file cannot be read.

        """
        path = path_of(source, WHAT)
        try:
            data = parse_json(read_text(path, WHAT))
        except KeyTwice as error:
            raise FormatError(f"{path.name}: {error}") from error
        except json.JSONDecodeError as error:
            raise FormatError(f"{path.name} line {error.lineno}: {error.msg}") from error
        except RecursionError as error:
            raise FormatError(f"{path.name} is nested too deeply") from error
        records = data.get("entities") if isinstance(data, dict) else data
        if not isinstance(records, list):
            raise FormatError(
                f"{path.name} must hold a list of records, or an object with a list 'entities'"
            )
        if isinstance(data, dict) and "closed_world" in data:
            records = [*records, {"closed_world": data["closed_world"]}]
        return cls._from(records, path.name, lambda n: f"{path.name} record {n}")

    @classmethod
    def from_csv(
        cls,
        source: str | os.PathLike[str],
        *,
        delimiter: str | None = None,
        types: Mapping[str, str] | None = None,
        units: Mapping[str, str] | None = None,
    ) -> Self:
        """Read a table with one entity a row, or with one fact a row.

        With a column ``name``, ``aliases`` (parted by ``;`` or ``|``), ``type`` and ``key`` are
        what they say, and every other column is an attribute. With the columns ``entity``,
        ``attribute`` and ``value`` a row is one fact, and may have ``kind`` (of the entity),
        ``type``, ``unit``, ``source``, ``confidence``, ``valid_from`` and ``valid_to``. An empty
        cell says nothing. The file's name becomes the source of facts that name none.

        Args:
            source: the file, UTF-8 with a header row.
            delimiter: the character between cells; by default the one of comma, semicolon, tab
                and ``|`` that parts the header.
            types: types of columns; others are read by their form.
            units: units of columns that hold plain numbers.

        Raises:
            ArgumentError: a row is not valid (the message names line and column), or the delimiter.
            FormatError: there is no header with ``name`` or the columns of facts, a column is
                there twice, or a row is too long; the message names line and column.
            OSError: the file cannot be read.

        """
        path = path_of(source, WHAT)
        text = read_text(path, WHAT)
        reader = csv.DictReader(
            io.StringIO(text),
            delimiter=_delimiter(text) if delimiter is None else one_delimiter(delimiter),
            strict=True,
        )
        rows: list[dict[str, Any]] = []
        lines: list[int] = []
        try:
            columns = [column.strip() for column in reader.fieldnames or ()]
            reader.fieldnames = columns
            facts = not named(columns) and _facts(columns)
            if not facts and not named(columns):
                raise FormatError(f"{path.name} line 1: {_no_name(columns)}")
            twice = _twice(columns)
            if twice:
                raise FormatError(
                    f"{path.name} line 1: the column {twice[0]!r} is there twice; give each "
                    "attribute a column of its own (several values: a list in JSON)"
                )
            for row in reader:
                if None in row:
                    raise FormatError(
                        f"{path.name} line {reader.line_num}: more cells than columns"
                    )
                rows.append(dict(row))
                lines.append(reader.line_num)
        except csv.Error as error:
            raise FormatError(f"{path.name} line {reader.line_num}: {error}") from error
        if facts:
            return cls._from(_facts_of(rows, path.name, lines), path.name, lambda n: f"entity {n}")
        records = [from_row(row, types or {}, units or {}) for row in rows]
        return cls._from(records, path.name, lambda n: f"{path.name} line {lines[n - 1]}")

    @classmethod
    def from_dataframe(
        cls,
        frame: _Frame,
        *,
        source: str | None = None,
        types: Mapping[str, str] | None = None,
        units: Mapping[str, str] | None = None,
    ) -> Self:
        """Read a pandas data frame (or what has ``to_pandas``) as :meth:`from_csv` reads a table.

        Missing cells say nothing; a cell that is a list is a multi-valued attribute.

        Args:
            frame: one entity a row.
            source: becomes the source of every fact.
            types: types of columns; others are read by their form.
            units: units of columns that hold plain numbers.

        Raises:
            ArgumentError: a row is not valid, and the message names row (from 0) and column; or
                this is no data frame.
            FormatError: there is no column ``name``, nor those of a table with one fact a row, or
                a column is there twice.

        """
        convert = getattr(frame, "to_pandas", None)
        table: _Frame = convert() if callable(convert) else frame
        if not callable(getattr(table, "to_dict", None)) or not hasattr(table, "columns"):
            raise ArgumentError(
                f"a data frame is expected, not {type(frame).__name__}; lists of mappings go into "
                "from_records"
            )
        columns = [str(column) for column in getattr(table, "columns", ())]
        twice = _twice(columns)
        if twice:
            raise FormatError(f"the data frame has the column {twice[0]!r} twice")
        rows = table.to_dict(orient="records")
        if rows and not named(columns) and _facts(columns):
            return cls._from(of_facts(rows), source, lambda n: f"entity {n}")
        if rows and not named(columns):
            raise FormatError(f"in the data frame {_no_name(columns)}")
        records = [from_row(row, types or {}, units or {}) for row in rows]
        return cls._from(records, source, lambda n: f"row {n - 1}")

    @classmethod
    def from_sql(
        cls,
        url: Any,
        *,
        table: str | None = None,
        query: str | None = None,
        params: Mapping[str, Any] | None = None,
        source: str | None = None,
        types: Mapping[str, str] | None = None,
        units: Mapping[str, str] | None = None,
    ) -> Self:
        """Read a table or a query's result from any database that SQLAlchemy knows.

        A result with a column ``name`` has one entity a row, read as :meth:`from_csv` reads a
        table. One with the columns ``entity``, ``attribute`` and ``value`` has one fact a row, and
        may have ``kind`` (of the entity), ``type``, ``unit``, ``source``, ``confidence``,
        ``valid_from`` and ``valid_to``. The database is read once; later changes in it do not
        reach the base. Nothing is changed in it: SQLite and PostgreSQL refuse a query that would,
        elsewhere it is rolled back. An empty cell says nothing. Needs ``groundwire[sql]``.

        Args:
            url: SQLAlchemy URL ("sqlite:///facts.db", "postgresql+psycopg://…"), or an engine.
            table: table or view to read, with its schema if it has one.
            query: SQL to read instead.
            params: values of ``:name`` in the query.
            source: becomes the source of facts that name none.
            types: types of columns; others are read by their form.
            units: units of columns that hold plain numbers.

        Raises:
            ArgumentError: there is no such kind of database, or a row is not valid.
            FormatError: the database cannot be read, or the result has other columns.

        """
        from groundwire import _sql

        rows = _sql.records(url, table, query, params, types or {}, units or {})
        return cls._from(rows, source or table, lambda n: f"entity {n}")

    @classmethod
    def from_rdf(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        query: str | None = None,
        language: str = "en",
    ) -> Self:
        """Read an RDF file: Turtle, N-Triples, JSON-LD, RDF/XML and what else rdflib reads.

        Every IRI that is a subject becomes an entity with the IRI as its key. Labels
        (``rdfs:label``, ``skos:prefLabel``, ``foaf:name``, ``schema:name``) give its name,
        ``skos:altLabel`` and ``schema:alternateName`` its aliases, the first ``rdf:type`` its type,
        all else its attributes, named by the last part of the predicate's IRI with its words parted
        (``schema:foundingDate`` is ``founding_date``). Needs ``groundwire[rdf]``.

        Args:
            path: the file.
            format: its format ("turtle", "nt", "json-ld" …); by default told by the suffix.
            query: a SPARQL SELECT with the variable ``?name``; then every solution is a row, read
                as :meth:`from_csv` reads one.
            language: language of names and texts; those of others become aliases or are left out.

        Raises:
            FormatError: the file is no RDF of that format, or the query is not valid.
            OSError: the file cannot be read.

        """
        from groundwire import _rdf

        place = path_of(path, WHAT)
        found = _rdf.records(place, format, query, language)
        return cls._from(found, place.name, lambda n: f"{place.name} entity {n}")

    @classmethod
    def from_records(
        cls, records: Iterable[Mapping[str, Any]], *, source: str | None = None
    ) -> Self:
        """Build a base of records (see the class).

        Raises:
            ArgumentError: a record is not valid; the message names record (from 1) and field.

        """
        return cls._from(records, source, lambda n: f"record {n}")

    @classmethod
    def _from(
        cls,
        records: Iterable[Mapping[str, Any]],
        source: str | None,
        place: Callable[[int], str],
    ) -> Self:
        if isinstance(records, str | bytes | Mapping) or not isinstance(records, Iterable):
            raise ArgumentError(
                f"records is a list of mappings, not {type(records).__name__}; put the one record "
                "into a list"
            )
        lines: list[str] = []
        for number, record in enumerate(records, start=1):
            try:
                lines.append(dump(record))
            except (TypeError, ValueError) as error:
                raise ArgumentError(f"{place(number)}: {error}") from error
        kb = cls()
        try:
            kb._read_jsonl("\n".join(lines), source)
        except ArgumentError as error:
            prefix = f"{source or 'records'} line "
            number_text, _, rest = str(error).removeprefix(prefix).partition(": ")
            if number_text.isdigit():
                raise ArgumentError(f"{place(int(number_text))}: {rest}") from None
            raise
        return kb
