"""Python detectors, verifiers and rules, run beside a stream on bounded threads.

They never run inside ``push``: they get closed claims and answer through ``report`` and
``resolve``. A session with such parts is a ``WatchedSession``; it has the calls of a plain one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from groundwire._checks import seconds, whole_number
from groundwire.errors import GroundwireError
from groundwire.events import EventSink, dispatch_report
from groundwire.findings import Claim, Finding, Verdict
from groundwire.rules import ObjectRules, RuleLike

if TYPE_CHECKING:
    from groundwire import _core
    from groundwire.report import Report

log = logging.getLogger("groundwire")

MAX_OUTSTANDING = 64
"""Calls that may wait at once; a claim beyond them is not handed out, and counted."""


@runtime_checkable
class Detector(Protocol):
    """Anything that looks at a closed claim and says what is wrong with it."""

    @property
    def name(self) -> str:
        """Name of the detector."""

    def detect(self, claim: Claim, text: str) -> Iterable[Finding]:
        """Return findings about ``claim``; ``text`` is the stream up to the claim's end."""


@runtime_checkable
class Verifier(Protocol):
    """Anything that can say whether a claim holds."""

    @property
    def name(self) -> str:
        """Name of the verifier."""

    def verify(self, claim: Claim) -> Verdict:
        """Return the verdict about ``claim``."""


class WatchedSession:
    """A session with Python detectors, verifiers and rules beside it.

    Attributes:
        skipped: claims that were not handed out because too many calls were waiting.
        failed: calls that raised; each is logged, none stops the stream.
    """

    def __init__(
        self,
        session: _core.Session,
        detectors: Sequence[Detector | RuleLike],
        verifiers: Sequence[Verifier],
        workers: int = 2,
        timeout_s: float = 5.0,
        events: Sequence[EventSink] = (),
    ) -> None:
        """Wrap ``session``; ``finish`` waits up to ``timeout_s`` seconds (0 or more) for answers.

        ``events`` are sinks that hear of the findings and of the end when the stream finishes.
        Raises ``ArgumentError`` for fewer than one of ``workers`` or a time that is none.
        """
        workers = whole_number(workers, "workers", least=1)
        timeout_s = seconds(timeout_s, "timeout_s")
        self._events = tuple(events)
        self.core = session
        self.skipped = 0
        self.failed = 0
        self._detectors = [d for d in detectors if isinstance(d, Detector)]
        rules = [r for r in detectors if not isinstance(r, Detector)]
        self._rules = ObjectRules(rules) if rules else None
        self._fed = 0
        self._verifiers = list(verifiers)
        self._timeout_s = timeout_s
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="groundwire")
        self._outstanding: set[Future[None]] = set()
        self._lock = threading.Lock()
        self._rule_lock = threading.Lock()
        self._cuts: list[int] = []

    def __getattr__(self, name: str) -> Any:
        """Everything else is the plain session's."""
        return getattr(self.core, name)

    def push(self, token_id: int, **given: Any) -> _core.Step:
        """Follow one token; see ``Session.push``."""
        return self.hand_out(self.core.push(token_id, **given))

    def push_text(self, text: str, **given: Any) -> _core.Step:
        """Follow a piece of text."""
        return self.hand_out(self.core.push_text(text, **given))

    def push_bytes(self, data: bytes, **given: Any) -> _core.Step:
        """Follow raw bytes."""
        return self.hand_out(self.core.push_bytes(data, **given))

    def close(self) -> _core.Step:
        """End the stream and return what its end decided; answers may still come in."""
        return self.hand_out(self.core.close())

    def finish(self) -> Report:
        """End the stream, wait for answers, and return the report."""
        self.close()
        self.wait()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self.core.poll()
        report = self.core.finish()
        sinks, self._events = self._events, ()
        dispatch_report(sinks, report)
        return report

    def __enter__(self) -> WatchedSession:
        """Enter the stream."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the stream."""
        self.finish()

    def wait(self) -> None:
        """Wait for the answers that are outstanding, up to the time limit."""
        with self._lock:
            waiting = list(self._outstanding)
        wait(waiting, timeout=self._timeout_s)

    def hand_out(self, step: _core.Step) -> _core.Step:
        """Give closed claims to detectors, verifiers and rules; return the step."""
        claims = step.claims
        if not claims:
            return step
        text = self.core.text
        if self._rules is not None:
            self._run_rules(text, claims[-1])
        for claim in claims:
            upto = text[: claim.span[1]]
            for detector in self._detectors:
                self._submit(partial(self._detect, detector, claim, upto))
            for verifier in self._verifiers:
                self.core.expect(claim.id)
                if not self._submit(partial(self._verify, verifier, claim)):
                    self._unanswered(claim, "too many calls were waiting")
        return step

    def rollback(self, n: int | None = None, *, to: int | None = None) -> None:
        """Take back pushes; see ``Session.rollback``."""
        self.core.rollback(n, to=to)
        text = self.core.text
        if self._rules is not None and len(text) < self._fed:
            # The rules read again, silently, what they had read before.
            rules = ObjectRules(self._rules.rules)
            with self._rule_lock:
                list(rules.feed(text))
                self._rules, self._fed = rules, len(text)
                self._cuts.append(len(text))

    def _submit(self, call: Callable[[], None]) -> bool:
        with self._lock:
            if len(self._outstanding) >= MAX_OUTSTANDING:
                self.skipped += 1
                return False
            future = self._pool.submit(call)
            self._outstanding.add(future)
        future.add_done_callback(self._done)
        return True

    def _done(self, future: Future[None]) -> None:
        with self._lock:
            self._outstanding.discard(future)
        error = None if future.cancelled() else future.exception()
        if error is not None:
            self.failed += 1
            log.warning("a detector or verifier beside the stream failed: %s", error)

    def _detect(self, detector: Detector, claim: Claim, text: str) -> None:
        found = list(detector.detect(claim, text))
        if found:
            self._deliver(lambda: self.core.report(claim.id, found))

    def _verify(self, verifier: Verifier, claim: Claim) -> None:
        try:
            verdict = verifier.verify(claim)
        except Exception as error:
            self._unanswered(claim, f"{verifier.name} failed: {type(error).__name__}")
            raise
        self._deliver(lambda: self.core.resolve(claim.id, verdict))

    def _unanswered(self, claim: Claim, reason: str) -> None:
        """Nobody is to wait for an answer that will not come."""
        verdict = Verdict(status="unverifiable", reason=reason)
        self._deliver(lambda: self.core.resolve(claim.id, verdict))

    def _deliver(self, call: Callable[[], object]) -> None:
        """Hand an answer to the session; one about a claim that was rolled back is dropped."""
        try:
            call()
        except GroundwireError as error:
            log.info("an answer came too late: %s", error)

    def _run_rules(self, text: str, last: Claim) -> None:
        """Run Python rules over what has closed since they last ran, in the stream's order."""
        rules = self._rules
        assert rules is not None
        end = last.span[1]
        piece, self._fed = text[self._fed : end], end
        cuts = len(self._cuts)
        self._submit(lambda: self._rule_warnings(rules, piece, text, cuts))

    def _rule_warnings(self, rules: ObjectRules, piece: str, text: str, cuts: int) -> None:
        found = []
        with self._rule_lock:
            warnings = list(rules.feed(piece))
        for warning in warnings:
            lo, hi = warning["span"]
            start = len(text[:lo].encode())
            found.append(
                Finding(
                    type="stream.python_rule",
                    rule=warning["pattern"],
                    text=text[lo:hi],
                    byte_span=(start, start + len(text[lo:hi].encode())),
                    p_hallucinated=warning["confidence"],
                    content=warning["pattern"],
                    message=f"rule {warning['pattern']} matched",
                    extra={"pattern": warning["pattern"], "segment": warning["segment"]},
                )
            )
        # What was taken back while the rules ran is no longer there to be warned of.
        with self._rule_lock:
            kept = min(self._cuts[cuts:], default=len(text))
            limit = len(text[:kept].encode())
            found = [f for f in found if f.byte_span is not None and f.byte_span[1] <= limit]
            if found:
                self._deliver(lambda: self.core.report(None, found))


class _GuardedStream:
    """A guard with the calls that a watched session makes on its session."""

    def __init__(self, guard: _core.Guard) -> None:
        self.guard = guard

    @property
    def text(self) -> str:
        return self.guard.text

    def expect(self, claim_id: str) -> None:
        """Answers are taken when they come; text waits only where an application asks for it."""

    def report(self, claim_id: str | None, findings: Iterable[Finding]) -> None:
        self.guard.report_findings(claim_id, findings)

    def resolve(self, claim_id: str, verdict: Verdict) -> None:
        self.guard.resolve(claim_id, verdict)


class WatchedGuard:
    """A guard with Python detectors, verifiers and rules beside it.

    Their answers are acted upon at the next call after they came in: claims that are still held are
    rewritten, a note is appended to those the reader already has.
    """

    def __init__(
        self,
        guard: _core.Guard,
        detectors: Sequence[Detector | RuleLike],
        verifiers: Sequence[Verifier],
        workers: int = 2,
        timeout_s: float = 5.0,
    ) -> None:
        """Wrap ``guard``; ``finish`` waits up to ``timeout_s`` seconds (0 or more) for answers.

        Raises ``ArgumentError`` for fewer than one of ``workers`` or a time that is none.
        """
        self.core = guard
        stream: Any = _GuardedStream(guard)
        self._watch = WatchedSession(stream, detectors, verifiers, workers, timeout_s)

    def __getattr__(self, name: str) -> Any:
        """Everything else is the plain guard's."""
        return getattr(self.core, name)

    def push(self, token_id: int, **given: Any) -> tuple[_core.Step, list[_core.Directive]]:
        """Follow one token; see ``Guard.push``."""
        step, found = self.core.push(token_id, **given)
        self._watch.hand_out(step)
        return step, found

    def push_text(self, text: str, **given: Any) -> tuple[_core.Step, list[_core.Directive]]:
        """Follow a piece of text."""
        step, found = self.core.push_text(text, **given)
        self._watch.hand_out(step)
        return step, found

    def finish(self, now_ms: int = 0) -> list[_core.Directive]:
        """Wait for answers, act on them, and end; see ``Guard.finish``."""
        self._watch.wait()
        late = self.core.poll(now_ms)
        if any(directive.kind in {"rewind", "stop"} for directive in late):
            return late
        return [*late, *self.core.finish(now_ms)]
