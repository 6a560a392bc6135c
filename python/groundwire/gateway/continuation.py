"""Continuing an answer upstream after a claim was taken back, and finding out who can.

What a server does with the beginning of an answer is not told by its status: many take it for a
finished turn and begin anew. ``probe`` therefore lets it continue a pattern whose next word is
certain, twice, and believes only what comes back. ``goes_on`` does so with the prompt of a
completion, which some servers take for what a user says.
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
_PLACES = (10, 11)
"""Words of the pattern that stand there: behind neither does its first one follow."""
_ASKED_INSTEAD = "Answer with the one word yes, and nothing else."
"""Whoever takes the pattern for a part of a question does that, and nobody who goes on with it."""
PROBE_S = 60.0
"""Seconds for one probe; a cold model may have to be loaded."""
_SAMPLING = (
    "model", "temperature", "top_p", "top_k", "min_p", "seed", "stop", "stop_token_ids", "user",
    "presence_penalty", "frequency_penalty", "repetition_penalty", "logit_bias", "ignore_eos",
    "include_stop_str_in_output", "skip_special_tokens", "spaces_between_special_tokens",
    "stream", "stream_options", "priority", "cache_salt", "vllm_xargs", "bad_words",
    "allowed_token_ids", "logits_processors", "truncate_prompt_tokens",
    "return_tokens_as_token_ids",
)  # fmt: skip
_TEMPLATE = ("chat_template", "chat_template_kwargs", "mm_processor_kwargs")
"""What ``/tokenize`` takes of a chat beside its messages."""
_OTHERWISE = (
    "messages", "logprobs", "top_logprobs", "max_tokens", "max_completion_tokens", "min_tokens",
    "n",
    "continue_final_message", "add_generation_prompt", "best_of", "return_token_ids", "store",
    "metadata", "service_tier", "safety_identifier", "prompt_cache_key", "parallel_tool_calls",
    "tool_choice", "include_reasoning", "modalities",
)  # fmt: skip
"""Fields that are put otherwise where a chat goes on by ids, or that say nothing of its text."""


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
    upstream: Upstream,
    headers: Headers,
    asked: Asked,
    prefix: str,
    how: How,
    left: int | None,
    *,
    kept_tokens: int = 0,
    goes_on: bool = False,
    joint: str = "",
) -> Continuation:
    """Return the request that continues after ``prefix``.

    Args:
        upstream: who writes.
        headers: those of the client's request.
        asked: the client's request.
        prefix: the answer so far.
        how: how chats are continued; completions are by their prompt.
        left: tokens the answer may still have; none for the upstream's own limit.
        kept_tokens: about how many the prefix has, which count towards ``min_tokens``.
        goes_on: whether the answer goes on with the request's last message.
        joint: space that the request's text and the answer lack between them.

    Raises:
        UpstreamFault: the prompt could not be tokenised.
        UpstreamRefused: likewise.

    """
    body = dict(asked.body)
    kept = prefix.rstrip()
    gap = prefix[len(kept) :]
    joint = joint if kept else ""
    least = body.get("min_tokens")
    if isinstance(least, int) and not isinstance(least, bool):
        body["min_tokens"] = max(0, least - kept_tokens)
    if "messages" not in body:
        prompt = body["prompt"]
        body["prompt"] = (prompt[0] if isinstance(prompt, list) else prompt) + joint + kept
        if left is not None:
            body["max_tokens"] = left
        return Continuation(Completions(), body, gap)
    messages = list(body["messages"])
    content: Any = kept
    if (asked.continues or goes_on) and messages:
        content = _joined(messages.pop().get("content"), joint + kept)
    messages.append({"role": "assistant", "content": content})
    flags = {"continue_final_message": True, "add_generation_prompt": False}
    if how == "final_message" or not _as_ids(asked, messages):
        body |= {"messages": messages, **flags}
        for name in ("max_tokens", "max_completion_tokens"):
            if left is not None and body.get(name) is not None:
                body[name] = left
        return Continuation(Chat(), body, gap)
    found, _ = await upstream.json(
        "/tokenize",
        headers,
        {
            "model": body["model"],
            "messages": messages,
            **flags,
            **{name: body[name] for name in _TEMPLATE if name in body},
        },
    )
    ids, most = found.get("tokens"), found.get("max_model_len")
    if not isinstance(ids, list):
        raise UpstreamFault("upstream_malformed", "the upstream's /tokenize gave no tokens")
    if left is None and isinstance(most, int):
        left = max(1, most - len(ids))
    new = {name: body[name] for name in _SAMPLING if name in body}
    new |= {"prompt": ids, "max_tokens": left}
    if "min_tokens" in body:
        new["min_tokens"] = body["min_tokens"]
    if body.get("logprobs"):
        new["logprobs"] = body.get("top_logprobs") or 0
    return Continuation(Completions(), new, gap)


def is_final(fault: UpstreamFault | UpstreamRefused, *, complete: bool = False) -> bool:
    """Whether an upstream that fails like this will not continue an answer; else it broke.

    Of a ``complete`` answer everything is there, so that a connection that is reset behind it
    takes nothing away.
    """
    if isinstance(fault, UpstreamRefused) or (complete and fault.code == "upstream_reset"):
        return True
    return fault.code in {"upstream_malformed", "upstream_error"}


def _joined(content: Any, kept: str) -> Any:
    """Return the content of a message with which the answer begins, with ``kept`` behind it."""
    if isinstance(content, list):
        if all(isinstance(part, dict) and isinstance(part.get("text"), str) for part in content):
            return "".join(part["text"] for part in content) + kept
        return [*content, {"type": "text", "text": kept}]
    return (content if isinstance(content, str) else "") + kept


def _as_ids(asked: Asked, messages: list[Any]) -> bool:
    """Whether a chat can go on as the ids of its text, with nothing of it lost.

    Where it cannot, it goes on by its final message: whoever gives ids for a chat that ends in the
    beginning of an answer takes such chats.
    """
    known = {*_SAMPLING, *_TEMPLATE, *_OTHERWISE, "tools", "functions"}
    if asked.tools or any(value is not None for n, value in asked.body.items() if n not in known):
        return False
    contents = [one.get("content") for one in messages if isinstance(one, dict)]
    plain = all(
        isinstance(part, str) or (isinstance(part, dict) and part.get("type") == "text")
        for content in contents
        if isinstance(content, list)
        for part in content
    )
    return plain and not any(one.get("tool_calls") for one in messages if isinstance(one, dict))


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


async def goes_on(upstream: Upstream, headers: Headers, model: str) -> bool:
    """Find out whether an upstream goes on behind the prompt of a model's completion.

    One that makes a turn of it answers that instead, and does not begin with the space that is
    missing behind the last word.

    Raises:
        UpstreamFault: as ``probe``.
        UpstreamRefused: it may answer another time (it has too much to do, or failed), or refuses
            the question itself.

    """
    body = {"prompt": f"{_ASKED_INSTEAD}\n"}
    try:
        for length in _PLACES:
            text = await _next(upstream, headers, {**body, "model": model}, "none", length)
            if not (text.startswith(" ") and _is_next(text, length)):
                return False
    except UpstreamRefused as refused:
        if refused.status in {401, 403, 429} or (refused.status >= 500 and refused.status != 501):
            raise
        return False
    except UpstreamFault as fault:
        if fault.code != "upstream_malformed":
            raise
        return False
    return True


async def _continues(upstream: Upstream, headers: Headers, model: str, how: How) -> bool:
    """Whether the next word of a pattern is what comes, for two places in the pattern."""
    body = {"model": model, "messages": [{"role": "user", "content": _ASKED}]}
    for length in _PLACES:
        if not _is_next(await _next(upstream, headers, body, how, length), length):
            return False
    return True


async def _next(
    upstream: Upstream, headers: Headers, body: dict[str, Any], how: How, length: int
) -> str:
    """Return what an upstream says behind so many words of the pattern."""
    words = ", ".join(_COLOURS[i % 3] for i in range(length)) + ","
    asked = Asked({**body, "max_tokens": 6, "temperature": 0})
    more = await continuation(upstream, headers, asked, words, how, 6)
    answer, _ = await upstream.json(more.dialect.path, headers, more.body, within_s=PROBE_S)
    return _first_text(more.dialect, answer)


def _is_next(text: str, length: int) -> bool:
    """Whether a text begins with the word behind so many of the pattern."""
    return text.strip(" \n\t,.").lower().split(",")[0].strip() == _COLOURS[length % 3]


def _first_text(dialect: Dialect, answer: dict[str, Any]) -> str:
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise UpstreamFault("upstream_malformed", "the upstream answered without choices")
    return dialect.text(choices[0], delta=False)[0]
