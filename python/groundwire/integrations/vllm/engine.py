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

from groundwire._given import passages, turns
from groundwire.callback import policy_of
from groundwire.config import Config
from groundwire.errors import ArgumentError, ConfigError
from groundwire.integrations import prompts
from groundwire.integrations._events import Generation
from groundwire.integrations.vllm import loading, versions
from groundwire.integrations.vllm.arguments import observes
from groundwire.integrations.vllm.coming import Coming
from groundwire.integrations.vllm.datagrams import Receiver
from groundwire.integrations.vllm.door import Door
from groundwire.integrations.vllm.lift import Lift, check_engine
from groundwire.integrations.vllm.requests import (
    Need,
    Request,
    check_params,
    keeping_form,
    plain,
    single,
    stop_ids,
)
from groundwire.loop import POLL_S, Event, Run
from groundwire.monitor import Monitor

versions.check()


class _Guarded:
    """What both engines share: from a prompt to a request."""

    def __init__(self, monitor: Monitor, tokenizer: Any, vllm_config: Any, signals: bool) -> None:
        if not isinstance(monitor, Monitor):
            raise ArgumentError(f"monitor is a groundwire.Monitor, not {monitor!r:.60}")
        if not isinstance(signals, bool):
            raise ArgumentError(f"signals is true or false, not {signals!a:.60}")
        self.signals = _listening(vllm_config) if signals else None
        if loading.plugin_of(vllm_config) and not signals:
            raise ArgumentError(
                "this engine loads the groundwire processor as well, which would note what is "
                "rewritten here: start it without --logits-processors, or pass signals=True to "
                "have it read rows of logits only"
            )
        self._vllm_config = vllm_config
        self.monitor = monitor
        self.tokenizer = tokenizer
        config = vllm_config.model_config.try_get_generation_config() or {}
        self._ends = loading.end_ids(tokenizer, config)
        self._encode = loading.encoder(tokenizer)

    def _request(self, prompt: Any, params: Any, given: dict[str, Any]) -> Request:
        ids = prompts.encode(self.tokenizer, prompt)
        lift = self._lift(prompt, given)
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
        own["history"] = turns(own["history"])
        asked, said = prompts.conversation(prompt, passages(own["evidence"]))
        own["question"] = asked if own["question"] is None else own["question"]
        own["history"] = own["history"] or said
        formed = observes(params)
        if formed:
            own["policy"] = keeping_form(policy_of(own["policy"], self.monitor))
        own["lead"] = prompts.unfinished(self.tokenizer, prompt)
        asks = own["question"]
        if asks is not None and not isinstance(asks, str):
            raise ArgumentError(f"question is a string, or None for none, not {asks!a:.60}")
        if "clock" in given:
            own["clock"] = given.pop("clock")
            if not callable(own["clock"]):
                raise ArgumentError(
                    f"clock is called for milliseconds; {own['clock']!a:.60} cannot be"
                )
        if given:
            raise ArgumentError(f"{', '.join(given)}: no argument of a guarded request")
        run = Run(
            ids,
            self.monitor,
            hooks,
            None,
            stop_ids(params, self._ends),
            params.max_tokens,
            own,
            regeneration,
        )
        run.encode = lambda text: self._encode(run.ids, text)
        room = getattr(self._vllm_config.model_config, "max_model_len", None)
        return Request(
            run,
            params,
            resubmit=resubmit,
            lift=lift,
            signals=self.signals,
            room=room,
            formed=formed,
        )

    def _lift(self, prompt: Any, given: dict[str, Any]) -> Lift | None:
        """Return the same request without its evidence, where that was asked for."""
        asked, bare = given.pop("evidence_lift", False), given.pop("prior_prompt", None)
        if not isinstance(asked, bool):
            raise ArgumentError(f"evidence_lift is true or false, not {asked!a:.60}")
        if not asked and bare is None:
            return None
        check_engine(self._vllm_config)
        if bare is None:
            bare = prompts.without_evidence(prompt, passages(given.get("evidence", ())))
        ids = prompts.encode(self.tokenizer, bare)
        if not ids:
            raise ArgumentError(
                "without its evidence the prompt is empty; pass what is to be compared with as "
                "prior_prompt="
            )
        return Lift(ids, None if self.signals is None else {"groundwire": "off"})

    def close(self) -> None:
        """Listen no longer for the engine's signals; what runs goes on without."""
        if self.signals is not None:
            self.signals.close()


class GuardedLLM(_Guarded):
    """A guard in front of ``vllm.LLM``; many prompts are written side by side.

    Args:
        llm: the engine; nobody else should drive it meanwhile: while a guarded answer is written,
            ``llm.generate`` and the like raise ``SessionBusy``. Guarded streams of one engine may
            be read in turns. An answer whose request somebody else gives up, or whose last output
            somebody else takes by ``llm_engine.step()``, ends with ``abort``.
        monitor: a monitor built with the model's tokenizer.
        signals: take what rows of logits say (entropy, varentropy, margin, confidence) from the
            processor in the engine, by the configuration's ``serving.signals_socket``. The
            engine has to load it, and its configuration to let requests switch checking off.

    Raises:
        ArgumentError: the engine loads the processor without ``signals``, or ``signals`` is asked
            for where it does not.
        ConfigError: with ``signals``, no socket is configured, or none can be made there.
    """

    def __init__(self, llm: Any, monitor: Monitor, *, signals: bool = False) -> None:
        """Prepare; see the class."""
        if not hasattr(llm, "llm_engine"):
            raise ArgumentError(f"llm is a vllm.LLM, not {llm!a:.60}")
        super().__init__(monitor, llm.get_tokenizer(), llm.llm_engine.vllm_config, signals)
        self._engine = llm.llm_engine
        self._door = Door.of(self._engine)

    def generate(
        self, prompts_given: Any, sampling_params: Any = None, **given: Any
    ) -> Generation | list[Generation]:
        """Return the finished answer, or a list of them for a list of prompts.

        Arguments and errors are those of ``stream``; no time limits how long text is held, since
        nobody waits for it.
        """
        given.setdefault("clock", _still)
        prompts_given = plain(prompts_given)
        many = prompts.is_many(prompts_given)
        requests = self._requests(prompts_given, sampling_params, given)
        for _ in self._drive(requests):
            pass
        results = [request.result() for request in requests]
        return results if many else results[0]

    def chat(self, messages: Any, sampling_params: Any = None, **given: Any) -> Any:
        """As ``generate``, for a chat (``role`` and ``content`` a message) or a list of chats."""
        return self.generate(messages, sampling_params, **given)

    def stream(
        self, prompts_given: Any, sampling_params: Any = None, **given: Any
    ) -> Iterator[tuple[int, Event]]:
        """Yield what happens, with the number of the prompt.

        Args:
            prompts_given: a string, a chat, token ids, vLLM's ``{"prompt_token_ids": …}`` or
                ``{"prompt": …}``, or a list of such.
            sampling_params: a ``SamplingParams`` with ``max_tokens``, or a list with one for each
                prompt; ``n`` is 1.
            given: ``evidence``, ``history``, ``question``, ``policy``, ``hooks``, ``regeneration``
                and ``store``, as for ``groundwire.guard``, the same for every prompt (without
                ``question`` or ``history`` they are read from the prompt, by
                ``prompts.conversation``: of token ids nothing is known); ``clock``,
                which gives milliseconds for the policy's ``max_hold_ms`` (the machine's by
                default); ``resubmit``: whether text may be taken back and written anew (true);
                without it, and under a grammar, a claim that would be rewritten ends the answer
                (under a grammar nothing is put into the text either, and where the policy acts it
                leaves as a whole; ``notes`` of the answer say so);
                ``evidence_lift``: whether the same prompt without its evidence is followed beside
                it, which gives each token's ``prior_logprob`` and ``lift_bits`` (false; it costs
                a second sequence); and ``prior_prompt``: that prompt, where it cannot be had by
                taking the evidence's text out. The sentence that a text or ids leave unfinished is
                read as the beginning of the answer's first claim; spans in reports count it.

        Raises:
            ArgumentError: something cannot be guarded in this way; the message says what to do.
        """
        return self._drive(self._requests(plain(prompts_given), sampling_params, given))

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
            with self._door.entered(open_rows):
                yield from self._write(open_rows)
        finally:
            self._abort(requests)

    def _write(self, open_rows: dict[int, Request]) -> Iterator[tuple[int, Event]]:
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
            unfinished = self._engine.has_unfinished_requests()
            if unfinished:
                self._step(list(open_rows.values()))
            for request in open_rows.values():
                request.look_for(self._has)
            if paused and not unfinished:
                time.sleep(POLL_S)

    def _step(self, requests: Sequence[Request]) -> None:
        """Have the engine go on by a step, and ask the second sequences for what came."""
        self._door.hand_out(self._engine.step())
        for request in requests:
            for probe in request.probes():
                self._door.add(probe.id, {"prompt_token_ids": probe.ids}, probe.params())

    def _has(self, name: str) -> bool:
        """Say whether the engine still works at a request."""
        known = getattr(self._engine.output_processor, "external_req_ids", None)
        if known is None:
            return bool(self._engine.has_unfinished_requests())
        return name in known

    def _submit(self, request: Request) -> None:
        self._abort([request])
        name, ids, params = request.submission()
        self._door.add(name, {"prompt_token_ids": ids}, params)

    def _abort(self, requests: Iterable[Request]) -> None:
        names = [name for request in requests for name in request.given_up_on()]
        if names:
            self._engine.abort_request(names)


class GuardedAsyncLLM(_Guarded):
    """A guard in front of ``AsyncLLM``; any number of streams at once.

    Args:
        engine: the engine.
        monitor: a monitor built with the model's tokenizer.
        tokenizer: the model's tokenizer; the engine's by default.
        signals: as for ``GuardedLLM``.

    Raises:
        ArgumentError: as for ``GuardedLLM``.
        ConfigError: likewise.
    """

    def __init__(
        self, engine: Any, monitor: Monitor, tokenizer: Any = None, *, signals: bool = False
    ) -> None:
        """Prepare; see the class."""
        if not hasattr(engine, "vllm_config"):
            raise ArgumentError(f"engine is a vllm AsyncLLM, not {engine!a:.60}")
        chosen = engine.get_tokenizer() if tokenizer is None else tokenizer
        super().__init__(monitor, chosen, engine.vllm_config, signals)
        self._engine = engine

    def stream(
        self, prompt: Any, sampling_params: Any = None, **given: Any
    ) -> AsyncIterator[Event]:
        """Yield what happens while one prompt is answered; closing it gives up the request.

        Arguments and errors are those of ``GuardedLLM.stream``, for one prompt. Where the engine is
        shut down meanwhile, the answer ends with ``abort``; what else the engine raises is raised.
        """
        return self._drive(self._request(single(prompt), _params(sampling_params), given))

    async def generate(self, prompt: Any, sampling_params: Any = None, **given: Any) -> Generation:
        """Return the finished answer; cancelling gives up the request.

        No time limits how long text is held, since nobody waits for it.
        """
        given.setdefault("clock", _still)
        request = self._request(single(prompt), _params(sampling_params), given)
        async for _ in self._drive(request):
            pass
        return request.result()

    async def _drive(self, request: Request) -> AsyncIterator[Event]:
        coming = Coming(self._engine)
        try:
            for item in request.flow:
                if isinstance(item, Event):
                    yield item
                elif item is Need.PAUSE:
                    await asyncio.sleep(POLL_S)
                elif item is Need.SUBMIT:
                    await self._give_up(request, coming)
                    name, ids, params = request.submission()
                    coming.begin(self._engine.generate({"prompt_token_ids": ids}, params, name))
                else:
                    outputs = await coming.some()
                    if outputs is None:
                        request.look_for(lambda _: False)
                        continue
                    for output in outputs:
                        request.receive(output)
                    for probe in request.probes():
                        coming.probe(probe)
        finally:
            await self._give_up(request, coming)

    async def _give_up(self, request: Request, coming: Coming) -> None:
        names = request.given_up_on()
        if names and not coming.shut_down:
            await self._engine.abort(names)
        await coming.end()


def _still() -> int:
    """Return a time that does not pass: no limit of time is ever reached."""
    return 0


def _listening(vllm_config: Any) -> Receiver:
    """Listen where the processor in the engine tells what rows say."""
    if not loading.plugin_of(vllm_config):
        raise ArgumentError(
            "signals come from the processor in the engine: start it with logits_processors="
            "['groundwire.integrations.vllm:GroundwireLogitsProcessor']"
        )
    path = Config.load().serving.signals_socket
    if not path:
        raise ConfigError("signals need serving.signals_socket, the path of a local socket")
    return Receiver(path)


def _params(given: Any) -> Any:
    from vllm import SamplingParams

    if given is None:
        return SamplingParams(max_tokens=512)
    if not isinstance(given, SamplingParams):
        raise ArgumentError(f"sampling_params is a vllm.SamplingParams, not {given!r:.60}")
    return given
