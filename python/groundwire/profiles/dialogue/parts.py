"""The parts that the eight detectors are made of, as interfaces that your own objects may meet.

Every part is optional: a detector with none of its parts replaced runs in the Rust core, whatever
its options. With one replaced it runs in Python over what the part returns, with the formulas that
the document writes; what the core knows beside these (orders that no date tells, exceptions that
deny, amounts that cannot be) is then up to the parts. Spans that a part returns are code points of
the text it was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from groundwire.profiles.dialogue.state import DialogueState
from groundwire.profiles.dialogue.types import (
    Claim,
    Contradiction,
    ContradictionResult,
    EntityMention,
    LogicalStatement,
    TemporalExpression,
)

Vector = Sequence[float] | Mapping[str, float]


class ClaimExtractor(Protocol):
    """Finds the assertions of a sentence."""

    def extract(self, text: str) -> Iterable[Claim]:
        """Return the claims of ``text``."""


class NERModel(Protocol):
    """Finds the names of a sentence."""

    def extract(self, text: str) -> Iterable[EntityMention]:
        """Return the mentions of ``text``."""


class EntityResolver(Protocol):
    """Says what a mention refers to in the conversation."""

    def resolve_mention(self, mention: EntityMention, dialogue_state: DialogueState) -> Any:
        """Return the entity, or ``None``."""


class SemanticSimilarityModel(Protocol):
    """Places texts so that those about one thing stand close."""

    def embed(self, text: str) -> Vector:
        """Return numbers, or weights by feature; compared by the cosine of their angle."""


class ContradictionClassifier(Protocol):
    """Says whether two statements disagree."""

    def classify(self, statement: str, earlier: str) -> ContradictionResult:
        """Return whether ``statement`` contradicts ``earlier``."""


class TemporalExtractor(Protocol):
    """Finds the time expressions of a sentence."""

    def extract(self, text: str) -> Iterable[TemporalExpression]:
        """Return the time expressions of ``text``."""


class StatementParser(Protocol):
    """Brings a sentence into logical form."""

    def parse(self, text: str) -> Iterable[LogicalStatement]:
        """Return the statements of ``text``."""


class LogicalInferenceEngine(Protocol):
    """Knows what cannot be."""

    def compatible(self, one: str, other: str) -> bool:
        """Whether one thing can be both."""

    def mutually_exclusive(self, one: str, other: str) -> bool:
        """Whether nothing belongs to both categories."""

    def impossible(self, statement: LogicalStatement) -> Contradiction | None:
        """Return why a statement cannot be true of anything, or ``None``."""
