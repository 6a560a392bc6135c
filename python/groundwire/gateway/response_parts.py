"""Responses and their events taken apart: where texts stand in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal

from groundwire.gateway.errors import UpstreamFault, error_in, upstream_error
from groundwire.gateway.fields import citations
from groundwire.gateway.guarded import Ending
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.response_fields import WORDS
from groundwire.gateway.tokens import Token, entries
from groundwire.gateway.watched import Watched

Json = dict[str, Any]
Place = tuple[int, int]
_MOST_NOTES = 256
_OF_TEXT = ("response.output_text.", "response.refusal.", "response.content_part.")
_OF_ITEMS = "response.output_item."


class Heard:
    """What streamed of a text: its length and its hashes, as a long one would cost memory."""

    def __init__(self) -> None:
        self._size = 0
        self._whole, self._bare, self._space = blake2b(), blake2b(), ""

    def __bool__(self) -> bool:
        """Whether anything came."""
        return self._size > 0

    def add(self, text: str) -> None:
        """Take in what came next."""
        self._size += len(text)
        self._whole.update(_bytes(text))
        text = self._space + text
        bare = text.rstrip()
        self._space = text[len(bare) :] if bare else text
        self._bare.update(_bytes(bare))

    def rest_of(self, text: Any) -> str:
        """Return what of a finished text never streamed.

        Raises:
            UpstreamFault: it is another text than the one that streamed. Only space at its end may
                be missing, or all of it.

        """
        if not isinstance(text, str) or not text.strip():
            return text if isinstance(text, str) and not self else ""
        begin = _bytes(text[: self._size])
        if blake2b(begin).digest() == self._whole.digest():
            return text[self._size :]
        if blake2b(_bytes(text.rstrip())).digest() == self._bare.digest():
            return ""
        raise UpstreamFault(
            "upstream_malformed", "the upstream's finished text is not the one that it streamed"
        )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@dataclass(slots=True)
class Part:
    """One text of the answer."""

    number: int
    watched: Watched
    item_id: str = ""
    heard: Heard = field(default_factory=Heard)
    """What the upstream sent."""
    kind: str = "output_text"
    """Or ``refusal``."""
    text: str = ""
    notes: list[Json] = field(default_factory=list)
    """Citations that wait for the end of the text, since their places are places in it."""
    tokens: list[Token] = field(default_factory=list)
    over: bool = False
    told: Literal["nothing", "begun", "text", "all"] = "nothing"
    """How far the client knows of it: that it is there, that its text is whole, that it is."""

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

    def ends(self, place: Place, made: Json | None = None) -> Iterator[Json]:
        """Yield the events that end the part, as far as they are to come."""
        if self.told == "begun":
            yield self.closed(place)
        if self.told != "all":
            yield {**self._at(place, "response.content_part.done"), "part": made or self.done}
        self.told = "all"

    def begins(self, place: Place) -> Json:
        """Return the event that begins the part."""
        self.told = "begun"
        empty = {**self.done, WORDS[self.kind]: ""}
        return {**self._at(place, "response.content_part.added"), "part": empty}

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


def ending(response: Json, kind: str = "") -> Ending:
    """Return why the text that an answer's end broke off is not whole."""
    failed = "failed" in {response.get("status"), kind.removeprefix("response.")}
    return "abort" if failed else "length"


def filtered(response: Json) -> None:
    """Say that an answer is not whole, and why."""
    response["status"] = "incomplete"
    response["incomplete_details"] = {"reason": "content_filter"}


def end_at(response: Json, place: Place) -> None:
    """Take out what stands behind the text at ``place``, which the guard ended: calls, too."""
    index, number = place
    del response["output"][index + 1 :]
    item = response["output"][index]
    del item["content"][number + 1 :]
    item["status"] = "incomplete"


def is_behind(data: Json, place: Place) -> bool:
    """Whether an event belongs to a part or an item behind the part at ``place``."""
    of_text = kind_of(data).startswith(_OF_TEXT)
    if not of_text and not kind_of(data).startswith(_OF_ITEMS) and "output_index" not in data:
        # Whose event it is, is not told: it comes in the order that it was sent in.
        return True
    index = number_in(data, "output_index")
    return index > place[0] or (of_text and place_of(data) > place)


def begun_by(data: Json) -> Place | None:
    """Return where an event's text stands, or what stands before its item's parts; else none."""
    if kind_of(data).startswith(_OF_TEXT):
        return place_of(data)
    return (number_in(data, "output_index"), -1) if "output_index" in data else None


def before(data: Json) -> Place | None:
    """Return the part before that of an event's text, on which its meaning may rest; else none."""
    index, number = place_of(data) if kind_of(data).startswith(_OF_TEXT) else (0, 0)
    return (index, number - 1) if number else None


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
