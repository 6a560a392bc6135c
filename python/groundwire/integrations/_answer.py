"""One guarded answer: the core's guard as the decoding loop wants it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from groundwire import _core
from groundwire.beside_guard import WatchedGuard
from groundwire.findings import Intervention
from groundwire.integrations._decode import Decision, Rewind
from groundwire.report import Report

PAUSE_S = 0.005
"""Seconds between two looks at a verifier that has not answered."""


class Answer:
    """Turns the guard's directives into decisions; remembers the last step.

    ``clock`` gives milliseconds and feeds the policy's ``max_hold_ms``; ``None`` means that
    nobody waits for the text, so that only ``max_hold_tokens`` limits how long it is held. At the
    end, where nothing but a verifier's answer is waited for, real time limits the wait whatever
    the clock says, so that a verifier that never answers cannot hold the answer for good.
    """

    def __init__(self, guard: _core.Guard | WatchedGuard, clock: Callable[[], int] | None) -> None:
        """Wrap a guard that has seen nothing yet."""
        self.guard = guard
        self.step: Any = None
        self.seconds: list[float] = []
        self._clock = clock
        self._known = 0

    def push(
        self, token_id: int, *, logits: Any = None, prior_logits: Any = None, forced: bool = False
    ) -> Decision:
        """Show one token to the guard."""
        started = time.perf_counter()
        self.step, directives = self.guard.push(
            token_id,
            logits=logits,
            prior_logits=prior_logits,
            forced=forced,
            now_ms=self._now(),
        )
        decision = _decide(directives) if directives else _GO_ON
        self.seconds.append(time.perf_counter() - started)
        return decision

    def end(self) -> Decision:
        """Tell the guard that nothing follows, and wait for the verifiers it waits for."""
        self.step = None
        now, started = self._now(), milliseconds()
        found = self.guard.finish(now)
        while found and found[-1].kind == "wait":
            time.sleep(PAUSE_S)
            # A clock that stands still, or none, must not keep the answer from ending.
            waited = now + milliseconds() - started
            found = [*found[:-1], *self.guard.finish(max(self._now(), waited))]
        return _decide(found)

    def news(self) -> tuple[Intervention, ...]:
        """Return the interventions since the last call."""
        if self.guard.interventions == self._known:
            return ()
        fresh, self._known = self.guard.interventions - self._known, self.guard.interventions
        # The oldest may have left by now.
        return self.report().interventions[-fresh:]

    def report(self) -> Report:
        """Return the report so far."""
        return self.guard.report()

    def _now(self) -> int:
        return self._clock() if self._clock is not None else 0


_GO_ON = Decision()


def _decide(directives: list[Any]) -> Decision:
    release = "".join(d.text for d in directives if d.kind == "release")
    rewind = next((Rewind(d.keep, d.text) for d in directives if d.kind == "rewind"), None)
    stop = next((d.reason for d in directives if d.kind == "stop"), None)
    return Decision(release, rewind, stop)


def milliseconds() -> int:
    """Return a monotonic clock's milliseconds."""
    return time.monotonic_ns() // 1_000_000
