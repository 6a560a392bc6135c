"""One text of an answer of chat or text completions, while it is relayed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from groundwire.gateway.errors import UpstreamFault, UpstreamRefused, malformed
from groundwire.gateway.judged import CALLS
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.tokens import Token
from groundwire.gateway.watched import BETWEEN, Watched

Json = dict[str, Any]
Tokens = tuple[Token, ...]
# What an answer cannot be continued behind: calls, and thoughts that are no text of it.
_OF_ANY_PART = (*CALLS, "extra_content", "images", "audio")
_NO_WAY_BACK = ("tool_call", "function_call", "reasoning", "thinking")


class Digest(Protocol):
    """What is used of a hash."""

    def update(self, data: bytes, /) -> None:
        """Take in more."""

    def digest(self) -> bytes:
        """Return the hash of all that was taken in."""


@dataclass(slots=True)
class Text:
    """One of an answer's texts."""

    index: int
    watched: Watched
    finish: str | None = None
    last: str = ""
    """The last that came of it."""
    cut: bool = False
    """Whether what ended it may have cut it inside a word."""
    over: bool = False
    place: str = ""
    """Where the text stands in the upstream's chunks."""
    divided: bool = False
    """Whether a refusal came behind content."""
    extra: Json = field(default_factory=dict)
    """Further fields of the upstream's last choice (``stop_reason`` …)."""
    notes: list[Json] = field(default_factory=list)
    """Citations that wait for the end of the text, since their places are places in it."""
    later: list[Json] = field(default_factory=list)
    """Calls that came behind text which is held."""
    waits: int = 0
    """About how many bytes these have."""
    called: bool = False
    """Whether a call has left."""
    read: bool = False
    """Whether something of it came where the route has it."""
    unread: bool = False
    """Whether a text came where the route has none."""
    heard: Digest = field(default_factory=hashlib.blake2b)
    """Of all text that came, so that a long answer costs no memory."""
    sent: Digest = field(default_factory=hashlib.blake2b)

    async def take(
        self, text: str, tokens: Tokens, behind: str = "", named: Tokens = ()
    ) -> Outcome:
        """Judge text that came, and that of another field ``behind`` it."""
        watched = self.watched
        if behind:
            watched.give_up()
        self.hear(text)
        outcome = await watched.take(text, tokens) if text or tokens else Outcome()
        if behind and not self.divided and watched.stopped is None:
            self.divided = True
            self.hear(BETWEEN)
            outcome.add(watched.divide())
        if behind and watched.stopped is None:
            self.hear(behind)
            outcome.add(await watched.take(behind, named))
        return outcome

    def see(self, choice: Json, *, reads: bool, elsewhere: bool) -> None:
        """Note whether what a choice says stands where the route has it, or ``elsewhere``.

        Raises ``UpstreamFault`` at the end of a text of which nothing did, though there was one.
        """
        self.read = self.read or reads
        self.unread = self.unread or elsewhere
        if self.unread and not self.read and choice.get("finish_reason") is not None:
            raise malformed("a choice")

    def fields(self, outcome: Outcome) -> list[tuple[str, list[Token], str]]:
        """Return what was released by the fields it belongs to, with its tokens."""
        if outcome.divided is None:
            return [(outcome.text, outcome.tokens, self.place)]
        at, token = outcome.divided
        first = (outcome.text[:at], outcome.tokens[:token], self.place)
        self.place = "refusal"
        return [first, (outcome.text[at:], outcome.tokens[token:], self.place)]

    def hear(self, text: str) -> None:
        """Note text that came."""
        self.last = text or self.last
        self.heard.update(text.encode("utf-8", "surrogatepass"))

    def send(self, text: str) -> None:
        """Note text that left."""
        self.sent.update(text.encode("utf-8", "surrogatepass"))

    def keep_calls(self, rest: Json) -> Json:
        """Keep the calls in ``rest`` while text before them is held; return what is no call."""
        waiting = {name: rest[name] for name in CALLS if name in rest}
        if not waiting or not (self.watched.held or self.later):
            self.called = self.called or any(waiting.values())
            return rest
        self.later.append(waiting)
        self.waits += len(json.dumps(waiting))
        return {name: value for name, value in rest.items() if name not in waiting}

    def take_later(self) -> list[Json]:
        """Return the calls that waited, which leave now."""
        found = list(self.later)
        self.called = self.called or any(any(one.values()) for one in found)
        self.drop_later()
        return found

    def drop_later(self) -> None:
        """Forget the calls that waited."""
        self.later.clear()
        self.waits = 0

    async def end(self) -> Outcome:
        """Judge the text's end, which a limit or a stop string may have made."""
        limited = self.finish == "length"
        return await self.watched.end(cut=self.cut or limited, why="length" if limited else "end")

    @property
    def cited(self) -> Json:
        """The citations, if the text left as it came."""
        same = self.notes and self.heard.digest() == self.sent.digest()
        return {"annotations": self.notes} if same else {}


def all_ended(texts: Iterable[Text]) -> bool:
    """Whether every text has ended: for the upstream, or for the guard before it."""
    return all(text.over or text.finish for text in texts)


def ends_short(texts: Collection[Text]) -> bool:
    """Whether the upstream ended every text that it began, if it began fewer than it was asked."""
    return bool(texts) and all(text.finish for text in texts)


def has_no_way_back(name: str) -> bool:
    """Whether an answer with this field cannot be continued from a place before it."""
    return name.startswith(_NO_WAY_BACK)


def still_counts(rest: Json) -> Json:
    """Return what counts of a continuation's ``rest``: its calls and media.

    The role stands there already, and citations name places in another text.
    """
    return {name: rest[name] for name in _OF_ANY_PART if rest.get(name)}


def choices_in(data: Json) -> list[Any]:
    """Return a chunk's choices; raises ``UpstreamFault`` where there are none."""
    choices = data.get("choices")
    if choices is None and ("choices" in data or data.get("usage") or "error" in data):
        # A report of usage, or an error that is none.
        return []
    if not isinstance(choices, list):
        raise UpstreamFault("upstream_malformed", "the upstream sent a chunk without choices")
    return choices


def number_of(choice: Any, count: int) -> int:
    """Return the number of a choice, of ``count``; raises ``UpstreamFault`` for none."""
    if not isinstance(choice, dict):
        raise UpstreamFault("upstream_malformed", "the upstream sent a choice in no known form")
    index = choice.get("index", 0)
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < count:
        raise UpstreamFault(
            "upstream_malformed", f"the upstream sent a choice with the index {index!a:.20}"
        )
    return index


def refused_body(refused: UpstreamRefused) -> Json:
    """Return the error of an upstream that refused to continue an answer."""
    fault = UpstreamFault(
        "upstream_error", f"the upstream refused to continue the answer ({refused.status})"
    )
    return fault.body()
