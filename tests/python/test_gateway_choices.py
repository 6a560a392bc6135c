"""Streams of several choices, of which the guard ends some: the others go on to their own end."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, RIGHT, Model, gateway, knowledge
from groundwire.gateway import relay
from slow_sse import strict

BAD = "Studies show that 40 % of guests come back. It is open."
LONG = f"{RIGHT} " + "It has a terrace. " * 20
ASKS: list[tuple[str, dict[str, Any]]] = [
    ("chat/completions", {"messages": [{"role": "user", "content": "When?"}], "n": 2}),
    ("completions", {"prompt": "When?", "n": 2}),
    ("completions", {"prompt": ["When?", "Where?"]}),
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    given = knowledge(tmp_path_factory.mktemp("kb"))
    policies = {"p": {"medium": "interrupt"}}
    return {**given, "policies": policies, "default_policy": "p", "continuation": "none"}


def ends(found: list[Any]) -> dict[int, tuple[str, dict[str, Any]]]:
    """Return each choice's finish reason and ``groundwire`` object; it has one of each."""
    last: dict[int, tuple[str, dict[str, Any]]] = {}
    for one in found:
        for choice in one["choices"] if one != "[DONE]" and "choices" in one else ():
            if choice["finish_reason"]:
                assert choice["index"] not in last
                last[choice["index"]] = choice["finish_reason"], one["groundwire"]
    return last


def said(found: list[Any], index: int) -> str:
    choices = [c for one in found if one != "[DONE]" for c in one.get("choices", ())]
    parts = [c for c in choices if c["index"] == index]
    return "".join(c.get("text") or c.get("delta", {}).get("content") or "" for c in parts)


@pytest.mark.parametrize(("route", "ask"), ASKS)
@pytest.mark.parametrize("texts", [(BAD, RIGHT), (RIGHT, BAD), (BAD, LONG), (LONG, BAD)])
def test_one_that_is_ended_leaves_the_others(
    base: dict[str, Any], route: str, ask: dict[str, Any], texts: tuple[str, str]
) -> None:
    with gateway(Model(texts=texts), **base) as (url, _):
        body = {"model": MODEL, "stream": True, "stream_options": {"include_usage": True}, **ask}
        found = strict(httpx.post(f"{url}/v1/{route}", json=body, timeout=30).content)
        assert "error" not in json.dumps(found)
        bad, good = texts.index(BAD), 1 - texts.index(BAD)
        last = ends(found)
        assert last[bad][0] == "content_filter" and last[bad][1]["verdict"] == "blocked"
        assert last[good][0] == "stop" and last[good][1]["checked"]
        assert said(found, good) == texts[good] and "40 %" not in said(found, bad)
        assert found[-2]["choices"] == [] and found[-2]["usage"]["total_tokens"] > 11


@pytest.mark.parametrize("texts", [(BAD, BAD, RIGHT), (RIGHT, BAD, BAD), (BAD, RIGHT, BAD)])
def test_all_but_one_are_ended(base: dict[str, Any], texts: tuple[str, ...]) -> None:
    with gateway(Model(texts=texts), **base) as (url, _):
        body = {"model": MODEL, "stream": True, **ASKS[0][1], "n": 3}
        found = strict(httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30).content)
        reasons = [ends(found)[i][0] for i in range(3)]
        assert reasons == ["stop" if text == RIGHT else "content_filter" for text in texts]
        assert said(found, texts.index(RIGHT)) == RIGHT


@pytest.mark.parametrize(("route", "ask"), ASKS)
def test_each_says_which_one_it_is_of(
    base: dict[str, Any], route: str, ask: dict[str, Any]
) -> None:
    with gateway(Model(texts=(RIGHT, RIGHT)), **base) as (url, _):
        body = {"model": MODEL, **ask}
        if "n" in body:
            found = httpx.post(f"{url}/v1/{route}", json=body, timeout=30).json()["choices"]
            assert [one["groundwire"]["index"] for one in found] == [0, 1]
        body["stream"] = True
        last = ends(strict(httpx.post(f"{url}/v1/{route}", json=body, timeout=30).content))
        assert {number: one["index"] for number, (_, one) in last.items()} == {0: 0, 1: 1}
        one = {key: value for key, value in body.items() if key not in {"n", "stream"}}
        one |= {"prompt": "When?"} if "prompt" in one else {}
        found = httpx.post(f"{url}/v1/{route}", json=one, timeout=30).json()
        assert "index" not in found["groundwire"]


@pytest.mark.parametrize("texts", [(BAD, RIGHT), (RIGHT, BAD)])
def test_a_stream_that_stays_open_is_ended(
    base: dict[str, Any], texts: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "LAST_S", 0.3)
    with gateway(Model(texts=texts, stays_open=True), **base) as (url, _):
        body = {"model": MODEL, "stream": True, **ASKS[0][1]}
        answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=10)
        found = strict(answer.content)
        assert {finish for finish, _ in ends(found).values()} == {"stop", "content_filter"}
        assert "error" not in json.dumps(found)


@pytest.mark.parametrize("fault", ["eof", "early_done"])
def test_the_other_that_breaks_off_is_a_fault(base: dict[str, Any], fault: str) -> None:
    model = Model(texts=(BAD, LONG), fault=fault, after=30)
    with gateway(model, **base) as (url, _):
        body = {"model": MODEL, "stream": True, **ASKS[0][1]}
        found = strict(httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30).content)
        assert ends(found)[0][0] == "content_filter" and 1 not in ends(found)
        assert found[-2]["error"]["code"] == "upstream_reset"
