"""Results kept for later: a tree of small values in memory or in a SQLite file.

::

    with groundwire.store.open("findings.db") as store:
        store.record(report, session_id="s1", turn_id="t3")
        store.get(groundwire.store.key("hallucination", "s1", "t3", "detection", "total_flags"))
        store.patterns(least=3)
        store.weak_points("s1", status="contradicted")

The keys are those of the dialogue system (see ``groundwire.store.record``); backends are
``MemoryStore`` and ``SqliteStore``, and a backend of one's own derives from ``Store``. Contents
are masked unless a store is made with ``mask=False``.
"""

from __future__ import annotations

import os
from typing import Any

from groundwire.store.base import Store, Value
from groundwire.store.keys import escape, split, unescape
from groundwire.store.keys import join as key
from groundwire.store.memory import MemoryStore
from groundwire.store.patterns import Pattern, pattern_id
from groundwire.store.retention import Purged, Retention
from groundwire.store.sqlite import SqliteStore
from groundwire.store.weak import WeakPoint

__all__ = [
    "MemoryStore",
    "Pattern",
    "Purged",
    "Retention",
    "SqliteStore",
    "Store",
    "Value",
    "WeakPoint",
    "escape",
    "key",
    "open",
    "pattern_id",
    "split",
    "unescape",
]


def open(path: str | os.PathLike[str] | None = None, **arguments: Any) -> Store:
    """Return the store in the SQLite file ``path``, made if need be; one in memory without it.

    ``arguments`` are those of ``SqliteStore`` or ``MemoryStore`` (``mask``, ``retention`` …).
    ``":memory:"`` means memory as well, as with SQLite. Raises what they raise.
    """
    if path is None or path == ":memory:":
        return MemoryStore(**arguments)
    return SqliteStore(path, **arguments)
