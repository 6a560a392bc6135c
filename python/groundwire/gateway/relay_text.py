"""One text of an answer of chat or text completions, while it is relayed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from groundwire.gateway.tokens import Token
from groundwire.gateway.watched import Watched

Json = dict[str, Any]


@dataclass(slots=True)
class Text:
    """One of an answer's texts."""

    index: int
    watched: Watched
    finish: str | None = None
    over: bool = False
    place: str = ""
    """Where the text stands in the upstream's chunks."""
    silent: tuple[Token, ...] = ()
    """Tokens without text so far: parts of a character, or the one that ends the answer."""
    extra: Json = field(default_factory=dict)
    """Further fields of the upstream's last choice (``stop_reason`` …)."""
    notes: list[Json] = field(default_factory=list)
    """Citations that wait for the end of the text, since their places are places in it."""
    later: list[Json] = field(default_factory=list)
    """Calls that came behind text which is held."""
    heard: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)

    @property
    def cited(self) -> Json:
        """The citations, if the text left as it came."""
        same = self.notes and "".join(self.heard) == "".join(self.sent)
        return {"annotations": self.notes} if same else {}
