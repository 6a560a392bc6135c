"""A tree in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from groundwire.errors import ArgumentError
from groundwire.store._common import CLASH, now, written
from groundwire.store.base import Store, Value
from groundwire.store.keys import steps
from groundwire.store.retention import DEFAULT, Retention

# A step with keys below it ends in "/", so that sorting the steps of a node sorts the keys.
_Node = dict[str, "Value | _Node"]


class MemoryStore(Store):
    """A tree of nested dictionaries: for tests, and where nothing should outlive the process.

    A transaction keeps all others waiting until it has ended, readers too.
    """

    def __init__(
        self,
        *,
        mask: bool = True,
        retention: Retention | None = DEFAULT,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.mask, self.retention, self.clock = mask, retention, clock
        self._root: _Node = {}
        self._lock = threading.RLock()
        self._undo: list[tuple[str, Value | None]] | None = None
        self._size = 0

    @property
    def size(self) -> int:
        """Bytes of all keys and values as they are written."""
        return self._size

    def close(self) -> None:
        """Do nothing: the tree goes with the object."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See :meth:`Store.transaction`."""
        with self._lock:
            if self._undo is not None:
                yield
                return
            self._undo = []
            try:
                yield
            except BaseException:
                undo, self._undo = self._undo, None
                for key, value in reversed(undo):
                    if value is None:
                        self._delete(key)
                    else:
                        self._put(key, value)
                raise
            finally:
                self._undo = None

    def _get(self, key: str) -> Value | None:
        with self._lock:
            way = steps(key)
            node = self._node(way[:-1]) if way else None
            found = None if node is None else node.get(way[-1])
            return None if isinstance(found, dict) else found

    def _put(self, key: str, value: Value) -> None:
        *way, last = steps(key)
        node = self._root
        for depth, step in enumerate(way):
            if step in node:
                raise ArgumentError(CLASH.format(key=key, other="/" + "/".join(way[: depth + 1])))
            child = node.get(f"{step}/")
            if not isinstance(child, dict):
                child = node[f"{step}/"] = {}
            node = child
        if f"{last}/" in node:
            raise ArgumentError(CLASH.format(key=key, other=f"{key}/…"))
        old = node.get(last)
        node[last] = value
        self._note(key, None if isinstance(old, dict) else old, value)

    def _delete(self, key: str) -> bool:
        way = steps(key)
        if not way:
            return False
        nodes = [self._root]
        for step in way[:-1]:
            child = nodes[-1].get(f"{step}/")
            if not isinstance(child, dict):
                return False
            nodes.append(child)
        old = nodes[-1].pop(way[-1], None)
        if old is None or isinstance(old, dict):
            return False
        for depth in range(len(nodes) - 1, 0, -1):
            if nodes[depth]:
                break
            del nodes[depth - 1][f"{way[depth - 1]}/"]
        self._note(key, old, None)
        return True

    def _delete_below(self, prefix: str) -> int:
        gone = 0
        while page := self._below(prefix, None, 1000):
            gone += sum(self._delete(key) for key, _ in page)
        return gone

    def _below(self, prefix: str, after: str | None, limit: int) -> list[tuple[str, Value]]:
        with self._lock:
            node = self._node(steps(prefix or "/"))
            found: list[tuple[str, Value]] = []
            if node is not None:
                for pair in _walk(node, f"{prefix}/", after):
                    found.append(pair)
                    if len(found) == limit:
                        break
            return found

    def _node(self, way: list[str]) -> _Node | None:
        node = self._root
        for step in way:
            child = node.get(f"{step}/")
            if not isinstance(child, dict):
                return None
            node = child
        return node

    def _note(self, key: str, old: Value | None, new: Value | None) -> None:
        if self._undo is not None:
            self._undo.append((key, old))
        for value, sign in ((old, -1), (new, 1)):
            if value is not None:
                self._size += sign * len(key.encode() + written(value).encode())


def _walk(node: _Node, path: str, after: str | None) -> Iterator[tuple[str, Value]]:
    for step in sorted(node):
        key, child = path + step, node[step]
        if isinstance(child, dict):
            # Everything below is behind `after`, before it, or around it.
            if after is None or key > after or after.startswith(key):
                yield from _walk(child, key, after)
        elif after is None or key > after:
            yield key, child
