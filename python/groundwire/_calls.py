"""Calls about claims: each is made once, whether it still runs or has answered."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from enum import Enum
from typing import Any

Key = tuple[Hashable, ...]


class Asked(Enum):
    """What becomes of a question."""

    NEW = "nobody has asked it"
    RUNNING = "it was asked and has no answer yet"
    KNOWN = "it has an answer"


class Calls:
    """Which questions are being asked, and the newest ``most`` answers; safe from any thread.

    A claim that is taken back and comes again is one question: while its first call runs, the
    second waits for the same answer and costs no thread.
    """

    def __init__(self, most: int) -> None:
        """Remember up to ``most`` answers."""
        self._most = most
        self._lock = threading.Lock()
        self._running: dict[Key, int] = {}
        self._answers: OrderedDict[Key, Any] = OrderedDict()

    def begin(self, key: Key) -> tuple[Asked, Any]:
        """Ask; return what becomes of it, and the answer if it is known.

        With ``NEW``, whoever asks makes the call and says when it has ended.
        """
        with self._lock:
            if key in self._answers:
                return Asked.KNOWN, self._answers[key]
            askers = self._running.get(key, 0)
            self._running[key] = askers + 1
            return (Asked.RUNNING if askers else Asked.NEW), None

    def answered(self, key: Key, answer: Any) -> int:
        """End a call that gave ``answer``; return how many have asked meanwhile, one at least."""
        with self._lock:
            self._answers[key] = answer
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
            return self._running.pop(key, 1)

    def failed(self, key: Key) -> int:
        """End a call without an answer, so that it may be made again; return as ``answered``."""
        with self._lock:
            return self._running.pop(key, 1)

    def known(self, key: Key) -> bool:
        """Return whether there is an answer."""
        with self._lock:
            return key in self._answers
