"""Tokens put beside the text they make, however far they run ahead of it.

A server that looks for stop strings holds text back, but not what it says of the tokens in it. A
token waits here until its text has come, so that it can leave with that text and not before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from groundwire.gateway.tokens import Piece, Token, no_text

PIECE = 512
"""Characters of a text that are judged at once where its tokens are not known."""
_MOST, _MOST_BYTES = 512, 64 * 1024
"""Tokens that may wait for their text, and their bytes."""
_SURE = 4
"""Bytes by which a place is known again where tokens and text have come apart."""
_FAR, _WIDE = 64, 256
"""Tokens and bytes of text that are looked through for such a place."""


class Ahead:
    """The tokens of one text whose own text has not come yet."""

    def __init__(self) -> None:
        self._waiting: deque[Token] = deque()
        self._inside = 0
        """Bytes of the first of them that stand in the text already."""

    def take(self, text: str, tokens: Iterable[Token]) -> Iterator[Piece]:
        """Yield ``text`` a token at a time where tokens are its bytes; ``tokens`` came with it.

        Tokens that end inside a character, or inside a line's end of two, are joined with the next
        ones. Those without a text of
        their own (marks of a template) go with the token behind them.
        """
        fresh = tuple(tokens)
        alone = len(fresh) == 1 and not self._waiting
        self.wait(fresh)
        data, at = text.encode(), 0
        group, size = list[Token](), 0
        while at + size < len(data) and self._waiting:
            token, ahead = self._waiting[0], data[at + size :]
            rest = token.data[self._inside :]
            if rest and ahead.startswith(rest):
                self._next()
                group.append(token)
                size += len(rest)
                inside = data[at + size - 1 : at + size + 1] == b"\r\n"
                if not inside and (part := _decoded(data[at : at + size])):
                    yield Piece(part, tuple(group))
                    at, group, size = at + size, [], 0
            elif rest and rest.startswith(ahead):
                self._inside += len(ahead)
                yield Piece(data[at:].decode(), tuple(group), len(ahead))
                return
            elif not self._inside and no_text(token):
                self._next()
                group.append(replace(token, silent=True))
            elif (place := self._again(data, at)) is not None:
                yield from _unknown(data[at:place])
                at, group, size = place, [], 0
            else:
                while len(self._waiting) > len(fresh):
                    self._next()
                self._inside = 0
                if alone and at == 0:
                    # Named otherwise than its text: its numbers are the text's all the same.
                    self._waiting.clear()
                    yield from _unknown(data, fresh)
                    return
                break
        yield from _unknown(data[at:])
        self._limit()

    def wait(self, tokens: Iterable[Token]) -> None:
        """Keep tokens until their text has come."""
        self._waiting.extend(tokens)

    def all(self) -> list[Token]:
        """Take and return everything that waits, where nothing is judged."""
        found = [*self._waiting]
        self._waiting.clear()
        self._inside = 0
        return found

    def left(self) -> list[Token]:
        """Take and return what at a text's end is left of tokens that have no text of their own."""
        return [replace(token, silent=True) for token in self.all() if no_text(token)]

    def _next(self) -> None:
        self._waiting.popleft()
        self._inside = 0

    def _again(self, data: bytes, at: int) -> int | None:
        """Find where a text goes on with tokens that wait; drop those before them."""
        for skipped in range(min(len(self._waiting), _FAR)):
            ahead = b""
            for token in islice(self._waiting, skipped, None):
                ahead += token.data
                if len(ahead) >= 2 * _SURE:
                    break
            if len(ahead) < _SURE:
                return None
            place = data.find(ahead[: 2 * _SURE], at, at + _WIDE)
            if place < 0 and len(data) - at < _WIDE:
                # What of them has come may be the end of this text.
                place = next(
                    (
                        len(data) - size
                        for size in range(min(len(ahead), len(data) - at), _SURE - 1, -1)
                        if ahead.startswith(data[len(data) - size :])
                    ),
                    -1,
                )
            if place >= 0 and (place > at or skipped or self._inside) and _whole(data[at:place]):
                for _ in range(skipped):
                    self._next()
                self._inside = 0
                return place
        return None

    def _limit(self) -> None:
        size = sum(len(token.data) for token in self._waiting)
        while len(self._waiting) > _MOST or size > _MOST_BYTES:
            size -= len(self._waiting[0].data)
            self._next()


def _unknown(data: bytes, tokens: tuple[Token, ...] = ()) -> Iterator[Piece]:
    """Yield text whose tokens are not known, but maybe the numbers of its one token."""
    text = data.decode()
    if len(text) <= PIECE:
        yield from [Piece(text, tokens)] if text else ()
        return
    at = 0
    while at < len(text):
        to = at + PIECE
        to += text[to - 1 : to + 1] == "\r\n"
        yield Piece(text[at:to])
        at = to


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return ""


def _whole(data: bytes) -> bool:
    return not data or bool(_decoded(data))
