"""What the plugin reads once: policies, knowledge bases, the tokenizer, the reserved stop id."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any

from groundwire.errors import ArgumentError, ConfigError
from groundwire.integrations.prompts import encode_continuation, unfinished
from groundwire.integrations.serving import Registry, Resolved
from groundwire.integrations.vllm.arguments import Asked, observes, read
from groundwire.integrations.vllm.datagrams import Sender
from groundwire.integrations.vllm.settings import STOP_ID, reserved_stop_id
from groundwire.integrations.vllm.stream import Encode, Stream, Tap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundwire.monitor import Monitor

log = logging.getLogger("groundwire.vllm")


@dataclass(frozen=True)
class Loaded:
    """Everything one engine's plugin needs.

    Attributes:
        registry: policies and knowledge bases, compiled with the model's vocabulary.
        encode: how a note becomes ids of the model.
        ends: ids that end an answer by themselves.
        stop_id: the reserved id, or ``None``.
        model: the name that requests give the model.
        lead: from a prompt's ids to the sentence that it leaves unfinished, or to nothing.
    """

    registry: Registry
    encode: Encode
    ends: frozenset[int]
    stop_id: int | None
    model: str | None
    lead: Callable[[Sequence[int]], str] = lambda _: ""

    def open(self, params: Any, prompt: Sequence[int] | None = None) -> Tap | None:
        """Return the stream of a request, or ``None`` where nothing of it is followed.

        ``prompt`` are the ids of its prompt, whose unfinished sentence the answer goes on with.
        What the model's own choices do not allow was refused where the model is known; where a
        request comes through all the same, what holds without its arguments holds for it.
        """
        asked, found = self._asked(params)
        sends = found.id if asked.signals else None
        if found.monitor is None or found.policy is None:
            return Tap(reads=True, sends=sends) if sends is not None else None
        stops = frozenset(getattr(params, "stop_token_ids", None) or ())
        ignores = bool(getattr(params, "ignore_eos", False))
        lead = self.lead(prompt) if prompt else ""
        return Stream(
            guard(found, lead, asked.question or None),
            found.monitor,
            self.encode,
            observes=observes(params),
            stop_id=self.stop_id if self.stop_id in stops else None,
            ignores_end=ignores,
            reads=sends is not None or judges_confidence(found.monitor),
            sends=sends,
            lead=lead,
            closes=not ignores and not found.policy.only_watches,
            stops=stops - {self.stop_id},
        )

    def _asked(self, params: Any) -> tuple[Asked, Resolved]:
        """Return what a request asks for, and what holds for it."""
        try:
            asked = read(getattr(params, "extra_args", None), self.registry.serving)
            return asked, self.registry.resolve(asked.options, model=self.model, flat=True)
        except ArgumentError as error:
            log.warning("groundwire: a request is checked by the server's own choices: %s", error)
            return Asked(), self.registry.resolve(model=self.model)

    def sender(self) -> Sender | None:
        """Return what carries signals to the front end, if a socket is configured."""
        path = self.registry.serving.signals_socket
        return Sender(path) if path else None


def judges_confidence(monitor: Monitor) -> bool:
    """Say whether a monitor makes findings of the model's confidence, for which rows are read."""
    return json.loads(monitor.settings_json)["group_confidence_bar"] is not None


def guard(found: Resolved, lead: str = "", question: str | None = None) -> Any:
    """Open a guard that only appends, for what holds for a request.

    ``lead`` is the unfinished sentence of its prompt, ``question`` what the answer answers.
    """
    assert found.monitor is not None
    assert found.policy is not None
    return found.monitor.open_guard(
        list(found.evidence),
        [],
        question,
        found.policy.to_json(),
        found.id,
        None,
        found.monitor.today(),
        None,
        lead,
        appending=True,
    )


def encoder(tokenizer: Any) -> Encode:
    """Return how ``tokenizer`` continues ids with a text, without special tokens."""

    def encode(before: Sequence[int], text: str) -> list[int]:
        return encode_continuation(tokenizer, before, text)

    return encode


def end_ids(tokenizer: Any, generation_config: dict[str, Any]) -> frozenset[int]:
    """Return the ids that end an answer, of the tokenizer and of the generation configuration."""
    found: set[int] = set()
    for given in (getattr(tokenizer, "eos_token_id", None), generation_config.get("eos_token_id")):
        if isinstance(given, int):
            found.add(given)
        elif given is not None:
            found.update(int(one) for one in given)
    return frozenset(found)


def load(vllm_config: Any) -> Loaded:
    """Read everything, once, in the worker.

    Raises:
        ConfigError: the configuration is not valid, or the reserved stop id is an end id of the
            model or none of its ids.

    """
    from vllm.tokenizers import cached_tokenizer_from_config

    model = vllm_config.model_config
    tokenizer = cached_tokenizer_from_config(model)
    if tokenizer is None:
        raise ConfigError(
            "this engine was started without a tokenizer (skip_tokenizer_init), so its tokens "
            "cannot be read; start it with one"
        )
    ends = end_ids(tokenizer, model.try_get_generation_config() or {})
    stop_id = check_stop_id(reserved_stop_id(), ends, model.get_vocab_size())
    served = getattr(model, "served_model_name", None)
    if isinstance(served, list | tuple):
        served = served[0] if served else None
    name = served if isinstance(served, str) else None
    registry = Registry.load(tokenizer=tokenizer)
    return Loaded(registry, encoder(tokenizer), ends, stop_id, name, leads(tokenizer))


def leads(tokenizer: Any) -> Callable[[Sequence[int]], str]:
    """Return what reads the sentence that a prompt leaves unfinished out of its ids.

    Empty where the prompt ends with a template's mark or a line, as chats do.
    """

    def lead(prompt: Sequence[int]) -> str:
        try:
            return unfinished(tokenizer, prompt)
        except Exception as error:
            # A tokenizer's own failure must not cost the answer its check.
            log.warning("groundwire: the end of a prompt could not be read: %s", error)
            return ""

    return lead


def check_stop_id(stop_id: int | None, ends: frozenset[int], size: int) -> int | None:
    """Return a reserved stop id that may be used; raises ``ConfigError`` for any other."""
    if stop_id is None:
        return None
    if stop_id in ends:
        raise ConfigError(
            f"{STOP_ID}={stop_id} ends answers of this model anyway ({sorted(ends)}), so a finding "
            "could not be told from a natural end; take an id that the model never writes"
        )
    if stop_id >= size:
        raise ConfigError(f"{STOP_ID}={stop_id} is no id of this model; its ids are 0..{size - 1}")
    return stop_id


def plugin_of(vllm_config: Any) -> bool:
    """Say whether this engine loads the logits processor by name."""
    names = vllm_config.model_config.logits_processors or ()
    return any(
        "GroundwireLogitsProcessor" in (n if isinstance(n, str) else n.__name__) for n in names
    )


def is_loaded(vllm_config: Any) -> bool:
    """Say whether this engine loads the logits processor, by name or as an entry point.

    An engine without a configuration of its own (a client of another process) is taken at its word.
    """
    if getattr(vllm_config, "model_config", None) is None:
        return True
    points = metadata.entry_points(group="vllm.logits_processors")
    return plugin_of(vllm_config) or any("GroundwireLogitsProcessor" in p.value for p in points)


def refuse_unsupported(vllm_config: Any, *, second: bool) -> None:
    """Refuse an engine in which the plugin would silently do nothing or wrong.

    Args:
        vllm_config: the engine's configuration.
        second: whether this is the older model runner.

    Raises:
        ArgumentError: with drafts in the older runner, which drops processors; or loaded by entry
            point alone beside asynchronous scheduling there, which hides the output's tokens.

    """
    if not second:
        return
    if getattr(vllm_config, "speculative_config", None) is not None:
        raise ArgumentError(
            "vLLM's older model runner ignores logits processors under speculative decoding; "
            "switch that off, or set VLLM_USE_V2_MODEL_RUNNER=1"
        )
    scheduler = getattr(vllm_config, "scheduler_config", None)
    if getattr(scheduler, "async_scheduling", False) and not plugin_of(vllm_config):
        raise ArgumentError(
            "loaded as an entry point, the plugin sees no output tokens under asynchronous "
            "scheduling; start the engine with --logits-processors "
            "groundwire.integrations.vllm:GroundwireLogitsProcessor, or with "
            "--no-async-scheduling"
        )
