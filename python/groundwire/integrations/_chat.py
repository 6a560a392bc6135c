"""Chat completions and plain completions, in chunks or whole, in the OpenAI API's shape.

The objects are whatever an SDK makes of them (pydantic models with ``choices``); what comes out
are copies of them. Reasoning, tool calls, audio and what else a chunk holds pass untouched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import compress
from typing import Any

from groundwire._checks import whole_number
from groundwire.integrations._feed import ended, fitting, push
from groundwire.integrations._text import TextGuard

FIELDS = ("content", "refusal", "text")
"""Where a choice holds words of the answer; each of them is an answer of its own."""
_COLUMNS = ("tokens", "token_logprobs", "top_logprobs", "text_offset")
FILTERED = "content_filter"
"""What an answer finishes with that the guard has ended."""


class ChatFeed:
    """Guards the choices of a stream of chunks, each on its own.

    Args:
        begin: opens the guard of one answer.
        n: answers that were asked for; the stream is closed early only once so many have ended.

    Attributes:
        over: whether all answers have ended and the guard was what ended one of them.
        guards: by index of the choice and name of the field.
    """

    def __init__(self, begin: Callable[[], TextGuard], n: int = 1) -> None:
        """Prepare; guards open with the first words of each choice."""
        self._begin = begin
        self._n = whole_number(n, "n", least=1)
        self._done: set[int] = set()
        self._early = False
        self._last: dict[int, tuple[Any, Any]] = {}
        self.guards: dict[tuple[int, str], TextGuard] = {}
        self.over = False

    def feed(self, chunk: Any) -> Iterator[Any]:
        """Yield the chunks that take the place of one; None where time has to pass."""
        if not chunk.choices:
            yield chunk
        for given in chunk.choices or ():
            choice = _with_delta(given)
            if choice.index not in self._done:
                yield from self._choice(chunk, choice)

    def finish(self) -> Iterator[Any]:
        """Yield what is held of choices that the stream never finished."""
        for index, (chunk, choice) in self._last.items():
            if index not in self._done:
                yield from self._end(chunk, choice, {}, None)

    def _choice(self, chunk: Any, choice: Any) -> Iterator[Any]:
        part = part_of(choice)
        self._last[choice.index] = chunk, choice
        given = {field: text for field in FIELDS if (text := getattr(part, field, None))}
        said = {}
        for field, text in given.items():
            tokens = getattr(getattr(choice, "logprobs", None), field, None)
            said[field] = push(self._guard(choice.index, field), text, tokens)
        if choice.finish_reason is not None or self._cut(choice.index):
            yield from self._end(chunk, choice, said, choice.finish_reason)
        elif said == given:
            yield chunk.model_copy(update={"choices": [_told(choice)]})
        elif any(said.values()) or _more(part) or getattr(chunk, "usage", None):
            yield chunk.model_copy(update={"choices": [changed(choice, said)]})

    def _end(
        self, chunk: Any, choice: Any, said: dict[str, str], reason: str | None
    ) -> Iterator[Any]:
        """Yield the rest of a choice, and then the chunk that says why it ended."""
        index, part = choice.index, part_of(choice)
        early = self._cut(index) and reason is None
        for (of, field), guard in self.guards.items():
            if of == index:
                rest = [said.get(field, "")]
                yield from ended(guard, rest, reason)
                said[field] = "".join(rest)
        self._done.add(index)
        self._early = self._early or early
        self.over = self._early and len(self._done) >= max(self._n, len(self._last))
        words = {field: text for field, text in said.items() if text}
        bare = choice if part is choice else type(part)(role=getattr(part, "role", None))
        if words:
            first = changed(choice, words, bare, finish_reason=None)
            yield chunk.model_copy(update={"choices": [first], **_unused(chunk)})
        if cut := self._cut(index):
            part, reason = bare, FILTERED
        if cut or reason is not None:
            none = dict.fromkeys(said, "" if part is choice else None)
            last = changed(choice, none, part, finish_reason=reason)
            yield chunk.model_copy(update={"choices": [last]})

    def _guard(self, index: int, field: str) -> TextGuard:
        if (index, field) not in self.guards:
            self.guards[index, field] = self._begin()
        return self.guards[index, field]

    def _cut(self, index: int) -> bool:
        return any(guard.cut for (of, _), guard in self.guards.items() if of == index)


def whole(
    answer: Any, begin: Callable[[], TextGuard], guards: dict[Any, TextGuard]
) -> Iterator[Any]:
    """Yield None while time has to pass, and then a finished completion, guarded.

    The guards go into ``guards``, by index of the choice and name of the field.
    """
    choices = []
    for choice in answer.choices:
        part, said = part_of(choice), {}
        for field in FIELDS:
            if text := getattr(part, field, None):
                guard = guards[choice.index, field] = begin()
                pieces = [push(guard, text, None)]
                yield from ended(guard, pieces, choice.finish_reason)
                if (new := "".join(pieces)) != text or guard.cut:
                    said[field] = new
        if said:
            cut = any(guard.cut for (of, _), guard in guards.items() if of == choice.index)
            reason = FILTERED if cut else choice.finish_reason
            choice = changed(choice, said, finish_reason=reason)  # noqa: PLW2901
        choices.append(_told(choice))
    yield answer.model_copy(update={"choices": choices})


def _with_delta(choice: Any) -> Any:
    """Return a chat's choice with a delta where it came without, so that text has a place."""
    if not hasattr(choice, "delta") and not hasattr(choice, "message") and hasattr(choice, "text"):
        return choice
    if getattr(choice, "delta", None) is None and getattr(choice, "message", None) is None:
        kind = getattr(type(choice), "model_fields", {}).get("delta")
        if kind is not None:
            return choice.model_copy(update={"delta": kind.annotation.construct()})
    return choice


def part_of(choice: Any) -> Any:
    """Return what of a choice holds its words: its delta, its message, or the choice itself."""
    return getattr(choice, "delta", None) or getattr(choice, "message", None) or choice


def changed(choice: Any, words: dict[str, Any], part: Any = None, **own: Any) -> Any:
    """Return a copy of ``choice`` that says ``words``, without log-probabilities of others."""
    own["logprobs"] = None
    part = part_of(choice) if part is None else part
    if part is choice:
        return choice.model_copy(update={**words, **own})
    name = "delta" if getattr(choice, "delta", None) is not None else "message"
    return choice.model_copy(update={name: part.model_copy(update=words), **own})


def _told(choice: Any) -> Any:
    """Return ``choice`` without what is told of tokens whose text is not in it."""
    given: Any = getattr(choice, "logprobs", None)
    part, own = part_of(choice), dict[str, Any]()
    for field in FIELDS if given is not None else ():
        if tokens := getattr(given, field, None):
            fits = fitting(tokens, getattr(part, field, None) or "")
            own[field] = list(compress(tokens, fits))
    if names := getattr(given, "tokens", None):
        fits = fitting([{"token": name} for name in names], getattr(part, "text", None) or "")
        columns = {name: getattr(given, name, None) for name in _COLUMNS}
        own = {name: list(compress(column, fits)) for name, column in columns.items() if column}
    own = {name: kept for name, kept in own.items() if len(kept) < len(getattr(given, name))}
    return choice.model_copy(update={"logprobs": given.model_copy(update=own)}) if own else choice


def _more(part: Any) -> bool:
    """Whether a part holds anything but words of the answer."""
    held = part.model_dump(exclude_none=True, exclude=set(FIELDS))
    return any(held.values()) and set(held) - {"index", "logprobs"} != set()


def _unused(chunk: Any) -> dict[str, None]:
    return {"usage": None} if getattr(chunk, "usage", None) is not None else {}
