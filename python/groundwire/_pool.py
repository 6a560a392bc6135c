"""Bounded daemon threads: a call that never returns keeps neither a stream nor the process."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable


class Pool:
    """Runs calls on at most ``workers`` threads, which end when nothing is left to do.

    Calls must not raise. At most ``most`` calls are waiting or running at once.
    """

    def __init__(self, workers: int, most: int) -> None:
        """Prepare; threads start with the first calls."""
        self._workers = workers
        self._most = most
        self._calls: deque[Callable[[], None]] = deque()
        self._threads = 0
        self._left = 0
        self._done = 0
        self._closed = False
        self._changed = threading.Condition()

    def submit(self, call: Callable[[], None], wait_s: float = 0.0) -> bool:
        """Take a call, after waiting up to ``wait_s`` seconds for room; return whether it was."""
        with self._changed:
            if wait_s > 0:
                self._changed.wait_for(lambda: self._closed or self._left < self._most, wait_s)
            if self._closed or self._left >= self._most:
                return False
            self._calls.append(call)
            self._left += 1
            start = self._threads < self._workers
            self._threads += start
        if start:
            threading.Thread(target=self._work, name="groundwire", daemon=True).start()
        return True

    @property
    def closed(self) -> bool:
        """Whether no call is taken any more."""
        return self._closed

    @property
    def idle(self) -> bool:
        """Whether no call waits or runs."""
        return self._left == 0

    def wait(self, timeout_s: float) -> bool:
        """Wait until no call is left, up to ``timeout_s`` seconds; return whether none is."""
        with self._changed:
            return self._changed.wait_for(lambda: self._left == 0, timeout_s)

    def pause(self, timeout_s: float) -> None:
        """Wait until some call has ended, up to ``timeout_s`` seconds."""
        with self._changed:
            before = self._done
            self._changed.wait_for(lambda: self._left == 0 or self._done > before, timeout_s)

    def close(self) -> None:
        """Forget the calls that have not begun, and take no others."""
        with self._changed:
            self._closed = True
            self._left -= len(self._calls)
            self._calls.clear()
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                if not self._calls:
                    self._threads -= 1
                    return
                call = self._calls.popleft()
            try:
                call()
            finally:
                with self._changed:
                    self._left -= 1
                    self._done += 1
                    self._changed.notify_all()
