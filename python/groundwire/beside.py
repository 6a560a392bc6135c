"""Python detectors, verifiers and rules, run beside a stream on bounded threads.

They never run inside ``push``: they get closed claims and answer through ``report`` and
``resolve``. A session with such parts is a ``WatchedSession``, which has the calls of a plain one
(a guard is a ``WatchedGuard``, see ``beside_guard``). A part that raises, returns something else
or never returns costs its own answer and nothing else.
"""

from __future__ import annotations

import dataclasses
import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from groundwire._answers import Detector, InPlace, Verifier, findings_of, verdict_of
from groundwire._calls import Asked, Calls, Key
from groundwire._checks import seconds, whole_number
from groundwire._failed import detector_failed, reason_of, verifier_failed
from groundwire._pool import Pool
from groundwire._rule_runs import RuleRuns
from groundwire.errors import GroundwireError, SessionLatched
from groundwire.events import EventSink, dispatch_report
from groundwire.findings import Claim, Finding, Verdict
from groundwire.rules import RuleLike

if TYPE_CHECKING:
    from groundwire import _core
    from groundwire.report import Report

log = logging.getLogger("groundwire")

MAX_OUTSTANDING = 64
"""Calls that may wait at once; a claim beyond them is not handed out, and counted."""
MAX_REMEMBERED = 1024
"""Answers kept, so that a claim that comes again after a rewind is not asked about again."""
TIMEOUT_S = 5.0
"""Seconds that ``finish`` of a session waits for answers, unless told otherwise."""


class WatchedSession:
    """A session with Python detectors, verifiers and rules beside it.

    Attributes:
        skipped: calls that were not made because too many were waiting.
        failed: calls that raised or returned something else; each is logged, none stops the
            stream. A claim whose verifier failed is unverifiable, unless another verifier
            answered, and carries a ``stream.verifier_failed`` finding. A detector or rule that
            failed is named once in a stream, by a ``stream.detector_failed`` finding on the first
            such claim that names no other.
    """

    def __init__(
        self,
        session: _core.Session,
        detectors: Sequence[Detector | RuleLike],
        verifiers: Sequence[Verifier],
        workers: int = 2,
        timeout_s: float = TIMEOUT_S,
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
        session.show_answers_later()
        self.skipped = 0
        self.failed = 0
        self._detectors = [d for d in detectors if isinstance(d, Detector)]
        rules = [r for r in detectors if not isinstance(r, Detector)]
        self._rules = RuleRuns(rules, self._warn, self._failure, self._rule_broke, self._ended)
        self._verifiers = list(verifiers)
        self._timeout_s = timeout_s
        self._pool = Pool(workers, MAX_OUTSTANDING)
        self._lock = threading.Lock()
        self._calls = Calls(MAX_REMEMBERED)
        # Calls that are still to end, by claim.
        self._left: dict[str, int] = {}
        # Detectors and rules whose failure is noted, with where the claim stands that says so.
        self._noted: dict[tuple[str, int], tuple[int, int]] = {}
        self._heard = 0
        # Until when a call may wait for room: a stream never waits, a whole text does.
        self._patient_until = 0.0

    def __getattr__(self, name: str) -> Any:
        """Everything else is the plain session's."""
        return getattr(self.core, name)

    def push(self, token_id: int, **given: Any) -> _core.Step:
        """Follow one token; see ``Session.push``."""
        return self.hand_out(self.core.push(token_id, **given))

    def push_text(self, text: str, **given: Any) -> _core.Step:
        """Follow a piece of text."""
        return self.hand_out(self.core.push_text(text, **given))

    def push_bytes(self, data: bytes | bytearray, **given: Any) -> _core.Step:
        """Follow raw bytes."""
        return self.hand_out(self.core.push_bytes(data, **given))

    def close(self) -> _core.Step:
        """End the stream and return what its end decided; answers may still come in."""
        return self.hand_out(self.core.close())

    def finish(self, timeout_s: float | None = None) -> Report:
        """End the stream, wait for answers, and return the report.

        ``timeout_s`` is the most seconds to wait, the session's own limit by default. A claim
        without an answer by then is unverifiable.
        """
        limit = self._timeout_s if timeout_s is None else seconds(timeout_s, "timeout_s")
        return self._finish(time.monotonic() + limit)

    def check(self, pieces: Iterable[str]) -> Report:
        """Follow a whole text in pieces, end the stream and return the report.

        Unlike ``push_text``, which hands out no claim while too many are waiting, this waits for
        them, up to the session's time limit for the text and its end together.
        """
        until = self._patient_until = time.monotonic() + self._timeout_s
        for piece in pieces:
            self.push_text(piece)
        return self._finish(until)

    def late(self) -> _core.Step:
        """Wait for answers after ``close``, up to the session's limit; return what they brought.

        The sinks then hear of the stream, as after ``finish``; its report has no later answers.
        """
        step = self._settle(time.monotonic() + self._timeout_s)
        self._report_end()
        return step

    def _finish(self, until: float) -> Report:
        self._patient_until = until
        if self.core.latched is None:
            self.close()
        self._settle(until)
        return self._report_end()

    def _settle(self, until: float) -> _core.Step:
        self._pool.wait(max(0.0, until - time.monotonic()))
        self._pool.close()
        return self.core.poll()

    def _report_end(self) -> Report:
        report = dataclasses.replace(self.core.finish(), skipped=self.skipped)
        with self._lock:
            open_still = {claim for claim, left in self._left.items() if left > 0}
        if open_still and not report.unanswered:
            late = tuple(claim.id for claim in report.claims if claim.id in open_still)
            report = dataclasses.replace(report, unanswered=late)
        sinks, self._events = self._events, ()
        dispatch_report(sinks, report)
        return report

    def __enter__(self) -> WatchedSession:
        """Enter the stream."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the stream."""
        self.finish()

    def peek(self) -> Report:
        """Return the report so far, without ending the stream."""
        return dataclasses.replace(self.core.peek(), skipped=self.skipped)

    @property
    def heard(self) -> int:
        """Claims about which everybody has answered or failed, so far; only grows."""
        return self._heard

    @property
    def idle(self) -> bool:
        """Whether no answer is outstanding."""
        return self._pool.idle

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait for outstanding answers up to the time limit; return whether all have come."""
        limit = self._timeout_s if timeout_s is None else seconds(timeout_s, "timeout_s")
        return self._pool.wait(limit)

    def pause(self, timeout_s: float) -> None:
        """Wait until some answer has come, up to ``timeout_s`` seconds."""
        self._pool.pause(timeout_s)

    def stop(self) -> None:
        """Make no further calls; those that run go on."""
        self._pool.close()

    def hand_out(self, step: _core.Step) -> _core.Step:
        """Give closed claims to detectors, verifiers and rules; return the step."""
        claims = step.claims
        if not claims:
            return step
        text = self.core.text
        calls = len(self._detectors) + len(self._verifiers) + bool(self._rules)
        with self._lock:
            for claim in claims:
                self._left[claim.id] = self._left.get(claim.id, 0) + calls
        # Rules read in the stream's order; where there is no room the next call reads this too.
        if self._rules and not self._submit(self._rules.take(text, claims)):
            for claim in claims:
                self._ended(claim)
        for claim in claims:
            upto = text[: claim.span[1]]
            for i, detector in enumerate(self._detectors):
                self._detect(i, detector, claim, upto)
            for i, verifier in enumerate(self._verifiers):
                self.core.expect(claim.id)
                self._verify(i, verifier, claim, upto)
        return step

    def rollback(self, n: int | None = None, *, to: _core.Mark | None = None) -> None:
        """Take back pushes; see ``Session.rollback``.

        Raises ``SessionLatched`` once the stream was finished: nobody would judge what follows.
        """
        if self._pool.closed:
            raise SessionLatched(
                "this session was finished, and its detectors and verifiers have ended; "
                "roll back before finish(), or open another session"
            )
        self.core.rollback(n, to=to)
        self.rewound()

    def rewound(self) -> None:
        """Text was taken back: rules begin again behind what is left."""
        text = self.core.text
        self._rules.rewound(text)
        end = len(text.encode())
        with self._lock:
            self._noted = {i: at for i, at in self._noted.items() if at[1] <= end}

    def _submit(self, call: Callable[[], None]) -> bool:
        """Run ``call`` beside the stream; return whether there was room for it, and count it."""
        if self._pool.submit(call, self._patient_until - time.monotonic()):
            return True
        with self._lock:
            self.skipped += 1
        return False

    def _once(
        self,
        key: Key,
        claim: Claim,
        call: Callable[[], Any],
        deliver: Callable[[Any], None],
        lost: Callable[[BaseException | None], None],
    ) -> None:
        """Make ``call`` about ``claim`` unless it runs or has answered; its answer is delivered.

        ``lost`` is told what it raised, or nothing where there was no room for it.
        """
        asked, known = self._calls.begin(key)
        if asked is Asked.RUNNING:
            return
        if asked is Asked.KNOWN:
            deliver(known)
            self._ended(claim)
            return

        def run() -> None:
            askers = 1
            try:
                try:
                    answer = call()
                except BaseException as error:
                    askers = self._calls.failed(key)
                    self._failure(error)
                    lost(error)
                else:
                    askers = self._calls.answered(key, answer)
                    deliver(answer)
            except BaseException as error:
                self._failure(error)
            finally:
                self._ended(claim, askers)

        if not self._submit(run):
            askers = self._calls.failed(key)
            lost(None)
            self._ended(claim, askers)

    def _failure(self, error: BaseException) -> None:
        with self._lock:
            self.failed += 1
        # What it says may quote the claim it was asked about.
        log.warning(
            "a detector, verifier or rule beside the stream failed: %s", type(error).__name__
        )
        log.debug("it failed with", exc_info=error)

    def _ended(self, claim: Claim, calls: int = 1) -> None:
        """Calls about ``claim`` have ended; after the last one nobody waits for it."""
        with self._lock:
            left = self._left.get(claim.id, calls) - calls
            if left > 0:
                self._left[claim.id] = left
                return
            self._left.pop(claim.id, None)
        answered = getattr(self.core, "answered", None)
        if answered is not None:
            answered(claim.id)
        with self._lock:
            self._heard += 1

    def _detect(self, index: int, detector: Detector, claim: Claim, text: str) -> None:
        def deliver(found: list[Finding]) -> None:
            # One by one: what the core cannot read takes no other with it.
            for finding in found:
                self._deliver(partial(self._report, claim, finding, failed))

        def failed(error: BaseException) -> None:
            self._failure(error)
            self._note(("detector", index), detector.name, claim, error)

        def lost(error: BaseException | None) -> None:
            if error is not None:
                self._note(("detector", index), detector.name, claim, error)

        call = partial(findings_of, detector, claim, text, failed)
        key = ("detector", index, claim.id, hash(text))
        self._once(key, claim, call, deliver, lost)

    def _rule_broke(self, index: int, rule: RuleLike, claim: Claim, error: BaseException) -> None:
        self._note(("rule", index), f"rule {rule.name}", claim, error, rule=str(rule.name))

    def _note(
        self,
        key: tuple[str, int],
        name: str,
        claim: Claim,
        error: BaseException,
        rule: str | None = None,
    ) -> None:
        """A detector or rule failed about ``claim``: that is said once, as it may at every one."""
        start, end = claim.byte_span
        with self._lock:
            # Of two at one place a report keeps one, so that another detector waits for the next.
            taken = any(at[0] < end and start < at[1] for at in self._noted.values())
            if key in self._noted or taken:
                return
            self._noted[key] = (start, end)
        unsure = detector_failed(name, claim, error, rule)
        self._deliver(lambda: self.core.report(claim.id, [unsure]))

    def _report(
        self, claim: Claim, finding: Finding, failed: Callable[[BaseException], None]
    ) -> None:
        try:
            self.core.report(claim.id, [finding])
        except (TypeError, ValueError) as error:
            failed(error)

    def _question(self, index: int, claim: Claim, text: str) -> Key:
        """Return what a verifier is asked; one that reads the text before is asked about it."""
        before = hash(text) if isinstance(self._verifiers[index], InPlace) else None
        return ("verifier", index, claim.id, before)

    def _verify(self, index: int, verifier: Verifier, claim: Claim, text: str) -> None:
        def deliver(verdict: Verdict) -> None:
            self._deliver(lambda: self.core.resolve(claim.id, verdict))

        def lost(error: BaseException | None) -> None:
            if error is None:
                self._unanswered(claim, text, "too many calls were waiting")
            else:
                self._broken(verifier, claim, text, error)

        call = partial(verdict_of, verifier, claim, text)
        self._once(self._question(index, claim, text), claim, call, deliver, lost)

    def _broken(self, verifier: Verifier, claim: Claim, text: str, error: BaseException) -> None:
        """A verifier failed about ``claim``: that is said, and it stays unverified."""
        reason = reason_of(str(verifier.name), error)
        self._unanswered(claim, text, reason)
        unsure = verifier_failed(str(verifier.name), claim, reason)
        self._deliver(lambda: self.core.report(claim.id, [unsure]))
        failed = getattr(self.core, "cannot_answer", None)
        if failed is not None:
            failed(reason)

    def _unanswered(self, claim: Claim, text: str, reason: str) -> None:
        """Nobody is to wait for an answer that will not come; another verifier's stays."""
        asked = (self._question(i, claim, text) for i in range(len(self._verifiers)))
        if any(self._calls.known(question) for question in asked):
            return
        verdict = Verdict(status="unverifiable", reason=reason)
        self._deliver(lambda: self.core.resolve(claim.id, verdict))

    def _deliver(self, call: Callable[[], object]) -> None:
        """Hand an answer to the session; one about a claim that was rolled back is dropped."""
        try:
            call()
        except GroundwireError as error:
            log.info("an answer could not be taken: %s", error)

    def _warn(self, found: list[Finding]) -> None:
        self._deliver(lambda: self.core.report(None, found))
