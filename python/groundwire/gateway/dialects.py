"""The two routes whose answers are lists of choices: where text stands in them.

``Chat`` is ``/v1/chat/completions``, ``Completions`` is ``/v1/completions``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from groundwire.gateway.errors import Refused, UpstreamFault
from groundwire.gateway.requests import Asked, common, conversation
from groundwire.gateway.tokens import Token, chat_tokens, completion_tokens, whole

Json = dict[str, Any]
_SHORT = 128
"""Characters of an id or a name."""


class Dialect(Protocol):
    """How one route says things."""

    path: str
    operation: str

    def read(self, body: Json) -> Asked:
        """Check a request; raises ``Refused``."""
        ...

    def text(self, choice: Json, *, delta: bool) -> tuple[str, tuple[Token, ...]]:
        """Return a choice's text and its tokens."""
        ...

    def rest(self, choice: Json, *, delta: bool) -> Json:
        """Return what a choice holds beside its text; empty if nothing."""
        ...

    def choice(
        self, index: int, text: str, tokens: list[Token], rest: Json, finish: str | None
    ) -> Json:
        """Return a choice of a chunk."""
        ...

    def put(self, choice: Json, text: str, tokens: list[Token]) -> None:
        """Put text into a choice of an answer that does not stream."""
        ...


class Chat:
    """``/v1/chat/completions``."""

    path = "/v1/chat/completions"
    operation = "chat"

    def read(self, body: Json) -> Asked:
        """Check a request; raises ``Refused``."""
        asked = common(body)
        asked.question, asked.history = conversation(body.get("messages"))
        return asked

    def text(self, choice: Json, *, delta: bool) -> tuple[str, tuple[Token, ...]]:
        """Return a choice's text and its tokens."""
        content = _part(choice, delta=delta).get("content")
        if isinstance(content, list):
            content = "".join(
                part["text"]
                for part in content
                if isinstance(part, Mapping) and isinstance(part.get("text"), str)
            )
        if content is not None and not isinstance(content, str):
            raise _malformed("content")
        return content or "", chat_tokens(choice.get("logprobs"))

    def rest(self, choice: Json, *, delta: bool) -> Json:
        """Return what a choice holds beside its text; empty if nothing."""
        part = _part(choice, delta=delta)
        return {key: value for key, value in part.items() if key != "content" and value is not None}

    def choice(
        self, index: int, text: str, tokens: list[Token], rest: Json, finish: str | None
    ) -> Json:
        """Return a choice of a chunk."""
        delta = {**rest, "content": text} if text or "role" in rest else rest
        logprobs = {"content": [token.raw for token in tokens]} if tokens else None
        return {"index": index, "delta": delta, "logprobs": logprobs, "finish_reason": finish}

    def put(self, choice: Json, text: str, tokens: list[Token]) -> None:
        """Put text into a choice of an answer that does not stream."""
        message = _part(choice, delta=False)
        kept = message.get("content")
        if isinstance(kept, list):
            others = [p for p in kept if not (isinstance(p, Mapping) and "text" in p)]
            message["content"] = [*others, {"type": "text", "text": text}]
        elif kept is not None or text:
            message["content"] = text
        if choice.get("logprobs") is not None:
            choice["logprobs"] = {"content": [token.raw for token in tokens]}


class Completions:
    """``/v1/completions``."""

    path = "/v1/completions"
    operation = "text_completion"

    def read(self, body: Json) -> Asked:
        """Check a request; raises ``Refused``."""
        asked = common(body)
        if body.get("echo"):
            raise Refused(
                400,
                "unsupported_value",
                "echo is not served: a prompt that comes back cannot be told from an answer",
                "echo",
            )
        prompt = body.get("prompt")
        if isinstance(prompt, str):
            asked.question = whole(prompt)
        elif isinstance(prompt, list) and prompt:
            if not isinstance(prompt[0], int):
                asked.choices *= len(prompt)
                if all(isinstance(one, str) for one in prompt):
                    asked.prompts = [whole(one) for one in prompt]
        else:
            raise Refused(400, "invalid_value", "prompt is a text, token ids, or a list", "prompt")
        return asked

    def text(self, choice: Json, *, delta: bool) -> tuple[str, tuple[Token, ...]]:  # noqa: ARG002
        """Return a choice's text and its tokens."""
        text = choice.get("text")
        if text is not None and not isinstance(text, str):
            raise _malformed("text")
        return text or "", completion_tokens(choice.get("logprobs"))

    def rest(self, choice: Json, *, delta: bool) -> Json:  # noqa: ARG002
        """Return what a choice holds beside its text; empty if nothing."""
        return {}

    def choice(
        self, index: int, text: str, tokens: list[Token], rest: Json, finish: str | None
    ) -> Json:
        """Return a choice of a chunk."""
        found = {"index": index, "text": text, "logprobs": _lists(tokens)}
        return {**found, "finish_reason": finish, **rest}

    def put(self, choice: Json, text: str, tokens: list[Token]) -> None:
        """Put text into a choice of an answer that does not stream."""
        choice["text"] = text
        if choice.get("logprobs") is not None:
            choice["logprobs"] = _lists(tokens)


def plain(data: Json, kept: tuple[str, ...]) -> Json:
    """Return the fields of an answer that cannot hold its text once more.

    Those are the ``kept`` ones, numbers, flags and short names: some servers repeat the answer in
    fields of their own.
    """
    return {
        name: value
        for name, value in data.items()
        if name in kept
        or value is None
        or isinstance(value, int | float)
        or (isinstance(value, str) and len(value) <= _SHORT)
    }


def _part(choice: Json, *, delta: bool) -> Json:
    """Return the part of a chat choice that holds its text."""
    part = choice.get("delta" if delta else "message")
    if part is None and delta and choice.get("message") is None:
        return {}
    if not isinstance(part, dict):
        raise _malformed("a choice")
    return part


def _lists(tokens: list[Token]) -> Json | None:
    if not tokens:
        return None
    columns = list(zip(*(token.raw for token in tokens), strict=True))
    names = ("tokens", "token_logprobs", "top_logprobs", "text_offset")
    return {name: list(column) for name, column in zip(names, columns, strict=True)}


def _malformed(what: str) -> UpstreamFault:
    return UpstreamFault("upstream_malformed", f"the upstream sent {what} in an unknown form")
