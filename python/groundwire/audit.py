"""An append-only log of what was judged and done, which survives the end of its process.

A record is one line of JSON, written by one call at the end of the file. Whatever kills the
process can tear the last record only; opening the log again cuts what is torn off, and says so.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from groundwire._checks import seconds
from groundwire._files import path_of
from groundwire.errors import ArgumentError, FormatError

Fsync = Literal["always", "interval", "never"]
_TAIL = 64 * 1024


class AuditLog:
    """Writes records; one writer a file, on systems that can lock files.

    Args:
        path: the file; it and its folder are made if they are not there.
        fsync: when records are forced to the disk: ``always`` before ``append`` returns,
            ``interval`` by the first call after ``interval_s`` seconds and when the log is closed,
            ``never`` leaves it to the system.
        interval_s: seconds, at least 0.

    Attributes:
        torn: bytes of a torn last record that were cut off when the log was opened.

    Raises:
        ArgumentError: an argument is not valid, or another process writes to this file.
        FormatError: the file is no such log; nothing is changed then.
        OSError: the file cannot be opened.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, fsync: Fsync = "always", interval_s: float = 1.0
    ) -> None:
        if fsync not in {"always", "interval", "never"}:
            raise ArgumentError(f"fsync is one of always, interval, never, not {fsync!a:.40}")
        self._fsync = fsync
        self._interval = seconds(interval_s, "interval_s")
        self.path = path_of(path, "an audit log")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = not self.path.exists()
        self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        self._lock = threading.Lock()
        self._synced = time.monotonic()
        self._dirty = False
        try:
            _claim(self._file, self.path)
            self.torn, self._next = _repair(self._file, self.path)
            if new and fsync != "never":
                _sync_folder(self.path.parent)
        except BaseException:
            os.close(self._file)
            self._file = -1
            raise

    def append(self, *records: Mapping[str, Any]) -> None:
        """Write records; each gets ``seq``, counted up through the file, and ``time`` in UTC.

        Raises:
            OSError: the disk is full or gone. Of records that could not be written nothing stays in
                the file; records that could only not be forced to the disk stay, and count.
            ArgumentError: the log is closed, or a record is not JSON.

        """
        with self._lock:
            if self._file < 0:
                raise ArgumentError("this audit log is closed")
            now = datetime.now(UTC).isoformat(timespec="microseconds")
            lines = []
            for i, record in enumerate(records):
                content = {"seq": self._next + i, "time": now, **record}
                try:
                    line = json.dumps(content, ensure_ascii=True, allow_nan=False)
                except (TypeError, ValueError) as error:
                    raise ArgumentError(f"a record is not JSON: {error}") from error
                lines.append(line + "\n")
            self._write("".join(lines).encode())
            self._next += len(records)
            self._dirty = True
            late = time.monotonic() - self._synced >= self._interval
            if self._fsync == "always" or (self._fsync == "interval" and late):
                self._sync()

    def close(self) -> None:
        """Force what is written to the disk, unless the system is to do that, and close."""
        with self._lock:
            if self._file < 0:
                return
            try:
                if self._dirty and self._fsync != "never":
                    self._sync()
            finally:
                os.close(self._file)
                self._file = -1

    def __enter__(self) -> AuditLog:
        """Return the log."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _write(self, data: bytes) -> None:
        """Write everything or nothing."""
        begin = os.fstat(self._file).st_size
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError:
            os.ftruncate(self._file, begin)
            raise

    def _sync(self) -> None:
        os.fsync(self._file)
        self._synced = time.monotonic()
        self._dirty = False


def read_audit(path: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    """Yield the records of a log, oldest first; a torn last one is left out.

    Raises:
        FormatError: another line than the last is no record; the message names it.
        OSError: the file cannot be read.

    """
    place = path_of(path, "an audit log")
    with place.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            record = _record(line)
            if record is None:
                raise FormatError(f"{place} line {number} is no record of an audit log")
            yield record


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and isinstance(record.get("seq"), int) else None


def _repair(file: int, path: Path) -> tuple[int, int]:
    """Cut a torn last record off; return its bytes, and the number of the next record."""
    size = os.fstat(file).st_size
    if size == 0:
        return 0, 0
    end = next((at + 1 for at in _line_ends(file, size)), 0)
    last = None
    if end:
        before = next((at + 1 for at in _line_ends(file, end - 1)), 0)
        last = _record(os.pread(file, end - before, before))
    if last is None and (end or os.pread(file, 1, 0) != b"{"):
        raise FormatError(
            f"{path} does not end in a record of an audit log, so nothing is appended to it; "
            "name another file, or look at what stands in its last line"
        )
    if end < size:
        os.ftruncate(file, end)
        os.fsync(file)
    return size - end, 0 if last is None else last["seq"] + 1


def _line_ends(file: int, size: int) -> Iterable[int]:
    """Yield the places of line ends before byte ``size``, the last first."""
    at = size
    while at > 0:
        begin = max(0, at - _TAIL)
        block = os.pread(file, at - begin, begin)
        found = block.rfind(b"\n")
        while found >= 0:
            yield begin + found
            found = block.rfind(b"\n", 0, found)
        at = begin


def _claim(file: int, path: Path) -> None:
    """Let nobody else write to this file, where the system can."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise ArgumentError(
            f"another process writes to the audit log {path}; give each server a file of its own"
        ) from error


def _sync_folder(folder: Path) -> None:
    """Force a new file's name to the disk, where folders can be."""
    try:
        place = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(place)
    except OSError:
        pass
    finally:
        os.close(place)
