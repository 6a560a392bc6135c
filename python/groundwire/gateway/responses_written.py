"""What the client is sent of a Responses answer that streams, and what is known of it."""

from __future__ import annotations

import copy
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator

from groundwire.gateway import sse
from groundwire.gateway.context import Context
from groundwire.gateway.errors import UpstreamFault
from groundwire.gateway.fields import mark
from groundwire.gateway.judged import ENDED_BY_GUARD
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.response_fields import WORDS
from groundwire.gateway.response_parts import Json, Part, Place, place_of
from groundwire.gateway.streamed import Streamed
from groundwire.gateway.tokens import entries
from groundwire.gateway.watched import Watched

_MOST_PARTS = 64


class ResponsesWritten(Streamed):
    """The client's side of an answer of the route: its texts, its items, how it ends."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self._parts: dict[Place, Part] = {}
        self._response: Json = {}
        self._items: dict[int, Json] = {}
        # Numbers of the items that came as a whole.
        self._closed: set[int] = set()
        # What came behind text that is held, with its bytes.
        self._later: deque[tuple[Json, int]] = deque()
        self._later_bytes, self._sends_later = 0, False
        self._number = 0
        self._over = False

    def watched(self) -> Iterator[Watched]:
        """Yield the guarded texts of the answer."""
        return (one.watched for one in self._parts.values())

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
            await self.context.conclude(part.number, part.watched)
            if outcome.stop in ENDED_BY_GUARD:
                async for chunk in self._stop("content_filter", behind=place):
                    yield chunk

    async def _limit(self, held: int) -> AsyncIterator[bytes]:
        """End an answer of which too much waits."""
        if held > self.context.limits.max_held:
            self.context.note("the limit of held text was reached")
            async for chunk in self._stop("max_output_tokens"):
                yield chunk

    async def _stop(self, reason: str, behind: Place | None = None) -> AsyncIterator[bytes]:
        """End the answer here: close what is open, and say that it is not whole.

        What stands ``behind`` a text that the guard ended goes no further.
        """
        if self._over:
            return
        self._over = True
        for place, part in sorted(self._parts.items()):
            if place[0] in self._closed:
                continue
            if behind is not None and place > behind:
                part.over = True
            if not part.over:
                part.watched.give_up()
                part.over = True
                async for chunk in self._emit(place, part, await part.watched.end(cut=True)):
                    yield chunk
                await self.context.conclude(part.number, part.watched)
            closed = part.closed(place)
            yield self._event(closed)
            kind = "response.content_part.done"
            where = {key: value for key, value in closed.items() if key not in WORDS.values()}
            yield self._event({**where, "type": kind, "part": part.done})
        whole = self._whole(behind)
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
            await self.context.conclude(part.number, part.watched)
        whole = self._whole()
        whole |= {"status": "failed", "error": {"code": fault.code, "message": str(fault)}}
        yield self._last("response.failed", whole)

    def _whole(self, end: Place | None = None) -> Json:
        """Return the response so far, up to its ``end``, its texts as they were released."""
        found = copy.deepcopy(self._response) or {
            "id": self.context.id,
            "object": "response",
            "created_at": int(time.time()),
            "model": self.context.asked.model,
        }
        items = {index: copy.deepcopy(one) for index, one in self._items.items()}
        for place, part in sorted(self._parts.items()):
            if end is not None and place > end:
                break
            index = place[0]
            one = items.setdefault(index, {"type": "message", "role": "assistant", "content": []})
            if index not in self._closed:
                one["status"] = "incomplete"
                one["content"] = [*one.get("content", ()), part.done]
        last = max(items, default=0) if end is None else end[0]
        found["output"] = [items[index] for index in sorted(items) if index <= last]
        return found

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
