"""What survives of one text of an answer, piece by piece as the guard read it."""

from __future__ import annotations

from collections import deque
from itertools import takewhile, zip_longest

from groundwire.gateway.outcome import Outcome
from groundwire.gateway.tokens import Piece, Token

_TAIL = 4096
"""Bytes of the text that left last, among which a token's own are looked for."""

_BESIDE = 64
"""Characters on either side by which a place is known again."""


class Pieces:
    """The pieces of a text; those that have left only count.

    Args:
        keeps: whether what has left stands in the prefix of a continuation.
        details: whether released text is to be shown piece by piece.
    """

    def __init__(self, *, keeps: bool, details: bool) -> None:
        self._keeps, self._details = keeps, details
        self._gone: list[str] = []
        self._said: list[str] = []
        self._dropped = 0
        self._pieces: deque[Piece] = deque()
        # Bytes of the pieces, and of how much of them has left.
        self._bytes = self._left = 0
        self._tail = b""

    @property
    def text(self) -> str:
        """What has not left yet as whole pieces."""
        return "".join(piece.text for piece in self._pieces)

    @property
    def prefix(self) -> str:
        """All of the text, as far as what has left is kept."""
        if len(self._gone) > 1:
            self._gone = ["".join(self._gone)]
        return "".join([*self._gone, self.text])

    @property
    def said(self) -> str:
        """What the reader was sent, as far as that is kept."""
        return "".join(self._said)

    def add(self, piece: Piece) -> None:
        """Take in what came next."""
        self._pieces.append(piece)
        self._bytes += len(piece.text.encode())

    def cut(self, keep: int) -> list[Piece]:
        """Forget what came after the first ``keep`` pieces, and return it."""
        gone: list[Piece] = []
        while self._pieces and self._dropped + len(self._pieces) > keep:
            gone.append(self._pieces.pop())
            self._bytes -= len(gone[-1].text.encode())
        gone.reverse()
        return gone

    def leave(self, text: str, held: int, outcome: Outcome) -> None:
        """Note that ``text`` has left, up to ``held`` bytes before the end.

        Its tokens are added to the outcome if it left as the upstream wrote it.
        """
        if self._keeps:
            self._said.append(text)
        # After a cut the kept pieces may end before what has left of the one that was cut.
        to = max(self._bytes - held, self._left)
        seen, whole, size, begins = b"", list[tuple[Piece, int]](), 0, None
        shown: list[str] = []
        while self._pieces:
            piece = self._pieces[0]
            data = piece.text.encode()
            begins = size if piece.begins else begins
            seen += data
            if self._details:
                shown.append(data[max(0, self._left - size) : to - size].decode("utf-8", "replace"))
            if size + len(data) > to:
                break
            size += len(data)
            self._pieces.popleft()
            whole.append((piece, size))
            if self._keeps:
                self._gone.append(piece.text)
            self._dropped += 1
        left, before = self._tail + text.encode(), len(self._tail) - self._left
        if seen[self._left : to] == text.encode():
            # A token may have begun in text that was replaced, or be named otherwise than its text.
            told: list[Token | None] = []
            for piece, end in whole:
                stands = piece.ends(left[: before + end])
                outcome.tokens.extend(piece.tokens if stands else ())
                told.append(piece.spoken if stands else None)
            # Of the last one the rest may be taken back.
            pairs = zip_longest(shown, told)
            outcome.shown.extend((part, token) for part, token in pairs if part)
        elif self._details:
            outcome.shown.append((text, None))
        if begins is not None and self._left <= begins < to:
            at = _place(text, seen[self._left : begins].decode(), seen[begins:to].decode())
            told = [token for piece, end in whole if end > begins for token in piece.tokens]
            known = [one for one in outcome.tokens if not any(one is other for other in told)]
            outcome.divided = len(outcome.text) - len(text) + at, len(known)
        self._tail = left[-_TAIL:]
        self._bytes -= size
        self._left = to - size


def _place(text: str, before: str, behind: str) -> int:
    """Return where in a text that was changed what stood ``behind`` a place stands."""
    if text.endswith(behind):
        return len(text) - len(behind)
    if text.startswith(before):
        return len(before)
    # Something was changed on both sides: the line's end with most of both beside it.
    ends = (at for at in range(len(text) + 1) if not at or text[at - 1] == "\n")
    return max(ends, key=lambda at: _common(text, at, before, behind))


def _common(text: str, at: int, before: str, behind: str) -> int:
    """Return how many characters on both sides of ``at`` are those before and behind a place."""
    last = zip(reversed(text[max(0, at - _BESIDE) : at]), reversed(before), strict=False)
    first = zip(text[at : at + _BESIDE], behind, strict=False)
    return sum(
        len(list(takewhile(lambda pair: pair[0] == pair[1], pairs))) for pairs in (last, first)
    )
