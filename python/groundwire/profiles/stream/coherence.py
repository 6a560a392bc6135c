"""Is new content coherent with what was said: contradictions, drift, goalposts (S4-020..024).

The comparison is the core's, the one that streams make (``stream.goalpost``,
``stream.concept_drift``, ``dialogue.contradicts_prior``); here a whole text is held against
whole turns.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from groundwire import _core
from groundwire._checks import several, share, words
from groundwire._given import turns
from groundwire.errors import ArgumentError
from groundwire.profiles.stream.shapes import SeedResult

HISTORY_TURNS = 10
"""Latest turns that are compared with (as S0-046 has it)."""


@dataclass(frozen=True)
class Contradiction(SeedResult):
    """A new claim and the earlier fact it contradicts (S4-021).

    ``severity`` (0..1) is how surely the two exclude each other (the attribute's exclusivity; where
    it has none, the comparison's own confidence), times the confidence with which the fact was
    stated. ``kind`` is ``value``, ``negation`` or ``quantifier``.
    """

    claim: str
    contradicts: str
    severity: float
    kind: Literal["value", "negation", "quantifier"]

    def to_dict(self) -> dict[str, Any]:
        """Return the document's form."""
        keys = ("claim", "contradicts", "severity")
        return {key: getattr(self, key) for key in keys}


@dataclass(frozen=True)
class Drift:
    """How far what is said of a concept has moved (S4-023).

    ``drift`` is 1 minus the overlap of the content words said of it now (``now``) and at first
    (``first``), over the smaller of the two; ``drifted`` says that it was given another definition
    without saying so.
    """

    concept: str
    first: str
    now: str
    drift: float
    drifted: bool


@dataclass(frozen=True)
class Coherence(SeedResult):
    """What came of a validation; also read by the document's keys (``found["coherent"]``).

    Attributes:
        contradictions: in the order of the new claims.
        goalposts: those of them that change a value or quantifier of the same statement (S4-024).
        drifts: how far each concept that both sides speak of has moved.
        corrections: claims that would contradict, but say openly that they correct.
    """

    contradictions: tuple[Contradiction, ...] = ()
    goalposts: tuple[Contradiction, ...] = ()
    drifts: tuple[Drift, ...] = ()
    corrections: tuple[str, ...] = ()

    @property
    def coherent(self) -> bool:
        """Whether nothing is contradicted (S4-022)."""
        return not self.contradictions

    def to_dict(self) -> dict[str, Any]:
        """Return the document's form."""
        found = [one.to_dict() for one in self.contradictions]
        return {"coherent": self.coherent, "contradictions": found}


def validate_coherence(new_content: str, context_history: Iterable[Any] = ()) -> Coherence:
    """Compare every claim of new content with every fact of the history (S4-020).

    Args:
        new_content: the new text.
        context_history: earlier turns: (role, text) pairs, mappings with ``role`` and ``text``, or
            plain texts; the last ten count, whoever said them. Questions establish nothing.

    Returns:
        Contradictions, goalposts and drifts. A claim that is marked as a correction ("actually",
        "correction:", "I misspoke") contradicts nothing; from there on it is the fact. What speaks
        of a change, of another one, of other years or other circumstances contradicts nothing.

    Raises:
        ArgumentError: content or history are no texts.

    """
    words(new_content, "new_content")
    said = several(context_history, "context_history", "turns")
    given = [("assistant", turn) if isinstance(turn, str) else turn for turn in said]
    texts = [text for _, text in turns(given)[-HISTORY_TURNS:]]
    try:
        found = json.loads(_core.coherence(new_content, texts))
    except UnicodeEncodeError as error:
        raise ArgumentError("a turn holds a lone surrogate, which is no text") from error
    contradictions = tuple(Contradiction(**one) for one in found["contradictions"])
    return Coherence(
        contradictions,
        tuple(one for one in contradictions if one.kind != "negation"),
        tuple(Drift(**one) for one in found["drifts"]),
        tuple(found["corrections"]),
    )


def validateCoherence(  # the document's own name
    new_content: str, context_history: Iterable[Any] = ()
) -> dict[str, Any]:
    """Return ``validate_coherence`` in the form that the document gives it (S4-022)."""
    return validate_coherence(new_content, context_history).to_dict()


def contradiction_severity(predicate: str, prior_confidence: float) -> float:
    """Return exclusivity of the predicate (0..1; 0 if values may differ) times the confidence.

    Raises ``ArgumentError`` for a confidence outside 0..1.
    """
    share(prior_confidence, "a confidence")
    return _core.exclusivity(words(predicate, "a predicate")) * prior_confidence
