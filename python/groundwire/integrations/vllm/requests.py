"""One guarded request in front of an engine: what to submit, and what came of its tokens."""

from __future__ import annotations

import dataclasses
import math
import uuid
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from enum import Enum
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.integrations._events import Generation
from groundwire.integrations.prompts import is_many
from groundwire.integrations.vllm.arguments import observes
from groundwire.integrations.vllm.datagrams import Receiver
from groundwire.integrations.vllm.lift import Lift, Probe
from groundwire.loop import Event, Run, Want
from groundwire.policy import TIERS, Policy
from groundwire.report import Report

KEPT = (
    "structured output: nothing is put into the text; findings are reported, and a claim that "
    "would be written anew ends the answer"
)


class Need(Enum):
    """What a request needs before it goes on."""

    SUBMIT = "the engine is to go on from other tokens: give up its request, and submit"
    TOKENS = "more of the engine's output"
    PAUSE = "some time to pass"


class Request:
    """A guarded loop whose tokens come from an engine's request.

    Where the guard takes text back, the engine's request is given up and the tokens that stay, with
    what was forced, are submitted under another id.
    """

    def __init__(
        self,
        run: Run,
        params: Any,
        *,
        resubmit: bool,
        lift: Lift | None = None,
        signals: Receiver | None = None,
        room: int | None = None,
        formed: bool = False,
    ) -> None:
        """Prepare.

        Args:
            run: the guarded loop.
            params: the caller's ``SamplingParams``, which stay as they are.
            resubmit: whether text may be taken back.
            lift: the same request without its evidence, where that is followed too.
            signals: where the engine's plugin tells what rows of logits say.
            room: tokens of prompt and answer together, at most.
            formed: whether the text has a form into which nothing may be put.

        """
        self.run = run
        self.lift = lift
        self._given = signals
        self._params, self._room = params, room
        self._resubmit = resubmit
        self._formed = formed
        if not resubmit:
            _cannot_rewind(run)
        if formed:
            run.callback.disclaims = run.callback.states = False
        self.id = ""
        self.live = False
        self.report: Report | None = None
        self.released = ""
        self.reason = ""
        self.sampled = 0
        self.given_up: list[Report] = []
        self._arrived: deque[tuple[int, dict[str, Any] | None, Probe | None]] = deque()
        self._written: list[int] = []
        self._before = 0
        self._ended = False
        self._given_up = ""
        self._stale = True
        self.flow = self._flow()

    def prompt(self) -> list[int]:
        """Return the ids the engine is to go on from."""
        return [*self.run.prompt, *self.run.ids]

    def submission(self) -> tuple[str, list[int], Any]:
        """Return a fresh id, the ids to go on from, and parameters for what is left to write."""
        from vllm.sampling_params import RequestOutputKind

        written = len(self.run.ids)
        params = self._params.clone()
        params.max_tokens = max(1, self.run.max_tokens - written)
        params.min_tokens = max(0, min(params.min_tokens - written, params.max_tokens))
        # All tokens each time, so that outputs that somebody else took leave no hole.
        params.output_kind = RequestOutputKind.CUMULATIVE
        params.logprobs = params.logprobs or 0
        self._unlisten()
        self.id = f"groundwire-{uuid.uuid4().hex}"
        if self._given is not None:
            self._given.announce(self.id)
            own = {"groundwire": "off", "groundwire_id": self.id, "groundwire_signals": 1}
            params.extra_args = {**(params.extra_args or {}), **own}
        self.live, self._stale, self._ended = True, False, False
        self.run.cut = ""
        self._arrived.clear()
        self._before = len(self.run.ids)
        self._written = list(self.run.ids)
        return self.id, self.prompt(), params

    def receive(self, output: Any) -> None:
        """Take a ``RequestOutput`` of the present submission; others are passed over."""
        if self.lift is not None:
            self.lift.receive(output)
        if output.request_id != self.id:
            return
        one = output.outputs[0]
        known = len(self._written) - self._before
        for place in range(known, len(one.token_ids)):
            token = int(one.token_ids[place])
            self._arrive(token, _signals(token, one.logprobs[place] if one.logprobs else None))
        if output.finished:
            self._end("" if one.finish_reason == "stop" else str(one.finish_reason))

    def look_for(self, has: Callable[[str], bool]) -> None:
        """Notice what the engine has no longer, without having told of its end.

        Somebody else aborted it, or took its last output by driving the engine. ``has`` says
        whether the engine has an id.
        """
        if self.live and not has(self.id):
            self._end("abort")
        if self.lift is not None:
            self.lift.look_for(has)

    def _end(self, cut: str) -> None:
        """Note that no more tokens come, and why where the answer is not complete."""
        self._ended, self.live = True, False
        self.run.cut = cut
        # A limit leaves room for what is written in the place of a claim that is taken back.
        self._given_up = cut if cut != "length" else ""
        self._unlisten()

    def given_up_on(self) -> list[str]:
        """Note that the engine is not to go on; return its requests that are to be given up."""
        names = [self.id] if self.live else []
        self.live = False
        self._unlisten()
        return names + ([] if self.lift is None else self.lift.drop())

    def probes(self) -> list[Probe]:
        """Return what is to be asked of the second sequence now."""
        return [] if self.lift is None else self.lift.fresh()

    @property
    def ready(self) -> bool:
        """Whether all is known about the next token, or nothing comes any more."""
        if not self._arrived:
            return self._ended
        probe = self._arrived[0][2]
        return probe is None or probe.done

    def _arrive(self, token: int, signals: dict[str, Any] | None) -> None:
        """Note one token of the engine."""
        if self._given is not None:
            row = self._given.take(self.id, len(self._written) - self._before)
            if row is not None:
                signals = row if row.get("invalid") else {**row, **(signals or {})}
        probe = None
        if self.lift is not None and token not in self.run.stop_ids:
            probe = self.lift.ask(self._written, token)
        self._written.append(token)
        self._arrived.append((token, signals, probe))

    def _unlisten(self) -> None:
        if self._given is not None:
            self._given.forget(self.id)

    def result(self) -> Generation:
        """Return the finished answer."""
        assert self.report is not None
        return Generation(
            text=self.released,
            report=self.report,
            tokens=tuple(self.run.ids),
            reason=self.reason,
            sampled=self.sampled,
            model_seconds=0.0,
            guard_seconds=0.0,
            given_up=tuple(self.given_up),
            notes=(KEPT,) if self._formed else (),
        )

    def _flow(self) -> Generator[Event | Need, None, None]:
        steps, answer = self.run.steps(), None
        while True:
            try:
                want = steps.send(answer)
            except StopIteration:
                return
            answer = None
            if isinstance(want, Event):
                self._note(want)
                yield want
            elif want is Want.PAUSE:
                yield Need.PAUSE
            else:
                if self._stale and not self._closed():
                    yield Need.SUBMIT
                while not self.ready:
                    yield Need.TOKENS
                if self._arrived:
                    answer = _answer(*self._arrived.popleft())
                    self.sampled += 1

    def _closed(self) -> bool:
        """Whether the model is not asked to go on from what stands: then the answer ends there.

        Its request was given up by somebody else, or there is no room.
        """
        # What is wrong with the prompt itself, the engine says.
        full = bool(self.id) and self._room is not None and len(self.prompt()) >= self._room
        if not (self._given_up or full):
            return False
        self._stale, self._ended, self.run.cut = False, True, self._given_up or "length"
        self._arrived.clear()
        return True

    def _note(self, event: Event) -> None:
        if event.kind in ("rewind", "forced", "regenerate"):
            self._stale = True
        if event.kind == "regenerate" and event.report is not None:
            self.given_up.append(event.report)
            if self.lift is not None and self.run.attempts is not None:
                self.lift.prior = self.run.attempts.prompt(
                    self.lift.asked, event.text, self.run.encode
                )
            if not self._resubmit:
                _cannot_rewind(self.run)
        elif event.kind == "release":
            self.released += event.text
        elif event.kind == "stop":
            self.reason = event.reason or ""
        elif event.kind == "end":
            self.report = event.report


def _cannot_rewind(run: Run) -> None:
    guard = run.callback.guard
    getattr(guard, "core", guard).cannot_rewind()


def _answer(
    token: int, signals: dict[str, Any] | None, probe: Probe | None
) -> tuple[int, dict[str, Any] | None]:
    """Return a token as the loop takes it, with what the second sequence says."""
    prior = None if probe is None else probe.logprob
    if prior is None or signals is None or signals.get("invalid"):
        return token, signals
    found = {**signals, "prior_logprob": prior}
    if math.isfinite(prior):
        found["lift_bits"] = (signals["logprob"] - prior) / math.log(2)
    return token, found


def _signals(token: int, logprobs: Any) -> dict[str, Any] | None:
    """Return what an engine's logprobs say of one token: natural logarithm, thus surprisal."""
    found = None if logprobs is None else logprobs.get(token)
    if found is None:
        return None
    value = float(found.logprob)
    if math.isnan(value) or math.isinf(value):
        return {"invalid": True}
    return {"surprisal": max(0.0, -value), "logprob": min(0.0, value)}


def check_params(params: Any, regeneration: Any, resubmit: bool) -> bool:
    """Return whether text may be taken back and submitted anew.

    Raises ``ArgumentError`` for parameters that cannot be guarded.
    """
    if not isinstance(resubmit, bool):
        raise ArgumentError(f"resubmit is true or false, not {resubmit!a:.60}")
    if getattr(params, "n", 1) != 1:
        raise ArgumentError(f"n={params.n}: a guarded request has one answer; submit it n times")
    if getattr(params, "stop", None):
        raise ArgumentError(
            "stop strings are cut off behind the guard's back; use stop_token_ids, or end the "
            "answer by hooks (is_complete)"
        )
    if params.max_tokens is None:
        raise ArgumentError("max_tokens is needed: it bounds the answer over all submissions")
    if observes(params) and regeneration is not None:
        raise ArgumentError("an answer under a grammar is not made anew: a new one restarts it")
    return resubmit and not observes(params)


def keeping_form(policy: Policy) -> Policy:
    """Return what of a policy can be done to a text into which nothing may be put.

    Marks stand in the report alone, and a claim that would be left out ends the answer. What acts
    releases the answer as a whole: a note about text that has left would stand in the form.
    """
    acting = {tier: getattr(policy, tier) for tier in TIERS}
    actions: dict[str, Any] = {
        tier: "interrupt" if action == "remove" else action for tier, action in acting.items()
    }
    kept = dataclasses.replace(policy, annotation="metadata", **actions)
    return kept if kept.only_watches else dataclasses.replace(kept, release="response")


def stop_ids(params: Any, ends: frozenset[int]) -> Sequence[int]:
    """Return the ids that end the answer of a request."""
    listed = list(params.stop_token_ids or ())
    return listed if params.ignore_eos else [*listed, *ends]


def plain(given: Any) -> Any:
    """Return prompts without vLLM's own wrapping: ``prompt_token_ids``, ``prompt``."""
    if isinstance(given, Mapping):
        return _unwrapped(given)
    wrapped = isinstance(given, list | tuple) and any(
        isinstance(one, Mapping) and "role" not in one for one in given
    )
    if not wrapped:
        return given
    # Ids one by one would read as one prompt, so a list of prompts stays one.
    return [_unwrapped(one) if isinstance(one, Mapping) else one for one in given]


def single(given: Any) -> Any:
    """Return one prompt without vLLM's own wrapping; raises ``ArgumentError`` for several."""
    found = plain(given)
    if is_many(found):
        raise ArgumentError("GuardedAsyncLLM takes one prompt a call, not a list of prompts")
    return found


def _unwrapped(given: Mapping[str, Any]) -> Any:
    ids, text = given.get("prompt_token_ids"), given.get("prompt")
    more = sorted(set(given) - {"prompt_token_ids", "prompt"})
    if more or (ids is None and text is None):
        what = f"{more[0]!a:.60} is not guarded" if more else "there is neither in this one"
        raise ArgumentError(f"of vLLM's prompts prompt_token_ids and prompt are taken; {what}")
    if ids is None:
        return text
    listed = [] if isinstance(ids, str) or not hasattr(ids, "__iter__") else list(ids)
    # A list of strings would read as several prompts.
    if not all(isinstance(one, int) for one in listed) or not listed:
        raise ArgumentError(f"prompt_token_ids is a list of token ids, not {ids!a:.60}")
    return listed
