"""The gateway as an ASGI application, and its routes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from groundwire.gateway import page, whole
from groundwire.gateway.answering import Answering, Headers, Json, Streaming
from groundwire.gateway.context import Context
from groundwire.gateway.core import Gateway
from groundwire.gateway.dialects import Chat, Completions, Dialect
from groundwire.gateway.errors import Refused, UpstreamFault, UpstreamRefused
from groundwire.gateway.metrics import CONTENT_TYPE
from groundwire.gateway.relay import Relay
from groundwire.gateway.requests import Asked
from groundwire.gateway.responses import Responses

_NAME = re.compile(r"[\w.:@+~ -]+(?:/[\w.:@+~ -]+)*")
"""Names of models: words, maybe parted by slashes. Other characters could name another route."""

UNKNOWN = "unknown"
"""What stands for every route that is not served, where requests are counted."""


class Choices:
    """A route whose answers are lists of choices."""

    def __init__(self, dialect: Dialect) -> None:
        self.path = dialect.path
        self._dialect = dialect

    def read(self, body: Json) -> Asked:
        """Check a request; raises ``Refused``."""
        return self._dialect.read(body)

    def stream(self, context: Context) -> Streaming:
        """Return an answer that streams."""
        return Relay(context, self._dialect)

    async def whole(self, context: Context) -> tuple[Json, Headers]:
        """Return an answer that does not, and the upstream's headers."""
        return await whole.answer(context, self._dialect)


def create_app(gateway: Gateway) -> Starlette:
    """Return the application; it opens and closes the gateway's parts with its lifespan."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await gateway.start()
        try:
            yield
        finally:
            await gateway.stop()

    async def models(request: Request) -> Response:
        try:
            onward = gateway.admit(request.headers, request.scope.get("server"))
            response = await gateway.upstream.send("GET", _models_path(request), onward)
            try:
                content = await gateway.upstream.read(response, gateway.serving.limits.max_response)
            finally:
                response.close()
        except UpstreamRefused as refused:
            if refused.fault is not None:
                return JSONResponse(refused.fault.body(), refused.fault.status)
            return Response(refused.body, refused.status, media_type="application/json")
        except (Refused, UpstreamFault) as fault:
            return JSONResponse(fault.body(), fault.status)
        return Response(content, media_type="application/json")

    async def metrics(request: Request) -> Response:
        try:
            gateway.admit(request.headers, request.scope.get("server"))
        except Refused as refused:
            return JSONResponse(refused.body(), refused.status)
        return Response(gateway.observers.metrics.exposition(), media_type=CONTENT_TYPE)

    async def healthz(_: Request) -> Response:
        status = 503 if gateway.draining else 200
        return JSONResponse({"status": "draining" if gateway.draining else "ok"}, status)

    routes: list[Any] = [
        Route(route.path, Answering(gateway, route), methods=["POST"])
        for route in (Choices(Chat()), Choices(Completions()), Responses())
    ]
    routes += [
        Route("/v1/models", models, methods=["GET"]),
        Route("/v1/models/{model:path}", models, methods=["GET"]),
        Route("/metrics", metrics, methods=["GET"]),
        Route("/healthz", healthz, methods=["GET"]),
    ]
    routes += page.routes()

    async def unknown(request: Request, error: Exception) -> Response:
        response = _unknown(request, error)
        await gateway.observers.finished(UNKNOWN, None, response.status_code)
        return response

    refused = {404: unknown, 405: unknown}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=refused)
    # A redirect has no body that says what is wrong, and few clients follow one with theirs.
    app.router.redirect_slashes = False
    return app


def _models_path(request: Request) -> str:
    """Return the upstream's path for the list of models, or for one of them.

    Raises:
        Refused: the rest of the path is no model's name; it would lead to another route.

    """
    name = request.path_params.get("model")
    if name is None:
        return "/v1/models"
    if not _NAME.fullmatch(name) or any(not part.strip(". ") for part in name.split("/")):
        message = f"{name!a:.80} is no name of a model; GET /v1/models lists them"
        raise Refused(404, "unknown_route", message)
    return "/v1/models/" + "/".join(quote(part, safe="") for part in name.split("/"))


def _unknown(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    message = (
        f"{request.method} {request.url.path} is not served: what the gateway does not know could "
        "carry text that nobody checked. It serves POST /v1/chat/completions, /v1/completions and "
        "/v1/responses, and GET /v1/models"
    )
    return JSONResponse(Refused(status, "unknown_route", message).body(), status)
