"""Requests as they come: read within limits, and what of them the guard has to know."""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from groundwire._given import ROLES
from groundwire.gateway.errors import Refused
from groundwire.gateway.tokens import whole
from groundwire.integrations._asked import labelled, question_in
from groundwire.integrations._forms import form_of

_OF_JSON = re.compile(r"[a-z0-9.-]+/[a-z0-9.+-]+\+json")


@dataclass(slots=True)
class Asked:
    """What a request says about its answer.

    Attributes:
        body: the body for the upstream, without what is the gateway's own.
        options: the ``groundwire`` object of the request, or its policy's name, or none.
        details: whether the answer is to be shown with its tokens' numbers.
        stream: whether the answer streams.
        choices: answers asked for at once.
        question: what is answered, or none.
        said: the whole turn that asks it, or none.
        turns: the messages of a chat; none for completions, which go on with a prompt.
        prompts: the texts that are continued, for completions of several.
        ids: the prompts, where not all of them are texts.
        history: earlier turns as ``(role, text)`` pairs.
        later: how many of the turns stand behind the one that asks.
        structured: why the text must keep its form, or an empty string.
        tools: whether the model may call tools.
        elsewhere: the fields by which it names turns that the upstream keeps.
    """

    body: dict[str, Any]
    options: Any = None
    details: bool = False
    stream: bool = False
    choices: int = 1
    question: str | None = None
    said: str | None = None
    turns: list[Any] | None = None
    prompts: list[str] = field(default_factory=list)
    ids: list[Any] = field(default_factory=list)
    history: list[tuple[str, str]] = field(default_factory=list)
    later: int = 0
    structured: str = ""
    tools: bool = False
    elsewhere: tuple[str, ...] = ()

    def hear(self, text: str) -> None:
        """Read what a single text asks: its end, or what stands behind its last label."""
        self.said = text
        before, self.question = labelled(text)
        self.history = [("user", before)] if before else []

    def take_out(self, passages: Iterable[str]) -> None:
        """Take passages out of what is asked, which stand in it whole, and read it once more."""
        if self.said is None:
            return
        old, _ = labelled(self.said)
        before, self.question = question_in(self.said, passages)
        if old and before != old:
            at = max(i for i, turn in enumerate(self.history) if turn == ("user", old))
            self.history[at : at + 1] = [("user", before)] if before else []

    @property
    def model(self) -> str | None:
        """The model's name."""
        name = self.body.get("model")
        return name if isinstance(name, str) else None

    def begun(self, index: int) -> tuple[str, bool]:
        """Return the text that the answer number ``index`` may go on with; empty for none.

        And whether it is the answer's own: some servers go on with an assistant's message at the
        end of a chat whatever the request says, and others where it says so in one way or another.
        """
        if self.prompts:
            return self.prompts[index * len(self.prompts) // self.choices], False
        if self.turns is None:
            prompt = self.body.get("prompt")
            return (whole(prompt) if isinstance(prompt, str) else ""), False
        own: list[str] = []
        for turn in reversed(self.turns):
            asked = not own and self.continues
            if not asked and turn.get("role") != "assistant":
                break
            own.append(text_in(turn.get("content")))
        return "\n\n".join(one for one in reversed(own) if one), True

    @property
    def continues(self) -> bool:
        """Whether the request asks to go on with its last message, whoever's that is."""
        return bool(self.body.get("continue_final_message"))

    @property
    def audio(self) -> bool:
        """Whether speech is asked for."""
        kinds = self.body.get("modalities")
        return isinstance(kinds, list) and "audio" in kinds

    @property
    def most(self) -> int | None:
        """Tokens that the answer may have, where the request says so.

        A number below zero is no limit, as at llama.cpp's server.
        """
        for name in ("max_completion_tokens", "max_tokens"):
            value = self.body.get(name)
            if isinstance(value, int) and not isinstance(value, bool):
                return value if value >= 0 else None
        return None


async def read_body(
    parts: AsyncIterator[bytes], headers: Mapping[str, str], limit: int
) -> dict[str, Any]:
    """Return a request's JSON object.

    Raises:
        Refused: the body is too large, packed in an unknown way, or no JSON object.

    """
    _check_type(headers)
    coding = headers.get("content-encoding", "identity").strip().lower()
    if coding not in {"", "identity", "gzip", "deflate"}:
        raise Refused(
            415,
            "unsupported_encoding",
            f"the content encoding {coding!a:.40} is not read here; send the body plain or as gzip",
        )
    unpack = None if coding in {"", "identity"} else _Unpacked(coding)
    found = bytearray()
    async for part in parts:
        found += part if unpack is None else unpack.take(part, limit - len(found) + 1)
        if len(found) > limit:
            raise Refused(413, "body_too_large", f"a request has at most {limit} bytes")
    if unpack is not None:
        unpack.end()
    try:
        body = json.loads(bytes(found), parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise Refused(400, "invalid_json", f"the body is not JSON: {error}") from None
    if not isinstance(body, dict):
        raise Refused(400, "invalid_json", "the body is a JSON object")
    return body


class _Unpacked:
    """A packed body: of gzip all members that stand one behind the other, as its format has it."""

    def __init__(self, coding: str) -> None:
        self._coding = coding
        self._member = zlib.decompressobj(zlib.MAX_WBITS | 32)

    def take(self, data: bytes, most: int) -> bytes:
        """Unpack what came; returns at least ``most`` bytes where there are more."""
        found = bytearray()
        while data and len(found) < most:
            if self._member.eof:
                if self._coding != "gzip":
                    raise self._refused("something stands behind its end")
                self._member = zlib.decompressobj(zlib.MAX_WBITS | 16)
            try:
                found += self._member.decompress(data, most - len(found))
            except zlib.error as error:
                raise self._refused(str(error)) from None
            data = self._member.unused_data
        return bytes(found)

    def end(self) -> None:
        """Refuse a body that ends inside a member."""
        if not self._member.eof:
            raise Refused(400, "invalid_body", f"the body ends inside its {self._coding} stream")

    def _refused(self, why: str) -> Refused:
        return Refused(400, "invalid_body", f"the body is no {self._coding}: {why}")


def _check_type(headers: Mapping[str, str]) -> None:
    """Refuse what is not said to be JSON.

    A page of any site may send a text, a form, or what has no type to a server on its reader's
    machine without asking it first. Browsers say where that comes from; programs that give no type
    do not.
    """
    given = headers.get("content-type", "").partition(";")[0].strip().lower()
    fits = given == "application/json" or (_OF_JSON.fullmatch(given) is not None)
    if fits or (not given and "origin" not in headers):
        return
    said = f"not {given!a:.60}" if given else "and a page has to say so"
    raise Refused(
        415,
        "unsupported_media_type",
        f"a body is JSON here, {said}; send it with the header Content-Type: application/json",
    )


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits:.40} is larger than any number that can be passed on")
    return number


def common(body: dict[str, Any], *, unnamed: bool = False) -> Asked:
    """Take the gateway's own part out of a body, and check what every route has.

    ``unnamed`` says that the request may leave the model to something else that it names.

    Raises:
        Refused: a value is not what the route takes; the message names it.

    """
    asked = Asked({key: value for key, value in body.items() if key != "groundwire"})
    options = body.get("groundwire")
    if isinstance(options, Mapping) and "details" in options:
        asked.details = _flag(options["details"], "groundwire.details")
        options = {key: value for key, value in options.items() if key != "details"}
    asked.options = options
    model = body.get("model")
    if not (isinstance(model, str) and model) and not (unnamed and model is None):
        raise Refused(400, "invalid_value", "model is the name of a model", "model")
    asked.stream = _flag(body.get("stream"), "stream")
    given = body.get("n")
    if given is not None:
        if isinstance(given, bool) or not isinstance(given, int) or given < 1:
            raise Refused(400, "invalid_value", "n is a whole number from 1 on", "n")
        asked.choices = given
    options = body.get("stream_options")
    if options is not None and not isinstance(options, dict):
        raise Refused(400, "invalid_value", "stream_options is an object", "stream_options")
    _typed(body.get("response_format"), "response_format")
    text = body.get("text")
    if isinstance(text, Mapping):
        _typed(text.get("format"), "text.format")
    asked.structured = form_of(body)
    asked.tools = bool(body.get("tools") or body.get("functions"))
    return asked


def _flag(value: Any, name: str) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    raise Refused(400, "invalid_value", f"{name} is true or false, not {value!a:.40}", name)


def _typed(form: Any, name: str) -> None:
    """Refuse a form that has no type; whether there is such a type is the upstream's to say."""
    if form is None:
        return
    if not isinstance(form, Mapping) or not isinstance(form.get("type"), str):
        message = f"{name} is an object with a type, such as json_object, not {form!a:.60}"
        raise Refused(400, "invalid_value", message, name)


def converse(asked: Asked, messages: Any, name: str = "messages") -> None:
    """Read the question, the last thing a user said, and all other turns, from messages.

    What stands before a label ("Question:") of that turn is a turn before it.

    Raises:
        Refused: these are no messages.

    """
    found = _turns(messages, name)
    last = max((i for i, (role, _) in enumerate(found) if role == "user"), default=None)
    # What nobody has agreed on is no statement of the model's or a tool's.
    turns = [(role if role in ROLES else "user", text) for role, text in found]
    asked.history = turns
    if last is not None:
        asked.hear(turns[last][1])
        asked.history = [*turns[:last], *asked.history, *turns[last + 1 :]]
        asked.later = len(turns) - last - 1


def conversation(messages: Any, name: str = "messages") -> tuple[str | None, list[tuple[str, str]]]:
    """Return question and other turns of messages, as ``converse`` reads them."""
    asked = Asked({})
    converse(asked, messages, name)
    return asked.question, asked.history


def _turns(messages: Any, name: str) -> list[tuple[str, str]]:
    if not isinstance(messages, list) or not messages:
        raise Refused(400, "invalid_value", f"{name} is a list of messages", name)
    found: list[tuple[str, str]] = []
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise Refused(400, "invalid_value", f"{name}[{i}] is an object", name)
        _check_parts(message.get("content"), f"{name}[{i}]")
        text = text_in(message.get("content"))
        role = message.get("role")
        if text and isinstance(role, str):
            found.append(("system" if role == "developer" else whole(role), text))
    return found


def _check_parts(content: Any, name: str) -> None:
    for at, part in enumerate(content if isinstance(content, list) else ()):
        kind = part.get("type") if isinstance(part, Mapping) else ""
        if kind is not None and not isinstance(kind, str):
            message = f"{name}.content[{at}].type is the name of a kind, not {kind!a:.40}"
            raise Refused(400, "invalid_value", message, name)


def text_in(content: Any) -> str:
    """Return the text in a message's content: a string, or parts of which some are text."""
    if isinstance(content, str):
        return whole(content)
    if not isinstance(content, list):
        return ""
    parts = [
        part["text"]
        for part in content
        if isinstance(part, Mapping)
        and part.get("type") in {"text", "input_text", "output_text"}
        and isinstance(part.get("text"), str)
    ]
    return whole("\n".join(parts))
