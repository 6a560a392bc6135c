"""LiteLLM's guardrail: its hooks on real LiteLLM streams, and its real proxy over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fake_openai as fake
import groundwire as gw
from fake_openai import chat, chunk, pieces
from groundwire.errors import ArgumentError, ConfigError

pytest.importorskip("litellm", reason="the litellm package is not installed")
pytest.importorskip("fastapi", reason="litellm's proxy is not installed: litellm[proxy]")
pytestmark = pytest.mark.filterwarnings("ignore")

EVIDENCE = ["The Pebble Garden was opened in 1931 by Runa Eide. It has 18 ponds."]
TRUE = "The Pebble Garden was opened in 1931 by Runa Eide. It has 18 ponds. Do walk it."
WRONG = "The Pebble Garden was opened in 1958 by Runa Eide. It has 18 ponds. Do walk it."
UNKNOWN = "The Pebble Garden was opened in 1931. Halvard Brusk tends it now. Do walk it."
ASK = [{"role": "user", "content": "When was the garden opened?"}]
CONFIG = """
[serving.policies.strict]
medium = "interrupt"
"""


@pytest.fixture(scope="module")
def upstream() -> Iterator[fake.Upstream]:
    with fake.serving() as server:
        yield server


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "groundwire.toml"
    path.write_text(CONFIG)
    return str(path)


def guardrail(config: str, **how: Any) -> Any:
    from groundwire.integrations.litellm import GroundwireGuardrail

    given = {"guardrail_name": "groundwire", "event_hook": "post_call", "default_on": True}
    return GroundwireGuardrail(config, **given, **how)


async def streamed(hook: Any, upstream: fake.Upstream, say: list[Any], **request: Any) -> list[Any]:
    import litellm

    upstream.reset()
    upstream.say = say
    data = {"model": "openai/m", "messages": ASK, **request}
    n = {"n": data["n"]} if "n" in data else {}
    raw = await litellm.acompletion(
        model="openai/m", messages=ASK, stream=True, api_base=upstream.url, api_key="k", **n
    )
    return [one async for one in hook.async_post_call_streaming_iterator_hook({}, raw, data)]


def told(chunks: list[Any], index: int = 0) -> tuple[str, list[str]]:
    mine = [c for one in chunks for c in one.choices if c.index == index]
    said = "".join(c.delta.content or "" for c in mine)
    return said, [c.finish_reason for c in mine if c.finish_reason]


def test_streams_are_checked(upstream: fake.Upstream, config: str) -> None:
    reports: list[gw.Report] = []
    hook = guardrail(config, on_report=lambda report, _: reports.append(report))
    with_evidence = {"metadata": {"groundwire": {"evidence": EVIDENCE}}}
    strict = {"metadata": {"groundwire": {"evidence": EVIDENCE, "policy": "strict"}}}

    async def go() -> None:
        for text in (TRUE, WRONG):
            chunks = await streamed(hook, upstream, chat(pieces(text)), **with_evidence)
            assert told(chunks) == (TRUE, ["stop"])
        chunks = await streamed(hook, upstream, chat(pieces(UNKNOWN)), **strict)
        said, reasons = told(chunks)
        assert "tends" not in said
        assert reasons == ["content_filter"]

    asyncio.run(go())
    assert [r.stopped for r in reports] == ["end", "end", "interrupted"]


def test_no_answer_of_several_goes_unchecked(upstream: fake.Upstream, config: str) -> None:
    hook = guardrail(config)
    say = [chunk(p, i) for p in pieces(WRONG) for i in (0, 1)]
    say += [chunk(None, i, "stop") for i in (0, 1)]

    async def go() -> None:
        options = {"groundwire": {"evidence": EVIDENCE}}
        chunks = await streamed(hook, upstream, say, n=2, metadata=options)
        assert told(chunks, 0)[0] == TRUE
        assert told(chunks, 1)[0] == TRUE

    asyncio.run(go())


def test_finished_answers_are_checked(upstream: fake.Upstream, config: str) -> None:
    import litellm

    hook = guardrail(config)

    async def go() -> None:
        upstream.reset()
        upstream.say = fake.completion(WRONG, UNKNOWN)
        answer = await litellm.acompletion(
            model="openai/m", messages=ASK, api_base=upstream.url, api_key="k"
        )
        options = {"groundwire": {"evidence": EVIDENCE, "policy": "strict"}}
        data = {"model": "m", "messages": ASK, "metadata": options}
        found = await hook.async_post_call_success_hook(data, {}, answer)
        assert found.choices[0].message.content == TRUE
        assert "tends" not in found.choices[1].message.content
        assert [c.finish_reason for c in found.choices] == ["stop", "content_filter"]
        vectors = litellm.EmbeddingResponse(model="m", data=[])
        assert await hook.async_post_call_success_hook(data, {}, vectors) is vectors

    asyncio.run(go())


def test_an_answer_in_json_keeps_its_form(upstream: fake.Upstream, config: str) -> None:
    reports: list[gw.Report] = []
    # Where nothing may be taken back: by default what is wrong ends, in a form too (below).
    hook = guardrail(
        config, cannot_rewind="keep_form", on_report=lambda report, _: reports.append(report)
    )
    text = '{"said": "' + WRONG + '"}'

    async def go() -> None:
        form = {"response_format": {"type": "json_object"}}
        options = {"metadata": {"groundwire": {"evidence": EVIDENCE}}}
        chunks = await streamed(hook, upstream, chat(pieces(text)), **options, **form)
        assert told(chunks) == (text, ["stop"])

    asyncio.run(go())
    assert reports[0].tier == "high"


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("how", ["interrupt", "annotate", "keep_form"])
def test_a_form_lets_nothing_through_that_the_policy_takes_back(
    upstream: fake.Upstream, config: str, lower: bool, how: str
) -> None:
    path = Path(config)
    path.write_text(f"{CONFIG}\n[serving]\nrequests_may_lower = {str(lower).lower()}\n")
    hook = guardrail(str(path), cannot_rewind=how)

    async def go() -> None:
        options = {"metadata": {"groundwire": {"evidence": EVIDENCE}}}
        for form in ({"response_format": {"type": "json_object"}}, {"guided_regex": ".*"}):
            chunks = await streamed(hook, upstream, chat(pieces(WRONG)), **options, **form)
            said, finish = told(chunks)
            if lower or how != "interrupt":
                assert (said, finish) == (WRONG, ["stop"])
            else:
                assert finish == ["content_filter"] and "1958 by" not in said
                assert "ponds" not in said
        # What is no form changes nothing.
        plain = told(await streamed(hook, upstream, chat(pieces(WRONG)), **options))
        for none in ("zzz", {"type": ["x"]}, {"type": "zzz"}, {"type": "text"}):
            given: dict[str, Any] = {**options, "response_format": none, "guided_x": 1}
            assert told(await streamed(hook, upstream, chat(pieces(WRONG)), **given)) == plain

    asyncio.run(go())


def test_a_request_is_refused_rather_than_let_through(upstream: fake.Upstream, config: str) -> None:
    from fastapi import HTTPException

    hook = guardrail(config)

    async def bytes_of() -> Any:
        yield b"event: message_start"

    async def go() -> None:
        for options, why in (
            ({"policy": "off"}, "does not let a request ask for less"),
            ({"policy": "none-such"}, "there is no policy 'none-such'"),
            ({"evidence": 3}, "evidence is a list"),
            ({"hue": 3}, "'hue' is no option"),
        ):
            with pytest.raises(HTTPException) as error:
                metadata = {"groundwire": options}
                await streamed(hook, upstream, chat(["Hi."]), metadata=metadata)
            assert error.value.status_code == 400
            assert why in error.value.detail
        with pytest.raises(HTTPException, match="stream of bytes cannot be followed"):
            stream = hook.async_post_call_streaming_iterator_hook({}, bytes_of(), {})
            _ = [one async for one in stream]
        with pytest.raises(HTTPException, match="is not checked"):
            await hook.async_post_call_success_hook({}, {}, {"content": [{"text": WRONG}]})

    asyncio.run(go())


class Open:
    """A stream that tells whether it was closed."""

    def __init__(self) -> None:
        self.closed, self.left = False, 3

    def __aiter__(self) -> Open:
        return self

    async def __anext__(self) -> Any:
        self.left -= 1
        if self.left < 0:
            raise StopAsyncIteration
        from litellm.types.utils import Delta, ModelResponseStream, StreamingChoices

        said = StreamingChoices(index=0, delta=Delta(content="Hi there. How are you? "))
        return ModelResponseStream(choices=[said], model="m")

    async def aclose(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("asked", "refused"),
    [
        ({"metadata": {"groundwire": {"hue": 3}}}, True),
        ({"metadata": {"groundwire": "off"}}, True),
        ({"n": "many"}, True),
        ({}, False),
    ],
)
def test_whatever_ends_a_stream_closes_it(
    config: str, asked: dict[str, Any], refused: bool
) -> None:
    from fastapi import HTTPException

    async def go() -> None:
        source = Open()
        stream = guardrail(config).async_post_call_streaming_iterator_hook({}, source, asked)
        if refused:
            with pytest.raises(HTTPException):
                await anext(stream)
        else:
            # The client goes away.
            await anext(stream)
            await stream.aclose()
        assert source.closed

    asyncio.run(go())


def test_bad_configurations_are_named(config: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="cannot_rewind is 'no'"):
        guardrail(config, cannot_rewind="no")
    for name in ("monitor", "kb", "evidence", "policy", "knowledge_base"):
        with pytest.raises(ArgumentError, match=f"{name} is no argument of GroundwireGuardrail"):
            guardrail(config, **{name: None})
    with pytest.raises(ArgumentError, match="config is no argument of GroundwireGuardrail"):
        type(guardrail(config))(guardrail_name="groundwire", config=config)
    for name, meant in (
        ("groundwire_confg", "groundwire_config"),
        ("groundwire_kb", "groundwire_config"),
        ("canot_rewind", "cannot_rewind"),
    ):
        with pytest.raises(ArgumentError, match=f"did you mean {meant}"):
            guardrail(config, **{name: None})
    path = tmp_path / "bad.toml"
    path.write_text("[serving]\ncolour = 3\n")
    with pytest.raises(ConfigError, match="colour"):
        guardrail(str(path))


def test_what_was_asked_is_read_from_the_messages() -> None:
    from groundwire.integrations._asked import asked

    messages = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "18 ponds"},
        {"role": "user", "content": [{"type": "text", "text": "How many?"}, {"type": "image_url"}]},
    ]
    expected = {"question": "How many?", "history": [("user", "Hello"), ("tool", "18 ponds")]}
    assert asked(messages) == expected
    assert asked(None) == {"question": None, "history": []}


def test_a_subclass_is_heard_by_litellm_too() -> None:
    from groundwire.integrations.litellm import GroundwireGuardrail

    class Mine(GroundwireGuardrail):
        pass

    assert "async_post_call_streaming_iterator_hook" in vars(Mine)


@pytest.mark.slow
def test_the_real_proxy(upstream: fake.Upstream, config: str, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    proxy = {
        "model_list": [
            {
                "model_name": "m",
                "litellm_params": {"model": "openai/m", "api_base": upstream.url, "api_key": "k"},
            }
        ],
        "guardrails": [
            {
                "guardrail_name": "groundwire",
                "litellm_params": {
                    "guardrail": "groundwire.integrations.litellm.GroundwireGuardrail",
                    "mode": "post_call",
                    "default_on": True,
                    "groundwire_config": config,
                },
            }
        ],
    }
    (tmp_path / "proxy.yaml").write_text(json.dumps(proxy))
    command = [str(Path(sys.executable).parent / "litellm"), "--config", "proxy.yaml"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    path = str(Path(gw.__file__).parent.parent)
    master = "sk-" + secrets.token_hex(16)
    env = {
        **os.environ,
        "LITELLM_MASTER_KEY": master,
        "PYTHONPATH": path,
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    log = (tmp_path / "log").open("w")
    server = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=log, stderr=log)

    def post(**body: Any) -> str:
        data = json.dumps({"model": "m", "messages": ASK, **body}).encode()
        url = f"http://127.0.0.1:{port}/v1/chat/completions"
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {master}"}
        request = urllib.request.Request(url, data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    try:
        for _ in range(600):
            assert server.poll() is None, (tmp_path / "log").read_text()
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=5)
                break
            except OSError:
                time.sleep(0.2)
        options = {"metadata": {"groundwire": {"evidence": EVIDENCE}}}
        upstream.reset()
        upstream.say = chat(pieces(WRONG))
        lines = [line for line in post(stream=True, **options).split("\n\n") if line]
        assert lines[-1] == "data: [DONE]"
        events = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
        said = "".join(e["choices"][0]["delta"].get("content") or "" for e in events)
        assert said == TRUE
        upstream.say = fake.completion(WRONG)
        body = json.loads(post(**options))
        assert body["choices"][0]["message"]["content"] == TRUE
        with pytest.raises(urllib.error.HTTPError) as error:
            post(metadata={"groundwire": "off"})
        assert error.value.code == 400
        assert "ask for less" in error.value.read().decode()
    finally:
        server.terminate()
        server.wait(30)
        log.close()
