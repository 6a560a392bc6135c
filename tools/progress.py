"""How long commands tell that they are getting on.

On a terminal, one line that is rewritten; in a pipe, a plain line for each step and one a minute
while nothing else is said.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import IO

EVERY_S = 60.0
"""Seconds between two signs of life in a pipe."""
BLINK_S = 0.5
"""Seconds between two looks at a terminal's line."""
WIDTH = 78


def say(text: str) -> None:
    """Print one line at once, so that it stands before what a command prints."""
    print(f"  {text}", flush=True)


class Heartbeat:
    """Says beside a running command that it is still running.

    Args:
        doing: what is being done, as in "building".
        rewrite: keep one terminal line up to date; else a line every ``EVERY_S`` seconds.
        out: where to write.
    """

    def __init__(self, doing: str, *, rewrite: bool, out: IO[str] | None = None) -> None:
        self._doing = doing
        self._rewrite = rewrite
        self._out = out if out is not None else sys.stdout
        self._started = time.monotonic()
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._now = doing
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._clear()

    def tell(self, text: str) -> None:
        """Show a step: the terminal's line from now on, or a line of its own."""
        with self._lock:
            self._now = text
            if not self._rewrite:
                print(f"  {text}", file=self._out, flush=True)

    def doing(self, text: str) -> None:
        """Show a detail that is worth a terminal's line, but not one in a pipe."""
        with self._lock:
            self._now = text

    def _beat(self) -> None:
        while not self._over.wait(BLINK_S if self._rewrite else EVERY_S):
            seconds = int(time.monotonic() - self._started)
            with self._lock:
                if self._rewrite:
                    line = f"  {self._now} ({seconds} s)"[:WIDTH]
                    print(f"\r{line:<{WIDTH}}", end="", file=self._out, flush=True)
                else:
                    print(f"  still {self._doing}, {seconds} s", file=self._out, flush=True)

    def _clear(self) -> None:
        if self._rewrite:
            print(f"\r{'':<{WIDTH}}\r", end="", file=self._out, flush=True)


class Pip:
    """Reads what pip prints and keeps what says how far it is."""

    STEP = re.compile(r"\s*(?:Downloading|Building wheels? for|Installing collected packages:) ?.+")
    PROGRESS = re.compile(r"Progress (\d+) of (\d+)")

    def __init__(self) -> None:
        self._step = "installing"

    def read(self, line: str, beat: Heartbeat) -> None:
        """Take one line of pip's."""
        if found := self.PROGRESS.match(line):
            done, whole = int(found[1]), int(found[2])
            share = f"{done / whole:.0%}" if whole else f"{done / 1e6:.0f} MB"
            beat.doing(f"{self._step}: {share}")
        elif self.STEP.match(line):
            self._step = shorten(line.strip())
            beat.tell(self._step)


def shorten(step: str) -> str:
    """Return a step of pip's on half a line: what and how large, or how many."""
    what, _, rest = step.partition(": ")
    if what == "Installing collected packages":
        count = len(rest.split(", "))
        return f"Installing {count} package{'s' if count > 1 else ''}"
    verb, _, file = step.partition(" ")
    name, _, size = file.partition(" (")
    name = "-".join(name.rpartition("/")[2].split("-")[:2])
    return f"{verb} {name} ({size}" if size else f"{verb} {name}"


def follow(command: list[str], reader: Pip) -> int:
    """Run ``command``, show what ``reader`` makes of its output, and return its status.

    Its errors go where this program's go.
    """
    with (
        Heartbeat("installing", rewrite=sys.stdout.isatty()) as beat,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as child,
    ):
        assert child.stdout is not None
        for line in child.stdout:
            reader.read(line, beat)
        return child.wait()


def run(command: list[str], doing: str, env: Mapping[str, str] | None = None) -> int:
    """Run ``command``, whose own output says how far it is, and return its status.

    In a pipe, where that output may be silent for long, a line a minute says that it still runs.
    """
    env = os.environ if env is None else env
    if sys.stderr.isatty():
        return subprocess.run(command, check=False, env=env).returncode
    with Heartbeat(doing, rewrite=False):
        return subprocess.run(command, check=False, env=env).returncode
