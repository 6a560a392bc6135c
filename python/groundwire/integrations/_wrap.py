"""Streams with guarded objects in place of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from groundwire.integrations._feed import Feed, adrive, drive

if TYPE_CHECKING:
    from groundwire.report import Report


class _Guarded:
    """What both kinds of streams share.

    Attributes:
        reports: one a part of an answer so far, in the order they began.
    """

    def __init__(self, stream: Any, feed: Feed) -> None:
        """Wrap ``stream``, which nobody has read from."""
        self._stream, self._feed = stream, feed

    @property
    def response(self) -> Any:
        """The HTTP response of the stream."""
        return self._stream.response

    @property
    def reports(self) -> list[Report]:
        """One report a part of an answer so far, in the order they began."""
        return [guard.report() for guard in self._feed.guards.values()]


class GuardedStream(_Guarded):
    """An iterator of guarded chunks or events; closing it closes the upstream stream."""

    def __init__(self, stream: Any, feed: Feed) -> None:
        """Wrap ``stream``, which nobody has read from."""
        super().__init__(stream, feed)
        self._items = drive(stream, feed, stream.close)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._items)

    def __enter__(self) -> GuardedStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the upstream stream: what is held is dropped."""
        self._items.close()
        self._stream.close()


class AsyncGuardedStream(_Guarded):
    """The same, asynchronous."""

    def __init__(self, stream: Any, feed: Feed) -> None:
        """Wrap ``stream``, which nobody has read from."""
        super().__init__(stream, feed)
        self._items = adrive(stream, feed, stream.close)

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        return await anext(self._items)

    async def __aenter__(self) -> AsyncGuardedStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the upstream stream: what is held is dropped."""
        await self._items.aclose()
        await self._stream.close()
