"""The built-in parts: quick, without a model, and the same everywhere."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Set
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from groundwire import _core
from groundwire.profiles.dialogue.parts import Vector
from groundwire.profiles.dialogue.state import DialogueState
from groundwire.profiles.dialogue.types import (
    Contradiction,
    ContradictionResult,
    ContradictionType,
    EntityMention,
    LogicalStatement,
)
from groundwire.profiles.dialogue.values import values

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@cache
def _table() -> dict[str, Any]:
    place = files("groundwire.profiles.dialogue") / "data" / "en.toml"
    return tomllib.loads(place.read_text(encoding="utf-8"))


@cache
def words_of(name: str) -> frozenset[str]:
    """Return one of the built-in lists of English words."""
    return frozenset(_table()[name].split())


@cache
def _groups(name: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line.split()) for line in _table()[name])


def tokens(text: str) -> list[str]:
    """Return the words of a text, folded."""
    return [word.replace("’", "'").casefold() for word in _WORD.findall(text)]


class Shipped:
    """A part that comes with groundwire."""

    @property
    def plain(self) -> bool:
        """Whether the core does what it does."""
        return True


class TopicSimilarity(Shipped):
    """What a text is about: its words without values, negations and words of grammar.

    Two statements of one subject stay close however their values differ, and differing values are
    what contradictions are made of. With ``idf`` (weights by word, say ``ln(N / n)`` over your
    documents) words count by their rarity (Spärck Jones 1972), else alike.
    """

    def __init__(self, idf: Mapping[str, float] | None = None) -> None:
        self.idf = idf or {}

    @property
    def plain(self) -> bool:
        """Whether all words weigh the same."""
        return not self.idf

    def embed(self, text: str) -> dict[str, float]:
        """Return the weight of each word that says what the text is about."""
        skipped = words_of("function_words") | words_of("values") | words_of("negations")
        return {
            _stem(word): self.idf.get(word, 1.0)
            for word in tokens(text)
            if not {word, word.partition("'")[0]} & skipped and not word[0].isdigit()
        }


class RuleClassifier(Shipped):
    """Compares two statements: negation, then values, then words that exclude each other.

    Confidence is that of the same disagreement inside one answer: 0.95 for a negation (S0-056),
    0.85 for values of one kind that differ (S0-057), 0.80 for words that exclude each other
    (S0-058).
    """

    def classify(self, statement: str, earlier: str) -> ContradictionResult:
        """Return whether ``statement`` contradicts ``earlier``."""
        kinds = ContradictionType
        mine, theirs = _read(statement), _read(earlier)
        said, was = mine.content, theirs.content
        if mine.negated != theirs.negated:
            if said and was and (said <= was or was <= said):
                return ContradictionResult(True, 0.95, kinds.DirectNegation)
            return ContradictionResult(False, 0.0)
        if mine.differs(theirs):
            return ContradictionResult(True, 0.85, kinds.IncompatibleValues)
        groups = _groups("exclusive")
        if _excluded(mine.words - theirs.words, theirs.words - mine.words, groups):
            return ContradictionResult(True, 0.80, kinds.LogicalImpossibility)
        return ContradictionResult(False, 0.0)


class RegistryResolver(Shipped):
    """Looks a mention up in the entity registry, by name or alias."""

    def resolve_mention(self, mention: EntityMention, dialogue_state: DialogueState) -> str | None:
        """Return the entity's name, or ``None``."""
        return dialogue_state.entity_registry.resolve(mention.surface)


class GivenWords:
    """What groups of words exclude, those given and nothing else."""

    def __init__(self, exclusive: Iterable[Any], categories: Iterable[Any]) -> None:
        self._exclusive = tuple(map(_folded, exclusive))
        self._categories = tuple(map(_folded, categories))

    def compatible(self, one: str, other: str) -> bool:
        """Whether one thing can be both: unless words of them exclude each other."""
        mine, theirs = set(tokens(one)), set(tokens(other))
        return not _excluded(mine - theirs, theirs - mine, self._exclusive)

    def mutually_exclusive(self, one: str, other: str) -> bool:
        """Whether nothing belongs to both categories."""
        mine, theirs = one.casefold(), other.casefold()
        return mine != theirs and any(mine in g and theirs in g for g in self._categories)


class WordTables(Shipped):
    """An inference engine over tables of words; give your own to extend the built-in ones.

    Args:
        exclusive: groups of words that cannot both be true of one thing.
        categories: groups of categories that nothing belongs to two of.

    Attributes:
        added: the words given, by themselves; ``None`` if none were.
    """

    def __init__(self, exclusive: Any = (), categories: Any = ()) -> None:
        words, kinds = tuple(exclusive), tuple(categories)
        self.added = GivenWords(words, kinds) if words or kinds else None
        self._all = GivenWords((*_groups("exclusive"), *words), (*_groups("categories"), *kinds))

    def compatible(self, one: str, other: str) -> bool:
        """Whether one thing can be both: unless values or words of them exclude each other."""
        return not _values_differ(one, other) and self._all.compatible(one, other)

    def mutually_exclusive(self, one: str, other: str) -> bool:
        """Whether nothing belongs to both categories."""
        return self._all.mutually_exclusive(one, other)

    def impossible(self, statement: LogicalStatement) -> Contradiction | None:
        """Return why a statement cannot be: a date or share that does not exist."""
        said = statement.surface
        for event in _core.segment(said):
            whole = event["event"] == "date" and event["month"] and event["day"]
            # Without a year a day counts if any year has it.
            if whole and not _exists(event["year"] or 2000, event["month"], event["day"]):
                return Contradiction(0.90, f"{event['text']} is no date")
        for match in re.finditer(r"(\d+(?:\.\d+)?) ?% of (?:all|the|its|their)\b", said):
            if float(match.group(1)) > 100:
                return Contradiction(0.80, f"{match.group(1)}% is more than the whole")
        return None


def denies(text: str) -> bool:
    """Whether an odd number of negations stands in a text."""
    return _negated(tokens(text))


class _Read(NamedTuple):
    """What is compared of a statement."""

    words: frozenset[str]
    content: frozenset[str]
    negated: bool
    single: Mapping[str, str]

    def differs(self, other: _Read) -> bool:
        """Whether both hold one value of one kind, and another one."""
        kinds = self.single.keys() & other.single.keys()
        return any(self.single[kind] != other.single[kind] for kind in kinds)


@lru_cache(maxsize=8192)
def _read(text: str) -> _Read:
    skipped = words_of("function_words") | words_of("negations")
    said = tokens(text)
    content = {_stem(word) for word in said if word.partition("'")[0] not in skipped} - skipped
    found = values(text)
    single = {kind: _value(text, at[0]) for kind, at in found.items() if len(at) == 1}
    return _Read(frozenset(said), frozenset(content), _negated(said), single)


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of the angle of two vectors, 0 if one is empty or nought.

    Vectors are both sequences of one length, or both mappings.
    """
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        dot = sum(weight * other.get(key, 0.0) for key, weight in one.items())
        a, b = one.values(), other.values()
    elif isinstance(one, Mapping) or isinstance(other, Mapping):
        raise ValueError("a similarity model returns vectors of one kind")
    else:
        dot = sum(float(x) * float(y) for x, y in zip(one, other, strict=True))
        a, b = one, other  # type: ignore[assignment]
    norm = math.sqrt(sum(float(x) ** 2 for x in a)) * math.sqrt(sum(float(x) ** 2 for x in b))
    return min(max(float(dot) / norm, -1.0), 1.0) if norm > 0 else 0.0


def _stem(word: str) -> str:
    """Return a word without its plural's or verb's ending."""
    word = word.removesuffix("'s")
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def _negated(words: list[str]) -> bool:
    """Whether an odd number of negations stands in a text."""
    return sum(word in words_of("negations") for word in words) % 2 == 1


def _values_differ(one: str, other: str) -> bool:
    """Whether both hold one value of one kind, and another one."""
    return _read(one).differs(_read(other))


def _value(text: str, span: tuple[int, int]) -> str:
    return re.sub(r"[\s,]", "", text[span[0] : span[1]]).casefold()


def _excluded(mine: Set[str], theirs: Set[str], groups: Iterable[frozenset[str]]) -> bool:
    """Whether both sides hold words of one group, and not the same."""
    return any(mine & group and theirs & group and not mine & theirs & group for group in groups)


def _folded(group: Any) -> frozenset[str]:
    return frozenset(str(word).casefold() for word in group)


def _exists(year: int, month: int, day: int) -> bool:
    from datetime import date

    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
