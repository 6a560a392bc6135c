"""Where a span stands in a text: line, column, and the line itself."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple


class Place(NamedTuple):
    """A span's lines and columns, counted from 1 in code points, ends included."""

    line: int
    column: int
    end_line: int
    end_column: int


class Lines:
    """The lines of one text, found once; a look-up costs O(log lines)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def place(self, start: int, end: int) -> Place:
        """Return where ``text[start:end]`` stands; an empty span is the place before ``start``."""
        last = max(start, min(end, len(self._text)) - 1)
        line = bisect_right(self._starts, start)
        end_line = bisect_right(self._starts, last)
        return Place(
            line=line,
            column=start - self._starts[line - 1] + 1,
            end_line=end_line,
            end_column=last - self._starts[end_line - 1] + 1,
        )

    def line(self, number: int) -> str:
        """Return line ``number``, counted from 1, without its line break."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self._text)
        return self._text[start:end].rstrip("\r")
