"""Events of the OpenAI Responses API, and finished responses.

The words of an answer come more than once: in deltas, and whole in the events that close a part,
an item and the response. All of them say what the guard released. Events are copies, numbered
anew; tool calls, reasoning and what else there is pass untouched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import compress
from typing import Any

from groundwire.integrations._feed import LIMITED, ended, fitting, push
from groundwire.integrations._text import TextGuard

WORDS = {"output_text": "text", "refusal": "refusal"}
"""Types of content that hold words, and where they hold them."""
CUT = {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
"""What a response says of itself that the guard has ended."""
_LAST = {"response.completed", "response.incomplete", "response.failed"}
Key = tuple[str, int]


class ResponsesFeed:
    """Guards the parts of a response, each on its own.

    Args:
        begin: opens the guard of one part.
        make: makes an event of the SDK from its type and fields.

    Attributes:
        over: whether the guard has ended the response.
        complete: false: an event that ends a part, an item or the response holds nothing back.
        guards: by item and number of the part.
    """

    complete = False

    def __init__(self, begin: Callable[[], TextGuard], make: Callable[..., Any]) -> None:
        """Prepare; guards open with the first words of each part."""
        self._begin, self._make = begin, make
        self._said: dict[Key, list[str]] = {}
        self._last: dict[Key, Any] = {}
        self._response: Any = None
        self._output: list[Any] = []
        self._number = 0
        self.guards: dict[Key, TextGuard] = {}
        self.over = False

    def feed(self, event: Any) -> Iterator[Any]:
        """Yield the events that take the place of one; None where time has to pass."""
        return self._numbered(self._events(event))

    def finish(self) -> Iterator[Any]:
        """Yield what is held of parts that the stream never closed."""
        for key, event in self._last.items():
            if self.guards[key].stopped is None:
                yield from self._numbered(self._rest(key, event))

    def whole(self, response: Any) -> Iterator[Any]:
        """Yield None while time has to pass, and then a finished response, guarded."""
        output = []
        for item in response.output:
            yield from self._settle(item)
            output.append(self._item(item))
        self._note_limit(response)
        cut = CUT if any(guard.cut for guard in self.guards.values()) else {}
        details = type(response).construct(**cut) if cut else None
        own = {name: getattr(details, name) for name in cut}
        yield response.model_copy(update={"output": output, **own})

    def _note_limit(self, response: Any) -> None:
        """Note that the last text of a response is not whole, if its limit of tokens says so."""
        reason = getattr(response.incomplete_details, "reason", None)
        if response.status != "incomplete" or reason not in LIMITED or not response.output:
            return
        last = response.output[-1]
        guard = self.guards.get((last.id, len(getattr(last, "content", None) or ()) - 1))
        if guard is not None:
            guard.limit()

    def _numbered(self, events: Iterator[Any]) -> Iterator[Any]:
        for event in events:
            if hasattr(event, "sequence_number"):
                yield event.model_copy(update={"sequence_number": self._number})
                self._number += 1
            else:
                yield event

    def _events(self, event: Any) -> Iterator[Any]:
        kind = getattr(event, "type", "")
        name, _, what = kind.removeprefix("response.").partition(".")
        if name in WORDS and what in {"delta", "done"}:
            yield from self._words(event, WORDS[name], what)
        elif kind in {"response.content_part.added", "response.content_part.done"}:
            yield event.model_copy(update={"part": self._part(event.part, _key(event))})
        elif kind == "response.output_item.done":
            yield from self._settle(event.item)
            self._output.append(self._item(event.item))
            yield event.model_copy(update={"item": self._output[-1]})
        elif kind in _LAST:
            yield from self._completed(event)
        else:
            self._response = getattr(event, "response", None) or self._response
            yield event

    def _words(self, event: Any, field: str, what: str) -> Iterator[Any]:
        key = _key(event)
        if what == "delta":
            self._last[key] = event
            said = self._push(key, event.delta, getattr(event, "logprobs", None))
            if said:
                yield event.model_copy(update=_text("delta", said, event, event.delta))
        else:
            if key not in self.guards:
                self._push(key, getattr(event, field))
            yield from self._rest(key, self._last.get(key))
            text = "".join(self._said[key])
            yield event.model_copy(update=_text(field, text, event, getattr(event, field)))
        if self.guards[key].cut:
            yield from self._close(key, event, field, done=what == "done")

    def _rest(self, key: Key, delta: Any) -> Iterator[Any]:
        """End a part, and yield what was held of it in a delta like the last one."""
        rest: list[str] = []
        yield from ended(self.guards[key], rest)
        self._said[key] += rest
        if delta is not None and (text := "".join(rest)):
            yield delta.model_copy(update=_text("delta", text, delta, delta.delta))

    def _close(self, key: Key, event: Any, field: str, *, done: bool) -> Iterator[Any]:
        """Yield the events that close part, item and response, ended by the guard."""
        self.over = True
        kind = "output_text" if field == "text" else "refusal"
        place = {"item_id": key[0], "content_index": key[1], "output_index": event.output_index}
        own: dict[str, Any] = {field: "".join(self._said[key])}
        extra: dict[str, Any] = {"logprobs": []} if field == "text" else {}
        if not done:
            yield self._make(f"response.{kind}.done", **place, **own, **extra)
        part = {"type": kind, **own, **({"annotations": []} if field == "text" else {})}
        yield self._make("response.content_part.done", **place, part=part)
        item = {"id": key[0], "type": "message", "role": "assistant", "status": "incomplete"}
        before = [
            {"type": "output_text", "text": "".join(said), "annotations": []}
            for (of, _), said in sorted(self._said.items())
            if of == key[0] and (of, _) < key
        ]
        item["content"] = [*before, part]  # type: ignore[assignment]
        number = {"output_index": event.output_index}
        yield self._make("response.output_item.done", **number, item=item)
        if self._response is not None:
            output = [one.model_dump() for one in self._output] + [item]
            response = {**self._response.model_dump(), **CUT, "output": output}
            yield self._make("response.incomplete", response=response)

    def _completed(self, event: Any) -> Iterator[Any]:
        for response in self.whole(event.response):
            if response is None:
                yield None
            elif response.status == "incomplete" and event.type == "response.completed":
                yield self._make("response.incomplete", response=response.model_dump())
            else:
                yield event.model_copy(update={"response": response})

    def _settle(self, item: Any) -> Iterator[None]:
        """End the parts of an item; such as never came in deltas are guarded whole."""
        for number, part in enumerate(getattr(item, "content", None) or ()):
            field = WORDS.get(getattr(part, "type", ""))
            if field is None:
                continue
            key = (item.id, number)
            if key not in self.guards:
                self._push(key, getattr(part, field))
            yield from ended(self.guards[key], self._said[key])

    def _item(self, item: Any) -> Any:
        parts = getattr(item, "content", None)
        if not parts:
            return item
        content = [self._part(part, (item.id, number)) for number, part in enumerate(parts)]
        return item.model_copy(update={"content": content})

    def _part(self, part: Any, key: Key) -> Any:
        field = WORDS.get(getattr(part, "type", ""))
        if field is None:
            return part
        said = "".join(self._said.get(key, ()))
        return part.model_copy(update=_text(field, said, part, getattr(part, field)))

    def _push(self, key: Key, text: str, tokens: Any = None) -> str:
        if key not in self.guards:
            self.guards[key] = self._begin()
            self._said[key] = []
        self._said[key].append(push(self.guards[key], text, tokens))
        return self._said[key][-1]


def _key(event: Any) -> Key:
    return (event.item_id, event.content_index)


def _text(field: str, text: str, given: Any, before: str) -> dict[str, Any]:
    """Return what changes where ``text`` stands for ``before``: places in it mean nothing more."""
    tokens = getattr(given, "logprobs", None)
    if text == before:
        fits = fitting(tokens or (), text)
        return {} if all(fits) else {"logprobs": list(compress(tokens or (), fits))}
    lists = ("logprobs", "annotations")
    return {field: text, **{name: [] for name in lists if getattr(given, name, None)}}
