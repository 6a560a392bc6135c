"""One guarded answer, with its hooks and its new attempts, as the decoding loop wants it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

from groundwire import callback
from groundwire.callback import Callback
from groundwire.findings import Intervention
from groundwire.integrations._decode import Decision, Rewind
from groundwire.regeneration import Attempts
from groundwire.report import Report

PAUSE_S = 0.005
"""Seconds between two looks at a verifier that has not answered."""


class Answer:
    """Turns the guard's decisions into the loop's; remembers the last step.

    ``clock`` gives milliseconds and feeds the policy's ``max_hold_ms``; ``None`` means that
    nobody waits for the text, so that only ``max_hold_tokens`` limits how long it is held. At the
    end, where nothing but a verifier's answer is waited for, real time limits the wait whatever
    the clock says, so that a verifier that never answers cannot hold the answer for good.

    ``begin`` opens the guard of this answer, given its clock. An answer that cannot be mended
    stops with ``regenerate`` where ``attempts`` has one left; where it has none, ``escalated`` is
    the last report, and what the application says in its place is released.
    """

    def __init__(
        self,
        begin: Callable[[Callable[[], int]], Callback],
        clock: Callable[[], int] | None,
        attempts: Attempts | None = None,
    ) -> None:
        """Open a guard that has seen nothing yet."""
        self.step: Any = None
        self.seconds: list[float] = []
        self.escalated: Report | None = None
        self._clock = clock
        self._late = 0
        self._known = 0
        self._attempts = attempts
        self._instead: str | None = None
        self.callback = begin(self._now)

    def push(
        self, token_id: int, *, logits: Any = None, prior_logits: Any = None, forced: bool = False
    ) -> Decision:
        """Show one token to the guard."""
        started = time.perf_counter()
        found = self.callback.on_token(token_id, logits, prior_logits=prior_logits, forced=forced)
        self.step = found.step
        decision = self._decide(found)
        if decision.stop is None and self._attempts and self._attempts.hopeless(found.step):
            decision = Decision(stop="regenerate")
        self.seconds.append(time.perf_counter() - started)
        return decision

    def end(self, *, cut: bool = False) -> Decision:
        """Tell the guard that nothing follows, and wait for the verifiers it waits for.

        ``cut`` is as for ``GroundwireCallback.on_end``.
        """
        self.step = None
        now, started = self._now(), milliseconds()
        found = self.callback.on_end(cut=cut)
        said = found.release
        while found.wait:
            time.sleep(PAUSE_S)
            # A clock that stands still, or none, must not keep the answer from ending.
            self._late = now + milliseconds() - started
            found = self.callback.on_end()
            said += found.release
        return self._decide(dataclasses.replace(found, release=said))

    def news(self) -> tuple[Intervention, ...]:
        """Return the interventions since the last call."""
        guard = self.callback.guard
        if guard.interventions == self._known:
            return ()
        fresh, self._known = guard.interventions - self._known, guard.interventions
        # The oldest may have left by now.
        return self.callback.report().interventions[-fresh:]

    def report(self) -> Report:
        """Return the report so far, with what hooks and the application said."""
        report = self.callback.report()
        if self._instead is None:
            return report
        return dataclasses.replace(report, released=self._instead, stopped="escalated")

    def _decide(self, found: callback.Decision) -> Decision:
        rewind = None if found.keep is None else Rewind(found.keep, found.force)
        decision = Decision(found.release, rewind, found.stop)
        if found.stop is None or self._attempts is None or not self._attempts.exhausted:
            return decision
        if self.escalated is None:
            self.escalated = self.callback.report()
            self._instead = self._attempts.escalate(self.escalated)
        return decision if self._instead is None else Decision(self._instead, None, "escalated")

    def _now(self) -> int:
        return max(self._clock() if self._clock is not None else 0, self._late)


def milliseconds() -> int:
    """Return a monotonic clock's milliseconds."""
    return time.monotonic_ns() // 1_000_000
