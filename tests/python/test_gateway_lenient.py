"""Streams that are odd and harmless, prompts in the middle of a sentence, keys and addresses."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, application, gateway, knowledge, served
from groundwire.config import Config
from groundwire.errors import ArgumentError
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from slow_sse import strict, text_of
from test_gateway_fields import ask, up

assert up
SAID = "It is open."


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return {**knowledge(tmp_path_factory.mktemp("kb")), "continuation": "none"}


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    data = {"id": "x", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    return b"data: " + json.dumps(data).encode() + b"\n\n"


@pytest.mark.parametrize(
    "odd",
    [
        b'data: {"choices": null, "usage": {"prompt_tokens": 1, "completion_tokens": 2}}\n\n',
        b'data: {"usage": {"prompt_tokens": 1, "completion_tokens": 2}}\n\n',
        b"data:\n\n",
        b"data: {}\n\n",
        b'data: {"error": false, "choices": []}\n\n',
        b'data: {"error": {}}\n\n',
        b": ping\n\n",
    ],
)
def test_odd_chunks_end_nothing(up: Any, odd: bytes) -> None:
    url, said = up
    parts = [odd, chunk({"content": "It is "}), odd, chunk({"content": "open."}), odd]
    said.sends = b"".join([*parts, chunk({}, "stop"), odd, b"data: [DONE]\n\n"])
    found = strict(ask(url, stream=True).content)
    assert text_of(found) == SAID and "error" not in str(found)
    ends = [c["finish_reason"] for one in found[:-1] for c in one["choices"] if c["finish_reason"]]
    assert ends == ["stop"] and any("groundwire" in one for one in found[:-1])


@pytest.mark.parametrize("end", [b"data: [DONE]", b"data: [DONE]\n", b"data:[DONE]\r\n"])
def test_the_last_mark_needs_no_empty_line(up: Any, end: bytes) -> None:
    url, said = up
    said.sends = chunk({"content": SAID}) + chunk({}, "stop") + end
    found = strict(ask(url, stream=True).content)
    assert text_of(found) == SAID and "error" not in str(found)
    said.sends = chunk({"content": SAID}) + end
    assert strict(ask(url, stream=True).content)[-2]["error"]["code"] == "upstream_reset"


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("lead", "rest"),
    [
        ("The Harbour Museum was founded in", " 1992. It is open."),
        ("It is old. The Harbour Museum has", " 99 employees. It is open."),
        ("The Harbour Museum was founded in", " 1987. It is open."),
        ("Answer:", " It is open."),
    ],
)
def test_prompts_end_inside_a_claim(
    base: dict[str, Any], stream: bool, lead: str, rest: str
) -> None:
    right = rest.replace("1992", "1987").replace("99 ", "45 ")

    class Completes(Model):
        """Goes on behind the prompt and what stands of the answer."""

        def goes_on(self, prefix: str) -> str:
            stands = prefix.removeprefix(lead)
            return right[len(stands) :] if stands else rest

    with gateway(Completes(), **base) as (url, _):
        body = {"model": MODEL, "prompt": "Go on.\n" + lead, "stream": stream}
        answer = httpx.post(f"{url}/v1/completions", json=body, timeout=30)
        if stream:
            found = strict(answer.content)
            last = next(one for one in reversed(found) if one != "[DONE]")
            text, beside = text_of(found), last["groundwire"]
        else:
            text, beside = answer.json()["choices"][0]["text"], answer.json()["groundwire"]
        assert text == right
        done = [one["action"] for one in beside["interventions"] if one["action"] != "annotate"]
        assert done == ([] if rest == right else ["correct"])


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("odd", [[], {}, [1], "1", 2])
def test_a_best_of_of_any_type_is_the_upstreams(stream: bool, odd: Any) -> None:
    model = Model()
    with gateway(model) as (url, _):
        body = {"model": MODEL, "prompt": "Go on.\n", "stream": stream, "best_of": odd}
        answer = httpx.post(f"{url}/v1/completions", json=body, timeout=30)
        assert answer.status_code == 200 and model.seen[-1]["best_of"] == odd


def test_the_gateways_keys_stay_here(base: dict[str, Any]) -> None:
    model = Model()
    keys = [hashlib.sha256(b"foo").hexdigest()]
    environ = {"GROUNDWIRE_UPSTREAM_KEY": "UP"}
    body = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}]}
    with gateway(model, environ=environ, **base, access_keys=keys) as (url, _):
        for headers, sent in (
            ({"x-api-key": "foo"}, {"authorization": "Bearer UP"}),
            ({"api-key": "foo"}, {"authorization": "Bearer UP"}),
            ({"authorization": "bearer foo", "api-key": "foo"}, {"authorization": "Bearer UP"}),
            ({"x-groundwire-key": "foo", "x-api-key": "foo"}, {"authorization": "Bearer UP"}),
            ({"x-groundwire-key": "foo", "x-api-key": "mine"}, {"x-api-key": "mine"}),
            ({"authorization": "Bearer foo", "x-api-key": "mine"}, {"x-api-key": "mine"}),
        ):
            got = httpx.post(f"{url}/v1/chat/completions", json=body, headers=headers)
            assert got.status_code == 200
            names = ("authorization", "x-api-key", "api-key")
            assert {n: v for n, v in model.headers[-1].items() if n in names} == sent


@pytest.mark.parametrize(
    "url", ["http://[bad", "http://host:99999", "http://:8000", "http://a b", "http://host/?q=1"]
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ArgumentError, match="upstream is"):
        Gateway(url, Config.load(environ={}), environ={})


def test_a_user_and_password_in_the_address() -> None:
    model = Model()
    with served(application(model)) as root:
        config = Config.load(environ={}, serving={"continuation": "none"})
        made = Gateway(root.replace("//", "//me:s%40cret@"), config, environ={})
        assert "cret" not in made.upstream.root
        with served(create_app(made)) as url:
            body = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}]}
            for headers, sent in (
                ({}, "Basic " + base64.b64encode(b"me:s@cret").decode()),
                ({"authorization": "Bearer sk"}, "Bearer sk"),
            ):
                got = httpx.post(f"{url}/v1/chat/completions", json=body, headers=headers)
                assert got.status_code == 200 and model.headers[-1]["authorization"] == sent
