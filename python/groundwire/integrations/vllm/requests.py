"""One guarded request in front of an engine: what to submit, and what came of its tokens."""

from __future__ import annotations

import math
import uuid
from collections import deque
from collections.abc import Generator, Sequence
from enum import Enum
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.integrations._events import Generation
from groundwire.loop import Event, Run, Want
from groundwire.report import Report


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

    def __init__(self, run: Run, params: Any, *, resubmit: bool) -> None:
        """Prepare; ``params`` are the caller's ``SamplingParams``, which stay as they are."""
        self.run = run
        self._params = params
        self._resubmit = resubmit
        if not resubmit:
            _cannot_rewind(run)
        self.id = ""
        self.live = False
        self.report: Report | None = None
        self.released = ""
        self.reason = ""
        self.sampled = 0
        self.given_up: list[Report] = []
        self._arrived: deque[tuple[int, Any]] = deque()
        self._ended = False
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
        params.output_kind = RequestOutputKind.DELTA
        params.logprobs = params.logprobs or 0
        self.id = f"groundwire-{uuid.uuid4().hex}"
        self.live, self._stale, self._ended = True, False, False
        self._arrived.clear()
        return self.id, self.prompt(), params

    def receive(self, output: Any) -> None:
        """Take a ``RequestOutput`` of the present submission; others are passed over."""
        if output.request_id != self.id:
            return
        one = output.outputs[0]
        given = one.logprobs or [None] * len(one.token_ids)
        for token, logprobs in zip(one.token_ids, given, strict=False):
            self._arrived.append((int(token), _signals(token, logprobs)))
        if output.finished:
            self._ended, self.live = True, False

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
                if self._stale:
                    yield Need.SUBMIT
                while not self._arrived and not self._ended:
                    yield Need.TOKENS
                if self._arrived:
                    answer = self._arrived.popleft()
                    self.sampled += 1

    def _note(self, event: Event) -> None:
        if event.kind in ("rewind", "forced", "regenerate"):
            self._stale = True
        if event.kind == "regenerate" and event.report is not None:
            self.given_up.append(event.report)
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


def _signals(token: int, logprobs: Any) -> dict[str, float] | None:
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
    if getattr(params, "n", 1) != 1:
        raise ArgumentError(f"n={params.n}: a guarded request has one answer; submit it n times")
    if getattr(params, "stop", None):
        raise ArgumentError(
            "stop strings are cut off behind the guard's back; use stop_token_ids, or end the "
            "answer by hooks (is_complete)"
        )
    if params.max_tokens is None:
        raise ArgumentError("max_tokens is needed: it bounds the answer over all submissions")
    grammar = getattr(params, "structured_outputs", None) is not None
    if grammar and regeneration is not None:
        raise ArgumentError("an answer under a grammar is not made anew: a new one restarts it")
    return resubmit and not grammar


def stop_ids(params: Any, ends: frozenset[int]) -> Sequence[int]:
    """Return the ids that end the answer of a request."""
    listed = list(params.stop_token_ids or ())
    return listed if params.ignore_eos else [*listed, *ends]
