"""``/v1/responses`` as a stream of events, each of which is checked or known to hold no answer."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from groundwire.gateway import sse
from groundwire.gateway.context import Context
from groundwire.gateway.errors import UpstreamFault
from groundwire.gateway.fields import mark, strings
from groundwire.gateway.judged import ENDED_BY_GUARD
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.response_fields import WORDS, clean, clean_item, event, item, response
from groundwire.gateway.response_fields import part as made_of
from groundwire.gateway.response_parts import (
    Closing,
    Json,
    Part,
    Place,
    cut_in,
    kind_of,
    number_in,
    object_in,
    place_of,
    put,
    said,
    so_far,
    texts,
    unheard,
)
from groundwire.gateway.streamed import Streamed
from groundwire.gateway.tokens import chat_tokens, entries
from groundwire.gateway.upstream import as_object
from groundwire.gateway.watched import Watched

_MOST_PARTS = 64
_BEGINS = ("response.created", "response.queued", "response.in_progress")
_ENDS = ("response.completed", "response.incomplete", "response.failed")


class ResponsesRelay(Streamed):
    """An answer of the route that streams."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self._parts: dict[Place, Part] = {}
        self._response = unheard(context.id, context.asked.model)
        self._items: dict[int, Json] = {}
        # Numbers of the items that came as a whole.
        self._closed: set[int] = set()
        self._number = 0
        self._over = False
        self._closing = Closing(context.asked.body)
        self._cut: Place | None = None
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

    def watched(self) -> Iterator[Watched]:
        """Yield the guarded texts of the answer."""
        return (one.watched for one in self._parts.values())

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
                for place, part in list(self._parts.items()):
                    if not part.over:
                        async for chunk in self._emit(place, part, part.watched.poll()):
                            yield chunk
            if comment := self.alive():
                yield comment
            if event is None:
                continue
            if event.data.strip() in {b"[DONE]", b"", b"{}"}:
                continue
            async for chunk in self._read(as_object(event.data, "event")):
                yield chunk

    async def _read(self, data: Json) -> AsyncIterator[bytes]:
        """Handle one event of the upstream, behind those that waited for it."""
        kind = kind_of(data)
        events = self._closing.ready(data)
        if kind in _ENDS:
            found = response(object_in(data, "response"), self.context.asked.body)
            self._cut = cut_in(found, kind, self._parts)
        for one in events:
            if not self._over:
                async for chunk in self._handle(one):
                    yield chunk

    async def _handle(self, data: Json) -> AsyncIterator[bytes]:
        """Handle one event; those of an unknown kind go no further."""
        kind = kind_of(data)
        handle = self._handlers.get(kind)
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
        if part.over:
            return
        if not isinstance(delta, str):
            raise UpstreamFault("upstream_malformed", "the upstream sent a delta of no text")
        part.heard += len(delta)
        outcome = part.watched.push(delta, chat_tokens(data.get("logprobs")))
        async for chunk in self._emit(place_of(data), part, outcome):
            yield chunk
        if part.watched.held > self.context.limits.max_held:
            self.context.note("the limit of held text was reached")
            async for chunk in self._stop("max_output_tokens"):
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
        if part.text == whole:
            for note in part.notes:
                yield self._event(note)
        logprobs = {"logprobs": entries(part.tokens)} if data.get("logprobs") else {}
        yield self._event(part.closed(place) | logprobs)

    async def _cited(self, data: Json) -> AsyncIterator[bytes]:
        """Keep a citation until its text has been judged."""
        self._part(data).cite(place_of(data), data)
        return
        yield b""

    async def _item_added(self, data: Json) -> AsyncIterator[bytes]:
        made, index = item(object_in(data, "item")), number_in(data, "output_index")
        if not made:
            return
        if made["type"] == "message":
            made["content"] = []
        self._items[index] = copy.deepcopy(made)
        yield self._event({"type": data["type"], "output_index": index, "item": made})

    async def _item_done(self, data: Json) -> AsyncIterator[bytes]:
        index, made = number_in(data, "output_index"), item(object_in(data, "item"))
        if not made:
            return
        async for chunk in self._judge({"output": [*[{}] * index, made]}):
            yield chunk
        if not self._over:
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
            made[WORDS[made["type"]]] = ""
            made.pop("logprobs", None)
        else:
            async for chunk in self._settle(place, part, said(made)):
                yield chunk
            put(made, part.text, part.tokens)
        if not self._over:
            yield self._event({**where, "item_id": part.item_id, "part": made})

    async def _settle(self, place: Place, part: Part, text: Any = None) -> AsyncIterator[bytes]:
        """Judge the end of a text, and before it what of ``text`` never streamed."""
        missing = text[part.heard :] if isinstance(text, str) else ""
        if missing and not part.over:
            part.heard += len(missing)
            async for chunk in self._emit(place, part, await part.watched.whole(missing)):
                yield chunk
        if not part.over:
            cut = place == self._cut
            async for chunk in self._emit(place, part, await part.watched.end(cut=cut)):
                yield chunk

    async def _emit(self, place: Place, part: Part, outcome: Outcome) -> AsyncIterator[bytes]:
        """Send what was released; end the answer if the guard does."""
        part.take(outcome)
        details = self.context.details(outcome)
        if outcome.text:
            found: Json = {
                "type": f"response.{part.kind}.delta",
                "item_id": part.item_id,
                "output_index": place[0],
                "content_index": place[1],
                "delta": outcome.text,
            }
            if part.kind == "output_text":
                found["logprobs"] = entries(outcome.tokens)
            yield self._event(found | ({"groundwire": details} if details else {}))
        if outcome.stop is not None and not part.over:
            part.over = True
            self.context.conclude(part.number, part.watched)
            if outcome.stop in ENDED_BY_GUARD:
                async for chunk in self._stop("content_filter"):
                    yield chunk

    async def _end(self, data: Json) -> AsyncIterator[bytes]:
        """Send the answer's last event, with the texts as they were released."""
        found = response(object_in(data, "response"), self.context.asked.body)
        async for chunk in self._judge(found):
            yield chunk
        for place, part in list(self._parts.items()):
            if not self._over:
                async for chunk in self._settle(place, part):
                    yield chunk
        if self._over:
            return
        self._over = True
        if not self.context.summaries:
            self.context.conclude(0, self.context.watch(0))
        yield self._last(data["type"], clean(found))

    async def _judge(self, found: Json) -> AsyncIterator[bytes]:
        """Put what was released in place of every text; judge those that never streamed."""
        for place, given in texts(found):
            if not self._over:
                self._part({"output_index": place[0], "content_index": place[1]})
            if place in self._parts:
                part = self._parts[place]
                async for chunk in self._settle(place, part, said(given)):
                    yield chunk
                put(given, part.text, part.tokens)

    async def _stop(self, reason: str) -> AsyncIterator[bytes]:
        """End the answer here: close what is open, and say that it is not whole."""
        if self._over:
            return
        self._over = True
        for place, part in self._parts.items():
            if not part.over:
                part.watched.give_up()
                part.over = True
                async for chunk in self._emit(place, part, await part.watched.end(cut=True)):
                    yield chunk
                self.context.conclude(part.number, part.watched)
            closed = part.closed(place)
            yield self._event(closed)
            kind = "response.content_part.done"
            where = {key: value for key, value in closed.items() if key not in WORDS.values()}
            yield self._event({**where, "type": kind, "part": part.done})
        whole = so_far(self._response, self._items, self._closed, self._parts)
        whole |= {"status": "incomplete", "incomplete_details": {"reason": reason}}
        yield self._last("response.incomplete", whole)

    async def _broken(self, fault: UpstreamFault) -> AsyncIterator[bytes]:
        """Send what may still be released, and then the error."""
        self.context.fault(fault)
        for place, part in self._parts.items():
            if part.over:
                continue
            part.watched.give_up()
            outcome = await part.watched.end(cut=True)
            part.over, self._over = True, True
            async for chunk in self._emit(place, part, outcome):
                yield chunk
            self.context.conclude(part.number, part.watched)
        whole = so_far(self._response, self._items, self._closed, self._parts)
        whole |= {"status": "failed", "error": {"code": fault.code, "message": str(fault)}}
        yield self._last("response.failed", whole)

    def _part(self, data: Json) -> Part:
        place = place_of(data)
        if place not in self._parts:
            if len(self._parts) >= _MOST_PARTS:
                raise UpstreamFault(
                    "upstream_malformed", f"the upstream sent more than {_MOST_PARTS} texts"
                )
            number = len(self._parts)
            self._parts[place] = Part(number, self.context.watch(number))
        part = self._parts[place]
        if not part.item_id and mark(data.get("item_id")):
            part.item_id = data["item_id"]
        return part

    def _last(self, kind: str, found: Json) -> bytes:
        """Return the event that ends the answer, with what was found."""
        self.ended = True
        found["groundwire"] = self.context.summary()
        return self._event({"type": kind, "response": found})

    def _event(self, data: Json) -> bytes:
        number, self._number = self._number, self._number + 1
        return sse.encode({**data, "sequence_number": number}, str(data["type"]))
