"""The guarded loop for anyone's own generation (S4-033, S4-034), plain and asynchronous.

``guard`` owns the loop: it calls ``next_token``, carries out what the core's guard says, and yields
what happens. Loops that others own use ``groundwire.GroundwireCallback`` instead.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import time
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal

from groundwire import _core
from groundwire._checks import whole_number
from groundwire._given import passages, turns
from groundwire._ids import RETURNS, ids_of_prompt, ids_that_end, token_id
from groundwire.callback import Callback, Decision
from groundwire.errors import ArgumentError
from groundwire.hooks import Hooks
from groundwire.regeneration import Attempts, Regeneration
from groundwire.table import table_of

if TYPE_CHECKING:
    from groundwire.events import ReportStore
    from groundwire.monitor import Monitor
    from groundwire.policy import Policy
    from groundwire.report import Report

Kind = Literal[
    "token", "release", "rewind", "forced", "wait", "regenerate", "escalate", "stop", "end"
]
POLL_S = 0.01
"""Seconds between looks while text waits for a verifier's answer."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a guarded loop.

    Attributes:
        kind: ``token`` (the model's own), ``forced`` (put there after a rewind), ``release`` (give
            ``text`` to the reader), ``rewind`` (cut back to ``keep`` tokens), ``wait``,
            ``regenerate`` (the answer begins anew, with ``text`` as guidance; ``report`` is that
            of the one given up), ``escalate`` (the last attempt failed as well), ``stop``
            (``reason`` says why: ``end`` is the model's own end, ``length`` that of
            ``max_tokens``, ``abort`` that somebody else gave the request up) and, last of all,
            ``end`` (with the ``report``).
        token_id: the token, for ``token`` and ``forced``.
        text: released text, or the text forced after a rewind.
        keep: generated tokens that stay after a rewind.
        step: what the session found at this token.
        confidence: in the answer so far, 0..1, where hooks follow it.
    """

    kind: Kind
    token_id: int | None = None
    text: str = ""
    keep: int | None = None
    reason: str | None = None
    step: _core.Step | None = None
    report: Report | None = None
    confidence: float | None = None


class Want(Enum):
    """What the loop wants of whoever drives it."""

    TOKEN = "the model's next token"
    PAUSE = "some time to pass"


class Run:
    """The loop without its waiting, which is plain or asynchronous: ``steps`` says when to ask.

    Who drives it looks at ``prompt`` and ``ids`` (the answer so far, forced tokens included) to
    know what the model has to go on from. Arguments are those of ``guard``.
    """

    def __init__(
        self,
        prompt_ids: Sequence[int],
        monitor: Monitor,
        hooks: Hooks | None,
        encode: Callable[[str], Sequence[int]] | None,
        stop_ids: Iterable[int],
        max_tokens: int,
        given: dict[str, Any],
        regeneration: Regeneration | None = None,
    ) -> None:
        self.prompt = ids_of_prompt(prompt_ids)
        self.attempts = None
        if regeneration is not None:
            self.attempts = Attempts(regeneration, monitor, given.get("policy"))
        self.ids: list[int] = []
        self.pieces: list[int] = []
        self.hooks = hooks or Hooks()
        self.asked, self.monitor = list(self.prompt), monitor
        given = {
            **given,
            "evidence": passages(given["evidence"]),
            "history": turns(given["history"]),
        }
        self.given = given
        self.callback = self.begin()
        self.stop_ids = ids_that_end(stop_ids)
        self.max_tokens = whole_number(max_tokens, "max_tokens", least=1)
        self.encode = encode or _encoder(monitor)
        self.waiting = False
        self.cut = ""
        """Why the answer is not complete, as far as whoever drives the loop knows: ``length``, …"""

    def begin(self) -> Callback:
        """Return the guard of an answer that begins."""
        retry = None if self.attempts is None else self.attempts.fails
        return Callback(self.monitor, hooks=self.hooks, retry=retry, **self.given)

    def refused(self) -> list[Event]:
        """Events of an answer that is not begun because knowledge is missing, or none."""
        report = self.callback.limitation(self.prompt)
        if report is None:
            return []
        return [
            Event("release", text=report.released),
            Event("stop", reason="limitation"),
            Event("end", report=report),
        ]

    def steps(self) -> Generator[Event | Want, Any, None]:
        """Yield events, and what is wanted; ``TOKEN`` is answered as ``next_token`` answers."""
        refused = self.refused()
        yield from refused
        over = bool(refused)
        while not over:
            out: list[Event] = []
            answer = None if self.over() else (yield Want.TOKEN)
            token, logits, prior, signals = self.take(answer)
            waits = False
            if token is None:
                state = self.end(out)
                over, waits = state == "over", state == "wait"
            else:
                over = self.follow(token, logits, prior, signals, out)
            yield from out
            if waits:
                yield Want.PAUSE

    def over(self) -> bool:
        """Return whether the model is not asked for another token."""
        return self.waiting or len(self.ids) >= self.max_tokens or self.hooks.is_complete(self.ids)

    def take(self, answer: Any) -> tuple[int | None, Any, Any, Any]:
        """Split what ``next_token`` returned into token, row, prior row and signals."""
        given = answer if isinstance(answer, tuple) else (answer,)
        if not 1 <= len(given) <= 3:
            raise ArgumentError(f"next_token returned a tuple of {len(given)}; {RETURNS}")
        first, logits, prior = (*given, None, None)[:3]
        token = None if first is None else token_id(first, "next_token")
        signals = None
        if isinstance(logits, Mapping | _core.Signals):
            logits, signals = None, logits
        return (None if token in self.stop_ids else token), logits, prior, signals

    def follow(self, token: int, logits: Any, prior: Any, signals: Any, out: list[Event]) -> bool:
        """Push one token; append events; return whether the answer is over."""
        decision = self.callback.on_token(token, logits, prior_logits=prior, signals=signals)
        self.ids.append(token)
        step = decision.step
        out.append(Event("token", token_id=token, step=step, confidence=decision.confidence))
        over = self.carry_out(decision, out)
        if not over and self.attempts is not None and self.attempts.hopeless(step):
            return self.again(out)
        return over

    def carry_out(self, decision: Decision, out: list[Event]) -> bool:
        """Carry out a decision on the generated ids; return whether the answer is over."""
        if decision.stop == "regenerate":
            return self.again(out)
        if decision.stop is not None and self.attempts is not None and self.attempts.exhausted:
            report = self.callback.report()
            out.append(Event("escalate", report=report))
            text = self.attempts.escalate(report)
            if text is not None:
                report = dataclasses.replace(report, released=text, stopped="escalated")
                out.append(Event("release", text=text))
                out.append(Event("stop", reason="escalated"))
                out.append(Event("end", report=report))
                return True
        if decision.release:
            if self.attempts is not None:
                self.attempts.sent = True
            out.append(Event("release", text=decision.release))
        if decision.wait:
            out.append(Event("wait"))
        if decision.stop is not None:
            out.append(Event("stop", reason=decision.stop))
            out.append(Event("end", report=self.callback.report()))
            return True
        if decision.keep is not None:
            del self.ids[decision.keep :]
            out.append(Event("rewind", keep=decision.keep, text=decision.force))
            return self.force(decision.force, out)
        return False

    def again(self, out: list[Event]) -> bool:
        """Begin the answer anew, with guidance in the prompt."""
        assert self.attempts is not None
        report = self.callback.report()
        self.callback.abandon()
        guidance = self.attempts.next(report)
        self.prompt = self.attempts.prompt(self.asked, guidance, self.encode)
        out.append(Event("regenerate", text=guidance, report=report))
        self.ids.clear()
        self.pieces.clear()
        self.waiting = False
        self.callback = self.begin()
        return False

    def force(self, text: str, out: list[Event]) -> bool:
        """Feed forced text as tokens."""
        for given in self.encode(text):
            token = token_id(given, "encode")
            decision = self.callback.on_token(token, forced=True)
            self.ids.append(token)
            out.append(Event("forced", token_id=token, step=decision.step))
            if self.carry_out(decision, out):
                return True
        return False

    def end(self, out: list[Event]) -> Literal["over", "on", "wait"]:
        """Tell the guard that the model has ended; the model is not asked while it waits."""
        cut = self.cut or ("length" if len(self.ids) >= self.max_tokens else "")
        ended = self.callback.on_end(timeout_s=0, cut=bool(cut), reason=cut)
        waited, decision = self.waiting, ended
        self.waiting = decision.wait
        if decision.stop == "regenerate":
            self.again(out)
            return "on"
        # One event says that there is a wait, however often it is looked at.
        if self.carry_out(dataclasses.replace(decision, wait=decision.wait and not waited), out):
            return "over"
        return "wait" if decision.wait else "on"


def guard(
    next_token: Callable[[list[int]], Any],
    prompt_ids: Sequence[int],
    *,
    monitor: Monitor,
    hooks: Hooks | None = None,
    encode: Callable[[str], Sequence[int]] | None = None,
    stop_ids: Iterable[int] = (),
    max_tokens: int = 512,
    evidence: Iterable[Any] = (),
    history: Iterable[Any] = (),
    question: str | None = None,
    policy: Policy | None = None,
    regeneration: Regeneration | None = None,
    store: ReportStore | None = None,
    lead: str = "",
    rows: Any = None,
) -> Iterator[Event]:
    """Run a guarded generation over anyone's own model.

    Args:
        next_token: called with prompt and generated ids; returns the next token id, or
            ``(id, logits)`` or ``(id, logits, prior_logits)`` with the raw rows, ``(id, signals)``
            with numbers an engine gave instead (a mapping, or ``Signals``), or none at the end. It
            must follow the ids it is given: after a rewind they are shorter.
        prompt_ids: ids of the prompt.
        monitor: a monitor built with the model's tokenizer.
        hooks: an application's own words.
        encode: text to token ids without special tokens; the monitor's tokenizer by default.
        stop_ids: ids that end the answer, or the one id.
        max_tokens: most tokens of the answer, forced ones included; at least 1. What is put in the
            place of a claim stands there whole, so that an answer may be longer by the rest of it;
            the model adds nothing then. An answer that they end stops with the reason ``length``,
            in its report as well.
        evidence: passages, as for ``Monitor.session``; likewise ``history`` and ``question``.
        policy: replaces the monitor's policy.
        store: records the final report and its weak points, as for ``GroundwireCallback``.
        regeneration: begin an answer that cannot be mended anew, with guidance in the prompt.
            What was sent cannot be taken back, so the policy has to release the ``response``.
        lead: the unfinished sentence at the end of the prompt, where the answer completes it.
        rows: a ``Table``, or rows whose values must stand together, as for ``Monitor.session``.

    Returns:
        An iterator of events; the text of ``release`` events is what the reader gets, and the last
        event is ``end`` with the report. The model is first asked when the first is taken.

    Raises:
        ArgumentError: at once where an argument is not valid; while iterating where ``next_token``
            or ``encode`` returned no token id, or rows do not fit.
        UnknownTokenError: while iterating, for an id that the monitor's tokenizer lacks.
    """
    given: dict[str, Any] = {"evidence": evidence, "history": history, "question": question}
    given |= {"policy": policy, "store": store, "lead": lead, "rows": table_of(rows)}
    run = Run(prompt_ids, monitor, hooks, encode, stop_ids, max_tokens, given, regeneration)
    return _drive(run, _callable(next_token))


def _drive(run: Run, next_token: Callable[[list[int]], Any]) -> Iterator[Event]:
    steps, answer = run.steps(), None
    while True:
        try:
            want = steps.send(answer)
        except StopIteration:
            return
        answer = None
        if isinstance(want, Event):
            yield want
        elif want is Want.TOKEN:
            answer = next_token(run.prompt + run.ids)
        else:
            time.sleep(POLL_S)


def aguard(
    next_token: Callable[[list[int]], Awaitable[Any] | Any],
    prompt_ids: Sequence[int],
    *,
    monitor: Monitor,
    hooks: Hooks | None = None,
    encode: Callable[[str], Sequence[int]] | None = None,
    stop_ids: Iterable[int] = (),
    max_tokens: int = 512,
    evidence: Iterable[Any] = (),
    history: Iterable[Any] = (),
    question: str | None = None,
    policy: Policy | None = None,
    regeneration: Regeneration | None = None,
    store: ReportStore | None = None,
    lead: str = "",
    rows: Any = None,
) -> AsyncIterator[Event]:
    """Run ``guard`` over a ``next_token`` that may be asynchronous.

    Arguments, events and errors are those of ``guard``.
    """
    given: dict[str, Any] = {"evidence": evidence, "history": history, "question": question}
    given |= {"policy": policy, "store": store, "lead": lead, "rows": table_of(rows)}
    run = Run(prompt_ids, monitor, hooks, encode, stop_ids, max_tokens, given, regeneration)
    return _adrive(run, _callable(next_token))


async def _adrive(
    run: Run, next_token: Callable[[list[int]], Awaitable[Any] | Any]
) -> AsyncIterator[Event]:
    steps, answer = run.steps(), None
    while True:
        try:
            want = steps.send(answer)
        except StopIteration:
            return
        answer = None
        if isinstance(want, Event):
            yield want
        elif want is Want.TOKEN:
            answer = next_token(run.prompt + run.ids)
            if inspect.isawaitable(answer):
                answer = await answer
        else:
            await asyncio.sleep(POLL_S)


def _callable(next_token: Any) -> Any:
    if not callable(next_token):
        raise ArgumentError(f"next_token is called for every token; {next_token!r:.60} cannot be")
    return next_token


def _encoder(monitor: Monitor) -> Callable[[str], Sequence[int]]:
    """Return how the monitor's tokenizer turns text into ids without special tokens."""
    tokenizer = monitor.tokenizer

    def encode(text: str) -> Sequence[int]:
        if tokenizer is None or not hasattr(tokenizer, "encode"):
            raise ArgumentError(
                "a rewrite has to be fed to the model as tokens: build the monitor with a "
                "tokenizer that can encode, or pass encode=…"
            )
        try:
            found = tokenizer.encode(text, add_special_tokens=False)
        except TypeError:
            found = tokenizer.encode(text)
        return list(getattr(found, "ids", found))

    return encode
