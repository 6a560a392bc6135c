"""The guarded loop for anyone's own generation (S4-033, S4-034), plain and asynchronous.

``guard`` owns the loop: it calls ``next_token``, carries out what the core's guard says, and yields
what happens. Loops that others own use ``groundwire.GroundwireCallback`` instead.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from groundwire.callback import Callback, Decision, Hooks
from groundwire.errors import ArgumentError

if TYPE_CHECKING:
    from groundwire import _core
    from groundwire.monitor import Monitor
    from groundwire.policy import Policy
    from groundwire.report import Report

Kind = Literal["token", "release", "rewind", "forced", "wait", "stop", "end"]
POLL_S = 0.01
"""Seconds between looks while text waits for a verifier's answer."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a guarded loop.

    Attributes:
        kind: ``token`` (the model's own), ``forced`` (put there after a rewind), ``release`` (give
            ``text`` to the reader), ``rewind`` (cut back to ``keep`` tokens), ``wait``, ``stop``
            (``reason`` says why) and, last of all, ``end`` (with the ``report``).
        token_id: the token, for ``token`` and ``forced``.
        text: released text, or the text forced after a rewind.
        keep: generated tokens that stay after a rewind.
        step: what the session found at this token.
    """

    kind: Kind
    token_id: int | None = None
    text: str = ""
    keep: int | None = None
    reason: str | None = None
    step: _core.Step | None = None
    report: Report | None = None


class _Run:
    """The state both loops share: generated ids, the guard, and how text becomes tokens."""

    def __init__(
        self,
        prompt_ids: Sequence[int],
        monitor: Monitor,
        hooks: Hooks | None,
        encode: Callable[[str], Sequence[int]] | None,
        stop_ids: Iterable[int],
        max_tokens: int,
        given: dict[str, Any],
    ) -> None:
        self.prompt = list(prompt_ids)
        self.ids: list[int] = []
        self.pieces: list[int] = []
        self.callback = Callback(monitor, hooks=hooks, **given)
        self.hooks = self.callback.hooks
        self.stop_ids = frozenset(stop_ids)
        self.max_tokens = max_tokens
        self.encode = encode or _encoder(monitor)
        self.question = given.get("question")

    def refused(self) -> list[Event]:
        """Events of an answer that is not begun because knowledge is missing, or none."""
        missing = self.hooks.verify(self.prompt, self.question)
        if missing is None:
            return []
        text = self.hooks.limitation_response(
            missing, f"I can't answer this reliably: I have nothing on {missing}."
        )
        report = dataclasses.replace(self.callback.report(), released=text, stopped="limitation")
        return [
            Event("release", text=text),
            Event("stop", reason="limitation"),
            Event("end", report=report),
        ]

    def over(self) -> bool:
        """Return whether the model is not asked for another token."""
        return len(self.ids) >= self.max_tokens or self.hooks.is_complete(self.ids)

    def take(self, answer: Any) -> tuple[int | None, Any, Any]:
        """Split what ``next_token`` returned into token, row and prior row."""
        if isinstance(answer, tuple):
            token, logits, prior = (*answer, None, None)[:3]
        else:
            token, logits, prior = answer, None, None
        if token is not None and int(token) in self.stop_ids:
            token = None
        return (None if token is None else int(token)), logits, prior

    def follow(self, token: int, logits: Any, prior: Any, out: list[Event]) -> bool:
        """Push one token; append events; return whether the answer is over."""
        decision = self.callback.on_token(token, logits, prior_logits=prior)
        self.ids.append(token)
        out.append(Event("token", token_id=token, step=decision.step))
        return self.carry_out(decision, out)

    def carry_out(self, decision: Decision, out: list[Event]) -> bool:
        """Carry out a decision on the generated ids; return whether the answer is over."""
        if decision.release:
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

    def force(self, text: str, out: list[Event]) -> bool:
        """Feed forced text as tokens."""
        for token in self.encode(text):
            decision = self.callback.on_token(int(token), forced=True)
            self.ids.append(int(token))
            out.append(Event("forced", token_id=int(token), step=decision.step))
            if self.carry_out(decision, out):
                return True
        return False

    def end(self, out: list[Event]) -> Literal["over", "on", "wait"]:
        """Tell the guard that the model has ended."""
        decision = self.callback.on_end()
        if self.carry_out(decision, out):
            return "over"
        if decision.wait:
            return "wait"
        return "on"


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
) -> Iterator[Event]:
    """Run a guarded generation over anyone's own model.

    Args:
        next_token: called with prompt and generated ids; returns the next token id, or
            ``(id, logits)`` or ``(id, logits, prior_logits)`` with the raw rows, or none at the
            end. It must follow the ids it is given: after a rewind they are shorter.
        prompt_ids: ids of the prompt.
        monitor: a monitor built with the model's tokenizer.
        hooks: an application's own words.
        encode: text to token ids without special tokens; the monitor's tokenizer by default.
        stop_ids: ids that end the answer.
        max_tokens: most tokens of the answer, forced ones included.
        evidence: passages, as for ``Monitor.session``; likewise ``history`` and ``question``.
        policy: replaces the monitor's policy.

    Yields:
        Events; the text of ``release`` events is what the reader gets, and the last event is
        ``end`` with the report.
    """
    given = {"evidence": evidence, "history": history, "question": question, "policy": policy}
    run = _Run(prompt_ids, monitor, hooks, encode, stop_ids, max_tokens, given)
    refused = run.refused()
    if refused:
        yield from refused
        return
    while True:
        out: list[Event] = []
        token, logits, prior = (
            (None, None, None) if run.over() else run.take(next_token(run.prompt + run.ids))
        )
        if token is None:
            state = run.end(out)
            yield from out
            if state == "over":
                return
            if state == "wait":
                time.sleep(POLL_S)
            continue
        over = run.follow(token, logits, prior, out)
        yield from out
        if over:
            return


async def aguard(
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
) -> AsyncIterator[Event]:
    """Run ``guard`` over an asynchronous ``next_token``; arguments and events are the same."""
    given = {"evidence": evidence, "history": history, "question": question, "policy": policy}
    run = _Run(prompt_ids, monitor, hooks, encode, stop_ids, max_tokens, given)
    refused = run.refused()
    for event in refused:
        yield event
    if refused:
        return
    while True:
        out: list[Event] = []
        answer: Any = None
        if not run.over():
            answer = next_token(run.prompt + run.ids)
            if inspect.isawaitable(answer):
                answer = await answer
        token, logits, prior = run.take(answer)
        if token is None:
            state = run.end(out)
        else:
            state = "over" if run.follow(token, logits, prior, out) else "on"
        for event in out:
            yield event
        if state == "over":
            return
        if state == "wait":
            await asyncio.sleep(POLL_S)


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
