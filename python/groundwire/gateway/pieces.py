"""Pieces of an answer on their way: those that wait, and how far they have left."""

from __future__ import annotations

from collections import deque

from groundwire.gateway.outcome import Outcome
from groundwire.gateway.tokens import Piece, Token

_TAIL = 4096
"""Bytes of the text that left last, among which a token's own are looked for."""


class Pieces:
    """What was pushed and stands.

    Args:
        keeps_prefix: whether the text of pieces that have left is kept, too.
        details: whether released text is to be shown piece by piece.
    """

    def __init__(self, *, keeps_prefix: bool, details: bool) -> None:
        self._keeps_prefix, self._details = keeps_prefix, details
        self.waiting: deque[Piece] = deque()
        # Pieces that have left only count, and stand in the prefix of a continuation.
        self._gone: list[str] = []
        self._dropped = 0
        # Bytes of the pieces, and of how much of them has left.
        self._bytes = self._left = 0
        self._tail = b""

    @property
    def text(self) -> str:
        """All that stands, as far as it is kept."""
        if len(self._gone) > 1:
            self._gone = ["".join(self._gone)]
        return "".join([*self._gone, *(piece.text for piece in self.waiting)])

    def add(self, piece: Piece) -> None:
        """Take in a piece that was pushed."""
        self.waiting.append(piece)
        self._bytes += len(piece.text.encode())

    def cut(self, keep: int) -> list[Piece]:
        """Forget what was pushed after the first ``keep`` pieces, and return it."""
        gone: list[Piece] = []
        while self.waiting and self._dropped + len(self.waiting) > keep:
            gone.append(self.waiting.pop())
            self._bytes -= len(gone[-1].text.encode())
        gone.reverse()
        return gone

    def leave(self, text: str, held: int, outcome: Outcome) -> None:
        """Note how far text has left; add its tokens, if it left as the upstream wrote it."""
        # After a cut the kept pieces may end before what has left of the one that was cut.
        to = max(self._bytes - held, self._left)
        seen, whole, size = b"", list[tuple[Piece, int]](), 0
        shown: list[tuple[str, Token | None]] = []
        while self.waiting:
            piece = self.waiting[0]
            data = piece.text.encode()
            seen += data
            if self._details:
                part = data[max(0, self._left - size) : to - size].decode("utf-8", "replace")
                shown.append((part, piece.spoken))
            if size + len(data) > to:
                break
            size += len(data)
            self.waiting.popleft()
            whole.append((piece, size))
            if self._keeps_prefix:
                self._gone.append(piece.text)
            self._dropped += 1
        left, before = self._tail + text.encode(), len(self._tail) - self._left
        if seen[self._left : to] == text.encode():
            # A token may have begun in text that was replaced, or be named otherwise than its text.
            for piece, end in whole:
                outcome.tokens.extend(piece.tokens if piece.ends(left[: before + end]) else ())
            outcome.shown.extend(one for one in shown if one[0])
        elif self._details:
            outcome.shown.append((text, None))
        self._tail = left[-_TAIL:]
        self._bytes -= size
        self._left = to - size
