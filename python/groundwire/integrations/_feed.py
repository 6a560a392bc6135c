"""Streams of somebody else's objects: one goes in, guarded ones come out."""

from __future__ import annotations

import asyncio
import inspect
import re
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
)
from typing import TYPE_CHECKING, Any, Protocol

from groundwire._checks import words
from groundwire._given import passages, turns
from groundwire.errors import ArgumentError
from groundwire.integrations._text import CannotRewind, TextGuard
from groundwire.loop import POLL_S

if TYPE_CHECKING:
    from groundwire.events import ReportStore
    from groundwire.hooks import Hooks
    from groundwire.monitor import Monitor

MARK = re.compile(r"</?[|｜]?[A-Za-z_][\w|｜▁/-]{0,60}>|\[[A-Z][A-Z0-9_]{1,40}\]")
"""Names of tokens that have no text of their own: marks of a template, and of an answer's end."""
LIMITED = ("length", "max_tokens", "max_output_tokens", "MAX_TOKENS")
"""What providers call the limit of tokens that cut an answer off."""
TOLERANCE = 1e-3
"""How far above 0 rounding may lift a logarithm of a probability."""
_TAKEN = {
    "evidence", "history", "question", "policy", "session_id", "turn_id", "reference_date", "rows",
    "lead", "clock", "retry",
}  # fmt: skip


class Feed(Protocol):
    """What turns objects of a stream into guarded ones; a yielded None asks for some time."""

    @property
    def over(self) -> bool:
        """Whether nothing that comes is of use, so that the stream can be closed."""

    @property
    def complete(self) -> bool:
        """Whether the upstream has said that the answers are over, whatever becomes of it now."""

    @property
    def guards(self) -> Mapping[Any, TextGuard]:
        """The guards of the answers in the stream."""

    def feed(self, item: Any) -> Iterator[Any]:
        """Yield what takes the place of one object."""

    def finish(self) -> Iterator[Any]:
        """Yield what is left when the stream has ended."""


def opening(
    monitor: Monitor,
    *,
    cannot_rewind: CannotRewind = "interrupt",
    formed: bool = False,
    hooks: Callable[[], Hooks] | None = None,
    store: ReportStore | None = None,
    **given: Any,
) -> Callable[[], TextGuard]:
    """Return what opens a guard for each answer, all with the same evidence, history and question.

    ``cannot_rewind`` and ``formed`` are as for ``TextGuard``.
    ``hooks`` makes the hooks of one answer (a class of hooks does). Raises ``ArgumentError`` at
    once for arguments that no guard takes.
    """
    if hooks is not None and not callable(hooks):
        raise ArgumentError("hooks makes the hooks of one answer: pass the class, or a function")
    unknown = sorted(set(given) - _TAKEN)
    if unknown:
        known = ", ".join(sorted(_TAKEN | {"cannot_rewind", "formed", "hooks", "store"}))
        raise ArgumentError(f"{unknown[0]!a:.60} is no argument of a guard; there are {known}")
    given["evidence"] = passages(given.get("evidence", ()))
    given["history"] = turns(given.get("history", ()))
    if given.get("question") is not None:
        words(given["question"], "question")

    def opened() -> TextGuard:
        own = None if hooks is None else hooks()
        how: Any = {"cannot_rewind": cannot_rewind, "formed": formed, "store": store}
        return TextGuard(monitor, hooks=own, **how, **given)

    # The first is opened at once, so that bad arguments are heard of before anything is read.
    ready = [opened()]
    return lambda: ready.pop() if ready else opened()


def drive(
    stream: Iterable[Any], feed: Feed, close: Callable[[], Any]
) -> Generator[Any, None, None]:
    """Yield the guarded objects of ``stream``; closes it whatever happens."""
    try:
        for item in stream:
            yield from waited(feed.feed(item))
            if feed.over:
                return
        yield from waited(feed.finish())
    except Exception:
        if feed.complete:
            yield from waited(feed.finish())
        raise
    finally:
        _abandon(feed)
        close()


async def adrive(
    stream: AsyncIterator[Any], feed: Feed, close: Callable[[], Any]
) -> AsyncGenerator[Any, None]:
    """Yield as ``drive``, over an asynchronous stream."""
    try:
        async for item in stream:
            async for out in awaited(feed.feed(item)):
                yield out
            if feed.over:
                return
        async for out in awaited(feed.finish()):
            yield out
    except Exception:
        if feed.complete:
            async for out in awaited(feed.finish()):
                yield out
        raise
    finally:
        _abandon(feed)
        closed = close()
        if inspect.isawaitable(closed):
            await closed


def _abandon(feed: Feed) -> None:
    for guard in feed.guards.values():
        guard.abandon()


def waited(items: Iterator[Any]) -> Iterator[Any]:
    """Yield the objects of ``items``, sleeping where it asks for time."""
    for item in items:
        if item is None:
            time.sleep(POLL_S)
        else:
            yield item


async def awaited(items: Iterator[Any]) -> AsyncIterator[Any]:
    """Yield as ``waited``, letting others run meanwhile."""
    for item in items:
        if item is None:
            await asyncio.sleep(POLL_S)
        else:
            yield item


def ended(guard: TextGuard, said: list[str], reason: Any = None) -> Iterator[None]:
    """End ``guard``; yield None while it waits; append the rest of the answer to ``said``.

    ``reason`` is what the provider says of the end, in its own words.
    """
    for piece in guard.ending(limited=reason in LIMITED):
        if piece is None:
            yield None
        else:
            said.append(piece)


def push(guard: TextGuard, text: str, tokens: Iterable[Any] | None) -> str:
    """Push a piece with the log-probabilities that an API gives of its ``tokens``, if any fit.

    A token has ``token``, ``logprob`` and ``top_logprobs``, as in the OpenAI API.
    """
    listed = list(tokens or ())
    if len(listed) == 1:
        return guard.push(text, top_logprobs=_numbers(listed[0], text))
    if not listed or "".join(str(_of(one, "token")) for one in listed) != text:
        return guard.push(text)
    pieces = [(str(_of(one, "token")), one) for one in listed]
    return "".join(guard.push(name, top_logprobs=_numbers(one, name)) for name, one in pieces)


def fitting(tokens: Iterable[Any], text: str) -> list[bool]:
    """Return of each of an API's tokens whether it is part of ``text``, or a mark beside it.

    A server that looks for stop strings tells of tokens whose text it still holds back.
    """
    left, known, found = text.encode("utf-8", "surrogatepass"), True, []
    for one in tokens:
        name, given = _of(one, "token"), _of(one, "bytes")
        data = str(name).encode("utf-8", "surrogatepass")
        try:
            data = data if given is None else bytes(given)
        except (TypeError, ValueError):
            known = False
        if known and data and left.startswith(data):
            left = left[len(data) :]
            found.append(True)
        else:
            silent = MARK.fullmatch(str(name)) is not None
            known = known and silent
            found.append(silent)
    return found


def _numbers(token: Any, text: str) -> dict[str, float] | None:
    """Return tokens and natural logarithms of their probabilities; none if they are no such."""
    listed = {_of(one, "token"): _of(one, "logprob") for one in _of(token, "top_logprobs") or ()}
    listed[text] = _of(token, "logprob")
    fits = (isinstance(p, int | float) and p <= TOLERANCE for p in listed.values())
    if not all(fits) or not all(isinstance(name, str) for name in listed):
        return None
    return {name: min(float(p), 0.0) for name, p in listed.items()}


def _of(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
