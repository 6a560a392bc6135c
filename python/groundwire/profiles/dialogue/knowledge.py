"""The knowledge base as the dialogue profile asks it (S0-022, S0-023).

Any object with the three methods of ``KnowledgeBase`` will do; ``view`` makes one of
``groundwire.KnowledgeBase``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Protocol, runtime_checkable

from groundwire import _core
from groundwire.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """One value of an attribute, as text; ``confidence`` 0..1."""

    value: str
    source: str | None = None
    confidence: float = 1.0


@runtime_checkable
class EntityLike(Protocol):
    """What a knowledge base knows about one entity (S0-023)."""

    def has_attribute(self, name: str) -> bool:
        """Whether the attribute is known."""

    def attribute_names(self) -> Sequence[str]:
        """Names of the attributes that are known."""

    def attribute_count(self) -> int:
        """How many there are."""

    def similar_attributes(self, name: str) -> Sequence[str]:
        """Names of attributes that resemble ``name``."""

    def get_attribute(self, name: str) -> Any:
        """Return the attribute (with a text in ``value``), or ``None``."""


@runtime_checkable
class KnowledgeBase(Protocol):
    """What the detectors ask (S0-022).

    It may also have ``is_closed(attribute: str | None) -> bool``: whether what it lacks is not so.
    Without it the base counts as open: what it lacks is unknown, not wrong (U-7). Under
    ``strict_seed`` everything it lacks counts as not so, as in the document.
    """

    def entity_exists(self, name: str) -> bool:
        """Whether an entity has that name."""

    def get_entity(self, name: str) -> EntityLike | None:
        """Return the entity of that name, or ``None``."""

    def find_entity(self, surface: str) -> Any:
        """Return what a mention refers to, or ``None``."""


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity with its attributes, each a list of values."""

    name: str
    attributes: Mapping[str, tuple[AttributeValue, ...]] = field(default_factory=dict)
    synonyms: Callable[[str], Sequence[str]] | None = field(default=None, compare=False, repr=False)
    """Other names that an attribute may be meant by; none under the document's literal rules."""

    def has_attribute(self, name: str) -> bool:
        """Whether the attribute is known; case and ``_`` for a space do not matter."""
        return bool(self._meant(name))

    def _meant(self, name: str) -> list[str]:
        wanted = _key(name)
        own = [known for known in self.attributes if _key(known) == wanted]
        if own or self.synonyms is None:
            return own
        others = {_key(other) for other in self.synonyms(name)}
        return [known for known in self.attributes if _key(known) in others]

    def attribute_names(self) -> list[str]:
        """Names of the attributes, in the order they were given."""
        return list(self.attributes)

    def attribute_count(self) -> int:
        """How many attributes there are."""
        return len(self.attributes)

    def similar_attributes(self, name: str) -> list[str]:
        """Names that share a word with ``name`` or are spelled much like it (ratio 0.6)."""
        wanted = _key(name)
        return [
            own
            for own in self.attributes
            if set(_key(own).split()) & set(wanted.split())
            or SequenceMatcher(None, _key(own), wanted, autojunk=False).ratio() >= 0.6
        ]

    def get_attribute(self, name: str) -> AttributeValue | None:
        """Return the attribute's first value, or ``None``."""
        values = self.get_values(name)
        return values[0] if values else None

    def get_values(self, name: str) -> tuple[AttributeValue, ...]:
        """Return all values of an attribute, of those it may be called by where it has none."""
        return tuple(value for own in self._meant(name) for value in self.attributes[own])


class View:
    """``groundwire.KnowledgeBase`` under the names of ``KnowledgeBase`` above.

    With ``synonyms`` its entities know their attributes by all names that the base's lexicon has.
    """

    def __init__(self, kb: _core.KnowledgeBase, *, synonyms: bool = True) -> None:
        self.kb = kb
        self.synonyms = kb.attribute_synonyms if synonyms else None

    def _number(self, name: str) -> int | None:
        bare = name[4:] if name[:4].lower() == "the " else None
        for surface in (name, bare):
            if surface:
                by_key = self.kb.find_key(surface)
                if by_key is not None:
                    return by_key
                found = self.kb.find(surface)
                if found:
                    return found[0]
        return None

    def entity_exists(self, name: str) -> bool:
        """Whether an entity has that name, alias or key, with or without "the"."""
        return self._number(name) is not None

    def find_entity(self, surface: str) -> Entity | None:
        """Return the first entity of that name, alias or key."""
        return self.get_entity(surface)

    def get_entity(self, name: str) -> Entity | None:
        """Return the first entity of that name, alias or key."""
        number = self._number(name)
        record = None if number is None else self.kb._entity(number)
        if number is None or record is None:
            return None
        attributes: dict[str, list[AttributeValue]] = {}
        for fact in self.kb.facts(number):
            value = AttributeValue(
                str(fact["value"]), fact.get("source"), float(fact.get("confidence", 1.0))
            )
            attributes.setdefault(fact["predicate"], []).append(value)
        facts = {key: tuple(values) for key, values in attributes.items()}
        return Entity(record["name"], facts, self.synonyms)

    def is_closed(self, attribute: str | None = None) -> bool:
        """Whether the base, or one attribute, is declared complete."""
        return self.kb.is_closed(attribute)


class Nothing:
    """A knowledge base that knows nothing and claims to know nothing."""

    def entity_exists(self, name: str) -> bool:
        """Always false."""
        del name
        return False

    def get_entity(self, name: str) -> None:
        """Always ``None``."""
        del name

    def find_entity(self, surface: str) -> None:
        """Always ``None``."""
        del surface

    def is_closed(self, attribute: str | None = None) -> bool:
        """Never."""
        del attribute
        return False


def view(kb: Any, *, strict_seed: bool = False) -> KnowledgeBase:
    """Return ``kb`` as the detectors ask it; under ``strict_seed`` without synonyms.

    Raises:
        ArgumentError: it is no ``groundwire.KnowledgeBase`` and lacks a method of the interface.

    """
    if kb is None:
        return Nothing()
    if isinstance(kb, _core.KnowledgeBase):
        return View(kb, synonyms=not strict_seed)
    if isinstance(kb, View) and strict_seed:
        return View(kb.kb, synonyms=False)
    if isinstance(kb, KnowledgeBase):
        return kb
    raise ArgumentError(
        f"knowledge_base is a groundwire.KnowledgeBase or has entity_exists, get_entity and "
        f"find_entity; {type(kb).__name__} has not"
    )


def closed(kb: Any, attribute: str | None = None) -> bool:
    """Whether what ``kb`` lacks is not so (U-7); false where it does not say."""
    ask = getattr(kb, "is_closed", None)
    return bool(ask(attribute)) if callable(ask) else False


def names_of(entity: Any) -> list[str]:
    """Return the names of an entity's attributes, be they a method or a property."""
    names = entity.attribute_names
    return list(names() if callable(names) else names)


def count_of(entity: Any) -> int:
    """Return how many attributes an entity has, be it a method or a property."""
    count = entity.attribute_count
    return int(count() if callable(count) else count)


def values_of(entity: Any, attribute: str) -> tuple[AttributeValue, ...]:
    """Return an attribute's values, whether the entity has several or one."""
    several = getattr(entity, "get_values", None)
    if callable(several):
        return tuple(several(attribute))
    found = entity.get_attribute(attribute)
    if found is None:
        return ()
    return (
        AttributeValue(
            str(getattr(found, "value", found)),
            getattr(found, "source", None),
            float(getattr(found, "confidence", 1.0)),
        ),
    )


def _key(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())
