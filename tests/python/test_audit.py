"""The audit log: appended to, torn, repaired, refused; and a process that is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.audit import AuditLog, read_audit
from groundwire.errors import ArgumentError, FormatError


def test_records_are_numbered_over_openings(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "audit.jsonl"
    with AuditLog(path) as log:
        log.append({"a": "é\n"}, {"a": 2})
    with AuditLog(path) as log:
        assert log.torn == 0
        log.append({"a": 3})
    found = list(read_audit(path))
    assert [(one["seq"], one["a"]) for one in found] == [(0, "é\n"), (1, 2), (2, 3)]
    assert all(one["time"].endswith("+00:00") for one in found)
    assert path.stat().st_mode & 0o077 == 0


@given(st.integers(0, 200), st.integers(0, 5))
def test_a_torn_end_is_cut_off(tmp_path_factory: pytest.TempPathFactory, at: int, n: int) -> None:
    path = tmp_path_factory.mktemp("torn") / "audit.jsonl"
    with AuditLog(path, fsync="never") as log:
        for i in range(n):
            log.append({"value": i})
    whole = path.read_bytes()
    cut = whole[: min(at, len(whole))]
    path.write_bytes(cut)
    kept = cut.count(b"\n")
    with AuditLog(path, fsync="never") as log:
        assert log.torn == len(cut) - (cut.rfind(b"\n") + 1)
        log.append({"value": "new"})
    found = list(read_audit(path))
    assert [one["value"] for one in found] == [*range(kept), "new"]
    assert [one["seq"] for one in found] == list(range(kept + 1))


def test_a_long_torn_record_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    with AuditLog(path) as log:
        log.append({"text": "x" * 200_000}, {"text": "y"})
    with path.open("ab") as file:
        file.write(b'{"seq": 2, "text": "' + b"z" * 300_000)
    with AuditLog(path) as log:
        assert log.torn > 300_000
        log.append({"text": "new"})
    assert [one["seq"] for one in read_audit(path)] == [0, 1, 2]


@pytest.mark.parametrize(
    "content", [b"hello\n", b"hello", b'{"no": "seq"}\n', b"\x00\x01\n", b"\n"]
)
def test_another_file_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"notes\.txt"):
        AuditLog(path)
    assert path.read_bytes() == content


def test_one_writer_a_file(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    with AuditLog(path), pytest.raises(ArgumentError, match="another process"):
        AuditLog(path)
    with AuditLog(path) as log:
        log.append({})


@pytest.mark.parametrize("record", [{"a": object()}, {"a": float("nan")}])
def test_what_is_no_json_changes_nothing(tmp_path: Path, record: dict[str, Any]) -> None:
    with AuditLog(tmp_path / "audit.jsonl") as log:
        log.append({"a": 1})
        with pytest.raises(ArgumentError, match="not JSON"):
            log.append({"a": 2}, record)
        log.append({"a": 3})
    found = list(read_audit(tmp_path / "audit.jsonl"))
    assert [(one["seq"], one["a"]) for one in found] == [(0, 1), (1, 3)]
    with pytest.raises(ArgumentError, match="closed"):
        log.append({})


@pytest.mark.parametrize(
    ("given", "part"), [({"fsync": "often"}, "always"), ({"interval_s": -1}, "interval_s")]
)
def test_bad_arguments(tmp_path: Path, given: dict[str, Any], part: str) -> None:
    with pytest.raises(ArgumentError, match=part):
        AuditLog(tmp_path / "audit.jsonl", **given)


def test_a_disk_that_is_full_tears_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "audit.jsonl"
    write, left = os.write, [60]

    def limited(file: int, data: Any) -> int:
        if left[0] <= 0:
            raise OSError(28, "No space left on device")
        n = write(file, bytes(data)[: left[0]])
        left[0] -= n
        return n

    with AuditLog(path) as log:
        log.append({"a": 1})
        monkeypatch.setattr(os, "write", limited)
        with pytest.raises(OSError, match="No space"):
            log.append({"a": "x" * 100})
        monkeypatch.undo()
        log.append({"a": 2})
    assert [one["a"] for one in read_audit(path)] == [1, 2]


def test_damage_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    with AuditLog(path) as log:
        log.append({}, {}, {})
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"{broken\n" + lines[2])
    with pytest.raises(FormatError, match="line 2"):
        list(read_audit(path))


WRITER = """
import sys
from groundwire.audit import AuditLog
log = AuditLog(sys.argv[1], fsync=sys.argv[2])
n = 0
while True:
    log.append({"n": n, "text": "x" * (n * 37 % 5000)})
    n += 1
    print(n, flush=True)
"""


@pytest.mark.parametrize("fsync", ["always", "interval", "never"])
def test_what_was_written_survives_kill_9(tmp_path: Path, fsync: str) -> None:
    path = tmp_path / "audit.jsonl"
    said = 0
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), fsync], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 40:
                break
        process.send_signal(signal.SIGKILL)
        said += max([40, *(int(line) for line in process.stdout.read().split())])
        process.wait()
        process.stdout.close()
    with AuditLog(path) as log:
        log.append({"n": "last"})
    found = list(read_audit(path))
    assert [one["seq"] for one in found] == list(range(len(found)))
    # Every record whose writer was told so is there; the next may be, too.
    assert said <= len(found) - 1 <= said + 3
    assert json.loads(path.read_bytes().splitlines()[-1])["n"] == "last"


def test_what_cannot_be_forced_to_the_disk_stays_and_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: int) -> None:
        raise OSError(28, "no space")

    path = tmp_path / "audit.jsonl"
    with AuditLog(path) as log:
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", fails)
            with pytest.raises(OSError, match="no space"):
                log.append({"a": 1})
        log.append({"a": 2})
    assert [(one["seq"], one["a"]) for one in read_audit(path)] == [(0, 1), (1, 2)]
