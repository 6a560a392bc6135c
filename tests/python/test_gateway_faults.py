"""What goes wrong upstream, at every route, streaming or not, however text is released."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

from gateway_upstream import MODEL, Model, before, gateway, knowledge, served, settled
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from slow_sse import strict, text_of

RIGHT = "The Harbour Museum was founded in 1987. It has 45 employees. It is open on Sundays."
WRONG = "It is open. The Harbour Museum was founded in 1992. It has 45 employees."
ROUTES: dict[str, dict[str, Any]] = {
    "chat/completions": {"messages": [{"role": "user", "content": "When was it founded?"}]},
    "completions": {"prompt": "When was it founded?\n"},
    "responses": {"input": "When was it founded?"},
}
CODES = {
    "reset": "upstream_reset",
    "malformed": "upstream_malformed",
    "binary": "upstream_malformed",
    "error": "upstream_error",
    "no_choices": "upstream_malformed",
    "stall": "upstream_stalled",
    "eof": "upstream_reset",
    "early_done": "upstream_reset",
}
WHOLE = {
    **CODES,
    "stall": "upstream_timeout",
    "stall_inside": "upstream_stalled",
    "early_done": "upstream_malformed",
    "events": "upstream_malformed",
}
"""The same for answers that do not stream, and what only befalls those."""
RELEASES = ("token", "claim", "response")
SHORT = {"timeouts": {"idle": "1500ms", "first": "1500ms"}}
"""For upstreams that stall; all others have the time they need."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    policies = {name: {"release": name} for name in RELEASES}
    given = knowledge(tmp_path_factory.mktemp("kb"))
    more = {"policies": policies, "default_policy": "token", "continuation": "none"}
    return {**given, **more}


def ask(url: str, route: str, release: str, *, stream: bool) -> httpx.Response:
    body = {"model": MODEL, "stream": stream, "groundwire": release, **ROUTES[route]}
    return httpx.post(f"{url}/v1/{route}", json=body, timeout=30)


def patience(fault: str) -> dict[str, Any]:
    return SHORT if fault.startswith("stall") else {}


def ask_all(
    url: str, releases: tuple[str, ...], *, stream: bool
) -> list[tuple[str, str, httpx.Response]]:
    """Ask at every route and release, all at once."""
    pairs = [(route, release) for route in ROUTES for release in releases]
    with ThreadPoolExecutor(len(pairs)) as pool:
        answers = pool.map(lambda pair: ask(url, *pair, stream=stream), pairs)
        return [(*pair, answer) for pair, answer in zip(pairs, answers, strict=True)]


def error_of(found: list[Any]) -> Any:
    """Return the error in a stream, which is its last word but ``[DONE]``."""
    last = [one for one in found if one != "[DONE]"][-1]
    if last.get("type") == "response.failed":
        assert last["response"]["status"] == "failed"
        return last["response"]["error"]
    return last["error"]


@pytest.mark.parametrize("fault", CODES)
def test_streams_that_break_keep_what_was_released(base: dict[str, Any], fault: str) -> None:
    model = Model((RIGHT,), fault=fault, after=13)
    with gateway(model, **base, **patience(fault)) as (url, made):
        for route, release, answer in ask_all(url, RELEASES, stream=True):
            assert answer.status_code == 200
            found = strict(answer.content)
            assert error_of(found)["code"] == CODES[fault], (route, release)
            # All that came was right, and nothing of it is lost.
            assert text_of(found) == RIGHT[: 13 * 4], (route, release)
        settled(made)


@pytest.mark.parametrize("fault", CODES)
def test_streams_that_break_leak_nothing(base: dict[str, Any], fault: str) -> None:
    # The upstream breaks off inside the wrong claim, after the wrong value.
    model = Model((WRONG,), fault=fault, after=13)
    with gateway(model, **base, **patience(fault)) as (url, _):
        for route, release, answer in ask_all(url, ("claim", "response"), stream=True):
            found = strict(answer.content)
            text = text_of(found)
            assert text.startswith("It is open. "), (route, release)
            assert "founded in 1992" not in text and "1992" not in str(error_of(found))


@pytest.mark.parametrize("fault", WHOLE)
def test_answers_that_break_are_errors(base: dict[str, Any], fault: str) -> None:
    with gateway(Model((WRONG,), fault=fault), **base, **patience(fault)) as (url, _):
        for route, release, answer in ask_all(url, RELEASES, stream=False):
            slow = fault.startswith("stall")
            assert answer.status_code == (504 if slow else 502), (route, release)
            assert answer.json()["error"]["code"] == WHOLE[fault]
            assert "1992" not in answer.text


def test_a_list_of_models_that_stalls_is_an_error(base: dict[str, Any]) -> None:
    with gateway(Model(fault="stall_inside"), **base, **SHORT) as (url, _):
        answer = httpx.get(f"{url}/v1/models", timeout=20)
        assert answer.status_code == 504
        assert answer.json()["error"]["code"] == "upstream_stalled"


@pytest.mark.parametrize("stream", [True, False])
def test_nobody_there(base: dict[str, Any], stream: bool) -> None:
    with gateway(None, **base) as (url, _):
        for route in ROUTES:
            answer = ask(url, route, "claim", stream=stream)
            assert answer.status_code == 502
            assert answer.json()["error"]["code"] == "upstream_unreachable"


@pytest.mark.parametrize("stream", [True, False])
def test_a_connection_that_is_reset_before_the_answers_head(
    base: dict[str, Any], stream: bool
) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def resets() -> None:
            while True:
                try:
                    found, _ = listening.accept()
                except OSError:
                    return
                found.recv(65536)
                # Closed with data unsent to nobody: the system sends RST.
                found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                found.close()

        threading.Thread(target=resets, daemon=True).start()
        root = f"http://127.0.0.1:{listening.getsockname()[1]}"
        made = Gateway(root, Config.load(environ={}, serving=base), environ={})
        with served(create_app(made)) as url:
            for route in ROUTES:
                answer = ask(url, route, "claim", stream=stream)
                assert answer.status_code == 502
                assert answer.json()["error"]["code"] == "upstream_reset"
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("stream", [True, False])
def test_the_upstreams_own_errors_pass(base: dict[str, Any], stream: bool) -> None:
    with gateway(Model(fault="status"), **base) as (url, _):
        for route in ROUTES:
            answer = ask(url, route, "claim", stream=stream)
            assert answer.status_code == 429 and answer.headers["retry-after"] == "7"
            assert answer.json()["error"]["code"] == "slow_down"


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("kind", ["text/html", "text/plain; charset=utf-8", None])
def test_an_error_of_any_type_keeps_it(
    base: dict[str, Any], stream: bool, kind: str | None
) -> None:
    async def busy(_: Request) -> Response:
        return Response(b"<html>busy</html>", 503, {"content-type": kind} if kind else {})

    every = Router(routes=[Route("/{path:path}", busy, methods=["GET", "POST"])])
    with served(every) as root:
        made = Gateway(root, Config.load(environ={}, serving=base), environ={})
        with served(create_app(made)) as url:
            for route in ROUTES:
                answer = ask(url, route, "claim", stream=stream)
                assert answer.status_code == 503 and answer.content == b"<html>busy</html>"
                found = answer.headers.get_list("content-type")
                assert [one.partition(";")[0] for one in found] == [
                    kind.partition(";")[0] if kind else "application/json"
                ]


def test_json_where_a_stream_was_asked_for(base: dict[str, Any]) -> None:
    with gateway(Model(fault="json"), **base) as (url, _):
        for route in ROUTES:
            answer = ask(url, route, "claim", stream=True)
            assert answer.status_code == 502
            assert answer.json()["error"]["code"] == "upstream_malformed"


def test_an_answer_without_end_is_ended(base: dict[str, Any]) -> None:
    given = {**base, "timeouts": {"total": "0.5s", "idle": "5s"}}
    with gateway(Model((RIGHT * 50,), delay_s=0.05), **given) as (url, _):
        found = strict(ask(url, "chat/completions", "token", stream=True).content)
        assert error_of(found)["code"] == "upstream_stalled"
        assert RIGHT.startswith(text_of(found)[:40])


SAID = {"role": "assistant", "content": WRONG}
AS_ERRORS: list[tuple[Any, str]] = [
    ({"choices": [{"index": 0, "message": SAID, "finish_reason": "stop"}]}, "application/json"),
    ({"error": {"message": "busy"}, "choices": [{"index": 0, "text": WRONG}]}, "application/json"),
    ({"object": "response", "output": [{"type": "message", **SAID}]}, "text/plain"),
    ([{"message": SAID}], "application/json"),
    (f"data: {json.dumps({'choices': [{'delta': SAID}]})}\n\n", "text/plain"),
    (f"event: x\ndata: {WRONG}\n\n", "text/event-stream"),
]
ERRORS: list[Any] = [
    {"error": {"message": "no such model", "type": "x", "code": 404}},
    {"error": "no such model"},
    {"object": "error", "message": "no such model", "type": "x", "code": 404},
    {"detail": [{"loc": ["body", "choices"], "msg": "not allowed"}]},
    [{"error": {"code": 404, "message": "no such model"}}],
    "<html>data: choices</html>",
]


@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_that_comes_as_an_error_goes_no_further(
    base: dict[str, Any], stream: bool
) -> None:
    sent: list[Any] = [None, "", 0]

    async def refuse(request: Request) -> Response:
        body = sent[0] if isinstance(sent[0], str) else json.dumps(sent[0])
        return Response(body, sent[2], media_type=sent[1])

    for route in ROUTES:
        with before(refuse, f"/v1/{route}", **base) as url:
            for status in (400, 503):
                for content, kind in AS_ERRORS:
                    sent[:] = content, kind, status
                    got = ask(url, route, "claim", stream=stream)
                    assert (got.status_code, "1992" in got.text) == (502, False)
                    assert got.json()["error"]["code"] == "upstream_malformed"
                for content in ERRORS:
                    sent[:] = content, "application/json", status
                    got = ask(url, route, "claim", stream=stream)
                    given = content if isinstance(content, str) else json.dumps(content)
                    assert (got.status_code, got.text) == (status, given)


@pytest.mark.parametrize("route", ROUTES)
def test_what_is_held_is_limited(base: dict[str, Any], route: str) -> None:
    given = {**base, "limits": {"max_held": 2048}}
    endless = "The hall is open and the hall is wide and the hall is old. " * 200
    model = Model((endless,), size=50, delay_s=0.005)
    with gateway(model, **given) as (url, _):
        found = strict(ask(url, route, "response", stream=True).content)
        text = text_of(found)
        assert 2048 <= len(text) < 2200 and endless.startswith(text)
        last = [one for one in found if one != "[DONE]"][-1]
        if route == "responses":
            assert last["response"]["incomplete_details"] == {"reason": "max_output_tokens"}
        else:
            assert last["choices"][0]["finish_reason"] == "length"
            assert "limit of held text" in last["groundwire"]["notes"][0]
    # The servers have shut down: whatever ran there has ended.
    assert model.aborted == 1


def test_a_client_that_leaves_ends_the_upstreams_work(base: dict[str, Any]) -> None:
    model = Model((RIGHT * 200,), delay_s=0.02)
    with gateway(model, **base) as (url, made):
        body = {"model": MODEL, "stream": True, "groundwire": "token"}
        with httpx.Client() as http:
            for route, more in ROUTES.items():
                if route == "responses":
                    continue
                with http.stream("POST", f"{url}/v1/{route}", json={**body, **more}) as answer:
                    parts = answer.iter_raw()
                    assert next(parts)
        until = time.monotonic() + 10
        while (model.aborted < 2 or made.open) and time.monotonic() < until:
            time.sleep(0.01)
        assert model.aborted == 2 and not made.open
