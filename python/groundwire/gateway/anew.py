"""An upstream that was to go on with an answer, and begins it anew.

The probe asks once; behind a router, or after an update, others may answer. What an upstream sends
first is therefore held until it is certain that it is not the answer's own beginning once more.
"""

from __future__ import annotations

import json

from groundwire import _core
from groundwire.gateway.continuation import Continuation
from groundwire.gateway.tokens import Token

ENOUGH = 16
"""Characters of the answer's beginning, or of a sentence's, that nobody goes on with by chance."""
_LEAST = 4
"""Characters of the shortest text that counts as a beginning."""
_SPACED = 64
"""Characters that have to be the same behind white space: sentences may begin alike."""
_SPACED_LEAST = 24
"""Characters of the shortest text that counts as a beginning behind white space."""
_TAIL = 2048
"""Characters at the end of an answer whose last sentences are looked at."""


class Anew:
    """Looks at the first text behind a place where an answer was cut.

    A text that goes on begins with white space or a mark, or within a word; one that begins anew is
    the beginning of the answer, or of one of its last sentences, to the letter. Behind white space
    that has to be as good as all of it.

    Args:
        prefix: the answer up to that place, without what the gateway put there: an answer that is
            begun anew has the model's own words.
        first: what the answer began with, if that was taken back.
        lead: what the answer goes on with, which may be begun anew as well.
    """

    def __init__(self, prefix: str, first: str = "", lead: str = "") -> None:
        kept = _starts(prefix.rstrip())
        # What was taken back may well be said anew, behind a space.
        self._spaced = [start for start in kept if len(start) >= _SPACED_LEAST]
        before = _starts((lead + prefix).rstrip()) if lead else []
        starts = (*kept, *before, first.strip())
        self._starts = [start for start in starts if len(start) >= _LEAST]
        self.held = ""
        self.tokens: tuple[Token, ...] = ()

    def hear(self, text: str, tokens: tuple[Token, ...] = (), *, ends: bool = False) -> bool | None:
        """Take in more; true if the upstream begins anew, none while that is open.

        Args:
            text: what came; it is in ``held`` from then on.
            tokens: the upstream's tokens in it.
            ends: nothing more will come.
        """
        self.held += text
        self.tokens += tokens
        if not self.held:
            return False if ends else None
        said = self.held.lstrip()
        spaced = len(said) < len(self.held)
        starts, most = (self._spaced, _SPACED) if spaced else (self._starts, ENOUGH)
        open_ = not said
        for start in starts:
            needed = start[:most]
            if said.startswith(needed):
                return True
            open_ = open_ or needed.startswith(said)
        return None if open_ and not ends else False


class Joint:
    """The first text behind a place where an answer was cut, as it streams in.

    Args:
        more: how the upstream was asked to go on.
        written: the answer up to that place and the rest, as ``Anew`` takes them.

    Attributes:
        anew: whether the upstream began anew, so that nothing it sends counts.
    """

    def __init__(self, more: Continuation, written: tuple[str, str, str]) -> None:
        self.anew = False
        self._more = more
        self._fresh = True
        self._doubt: Anew | None = Anew(*written)

    def take(
        self, text: str, tokens: tuple[Token, ...], *, ends: bool
    ) -> tuple[str, tuple[Token, ...]]:
        """Return what counts by now of the text, without space that stands there already."""
        if self._doubt is not None:
            begun = self._doubt.hear(text, tokens, ends=ends)
            if begun is None or begun:
                self.anew = bool(begun)
                return "", ()
            text, tokens = self._doubt.held, self._doubt.tokens
            self._doubt = None
        if text and self._fresh:
            joined = self._more.joined(text)
            tokens = tokens if joined == text else ()
            text, self._fresh = joined, not joined
        return text, tokens


def _starts(prefix: str) -> list[str]:
    """Return the answer from its beginning on, and from its last two sentences' beginnings on."""
    tail = prefix[-_TAIL:]
    spans = [one["span"] for one in json.loads(_core.segments(tail))]
    return [prefix.lstrip(), *(tail[start:] for start, _ in spans[-2:])]
