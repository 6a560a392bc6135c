"""What the resources of an RDF graph are called, for those who read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

NAMES = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://xmlns.com/foaf/0.1/name",
    "http://schema.org/name",
    "https://schema.org/name",
)
ALIASES = (
    "http://www.w3.org/2004/02/skos/core#altLabel",
    "http://schema.org/alternateName",
    "https://schema.org/alternateName",
)
_WORD = re.compile(r"[^\W\d_]+(?:['’\-–][^\W\d_]+)*[.,]?|(?:[^\W\d_]\.)+,?|[0-9]{1,4},?")
_HUMP = re.compile(r"(?<=[a-z])[A-Z]")
_APART = re.compile(r"\s*\([^()]*\)$")


class Called(NamedTuple):
    """Names of a resource.

    Attributes:
        name: what a text calls it; none where the graph has no name in the language, and the IRI
            holds none.
        aliases: what else it is called, in other languages too.
    """

    name: str | None
    aliases: tuple[str, ...] = ()


def local(iri: str) -> str:
    """Return the last part of an IRI: behind ``#``, ``/`` or ``:``."""
    return iri.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1].rsplit(":", 1)[-1] or iri


def readable(iri: str) -> str | None:
    """Return the name in the last part of an IRI, if it is one: ``Como``, ``Andr%C3%A9_Fell``.

    What parts namesakes ("Mercury_(planet)") is left out. None for what may be an identifier:
    ``Q76346``, ``p17``, ``siemens.com``, ``foundedBy``.
    """
    text = _APART.sub("", unquote(local(iri)).replace("_", " ")).strip()
    words = text.split()
    fits = bool(words) and all(_WORD.fullmatch(word) and not _HUMP.search(word) for word in words)
    letters = [c for c in text if c.isalpha()]
    if not fits or len(letters) < 2 or all(c.islower() for c in letters):
        return None
    return text


def called(iri: str, labels: Iterable[tuple[str, Any]], language: str) -> Called:
    """Return the names of ``iri``.

    Args:
        iri: the resource.
        labels: its labels, each with the predicate's IRI.
        language: of names; those without a language count as well.
    """
    names, others = set[str](), set[str]()
    for predicate, label in labels:
        own = predicate in NAMES and getattr(label, "language", None) in (None, language)
        (names if own else others).add(str(label))
    # Triples have no order; the same graph gives the same names.
    name = min(names) if names else readable(iri)
    return Called(name, tuple(sorted((names | others) - {name})))


def values(found: Iterable[Any]) -> list[Any]:
    """Return the values of one attribute as a record has them.

    Where one of them has no name (``Unnamed``) nothing can be held against the attribute: what a
    text says may be just that one. Such values are kept, so that a closed world has the attribute,
    with a confidence of 0.
    """
    # Triples have no order; sorted, the same file gives the same base.
    facts = sorted(found, key=repr)
    if not any(isinstance(fact, Unnamed) for fact in facts):
        return facts
    return [doubtful(fact) for fact in facts]


def doubtful(fact: Any) -> dict[str, Any]:
    """Return a value as one that nothing is held against."""
    return {**_described(fact), "confidence": 0.0}


class Unnamed(str):
    """An IRI, or a blank node, that has no name."""

    __slots__ = ()


def _described(fact: Any) -> Mapping[str, Any]:
    if isinstance(fact, Mapping):
        return fact
    if isinstance(fact, Unnamed):
        return {"value": str(fact), "type": "entity"}
    return {"value": fact}
