"""Who may use an engine while guarded answers are written in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from groundwire.errors import SessionBusy
from groundwire.integrations.vllm.requests import Request

BUSY = (
    "a guarded answer of this engine is being written: whoever drives the engine now takes its "
    "outputs, and llm.generate() would return them among its own. Read the guarded stream to its "
    "end or close() it first, send this prompt through the GuardedLLM too (policy="
    "Policy.observe() changes nothing in it), or use another engine"
)


class Door:
    """Stands in front of ``add_request`` of a ``vllm`` engine, for all guards of that engine.

    Guarded answers of one engine may be written side by side: whichever drives it, each gets its
    outputs. Requests of anybody else are refused meanwhile.
    """

    def __init__(self, engine: Any) -> None:
        """Take the place of the engine's own method."""
        self.add = engine.add_request
        self._open: list[Mapping[int, Request]] = []
        engine.add_request = self

    @classmethod
    def of(cls, engine: Any) -> Door:
        """Return the door of an engine, which has one at most."""
        found = vars(engine).get("add_request")
        return found if isinstance(found, cls) else cls(engine)

    def __call__(self, request_id: str, *args: Any, **given: Any) -> Any:
        """Let a request of somebody else in; raises ``SessionBusy`` while guarded ones are open."""
        if self._open:
            raise SessionBusy(BUSY)
        return self.add(request_id, *args, **given)

    @contextmanager
    def entered(self, rows: Mapping[int, Request]) -> Iterator[None]:
        """Write guarded answers: ``rows`` are those that are open."""
        self._open.append(rows)
        try:
            yield
        finally:
            self._open = [one for one in self._open if one is not rows]

    def hand_out(self, outputs: Any) -> None:
        """Give the engine's outputs to whichever answers they belong to."""
        requests = [request for rows in self._open for request in rows.values()]
        for output in outputs:
            for request in requests:
                request.receive(output)
