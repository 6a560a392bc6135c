"""Server-sent events as bytes: read however they are cut, and written.

The form is that of the HTML standard, section "Server-sent events": fields on lines that end with
LF, CR LF or CR, an event at each empty line, a byte order mark at the very beginning.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from groundwire.gateway.errors import UpstreamFault

DONE = b"data: [DONE]\n\n"
_BOM = b"\xef\xbb\xbf"
# Made once: ``json.dumps`` makes one for every call with options.
_write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its data, lines joined by LF, and its name (empty for none)."""

    data: bytes
    name: str = ""


class Reader:
    """Takes bytes as they come and gives events; keeps at most ``limit`` bytes of an open one."""

    def __init__(self, limit: int) -> None:
        """Begin before the first byte."""
        self._limit = limit
        self._rest = b""
        self._data: list[bytes] = []
        self._size = 0
        self._name = ""
        self._begun = False
        self._after_cr = False

    def feed(self, data: bytes) -> Iterator[ServerEvent]:
        """Yield the events that ``data`` completes.

        Raises:
            UpstreamFault: an event is larger than the limit.

        """
        if self._after_cr and data:
            # A CR ended the last line; an LF behind it belongs to it.
            data = data.removeprefix(b"\n")
            self._after_cr = False
        data = self._rest + data
        if not self._begun:
            if len(data) < len(_BOM) and _BOM.startswith(data):
                self._rest = data
                return
            data = data.removeprefix(_BOM)
            self._begun = True
        at = 0
        while True:
            end, after = _line_end(data, at)
            if end < 0:
                break
            self._check(end - at)
            event = self._line(data[at:end])
            at = after
            if after == len(data) and data[end:after] == b"\r":
                self._after_cr = True
            if event is not None:
                yield event
        self._rest = data[at:]
        self._check(len(self._rest))

    def _check(self, more: int) -> None:
        """Refuse an event that a line of so many bytes makes too large."""
        if more + self._size > self._limit:
            raise UpstreamFault(
                "upstream_malformed",
                f"the upstream sent an event of more than {self._limit} bytes",
            )

    @property
    def open(self) -> bool:
        """Whether an event has begun and not ended."""
        return bool(self._data or self._rest.strip())

    @property
    def done(self) -> bool:
        """Whether what has begun is the mark of the end, without the empty line behind it."""
        data = [*self._data, self._rest.strip().removeprefix(b"data:").strip()]
        return [one for one in data if one] == [b"[DONE]"]

    def _line(self, line: bytes) -> ServerEvent | None:
        if not line:
            if not self._data:
                self._name = ""
                return None
            event = ServerEvent(b"\n".join(self._data), self._name)
            self._data, self._size, self._name = [], 0, ""
            return event
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
            self._size += len(value) + 1
        elif field == b"event":
            self._name = value.decode("utf-8", "replace")
        # Comments, ids and retry times say nothing about an answer.
        return None


def _line_end(data: bytes, at: int) -> tuple[int, int]:
    """Return where the line from ``at`` on ends and the next begins; -1 if it does not end."""
    newline, carriage = data.find(b"\n", at), data.find(b"\r", at)
    if newline < 0 and carriage < 0:
        return -1, -1
    if carriage < 0 or 0 <= newline < carriage:
        return newline, newline + 1
    return carriage, carriage + (2 if data[carriage + 1 : carriage + 2] == b"\n" else 1)


def encode(content: Any, name: str = "") -> bytes:
    """Return one event with JSON data."""
    line = _write(content)
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {line}\n\n".encode("utf-8", "replace")
