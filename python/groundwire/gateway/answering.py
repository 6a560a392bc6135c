"""The routes that answer, as ASGI applications: from a request's head to the last byte."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import AsyncIterator
from typing import Any, Protocol

from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from groundwire.gateway.context import Context
from groundwire.gateway.core import Gateway
from groundwire.gateway.errors import Refused, UpstreamFault, UpstreamRefused, error
from groundwire.gateway.requests import Asked, read_body
from groundwire.gateway.summary import HEADER, header

Json = dict[str, Any]
Headers = list[tuple[str, str]]
_log = logging.getLogger("groundwire.gateway")
_GONE = 499
"""Status that logs give a request whose client left."""


class Streaming(Protocol):
    """An answer that streams."""

    headers: Headers
    ended: bool
    """Whether the chunk yielded now, and what follows it, only tells the end of the answer."""

    async def open(self) -> None:
        """Begin; raises ``UpstreamFault`` and ``UpstreamRefused``."""
        ...

    def chunks(self) -> AsyncIterator[bytes]:
        """Yield what the client gets."""
        ...

    def fail(self, fault: UpstreamFault) -> None:
        """End the answer with a fault."""
        ...

    def close(self) -> None:
        """End the upstream's work."""
        ...


class Route(Protocol):
    """How one route is read and answered."""

    path: str

    def read(self, body: Json) -> Asked:
        """Check a request; raises ``Refused``."""
        ...

    def stream(self, context: Context) -> Streaming:
        """Return an answer that streams."""
        ...

    async def whole(self, context: Context) -> tuple[Json, Headers]:
        """Return an answer that does not, and the upstream's headers."""
        ...


class Answering:
    """One route."""

    def __init__(self, gateway: Gateway, route: Route) -> None:
        self._gateway = gateway
        self._route = route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        answer = _Answer(self._gateway, self._route, Request(scope, receive), send)
        await answer.run(receive)


class _Answer:
    """One request on its way."""

    def __init__(self, gateway: Gateway, route: Route, request: Request, send: Send) -> None:
        self._gateway = gateway
        self._route = route
        self._request = request
        self._send = send
        self._patience = gateway.serving.timeouts.client.total_seconds()
        self._begun = False
        self._id = f"gw-{uuid.uuid4().hex}"
        self._context: Context | None = None
        self._status = 200
        self._task: asyncio.Task[Any] | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._fault: UpstreamFault | None = None
        self._ended = False

    async def run(self, receive: Receive) -> None:
        """Answer, whatever happens; nothing but a cancellation from outside leaves."""
        left = asyncio.Event()
        try:
            await self._answer(receive, left)
        except asyncio.CancelledError:
            if not left.is_set() and self._fault is None:
                raise
            task = asyncio.current_task()
            if task is not None:
                task.uncancel()
            if self._fault is not None:
                await self._reply(503, self._fault.body())
            else:
                self._status = _GONE
        except (ClientDisconnect, TimeoutError):
            self._status = _GONE
        except Exception:
            _log.exception("a request failed inside the gateway")
            await self._broken()
        finally:
            if self._watcher is not None:
                self._watcher.cancel()
            if self._context is not None:
                self._gateway.open.pop(self._context.id, None)
            observers = self._gateway.observers
            await observers.finished(self._route.path, self._context, self._status)

    async def _answer(self, receive: Receive, left: asyncio.Event) -> None:
        """Answer, and turn what goes wrong into replies."""
        try:
            headers = self._request.headers
            onward = self._gateway.admit(headers, self._request.scope.get("server"))
            asked = self._route.read(await self._body())
            about = (self._id, self._route.path)
            context = await self._gateway.begin(about, asked, headers, onward)
            self._context = context
            self._task = asyncio.current_task()
            assert self._task is not None
            self._watcher = asyncio.create_task(self._until_gone(receive, left))
            with self._gateway.observers.request(context, headers):
                await (self._stream(context) if asked.stream else self._whole(context))
        except Refused as refused:
            await self._reply(refused.status, refused.body())
        except UpstreamRefused as refused:
            self._note(refused)
            await self._pass_on(refused)
        except UpstreamFault as fault:
            self._note(fault)
            await self._reply(fault.status, fault.body())

    async def _body(self) -> Json:
        """Read the request's body."""
        limit = self._gateway.serving.limits.max_body
        try:
            async with asyncio.timeout(self._patience):
                return await read_body(self._request.stream(), self._request.headers, limit)
        except TimeoutError:
            message = f"the request's body did not come within {self._patience:g} seconds"
            raise Refused(408, "request_timeout", message) from None

    def fail(self, fault: UpstreamFault) -> None:
        """End an answer that does not stream with a fault, from outside."""
        self._fault = fault
        if self._task is not None:
            self._task.cancel()

    async def _stream(self, context: Context) -> None:
        answer = self._route.stream(context)
        self._gateway.open[context.id] = answer
        try:
            await answer.open()
            own = [("Cache-Control", "no-cache"), ("X-Accel-Buffering", "no")]
            theirs = {name.lower() for name, _ in own}
            given = [one for one in answer.headers if one[0].lower() not in theirs]
            own.append(("Content-Type", "text/event-stream; charset=utf-8"))
            await self._start(200, [*given, *own])
            async for chunk in answer.chunks():
                if answer.ended:
                    await self._end(context)
                if chunk:
                    await self._put(chunk)
            await self._end(context)
            await self._put(b"", more=False)
        finally:
            answer.close()

    async def _whole(self, context: Context) -> None:
        self._gateway.open[context.id] = self
        data, headers = await self._route.whole(context)
        given = [*headers, (HEADER, header(data["groundwire"]))]
        await self._end(context)
        await self._reply(200, data, given)

    async def _end(self, context: Context) -> None:
        """Write the audit record while the client still waits for the end of its answer.

        From here on a client that closes has read what it wanted, as most do at ``[DONE]``: it
        stops nothing, and the answer counts as given.
        """
        self._ended = True
        await self._gateway.observers.seal(context, 200)

    async def _reply(self, status: int, content: Json, headers: Headers | None = None) -> None:
        """Send a JSON answer, unless something was sent already."""
        self._status = status
        if self._begun:
            return
        data = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
        given = [*(headers or []), ("Content-Type", "application/json")]
        await self._start(status, [*given, ("Content-Length", str(len(data)))])
        await self._put(data, more=False)

    async def _pass_on(self, refused: UpstreamRefused) -> None:
        """Send an upstream's own error as it came; what is no error could hold an answer."""
        if (fault := refused.fault) is not None:
            await self._reply(fault.status, fault.body())
            return
        self._status = refused.status
        if self._begun:
            return
        size = ("Content-Length", str(len(refused.body)))
        await self._start(refused.status, [*refused.headers, size])
        await self._put(refused.body, more=False)

    async def _broken(self) -> None:
        """Tell the client of a fault of the gateway's own, in a stream too."""
        self._status = 500
        content = error("the gateway failed on this request", "server_error", "internal_error")
        if not self._begun:
            await self._reply(500, content)
            return
        try:
            await self._put(b"data: " + json.dumps(content).encode() + b"\n\n", more=False)
        except (OSError, TimeoutError, RuntimeError):
            _log.debug("the client could not be told")

    async def _start(self, status: int, headers: Headers) -> None:
        self._begun = True
        headers = [*headers, (f"{HEADER}-id", self._id)]
        raw = [
            (name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
            for name, value in headers
        ]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})

    async def _put(self, data: bytes, *, more: bool = True) -> None:
        """Send bytes; a client that does not take them in time is left."""
        async with asyncio.timeout(self._patience):
            await self._send({"type": "http.response.body", "body": data, "more_body": more})

    def _note(self, fault: UpstreamFault | UpstreamRefused) -> None:
        if self._context is not None:
            self._context.fault(fault)

    async def _until_gone(self, receive: Receive, left: asyncio.Event) -> None:
        """Cancel the answer if its client leaves before the end of it."""
        while (await receive())["type"] != "http.disconnect":
            pass
        if not self._ended and self._task is not None:
            left.set()
            self._task.cancel()
