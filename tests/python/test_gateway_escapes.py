"""Strings of JSON that write by number what they need not: judged, and sent, as what they say."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, gateway, knowledge
from groundwire.gateway.escapes import Escapes
from slow_sse import strict, text_of

SAME = [
    r'{"a": "19\u00392", "b": "\u0031992", "f\u006fund": "\u0034\u002e5\u0025"}',
    r'{"a": "\u0022\u005c\\u0031\u00e9\u000a\u003c\u0026\ud83d\ude00\u2212\u00a0\uff11\u200b"}',
    r'[["\u0031", {"b": {"c": "\\\u0031"}}], 1, "\u0032"]',
    r'{"a": ["]\u0031}", "{\"\u0031"], "b": {}}',
    '{\r\n  "a": "\\u0031"\r\n}',
]
BARE = [
    r"The escape \u0031 stands for 1, and \u0032 for {2}.",
    r'[1] He wrote "\u0031" and {x} "\u0032".',
    r'{"a": "open',
    r'{"a": "half \u00',
    "{",
    "",
]


def written(text: str, size: int) -> str:
    """Return what becomes of a text in pieces of a size."""
    said = Escapes()
    return "".join(said.take(text[at : at + size]) for at in range(0, len(text), size)) + said.end()


@pytest.mark.parametrize("text", SAME)
def test_what_is_written_otherwise_is_the_same_json(text: str) -> None:
    (one,) = {written(text, size) for size in (1, 2, 3, 7, 500)}
    assert json.loads(one) == json.loads(text)
    assert not any(f"\\u003{n}" in one.replace("\\\\", "") for n in range(10))
    assert written(one, 5) == one


@pytest.mark.parametrize("text", BARE)
def test_other_text_stays(text: str) -> None:
    assert {written(text, size) for size in (1, 2, 3, 7, 500)} == {text}


def test_what_a_string_needs_stays() -> None:
    kept = r'{"a": "\u0022\u005c\u000a\u003c\u0026\u0027\u00e9\u0301\ud83d\ude00\u2028\u200b"}'
    assert written(kept, 4) == kept
    behind = r'{"a": 1} \u0031 {"b": "\u0031"} \u0031'
    assert written(behind, 3) == r'{"a": 1} \u0031 {"b": "1"} \u0031'


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    given = {**knowledge(tmp_path_factory.mktemp("kb")), "continuation": "final_message"}
    watch = dict.fromkeys(("low", "medium", "high", "critical"), "annotate")
    policies: dict[str, Any] = {"watch": {**watch, "annotation": "metadata"}}
    policies["whole"] = {"release": "response"}
    return {**given, "policies": policies}


def ask(url: str, *, stream: bool, **more: Any) -> tuple[str, str, dict[str, Any]]:
    """Return text, finish reason and the groundwire object."""
    body = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}], "stream": stream}
    answer = httpx.post(f"{url}/v1/chat/completions", json={**body, **more}, timeout=30)
    assert answer.status_code == 200, answer.text
    if stream:
        found = strict(answer.content)
        last = next(one for one in reversed(found) if one != "[DONE]")
        return text_of(found), last["choices"][0]["finish_reason"], last["groundwire"]
    (choice,) = answer.json()["choices"]
    return choice["message"]["content"], choice["finish_reason"], answer.json()["groundwire"]


WRONG = [
    r'{"answer": "The Harbour Museum was founded in \u0031992."}',
    r'{"answer": "The Harbour Museum was founded in 19\u00392."}',
    r'{"answer": "The Harbour Museum was founded in \u0031\u0039\u0039\u0032. It is open."}',
    r'{"answer": "The H\u0061rbour Museum was f\u006funded in 19\u00392."}',
    r'{"name": "Harbour Museum", "f\u006funded": "\u0031\u0039\u0039\u0032"}',
]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("size", [1, 4, 500])
@pytest.mark.parametrize("said", WRONG)
def test_a_wrong_value_is_judged_however_it_is_written(
    base: dict[str, Any], said: str, size: int, stream: bool
) -> None:
    form = {"response_format": {"type": "json_object"}}
    numbers: list[dict[str, Any]] = [{}, {"logprobs": True, "top_logprobs": 2}]
    with gateway(Model((said,), size=size), **base) as (url, _):
        for more in numbers:
            text, finish, _ = ask(url, stream=stream, **form, **more)
            assert finish == "content_filter" and "992" not in text and "392" not in text
    with gateway(Model((said,), size=size), **base, default_policy="watch") as (url, _):
        for more in numbers:
            text, finish, found = ask(url, stream=stream, **more)
            assert json.loads(text) == json.loads(said) and finish == "stop"
            places = {one["text"]: one["span"] for one in found["findings"]}
            start, end = places["1992"]
            assert text[start:end] == "1992"
            assert not any(mark in json.dumps(found) for mark in (r"\u034f", r"\ufe00"))


@pytest.mark.parametrize("size", [1, 4, 500])
@pytest.mark.parametrize("stream", [True, False])
def test_a_bare_answer_is_put_right_and_goes_on(
    base: dict[str, Any], size: int, stream: bool
) -> None:
    wrong = r'{"answer": "The Harbour Museum was founded in 19\u00392.", "n": "4\u0035 to see"}'
    right = '{"answer": "The Harbour Museum was founded in 1987.", "n": "45 to see"}'
    for scripts in ((wrong,), (wrong, right)):
        with gateway(Model(scripts, size=size), **base, default_policy="whole") as (url, _):
            text, finish, _ = ask(url, stream=stream)
            assert "1992" not in text and "\\u00" not in text
            if finish == "stop":
                assert json.loads(text) == json.loads(right)


def test_with_checking_off_nothing_is_written_otherwise(base: dict[str, Any]) -> None:
    with gateway(Model((WRONG[0],)), **base, requests_may_lower=True) as (url, _):
        assert ask(url, stream=True, groundwire="off")[0] == WRONG[0]
