"""Facts about entities: read from files, tables and records, saved, mapped, changed."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, Self

from groundwire import _core
from groundwire._entity import Entity
from groundwire._files import path_of, read_text
from groundwire._records import dump, entity_record, from_row
from groundwire._tables import KbTable, added
from groundwire.errors import ArgumentError, FormatError, NotFoundError
from groundwire.lexicon import Lexicon

_WHAT = "a knowledge base"


class _Frame(Protocol):
    """What is used of a data frame (pandas; polars by ``to_pandas``)."""

    def to_dict(self, orient: str) -> list[dict[str, Any]]: ...


class KnowledgeBase(_core.KnowledgeBase):
    """Entities with names, aliases, a type and typed attributes.

    Sessions keep the state that the base had when they began; changes reach later ones.
    Reading and changing are safe from several threads.

    A record is a mapping ``{"name": …, "aliases": […], "type": …, "key": …, "attributes": {…}}``;
    only the name is required, and the key (unique in a base) is the name unless given. An
    attribute is a value, a list of values (a multi-valued attribute), or
    ``{"value": …, "type": …, "unit": …, "source": …, "confidence": 0..1, "valid_from": …,
    "valid_to": …, "qualifiers": {…}}``. Types are ``text``, ``number``, ``date``, ``entity``,
    ``email``, ``enum`` and ``bool``; a text without a type is read by its form: "12 March 1987"
    is a date, "$5M" a number, "a@b.org" an e-mail address. A record may hold ``closed_world``:
    ``true`` where the whole base is complete, or the names of the attributes that are.

    Beside entities a base may hold tables (:meth:`add_table`), whose values an answer may only put
    together as one row does, and a lexicon (:class:`~groundwire.lexicon.Lexicon`) of what its
    attributes are called and how texts speak of them. Both are saved with it.

    Args:
        lexicon: a ``Lexicon``, a mapping of its parts, or the path of a file.

    Raises:
        ArgumentError: the lexicon is not valid; the message names the entry.

    """

    def __new__(cls, *, lexicon: Any = None) -> Self:
        """Make an empty base."""
        self = super().__new__(cls)
        if lexicon is not None:
            self.lexicon = lexicon
        return self

    @property
    def lexicon(self) -> Lexicon:
        """What is added to the built-in tables; set it to a ``Lexicon``, a mapping or a path.

        Sessions that open afterwards read with it. Setting raises as the class does.
        """
        return Lexicon.from_json(self._lexicon())

    @lexicon.setter
    def lexicon(self, lexicon: Any) -> None:
        self._set_lexicon(Lexicon.of(lexicon).to_json())

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Mapping[str, Any]],
        *,
        table: str = "rows",
        columns: Sequence[str] | None = None,
        key: str | None = None,
    ) -> Self:
        """Build a base that holds one table and no entities; arguments are those of ``add_table``.

        Raises:
            ArgumentError: as ``add_table``.

        """
        kb = cls()
        kb.add_table(table, rows, columns=columns, key=key)
        return kb

    def add_table(
        self,
        name: str,
        rows: Iterable[Mapping[str, Any]] = (),
        *,
        columns: Sequence[str] | None = None,
        key: str | None = None,
    ) -> KbTable:
        """Add a table, in place of one of the same name, and return it.

        The values of a table that an answer puts together ("the Golden Dragon serves Chinese food
        in the north") must stand together in one row of it, in every session that opens afterwards.
        Cells are compared as ``Table`` compares them. A value in the form of a column's that no
        row has counts as missing: little in an open world, fully where ``set_world`` declares the
        column (or the base) closed.

        Args:
            name: what to call it.
            rows: mappings from column to cell.
            columns: names of the columns; by default all that occur, in order.
            key: a column in which every row has a value of its own; of rows with one value the
                last counts.

        Raises:
            ArgumentError: a row is not valid, or there is no column, or none called ``key``; the
                message names row (from 0) and column.

        """
        return added(self, name, rows, columns, key)

    def table(self, name: str) -> KbTable:
        """Return the table of that name; raises ``NotFoundError`` for none."""
        return KbTable(self, name)

    @classmethod
    def from_jsonl(cls, source: str | os.PathLike[str]) -> Self:
        """Read a file of one record a line.

        The file's name becomes the source of facts that name none.

        Raises:
            ArgumentError: a record is not valid; the message names line and field.
            FormatError: the file is not UTF-8.
            OSError: the file cannot be read.

        """
        path = path_of(source, _WHAT)
        kb = cls()
        kb._read_jsonl(read_text(path, _WHAT), path.name)
        return kb

    @classmethod
    def from_json(cls, source: str | os.PathLike[str]) -> Self:
        """Read a file that holds a list of records, or an object with ``entities``.

        Beside ``entities`` the object may hold ``closed_world``.

        Raises:
            ArgumentError: a record is not valid; the message names record and field.
            FormatError: the file is not JSON of that shape, or not UTF-8.
            OSError: the file cannot be read.

        """
        path = path_of(source, _WHAT)
        try:
            data = json.loads(read_text(path, _WHAT))
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
        delimiter: str = ",",
        types: Mapping[str, str] | None = None,
        units: Mapping[str, str] | None = None,
    ) -> Self:
        """Read a table with one entity a row.

        The columns ``name`` (required), ``aliases`` (parted by ``;``), ``type`` and ``key`` are
        what they say, every other column is an attribute, and an empty cell says nothing.

        Args:
            source: the file, UTF-8 with a header row.
            delimiter: the character between cells.
            types: types of columns; others are read by their form.
            units: units of columns that hold plain numbers.

        Raises:
            ArgumentError: a row is not valid; the message names line and column.
            FormatError: there is no header with ``name``, a column is there twice, or a row is too
                long; the message names line and column.
            OSError: the file cannot be read.

        """
        path = path_of(source, _WHAT)
        reader = csv.DictReader(
            io.StringIO(read_text(path, _WHAT)), delimiter=delimiter, strict=True
        )
        rows: list[dict[str, Any]] = []
        lines: list[int] = []
        try:
            columns = [column.strip() for column in reader.fieldnames or ()]
            reader.fieldnames = columns
            if "name" not in columns:
                raise FormatError(f"{path.name} line 1: there is no column 'name'")
            twice = [column for at, column in enumerate(columns) if column in columns[:at]]
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
            FormatError: there is no column ``name``, or a column is there twice.

        """
        convert = getattr(frame, "to_pandas", None)
        table: _Frame = convert() if callable(convert) else frame
        if not callable(getattr(table, "to_dict", None)) or not hasattr(table, "columns"):
            raise ArgumentError(
                f"a data frame is expected, not {type(frame).__name__}; lists of mappings go into "
                "from_records"
            )
        columns = [str(column) for column in getattr(table, "columns", ())]
        twice = [column for at, column in enumerate(columns) if column in columns[:at]]
        if twice:
            raise FormatError(f"the data frame has the column {twice[0]!r} twice")
        rows = table.to_dict(orient="records")
        if rows and "name" not in rows[0]:
            raise FormatError("the data frame has no column 'name'")
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

        place = path_of(path, _WHAT)
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

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Return the base in a file: ``.jsonl``, ``.json`` or ``.csv``, else one that was saved.

        Raises:
            FormatError: it is no knowledge base; the message names line or record.
            OSError: it cannot be read.

        """
        readers = {".jsonl": cls.from_jsonl, ".json": cls.from_json, ".csv": cls.from_csv}
        reader = readers.get(path_of(path, _WHAT).suffix.lower(), cls.load)
        return reader(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, verify: bool = True) -> Self:
        """Map a base that :meth:`save` wrote; it is read in place, without copying.

        Args:
            path: the file.
            verify: compare every section with its checksum (CRC-32) first, which reads the whole
                file once. Without it the contents are trusted, loading takes the same time for a
                file of any size, and damage behind the header can give wrong answers.

        Raises:
            ArgumentError: the path is a folder, or no path at all.
            FormatError: the file is damaged, of another version (save it again), or was not
                saved by ``save``.
            OSError: the file cannot be read.

        """
        kb = cls()
        place = path_of(path, _WHAT)
        if place.is_dir():
            raise ArgumentError(f"{place} is a folder; {_WHAT} is a file")
        # Raises with the file's name where there is none.
        place.stat()
        try:
            kb._read_file(place.absolute(), verify)
        except FormatError as error:
            raise FormatError(
                f"{place}: {error}; a file that KnowledgeBase.save did not write is read by its "
                "suffix: .jsonl, .json or .csv"
            ) from error
        return kb

    @classmethod
    def from_bytes(cls, data: bytes, *, verify: bool = True) -> Self:
        """Read a base that :meth:`to_bytes` wrote.

        Args:
            data: the bytes; they are copied.
            verify: as for :meth:`load`.

        Raises:
            FormatError: the bytes are damaged or of another version; save the base again.

        """
        kb = cls()
        kb._read_bytes(data, verify)
        return kb

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the base, changes folded in; ids may be counted anew.

        The file is replaced as a whole, so that nobody maps half of it.

        Raises:
            OSError: the file cannot be written.

        """
        target = path_of(path, _WHAT)
        beside = target.with_name(f"{target.name}.{os.getpid()}.tmp")
        try:
            beside.write_bytes(self.to_bytes())
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)

    def add_entity(
        self,
        name: str,
        aliases: Sequence[str] | str = (),
        type: str = "",
        attributes: Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
    ) -> int:
        """Add an entity; return its id.

        Raises:
            ArgumentError: a field is not valid, or the key is taken.

        """
        return self._put(entity_record(name, aliases, type, attributes, key), False)

    def upsert(
        self,
        name: str,
        aliases: Sequence[str] | str = (),
        type: str = "",
        attributes: Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
    ) -> int:
        """Add an entity, or replace the one of the same key; return its id.

        Raises:
            ArgumentError: a field is not valid.

        """
        return self._put(entity_record(name, aliases, type, attributes, key), True)

    def set_attribute(self, entity: int | str, attribute: str, value: Any) -> None:
        """Set an attribute, in any form a record gives it; facts of other sources stay.

        Raises:
            ArgumentError: the value is not valid.
            NotFoundError: there is no such entity, or its name belongs to several.

        """
        self._put_attribute(self._id(entity), attribute, dump(value))

    def remove(self, entity: int | str) -> None:
        """Remove an entity.

        Raises:
            NotFoundError: there is no such entity, or its name belongs to several.

        """
        if not self._remove(self._id(entity)):
            raise NotFoundError(f"the knowledge base has no entity {entity}")

    def find_entity(self, name: str) -> Entity | None:
        """Return the first entity of that name, alias or key, or ``None`` (S0-022)."""
        by_key = self.find_key(name)
        found = [by_key] if by_key is not None else self.find(name)
        return self.get_entity(found[0]) if found else None

    def get_entity(self, entity: int | str) -> Entity | None:
        """Return an entity by id, or by a key or name that only it has, or ``None``."""
        try:
            number = self._id(entity)
        except NotFoundError:
            return None
        found = self._entity(number)
        if found is None:
            return None
        attributes: dict[str, list[dict[str, Any]]] = {}
        for fact in self.facts(number):
            attributes.setdefault(fact["predicate"], []).append(fact)
        return Entity(found, attributes=attributes)

    def entity_exists(self, name: str) -> bool:
        """Whether some entity has that name, alias or key."""
        return bool(self.find(name)) or self.find_key(name) is not None

    def __contains__(self, name: object) -> bool:
        """Whether some entity has that name, alias or key."""
        return isinstance(name, str) and self.entity_exists(name)

    def __repr__(self) -> str:
        """Say how many entities and attribute names there are."""
        counts = [f"{len(self)} entities", f"{len(self.attribute_names())} attributes"]
        if tables := len(self.table_names()):
            counts.append(f"{tables} tables")
        return f"KnowledgeBase({', '.join(counts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by path where the base was mapped and not changed, else by its bytes."""
        path = self._path()
        if path is not None:
            return (type(self).load, (str(path),))
        return (type(self).from_bytes, (self.to_bytes(),))

    def _id(self, entity: int | str) -> int:
        if isinstance(entity, bool) or not isinstance(entity, int | str):
            raise ArgumentError(f"an entity is given by its id, key or name, not by {entity!r:.60}")
        if isinstance(entity, int):
            if not 0 <= entity < 2**32:
                raise NotFoundError(f"the knowledge base has no entity {entity}")
            return entity
        by_key = self.find_key(entity)
        found = [by_key] if by_key is not None else self.find(entity)
        if len(found) == 1:
            return found[0]
        what = f"has {len(found)} entities" if found else "has no entity"
        raise NotFoundError(f"the knowledge base {what} of the name '{entity}'; use its id or key")
