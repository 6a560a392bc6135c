"""The two routes whose answers are lists of choices: where text stands in them.

``Chat`` is ``/v1/chat/completions``, ``Completions`` is ``/v1/completions``.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Protocol

from groundwire.gateway.errors import Refused, malformed
from groundwire.gateway.fields import beside, images, known, objects, sources
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.requests import Asked, common, converse
from groundwire.gateway.tokens import (
    Token,
    chat_tokens,
    columns,
    completion_tokens,
    entries,
    whole,
)
from groundwire.gateway.watched import BETWEEN

Json = dict[str, Any]


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

    def behind(self, choice: Json, *, delta: bool) -> tuple[str, tuple[Token, ...]]:
        """Return the text of another field that stands behind a choice's text, and its tokens."""
        ...

    def field(self, choice: Json, *, delta: bool) -> str:
        """Return the name of the field that a choice's text stands in; empty for none."""
        ...

    def elsewhere(self, choice: Json) -> bool:
        """Whether a choice says something where another route has its text."""
        ...

    def rest(self, choice: Json, *, delta: bool, audio: bool = False) -> Json:
        """Return what a choice holds beside its text; empty if nothing."""
        ...

    def choice(
        self,
        index: int,
        text: str,
        tokens: list[Token],
        rest: Json,
        finish: str | None,
        field: str = "",
    ) -> Json:
        """Return a choice of a chunk."""
        ...

    def whole(self, found: Json, given: Outcome, *, audio: bool, logprobs: bool) -> Json:
        """Return a choice of an answer that does not stream, with the text that was ``given``."""
        ...


class Chat:
    """``/v1/chat/completions``.

    A refusal is a text of the answer like any other, and comes back where it stood. Behind content
    it is another field of the same text.
    """

    path = "/v1/chat/completions"
    operation = "chat"

    def read(self, body: Json) -> Asked:
        """Check a request; raises ``Refused``."""
        asked = common(body)
        asked.turns = body.get("messages")
        converse(asked, asked.turns)
        return asked

    def text(self, choice: Json, *, delta: bool) -> tuple[str, tuple[Token, ...]]:
        """Return a choice's text and its tokens."""
        content, refusal = self._fields(choice, delta=delta)
        logprobs = choice.get("logprobs")
        if refusal and not content and isinstance(logprobs, Mapping):
            logprobs = logprobs.get("refusal")
        return content or refusal, chat_tokens(logprobs)

    def behind(self, choice: Json, *, delta: bool) -> tuple[str, tuple[Token, ...]]:
        """Return a refusal behind content, and its tokens."""
        content, refusal = self._fields(choice, delta=delta)
        logprobs = choice.get("logprobs")
        if not content or not refusal:
            return "", ()
        named = logprobs.get("refusal") if isinstance(logprobs, Mapping) else None
        return refusal, chat_tokens(named)

    def _fields(self, choice: Json, *, delta: bool) -> tuple[str, str]:
        part = _part(choice, delta=delta)
        content, refusal = part.get("content"), part.get("refusal")
        if isinstance(content, list):
            content = "".join(map(_words, content))
        if content is not None and not isinstance(content, str):
            raise malformed("content")
        if refusal is not None and not isinstance(refusal, str):
            raise malformed("a refusal")
        return content or "", refusal or ""

    def field(self, choice: Json, *, delta: bool) -> str:
        """Return the name of the field that a choice's text stands in; empty for none."""
        part = _part(choice, delta=delta)
        if part.get("content"):
            return "content"
        return "refusal" if part.get("refusal") else ""

    def elsewhere(self, choice: Json) -> bool:
        """Whether a choice says something where completions have their text."""
        return bool(choice.get("text"))

    def rest(self, choice: Json, *, delta: bool, audio: bool = False) -> Json:
        """Return what a choice holds beside its text; empty if nothing."""
        return beside(_part(choice, delta=delta), audio=audio)

    def choice(
        self,
        index: int,
        text: str,
        tokens: list[Token],
        rest: Json,
        finish: str | None,
        field: str = "content",
    ) -> Json:
        """Return a choice of a chunk."""
        delta = {**rest, field or "content": text} if text or "role" in rest else rest
        logprobs = {"content": None, field or "content": entries(tokens)} if tokens else None
        return {"index": index, "delta": delta, "logprobs": logprobs, "finish_reason": finish}

    def whole(self, found: Json, given: Outcome, *, audio: bool, logprobs: bool) -> Json:
        """Return a choice of an answer that does not stream, with the text that was ``given``."""
        part = _part(found, delta=False)
        field = self.field(found, delta=False) or "content"
        message = {"role": "assistant", "content": None, **beside(part, audio=audio)}
        at, token = given.divided or (len(given.text), len(given.tokens))
        text, refusal = given.text[:at], given.text[at:]
        own = self.text(found, delta=False)[0]
        if message.get("annotations") and text not in {own, own + BETWEEN}:
            # They name places in another text.
            message["annotations"] = []
        if field in part and (part[field] is not None or text):
            message[field] = text
        if isinstance(part.get("content"), list):
            media = [image for one in objects(part["content"]) for image in images(one)]
            message[field] = [*media, {"type": "text", "text": text}] if media else text
        if field == "content" and (refusal or "refusal" in part):
            message["refusal"] = refusal or None
        named = {"content": None, field: entries(given.tokens[:token])}
        if refusal:
            named["refusal"] = entries(given.tokens[token:])
        return {"message": message, "logprobs": named if logprobs else None}


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
        # A chat is no part of such a request, whatever else reads it.
        asked.body.pop("messages", None)
        prompt = body.get("prompt")
        if isinstance(prompt, str):
            asked.hear(whole(prompt))
        elif isinstance(prompt, list) and prompt:
            if isinstance(prompt[0], int):
                asked.ids = [prompt]
            else:
                asked.choices *= len(prompt)
                if all(isinstance(one, str) for one in prompt):
                    asked.prompts = [whole(one) for one in prompt]
                else:
                    asked.ids = prompt
        else:
            raise Refused(400, "invalid_value", "prompt is a text, token ids, or a list", "prompt")
        return asked

    def text(self, choice: Json, *, delta: bool) -> tuple[str, tuple[Token, ...]]:  # noqa: ARG002
        """Return a choice's text and its tokens."""
        text = choice.get("text")
        if text is not None and not isinstance(text, str):
            raise malformed("text")
        return text or "", completion_tokens(choice.get("logprobs"))

    def behind(self, choice: Json, *, delta: bool) -> tuple[str, tuple[Token, ...]]:  # noqa: ARG002
        """Return nothing: there is one field."""
        return "", ()

    def field(self, choice: Json, *, delta: bool) -> str:  # noqa: ARG002
        """Return the name of the field that a choice's text stands in."""
        return "text"

    def elsewhere(self, choice: Json) -> bool:
        """Whether a choice says something where chats have it."""
        parts = [choice.get(name) for name in ("delta", "message")]
        return any(
            isinstance(part, Mapping) and any(part[name] for name in part if name != "role")
            for part in parts
        )

    def rest(self, choice: Json, *, delta: bool, audio: bool = False) -> Json:  # noqa: ARG002
        """Return what a choice holds beside its text; empty if nothing."""
        return {}

    def choice(
        self,
        index: int,
        text: str,
        tokens: list[Token],
        rest: Json,
        finish: str | None,
        field: str = "text",  # noqa: ARG002
    ) -> Json:
        """Return a choice of a chunk."""
        found = {"index": index, "text": text, "logprobs": columns(tokens)}
        return {**found, "finish_reason": finish, **rest}

    def whole(
        self,
        found: Json,  # noqa: ARG002
        given: Outcome,
        *,
        audio: bool,  # noqa: ARG002
        logprobs: bool,
    ) -> Json:
        """Return a choice of an answer that does not stream, with the text that was ``given``."""
        return {"text": given.text, "logprobs": columns(given.tokens) if logprobs else None}


def unanswered(name: str, model: str | None) -> dict[str, Any]:
    """Return what chunks hold besides their choices, of an upstream that never sent one."""
    made = int(time.time())
    return {"id": name, "object": "chat.completion.chunk", "created": made, "model": model}


def answered(data: Json, asked: Asked) -> Json:
    """Return what is passed on of an answer, or of a chunk, beside its choices and its usage."""
    labels = ("id", "object", "system_fingerprint", "service_tier", "model", "provider")
    found = known(data, labels, ("error", "choices", "usage"))
    if "model" in data and "model" not in found:
        found["model"] = asked.model
    return found | sources(data)


def chosen(choice: Json, asked: Asked) -> Json:
    """Return what is passed on of a choice beside its text: labels, and why it ended."""
    found = known(choice, ("finish_reason",), ("index", "delta", "message", "text", "logprobs"))
    stops = asked.body.get("stop")
    for name in ("stop_reason", "matched_stop"):
        given = choice.get(name)
        # A stop string is the request's own.
        if isinstance(given, str) and given in (stops if isinstance(stops, list) else [stops]):
            found[name] = given
    return found


def _words(part: Any) -> str:
    """Return the text in one part of a content that is a list."""
    if isinstance(part, str):
        return part
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else ""


def _part(choice: Json, *, delta: bool) -> Json:
    """Return the part of a chat choice that holds its text."""
    part = choice.get("delta" if delta else "message")
    if part is None and delta and choice.get("message") is None:
        return {}
    if not isinstance(part, dict):
        raise malformed("a choice")
    return part
