"""``/v1/responses`` as a stream of events, each of which is checked or known to hold no answer."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Callable
from typing import Any

from groundwire.gateway.context import Context
from groundwire.gateway.errors import UpstreamFault
from groundwire.gateway.fields import mark, strings
from groundwire.gateway.guarded import Ending
from groundwire.gateway.response_fields import clean, clean_item, event, is_unknown, item, response
from groundwire.gateway.response_fields import part as made_of
from groundwire.gateway.response_parts import (
    Json,
    Part,
    Place,
    before,
    cut_in,
    ending,
    is_behind,
    kind_of,
    number_in,
    object_in,
    place_of,
    put,
    said,
    texts,
)
from groundwire.gateway.responses_written import ResponsesWritten
from groundwire.gateway.tokens import chat_tokens, entries
from groundwire.gateway.upstream import as_object

_MOST_WAITING = 16
_BEGINS = ("response.created", "response.queued", "response.in_progress")
_ENDS = ("response.completed", "response.incomplete", "response.failed")
_CLOSES = (
    "response.output_text.done", "response.refusal.done", "response.content_part.done",
    "response.output_item.done",
)  # fmt: skip
"""Events that close what came last, all of which may stand before the answer's own end."""


class ResponsesRelay(ResponsesWritten):
    """An answer of the route that streams."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        # Under a limit of tokens, events that end a text wait for what tells why it ended.
        self._closes: list[tuple[Json, int]] = []
        self._cut: Place | None = None
        self._why: Ending = "length"
        # Items of which no further part comes.
        self._come = set[int]()
        self._handlers: dict[str, Callable[[Json], AsyncIterator[bytes]]] = {
            "response.output_text.delta": self._delta,
            "response.output_text.done": self._done,
            "response.output_text.annotation.added": self._cited,
            "response.refusal.delta": self._delta,
            "response.refusal.done": self._done,
            "response.content_part.added": self._content_part,
            "response.content_part.done": self._content_part,
            "response.output_item.added": self._item_added,
            "response.output_item.done": self._item_done,
            **dict.fromkeys(_BEGINS, self._begin),
            **dict.fromkeys(_ENDS, self._end),
        }

    async def open(self) -> None:
        """Begin the answer; raises what ``Upstream.stream`` raises."""
        context = self.context
        self._events = await context.upstream.stream(
            "/v1/responses", context.headers, context.asked.body
        )
        self.headers = self._events.headers

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the client's events.

        A fault of the upstream becomes ``response.failed`` behind all that may still be released.
        """
        try:
            async for chunk in self._run():
                self.spoke()
                yield chunk
        except UpstreamFault as fault:
            async for chunk in self._broken(fault):
                yield chunk

    async def _run(self) -> AsyncIterator[bytes]:
        assert self._events is not None
        while not self._over:
            due = self.until(part.watched.due for part in self._parts.values())
            try:
                event = await self._events.next(due)
            except EOFError:
                raise UpstreamFault(
                    "upstream_reset", "the upstream's stream ended before the answer did"
                ) from None
            if event is None:
                async for chunk in self._poll():
                    yield chunk
            if comment := self.alive():
                yield comment
            if event is None:
                continue
            if event.data.strip() in {b"[DONE]", b"", b"{}"}:
                continue
            async for chunk in self._hear(as_object(event.data, "event"), len(event.data)):
                yield chunk

    async def _poll(self) -> AsyncIterator[bytes]:
        """Look again at text that is held, as time has passed."""
        for place, part in list(self._parts.items()):
            if not part.over:
                async for chunk in self._emit(place, part, part.watched.poll()):
                    yield chunk
        async for chunk in self._send_later():
            yield chunk

    async def _hear(self, data: Json, size: int) -> AsyncIterator[bytes]:
        """Handle an event of ``size`` bytes, behind those that waited for it."""
        kind = kind_of(data)
        limited = self.context.asked.body.get("max_output_tokens") is not None
        if limited and kind in _CLOSES and len(self._closes) < _MOST_WAITING:
            self._closes.append((data, size))
            return
        if kind in _ENDS:
            found = response(object_in(data, "response"), self.context.asked.body)
            self._cut = cut_in(found, kind, [*self._parts, *self._later.places()])
            self._why = ending(found, kind)
        closes, self._closes = self._closes, []
        for one in [*closes, (data, size)]:
            if not self._over:
                async for chunk in self._keep_or_read(*one):
                    yield chunk

    async def _keep_or_read(self, data: Json, size: int) -> AsyncIterator[bytes]:
        """Handle an event of ``size`` bytes, or keep it for later."""
        if self._waits(data):
            self._later.add(data, size)
            async for chunk in self._limit(self._later.size):
                yield chunk
            return
        async for chunk in self._read(data):
            yield chunk
        async for chunk in self._send_later():
            yield chunk

    def _waits(self, data: Json) -> bool:
        """Whether an event belongs behind text that is held, or that is yet to come."""
        if kind_of(data) in (*_BEGINS, *_ENDS):
            return False
        first = before(data)
        if first and first not in self._parts and first[0] not in self._come | self._closed:
            return True
        held = (place for place, one in self._parts.items() if not one.over and one.watched.held)
        return any(is_behind(data, place) for place in held)

    async def _send_later(self, item: int | None = None) -> AsyncIterator[bytes]:
        """Handle what waited for text that has left by now.

        While that goes on, the end of an ``item`` may call for the texts of it that still wait.
        """
        outer = not self._sends_later
        if not outer and item is None:
            return
        self._sends_later = True
        only = None if outer else item
        while not self._over and (data := self._later.take(self._waits, only)) is not None:
            async for chunk in self._read(data):
                yield chunk
        self._sends_later = not outer

    async def _read(self, data: Json) -> AsyncIterator[bytes]:
        """Handle one event; those of an unknown kind go no further."""
        handle = self._handlers.get(kind_of(data))
        if handle is not None:
            async for chunk in handle(data):
                yield chunk
        elif passed := event(data, audio=self.context.asked.audio):
            yield self._event(passed)

    async def _begin(self, data: Json) -> AsyncIterator[bytes]:
        self._response = response(object_in(data, "response"), self.context.asked.body)
        self._response["output"] = []
        yield self._event({"type": data["type"], "response": self._response})

    async def _delta(self, data: Json) -> AsyncIterator[bytes]:
        part, delta = self._part(data), data.get("delta")
        if data["type"] == "response.refusal.delta" and not part.heard:
            part.kind = "refusal"
        if not isinstance(delta, str):
            raise UpstreamFault("upstream_malformed", "the upstream sent a delta of no text")
        if part.over and delta:
            raise UpstreamFault("upstream_malformed", "the upstream went on with a finished text")
        part.heard.add(delta)
        outcome = await part.watched.take(delta, chat_tokens(data.get("logprobs")))
        async for chunk in self._emit(place_of(data), part, outcome):
            yield chunk
        async for chunk in self._limit(part.watched.held + self._later.size):
            yield chunk

    async def _done(self, data: Json) -> AsyncIterator[bytes]:
        part, place = self._part(data), place_of(data)
        whole = data.get("refusal" if data["type"] == "response.refusal.done" else "text")
        if data["type"] == "response.refusal.done" and not part.heard:
            part.kind = "refusal"
        async for chunk in self._settle(place, part, whole):
            yield chunk
        if self._over:
            return
        for chunk in self._begun(place, part):
            yield chunk
        if part.text == whole:
            for note in part.notes:
                yield self._event(note)
            part.notes.clear()
        logprobs = {"logprobs": entries(part.tokens)} if data.get("logprobs") else {}
        if part.told == "begun":
            part.told = "text"
            yield self._event(part.closed(place) | logprobs)

    async def _cited(self, data: Json) -> AsyncIterator[bytes]:
        """Keep a citation until its text has been judged."""
        self._part(data).cite(place_of(data), data)
        return
        yield b""

    async def _item_added(self, data: Json) -> AsyncIterator[bytes]:
        made, index = item(object_in(data, "item")), number_in(data, "output_index")
        if index in self._items:
            return
        self.context.note_tool(made)
        if made["type"] == "message":
            made["content"] = []
        self._items[index] = copy.deepcopy(made)
        yield self._event({"type": data["type"], "output_index": index, "item": made})

    async def _item_done(self, data: Json) -> AsyncIterator[bytes]:
        index, made = number_in(data, "output_index"), item(object_in(data, "item"))
        holds = any(place[0] == index for place in self._parts)
        if index in self._closed or (is_unknown(made) and holds):
            return
        self.context.note_tool(made)
        self._come.add(index)
        async for chunk in self._judge({"output": [*[{}] * index, made]}):
            yield chunk
        async for chunk in self._send_later(index):
            yield chunk
        for place, part in sorted(self._parts.items()):
            if place[0] == index and not self._over:
                async for chunk in self._settle(place, part):
                    yield chunk
        if not self._over:
            for place, part in sorted(self._parts.items()):
                for event in self._ended(place, part) if place[0] == index else ():
                    yield event
            self._fill(index, made)
            self._items[index] = copy.deepcopy(clean_item(made))
            self._closed.add(index)
            yield self._event({"type": data["type"], "output_index": index, "item": made})

    async def _content_part(self, data: Json) -> AsyncIterator[bytes]:
        given, place = object_in(data, "part"), place_of(data)
        where = {"type": data["type"], "output_index": place[0], "content_index": place[1]}
        if str(given.get("type")).startswith("reasoning"):
            item_id = {"item_id": data["item_id"]} if mark(data.get("item_id")) else {}
            yield self._event({**where, **item_id, "part": strings(given, ("type", "text"))})
            return
        made = made_of(given)
        if not made:
            return
        part = self._part(data)
        if data["type"] == "response.content_part.added":
            part.kind = made["type"] if not part.heard else part.kind
            for chunk in self._begun(place, part):
                yield chunk
            return
        async for chunk in self._settle(place, part, said(made)):
            yield chunk
        put(made, part.text, part.tokens)
        if not self._over:
            for chunk in self._ended(place, part, made):
                yield chunk

    async def _settle(self, place: Place, part: Part, text: Any = None) -> AsyncIterator[bytes]:
        """Judge the end of a text, and before it what of ``text`` never streamed."""
        missing = "" if part.over else part.heard.rest_of(text)
        if missing:
            part.heard.add(missing)
            async for chunk in self._emit(place, part, await part.watched.whole(missing)):
                yield chunk
        if not part.over:
            cut = place == self._cut
            outcome = await part.watched.end(cut=cut, why=self._why if cut else "end")
            async for chunk in self._emit(place, part, outcome):
                yield chunk

    async def _end(self, data: Json) -> AsyncIterator[bytes]:
        """Send the answer's last event, with the texts as they were released."""
        found = response(object_in(data, "response"), self.context.asked.body)
        self._come.update(place[0] for place in self._later.places())
        for one in found["output"]:
            self.context.note_tool(one)
        async for chunk in self._judge(found):
            yield chunk
        async for chunk in self._send_later():
            yield chunk
        settled = set[Place]()
        while not self._over and (left := sorted(self._parts.keys() - settled)):
            settled.add(left[0])
            async for chunk in self._settle(left[0], self._parts[left[0]]):
                yield chunk
            async for chunk in self._send_later():
                yield chunk
        if self._over:
            return
        self._over = True
        if not self.context.summaries:
            await self.context.conclude(0, self.context.watch(0))
        self._fill_all(found["output"], whole=data["type"] == "response.completed")
        if data["type"] != "response.failed":
            for event in self._open_ended(found["output"]):
                yield event
        yield self._last(data["type"], clean(found))

    async def _judge(self, found: Json) -> AsyncIterator[bytes]:
        """Put what was released in place of every text; judge those that never streamed."""
        for place, given in texts(found):
            if not self._over:
                item_id = found["output"][place[0]].get("id")
                where = {"output_index": place[0], "content_index": place[1], "item_id": item_id}
                part = self._part(where)
                part.kind = given["type"] if part.told == "nothing" else part.kind
            if place in self._parts:
                part = self._parts[place]
                async for chunk in self._settle(place, part, said(given)):
                    yield chunk
                put(given, part.text, part.tokens)
                async for chunk in self._send_later(place[0]):
                    yield chunk
