"""No path leads to an upstream's route that the gateway does not serve."""

from __future__ import annotations

import http.client
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from gateway_upstream import served
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway


@pytest.fixture(scope="module")
def up() -> Iterator[tuple[str, list[str]]]:
    seen: list[str] = []

    async def anything(request: Request) -> JSONResponse:
        seen.append(request.scope["raw_path"].decode())
        return JSONResponse({"id": "x", "data": []})

    with served(Starlette(routes=[Route("/{path:path}", anything)])) as root:
        made = Gateway(root, Config.load(environ={}, serving={"continuation": "none"}), environ={})
        with served(create_app(made)) as url:
            yield url, seen


def get(url: str, path: str) -> int:
    """Ask for a path as it stands, unlike clients that fold it."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=30)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize(
    "path",
    [
        "/v1/models/../responses/resp_1",
        "/v1/models/..%2fresponses%2fresp_1",
        "/v1/models/%2e%2e/responses/resp_1",
        "/v1/models/.%2E/chat/completions/c1",
        "/v1/models/x/../../../metrics",
        "/v1/models/x/%252e%252e/%252e%252e/metrics",
        "/v1/models/..%5cresponses",
        "/v1/models/.../metrics",
        "/v1/models//metrics",
        "/v1/models/",
        "/v1/models/a%3Fb",
        "/v1/models/a%23b",
        "/v1/models/a%00b",
        "/v1/models/a;b",
    ],
)
def test_a_models_name_leads_nowhere_else(up: tuple[str, list[str]], path: str) -> None:
    url, seen = up
    seen.clear()
    assert get(url, path) == 404
    assert seen == []


@pytest.mark.parametrize(
    "name", ["script-1", "org/Some-Model_2.5:free", "ft:gpt-4o:acme::7p4l", "caf%C3%A9", "a%20b"]
)
def test_models_are_asked_for_by_their_names(up: tuple[str, list[str]], name: str) -> None:
    url, seen = up
    seen.clear()
    assert get(url, f"/v1/models/{name}") == 200
    assert [one.replace("%3A", ":") for one in seen] == [f"/v1/models/{name}"]


@pytest.mark.parametrize(
    ("root", "place"),
    [
        ("", "/v1/models"),
        ("/v1", "/v1/models"),
        ("/openai/v1/", "/openai/v1/models"),
        ("/proxy", "/proxy/v1/models"),
        ("/v1beta/openai", "/v1beta/openai/models"),
        ("/api/v3", "/api/v3/models"),
        ("/v1/acct/openai", "/v1/acct/openai/models"),
    ],
)
def test_the_upstreams_root_may_have_a_version_of_its_own(root: str, place: str) -> None:
    seen: list[str] = []

    async def anything(request: Request) -> JSONResponse:
        seen.append(request.scope["raw_path"].decode())
        return JSONResponse({"data": []})

    config = Config.load(environ={}, serving={"continuation": "none"})
    with (
        served(Starlette(routes=[Route("/{path:path}", anything)])) as url,
        served(create_app(Gateway(url + root, config, environ={}))) as own,
    ):
        assert get(own, "/v1/models") == 200
    assert seen == [place]
