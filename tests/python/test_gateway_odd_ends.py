"""Upstreams that end in odd ways, or say what nobody can read; and requests for no route."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from gateway_upstream import MODEL, served
from groundwire.config import Config
from groundwire.errors import ConfigError
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from slow_sse import strict, text_of

PATHS = ("/v1/chat/completions", "/v1/completions")
ASKS: dict[str, Any] = {
    PATHS[0]: {"messages": [{"role": "user", "content": "When does it open?"}]},
    PATHS[1]: {"prompt": "When does it open?\n"},
}
SAID = "It opens at nine."


class Up:
    """Sends bytes, and may break the connection off behind them; or an answer in one piece."""

    events: bytes = b""
    breaks = False
    whole: Any = None

    async def __call__(self, request: Request) -> Response:
        body = json.loads(await request.body())
        if not body.get("stream"):
            return JSONResponse(self.whole)
        return StreamingResponse(self._sent(), media_type="text/event-stream")

    async def _sent(self) -> AsyncIterator[bytes]:
        yield self.events
        if self.breaks:
            raise RuntimeError("the upstream breaks off")


@pytest.fixture(scope="module")
def up() -> Iterator[tuple[str, Up]]:
    said = Up()

    async def anything(request: Request) -> Response:
        return await said(request)

    with served(
        Starlette(routes=[Route(path, anything, methods=["POST"]) for path in PATHS])
    ) as at:
        config = Config.load(environ={}, serving={"continuation": "none"})
        with served(create_app(Gateway(at, config, environ={}))) as url:
            yield url, said


def chunk(path: str, text: str, finish: str | None = None, index: Any = 0) -> bytes:
    own: dict[str, Any] = {"delta": {"content": text}} if path == PATHS[0] else {"text": text}
    choice = {"index": index, **own, "finish_reason": finish}
    return b"data: " + json.dumps({"id": "x", "choices": [choice]}).encode() + b"\n\n"


def ask(url: str, path: str, *, stream: bool, **more: Any) -> httpx.Response:
    body = {"model": MODEL, **ASKS[path], "stream": stream, **more}
    return httpx.post(f"{url}{path}", json=body, timeout=30)


def streamed(url: str, path: str, **more: Any) -> list[Any]:
    return strict(ask(url, path, stream=True, **more).content)


def error_of(found: list[Any]) -> Any:
    return next((one for one in found if one != "[DONE]" and "error" in one), None)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("behind", [b"", b'data: {"id": "x", "cho'])
def test_a_finished_answer_survives_a_connection_that_breaks(
    up: tuple[str, Up], path: str, behind: bytes
) -> None:
    url, said = up
    said.events, said.breaks = chunk(path, SAID) + chunk(path, "", "stop") + behind, True
    found = streamed(url, path)
    assert text_of(found) == SAID and error_of(found) is None
    last = found[-2]
    assert last["choices"][0]["finish_reason"] == "stop"
    assert last["groundwire"]["stopped"] == "end"
    # Before its end it is none.
    said.events = chunk(path, SAID) + behind
    assert error_of(streamed(url, path))["error"]["code"] == "upstream_reset"
    said.breaks = False


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("before", [True, False])
def test_an_error_named_by_its_event_alone(up: tuple[str, Up], path: str, before: bool) -> None:
    url, said = up
    told = b'event: error\ndata: {"message": "slow down", "code": 429}\n\n'
    said.events = (chunk(path, SAID) if before else b"") + told
    found = error_of(streamed(url, path))
    assert found["error"]["code"] == "upstream_error"
    assert found["error"]["message"] == "the upstream reported: slow down"
    assert found["groundwire"]["checked"] is before
    said.events = b'event: error\ndata: {"status": 1}\n\n'
    assert "without a message" in error_of(streamed(url, path))["error"]["message"]
    # The same data in an event of no name is no chunk.
    said.events = told.partition(b"\n")[2]
    assert error_of(streamed(url, path))["error"]["code"] == "upstream_malformed"


def test_a_role_alone_was_not_checked(up: tuple[str, Up]) -> None:
    url, said = up
    role = b'data: {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]}\n\n'
    said.events = role + b'data: {"error": {"message": "full"}}\n\n'
    assert error_of(streamed(url, PATHS[0]))["groundwire"]["checked"] is False


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": "11", "completion_tokens": "4"},
        {"prompt_tokens": None, "completion_tokens": 4},
        {"prompt_tokens": True, "completion_tokens": -1},
        {"total_tokens": 15},
    ],
)
def test_a_usage_that_cannot_be_read_is_none(
    up: tuple[str, Up], path: str, usage: dict[str, Any]
) -> None:
    url, said = up
    end = b"data: " + json.dumps({"id": "x", "choices": [], "usage": usage}).encode() + b"\n\n"
    said.events = chunk(path, SAID) + chunk(path, "", "stop") + end + b"data: [DONE]\n\n"
    found = streamed(url, path, stream_options={"include_usage": True})
    assert text_of(found) == SAID
    assert not any("usage" in one for one in found[:-1])
    own = {"message": {"role": "assistant", "content": SAID}, "text": SAID}
    choice = {"index": 0, "finish_reason": "stop", **own}
    said.whole = {"id": "x", "choices": [choice], "usage": usage}
    assert "usage" not in ask(url, path, stream=False).json()
    told = {"prompt_tokens": 11, "completion_tokens": 4, "total_tokens": 15}
    said.whole["usage"] = told
    assert ask(url, path, stream=False).json()["usage"] == told


@pytest.mark.parametrize("path", PATHS)
def test_a_flag_is_no_number_of_a_choice(up: tuple[str, Up], path: str) -> None:
    url, said = up
    for index in (False, True):
        said.events = chunk(path, SAID, index=index)
        found = error_of(streamed(url, path, n=2))
        assert found["error"]["code"] == "upstream_malformed"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("choices", [[], ["It opens."], [None], {"0": {}}])
def test_an_answer_without_choices_is_none(up: tuple[str, Up], path: str, choices: Any) -> None:
    url, said = up
    said.whole = {"id": "x", "choices": choices}
    answer = ask(url, path, stream=False)
    assert answer.status_code == 502
    assert answer.json()["error"]["code"] == "upstream_malformed"


@pytest.mark.parametrize("path", (*PATHS, "/v1/responses", "/v1/models"))
def test_a_slash_behind_a_route_is_another_one(up: tuple[str, Up], path: str) -> None:
    method = "GET" if path == "/v1/models" else "POST"
    answer = httpx.request(method, f"{up[0]}{path}/", json={"model": MODEL}, timeout=30)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "unknown_route"


def test_options_that_are_none_name_all_there_are(up: tuple[str, Up]) -> None:
    for given in ({"polcy": "x"}, 5):
        answer = ask(up[0], PATHS[0], stream=False, groundwire=given)
        assert answer.status_code == 400
        assert "policy, evidence, knowledge_base, id, details" in answer.json()["error"]["message"]


@pytest.mark.parametrize("name", ["connect", "first", "idle", "total", "client"])
@pytest.mark.parametrize("none", ["0s", 0, "0ms"])
def test_nobody_waits_for_no_time_at_all(name: str, none: Any) -> None:
    with pytest.raises(ConfigError, match=rf"serving\.timeouts\.{name}.*longer than 0"):
        Config.load(environ={}, serving={"timeouts": {name: none}})
    # At shutdown it means something.
    assert not Config.load(environ={}, serving={"timeouts": {"drain": none}}).serving.timeouts.drain


@pytest.mark.parametrize("place", ["file/audit.jsonl", "folder"])
def test_an_audit_log_that_cannot_be_written_is_named(tmp_path: Any, place: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    path = str(tmp_path / place)
    config = Config.load(environ={}, serving={"audit": {"path": path}})
    with pytest.raises(ConfigError, match=r"serving\.audit\.path = .* cannot be written: "):
        Gateway("http://127.0.0.1:9", config, environ={})
