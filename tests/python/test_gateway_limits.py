"""No way around the gateway, its keys and limits, its end, and clients that are slow."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, WRONG, Model, application, gateway, knowledge, served
from slow_sse import strict, text_of

LONG = "The hall is open and wide. " * 4000
ASK: dict[str, Any] = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}]}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return {**knowledge(tmp_path_factory.mktemp("kb")), "continuation": "none"}


@pytest.fixture(scope="module")
def wrong(base: dict[str, Any]) -> Iterator[tuple[str, Model]]:
    model = Model((WRONG,), size=1)
    with gateway(model, **base) as (url, _):
        yield url, model


@pytest.fixture(scope="module")
def small(base: dict[str, Any]) -> Iterator[str]:
    with gateway(Model(), **base, limits={"max_body": "64KiB"}) as (url, _):
        yield url


def post(url: str, body: dict[str, Any] | bytes, **headers: str) -> httpx.Response:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"content-type": "application/json", **headers}
    return httpx.post(f"{url}/v1/chat/completions", content=data, headers=headers, timeout=30)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"stream": True},
        {"stop": ["1992"], "stream": True},
        {"n": 2},
        {"n": 2, "stream": True},
        {"logprobs": True, "top_logprobs": 5, "stream": True},
        {"return_token_ids": True, "stream": True},
        {"stream": True, "stream_options": {"include_usage": True}},
        {"max_tokens": 39, "stream": True},
        {"tools": [{"type": "function", "function": {"name": "f"}}], "stream": True},
        {"groundwire": {"policy": "default", "details": True}, "stream": True},
    ],
)
@pytest.mark.parametrize("coding", ["plain", "gzip", "deflate", "utf-16"])
def test_nothing_a_request_sets_lets_the_claim_through(
    wrong: tuple[str, Model], more: dict[str, Any], coding: str
) -> None:
    headers: dict[str, str] = {"accept-encoding": "gzip, br, zstd"}
    data = json.dumps({**ASK, **more}).encode("utf-16" if coding == "utf-16" else "utf-8")
    if coding in {"gzip", "deflate"}:
        data = gzip.compress(data, mtime=0) if coding == "gzip" else zlib.compress(data)
        headers["content-encoding"] = coding
    url, model = wrong
    answer = post(url, data, **headers)
    assert answer.status_code == 200, answer.text
    if more.get("stream"):
        text = text_of(strict(answer.content))
    else:
        text = "".join(c["message"]["content"] for c in answer.json()["choices"])
    assert "founded in 1992" not in answer.text and "founded in 1987" in text
    assert "groundwire" not in model.seen[-1]
    assert model.headers[-1]["accept-encoding"] == "identity"


def test_a_repeated_key_means_the_same_to_everybody(base: dict[str, Any]) -> None:
    model = Model((WRONG,))
    with gateway(model, **base) as (url, _):
        data = json.dumps(ASK)[:-1] + ', "stream": true, "stream": false}'
        answer = post(url, data.encode())
        assert "1987" in answer.json()["choices"][0]["message"]["content"]
        assert model.seen[-1]["stream"] is False


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_chunks_may_end_anywhere(base: dict[str, Any], size: int) -> None:
    text = "Naïve “guests” 😀 like it. " + WRONG
    with gateway(Model((text,), size=size), **base) as (url, _):
        found = text_of(strict(post(url, {**ASK, "stream": True}).content))
        assert found == text.replace("1992", "1987")


@pytest.mark.parametrize(
    ("data", "headers", "status", "part"),
    [
        (b"{", {}, 400, "not JSON"),
        (b"[1]", {}, 400, "JSON object"),
        (b'{"model": NaN}', {}, 400, "NaN"),
        (b"\xff\xfe\x00", {}, 400, "not JSON"),
        (b"[" * 60_000, {}, 400, "not JSON"),
        (b"{}", {"content-encoding": "br"}, 415, "gzip"),
        (b"{}", {"content-encoding": "gzip"}, 400, "gzip"),
        (gzip.compress(b"{}", mtime=0)[:-4], {"content-encoding": "gzip"}, 400, "ends inside"),
        (gzip.compress(b" " * 200_000, mtime=0), {"content-encoding": "gzip"}, 413, "65536"),
        (b" " * 70_000, {}, 413, "65536"),
    ],
)
def test_bodies_that_cannot_be_read(
    small: str, data: bytes, headers: dict[str, str], status: int, part: str
) -> None:
    answer = post(small, data, **headers)
    assert answer.status_code == status and part in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("headers", "fits"),
    [
        ({"content-type": "application/json"}, True),
        ({"content-type": "Application/JSON; charset=utf-8", "origin": "own"}, True),
        ({"content-type": "application/vnd.api+json"}, True),
        ({}, True),
        ({"content-type": ""}, True),
        ({"origin": "own"}, False),
        ({"content-type": "text/plain"}, False),
        ({"content-type": "text/plain; application/json"}, False),
        ({"content-type": "text/plain, application/json"}, False),
        ({"content-type": "application/x-www-form-urlencoded"}, False),
        ({"content-type": "multipart/form-data; boundary=x"}, False),
        ({"content-type": "application/json-patch"}, False),
    ],
)
@pytest.mark.parametrize("route", ["chat/completions", "completions", "responses"])
def test_no_page_of_another_site_may_post(
    small: str, route: str, headers: dict[str, str], *, fits: bool
) -> None:
    url = f"{small}/v1/{route}"
    headers = {name: small if value == "own" else value for name, value in headers.items()}
    answer = httpx.post(url, content=b"{}", headers=headers, timeout=30)
    error = answer.json()["error"]
    assert answer.status_code == (400 if fits else 415)
    assert (error["code"] == "unsupported_media_type") is not fits
    assert fits or "Content-Type: application/json" in error["message"]


def test_an_answer_with_many_findings_tells_the_worst_of_them(base: dict[str, Any]) -> None:
    said = "".join(f"The Harbour Museum was founded in {1900 + n}. " for n in range(40))
    said += "".join(f"Zorblax Quimby{n} opened it in {1900 + n}. " for n in range(40))
    policies = {"seen": {"low": "annotate", "medium": "annotate", "high": "annotate"}}
    policies["seen"] |= {"critical": "annotate", "annotation": "metadata", "release": "token"}
    given = {**base, "policies": policies, "default_policy": "seen"}
    counts = {}
    for most in (5, 10_000):
        with gateway(Model((said,), size=200), **given, limits={"max_listed": most}) as (url, _):
            for stream in (False, True):
                answer = post(url, {**ASK, "stream": stream})
                if stream:
                    found = next(d for d in strict(answer.content) if "checked" in str(d))
                    found = found["groundwire"]
                else:
                    found = answer.json()["groundwire"]
                    short = json.loads(answer.headers["x-groundwire"])
                left = found.get("left_out", {})
                for name in ("findings", "interventions"):
                    assert len(found[name]) <= most
                    total = len(found[name]) + left.get(name, 0)
                    assert counts.setdefault(name, total) == total > 5
                    assert short[name] == total
                if most == 5:
                    tiers = {one["tier"] for one in found["findings"]}
                    assert tiers == {found["tier"]}
                    spans = [one["span"] for one in found["findings"]]
                    assert spans == sorted(spans)
                else:
                    assert not left


def test_keys_pass_and_are_written_nowhere(
    base: dict[str, Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = Model()
    audit = {"path": str(tmp_path / "audit.jsonl"), "mask": False}
    with caplog.at_level(logging.DEBUG), gateway(model, **base, audit=audit) as (url, _):
        post(url, ASK, authorization="Bearer sk-secret-77")
        assert model.headers[-1]["authorization"] == "Bearer sk-secret-77"
        post(url, {**ASK, "groundwire": "nope"}, authorization="Bearer sk-secret-77")
        exposed = httpx.get(f"{url}/metrics").text
    assert "sk-secret-77" not in caplog.text + exposed + (tmp_path / "audit.jsonl").read_text()


def test_a_key_of_its_own(base: dict[str, Any]) -> None:
    model = Model()
    known = hashlib.sha256(b"door-key").hexdigest()
    environ = {"GROUNDWIRE_SERVE_KEY": "second", "GROUNDWIRE_UPSTREAM_KEY": "sk-up"}
    with gateway(model, environ=environ, **base, access_keys=[known]) as (url, _):
        for headers in ({}, {"authorization": "Bearer door"}, {"x-groundwire-key": "door-keyy"}):
            answer = post(url, ASK, **headers)
            assert answer.status_code == 401
            assert answer.json()["error"]["code"] == "invalid_api_key"
        assert httpx.get(f"{url}/metrics").status_code == 401
        assert httpx.get(f"{url}/healthz").status_code == 200
        mine = {"x-groundwire-key": "door-key", "authorization": "Bearer sk-mine"}
        assert post(url, ASK, **mine).status_code == 200
        assert model.headers[-1]["authorization"] == "Bearer sk-mine"
        assert "x-groundwire-key" not in model.headers[-1]
        assert post(url, ASK, authorization="Bearer second").status_code == 200
        assert model.headers[-1]["authorization"] == "Bearer sk-up"


def test_a_policy_by_key_and_by_model(base: dict[str, Any]) -> None:
    keys = {
        "mine": {"sha256": hashlib.sha256(b"sk-mine").hexdigest(), "policy": "observe"},
    }
    models = {MODEL: {"policy": "whole"}}
    policies = {"whole": {"release": "response"}}
    with gateway(Model(), **base, keys=keys, models=models, policies=policies) as (url, _):
        by_model = post(url, ASK).json()["groundwire"]
        assert by_model["policy"] == "whole"
        by_key = post(url, ASK, authorization="Bearer sk-mine").json()["groundwire"]
        assert by_key["policy"] == "observe"


def test_a_fixed_form_may_be_observed_where_the_server_says_so(base: dict[str, Any]) -> None:
    with gateway(Model((WRONG,)), **base, requests_may_lower=True) as (url, _):
        form = {"response_format": {"type": "json_object"}}
        answer = post(url, {**ASK, **form}).json()
        assert answer["choices"][0]["message"]["content"] == WRONG
        assert "contradicted" in {one["status"] for one in answer["groundwire"]["findings"]}
        assert answer["groundwire"]["notes"] == ["nothing is rewritten under response_format"]


def test_checking_can_be_off_where_the_server_says_so(base: dict[str, Any]) -> None:
    with gateway(Model((WRONG,)), **base, requests_may_lower=True) as (url, _):
        answer = post(url, {**ASK, "groundwire": "off"})
        assert answer.json()["choices"][0]["message"]["content"] == WRONG
        assert answer.json()["groundwire"]["checked"] is False
        assert json.loads(answer.headers["x-groundwire"])["checked"] is False
        found = strict(post(url, {**ASK, "groundwire": "off", "stream": True}).content)
        assert text_of(found) == WRONG


def test_a_full_gateway_says_so(base: dict[str, Any]) -> None:
    model = Model((LONG,), delay_s=0.05)
    with gateway(model, **base, limits={"max_streams": 1}) as (url, _), httpx.Client() as http:
        body = {**ASK, "stream": True}
        with http.stream("POST", f"{url}/v1/chat/completions", json=body) as answer:
            parts = answer.iter_raw()
            assert next(parts)
            refused = post(url, ASK)
            assert refused.status_code == 503
            assert refused.json()["error"]["code"] == "overloaded"


def test_a_slow_client_slows_the_upstream_and_is_left_in_the_end(base: dict[str, Any]) -> None:
    # Far more than sockets hold: the upstream cannot have written it all.
    model = Model(("It is open and wide. " * 1_000_000,), size=2000, delay_s=1e-4)
    given = {**base, "timeouts": {"client": "1s"}, "policies": {"fast": {"release": "token"}}}
    with gateway(model, **given, default_policy="fast") as (url, made):
        host, _, port = url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as raw:
            data = json.dumps({**ASK, "stream": True}).encode()
            head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(data)}"
            raw.sendall(f"{head}\r\n\r\n".encode() + data)
            until = time.monotonic() + 20
            while not made.open and time.monotonic() < until:
                time.sleep(0.01)
            while made.open and time.monotonic() < until:
                time.sleep(0.01)
            assert not made.open and model.written < 10_500
        until = time.monotonic() + 10
        while model.aborted < 1 and time.monotonic() < until:
            time.sleep(0.01)
        assert model.aborted == 1


def test_the_end_lets_answers_finish(base: dict[str, Any], tmp_path: Path) -> None:
    text = LONG[:800]
    model = Model((text,), size=8, delay_s=0.02)
    config = tmp_path / "gateway.toml"
    section = {"drain": "20s"}
    config.write_text(
        f'[serving]\ncontinuation = "none"\n[serving.timeouts]\ndrain = "{section["drain"]}"\n'
    )
    with served(application(model)) as root, _process(root, config) as (url, process):
        got: list[bytes] = []

        def ask() -> None:
            got.append(post(url, {**ASK, "stream": True}).content)

        thread = threading.Thread(target=ask)
        thread.start()
        until = time.monotonic() + 20
        while not model.seen and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        status, until = 200, time.monotonic() + 20
        while status == 200 and time.monotonic() < until:
            status = httpx.get(f"{url}/healthz").status_code
        assert status == 503 and post(url, ASK).status_code == 503
        thread.join(30)
        assert text_of(strict(got[0])) == text
        assert process.wait(30) in {0, -signal.SIGTERM}


def test_the_end_ends_what_does_not_finish(base: dict[str, Any], tmp_path: Path) -> None:
    model = Model((LONG,), delay_s=0.02)
    config = tmp_path / "gateway.toml"
    config.write_text('[serving]\ncontinuation = "none"\n[serving.timeouts]\ndrain = "0.3s"\n')
    with served(application(model)) as root, _process(root, config) as (url, process):
        _end_once_asked(model, process)
        found = strict(post(url, {**ASK, "stream": True}).content)
        assert found[-2]["error"]["code"] == "shutting_down"
        assert LONG.startswith(text_of(found))
        assert process.wait(30) in {0, -signal.SIGTERM}


def test_the_end_answers_those_who_wait_for_a_whole_answer(tmp_path: Path) -> None:
    config = tmp_path / "gateway.toml"
    config.write_text('[serving]\ncontinuation = "none"\n[serving.timeouts]\ndrain = "0.3s"\n')
    model = Model(fault="stall")
    with served(application(model)) as root, _process(root, config) as (url, process):
        _end_once_asked(model, process)
        answer = post(url, ASK)
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "shutting_down"
        assert process.wait(60) in {0, -signal.SIGTERM}


@pytest.mark.parametrize("stream", [True, False])
def test_fields_of_a_servers_own_repeat_nothing(base: dict[str, Any], stream: bool) -> None:
    class Repeats(Model):
        """Says its text again wherever it can."""

        def more(self) -> dict[str, Any]:
            return {"__verbose": {"content": WRONG}, "generated": [WRONG], "raw": WRONG * 3}

    with gateway(Repeats((WRONG,)), **base) as (url, _):
        answer = post(url, {**ASK, "stream": stream})
        assert "1992" not in answer.text and "1987" in answer.text
        assert '"model"' in answer.text and '"created"' in answer.text


def _end_once_asked(model: Model, process: subprocess.Popen[str]) -> None:
    """Tell a server to end as soon as its upstream has a request."""

    def watch() -> None:
        until = time.monotonic() + 30
        while not model.seen and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)

    threading.Thread(target=watch).start()


class _process:
    """The command itself, serving."""

    def __init__(self, root: str, config: Path) -> None:
        command = [sys.executable, "-m", "groundwire", "serve", "--upstream", root]
        command += ["--port", "0", "--config", str(config)]
        self._process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"}
        )

    def __enter__(self) -> tuple[str, subprocess.Popen[str]]:
        assert self._process.stderr is not None
        line = self._process.stderr.readline()
        url = line.partition(" on ")[2].partition(",")[0]
        assert url.startswith("http://127.0.0.1:"), line
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                if httpx.get(f"{url}/healthz").json()["status"] == "ok":
                    break
            except httpx.TransportError:
                time.sleep(0.05)
        return url, self._process

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        assert self._process.stderr is not None
        self._process.stderr.close()
