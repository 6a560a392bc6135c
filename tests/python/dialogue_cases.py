"""Segments as the core reads them, built by hand, so that tests fix what detectors make of them."""

from __future__ import annotations

from typing import Any

from groundwire.profiles import dialogue as d


def sentence(text: str, words: str, index: int = 0, **parts: Any) -> d.ResponseSegment:
    """Return the segment ``words`` of ``text``; its parts are made by the functions below."""
    at = text.index(words)
    made = {name: tuple(part(text) for part in given) for name, given in parts.items()}
    return d.ResponseSegment(index, words, (at, at + len(words)), **made)


def place(text: str, words: str) -> tuple[int, int]:
    at = text.index(words)
    return (at, at + len(words))


def claim(words: str, subject: str, predicate: str, object: str = "", **more: Any):
    return lambda text: d.Claim(subject, predicate, place(text, words), object, words, **more)


def mention(words: str, kind: d.MentionType = d.MentionType.ProperName, **more: Any):
    return lambda text: d.EntityMention(words, place(text, words), kind, **more)


def time(words: str, when=None, **more: Any):
    return lambda text: d.TemporalExpression(words, when, span=place(text, words), **more)


def statement(words: str, subject: str, predicate: str, object: str, **more: Any):
    more.setdefault("category", None)
    return lambda text: d.LogicalStatement(
        subject, predicate, object, more.pop("category"), words, place(text, words), **more
    )


class Base:
    """A knowledge base of dictionaries under the document's interface; closed, as the document."""

    def __init__(self, **entities: dict[str, str]) -> None:
        self.entities = {
            name.replace("_", " "): d.Entity(
                name.replace("_", " "),
                {key: (d.AttributeValue(value),) for key, value in attributes.items()},
            )
            for name, attributes in entities.items()
        }

    def entity_exists(self, name: str) -> bool:
        return name in self.entities

    def get_entity(self, name: str) -> d.Entity | None:
        return self.entities.get(name)

    find_entity = get_entity

    def is_closed(self, attribute: str | None = None) -> bool:
        return True


class OpenBase(Base):
    """The same, which does not claim to be complete."""

    def is_closed(self, attribute: str | None = None) -> bool:
        return False


class MuteBase(Base):
    """The same, with the document's three methods and no more."""

    is_closed = None


def shown(flags: list[d.HallucinationFlag]) -> list[tuple[Any, ...]]:
    """Return what the document says of each flag."""
    return [
        (
            f.span,
            f.content,
            f.hallucination_type.name,
            round(f.confidence, 9),
            f.suggestion,
            f.evidence,
        )
        for f in flags
    ]
