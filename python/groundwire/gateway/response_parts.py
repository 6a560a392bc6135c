"""Responses and their events taken apart: where texts stand in them."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from groundwire.gateway.errors import UpstreamFault, error_in, upstream_error
from groundwire.gateway.fields import citations
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.response_fields import WORDS
from groundwire.gateway.tokens import Token, entries
from groundwire.gateway.watched import Watched

Json = dict[str, Any]
Place = tuple[int, int]
_MOST_NOTES = 256
_MOST_WAITING = 16
_CLOSES = (
    "response.output_text.done", "response.refusal.done", "response.content_part.done",
    "response.output_item.done",
)  # fmt: skip
"""Events that close what came last, all of which may stand before the answer's own end."""


@dataclass(slots=True)
class Part:
    """One text of the answer."""

    number: int
    watched: Watched
    item_id: str = ""
    heard: int = 0
    """Characters that the upstream sent."""
    kind: str = "output_text"
    """Or ``refusal``."""
    text: str = ""
    notes: list[Json] = field(default_factory=list)
    """Citations that wait for the end of the text, since their places are places in it."""
    tokens: list[Token] = field(default_factory=list)
    over: bool = False

    @property
    def done(self) -> Json:
        """The part, as it stands in an item."""
        more: Json = {"annotations": []} if self.kind == "output_text" else {}
        return {"type": self.kind, WORDS[self.kind]: self.text, **more}

    def take(self, outcome: Outcome) -> None:
        """Keep what was released."""
        self.text += outcome.text
        self.tokens += outcome.tokens

    def closed(self, place: Place) -> Json:
        """Return the event that ends the text."""
        found = self._at(place, f"response.{self.kind}.done")
        return {**found, WORDS[self.kind]: self.text}

    def cite(self, place: Place, data: Json) -> None:
        """Keep the citation of an event until its text has been judged."""
        found = citations([data.get("annotation")])
        if found and len(self.notes) < _MOST_NOTES:
            note = self._at(place, "response.output_text.annotation.added")
            more = {"annotation_index": number_in(data, "annotation_index")}
            self.notes.append({**note, **more, "annotation": found[0]})

    def _at(self, place: Place, kind: str) -> Json:
        where = {"output_index": place[0], "content_index": place[1]}
        return {"type": kind, "item_id": self.item_id, **where}


class Closing:
    """Events that end a text: under a limit of tokens they wait for what tells why it ended.

    Args:
        body: the request.
    """

    def __init__(self, body: Json) -> None:
        self._limited = body.get("max_output_tokens") is not None
        self._waiting: list[Json] = []

    def ready(self, data: Json) -> list[Json]:
        """Return the events to handle by now, of which ``data`` is the last."""
        self._waiting.append(data)
        full = len(self._waiting) > _MOST_WAITING
        if self._limited and data["type"] in _CLOSES and not full:
            return []
        found, self._waiting = self._waiting, []
        return found


def unheard(number: str, model: str | None) -> Json:
    """Return a response of which nothing has come."""
    head: Json = {"id": number, "object": "response", "created_at": int(time.time())}
    return {**head, "model": model}


def so_far(begun: Json, given: dict[int, Json], closed: set[int], parts: dict[Place, Part]) -> Json:
    """Return a response as far as it came, its texts as they were released.

    Args:
        begun: the response as it began.
        given: its items.
        closed: numbers of those that came as a whole.
        parts: the texts.

    """
    items = {index: copy.deepcopy(one) for index, one in given.items()}
    for (index, _), part in sorted(parts.items()):
        one = items.setdefault(index, {"type": "message", "role": "assistant", "content": []})
        if index not in closed:
            one["status"] = "incomplete"
            one["content"] = [*one.get("content", ()), part.done]
    return {**begun, "output": [items[index] for index in sorted(items)]}


def texts(response: Json) -> Iterator[tuple[tuple[int, int], Json]]:
    """Yield the texts of a response: their place, and the part that holds them."""
    for i, item in enumerate(response["output"]):
        for j, part in enumerate(item.get("content", ()) if item.get("type") == "message" else ()):
            if part:
                yield (i, j), part


def said(part: Json) -> str:
    """Return the text of a part."""
    return str(part[WORDS[part["type"]]])


def put(part: Json, text: str, tokens: list[Token]) -> None:
    """Put text into a part; notes about places in another text are left out."""
    if text != said(part) and part.get("annotations"):
        part["annotations"] = []
    part[WORDS[part["type"]]] = text
    if part.get("logprobs"):
        part["logprobs"] = entries(tokens)


def cut_in(response: Json, kind: str = "", places: Iterable[Place] = ()) -> Place | None:
    """Return where the text stands that an answer's end broke off; none where it is whole.

    Whatever the answer was limited to, only the last text of one that says itself not to be whole
    was cut.

    Args:
        response: the answer.
        kind: the event that it came with.
        places: texts of it that streamed.

    """
    broken = kind in {"response.incomplete", "response.failed"}
    if not broken and response.get("status") not in {"incomplete", "failed"}:
        return None
    output = response.get("output") or []
    last = max([*places, *(place for place, _ in texts({"output": output}))], default=None)
    return last if last is not None and last[0] >= len(output) - 1 else None


def filtered(response: Json) -> None:
    """Say that an answer is not whole, and why."""
    response["status"] = "incomplete"
    response["incomplete_details"] = {"reason": "content_filter"}


def place_of(data: Json) -> Place:
    """Return where an event's text stands: the item, and the part of it."""
    return number_in(data, "output_index"), number_in(data, "content_index")


def kind_of(data: Json) -> str:
    """Return what an event is; raises ``UpstreamFault`` for errors, and for what says no kind."""
    kind = data.get("type")
    if kind == "error" or error_in(data) is not None:
        raise upstream_error(error_in(data) or data)
    if not isinstance(kind, str):
        raise UpstreamFault("upstream_malformed", "the upstream sent an event without a type")
    return kind


def number_in(data: Json, name: str) -> int:
    """Return an index of an event; raises ``UpstreamFault`` for what is none."""
    value = data.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1024:
        raise UpstreamFault("upstream_malformed", f"the upstream sent {name} {value!a:.20}")
    return value


def object_in(data: Json, name: str) -> Json:
    """Return an object in an event; raises ``UpstreamFault`` if there is none."""
    value = data.get(name)
    if not isinstance(value, dict):
        raise UpstreamFault("upstream_malformed", f"the upstream sent an event without {name}")
    return value
