"""The upstream: requests to it, its streams as events, and its faults by name."""

from __future__ import annotations

import asyncio
import errno
import json
import re
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from groundwire.gateway.errors import UpstreamFault, UpstreamRefused, error_in, upstream_error
from groundwire.gateway.headers import beside_answer, passed
from groundwire.gateway.sse import Reader, ServerEvent

if TYPE_CHECKING:
    from groundwire.config.serving import ServingLimits, ServingTimeouts

_VERSION = re.compile(r"v[0-9]+[a-z0-9.]*")
IDLE_S = 3.0
"""Seconds after which a connection that waits is not used again: many servers close theirs after
five, and a request that meets the close is lost."""
_LOOK_S = 0.25
"""Seconds between two looks at a connection that is silent."""
_ERROR_BODY = 1024 * 1024
"""Bytes of an upstream's error that are passed on."""


class Upstream:
    """The server that writes the answers; one connection pool for all requests.

    Args:
        url: its root, with or without ``/v1`` at the end; or the place of its routes, where that
            has a version of its own (``/v1beta/openai``, ``/api/v3``).
        limits: sizes above which its answers are refused.
        timeouts: how long it is waited for.
    """

    def __init__(self, url: str, limits: ServingLimits, timeouts: ServingTimeouts) -> None:
        self.root = url.rstrip("/").removesuffix("/v1")
        path = URL(self.root, encoded=True).raw_path
        self._versioned = any(_VERSION.fullmatch(one) for one in path.split("/"))
        self.limits = limits
        self.timeouts = timeouts
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """Open the pool, in the loop that will use it."""
        connector = aiohttp.TCPConnector(limit=0, ttl_dns_cache=60, keepalive_timeout=IDLE_S)
        timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=self.timeouts.connect.total_seconds()
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            timeout=timeout,
            auto_decompress=True,
            cookie_jar=aiohttp.DummyCookieJar(),
            read_bufsize=64 * 1024,
        )

    async def close(self) -> None:
        """Close the pool and every connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def send(
        self,
        method: str,
        path: str,
        headers: list[tuple[str, str]],
        body: Any = None,
        *,
        within_s: float | None = None,
    ) -> aiohttp.ClientResponse:
        """Send a request and return the answer once its head is there.

        Raises:
            UpstreamFault: it cannot be reached, or sends no head in time.
            UpstreamRefused: it answered with a status that is no success.

        """
        assert self._session is not None
        given = [*headers, ("Accept-Encoding", "identity")]
        data = None
        if body is not None:
            data = json.dumps(body, allow_nan=False).encode()
            given.append(("Content-Type", "application/json"))
        wait = self.timeouts.first.total_seconds() if within_s is None else within_s
        try:
            async with asyncio.timeout(wait):
                response = await self._session.request(
                    method,
                    # As it stands: a path that is folded or quoted anew could be another one.
                    URL(self._place(path), encoded=True),
                    data=data,
                    headers=given,
                    allow_redirects=False,
                )
        except TimeoutError as error:
            raise UpstreamFault(
                "upstream_timeout", f"the upstream did not answer within {wait:g} seconds"
            ) from error
        except (aiohttp.ClientConnectorError, aiohttp.InvalidURL, OSError) as error:
            if _broke_off(error):
                raise _reset() from error
            raise UpstreamFault(
                "upstream_unreachable", "the upstream cannot be reached; is it running?"
            ) from error
        except aiohttp.ClientError as error:
            raise _reset() from error
        if response.status != 200:
            try:
                content = await self.read(response, _ERROR_BODY)
            finally:
                response.close()
            kind = response.headers.get("Content-Type", "application/json")
            given = [*passed(list(response.headers.items())), ("Content-Type", kind)]
            raise UpstreamRefused(response.status, given, content)
        return response

    def _place(self, path: str) -> str:
        """Return the URL of a route."""
        return self.root + (path.removeprefix("/v1") if self._versioned else path)

    async def read(
        self, response: aiohttp.ClientResponse, limit: int, *, within_s: float | None = None
    ) -> bytes:
        """Return a whole body; ``within_s`` stands in for the longest time it may take.

        Raises:
            UpstreamFault: it is larger than ``limit`` bytes, breaks off, stalls (behind its first
                byte for longer than ``idle``, before it for longer than ``first`` and ``idle``), or
                does not come in time.

        """
        parts: list[bytes] = []
        size = 0
        idle = self.timeouts.idle.total_seconds()
        patience = max(idle, self.timeouts.first.total_seconds())
        most = self.timeouts.total.total_seconds() if within_s is None else within_s
        over = time.monotonic() + most
        try:
            while True:
                part = await _more(response, min(patience, over - time.monotonic()))
                if not part:
                    return b"".join(parts)
                patience = idle
                size += len(part)
                if size > limit:
                    raise UpstreamFault(
                        "upstream_malformed",
                        f"the upstream's answer has more than {limit} bytes",
                    )
                parts.append(part)
        except TimeoutError as error:
            late = "did not end" if time.monotonic() >= over else "sent nothing"
            length = most if time.monotonic() >= over else patience
            raise UpstreamFault(
                "upstream_stalled", f"the upstream's answer {late} for {length:g} seconds"
            ) from error
        except (aiohttp.ClientError, OSError) as error:
            raise _reset() from error

    async def json(
        self,
        path: str,
        headers: list[tuple[str, str]],
        body: Any,
        *,
        within_s: float | None = None,
    ) -> tuple[dict[str, Any], list[tuple[str, str]]]:
        """Post a request that does not stream; return the answer and its headers.

        Raises:
            UpstreamFault: as ``send`` and ``read``, and for what is no JSON object.
            UpstreamRefused: as ``send``.

        """
        response = await self.send("POST", path, headers, body, within_s=within_s)
        try:
            if response.content_type == "text/event-stream":
                raise UpstreamFault(
                    "upstream_malformed", "the upstream streams, though it was not asked to"
                )
            content = await self.read(response, self.limits.max_response, within_s=within_s)
            return as_object(content, "answer"), beside_answer(response.headers.items())
        finally:
            response.close()

    async def stream(self, path: str, headers: list[tuple[str, str]], body: Any) -> Events:
        """Post a request that streams; return its events.

        Raises:
            UpstreamFault: as ``send``, and for an answer that is no event stream.
            UpstreamRefused: as ``send``.

        """
        response = await self.send("POST", path, headers, body)
        if response.content_type != "text/event-stream":
            try:
                raise await self._no_stream(response)
            finally:
                response.close()
        return Events(response, self.limits.max_event, self.timeouts)

    async def _no_stream(self, response: aiohttp.ClientResponse) -> UpstreamFault:
        """Return what an answer is that does not stream: some servers report errors like that."""
        if response.content_type.endswith("json"):
            try:
                data = as_object(await self.read(response, _ERROR_BODY), "answer")
            except UpstreamFault as fault:
                if fault.code != "upstream_malformed":
                    return fault
            else:
                if (reported := error_in(data)) is not None:
                    return upstream_error(reported)
        return UpstreamFault(
            "upstream_malformed",
            f"the upstream was asked for an event stream and sent {response.content_type}",
        )


class Events:
    """The events of one answer, with the time between them watched."""

    def __init__(
        self, response: aiohttp.ClientResponse, limit: int, timeouts: ServingTimeouts
    ) -> None:
        self.headers = beside_answer(response.headers.items())
        self._response = response
        self._reader = Reader(limit)
        self._ready: deque[ServerEvent] = deque()
        self._idle = timeouts.idle.total_seconds()
        self._total = timeouts.total.total_seconds()
        self._heard = self._began = time.monotonic()
        self._failed: UpstreamFault | None = None

    async def next(self, due: float | None = None) -> ServerEvent | None:
        """Return the next event; none once ``due`` (a monotonic second) has passed.

        Raises:
            EOFError: the stream has ended.
            UpstreamFault: it broke off, stalled, took too long, or is no event stream.

        """
        while not self._ready:
            if self._failed is not None:
                raise self._failed
            silent = self._heard + self._idle
            over = self._began + self._total
            until = min(silent, over) if due is None else min(silent, over, due)
            wait = until - time.monotonic()
            try:
                data = await _more(self._response, wait)
            except TimeoutError:
                now = time.monotonic()
                if due is not None and now >= due:
                    return None
                if now < min(silent, over):
                    continue
                late = "sent nothing" if silent <= over else "did not end"
                limit = self._idle if silent <= over else self._total
                raise UpstreamFault(
                    "upstream_stalled", f"the upstream {late} for {limit:g} seconds"
                ) from None
            except (aiohttp.ClientError, OSError) as error:
                raise self._failed or _reset() from error
            if not data and self._failed is not None:
                raise self._failed
            if not data:
                if self._reader.open and not self._reader.done:
                    raise UpstreamFault(
                        "upstream_reset", "the upstream's stream ended inside an event"
                    )
                raise EOFError
            self._heard = time.monotonic()
            try:
                self._ready.extend(self._reader.feed(data))
            except UpstreamFault as fault:
                # Behind the events that are whole.
                self._failed = fault
        return self._ready.popleft()

    def fail(self, fault: UpstreamFault) -> None:
        """End the answer from outside; whoever waits for it gets the fault."""
        self._failed = fault
        self._response.close()

    def close(self) -> None:
        """End the answer, and with it the upstream's work."""
        self._response.close()


def as_object(content: bytes, what: str) -> dict[str, Any]:
    """Return a JSON object; raises ``UpstreamFault`` for anything else."""
    try:
        # NaN and infinities are no JSON; some servers write them for probabilities.
        found = json.loads(content.decode(), parse_constant=_none)
    except (ValueError, RecursionError) as error:
        raise UpstreamFault(
            "upstream_malformed", f"the upstream's {what} is not JSON in UTF-8"
        ) from error
    if not isinstance(found, dict):
        raise UpstreamFault("upstream_malformed", f"the upstream's {what} is no JSON object")
    return found


def _none(_: str) -> None:
    return None


def _broke_off(error: Exception) -> bool:
    """Whether there was a connection, and it ended before the answer's head came."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return False
    number = error.errno if isinstance(error, OSError) else None
    known = number in {errno.ECONNRESET, errno.ECONNABORTED, errno.EPIPE}
    return known or isinstance(error, aiohttp.ServerDisconnectedError | ConnectionResetError)


async def _more(response: aiohttp.ClientResponse, wait: float) -> bytes:
    """Return what comes next of a body, within ``wait`` seconds; raises ``TimeoutError``.

    Raises ``UpstreamFault`` where the body is cut into chunks that are none: aiohttp closes such a
    connection, and tells nobody who waits for more.
    """
    over = time.monotonic() + wait
    while True:
        try:
            async with asyncio.timeout(max(0.0, min(_LOOK_S, over - time.monotonic()))):
                return await response.content.readany()
        except TimeoutError:
            connection = response.connection
            protocol = None if connection is None else connection.protocol
            if protocol is not None and isinstance(protocol.exception(), HttpProcessingError):
                raise UpstreamFault(
                    "upstream_malformed", "the upstream's answer breaks the rules of HTTP"
                ) from None
            if time.monotonic() >= over:
                raise


def _reset() -> UpstreamFault:
    return UpstreamFault("upstream_reset", "the upstream broke the connection off")
