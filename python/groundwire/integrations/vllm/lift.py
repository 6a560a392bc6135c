"""What the evidence adds: each token's probability in the same request without its evidence.

The engine's second sequence is the prompt without evidence and the same output. It is kept in step
by replaying tokens: for every token of the answer a request for one token goes to the engine, which
is allowed to write nothing else, so that its raw log probability is p0. Prefix caching keeps the
sequence; what is computed anew is at most the last block. Answers come a step or two later.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.errors import ArgumentError


def check_engine(vllm_config: Any) -> None:
    """Refuse an engine in which p0 cannot be had; raises ``ArgumentError``."""
    mode = getattr(vllm_config.model_config, "logprobs_mode", "raw_logprobs")
    if getattr(mode, "value", mode) != "raw_logprobs":
        raise ArgumentError(
            f"this engine's logprobs_mode is {getattr(mode, 'value', mode)!r}, in which a token "
            "that is the only one allowed has probability 1; evidence_lift needs raw_logprobs"
        )
    cache = getattr(vllm_config, "cache_config", None)
    if not getattr(cache, "enable_prefix_caching", True):
        raise ArgumentError(
            "evidence_lift computes the whole prompt for every token where prefix caching is off: "
            "start the engine with enable_prefix_caching=True"
        )


@dataclass(eq=False)
class Probe:
    """One token's question to the second sequence.

    Attributes:
        ids: the prompt without evidence, and the output before the token.
        token: the token.
        extra: arguments for a plugin in the engine.
        id: the engine's request.
        done: whether the engine has answered, or is not asked any more.
        logprob: ln p0; ``None`` as long as it is not known, and where the engine gave none.
    """

    ids: list[int]
    token: int
    extra: dict[str, Any] | None = None
    id: str = field(default_factory=lambda: f"groundwire-prior-{uuid.uuid4().hex}")
    done: bool = False
    logprob: float | None = None

    def params(self) -> Any:
        """Return the request's ``SamplingParams``: this token, and how likely it was."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        return SamplingParams(
            temperature=0.0,
            max_tokens=1,
            logprobs=0,
            allowed_token_ids=[self.token],
            detokenize=False,
            output_kind=RequestOutputKind.FINAL_ONLY,
            extra_args=self.extra,
        )

    def receive(self, output: Any) -> None:
        """Take the engine's answer."""
        if not output.finished:
            return
        self.done = True
        listed = output.outputs[0].logprobs if output.outputs else None
        found = listed[0].get(self.token) if listed else None
        if found is not None and not math.isnan(found.logprob):
            self.logprob = min(0.0, float(found.logprob))


class Lift:
    """The second sequence of one request.

    Attributes:
        prior: ids of the prompt without its evidence.
    """

    def __init__(self, prior: Sequence[int], extra: dict[str, Any] | None) -> None:
        """Prepare; ``extra`` are arguments for a plugin in the engine."""
        self.asked = list(prior)
        self.prior = list(prior)
        self._extra = extra
        self._open: dict[str, Probe] = {}
        self._fresh: list[Probe] = []

    def ask(self, before: Sequence[int], token: int) -> Probe:
        """Ask for a token after the output ``before``; the probe is submitted by the driver."""
        probe = Probe([*self.prior, *before], token, self._extra)
        self._open[probe.id] = probe
        self._fresh.append(probe)
        return probe

    def fresh(self) -> list[Probe]:
        """Return the probes that are to be submitted, once."""
        found, self._fresh = self._fresh, []
        return found

    def receive(self, output: Any) -> None:
        """Take an output, if it answers a probe."""
        probe = self._open.get(output.request_id)
        if probe is not None:
            probe.receive(output)
            if probe.done:
                del self._open[probe.id]

    def look_for(self, has: Callable[[str], bool]) -> None:
        """Wait no longer for what the engine has no more; ``has`` says whether it has an id."""
        waiting = {probe.id for probe in self._fresh}
        for name in [name for name in self._open if name not in waiting and not has(name)]:
            self._open.pop(name).done = True

    def drop(self) -> list[str]:
        """Ask nothing of what is open any longer; return the engine's requests to give up."""
        waiting = {probe.id for probe in self._fresh}
        names = [name for name in self._open if name not in waiting]
        for probe in self._open.values():
            probe.done = True
        self._open.clear()
        self._fresh.clear()
        return names
