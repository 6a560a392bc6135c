"""What a guarded generation tells its caller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from groundwire.findings import Finding, Intervention
from groundwire.report import Report


@dataclass(frozen=True, slots=True)
class Generation:
    """One guarded answer.

    Attributes:
        text: what the reader gets: ``report.released``.
        report: everything about the answer.
        tokens: ids of the surviving answer, forced ones included, end tokens left out. A closing
            statement of the guard is in ``text`` but not among them.
        reason: why it ended: ``eos``, ``length``, ``criteria``, ``abort`` where somebody else gave
            up its request, or the guard's reason.
        sampled: tokens the model sampled, those taken back included.
        model_seconds: time spent in the model and in choosing tokens, all answers together.
        guard_seconds: time spent in the guard, this answer's pushes only.
        given_up: reports of the answers before it that were made anew, in order.
        notes: what could not be done to this answer, and why.
    """

    text: str
    report: Report
    tokens: tuple[int, ...]
    reason: str
    sampled: int
    model_seconds: float
    guard_seconds: float
    given_up: tuple[Report, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def released(self) -> str:
        """What the reader got."""
        return self.text


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One thing that happened.

    Attributes:
        kind: ``token`` (the model wrote one), ``forced`` (the guard wrote one), ``release``
            (text for the reader), ``rewind`` (tokens were taken back), ``intervention`` (done
            without taking tokens back), ``regenerate`` (the answer begins anew, all its tokens
            are void), ``escalate`` (the last attempt failed as well) or ``end``.
        row: number of the prompt.
        text: text for the reader; empty unless ``kind`` is ``release``.
        piece: the token's own text, the text of the tokens taken back, or, of ``regenerate``
            events, the guidance that the next attempt gets.
        position: surviving tokens of the answer after the event.
        findings: what was found at this token.
        signals: the token's signals, where rows were given.
        tier: tier of the step.
        intervention: what the guard did, of ``rewind`` and ``intervention`` events.
        result: the finished answer, of ``end`` events.
        given_up: the report of the attempt that failed, of ``regenerate`` and ``escalate`` events.
    """

    kind: Literal[
        "token", "forced", "release", "rewind", "intervention", "regenerate", "escalate", "end"
    ]
    row: int
    text: str = ""
    piece: str = ""
    position: int = 0
    findings: tuple[Finding, ...] = ()
    signals: Any = None
    tier: str = "none"
    intervention: Intervention | None = None
    result: Generation | None = None
    given_up: Report | None = None

    @property
    def report(self) -> Report | None:
        """The finished answer's report, of ``end`` events."""
        return None if self.result is None else self.result.report
