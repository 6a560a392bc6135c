"""Which action a tier leads to, and how text is released."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from groundwire.errors import ArgumentError

Release = Literal["token", "claim", "response"]
Annotation = Literal["inline", "footnote", "metadata"]


_CHOICES = {
    "release": ("token", "claim", "response"),
    "annotation": ("inline", "footnote", "metadata"),
    "after_interrupt": ("continue", "stop"),
}
_LEAST = {"max_hold_tokens": 1, "max_hold_ms": 0, "max_interventions": 0}
_MOST = {"max_hold_tokens": 2**32 - 1, "max_hold_ms": 2**64 - 1, "max_interventions": 2**32 - 1}
_ACTIONS = ("accept", "annotate", "hedge", "correct", "remove", "interrupt", "discard")
_EXACT = 2**53
TIERS = ("low", "medium", "high", "critical")


@dataclass(frozen=True, slots=True)
class Policy:
    """From risk tier to action, and the limits of holding text back.

    Attributes:
        release: when text leaves: ``token`` (at once), ``claim`` (when its claim has closed; the
            default, since only then no retracted wording is ever seen) or ``response``.
        low: action of a low-risk finding; likewise ``medium``, ``high`` and ``critical``. Actions
            of a stream are ``accept``, ``annotate``, ``hedge``, ``correct``, ``remove``,
            ``interrupt`` and ``discard``. ``accept`` leaves the text alone, without a note behind
            it: the finding stands in the report; ``annotate`` marks it, and what the reader has
            been given is noted at the answer's end unless the whole policy only watches.
        annotation: how low-risk claims are marked: ``inline``, ``footnote`` or ``metadata``. Lines
            of code are marked in the report alone.
        after_interrupt: ``continue`` behind what an interruption says, or ``stop`` there. Where
            the right value is known a correction takes its place, and the answer goes on.
        max_hold_tokens: tokens after which held text leaves all the same (at least 1).
        max_hold_ms: milliseconds after which held text leaves all the same.
        max_interventions: rewrites after which the answer ends.
        auto_correct: ``p_hallucinated`` (0..1) from which a contradicted value is put right. At 1.0
            that is what a fact held for certain contradicts, whose probability is 1.0; so that no
            value is put right, the actions of the tiers are ``annotate``, ``remove`` or ``accept``.
        hold_unresolved: whether text waits for a verifier's answer.
    """

    release: Release = "claim"
    low: str = "annotate"
    medium: str = "hedge"
    high: str = "interrupt"
    critical: str = "discard"
    annotation: Annotation = "metadata"
    after_interrupt: Literal["continue", "stop"] = "continue"
    max_hold_tokens: int = 256
    max_hold_ms: int = 10_000
    max_interventions: int = 8
    auto_correct: float = 0.85
    hold_unresolved: bool = True

    def __post_init__(self) -> None:
        """Check types, names and ranges; raise ``ArgumentError`` naming the field."""
        for field in fields(self):
            value, kind = getattr(self, field.name), type(field.default)
            if kind is float and isinstance(value, int) and not isinstance(value, bool):
                # JSON and TOML write 1 where 1.0 is meant.
                value = float(value) if abs(value) < _EXACT else math.inf
                object.__setattr__(self, field.name, value)
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise ArgumentError(
                    f"'{field.name}' of a policy is of type {kind.__name__}, not {value!r:.60}"
                )
        for name, allowed in _CHOICES.items():
            value = getattr(self, name)
            if value not in allowed:
                choices = ", ".join(allowed)
                raise ArgumentError(f"policy.{name} is {value!r}; it is one of {choices}")
        for name in TIERS:
            value = getattr(self, name)
            if value not in _ACTIONS:
                choices = ", ".join(_ACTIONS)
                raise ArgumentError(f"policy.{name} is {value!r:.60}; it is one of {choices}")
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value < least:
                raise ArgumentError(f"policy.{name} is {value}; it is at least {least}")
            if value > _MOST[name]:
                raise ArgumentError(f"policy.{name} is {value}; it is at most {_MOST[name]}")
        if not 0.0 <= self.auto_correct <= 1.0:
            raise ArgumentError(f"policy.auto_correct is {self.auto_correct}; it lies in 0..1")

    @classmethod
    def observe(cls) -> Policy:
        """Return a policy that releases everything at once and changes nothing in the text.

        What is released is what the model wrote, byte for byte: no note and no disclaimer follows.
        """
        return cls(
            release="token", low="annotate", medium="annotate", high="annotate", critical="annotate"
        )

    @property
    def only_watches(self) -> bool:
        """Whether no action of the policy changes the text."""
        leaves = ("accept", "annotate") if self.annotation == "metadata" else ("accept",)
        return all(getattr(self, name) in leaves for name in TIERS)

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> Policy:
        """Return the policy with these fields; an unknown field raises ``ArgumentError``."""
        if not isinstance(data, Mapping):
            raise ArgumentError(f"a policy is a Policy or a mapping, not {type(data).__name__}")
        known = {f.name for f in fields(cls)}
        for key in data:
            if key not in known:
                raise ArgumentError(
                    f"{key!a} is no field of a policy; there are {', '.join(sorted(known))}"
                )
        return cls(**data)

    def to_json(self) -> str:
        """Return the form the core reads."""
        return json.dumps(asdict(self))
