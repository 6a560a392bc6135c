"""A guard with Python detectors, verifiers and rules beside it: text waits for their answers."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from groundwire._answers import Detector, Verifier
from groundwire._checks import seconds
from groundwire.beside import WatchedSession
from groundwire.findings import Finding, Verdict
from groundwire.rules import RuleLike

if TYPE_CHECKING:
    from groundwire import _core
    from groundwire.report import Report

LOOK_S = 0.05
"""Seconds after which a guard that waits for answers looks at its limits again."""


class _GuardedStream:
    """A guard with the calls that a watched session makes on its session."""

    def __init__(self, guard: _core.Guard) -> None:
        self.guard = guard
        self.answered = guard.answered
        self.cannot_answer = guard.cannot_answer

    @property
    def text(self) -> str:
        return self.guard.text

    def show_answers_later(self) -> None:
        """A guard takes all answers later by itself."""

    def expect(self, claim_id: str) -> None:
        """The guard waits for every claim by itself."""

    def report(self, claim_id: str | None, findings: Iterable[Finding]) -> None:
        self.guard.report_findings(claim_id, findings)

    def resolve(self, claim_id: str, verdict: Verdict) -> None:
        self.guard.resolve(claim_id, verdict)


class WatchedGuard:
    """A guard with Python detectors, verifiers and rules beside it.

    Where the policy holds unresolved claims (``hold_unresolved``, with release by claim or
    response), the text of every closed claim is held until all of them have answered about it,
    or ``max_hold_tokens`` or ``max_hold_ms`` have passed since it closed. Text that left without
    an answer is stated in the report (``holds_given_up``, ``unanswered``). Answers are acted upon
    at the next call after they came in: claims that are still held are rewritten, a note is
    appended to those the reader already has. A verifier that fails leaves its claim unverified
    and annotated, or ends the answer where a profile's ``failure`` is ``stop``.

    Attributes:
        skipped: calls that were not made because too many were waiting.
        failed: calls that raised or returned something else.
    """

    def __init__(
        self,
        guard: _core.Guard,
        detectors: Sequence[Detector | RuleLike],
        verifiers: Sequence[Verifier],
        workers: int = 2,
    ) -> None:
        """Wrap ``guard``, which has seen nothing yet."""
        self.core = guard
        guard.ask_about_claims()
        stream: Any = _GuardedStream(guard)
        self._watch = WatchedSession(stream, detectors, verifiers, workers)

    def __getattr__(self, name: str) -> Any:
        """Everything else is the plain guard's."""
        return getattr(self.core, name)

    @property
    def skipped(self) -> int:
        """Calls that were not made because too many were waiting."""
        return self._watch.skipped

    @property
    def failed(self) -> int:
        """Calls that raised or returned something else."""
        return self._watch.failed

    def push(
        self, token_id: int, *, now_ms: int | None = None, **given: Any
    ) -> tuple[_core.Step, list[_core.Directive]]:
        """Follow one token; see ``Guard.push``. ``now_ms`` is read from a clock by default."""
        step, found = self.core.push(token_id, now_ms=_clock(now_ms), **given)
        self._follow(step, found)
        return step, found

    def push_text(
        self, text: str, *, now_ms: int | None = None, **given: Any
    ) -> tuple[_core.Step, list[_core.Directive]]:
        """Follow a piece of text; see ``push``."""
        step, found = self.core.push_text(text, now_ms=_clock(now_ms), **given)
        self._follow(step, found)
        return step, found

    def poll(self, now_ms: int | None = None) -> list[_core.Directive]:
        """Look again after answers came in or time passed; see ``Guard.poll``."""
        found = self.core.poll(_clock(now_ms))
        self._follow(None, found)
        return found

    def cut(self) -> None:
        """Say that the answer is cut off here, before ``finish``; see ``Guard.cut``."""
        self.core.cut()

    def finish(
        self, now_ms: int | None = None, *, timeout_s: float | None = None
    ) -> list[_core.Directive]:
        """Wait for answers, act on them, and end; see ``Guard.finish``.

        Claims that the end closes are handed out too. Waits until the policy's ``max_hold_ms``
        has passed, at most ``timeout_s`` seconds; with 0 it never waits. A last directive
        ``wait`` then says that it is to be called again, and that nothing may be pushed before.
        Raises ``ArgumentError`` for a ``timeout_s`` that is no time.
        """
        limit = LOOK_S if timeout_s is None else seconds(timeout_s, "timeout_s")
        began, start = time.monotonic(), _clock(now_ms)
        found: list[_core.Directive] = []
        while True:
            heard, idle = self._watch.heard, self._watch.idle
            spent = time.monotonic() - began
            step, more = self.core.close(start + int(spent * 1000))
            self._follow(step, more)
            if not more or more[-1].kind != "wait":
                return found + more
            found += more[:-1]
            left = LOOK_S if timeout_s is None else limit - spent
            over = left <= 0 or (idle and self._watch.idle)
            if self._watch.heard != heard:
                # An answer came in meanwhile: nobody need wait for it.
                continue
            # What else is waited for is an application's answer, which comes from outside.
            if over:
                return [*found, more[-1]]
            self._watch.pause(min(left, LOOK_S))

    def report(self, timeout_s: float = 0.0) -> Report:
        """Return the report so far, after waiting up to ``timeout_s`` seconds for answers.

        Raises ``ArgumentError`` for a ``timeout_s`` that is no time.
        """
        if seconds(timeout_s, "timeout_s") > 0:
            self._watch.wait(timeout_s)
        return dataclasses.replace(self.core.report(), skipped=self.skipped)

    def abandon(self) -> None:
        """Ask nobody any more: the answer is given up. Calls that run go on."""
        self._watch.stop()

    def _follow(self, step: _core.Step | None, found: list[_core.Directive]) -> None:
        if any(directive.kind == "rewind" for directive in found):
            self._watch.rewound()
        if step is not None:
            self._watch.hand_out(step)
        if any(directive.kind == "stop" for directive in found):
            self._watch.stop()


def _clock(now_ms: int | None) -> int:
    return time.monotonic_ns() // 1_000_000 if now_ms is None else now_ms
