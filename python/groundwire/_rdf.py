"""Records of a knowledge base out of RDF."""

from __future__ import annotations

import datetime as dt
import decimal
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from groundwire._files import path_of
from groundwire._records import from_row
from groundwire.errors import ArgumentError, FormatError

_NAMES = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://xmlns.com/foaf/0.1/name",
    "http://schema.org/name",
    "https://schema.org/name",
)
_ALIASES = (
    "http://www.w3.org/2004/02/skos/core#altLabel",
    "http://schema.org/alternateName",
    "https://schema.org/alternateName",
)
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def records(
    source: Path, form: str | None, query: str | None, language: str
) -> Iterator[dict[str, Any]]:
    """Yield one record a subject, or a solution of ``query``; see ``KnowledgeBase.from_rdf``."""
    rdflib = _rdflib()
    graph = _parsed(rdflib, source, form)
    if query is not None:
        yield from _solutions(graph, query)
        return
    for subject in dict.fromkeys(graph.subjects()):
        if isinstance(subject, rdflib.URIRef):
            yield _record(graph, subject, language)


_BY_LABEL = f"""
SELECT DISTINCT ?subject WHERE {{
  VALUES ?label {{ {" ".join(f"<{iri}>" for iri in (*_NAMES, *_ALIASES))} }}
  ?subject ?label ?name .
  FILTER(LCASE(STR(?name)) = LCASE(STR(?wanted)))
}} ORDER BY ?subject
"""


def asker(
    graph: Any, query: str | None, form: str | None, language: str
) -> tuple[Callable[[str], Iterator[dict[str, Any]]], str]:
    """Return what yields the records of a name, and what the graph is called.

    See ``groundwire.lookup.RdfSource``.
    """
    rdflib = _rdflib()
    called = "graph"
    if isinstance(graph, str | os.PathLike):
        place = path_of(graph, "an RDF file")
        graph, called = _parsed(rdflib, place, form), place.name
    if not isinstance(graph, rdflib.Graph):
        raise ArgumentError(f"a graph is an rdflib.Graph or a file, not {type(graph).__name__}")
    if query is not None and "?wanted" not in query:
        raise FormatError("the SPARQL query has no ?wanted, which stands for the name asked for")
    try:
        asked = rdflib.plugins.sparql.prepareQuery(query or _BY_LABEL)
    except Exception as error:  # pyparsing's and rdflib's own types.
        raise FormatError(f"the SPARQL query is not valid: {error}") from error

    def ask(name: str) -> Iterator[dict[str, Any]]:
        bound = {"wanted": rdflib.Literal(name)}
        if query is not None:
            yield from _solutions(graph, asked, bound)
            return
        for row in graph.query(asked, initBindings=bound):
            if isinstance(row.subject, rdflib.URIRef):
                yield _record(graph, row.subject, language)

    return ask, called


def _rdflib() -> Any:
    try:
        import rdflib
        import rdflib.plugins.sparql
    except ImportError as error:
        raise ArgumentError("reading RDF needs rdflib; install groundwire[rdf]") from error
    return rdflib


def _parsed(rdflib: Any, source: Path, form: str | None) -> Any:
    graph = rdflib.Graph()
    if not source.is_file():
        source.open("rb").close()
    try:
        graph.parse(source, format=form)
    except Exception as error:  # rdflib's parsers raise types of their own, with no common base.
        raise FormatError(f"{source.name} could not be read as RDF: {error}") from error
    return graph


def _solutions(
    graph: Any, query: Any, bound: Mapping[str, Any] | None = None
) -> Iterator[dict[str, Any]]:
    try:
        result = graph.query(query, initBindings=dict(bound or {}))
    except Exception as error:  # pyparsing's and rdflib's own types.
        raise FormatError(f"the SPARQL query is not valid: {error}") from error
    names = [str(name) for name in result.vars or ()]
    if "name" not in names:
        raise FormatError("the SPARQL query must be a SELECT with a variable ?name")
    for row in result:
        cells = {
            name: _plain(cell) for name, cell in zip(names, row, strict=True) if cell is not None
        }
        yield from_row(cells, {}, {})


def _record(graph: Any, subject: Any, language: str) -> dict[str, Any]:
    names: list[str] = []
    aliases: list[str] = []
    attributes: dict[str, list[Any]] = {}
    kind = ""
    for predicate, value in graph.predicate_objects(subject):
        iri = str(predicate)
        spoken = getattr(value, "language", None)
        if iri in _NAMES or iri in _ALIASES:
            own = iri in _NAMES and spoken in (None, language)
            (names if own else aliases).append(str(value))
        elif iri == _TYPE:
            kind = kind or local(str(value)).lower()
        elif spoken in (None, language):
            attributes.setdefault(attribute(iri), []).append(_value(value))
    name = min(names) if names else local(str(subject)).replace("_", " ")
    others = sorted({*names, *aliases} - {name})
    # Triples have no order; sorted, the same file gives the same base.
    facts = {key: sorted(values, key=repr) for key, values in sorted(attributes.items())}
    record: dict[str, Any] = {"name": name, "key": str(subject), "aliases": others}
    if kind:
        record["type"] = kind
    if facts:
        record["attributes"] = facts
    return record


def local(iri: str) -> str:
    """Return the last part of an IRI: behind ``#``, ``/`` or ``:``."""
    return iri.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1].rsplit(":", 1)[-1] or iri


def attribute(iri: str) -> str:
    """Return the last part of a predicate's IRI, its words parted by ``_``: "foundingDate" too."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", local(iri))
    return parted if "_" not in parted else parted.lower()


def _value(value: Any) -> Any:
    if not hasattr(value, "toPython") or not hasattr(value, "datatype"):
        return {"value": str(value), "type": "entity"}
    plain = _plain(value)
    if isinstance(plain, Mapping):
        return plain
    if isinstance(plain, str):
        return {"value": plain, "type": "text"}
    return plain


def _plain(value: Any) -> Any:
    if not hasattr(value, "datatype"):
        return str(value)
    plain = value.toPython()
    if isinstance(plain, decimal.Decimal):
        return float(plain)
    if isinstance(plain, bool | int | float):
        return plain
    if isinstance(plain, dt.date):
        return {"value": plain.isoformat()[:10], "type": "date"}
    return str(value)
