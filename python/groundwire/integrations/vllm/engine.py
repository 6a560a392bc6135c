"""Guarded engines: vLLM writes, the guard holds text back by claim and has it written anew.

On a claim that does not hold, the engine's request is given up and what stays is submitted again
with the lead-in or the correction; prefix caching makes that cheap. Penalties that count output
tokens, and seeded sampling, begin anew with each submission.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.integrations import prompts
from groundwire.integrations._events import Generation
from groundwire.integrations.vllm import loading, versions
from groundwire.integrations.vllm.requests import Need, Request, check_params, stop_ids
from groundwire.loop import POLL_S, Event, Run
from groundwire.monitor import Monitor

versions.check()


class _Guarded:
    """What both engines share: from a prompt to a request."""

    def __init__(self, monitor: Monitor, tokenizer: Any, vllm_config: Any) -> None:
        if not isinstance(monitor, Monitor):
            raise ArgumentError(f"monitor is a groundwire.Monitor, not {monitor!r:.60}")
        if loading.plugin_of(vllm_config):
            raise ArgumentError(
                "this engine loads the groundwire processor as well, which would note what is "
                "rewritten here: start it without --logits-processors"
            )
        self.monitor = monitor
        self.tokenizer = tokenizer
        config = vllm_config.model_config.try_get_generation_config() or {}
        self._ends = loading.end_ids(tokenizer, config)
        self._encode = loading.encoder(tokenizer)

    def _request(self, prompt: Any, params: Any, given: dict[str, Any]) -> Request:
        regeneration = given.pop("regeneration", None)
        resubmit = check_params(params, regeneration, given.pop("resubmit", True))
        hooks = given.pop("hooks", None)
        own = {
            name: given.pop(name, default)
            for name, default in (
                ("evidence", ()),
                ("history", ()),
                ("question", None),
                ("policy", None),
                ("store", None),
            )
        }
        if "clock" in given:
            own["clock"] = given.pop("clock")
        if given:
            raise ArgumentError(f"{', '.join(given)}: no argument of a guarded request")
        run = Run(
            prompts.encode(self.tokenizer, prompt),
            self.monitor,
            hooks,
            None,
            stop_ids(params, self._ends),
            params.max_tokens,
            own,
            regeneration,
        )
        run.encode = lambda text: self._encode(run.ids, text)
        return Request(run, params, resubmit=resubmit)


class GuardedLLM(_Guarded):
    """A guard in front of ``vllm.LLM``; many prompts are written side by side.

    Args:
        llm: the engine; nobody else may drive it meanwhile.
        monitor: a monitor built with the model's tokenizer.

    Raises:
        ArgumentError: the engine loads the groundwire processor as well.
    """

    def __init__(self, llm: Any, monitor: Monitor) -> None:
        """Prepare; see the class."""
        super().__init__(monitor, llm.get_tokenizer(), llm.llm_engine.vllm_config)
        self._engine = llm.llm_engine

    def generate(
        self, prompts_given: Any, sampling_params: Any = None, **given: Any
    ) -> Generation | list[Generation]:
        """Return the finished answer, or a list of them for a list of prompts.

        Arguments and errors are those of ``stream``; no time limits how long text is held, since
        nobody waits for it.
        """
        given.setdefault("clock", _still)
        many = prompts.is_many(prompts_given)
        requests = self._requests(prompts_given, sampling_params, given)
        for _ in self._drive(requests):
            pass
        results = [request.result() for request in requests]
        return results if many else results[0]

    def chat(self, messages: Any, sampling_params: Any = None, **given: Any) -> Any:
        """As ``generate`` for a chat (mappings with ``role`` and ``content``), or a list of chats.

        Where nothing is given, ``question`` is the chat's last turn.
        """
        if not prompts.is_many(messages):
            given.setdefault("question", prompts.asked(messages, ()))
        return self.generate(messages, sampling_params, **given)

    def stream(
        self, prompts_given: Any, sampling_params: Any = None, **given: Any
    ) -> Iterator[tuple[int, Event]]:
        """Yield what happens, with the number of the prompt.

        Args:
            prompts_given: a string, a chat, token ids, or a list of such.
            sampling_params: a ``SamplingParams`` with ``max_tokens``, or a list with one for each
                prompt; ``n`` is 1.
            given: ``evidence``, ``history``, ``question``, ``policy``, ``hooks``, ``regeneration``
                and ``store``, as for ``groundwire.guard``, the same for every prompt; ``clock``,
                which gives milliseconds for the policy's ``max_hold_ms`` (the machine's by
                default); and ``resubmit``: whether text may be taken back and written anew (true).
                Without it, and under a grammar, a claim that would be rewritten ends the answer.

        Raises:
            ArgumentError: something cannot be guarded in this way; the message says what to do.
        """
        return self._drive(self._requests(prompts_given, sampling_params, given))

    def _requests(self, given_prompts: Any, params: Any, given: dict[str, Any]) -> list[Request]:
        listed = list(given_prompts) if prompts.is_many(given_prompts) else [given_prompts]
        each = params if isinstance(params, Sequence) else [params] * len(listed)
        if len(each) != len(listed):
            raise ArgumentError(f"{len(listed)} prompts but {len(each)} sampling parameters")
        return [
            self._request(prompt, _params(one), dict(given))
            for prompt, one in zip(listed, each, strict=True)
        ]

    def _drive(self, requests: list[Request]) -> Iterator[tuple[int, Event]]:
        open_rows = dict(enumerate(requests))
        try:
            while open_rows:
                paused = False
                for row, request in list(open_rows.items()):
                    for item in request.flow:
                        if isinstance(item, Event):
                            yield row, item
                        elif item is Need.SUBMIT:
                            self._submit(request)
                        else:
                            paused = paused or item is Need.PAUSE
                            break
                    else:
                        self._abort([request])
                        del open_rows[row]
                if self._engine.has_unfinished_requests():
                    for output in self._engine.step():
                        for request in open_rows.values():
                            request.receive(output)
                elif paused:
                    time.sleep(POLL_S)
        finally:
            self._abort(requests)

    def _submit(self, request: Request) -> None:
        self._abort([request])
        name, ids, params = request.submission()
        self._engine.add_request(name, {"prompt_token_ids": ids}, params)

    def _abort(self, requests: Iterable[Request]) -> None:
        live = [request for request in requests if request.live]
        if live:
            self._engine.abort_request([request.id for request in live])
        for request in live:
            request.live = False


class GuardedAsyncLLM(_Guarded):
    """A guard in front of ``AsyncLLM``; any number of streams at once.

    Args:
        engine: the engine.
        monitor: a monitor built with the model's tokenizer.
        tokenizer: the model's tokenizer; the engine's by default.

    Raises:
        ArgumentError: the engine loads the groundwire processor as well.
    """

    def __init__(self, engine: Any, monitor: Monitor, tokenizer: Any = None) -> None:
        """Prepare; see the class."""
        chosen = engine.get_tokenizer() if tokenizer is None else tokenizer
        super().__init__(monitor, chosen, engine.vllm_config)
        self._engine = engine

    def stream(
        self, prompt: Any, sampling_params: Any = None, **given: Any
    ) -> AsyncIterator[Event]:
        """Yield what happens while one prompt is answered; closing it gives up the request.

        Arguments and errors are those of ``GuardedLLM.stream``, for one prompt.
        """
        return self._drive(self._request(prompt, _params(sampling_params), given))

    async def generate(self, prompt: Any, sampling_params: Any = None, **given: Any) -> Generation:
        """Return the finished answer; cancelling gives up the request.

        No time limits how long text is held, since nobody waits for it.
        """
        given.setdefault("clock", _still)
        request = self._request(prompt, _params(sampling_params), given)
        async for _ in self._drive(request):
            pass
        return request.result()

    async def _drive(self, request: Request) -> AsyncIterator[Event]:
        outputs: Any = None
        try:
            for item in request.flow:
                if isinstance(item, Event):
                    yield item
                elif item is Need.PAUSE:
                    await asyncio.sleep(POLL_S)
                elif item is Need.SUBMIT:
                    await self._give_up(request, outputs)
                    name, ids, params = request.submission()
                    outputs = self._engine.generate({"prompt_token_ids": ids}, params, name)
                else:
                    request.receive(await anext(outputs))
        finally:
            await self._give_up(request, outputs)

    async def _give_up(self, request: Request, outputs: Any) -> None:
        if request.live:
            request.live = False
            await self._engine.abort(request.id)
        if outputs is not None:
            await outputs.aclose()


def _still() -> int:
    """Return a time that does not pass: no limit of time is ever reached."""
    return 0


def _params(given: Any) -> Any:
    from vllm import SamplingParams

    if given is None:
        return SamplingParams(max_tokens=512)
    if not isinstance(given, SamplingParams):
        raise ArgumentError(f"sampling_params is a vllm.SamplingParams, not {given!r:.60}")
    return given
