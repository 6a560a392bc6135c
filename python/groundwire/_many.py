"""Calls that take plain and watched sessions alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any

from groundwire import _core
from groundwire.beside import WatchedSession
from groundwire.errors import ArgumentError
from groundwire.report import Report


def check_in(session: _core.Session | WatchedSession, pieces: Iterable[str]) -> Report:
    """Follow a whole text in pieces and return the report."""
    if isinstance(session, WatchedSession):
        return session.check(pieces)
    for piece in pieces:
        session.push_text(piece)
    return session.finish()


def ended(session: _core.Session | WatchedSession) -> Iterator[_core.Step]:
    """End a stream: yield what its end decided, then what answers that came later brought."""
    yield session.close()
    if isinstance(session, WatchedSession) and (late := session.late()):
        yield late


async def aended(session: _core.Session | WatchedSession) -> AsyncIterator[_core.Step]:
    """As ``ended``, without keeping the event loop from other work."""
    yield session.close()
    if isinstance(session, WatchedSession) and (late := await asyncio.to_thread(session.late)):
        yield late


def plain_sessions(sessions: Sequence[Any]) -> list[_core.Session]:
    """Return the plain sessions of these; ``ArgumentError`` names what is none."""
    plain = [s.core if isinstance(s, WatchedSession) else s for s in sessions]
    for i, session in enumerate(plain):
        if not isinstance(session, _core.Session):
            raise ArgumentError(f"sessions[{i}] is no session: {session!r:.60}")
    return plain


def handed_out(
    sessions: Sequence[Any], steps: list[_core.Step | Exception]
) -> list[_core.Step | Exception]:
    """Give the claims of each step to what runs beside its session; return the steps."""
    for session, step in zip(sessions, steps, strict=True):
        if isinstance(session, WatchedSession) and not isinstance(step, Exception):
            session.hand_out(step)
    return steps
