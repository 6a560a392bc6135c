"""One entity of a knowledge base, as its attributes are asked for."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any


class Entity(dict[str, Any]):
    """An entity: ``id``, ``key``, ``name``, ``aliases``, ``type`` and ``attributes``.

    ``attributes`` maps a name to the list of its facts, each with ``value`` and what else is known
    of it (``unit``, ``source``, ``confidence``, ``valid_from``, ``valid_to`` …). Names of
    attributes are looked up without case, with ``_`` and blanks alike. The entity is a copy: later
    changes of the base do not reach it.
    """

    @property
    def name(self) -> str:
        """Its name."""
        return str(self["name"])

    @property
    def attribute_names(self) -> tuple[str, ...]:
        """Names of its attributes, in alphabetical order."""
        return tuple(sorted(self["attributes"]))

    @property
    def attribute_count(self) -> int:
        """Number of its attributes; several values of one count once."""
        return len(self["attributes"])

    def has_attribute(self, name: str) -> bool:
        """Whether there is a fact under that attribute."""
        return _key(name) in self["attributes"]

    def facts(self, name: str) -> list[dict[str, Any]]:
        """Return the facts of an attribute; none where there is no such attribute."""
        return list(self["attributes"].get(_key(name), ()))

    def get_attribute(self, name: str) -> Any:
        """Return the value of an attribute, or ``None``.

        Of several facts the current ones count (those without ``valid_to``), and of these the one
        of the highest confidence; the first of equals.
        """
        facts = self.facts(name)
        current = [fact for fact in facts if fact.get("valid_to") is None] or facts
        best = max(current, key=lambda fact: fact.get("confidence", 1.0), default=None)
        return None if best is None else best["value"]

    def similar_attributes(self, name: str, threshold: float = 0.6) -> tuple[str, ...]:
        """Return attributes whose names resemble ``name``, the nearest first.

        Resemblance is the ratio of Ratcliff and Obershelp (0..1) between the names.
        """
        wanted = _key(name)
        rated = [
            (SequenceMatcher(None, wanted, own, autojunk=False).ratio(), own)
            for own in self.attribute_names
        ]
        near = [(ratio, own) for ratio, own in rated if ratio >= threshold]
        return tuple(own for _, own in sorted(near, key=lambda pair: (-pair[0], pair[1])))


def _key(name: str) -> str:
    return "_".join(name.lower().replace("_", " ").replace("-", " ").split())
