"""Continuing an answer upstream after a claim was taken back, and finding out who can.

What a server does with the beginning of an answer is not told by its status: many take it for a
finished turn and begin anew. ``probe`` therefore lets it continue a pattern whose next word is
certain, twice, and believes only what comes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from groundwire.gateway.dialects import Chat, Completions, Dialect
from groundwire.gateway.errors import UpstreamFault, UpstreamRefused
from groundwire.gateway.requests import Asked
from groundwire.gateway.upstream import Upstream

How = Literal["none", "final_message", "tokens"]
Headers = list[tuple[str, str]]

_COLOURS = ("red", "green", "blue")
_ASKED = "Write the words red, green, blue over and over, in this order, with commas between them."
PROBE_S = 60.0
"""Seconds for one probe; a cold model may have to be loaded."""
_SAMPLING = (
    "model", "temperature", "top_p", "top_k", "min_p", "seed", "stop", "stop_token_ids", "user",
    "presence_penalty", "frequency_penalty", "repetition_penalty", "logit_bias", "ignore_eos",
    "include_stop_str_in_output", "skip_special_tokens", "spaces_between_special_tokens",
    "stream", "stream_options", "priority", "cache_salt", "vllm_xargs",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Continuation:
    """A request that goes on where an answer was cut.

    Attributes:
        dialect: how its answer is read.
        body: what is sent.
        gap: white space at the end of the prefix, which was not sent: models continue a text
            that ends in a space in another way.
    """

    dialect: Dialect
    body: dict[str, Any]
    gap: str

    def joined(self, text: str) -> str:
        """Return the first text of the continuation without space that stands there already."""
        return text.lstrip() if self.gap else text


async def continuation(
    upstream: Upstream, headers: Headers, asked: Asked, prefix: str, how: How, left: int | None
) -> Continuation:
    """Return the request that continues after ``prefix``.

    Args:
        upstream: who writes.
        headers: those of the client's request.
        asked: the client's request.
        prefix: the answer so far.
        how: what the probe found for chats; completions are continued by their prompt.
        left: tokens the answer may still have; none for the upstream's own limit.

    Raises:
        UpstreamFault: the prompt could not be tokenised.
        UpstreamRefused: likewise.

    """
    body = dict(asked.body)
    kept = prefix.rstrip()
    gap = prefix[len(kept) :]
    if "messages" not in body:
        prompt = body["prompt"]
        body["prompt"] = (prompt[0] if isinstance(prompt, list) else prompt) + kept
        if left is not None:
            body["max_tokens"] = left
        return Continuation(Completions(), body, gap)
    messages = list(body["messages"])
    if body.get("continue_final_message") and messages:
        kept = str(messages.pop().get("content") or "") + kept
    messages.append({"role": "assistant", "content": kept})
    flags = {"continue_final_message": True, "add_generation_prompt": False}
    if how == "final_message" or asked.tools:
        body |= {"messages": messages, **flags}
        for name in ("max_tokens", "max_completion_tokens"):
            if left is not None and body.get(name) is not None:
                body[name] = left
        return Continuation(Chat(), body, gap)
    found, _ = await upstream.json(
        "/tokenize", headers, {"model": body["model"], "messages": messages, **flags}
    )
    ids, most = found.get("tokens"), found.get("max_model_len")
    if not isinstance(ids, list):
        raise UpstreamFault("upstream_malformed", "the upstream's /tokenize gave no tokens")
    if left is None and isinstance(most, int):
        left = max(1, most - len(ids))
    new = {name: body[name] for name in _SAMPLING if name in body}
    new |= {"prompt": ids, "max_tokens": left}
    if body.get("logprobs"):
        new["logprobs"] = body.get("top_logprobs") or 0
    return Continuation(Completions(), new, gap)


async def probe(upstream: Upstream, headers: Headers, model: str) -> How:
    """Find out how an upstream continues the answers of a model.

    Raises:
        UpstreamFault: it cannot be reached, so that nothing is known.
        UpstreamRefused: it refuses the question itself (a wrong key, an unknown model).

    """
    ways: tuple[How, ...] = ("tokens", "final_message")
    for how in ways:
        try:
            if await _continues(upstream, headers, model, how):
                return how
        except UpstreamRefused as refused:
            if refused.status in {401, 403, 429} or refused.status >= 500:
                raise
        except UpstreamFault as fault:
            if fault.code != "upstream_malformed":
                raise
    return "none"


async def _continues(upstream: Upstream, headers: Headers, model: str, how: How) -> bool:
    """Whether the next word of a pattern is what comes, for two places in the pattern."""
    for length in (10, 11):
        words = [_COLOURS[i % 3] for i in range(length)]
        body = {
            "model": model,
            "messages": [{"role": "user", "content": _ASKED}],
            "max_tokens": 6,
            "temperature": 0,
        }
        asked = Asked(body)
        more = await continuation(upstream, headers, asked, ", ".join(words) + ",", how, 6)
        answer, _ = await upstream.json(more.dialect.path, headers, more.body, within_s=PROBE_S)
        text = _first_text(more.dialect, answer)
        if text.strip(" \n\t,.").lower().split(",")[0].strip() != _COLOURS[length % 3]:
            return False
    return True


def _first_text(dialect: Dialect, answer: dict[str, Any]) -> str:
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise UpstreamFault("upstream_malformed", "the upstream answered without choices")
    return dialect.text(choices[0], delta=False)[0]
