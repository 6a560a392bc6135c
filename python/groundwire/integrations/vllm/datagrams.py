"""Numbers from the engine to the front end: local datagrams that nobody waits for.

There is no other way back from a worker. A datagram that finds no room is dropped and counted, and
so is one that finds nobody listening. Any local process that may write to the socket can send
something else, so that everything received is checked, and only ids that were announced are kept.

A message: 4 bytes ``GWS1``; then for each reading the length of the id (1 byte), 1 for an invalid
row or 0 (1 byte), the position (4 bytes, unsigned), four float32 (entropy, varentropy, margin,
confidence; nats), and the id in UTF-8. All little-endian.
"""

from __future__ import annotations

import errno
import math
import os
import socket
import stat
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.errors import ConfigError

MAGIC = b"GWS1"
MAX_MESSAGE = 8192
"""Bytes of one datagram."""
MAX_ID = 255
"""Bytes of an id."""
MAX_PATH = 100
"""Bytes of a socket's path; systems take 104 to 108."""
MAX_AHEAD = 4096
"""Readings kept of one request that nobody has taken."""
_NAMES = ("entropy", "varentropy", "margin", "confidence")
_HEAD = struct.Struct("<BBI4f")


class Reading(NamedTuple):
    """What one row says, for one request.

    Attributes:
        id: the request's id.
        position: of the token that is sampled from the row, in the output, from 0.
        numbers: ``entropy``, ``varentropy``, ``margin``, ``confidence``, or ``invalid``.
    """

    id: str
    position: int
    numbers: Mapping[str, Any]


class Sender:
    """Sends readings to a socket without ever waiting.

    Attributes:
        dropped: readings for which there was no room.
        unheard: readings that nobody was there for.
    """

    def __init__(self, path: str) -> None:
        """Prepare; nothing has to listen yet. Raises ``ConfigError`` for a path that cannot be."""
        self.path = check_path(path)
        self.dropped = self.unheard = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def send(self, readings: Sequence[Reading]) -> None:
        """Send a step's readings, in as many messages as they need."""
        for message, count in packed(readings):
            try:
                self._socket.sendto(message, self.path)
            except OSError as error:
                if error.errno in (errno.ENOENT, errno.ECONNREFUSED, errno.ENOTSOCK, errno.EACCES):
                    self.unheard += count
                else:
                    self.dropped += count

    def close(self) -> None:
        """Give up the socket."""
        self._socket.close()

    def __del__(self) -> None:
        """Give up the socket with the engine that had it; nobody tells a plugin of its end."""
        if hasattr(self, "_socket"):
            self._socket.close()


class Receiver:
    """Listens at a path, and keeps what comes for the requests it was told of.

    Attributes:
        refused: messages that were not what a worker sends.
        unknown: readings for no request that was announced, or too far ahead of it.
    """

    def __init__(self, path: str, *, buffer: int = 1 << 20) -> None:
        """Listen; ``buffer`` is the room asked for what waits, bytes.

        Raises ``ConfigError`` for a path that cannot be, and one at which something is already.
        """
        self.path = check_path(path)
        self.refused = self.unknown = 0
        self._open: dict[str, dict[int, dict[str, Any]]] = {}
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        try:
            _clear(self.path)
            self._socket.bind(self.path)
            Path(self.path).chmod(0o600)
        except OSError as error:
            self._socket.close()
            msg = f"no socket can be made at {self.path!r}: {error.strerror or error}"
            raise ConfigError(msg) from None

    def announce(self, name: str) -> None:
        """Keep from here on what comes for this request."""
        self._open.setdefault(name, {})

    def forget(self, name: str) -> None:
        """Keep nothing for this request any longer."""
        self._open.pop(name, None)

    def take(self, name: str, position: int) -> dict[str, Any] | None:
        """Return what is known of the row that a token was sampled from, and forget it.

        The worker sends before it samples, so that whoever has the token finds its numbers here,
        if they were not dropped.
        """
        self.drain()
        kept = self._open.get(name)
        if not kept:
            return None
        found = kept.pop(position, None)
        for older in [one for one in kept if one < position]:
            del kept[older]
        return found

    def drain(self, most: int = 4096) -> None:
        """Read what has come, at most so many messages."""
        for _ in range(most):
            try:
                message = self._socket.recv(MAX_MESSAGE + 1)
            except (BlockingIOError, InterruptedError):
                return
            try:
                readings = unpacked(message)
            except ValueError:
                self.refused += 1
                continue
            for one in readings:
                self._keep(one)

    def close(self) -> None:
        """Stop listening, and take the socket's file away."""
        self._socket.close()
        Path(self.path).unlink(missing_ok=True)

    def _keep(self, one: Reading) -> None:
        kept = self._open.get(one.id)
        if kept is None or (one.position not in kept and len(kept) >= MAX_AHEAD):
            self.unknown += 1
            return
        kept[one.position] = dict(one.numbers)


def check_path(path: str) -> str:
    """Return a socket's path; raises ``ConfigError`` where none can be there."""
    size = len(os.fsencode(path))
    if not 0 < size <= MAX_PATH or "\0" in path:
        raise ConfigError(
            f"serving.signals_socket = {path!r} is no path of a socket: it has {size} bytes, and "
            f"at most {MAX_PATH} are taken; choose a short one such as /run/groundwire/signals"
        )
    return path


def packed(readings: Sequence[Reading]) -> Iterator[tuple[bytes, int]]:
    """Yield messages, each with the number of its readings."""
    message, count = bytearray(MAGIC), 0
    for one in readings:
        name = one.id.encode()
        if len(name) > MAX_ID:
            continue
        if len(message) + _HEAD.size + len(name) > MAX_MESSAGE:
            yield bytes(message), count
            message, count = bytearray(MAGIC), 0
        invalid = bool(one.numbers.get("invalid"))
        numbers = [float(one.numbers.get(key, 0.0)) for key in _NAMES]
        message += _HEAD.pack(len(name), invalid, one.position, *numbers) + name
        count += 1
    if count:
        yield bytes(message), count


def unpacked(message: bytes) -> list[Reading]:
    """Return the readings of a message; raises ``ValueError`` for what is none."""
    if len(message) > MAX_MESSAGE or not message.startswith(MAGIC):
        raise ValueError("no message of a worker")
    found, at = [], len(MAGIC)
    while at < len(message):
        if len(message) - at < _HEAD.size:
            raise ValueError("a message ends in the middle of a reading")
        size, invalid, position, *given = _HEAD.unpack_from(message, at)
        name = message[at + _HEAD.size : at + _HEAD.size + size]
        at += _HEAD.size + size
        if not 0 < len(name) == size or invalid > 1:
            raise ValueError("a reading without its id")
        if not all(map(math.isfinite, given)) or min(given) < 0.0 or given[2] > 1.0:
            raise ValueError("a number that no row has")
        numbers = {"invalid": True} if invalid else dict(zip(_NAMES, given, strict=True))
        found.append(Reading(name.decode(), position, numbers))
    return found


def _clear(path: str) -> None:
    """Take away the socket that a process left behind; one that somebody listens at stays."""
    try:
        if not stat.S_ISSOCK(Path(path).lstat().st_mode):
            raise FileExistsError(errno.EEXIST, "there is something else at that path")
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            Path(path).unlink(missing_ok=True)
            return
    raise OSError(errno.EADDRINUSE, "another process listens there")
