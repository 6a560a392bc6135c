"""What the client is sent of a Responses answer that streams, and what is known of it."""

from __future__ import annotations

import copy
import time
from collections.abc import AsyncIterator, Iterator

from groundwire.gateway import sse
from groundwire.gateway.context import Context
from groundwire.gateway.errors import UpstreamFault
from groundwire.gateway.fields import mark
from groundwire.gateway.guarded import Ending
from groundwire.gateway.judged import ENDED_BY_GUARD
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.response_fields import clean_item, is_unknown
from groundwire.gateway.response_parts import Json, Part, Place, place_of
from groundwire.gateway.responses_later import Later
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
        # What came behind text that is held.
        self._later, self._sends_later = Later(), False
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
            for event in self._begun(place, part):
                yield event
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
        why: Ending = "length" if reason == "max_output_tokens" else "abort"
        for place, part in sorted(self._parts.items()):
            if place[0] in self._closed:
                continue
            if behind is not None and place > behind:
                part.over = True
            if not part.over:
                part.watched.give_up()
                part.over = True
                async for chunk in self._emit(
                    place, part, await part.watched.end(cut=True, why=why)
                ):
                    yield chunk
                await self.context.conclude(part.number, part.watched)
            for event in self._ended(place, part):
                yield event
        items = self._standing(behind)
        for event in self._items_ended(items):
            yield event
        whole = self._whole(items)
        whole |= {"status": "incomplete", "incomplete_details": {"reason": reason}}
        yield self._last("response.incomplete", whole)

    def _begun(self, place: Place, part: Part) -> Iterator[bytes]:
        """Tell of the item and the part that a text stands in, where nothing did so far."""
        if place[0] not in self._items:
            part.item_id = part.item_id or f"msg_{self.context.id}_{place[0]}"
            made: Json = {"id": part.item_id, "type": "message", "status": "in_progress"}
            made |= {"role": "assistant", "content": []}
            self._items[place[0]] = made
            yield self._event(
                {"type": "response.output_item.added", "output_index": place[0], "item": made}
            )
        if part.told == "nothing":
            part.item_id = part.item_id or str(self._items[place[0]].get("id", ""))
            yield self._event(part.begins(place))

    def _ended(self, place: Place, part: Part, made: Json | None = None) -> Iterator[bytes]:
        """Tell the end of a part, as far as it is not told, as the upstream ``made`` it."""
        yield from self._begun(place, part)
        for event in part.ends(place, made):
            yield self._event(event)

    def _open_ended(self, output: list[Json]) -> Iterator[bytes]:
        """Tell the end of all that is open, as it stands in the ``output`` of the upstream."""
        for place, part in sorted(self._parts.items()):
            if place[0] not in self._closed:
                yield from self._ended(place, part)
        given = {i: clean_item(one) for i, one in enumerate(output) if i in self._items}
        yield from self._items_ended({**self._standing(), **given})

    def _items_ended(self, items: dict[int, Json]) -> Iterator[bytes]:
        """Tell the end of the messages among ``items`` that are open."""
        for index, made in sorted(items.items()):
            if made.get("type") == "message" and index not in self._closed:
                self._closed.add(index)
                kind = "response.output_item.done"
                yield self._event({"type": kind, "output_index": index, "item": made})

    async def _broken(self, fault: UpstreamFault) -> AsyncIterator[bytes]:
        """Send what may still be released, and then the error."""
        self.context.fault(fault)
        for place, part in self._parts.items():
            if part.over:
                continue
            part.watched.give_up()
            outcome = await part.watched.end(cut=True, why="abort")
            part.over, self._over = True, True
            async for chunk in self._emit(place, part, outcome):
                yield chunk
            if part.heard:
                await self.context.conclude(part.number, part.watched)
        whole = self._whole(self._standing())
        whole |= {"status": "failed", "error": {"code": fault.code, "message": str(fault)}}
        yield self._last("response.failed", whole)

    def _standing(self, end: Place | None = None) -> dict[int, Json]:
        """Return the items so far, up to the answer's ``end``, their texts as they were released.

        What has not come as a whole is incomplete.
        """
        items = {index: copy.deepcopy(one) for index, one in self._items.items()}
        for index, one in items.items():
            if one.get("type") == "message" and index not in self._closed:
                one["status"] = "incomplete"
        for place, part in sorted(self._parts.items()):
            if end is not None and place > end:
                break
            blank = {"type": "message", "status": "incomplete", "role": "assistant", "content": []}
            one = items.setdefault(place[0], blank)
            if place[0] not in self._closed:
                one["content"] = [*one.get("content", ()), part.done]
        last = max(items, default=0) if end is None else end[0]
        return {index: items[index] for index in sorted(items) if index <= last}

    def _fill(self, index: int, made: Json) -> None:
        """Put the texts of an item into it that were sent, and that the upstream leaves out."""
        content = made.get("content")
        for place, part in sorted(self._parts.items()):
            if place[0] == index and isinstance(content, list):
                content += [{}] * (place[1] + 1 - len(content))
                content[place[1]] = content[place[1]] or part.done

    def _fill_all(self, output: list[Json], *, whole: bool) -> None:
        """Put what was sent into the ``output`` of a finished answer that leaves it out."""
        for index, made in self._standing().items():
            output += [{}] * (index + 1 - len(output))
            if not output[index] or (is_unknown(output[index]) and "content" in made):
                output[index] = {**made, "status": "completed"} if whole else made
            elif output[index].get("type") == "message":
                self._fill(index, output[index])

    def _whole(self, items: dict[int, Json]) -> Json:
        """Return the response so far, with these items."""
        found = copy.deepcopy(self._response) or {
            "id": self.context.id,
            "object": "response",
            "created_at": int(time.time()),
            "model": self.context.asked.model,
        }
        found["output"] = list(items.values())
        return found

    def _part(self, data: Json) -> Part:
        place = place_of(data)
        if place not in self._parts:
            if place[0] in self._closed:
                raise UpstreamFault("upstream_malformed", "the upstream went on with a closed item")
            if len(self._parts) >= _MOST_PARTS:
                raise UpstreamFault(
                    "upstream_malformed", f"the upstream sent more than {_MOST_PARTS} texts"
                )
            number = len(self._parts)
            last = max((one for one in self._parts if one < place), default=None)
            begun = None
            if last is not None:
                # What is said later is about what was said before.
                before = self._parts[last]
                begun = before.watched.behind(before.text, apart=last[0] != place[0])
            self._parts[place] = Part(number, self.context.watch(number, begun))
            self.context.places[number] = place
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
