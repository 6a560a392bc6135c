"""The page at ``/``: its files, and how they are served."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_HEADERS = {
    # Nothing from elsewhere, nothing inline.
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def routes() -> list[BaseRoute]:
    """Return a route for each of the page's files."""
    found: list[BaseRoute] = []
    for file in resources.files(__name__).iterdir():
        suffix = "." + file.name.rpartition(".")[2]
        if suffix not in _TYPES:
            continue
        path = "/" if file.name == "index.html" else f"/page/{file.name}"
        found.append(Route(path, _file(file.read_bytes(), _TYPES[suffix]), methods=["GET"]))
    return found


def _file(content: bytes, kind: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_: Request) -> Response:
        return Response(content, media_type=kind, headers=_HEADERS)

    return answer
