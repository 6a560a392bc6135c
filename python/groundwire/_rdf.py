"""Records of a knowledge base out of RDF."""

from __future__ import annotations

import datetime as dt
import decimal
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from groundwire._files import path_of
from groundwire._rdf_names import (
    ALIASES,
    NAMES,
    Called,
    Unnamed,
    called,
    doubtful,
    local,
    readable,
    values,
)
from groundwire._records import from_row
from groundwire.errors import ArgumentError, FormatError

log = logging.getLogger("groundwire")
_OWN = {"name", "type", "key", "aliases"}
"""Variables of a solution that say who it is about."""
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def records(
    source: Path, form: str | None, query: str | None, language: str
) -> Iterator[dict[str, Any]]:
    """Yield one record a subject, or a solution of ``query``; see ``KnowledgeBase.from_rdf``."""
    rdflib = _rdflib()
    graph = _parsed(rdflib, source, form)
    if query is not None:
        found = list(_solutions(graph, query, language))
        if not found:
            log.warning(
                "the SPARQL query has no solution in %s: is each prefix the file's?", source
            )
        yield from found
        return
    subjects = dict.fromkeys(graph.subjects())

    def known(iri: Any) -> str | None:
        found = _labels(graph, iri, language)
        # The base has a record of every subject: what names it is its key.
        return str(iri) if found.name and iri in subjects else found.name

    for subject in subjects:
        if isinstance(subject, rdflib.URIRef):
            yield _record(graph, subject, language, known)


_LABELS = " ".join(f"<{iri}>" for iri in (*NAMES, *ALIASES))
_BY_LABEL = f"""
SELECT DISTINCT ?subject WHERE {{
  VALUES ?label {{ {_LABELS} }}
  ?subject ?label ?name .
  FILTER(LCASE(STR(?name)) = LCASE(STR(?wanted)))
}} ORDER BY ?subject
"""
_OF_VALUES = f"""
SELECT DISTINCT ?value ?label ?name WHERE {{
  ?subject ?attribute ?value .
  ?value ?label ?name .
  VALUES ?label {{ {_LABELS} }}
  FILTER(isIRI(?value))
}}
"""


def asker(
    graph: Any, query: str | None, form: str | None, language: str
) -> tuple[Callable[[str], Iterator[dict[str, Any]]], str]:
    """Return what yields the records of a name, and what the graph is called.

    See ``groundwire.lookup.RdfSource``.
    """
    rdflib = _rdflib()
    called_so = "graph"
    if isinstance(graph, str | os.PathLike):
        place = path_of(graph, "an RDF file")
        graph, called_so = _parsed(rdflib, place, form), place.name
    if not isinstance(graph, rdflib.Graph):
        raise ArgumentError(f"a graph is an rdflib.Graph or a file, not {type(graph).__name__}")
    if query is not None and "?wanted" not in query:
        raise FormatError("the SPARQL query has no ?wanted, which stands for the name asked for")
    prepare = rdflib.plugins.sparql.prepareQuery
    try:
        asked = prepare(query or _BY_LABEL)
    except Exception as error:  # pyparsing's and rdflib's own types.
        raise FormatError(f"the SPARQL query is not valid: {error}") from error
    of_values = prepare(_OF_VALUES)

    def neighbours(subject: Any) -> dict[Any, Called]:
        labels: dict[Any, list[tuple[str, Any]]] = {}
        for row in graph.query(of_values, initBindings={"subject": subject}):
            labels.setdefault(row.value, []).append((str(row.label), row.name))
        return {iri: called(str(iri), found, language) for iri, found in labels.items()}

    def ask(name: str) -> Iterator[dict[str, Any]]:
        bound = {"wanted": rdflib.Literal(name)}
        if query is not None:
            yield from _solutions(graph, asked, language, bound)
            return
        beside: dict[Any, Called] = {}
        subjects = {
            row.subject: None
            for row in graph.query(asked, initBindings=bound)
            if isinstance(row.subject, rdflib.URIRef)
        }
        for subject in subjects:
            near = neighbours(subject)
            yield _record(graph, subject, language, partial(_named, near))
            beside |= near
        for iri, known in sorted(beside.items()):
            # What a value is called else; its own attributes are nobody's question.
            if known.name is not None and known.aliases and iri not in subjects:
                yield {"name": known.name, "key": str(iri), "aliases": [*known.aliases]}

    return ask, called_so


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
    graph: Any, query: Any, language: str, bound: Mapping[str, Any] | None = None
) -> Iterator[dict[str, Any]]:
    try:
        result = graph.query(query, initBindings=dict(bound or {}))
    except Exception as error:  # pyparsing's and rdflib's own types.
        raise FormatError(f"the SPARQL query is not valid: {error}") from error
    names = [str(name) for name in result.vars or ()]
    if "name" not in names:
        raise FormatError("the SPARQL query must be a SELECT with a variable ?name")
    rows = [
        {
            name: str(cell) if name.lower() in _OWN else _cell(graph, cell, language)
            for name, cell in zip(names, row, strict=True)
            if cell is not None
        }
        for row in result
    ]
    # Of several solutions about one name each may have one of its values.
    unnamed = {
        (row.get("name"), name)
        for row in rows
        for name, cell in row.items()
        if isinstance(cell, Unnamed)
    }
    for row in rows:
        who = row.get("name")
        cells = {
            name: doubtful(cell) if (who, name) in unnamed else cell for name, cell in row.items()
        }
        yield from_row(cells, {}, {})


def _cell(graph: Any, cell: Any, language: str) -> Any:
    """Return a solution's value, a resource by its name."""
    if hasattr(cell, "datatype"):
        return _plain(cell)
    return _value(cell, lambda iri: _labels(graph, iri, language).name)


def _labels(graph: Any, iri: Any, language: str) -> Called:
    """Return what a resource of a graph is called."""
    ways = ((way, type(iri)(way)) for way in (*NAMES, *ALIASES))
    labels = [(way, label) for way, node in ways for label in graph.objects(iri, node)]
    return called(str(iri), labels, language)


def _named(near: Mapping[Any, Called], iri: Any) -> str | None:
    return near[iri].name if iri in near else readable(str(iri))


def _record(
    graph: Any, subject: Any, language: str, known: Callable[[Any], str | None]
) -> dict[str, Any]:
    labels: list[tuple[str, Any]] = []
    attributes: dict[str, list[Any]] = {}
    kind = ""
    for predicate, value in graph.predicate_objects(subject):
        iri = str(predicate)
        spoken = getattr(value, "language", None)
        if iri in NAMES or iri in ALIASES:
            labels.append((iri, value))
        elif iri == _TYPE:
            kind = kind or local(str(value)).lower()
        elif spoken in (None, language):
            attributes.setdefault(attribute(iri), []).append(_value(value, known))
    name, aliases = called(str(subject), labels, language)
    facts = {key: values(found) for key, found in sorted(attributes.items())}
    record: dict[str, Any] = {
        "name": name or local(str(subject)).replace("_", " "),
        "key": str(subject),
        "aliases": [*aliases],
    }
    if kind:
        record["type"] = kind
    if facts:
        record["attributes"] = facts
    return record


def attribute(iri: str) -> str:
    """Return the last part of a predicate's IRI, its words parted by ``_``: "foundingDate" too."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", local(iri))
    return parted if "_" not in parted else parted.lower()


def _value(value: Any, known: Callable[[Any], str | None]) -> Any:
    if not hasattr(value, "datatype"):
        # A blank node has no name at all.
        name = known(value) if hasattr(value, "defrag") else None
        return Unnamed(value) if name is None else {"value": name, "type": "entity"}
    plain = _plain(value)
    if isinstance(plain, Mapping):
        return plain
    if isinstance(plain, str):
        return {"value": plain, "type": "text"}
    return plain


def _plain(value: Any) -> Any:
    plain = value.toPython()
    if isinstance(plain, decimal.Decimal):
        return float(plain)
    if isinstance(plain, bool | int | float):
        return plain
    if isinstance(plain, dt.date):
        return {"value": plain.isoformat()[:10], "type": "date"}
    return str(value)
