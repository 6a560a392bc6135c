"""Results that are read by attribute or by the keys of their document; parts of any context."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any


class SeedResult(ABC):
    """A result that is also read by the keys of ``to_dict``, as its document writes it."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the document's form."""

    def __getitem__(self, key: str) -> Any:
        """Return one of the document's keys; raises ``KeyError`` for any other."""
        return self.to_dict()[key]

    def __contains__(self, key: object) -> bool:
        """Whether the document's form has that key."""
        return key in self.to_dict()


def part_of(context: Any, name: str) -> Any:
    """Return a part of a mapping or object, or none where it has none of that name."""
    if context is None:
        return None
    if isinstance(context, Mapping):
        return context.get(name)
    return getattr(context, name, None)
