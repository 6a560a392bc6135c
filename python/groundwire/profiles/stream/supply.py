"""What can be looked up for an answer, and whether it supplies what a request needs (S4-004)."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from groundwire import _core
from groundwire._checks import several
from groundwire._given import passages, turns
from groundwire.errors import ArgumentError
from groundwire.profiles.stream.language import content_words, sentences, tables, words
from groundwire.profiles.stream.needs import (
    Need,
    attribute_names,
    extract_needs,
    plain_name,
    table_attribute,
)
from groundwire.profiles.stream.shapes import part_of
from groundwire.profiles.stream.speakers import answers
from groundwire.profiles.stream.telling import holds, of_whom, told_at

log = logging.getLogger("groundwire")

Retriever = Callable[[str], Iterable[Any]]
PARTS = ("kb", "evidence", "history", "retrievers", "today")
"""What a context may hold."""
MAX_SUGGESTED = 3
"""Attributes and names that one alternative lists."""
TITLES = frozenset({"mr", "mrs", "ms", "miss", "mx", "dr", "prof", "professor", "sir", "the"})
"""Words before a name that are no part of it."""
_FULL_DATE = re.compile(
    r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2} [A-Z][a-z]+ \d{4}\b|\b[A-Z][a-z]+ \d{1,2}, \d{4}\b"
)
_TODAY = re.compile(r"\b(?:today|current date|the date|now)\b", re.IGNORECASE)


class KnowledgeStore:
    """Everything that can be looked up for an answer (S4-004).

    Args:
        kb: a knowledge base.
        evidence: passages, in the forms that ``Monitor.session`` takes.
        history: earlier turns, likewise. Questions in them supply nothing.
        retrievers: functions from a query to passages; asked only where nothing else supplies a
            need, in order. One that raises brings nothing and is named in the check.
        today: today's date as the answer will know it (any text that names it), if it will.

    Raises:
        ArgumentError: evidence, history or a retriever is none.
    """

    def __init__(
        self,
        *,
        kb: _core.KnowledgeBase | None = None,
        evidence: Iterable[Any] = (),
        history: Iterable[Any] = (),
        retrievers: Iterable[Retriever] = (),
        today: str | None = None,
    ) -> None:
        self.kb = kb
        self.evidence = passages(evidence)
        self.history = turns(history)
        if kb is not None and not isinstance(kb, _core.KnowledgeBase):
            raise ArgumentError(f"kb is a KnowledgeBase, not {kb!r:.60}")
        self.retrievers = tuple(several(retrievers, "retrievers", "functions"))
        for i, one in enumerate(self.retrievers):
            if not callable(one):
                raise ArgumentError(f"retrievers[{i}] is called with a query; {one!r:.60} cannot")
        self.today = today
        self.retrieved: list[tuple[str, str]] = []
        self.failed: list[str] = []
        self._index: _core.EntityIndex | None = None
        self._parts: dict[str, set[int]] = {}
        self._perhaps: dict[str, set[int]] = {}
        self._texts: list[tuple[str, str, list[str]]] | None = None

    @classmethod
    def of(cls, context: Any) -> KnowledgeStore:
        """Return the store of a context: a store, or anything with some of its parts (S4-036).

        A context is a mapping or an object with any of ``kb``, ``evidence``, ``history``,
        ``retrievers`` and ``today``; none is an empty store.

        Raises:
            ArgumentError: a mapping has another key, an object none of these parts.

        """
        if isinstance(context, cls):
            return context
        _check_parts(context)
        given = {n: part_of(context, n) for n in ("kb", "evidence", "history", "retrievers")}
        found = {name: value for name, value in given.items() if value is not None}
        return cls(**found, today=part_of(context, "today"))

    @property
    def index(self) -> _core.EntityIndex:
        """The names of the knowledge base, for reading a request; built at first use."""
        if self._index is None:
            pairs = []
            for number in self.kb.ids() if self.kb is not None else ():
                entity = self.kb._entity(number) if self.kb is not None else None
                if entity is not None:
                    names = (entity["name"], *entity["aliases"])
                    pairs += [(name, number) for name in names]
                    person = str(entity["type"]).lower() == "person"
                    for part in _parts_of(" ".join(names), person):
                        self._parts.setdefault(part, set()).add(number)
                    # Who has no type may be a person, and called by a part of the name.
                    proper = [w for name in names for w in name.split() if w[:1].isupper()]
                    for part in () if entity["type"] else _parts_of(" ".join(proper), True):
                        self._perhaps.setdefault(part, set()).add(number)
            self._index = _core.EntityIndex.build(pairs)
        return self._index

    def contains(self, need: Need | str) -> bool:
        """Return whether something here supplies a need, or knows a name (retrievers included)."""
        if isinstance(need, str):
            need = Need("entity", need, need)
        return bool(self.supply(need))

    def supply(self, need: Need) -> tuple[str, ...]:
        """Return the sources that supply a need: ``kb``, passages' ids, ``turn N``, ``today``."""
        found = list(self._supplied(need))
        for retriever in () if found else self.retrievers:
            fresh = self._retrieve(retriever, need.label)
            found = [name for name, _, parts in fresh if _supplies(need, parts)]
            if found:
                break
        return tuple(dict.fromkeys(found))

    @property
    def reads(self) -> bool:
        """Whether there is anything to read: passages, turns, or retrievers to bring some."""
        return bool(self.retrievers or self._read())

    def entities(self, name: str) -> list[int]:
        """Return the ids of the entities of that name in the knowledge base.

        A person may be named by a part of the name ("Sarah", "Dr. Pohl") and a thing by its number
        ("the X200"), where one alone has it.
        """
        kind, found, _ = self.index.lookup(name)
        if kind == "known":
            return list(found)
        named = _named_in_part(name, self._parts)
        return named if len(named) == 1 else []

    def nearest(self, name: str) -> list[str]:
        """Return the names in the knowledge base nearest to one it lacks, the nearest first."""
        kind, found, _ = self.index.lookup(name)
        if self.kb is None or kind == "known":
            return []
        near = list(found) if kind == "near_miss" else []
        near = near or _named_in_part(name, self._parts) or _named_in_part(name, self._perhaps)
        entities = [self.kb._entity(number) for number in near]
        return list(dict.fromkeys(e["name"] for e in entities if e is not None))[:MAX_SUGGESTED]

    def attributes(self, name: str) -> list[str]:
        """Return the attributes known of the entities of that name."""
        facts = [f for n in self.entities(name) for f in (self.kb.facts(n) if self.kb else ())]
        return list(dict.fromkeys(str(f["predicate"]) for f in facts if _told(f["value"])))

    def last_named(self) -> str | None:
        """Return the name that the history mentions last, or none."""
        for _, text in reversed(self.history):
            named = [n for n in extract_needs(text, self.index) if n.entity]
            if named:
                return named[-1].entity
        return None

    def _supplied(self, need: Need) -> Iterator[str]:
        if need.kind == "date" and self.today:
            yield "today"
        if need.kind == "recalled":
            yield from self._said(need)
            return
        if need.kind in {"entity", "attribute"} and need.entity and self.kb is not None:
            for number in self.entities(need.entity):
                names = attribute_names(need.attribute) if need.attribute else frozenset()
                facts = [f for f in self.kb.facts(number) if _told(f["value"])]
                known = {plain_name(str(fact["predicate"])) for fact in facts}
                listed = need.attribute is not None and any(
                    holds(str(fact["value"]), need.attribute) for fact in facts
                )
                measured = need.attribute is not None and _as_part(need.attribute, known)
                if need.kind == "entity" or names & known or listed or measured:
                    yield "kb"
            if self._tells_of_value(need):
                yield "kb"
        for name, _, parts in self._read():
            if _supplies(need, parts):
                yield name

    def held(self, name: str) -> list[int]:
        """Return the ids of the entities of which the knowledge base has a name as a value."""
        if self.kb is None:
            return []
        return [
            number
            for number in self.kb._holders(name)
            if any(holds(str(fact["value"]), name) for fact in self.kb.facts(number))
        ]

    def _tells_of_value(self, need: Need) -> bool:
        """Whether a name that is only a value is all that is needed, or whose value it is.

        "Who is Ada Lind?" is told by a museum's director, and so is "Which museum does she lead?"
        """
        name = need.entity or ""
        if self.entities(name):
            return False
        held = self.held(name)
        if need.kind == "entity" or not held:
            return bool(held)
        asked = need.attribute or ""
        if asked == "title":
            return True
        sort = set(words(asked))
        for number in held:
            entity = self.kb._entity(number) if self.kb is not None else None
            if entity and sort and sort <= set(words(f"{entity['type'] or ''} {entity['name']}")):
                return True
        return False

    def _said(self, need: Need) -> Iterator[str]:
        """Yield the turns in which somebody said something of what is to be recalled."""
        topic = content_words(need.attribute or "")
        for name, _, parts in self._read():
            if not name.startswith("turn "):
                continue
            role = self.history[int(name.removeprefix("turn "))][0]
            if (role == "assistant") is (need.speaker == "assistant") and any(
                topic <= content_words(part) for part in parts
            ):
                yield name

    def bearers(self, need: Need) -> list[str]:
        """Return who or what a need is about: the values of its entity's attribute ``via``."""
        names = attribute_names(table_attribute(need.via or "")) | {plain_name(need.via or "")}
        return [
            str(fact["value"])
            for number in self.entities(need.entity or "")
            for fact in (self.kb.facts(number) if self.kb is not None else ())
            if _told(fact["value"])
            and plain_name(str(fact["predicate"])) in names
            and self.entities(str(fact["value"]))
        ]

    def _read(self) -> list[tuple[str, str, list[str]]]:
        """Return all texts as (name, text, sentences); of turns, what is no question."""
        if self._texts is None:
            turned = [(f"turn {i}", text) for i, (_, text) in enumerate(self.history)]
            self._texts = [(name, text, _cut(text)) for name, text in self.evidence]
            self._texts += [
                (name, text, [s for s in _cut(text) if not s.rstrip().endswith("?")])
                for name, text in turned
            ]
        return self._texts

    def _retrieve(self, retriever: Retriever, query: str) -> list[tuple[str, str, list[str]]]:
        name = str(getattr(retriever, "__name__", type(retriever).__name__))
        try:
            found = passages(retriever(query) or ())
        except Exception as error:
            log.warning("the retriever %s failed: %s", name, type(error).__name__)
            self.failed.append(name)
            return []
        # Ids of several answers must not fall together.
        fresh = [(f"{name}/{len(self.retrieved) + i}:{key}", t) for i, (key, t) in enumerate(found)]
        self.retrieved += fresh
        read = [(key, text, _cut(text)) for key, text in fresh]
        self._texts = self._read() + read
        return read


def _check_parts(context: Any) -> None:
    """Refuse a context in which a part would be overlooked, or that is none at all."""
    if isinstance(context, Mapping):
        strange = next((key for key in context if key not in PARTS), None)
        if strange is not None:
            raise ArgumentError(f"a context has no {strange!r:.60}; it has {', '.join(PARTS)}")
    elif context is not None and not any(hasattr(context, name) for name in PARTS):
        raise ArgumentError(
            f"a context is a mapping or object with any of {', '.join(PARTS)}, not {context!r:.60}"
        )


def _parts_of(names: str, person: bool) -> set[str]:
    """Return the words by which somebody may be called, or the numbers of something else."""
    words = {word.strip(".,'’()").lower() for word in names.replace("’s", "").split()}
    return {word for word in words if word and (person or any(c.isdigit() for c in word))}


def _named_in_part(name: str, parts: Mapping[str, set[int]]) -> list[int]:
    """Return the ids of those whose names have all words of a shorter one."""
    found = [parts.get(part, set()) for part in _parts_of(name, person=True) - TITLES]
    return sorted(set.intersection(*found)) if found else []


def _as_part(attribute: str, known: Iterable[str]) -> bool:
    """Whether an attribute's measure is known by its own name: of a battery the battery life."""
    measures = set(tables()["measures"].split())
    own = plain_name(attribute)
    return any(name.startswith(own + " ") and name.split()[-1] in measures for name in known)


def _told(value: Any) -> bool:
    """Whether a fact's value says something: not "unknown", "n/a", nothing at all."""
    return not (isinstance(value, str) and _core.is_placeholder(value))


def _cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)] or [text]


def _supplies(need: Need, parts: list[str]) -> bool:
    """Whether a text of these sentences supplies a need."""
    whole = " ".join(parts)
    if need.kind == "date":
        return any(_FULL_DATE.search(part) and _TODAY.search(part) for part in parts)
    if need.kind == "implicit":
        return bool(need.cues) and all(re.search(c, whole, re.IGNORECASE) for c in need.cues)
    if need.kind == "own":
        return answers(need.attribute or "", parts)
    if need.kind == "referent" or not need.entity:
        return False
    about = [i for i, part in enumerate(parts) if holds(part, need.entity)]
    if need.kind == "entity":
        return any(len(words(parts[i])) > len(words(need.entity)) for i in about)
    # Sentences after a name go on about it until they name another.
    return bool(about) and any(
        of_whom(part, need.entity, at) for part in parts[about[0] :] for at in told_at(need, part)
    )
