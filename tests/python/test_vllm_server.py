"""The gate before vLLM's server, and the server's command, without the engine."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

import pytest

from groundwire.errors import ArgumentError, ConfigError
from groundwire.integrations.vllm import middleware, server, settings


class App:
    """What stands behind the gate: remembers what came through."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.lengths: list[bytes] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        self.bodies.append(message.get("body", b""))
        self.lengths += [v for n, v in scope.get("headers", ()) if n == b"content-length"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})


SLASHED = ("/v1/chat/completions/", "/v1/responses/")
"""Routes that the server would redirect to others, with an empty body."""


def ask(
    gate: Any,
    path: str,
    body: bytes = b"{}",
    method: str = "POST",
    headers: dict[str, str] | None = None,
    pieces: int = 1,
) -> tuple[int, bytes]:
    """One request through the gate; its body comes in so many pieces."""
    size = max(1, -(-len(body) // pieces))
    parts = [body[i : i + size] for i in range(0, len(body), size)] or [b""]
    sent: list[Any] = []

    async def receive() -> Any:
        if not parts:
            return {"type": "http.disconnect"}
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message: Any) -> None:
        sent.append(message)

    named = [(k.lower().encode(), v.encode()) for k, v in (headers or {}).items()]
    scope = {"type": "http", "method": method, "path": path, "headers": named}
    asyncio.run(gate(scope, receive, send))
    return sent[0]["status"], b"".join(m.get("body", b"") for m in sent[1:])


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (middleware.KEYS, settings.STOP_ID, "VLLM_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("path", sorted(middleware.GENERATING))
def test_generating_routes_pass_with_the_reserved_id(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(settings.STOP_ID, "77")
    app = App()
    given = {"prompt": "naïve 東京", "stop_token_ids": [3], "sampling_params": {"n": 1}}
    body = json.dumps(given, ensure_ascii=False).encode()
    assert ask(middleware.Gate(app), path, body, pieces=7)[0] == 200
    where = middleware.GENERATING[path]
    if where is None:
        return
    got = json.loads(app.bodies[0])
    place = got
    for name in where:
        place = place[name]
    assert place["stop_token_ids"][-1] == 77
    assert got["prompt"] == given["prompt"]
    assert app.lengths == [str(len(app.bodies[0])).encode()]


@pytest.mark.parametrize("stop", ["", "77"])
def test_the_server_reads_what_the_gate_has_read(
    stop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(settings.STOP_ID, stop)
    app = App()
    for body in (
        b'\xef\xbb\xbf{"prompt":  "x"}',
        b'{"prompt": "y", "prompt": "x"}',
        b'{"prompt": "\\ud83d", "seed": 1e300, "min_p": NaN, "n": 12345678901234567890}',
        b'{"stop_token_ids": "x"}',
        b'{"stop_token_ids": [77]}',
    ):
        assert ask(middleware.Gate(app), "/v1/completions", body)[0] == 200
        got, meant = json.loads(app.bodies[-1]), json.loads(body)
        if stop and "prompt" in meant:
            assert got.pop("stop_token_ids") == [77]
        assert str(got) == str(meant)


@pytest.mark.parametrize("path", sorted(middleware.GENERATING))
@pytest.mark.parametrize("stop", ["", "77"])
def test_what_the_gate_cannot_read_goes_no_further(
    path: str, stop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(settings.STOP_ID, stop)
    app = App()
    beams = '{"model": "m", "prompt": "x", "use_beam_search": true, "n": 2}'
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"):
        for body in (beams, '{"prompt": "x"}', "{}"):
            status, said = ask(middleware.Gate(app), path, body.encode(encoding))
            assert (status, "UTF-8" in json.loads(said)["error"]["message"]) == (400, True)
    for raw in (b"", b"{", b"[1]", b"null", b'"x"', b'{"prompt": "\xff"}', b"{'n': 1}", b"{}{}"):
        assert ask(middleware.Gate(app), path, raw)[0] == 400, raw
    assert app.bodies == []


@pytest.mark.parametrize("stop", ["", "77"])
def test_a_beam_search_is_refused_however_it_is_written(
    stop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(settings.STOP_ID, stop)
    app = App()
    for body in (
        b'{"prompt": "x", "use_beam_search": true}',
        b'{"prompt": "x", "use_beam_searc\\u0068": 1}',
        b'{"use_beam_search": false, "prompt": "x", "use_beam_search": "yes"}',
        b'\xef\xbb\xbf{"use_beam_search": [0]}',
    ):
        status, said = ask(middleware.Gate(app), "/v1/completions", body)
        assert status == 400
        assert "use_beam_search" in json.loads(said)["error"]["message"]
    deep = b'{"use_beam_search": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    status, said = ask(middleware.Gate(app), "/v1/completions", deep)
    assert (status, "nested" in json.loads(said)["error"]["message"]) == (400, True)
    assert app.bodies == []
    for body in (
        b'{"prompt": "use_beam_search", "use_beam_search": false}',
        b'{"prompt": ["use_beam_search"], "use_beam_search": null}',
    ):
        assert ask(middleware.Gate(app), "/v1/completions", body)[0] == 200


@pytest.mark.parametrize(
    "path",
    ["/", "/v1/audio/transcriptions", "/generate", "/v1/realtime2", *SLASHED],
)
def test_unknown_routes_are_refused(path: str) -> None:
    app = App()
    status, body = ask(middleware.Gate(app), path)
    assert status == 403
    assert "/v1/chat/completions" in json.loads(body)["error"]["message"]
    assert app.bodies == []


def test_reading_and_counting_pass() -> None:
    app = App()
    assert ask(middleware.Gate(app), "/metrics", method="GET")[0] == 200
    assert ask(middleware.Gate(app), "/tokenize")[0] == 200
    assert ask(middleware.Gate(app), "/v1/responses/abc/cancel")[0] == 200


def test_the_key_is_checked_before_the_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.STOP_ID, "77")
    monkeypatch.setenv(middleware.KEYS, hashlib.sha256(b"one").hexdigest())
    monkeypatch.setenv("VLLM_API_KEY", "two")
    gate = middleware.Gate(App())
    for given, status in [
        ({}, 401),
        ({"Authorization": "Bearer three"}, 401),
        ({"Authorization": "Basic one"}, 401),
        ({"Authorization": "Bearer one"}, 200),
        ({"authorization": "bearer two"}, 200),
    ]:
        assert ask(gate, "/v1/completions", headers=given)[0] == status


def test_encodings_and_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.STOP_ID, "77")
    monkeypatch.setattr(middleware, "MAX_BODY", 10)
    gate = middleware.Gate(App())
    assert ask(gate, "/v1/completions", headers={"Content-Encoding": "gzip"})[0] == 415
    assert ask(gate, "/v1/completions", b"x" * 11, pieces=3)[0] == 413


def test_websockets_are_closed() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(middleware.Gate(App())({"type": "websocket", "path": "/v1/realtime"}, None, send))
    assert sent[0]["type"] == "websocket.close"


def test_the_servers_command(monkeypatch: pytest.MonkeyPatch) -> None:
    words = server.command("M", ["--port", "1"])
    assert words[:3] == ["vllm", "--model", "M"]
    assert server.PLUGIN in words
    assert server.GATE in words
    assert words[-2:] == ["--port", "1"]
    with pytest.raises(ArgumentError, match="leave it out"):
        server.command("M", ["--logits-processors", server.PLUGIN])
    monkeypatch.delenv("VLLM_USE_V2_MODEL_RUNNER", raising=False)
    with pytest.raises(ArgumentError, match="unchecked"):
        server.command("M", ["--speculative-config={}"])
    monkeypatch.setenv("VLLM_USE_V2_MODEL_RUNNER", "1")
    assert server.command("M", ["--speculative-config", "{}"])[-1] == "{}"


@pytest.mark.parametrize(
    "given",
    [
        ["--speculative-config", "{}"],
        ["--speculative_config={}"],
        ["--specul", "{}"],
        ["--specu={}"],
        ["--speculative-config.method=ngram"],
        ["--speculative_config.method", "ngram"],
        ["--specula.num_speculative_tokens=2"],
        ["-sc", "{}"],
        ["-sc.method=ngram"],
        ["-s", "{}"],
        ["--spec-method=ngram"],
        ["--spec_model", "small"],
        ["--spec-tok", "2"],
    ],
)
def test_drafts_are_refused_however_they_are_written(
    given: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VLLM_USE_V2_MODEL_RUNNER", raising=False)
    with pytest.raises(ArgumentError, match="unchecked"):
        server.command("M", ["--port", "1", *given])
    for other in ("--seed=2", "--specialize-active-lora", "--served-model-name=speculative-config"):
        assert server.command("M", [other])[-1] == other
    monkeypatch.setenv("VLLM_USE_V2_MODEL_RUNNER", "1")
    assert server.command("M", given)[-len(given) :] == given


def test_vllms_own_file_of_arguments_is_refused() -> None:
    for given in (["--config", "vllm.yaml"], ["--config=vllm.yaml"]):
        with pytest.raises(ArgumentError, match="not read by the gate"):
            server.command("M", given)


@pytest.mark.parametrize(
    "given",
    [
        ["--logits-processors", "a:B", "c:D"],
        ["--logits-processors=a:B", "--logits_processors", "c:D"],
        ["--logits-proc", "a:B", "c:D"],
        ["--logits-processors=a:B", "--logits-processors=c:D", "--name=c:D"],
    ],
)
def test_an_operators_own_processors_stand_beside_the_plugin(given: list[str]) -> None:
    words = server.command("M", ["--port", "1", *given, "--seed=2"])
    at = words.index("--logits-processors")
    assert words[at + 1 : at + 4] == [server.PLUGIN, "a:B", "c:D"]
    assert sum(word.startswith(("--logits", "-l")) for word in words) == 1
    named = ["--name=c:D"] if "--name=c:D" in given else []
    assert words[at + 6 :] == ["--port", "1", *named, "--seed=2"]


def test_the_servers_environment_has_hashes_of_keys() -> None:
    found = server.environment(["--api-key", "one", "two", "--port", "1"], "c.toml", 7)
    assert found[middleware.KEYS].split(",") == [
        hashlib.sha256(key).hexdigest() for key in (b"one", b"two")
    ]
    assert found[settings.STOP_ID] == "7"
    assert found["GROUNDWIRE_CONFIG"] == "c.toml"
    assert server.environment(["--api-key=x"], None, None).keys() == {middleware.KEYS}


@pytest.mark.parametrize(
    "given",
    [
        ["--api-key", "one"],
        ["--api_key=one"],
        ["--api-k", "one"],
        ["--api_ke=one"],
        ["--api-ke", "one", "--api-server-count", "2"],
        ["--api-key", "zero", "--api-k", "one"],
    ],
)
def test_keys_are_checked_however_they_are_given(
    given: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = server.environment(given, None, None)
    assert found == {middleware.KEYS: hashlib.sha256(b"one").hexdigest()}
    monkeypatch.setenv(middleware.KEYS, found[middleware.KEYS])
    gate = middleware.Gate(App())
    assert ask(gate, "/invocations")[0] == 401
    assert ask(gate, "/invocations", headers={"Authorization": "Bearer one"})[0] == 200


def test_a_reserved_id_is_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.STOP_ID, "minus one")
    with pytest.raises(ConfigError, match="is no token id"):
        settings.reserved_stop_id()
