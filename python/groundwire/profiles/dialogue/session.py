"""Detection beside a running conversation (S0-086, S0-087)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from groundwire.errors import ArgumentError
from groundwire.profiles.dialogue.detector import Components, HallucinationDetector
from groundwire.profiles.dialogue.state import DialogueState
from groundwire.profiles.dialogue.types import HallucinationFlag

log = logging.getLogger("groundwire.dialogue")
T = TypeVar("T")

HIGH_CONFIDENCE = 0.8
"""From here on a flag counts as ``high_confidence`` (S0-087, S0-095)."""


class Shared(Generic[T]):
    """A value that many read at once and one changes alone; for tasks of one event loop.

    Who wants to change it waits for those who read, and who comes later to read waits for them.
    """

    def __init__(self, value: T) -> None:
        self._value = value
        self._turn = asyncio.Lock()
        self._readers = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[T]:
        """Hold the value unchanged: ``async with shared.read() as value``."""
        async with self._turn:
            self._readers += 1
            self._idle.clear()
        try:
            yield self._value
        finally:
            self._readers -= 1
            if not self._readers:
                self._idle.set()

    @asynccontextmanager
    async def write(self) -> AsyncIterator[T]:
        """Hold the value alone, to change it: ``async with shared.write() as value``."""
        async with self._turn:
            await self._idle.wait()
            yield self._value


@dataclass(slots=True)
class Session:
    """A conversation that answers are checked in.

    Attributes:
        dialogue_state: what was said, shared between tasks; a bare state is made shared.
        knowledge_base: what is known, likewise.
        components: detectors that differ from the built-in ones, by name.
        config: as ``HallucinationDetector`` takes it.
    """

    dialogue_state: Shared[DialogueState] = field(default_factory=lambda: Shared(DialogueState()))
    knowledge_base: Shared[Any] = field(default_factory=lambda: Shared(None))
    components: Components | Mapping[str, Any] | None = None
    config: Any = None
    detector: HallucinationDetector = field(init=False)

    def __post_init__(self) -> None:
        """Build the detector once."""
        if not isinstance(self.dialogue_state, Shared):
            self.dialogue_state = Shared(self.dialogue_state)
        if not isinstance(self.knowledge_base, Shared):
            self.knowledge_base = Shared(self.knowledge_base)
        self.detector = HallucinationDetector(self.components, self.config)


async def detect_hallucinations(response: str, session: Session) -> list[HallucinationFlag]:
    """Return the flags of an answer, on one state of dialogue and knowledge base.

    Both are held against changes while the detector runs, in a thread, so that the event loop goes
    on. One line is logged, at ``INFO`` to ``groundwire.dialogue``: "Hallucination detection
    complete" with ``total_flags``, ``high_confidence`` (0.8 and above) and ``types``; no word of
    the answer is in it.

    Raises:
        ArgumentError: ``session`` is no ``Session``.
        HallucinationError: a stage failed; the message names it.

    """
    if not isinstance(session, Session):
        raise ArgumentError(
            "detect_hallucinations takes a groundwire.profiles.dialogue.Session, with the state of "
            f"the dialogue and the knowledge base, not {type(session).__name__}"
        )
    async with session.dialogue_state.read() as state, session.knowledge_base.read() as kb:
        flags = await asyncio.to_thread(session.detector.detect, response, state, kb)
    high = sum(flag.confidence >= HIGH_CONFIDENCE for flag in flags)
    types = [flag.hallucination_type.name for flag in flags]
    log.info(
        "Hallucination detection complete total_flags=%d high_confidence=%d types=%s",
        len(flags),
        high,
        types,
        extra={"total_flags": len(flags), "high_confidence": high, "types": types},
    )
    return flags
