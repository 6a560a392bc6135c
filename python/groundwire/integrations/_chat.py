"""Chat completions and plain completions, in chunks or whole, in the OpenAI API's shape.

The objects are whatever an SDK makes of them (pydantic models with ``choices``); what comes out
are copies of them. Reasoning, tool calls, audio and what else a chunk holds pass untouched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from groundwire._checks import whole_number
from groundwire.integrations._chat_parts import (
    FIELDS,
    changed,
    emptied,
    more,
    part_of,
    told,
    unused,
    with_delta,
    words_of,
)
from groundwire.integrations._feed import ended, push
from groundwire.integrations._text import TextGuard

FILTERED = "content_filter"
"""What an answer finishes with that the guard has ended."""


class ChatFeed:
    """Guards the choices of a stream of chunks, each on its own.

    A choice's end is told when the stream has ended: some servers give a reason with every chunk,
    or go on behind one.

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
        self._reasons: dict[int, str] = {}
        self._held: dict[int, tuple[Any, Any, dict[str, str]]] = {}
        self._behind: list[Any] = []
        self.guards: dict[tuple[int, str], TextGuard] = {}
        self.over = False

    @property
    def complete(self) -> bool:
        """Whether every choice that was begun has a reason why it ended."""
        return bool(self._held) and set(self._last) == self._done | set(self._held)

    def feed(self, chunk: Any) -> Iterator[Any]:
        """Yield the chunks that take the place of one; None where time has to pass."""
        if not chunk.choices:
            if self._held:
                # The usage follows the ends that are held.
                self._behind.append(chunk)
            else:
                yield chunk
        for given in chunk.choices or ():
            choice = with_delta(given)
            if choice.index not in self._done:
                yield from self._choice(chunk, choice)
        ends = len(self._done) + len(self._held)
        if self._early and not self.over and ends >= max(self._n, len(self._last)):
            yield from self.finish()
            self.over = True

    def finish(self) -> Iterator[Any]:
        """Yield what is held, and why each choice ended."""
        for index, (chunk, choice) in self._last.items():
            if index in self._done:
                continue
            if index in self._held:
                yield from self._end(*self._held.pop(index))
            else:
                # What else the last chunk holds has left.
                last = chunk.model_copy(update=unused(chunk))
                yield from self._end(last, emptied(choice), {})
        yield from self._behind
        self._behind.clear()

    def _choice(self, chunk: Any, choice: Any) -> Iterator[Any]:
        index, part = choice.index, part_of(choice)
        if index in self._held:
            if not (words_of(part) or more(part) or choice.finish_reason):
                self._behind.append(chunk.model_copy(update={"choices": [choice]}))
                return
            # That was no end: the answer goes on.
            yield from self._part(*self._held.pop(index), finish_reason=None)
        self._last[index] = chunk, choice
        said = {}
        for field, text in words_of(part).items():
            tokens = getattr(getattr(choice, "logprobs", None), field, None)
            said[field] = push(self._guard(index, field), text, tokens)
        # Some servers have an empty reason in every chunk.
        self._reasons[index] = choice.finish_reason or self._reasons.get(index, "")
        if self._cut(index):
            self._early = self._early or not choice.finish_reason
            yield from self._end(chunk, choice, said)
        elif choice.finish_reason:
            self._held[index] = chunk, choice, said
        else:
            yield from self._part(chunk, choice, said)

    def _part(self, chunk: Any, choice: Any, said: dict[str, str], **own: Any) -> Iterator[Any]:
        """Yield a chunk with the words ``said`` in place of its own, unless nothing is left."""
        part = part_of(choice)
        if said == words_of(part):
            same = told(choice).model_copy(update=own)
            yield chunk.model_copy(update={"choices": [same]})
        elif any(said.values()) or more(part) or getattr(chunk, "usage", None):
            yield chunk.model_copy(update={"choices": [changed(choice, said, **own)]})

    def _end(self, chunk: Any, choice: Any, said: dict[str, str]) -> Iterator[Any]:
        """Yield the rest of a choice, and then the chunk that says why it ended."""
        index, part = choice.index, part_of(choice)
        reason: str | None = self._reasons.get(index) or None
        for (of, field), guard in self.guards.items():
            if of == index:
                rest = [said.get(field, "")]
                yield from ended(guard, rest, reason)
                said[field] = "".join(rest)
        self._done.add(index)
        words = {field: text for field, text in said.items() if text}
        bare = part_of(emptied(choice))
        if words:
            first = changed(choice, words, bare, finish_reason=None)
            yield chunk.model_copy(update={"choices": [first], **unused(chunk)})
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
        choices.append(told(choice))
    yield answer.model_copy(update={"choices": choices})
