"""The monitor of a generation: patterns over the text so far, warnings, interruption."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from groundwire import _core
from groundwire._checks import several, share
from groundwire.errors import ArgumentError
from groundwire.profiles.stream.specificity import SpecificityDrift
from groundwire.rules import ObjectRules, RuleLike

INTERRUPTION_THRESHOLD = 0.8
"""Confidence of a warning above which to interrupt (S4-017; left open by the document)."""
SEGMENT = 100
"""Characters of text that a warning shows (S4-015)."""


class BuiltinPattern:
    """One of the built-in rules as a pattern with ``name``, ``matches`` and ``confidence``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def matches(self, text: str) -> list[tuple[int, int]]:
        """Return where the rule matches, as (start, end) pairs."""
        return [match.span for match in _scan(text) if match.rule == self.name]

    def confidence(self, text: str) -> float:
        """Return the confidence of the rule's surest match in ``text``; 0 without one.

        How surely something is said does not make it wrong ("He was absolutely certain of it."):
        a signal's confidence is at most the default threshold of an interruption, 0.8.
        """
        found = [match.confidence for match in _scan(text) if match.rule == self.name]
        most = INTERRUPTION_THRESHOLD if self.name.startswith("signal.") else 1.0
        return min(max(found, default=0.0), most)


@lru_cache(maxsize=2)
def _scan(text: str) -> tuple[_core.RuleMatch, ...]:
    """Return matches of all built-in rules: each pattern asks about the same text in turn."""
    return tuple(_rules().scan(text))


@lru_cache(maxsize=1)
def _rules() -> _core.Ruleset:
    return _core.Ruleset.builtin()


def hallucination_patterns() -> tuple[RuleLike, ...]:
    """Return the built-in patterns (S4-018): the built-in rules, and growing specificity."""
    return (*(BuiltinPattern(rule["id"]) for rule in _rules().rules()), SpecificityDrift())


class GenerationMonitor:
    """Follows a generation token by token and warns where patterns match (S4-013..017).

    Patterns see the last 1,024 characters, and a place is warned of once a pattern, so that a
    token costs the same anywhere in an answer. For whole streams under guard use
    ``groundwire.guard``, which does this in one automaton.

    Args:
        patterns: objects with ``name``, ``matches(text)`` and ``confidence(text)``; the built-in
            ones by default.
        threshold: confidence above which to interrupt, 0..1.
        strict_seed: read the document to the letter: every pattern sees all of the text, and
            warns again at every token for as long as it matches.

    Attributes:
        current_generation: the text so far.
        warnings: mappings with ``pattern``, ``segment`` (the last 100 characters) and
            ``confidence``, in order.

    Raises:
        ArgumentError: a pattern lacks something, or the threshold is out of range.
    """

    def __init__(
        self,
        patterns: Iterable[RuleLike] | None = None,
        *,
        threshold: float = INTERRUPTION_THRESHOLD,
        strict_seed: bool = False,
    ) -> None:
        share(threshold, "threshold")
        given = hallucination_patterns() if patterns is None else patterns
        self.patterns = tuple(several(given, "patterns", "patterns"))
        self._rules = ObjectRules(self.patterns)
        self.threshold = threshold
        self.strict_seed = strict_seed
        self.current_generation = ""
        self.warnings: list[dict[str, Any]] = []
        self._fed = 0

    def update(self, new_token: str) -> None:
        """Append a token's text and check every pattern (S4-014)."""
        if not isinstance(new_token, str):
            raise ArgumentError(f"a token is given as its text, not {type(new_token).__name__}")
        self.current_generation += new_token
        self.check_patterns()

    def check_patterns(self) -> None:
        """Check every pattern against the text so far and keep what they warn of."""
        text = self.current_generation
        if self.strict_seed:
            for pattern in self.patterns:
                if pattern.matches(text):
                    self._warn(pattern.name, text[-SEGMENT:], pattern.confidence(text))
            return
        fresh, self._fed = text[self._fed :], len(text)
        for found in self._rules.feed(fresh) if fresh else ():
            self._warn(found["pattern"], found["segment"], found["confidence"])

    def should_interrupt(self) -> bool:
        """Whether any warning's confidence is above the threshold (S4-017)."""
        return any(warning["confidence"] > self.threshold for warning in self.warnings)

    def _warn(self, name: str, segment: str, confidence: float) -> None:
        self.warnings.append({"pattern": name, "segment": segment, "confidence": confidence})
