"""Facts about entities: read from files, tables and records, saved, mapped, changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from errno import EISDIR
from typing import Any, Self

from groundwire._checks import several, words
from groundwire._entity import Entity
from groundwire._files import path_of
from groundwire._kb_sources import WHAT, FromSources
from groundwire._records import dump, entity_record
from groundwire._tables import KbTable, added
from groundwire.errors import ArgumentError, FormatError, NotFoundError
from groundwire.lexicon import Lexicon


class KnowledgeBase(FromSources):
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
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Return the base in a file: ``.jsonl``, ``.json`` or ``.csv``, else one that was saved.

        Raises:
            FormatError: it is no knowledge base; the message names line or record.
            OSError: it cannot be read.

        """
        readers = {".jsonl": cls.from_jsonl, ".json": cls.from_json, ".csv": cls.from_csv}
        reader = readers.get(path_of(path, WHAT).suffix.lower(), cls.load)
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
        place = path_of(path, WHAT)
        if place.is_dir():
            raise ArgumentError(f"{place} is a folder; {WHAT} is a file")
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
    def from_bytes(cls, data: bytes | bytearray, *, verify: bool = True) -> Self:
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
        target = path_of(path, WHAT)
        if target.is_dir():
            raise IsADirectoryError(EISDIR, "a folder, not a file to save into", str(target))
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

    def set_world(self, closed: bool = False, attributes: Sequence[str] = ()) -> None:
        """Declare the base complete as a whole, or in some attributes: what it lacks is false.

        Args:
            closed: whether it is complete as a whole.
            attributes: names of attributes, or of tables' columns, that are complete.

        Raises:
            ArgumentError: ``closed`` is no bool, or ``attributes`` is no list of names.

        """
        if not isinstance(closed, bool):
            raise ArgumentError(
                f"closed is True or False, not {closed!r:.60}; for single attributes: attributes=…"
            )
        names = [
            words(name, f"attributes[{i}]")
            for i, name in enumerate(several(attributes, "attributes", "names"))
        ]
        super().set_world(closed, names)

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
