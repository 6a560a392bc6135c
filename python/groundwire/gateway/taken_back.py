"""Text that was taken back, as far as the claim in it reaches."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundwire import _core
from groundwire.gateway.tokens import Piece
from groundwire.integrations._text import rest_of

if TYPE_CHECKING:
    from groundwire.findings import Intervention

_MARK = 8
"""Bytes of a mark ("12. ", "- [ ] ") that may stand before the first words of an answer."""
_TAIL = 2048
"""Characters before the text that was taken back in which its sentence may begin."""


def began_with(done: Sequence[Intervention], lead: str) -> str:
    """Return what an answer behind ``lead`` began with, if that was taken back; else nothing."""
    first = len(lead.encode()) + _MARK
    return next((one.retracted for one in done if one.span[0] <= first and one.retracted), "")


def still_stands(gone: list[Piece], done: Intervention) -> deque[Piece]:
    """Return the pieces of ``gone`` that stand behind what was put in all the same."""
    rest, stays = rest_of(done), deque[Piece]()
    for piece in reversed(gone):
        if not piece.text or not rest.endswith(piece.text):
            break
        rest = rest.removesuffix(piece.text)
        stays.appendleft(piece)
    if rest:
        lost = gone[: len(gone) - len(stays)]
        stays.appendleft(Piece(rest, begins=any(piece.begins for piece in lost)))
    return stays


def up_to_claim(before: str, gone: str, done: Intervention) -> str:
    """Return ``gone``, text behind ``before``, up to the end of the claim that ``done`` is about.

    What stands behind it is the beginning of a sentence that nobody goes on with.
    """
    ends = [one.byte_span[1] - 1 for one in done.findings if one.byte_span is not None]
    # A note about what the reader has may stand in the next sentence.
    place = max(ends if ends and done.already_sent else [done.span[0], *ends])
    tail = before[-_TAIL:]
    text = tail + gone
    # Places count bytes of the whole text, sentences code points of what is looked at.
    place -= len(before[: len(before) - len(tail)].encode())
    at = len(text.encode()[: max(place, 0)].decode("utf-8", "ignore"))
    for one in json.loads(_core.segments(text)):
        start, end = one["span"]
        if start <= at < end:
            return gone[: max(0, end - len(tail))]
    return gone
