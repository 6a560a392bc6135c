"""The actions and what leads to them (S0-072a to S0-074)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Self

from groundwire._checks import whole_number
from groundwire.errors import ArgumentError
from groundwire.findings import Span


class ActionKind(Enum):
    """The six actions (S0-074)."""

    NoAction = "none"
    Flag = "flag"
    Correct = "correct"
    Remove = "remove"
    Regenerate = "regenerate"
    Escalate = "escalate"


@dataclass(frozen=True, slots=True)
class MitigationAction:
    """One thing to do; make it by the class methods.

    Attributes:
        kind: which action.
        span: code points of the answer, for ``Flag``, ``Correct``, ``Remove`` and, where it
            concerns one place, ``Escalate``.
        annotation: what ``Flag`` puts behind the text.
        original: what ``Correct`` replaces.
        replacement: what ``Correct`` puts there.
        source: where the replacement comes from.
        reason: why ``Remove`` or ``Escalate``.
        guidance: what the model is told by ``Regenerate``.
    """

    kind: ActionKind
    span: Span | None = None
    annotation: str | None = None
    original: str | None = None
    replacement: str | None = None
    source: str | None = None
    reason: str | None = None
    guidance: str | None = None

    @classmethod
    def NoAction(cls) -> Self:
        """Nothing is needed."""
        return cls(ActionKind.NoAction)

    @classmethod
    def Flag(cls, span: Span, annotation: str) -> Self:
        """Mark the text with a note."""
        return cls(ActionKind.Flag, span, annotation=annotation)

    @classmethod
    def Correct(cls, span: Span, original: str, replacement: str, source: str) -> Self:
        """Put the right words in the place of the wrong ones."""
        return cls(
            ActionKind.Correct, span, original=original, replacement=replacement, source=source
        )

    @classmethod
    def Remove(cls, span: Span, reason: str) -> Self:
        """Take the text out."""
        return cls(ActionKind.Remove, span, reason=reason)

    @classmethod
    def Regenerate(cls, guidance: str) -> Self:
        """Ask the model for another answer, with guidance."""
        return cls(ActionKind.Regenerate, guidance=guidance)

    @classmethod
    def Escalate(cls, reason: str, span: Span | None = None) -> Self:
        """Hand it to a person."""
        return cls(ActionKind.Escalate, span, reason=reason)

    def to_dict(self) -> dict[str, Any]:
        """Return the action as JSON-like data: ``type`` and the fields that are set."""
        data = {key: value for key, value in asdict(self).items() if value is not None}
        del data["kind"]
        if self.span is not None:
            data["span"] = list(self.span)
        return {"type": self.kind.value, **data}


@dataclass(frozen=True, slots=True)
class Correction:
    """What should stand in the answer, and who says so."""

    value: str
    source: str


@dataclass(frozen=True, slots=True)
class MitigationConfig:
    """From which confidence, 0..1, a flag leads where (S0-073; the defaults are D-1's).

    Raises ``ArgumentError`` for a threshold outside 0..1, thresholds that do not ascend, and a
    ``max_corrections`` below 0.
    """

    auto_correct_threshold: float = 0.85
    flag_threshold: float = 0.5
    regenerate_threshold: float = 0.9
    max_corrections: int = 5

    def __post_init__(self) -> None:
        """Check the numbers; raise ``ArgumentError`` naming what is wrong."""
        for name in ("auto_correct_threshold", "flag_threshold", "regenerate_threshold"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise ArgumentError(f"{name} is a number from 0 to 1, not {value!r:.60}")
        if self.flag_threshold > self.auto_correct_threshold:
            raise ArgumentError(
                f"flag_threshold ({self.flag_threshold}) is above auto_correct_threshold "
                f"({self.auto_correct_threshold})"
            )
        whole_number(self.max_corrections, "max_corrections", least=0)

    @classmethod
    def from_config(cls, config: Any) -> Self:
        """Return the thresholds of a ``Config``'s section ``dialogue.mitigation``."""
        section = config.dialogue.mitigation
        return cls(
            section.auto_correct_threshold,
            section.flag_threshold,
            section.regenerate_threshold,
            section.max_corrections,
        )
