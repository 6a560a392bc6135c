"""The gateway before a real server: GROUNDWIRE_TEST_UPSTREAM names its root, and these tests run.

``python -m vllm.entrypoints.openai.api_server --model …`` is one that continues answers.
What a model says is its own; what must hold whatever it says is tested.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from gateway_upstream import client, served
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from slow_sse import strict, text_of

UPSTREAM = os.environ.get("GROUNDWIRE_TEST_UPSTREAM", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not UPSTREAM, reason="GROUNDWIRE_TEST_UPSTREAM names no server"),
]
ASK = [{"role": "user", "content": "Tell me about the lighthouse of Alexandria in two sentences."}]
GIVEN: dict[str, Any] = {"messages": ASK, "max_tokens": 60, "temperature": 0}
STRICT = {"policies": {"strict": {"low": "correct", "medium": "correct"}}}


@pytest.fixture(scope="module")
def up() -> Iterator[tuple[str, Gateway, str]]:
    serving = {**STRICT, "requests_may_lower": True, "timeouts": {"first": "10m", "idle": "5m"}}
    made = Gateway(UPSTREAM, Config.load(environ={}, serving=serving), environ={})
    with served(create_app(made)) as url:
        until = time.monotonic() + 600
        while made.prober is None or not made.prober.done.is_set():
            assert time.monotonic() < until
            time.sleep(0.1)
        model = httpx.get(f"{url}/v1/models").json()["data"][0]["id"]
        yield url, made, model


def test_how_it_continues_is_found_out(up: tuple[str, Gateway, str]) -> None:
    _, made, model = up
    assert made.prober is not None and model in made.prober.known
    print(f"{model}: {made.prober.known[model]}")


@pytest.mark.parametrize("logprobs", [{}, {"logprobs": True, "top_logprobs": 3}])
@pytest.mark.parametrize("policy", ["off", "observe"])
def test_what_is_not_rewritten_is_what_the_server_said(
    up: tuple[str, Gateway, str], logprobs: dict[str, Any], policy: str
) -> None:
    url, _, model = up
    body = {"model": model, **GIVEN, **logprobs}
    plain = httpx.post(f"{UPSTREAM}/v1/chat/completions", json=body, timeout=600).json()
    said = plain["choices"][0]["message"]["content"]
    guarded = {**body, "groundwire": policy}
    whole = httpx.post(f"{url}/v1/chat/completions", json=guarded, timeout=600).json()
    assert whole["choices"][0]["message"]["content"] == said
    assert whole["usage"] == plain["usage"]
    streaming = {**guarded, "stream": True, "stream_options": {"include_usage": True}}
    found = strict(httpx.post(f"{url}/v1/chat/completions", json=streaming, timeout=600).content)
    assert text_of(found) == said
    assert found[-2]["usage"]["completion_tokens"] == plain["usage"]["completion_tokens"]
    if logprobs:
        entries = [
            entry
            for one in found[:-1]
            for choice in one["choices"]
            for entry in (choice.get("logprobs") or {}).get("content") or ()
        ]
        assert len(entries) == len(plain["choices"][0]["logprobs"]["content"])


@pytest.mark.parametrize("stream", [True, False])
def test_claims_are_written_anew(up: tuple[str, Gateway, str], stream: bool) -> None:
    url, made, model = up
    assert made.prober is not None
    evidence = ["The lighthouse of Alexandria was 12 metres tall and was built by bees in 1950."]
    extra = {"groundwire": {"policy": "strict", "evidence": evidence}}
    body = {"model": model, **GIVEN, **extra, "stream": stream}
    answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=900)
    if stream:
        found = strict(answer.content)
        last = [one for one in found if one != "[DONE]" and one.get("groundwire")][-1]
        text, beside = text_of(found), last["groundwire"]
        finish = last["choices"][0]["finish_reason"]
    else:
        data = answer.json()
        text, beside = data["choices"][0]["message"]["content"], data["groundwire"]
        finish = data["choices"][0]["finish_reason"]
    print(text, beside["interventions"], finish)
    assert finish in {"stop", "length", "content_filter"} and text
    if made.prober.known[model] == "none":
        assert "continued" not in beside
    elif beside["interventions"]:
        assert beside["continued"] >= 1 or beside["stopped"] != "end"


def test_completions_and_the_official_client(up: tuple[str, Gateway, str]) -> None:
    url, _, model = up
    official = client(url, timeout=600)
    prompt = "The three primary colours are red,"
    body = {"model": model, "prompt": prompt, "max_tokens": 12, "temperature": 0}
    plain = httpx.post(f"{UPSTREAM}/v1/completions", json=body, timeout=600).json()
    answer = official.completions.create(**body, extra_body={"groundwire": "observe"})
    assert answer.choices[0].text == plain["choices"][0]["text"]
