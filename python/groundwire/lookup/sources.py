"""What a ``Lookup`` asks: knowledge bases, tables of databases and RDF graphs, by name."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Protocol, runtime_checkable

from groundwire.errors import ArgumentError
from groundwire.kb import KnowledgeBase

MAX_RECORDS = 64
"""Entities of one name that are looked at."""

Record = Mapping[str, Any]


@runtime_checkable
class Source(Protocol):
    """Whatever can be asked for entities by name, from several threads."""

    @property
    def name(self) -> str:
        """What to call it in findings."""

    def find(self, name: str) -> Iterable[Record]:
        """Return the records (as ``KnowledgeBase.from_records`` takes them) of that name."""


class BaseSource:
    """A ``KnowledgeBase`` under the interface of sources."""

    def __init__(self, kb: KnowledgeBase, name: str = "knowledge base") -> None:
        """Ask ``kb``, whose changes are seen at once."""
        self.kb = kb
        self.name = name

    def find(self, name: str) -> Iterator[Record]:
        """Yield the entities of that name, alias or key."""
        for number in self.kb.find(name):
            entity = self.kb.get_entity(number)
            if entity is not None:
                yield {
                    "name": entity["name"],
                    "key": entity["key"],
                    "aliases": entity["aliases"],
                    "type": entity["type"],
                    "attributes": {
                        key: [_fact(fact) for fact in facts]
                        for key, facts in entity["attributes"].items()
                    },
                }


class SqlSource:
    """A table or query of any database that SQLAlchemy knows, asked by name.

    Names are bound parameters, never part of the SQL text. Needs ``groundwire[sql]``.

    Args:
        url: SQLAlchemy URL, or an engine (for one that more threads may use).
        table: table or view to ask, with its schema if it has one; its column ``name_column`` is
            compared without case.
        query: SQL to ask instead, in which ``:name`` stands for the name. Its result has the
            columns that ``KnowledgeBase.from_sql`` reads.
        name_column: of ``table``; read as ``name``.
        name: what to call the source in findings; the table by default.
        types: types of columns; others are read by their form.
        units: units of columns that hold plain numbers.
        check: whether to ask the database once at the start, so that a table that is not there or
            a server that does not answer is an error there and then. Without it, and later, a
            ``Lookup`` only logs what fails.

    Raises:
        ArgumentError: there is no such kind of database, or not just one of ``table`` and
            ``query``, or the query has no ``:name``.
        FormatError: the database cannot be read, or lacks the table or a column.

    """

    def __init__(
        self,
        url: Any,
        *,
        table: str | None = None,
        query: str | None = None,
        name_column: str = "name",
        name: str | None = None,
        types: Mapping[str, str] | None = None,
        units: Mapping[str, str] | None = None,
        check: bool = True,
    ) -> None:
        """Prepare, and see whether the database answers."""
        from groundwire import _sql

        if query is not None and not re.search(r"(?<![:\w]):name\b", query):
            raise ArgumentError("the query has no :name, which stands for the name that is asked")
        self._ask, self._close = _sql.asker(
            url, table, query, name_column, types or {}, units or {}
        )
        self.name = name or table or "database"
        if check:
            try:
                next(self._ask(""), None)
            finally:
                # Processes that fork must not share a connection.
                self._close()

    def find(self, name: str) -> Iterator[Record]:
        """Yield the records of that name; raises ``FormatError`` where they cannot be read."""
        return self._ask(name)

    def close(self) -> None:
        """Close the connections of an engine that was made from a URL; asking opens others."""
        self._close()


class RdfSource:
    """An RDF graph, asked by SPARQL for the labels that ``KnowledgeBase.from_rdf`` knows.

    The name is bound to a variable, never part of the query's text. Needs ``groundwire[rdf]``.

    Args:
        graph: an ``rdflib.Graph`` (one over a SPARQL endpoint as well), or the path of a file.
        query: a SPARQL SELECT with ``?name`` in its result and ``?wanted`` for the name that is
            asked ("… FILTER(str(?name) = str(?wanted))"); by default every subject that has the
            name as a label, without case.
        format: format of the file; by default told by its suffix.
        language: language of names and texts.
        name: what to call the source in findings; the file's name by default.

    Raises:
        ArgumentError: rdflib is not installed, or this is no graph.
        FormatError: the file is no RDF of that format, or the query is not valid.
        OSError: the file cannot be read.

    """

    def __init__(
        self,
        graph: Any,
        *,
        query: str | None = None,
        format: str | None = None,
        language: str = "en",
        name: str | None = None,
    ) -> None:
        """Read the file, and prepare the query."""
        from groundwire import _rdf

        self._ask, known = _rdf.asker(graph, query, format, language)
        self.name = name or known
        # rdflib's query engine keeps state of its own.
        self._lock = threading.Lock()

    def find(self, name: str) -> list[Record]:
        """Return the records of that name; raises ``FormatError`` where the query fails."""
        with self._lock:
            return list(islice(self._ask(name), MAX_RECORDS))


def _fact(fact: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fact.items() if key != "predicate" and value is not None}
