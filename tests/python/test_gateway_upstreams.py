"""Upstreams that say odd things: events of another form, statuses that are none, refusals."""

from __future__ import annotations

import copy
import hashlib
import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway_upstream import MODEL, knowledge, served
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from groundwire.gateway.upstream import Upstream

WRONG = "The Harbour Museum was founded in 1992"
PATHS = ("/v1/chat/completions", "/v1/completions", "/v1/responses")
ASKS: dict[str, dict[str, Any]] = {
    PATHS[0]: {"messages": [{"role": "user", "content": "When was it founded?"}]},
    PATHS[1]: {"prompt": "When was it founded?"},
    PATHS[2]: {"input": "When was it founded?"},
}
SEEN: list[dict[str, str]] = []


async def scripted(request: Request) -> Response:
    """Answer with what the request itself says."""
    SEEN.append(dict(request.headers))
    body = json.loads(await request.body() or b"{}")
    form = "text/event-stream" if body.get("stream") else "application/json"
    content = body.get("script", '{"data": [{"id": "m", "said": "unchecked 1992"}]}')
    status = int(body.get("status", request.headers.get("x-status", 200)))
    return Response(content, status, media_type=form)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    routes = [Route(path, scripted, methods=["POST"]) for path in PATHS]
    routes.append(Route("/v1/models", scripted))
    base = knowledge(tmp_path_factory.mktemp("kb"))
    with served(Starlette(routes=routes)) as root:
        config = Config.load(environ={}, serving={**base, "continuation": "none"})
        with served(create_app(Gateway(root, config, environ={}))) as found:
            yield found


def ask(url: str, path: str, script: str, **more: Any) -> httpx.Response:
    body = {"model": MODEL, **ASKS[path], "script": script, **more}
    return httpx.post(f"{url}{path}", json=body, timeout=60)


def stream(events: list[Any]) -> str:
    return "".join(f"data: {json.dumps(one)}\n\n" for one in events)


def events_of(path: str) -> list[Any]:
    said = ["The Harbour Museum opens at nine. ", "It has 45 employees."]
    if path != PATHS[2]:
        own = [{"delta": {"content": one}} if path == PATHS[0] else {"text": one} for one in said]
        listed = [{"index": 0, **one, "logprobs": None, "finish_reason": None} for one in own]
        listed.append({"index": 0, **own[0], "finish_reason": "stop", "stop_reason": "x"})
        listed[1]["logprobs"] = {"content": [{"token": "It", "bytes": [73], "logprob": -1}]}
        top = {"id": "c", "object": "o", "created": 1, "model": "m", "usage": {"total_tokens": 3}}
        return [{**top, "choices": [one]} for one in listed]
    at = {"item_id": "i", "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "text": "", "annotations": []}
    item = {"type": "message", "id": "i", "status": "completed", "content": []}
    whole = {**item, "content": [{**part, "text": "".join(said)}]}
    answer = {"id": "r", "object": "response", "status": "in_progress", "output": []}
    cited = {"type": "url_citation", "url": "http://x", "start_index": 0, "end_index": 3}
    kind = "response.output_text."
    call = {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "c"}
    return [
        {"type": "response.created", "response": answer},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.content_part.added", **at, "part": part},
        *[{"type": f"{kind}delta", **at, "delta": one, "logprobs": []} for one in said],
        {"type": f"{kind}annotation.added", **at, "annotation_index": 0, "annotation": cited},
        {"type": "response.reasoning_text.delta", **at, "delta": "hm"},
        {"type": "response.function_call_arguments.delta", "item_id": "f", "delta": "{}"},
        {"type": f"{kind}done", **at, "text": "".join(said)},
        {"type": "response.content_part.done", **at, "part": whole["content"][0]},
        {"type": "response.output_item.done", "output_index": 0, "item": whole},
        {"type": "response.output_item.done", "output_index": 1, "item": call},
        {"type": "response.completed", "response": {**answer, "output": [whole, call]}},
    ]


def places(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        yield (*at, key)
        if isinstance(value, dict | list):
            yield from places(value, (*at, key))


def spoilt(events: list[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Yield streams in which one field is missing, or of another type."""
    instead = ("gone", None, -1, "x y", ["a"], {"a": [1]})
    for i, one in enumerate(events):
        for place in places(one):
            for value in instead:
                found = copy.deepcopy(events)
                held = found[i]
                for key in place[:-1]:
                    held = held[key]
                if value != "gone":
                    held[place[-1]] = value
                elif isinstance(held, dict):
                    del held[place[-1]]
                yield (i, place, value), found
        for value in instead[1:]:
            yield (i, (), value), [*events[:i], value, *events[i + 1 :]]


@pytest.mark.parametrize("path", PATHS)
def test_no_form_of_an_event_is_the_gateways_fault(
    url: str, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR, logger="groundwire.gateway")
    with httpx.Client(timeout=60) as client:
        for what, events in spoilt(events_of(path)):
            ending = "" if path == PATHS[2] else "data: [DONE]\n\n"
            body = {"model": MODEL, **ASKS[path], "stream": True}
            body |= {"script": stream(events) + ending, "logprobs": 1}
            answer = client.post(f"{url}{path}", json=body)
            assert answer.status_code == 200, (what, answer.text)
            assert "internal_error" not in answer.text, (what, answer.text)
            last = answer.text.rstrip().split("data: ")[-1]
            if path != PATHS[2]:
                assert last == "[DONE]", (what, answer.text)
                assert '"groundwire"' in answer.text, (what, answer.text)
                continue
            found = json.loads(last)
            assert found["type"] in {
                "response.completed", "response.failed", "response.incomplete",
            }, (what, answer.text)  # fmt: skip
            assert "groundwire" in found["response"], (what, answer.text)
    assert not caplog.records


@pytest.mark.parametrize("kind", [None, 3, [], {"a": 1}, "gone"])
def test_an_event_without_a_type_keeps_what_was_checked(url: str, kind: Any) -> None:
    events = events_of(PATHS[2])
    events[5] = {"delta": "The Harbour Museum was founded in 1992."}
    if kind != "gone":
        events[5]["type"] = kind
    found = ask(url, PATHS[2], stream(events), stream=True).text
    last = json.loads(found.rstrip().split("data: ")[-1])["response"]
    assert (last["status"], last["error"]["code"]) == ("failed", "upstream_malformed")
    assert last["output"][0]["content"][0]["text"].startswith("The Harbour Museum opens at nine.")
    assert "1992" not in found and last["groundwire"]["checked"]


@pytest.mark.parametrize("status", [201, 202, 203, 206, 226, 300, 302, 304, 399])
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("streams", [False, True])
def test_only_errors_pass_as_they_are(url: str, path: str, status: int, streams: bool) -> None:
    answer = ask(url, path, "" if status == 304 else WRONG, stream=streams, status=status)
    assert answer.status_code == 502
    assert answer.json()["error"]["code"] == "upstream_malformed"
    assert str(status) in answer.json()["error"]["message"] and "1992" not in answer.text


@pytest.mark.parametrize("status", [400, 404, 422, 429, 500, 503, 599])
def test_errors_pass_as_they_are(url: str, status: int) -> None:
    for path in PATHS:
        answer = ask(url, path, '{"error": {"message": "too much"}}', status=status)
        assert (answer.status_code, answer.json()["error"]["message"]) == (status, "too much")


@pytest.mark.parametrize("status", [201, 206, 302])
def test_lists_of_models_are_answers_too(url: str, status: int) -> None:
    answer = httpx.get(f"{url}/v1/models", headers={"x-status": str(status)})
    assert answer.status_code == 502 and "1992" not in answer.text
    assert httpx.get(f"{url}/v1/models").status_code == 200


@pytest.mark.parametrize("refusal", ["I cannot say more.", "Sorry", "7 is all I know"])
def test_a_refusal_behind_content_is_a_sentence_of_its_own(url: str, refusal: str) -> None:
    message = {"role": "assistant", "content": WRONG, "refusal": refusal}
    whole = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    told = ask(url, PATHS[0], whole).json()["choices"][0]["message"]
    text = told["content"] + told["refusal"]
    assert "1987" in text and "1992" not in text and text.endswith(f"\n{refusal}")
    assert told["refusal"] == refusal
    deltas: list[list[Any]] = [
        [{"content": WRONG, "refusal": refusal}],
        [{"content": WRONG[:-2]}, {"content": WRONG[-2:]}, {"refusal": refusal}],
        [{"content": WRONG}, {"refusal": refusal[:2]}, {"refusal": refusal[2:]}],
    ]
    for given in deltas:
        chunks = [{"choices": [{"index": 0, "delta": one}]} for one in given]
        chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        raw = ask(url, PATHS[0], stream(chunks) + "data: [DONE]\n\n", stream=True).text
        said, refused = "", ""
        for line in raw.splitlines():
            for choice in json.loads(line[6:])["choices"] if line.startswith("data: {") else ():
                said += choice["delta"].get("content") or choice["delta"].get("refusal") or ""
                refused += choice["delta"].get("refusal") or ""
        assert "1987" in said and "1992" not in said and said.endswith(f"\n{refusal}"), raw
        assert refused == refusal


def test_the_policy_is_that_of_the_key_that_goes_to_the_upstream(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    def sha(key: str) -> str:
        return hashlib.sha256(key.encode()).hexdigest()

    serving = knowledge(tmp_path_factory.mktemp("kb")) | {
        "continuation": "none",
        "access_keys": [sha("gate"), sha("door")],
        "policies": {"whole": {"release": "response"}, "each": {"release": "token"}},
        "keys": {
            "foo": {"sha256": sha("foo"), "policy": "whole"},
            "bar": {"sha256": sha("bar"), "policy": "each"},
            "baz": {"sha256": sha("baz"), "policy": "whole"},
            "door": {"sha256": sha("door"), "policy": "each"},
        },
    }
    own = {"authorization": "Bearer UP"}
    gate = {"x-groundwire-key": "gate"}
    basic = "Basic Z2F0ZTpmb28="  # gate:foo
    table: list[tuple[dict[str, str], Any, dict[str, str] | None]] = [
        ({}, 401, None),
        ({"authorization": "Bearer foo"}, 401, None),
        ({"x-other": "gate"}, 401, None),
        (gate, "default", own),
        ({"x-groundwire-key": "door"}, "each", own),
        ({"authorization": "Bearer gate"}, "default", own),
        ({"authorization": "gate"}, "default", own),
        ({"x-goog-api-key": "gate"}, "default", own),
        ({"authorization": "Bearer junk", "x-api-key": "gate"}, "default",
         {"authorization": "Bearer junk"}),
        ({"authorization": "Bearer gate", "x-api-key": "foo"}, "whole", {"x-api-key": "foo"}),
        ({"authorization": "Bearer door", "x-api-key": "foo"}, "whole", {"x-api-key": "foo"}),
        ({"x-api-key": "gate", "authorization": "Bearer foo"}, "whole",
         {"authorization": "Bearer foo"}),
        ({**gate, "authorization": "Bearer foo"}, "whole", {"authorization": "Bearer foo"}),
        ({**gate, "authorization": "foo"}, "whole", {"authorization": "foo"}),
        ({**gate, "authorization": "Token  foo"}, "whole", {"authorization": "Token  foo"}),
        ({**gate, "authorization": "Bearer junk", "x-api-key": "foo"}, "whole",
         {"authorization": "Bearer junk", "x-api-key": "foo"}),
        ({**gate, "authorization": "Bearer foo", "x-api-key": "junk"}, "whole",
         {"authorization": "Bearer foo", "x-api-key": "junk"}),
        ({**gate, "x-api-key": "junk", "api-key": "foo"}, "whole",
         {"x-api-key": "junk", "api-key": "foo"}),
        ({**gate, "x-goog-api-key": "foo"}, "whole", {"x-goog-api-key": "foo"}),
        ({**gate, "ocp-apim-subscription-key": "foo"}, "whole", {**own}),
        ({**gate, "x-api-key": "Bearer foo"}, "whole", {"x-api-key": "Bearer foo"}),
        ({**gate, "authorization": "Bearer junk"}, "default", {"authorization": "Bearer junk"}),
        ({**gate, "authorization": "Bearer foo", "x-api-key": "baz"}, "whole",
         {"authorization": "Bearer foo", "x-api-key": "baz"}),
        ({**gate, "authorization": "Bearer foo", "x-api-key": "bar"}, 400, None),
        ({**gate, "x-api-key": "foo", "x-goog-api-key": "bar"}, 400, None),
        ({**gate, "authorization": basic}, "whole", own),
    ]  # fmt: skip
    # Whatever header the gateway's own key comes in, beside one that lets the request in.
    table += [
        ({**gate, name: value}, "default", own)
        for name in ("x-goog-api-key", "api-key", "x-api-key", "x-other", "cookie", "forwarded")
        for value in ("gate", "Bearer gate", "key=gate; theme=dark", 'token="door"')
        if "door" not in value
    ]
    names = ("authorization", "x-api-key", "api-key", "x-goog-api-key")
    with served(Starlette(routes=[Route(PATHS[0], scripted, methods=["POST"])])) as root:
        config = Config.load(environ={}, serving=serving)
        made = Gateway(root, config, environ={"GROUNDWIRE_UPSTREAM_KEY": "UP"})
        message = {"role": "assistant", "content": "It is open."}
        script = json.dumps({"choices": [{"index": 0, "message": message}]})
        body = {"model": MODEL, **ASKS[PATHS[0]], "script": script}
        with served(create_app(made)) as url:
            for headers, expected, sent in table:
                SEEN.clear()
                answer = httpx.post(f"{url}{PATHS[0]}", json=body, headers=headers)
                if sent is None:
                    assert (answer.status_code, SEEN) == (expected, []), headers
                    continue
                assert answer.status_code == 200, (headers, answer.text)
                assert answer.json()["groundwire"]["policy"] == expected, headers
                assert {n: v for n, v in SEEN[0].items() if n in names} == sent, headers
                assert not any("gate" in v or "door" in v for v in SEEN[0].values()), headers


def test_a_connection_that_waited_long_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers close those, and a request that meets the close is lost."""
    # By the method, since other tests import the package anew.
    monkeypatch.setitem(Upstream.open.__globals__, "IDLE_S", 0.2)
    came: list[Any] = []

    async def answers(request: Request) -> Response:
        came.append(request.client)
        return Response('{"data": []}', media_type="application/json")

    with served(Starlette(routes=[Route("/v1/models", answers)])) as root:
        serving = {"continuation": "none"}
        made = Gateway(root, Config.load(environ={}, serving=serving), environ={})
        with served(create_app(made)) as url:
            for waits in (0, 0, 0.5):
                time.sleep(waits)
                assert httpx.get(f"{url}/v1/models", timeout=30).status_code == 200
    assert came[0] == came[1] != came[2]
