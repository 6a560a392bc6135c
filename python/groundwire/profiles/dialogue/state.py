"""The conversation so far: its turns, and the entities that came up in it (S0-024)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from groundwire import _core
from groundwire._checks import share, words
from groundwire.errors import ArgumentError

if TYPE_CHECKING:
    from groundwire.profiles.dialogue.types import Claim

SPEAKERS = ("user", "human", "assistant", "model", "tool", "function")
"""Whose turns tell of the world; instructions of the application say nothing about it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn; ``turn_id`` is shown in evidence ("Turn 3")."""

    turn_id: int | str
    text: str
    role: str = "user"


class EntityRegistry:
    """Names that came up in a conversation, with their aliases.

    A name is compared without case, outer spaces and a leading "the".
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names: dict[str, str] = {}
        for name in names:
            self.add(name)

    def add(self, name: str, aliases: Iterable[str] = ()) -> None:
        """Add an entity; raises ``ArgumentError`` for a name without a letter or digit."""
        for surface in (name, *aliases):
            key = _key(surface)
            if not any(character.isalnum() for character in key):
                raise ArgumentError(f"an entity's name needs a letter or a digit: {surface!r:.60}")
            self._names.setdefault(key, name)

    def resolve(self, surface: str) -> str | None:
        """Return the entity that is called so, or ``None``."""
        words(surface, "surface")
        return self._names.get(_key(surface))

    def find_similar(self, surface: str, threshold: float = 0.8) -> list[str]:
        """Return entities with a name at least that similar to ``surface``, most similar first.

        Similarity is twice the number of matching characters over both lengths, 0..1
        (Ratcliff and Obershelp 1988, as ``difflib`` has it).
        """
        words(surface, "surface")
        share(threshold, "threshold")
        wanted = _key(surface)
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(wanted)
        found: dict[str, float] = {}
        for key, name in self._names.items():
            matcher.set_seq1(key)
            if matcher.real_quick_ratio() >= threshold and matcher.quick_ratio() >= threshold:
                ratio = matcher.ratio()
                if ratio >= threshold:
                    found[name] = max(ratio, found.get(name, 0.0))
        return sorted(found, key=lambda name: (-found[name], name))

    def copy(self) -> EntityRegistry:
        """Return an independent registry of the same names."""
        other = EntityRegistry()
        other._names = dict(self._names)
        return other

    def __iter__(self) -> Iterator[str]:
        """Go through the entities, each once."""
        return iter(dict.fromkeys(self._names.values()))

    def __len__(self) -> int:
        """Return the number of entities."""
        return len(set(self._names.values()))


@dataclass(slots=True)
class DialogueState:
    """What was said, oldest turn first, and who and what it was about.

    Turns that are added bring their names into the registry.
    """

    turns: list[Turn] = field(default_factory=list)
    entity_registry: EntityRegistry = field(default_factory=EntityRegistry)

    @classmethod
    def of(cls, history: Iterable[Any], entities: Iterable[str] = ()) -> Self:
        """Build a state of turns as ``Monitor.session`` takes them; ids count from 1.

        Raises ``ArgumentError`` if one is no turn; the message names it.
        """
        from groundwire._given import turns

        state = cls(entity_registry=EntityRegistry(entities))
        for role, text in turns(history):
            state.add(text, role=role)
        return state

    def add(self, text: str, *, role: str = "user", turn_id: int | str | None = None) -> Turn:
        """Add a turn at the end and return it; its id is its place, from 1, unless given."""
        if not isinstance(text, str) or not isinstance(role, str):
            raise ArgumentError(f"a turn is a text and a role, not {text!r:.60} and {role!r:.60}")
        turn = Turn(len(self.turns) + 1 if turn_id is None else turn_id, text, role)
        self.turns.append(turn)
        for name in unknown_names(text) if role in SPEAKERS else ():
            self.entity_registry.add(name)
        return turn

    def established(self, turns: int = 10) -> list[tuple[Turn, Claim]]:
        """Return what the last ``turns`` turns state, oldest first, each claim with its turn.

        Questions, instructions, hedged and quoted statements establish nothing, nor do turns of
        the system.
        """
        from groundwire.profiles.dialogue.segments import segment_response

        recent = self.turns[-turns:] if turns > 0 else []
        return [
            (turn, claim)
            for turn in recent
            if turn.role in SPEAKERS
            for segment in segment_response(turn.text)
            for claim in segment.claims
            if claim.modality == "asserted" and claim.subject and claim.predicate
        ]

    def history(self) -> list[tuple[str, str]]:
        """Return the turns as ``gw.check(history=…)`` takes them."""
        return [(turn.role, turn.text) for turn in self.turns]

    def copy(self) -> DialogueState:
        """Return an independent state with the same turns and entities."""
        return DialogueState(list(self.turns), self.entity_registry.copy())


def unknown_names(text: str) -> set[str]:
    """Return the names in a text, without those that any text may hold (countries, cities)."""
    found = _no_names().scan(text)
    return {text[start:end] for start, end, kind, *_ in found if kind == "unknown"}


@lru_cache(maxsize=1)
def _no_names() -> _core.EntityIndex:
    return _core.EntityIndex.build([])


def _key(surface: str) -> str:
    return " ".join(surface.casefold().split()).removeprefix("the ")
