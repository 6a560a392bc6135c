"""A client that chooses where its limit cuts an answer gets no wrong value by that."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, gateway, knowledge
from groundwire.gateway.context import UNJUDGED
from groundwire.gateway.cut import cut_off

ASK = [{"role": "user", "content": "Tell me of the museum."}]
HEAD = "It is open. The Harbour Museum was founded in"
REST = " and it has 45 employees. It is large."
CHAT = "chat/completions"
CANNOT = "I can't give a reliable answer here"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return knowledge(tmp_path_factory.mktemp("kb"))


def ask(
    url: str, route: str, most: int, *, stream: bool, **more: Any
) -> tuple[str, str, dict[str, Any]]:
    """Return the text, why it ended, and what was found."""
    limit = {"max_output_tokens" if route == "responses" else "max_tokens": most}
    body = {"model": MODEL, "stream": stream, **limit, **more}
    body |= {"input": "When?"} if route == "responses" else {"messages": ASK}
    answer = httpx.post(f"{url}/v1/{route}", json=body, timeout=60)
    assert answer.status_code == 200, answer.text
    if route == "responses":
        lines = answer.text.split("\n")
        told = [json.loads(one[6:]) for one in lines if one.startswith("data: {")]
        found = told[-1]["response"] if stream else answer.json()
        part = found["output"][0]["content"][0]["text"]
        return part, found["status"], found["groundwire"]
    if not stream:
        choice = answer.json()["choices"][0]
        text = choice["message"]["content"]
        return text, choice["finish_reason"], answer.json()["groundwire"]
    lines = [one for one in answer.text.split("\n") if one.startswith("data: {")]
    chunks = [json.loads(one[6:]) for one in lines]
    choices = [one["choices"][0] for one in chunks if one["choices"]]
    text = "".join(one["delta"].get("content") or "" for one in choices)
    told = [one["groundwire"] for one in chunks if "verdict" in one.get("groundwire", {})]
    return text, choices[-1]["finish_reason"], told[-1]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("route", ["chat/completions", "responses"])
@pytest.mark.parametrize("continues", ["restart", "final_message"])
def test_a_wrong_value_right_before_the_cut_is_put_right(
    base: dict[str, Any], route: str, stream: bool, continues: str
) -> None:
    scripts = (f"{HEAD} 1992{REST}", f"{HEAD} 1987{REST}")
    with gateway(Model(scripts, size=1, continues=continues), **base) as (url, _):
        for most, said in (
            (len(HEAD) + 3, f"{HEAD} 19"),
            (len(HEAD) + 4, f"{HEAD} 199"),
            (len(HEAD) + 5, f"{HEAD} 1987"),
            (len(HEAD) + 6, f"{HEAD} 1987"),
        ):
            text, finish, found = ask(url, route, most, stream=stream)
            assert text.rstrip() == said, most
            assert finish in {"length", "incomplete"}
            assert found["verdict"] == ("corrected" if said.endswith("1987") else "pass")


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("route", ["chat/completions", "responses"])
def test_a_denial_right_before_the_cut_does_not_leave(
    base: dict[str, Any], route: str, stream: bool
) -> None:
    text = "The Harbour Museum was not founded in 1987"
    with gateway(Model((text + " but later.",), size=1), **base) as (url, _):
        said, _, found = ask(url, route, len(text), stream=stream)
        assert said.startswith(CANNOT) and found["verdict"] == "blocked"


@pytest.mark.parametrize("stream", [True, False])
def test_last_words_that_may_become_right_leave_and_are_told(
    base: dict[str, Any], stream: bool
) -> None:
    models = {"models": {MODEL: {"evidence": ["The tower cost $610 million. It is high."]}}}
    whole = "The tower cost $610 million. It is high."
    for text in ("The tower cost $610 mill", "The tower cost $6", "The tower cost $610"):
        assert whole.startswith(text)
        with gateway(Model((whole,), size=1), **base, **models) as (url, _):
            said, finish, found = ask(url, "chat/completions", len(text), stream=stream)
            assert (said, finish) == (text, "length") and found["verdict"] == "pass"
    with gateway(Model(("The tower has 7 floors.",), size=1), **base, **models) as (url, _):
        said, finish, found = ask(url, "chat/completions", len("The tower has 7"), stream=stream)
        # That no source has it does not make it wrong.
        assert said == "The tower has 7" and UNJUDGED in found["notes"], found
        said, _, found = ask(url, "chat/completions", 400, stream=stream)
        assert UNJUDGED not in (found.get("notes") or ())


class Stops(Model):
    """An upstream that looks for stop strings, and may say which one it found."""

    def goes_on(self, prefix: str) -> str:
        text = super().goes_on(prefix)
        stops = [one for body in self.seen[-1:] for one in body.get("stop") or ()]
        found = [text.index(one) for one in stops if one in text]
        return text[: min(found)] if found else text


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("continues", ["restart", "final_message"])
def test_a_stop_string_inside_a_number_makes_no_value_wrong(
    base: dict[str, Any], stream: bool, continues: str
) -> None:
    said = f"{HEAD} 1987{REST}"
    with gateway(Stops((said,), size=2, continues=continues), **base) as (url, _):
        for stop in ("7", "87"):
            text, finish, found = ask(url, CHAT, 4000, stream=stream, stop=[stop])
            assert text == said.partition(stop)[0] and finish == "stop"
            assert found["findings"] == [] and UNJUDGED in found["notes"]
        text, _, found = ask(url, CHAT, 4000, stream=stream, stop=["ploy"])
        assert text == said.partition("ploy")[0] and found["verdict"] == "pass"
    for text in (f"{HEAD} 1992{REST}", "The Harbour Museum was not founded in 1987x."):
        # What is wrong whatever it becomes is wrong all the same.
        with gateway(Stops((text,), size=2), **base) as (url, _):
            stop = ["x"] if "not" in text else ["2 and"]
            given, _, found = ask(url, CHAT, 4000, stream=stream, stop=stop)
            if "not" in text:
                assert given.startswith(CANNOT) and found["verdict"] == "blocked"
            else:
                assert given == f"{HEAD} 199"
    with gateway(Stops(("Sarah Chen works in Engineering.",), size=2), **base) as (url, _):
        given, _, found = ask(url, CHAT, 4000, stream=stream, stop=["eering"])
        assert given == "Sarah Chen works in Engin" and found["verdict"] == "pass"
    with gateway(Stops(("The Harbour Museum has 60 staff. It",), size=2), **base) as (url, _):
        # Between words nothing is cut.
        given, _, found = ask(url, CHAT, 4000, stream=stream, stop=[" staff"])
        assert not found.get("notes") or UNJUDGED not in found["notes"]


def test_where_a_word_may_have_been_cut() -> None:
    stop = {"stop": ["7"]}
    assert cut_off("in 198", "length", {}, {}) and cut_off("in 198", "stop", {}, stop)
    assert cut_off("in 198", "stop", {"stop_reason": "7"}, stop)
    assert cut_off("in 198", "stop", {"matched_stop": "7"}, {"stop": "7"})
    assert cut_off("in 198", "stop", {"stop_reason": 5}, {"stop_token_ids": [5]})
    assert not cut_off("in 198", "stop", {"stop_reason": None}, stop)
    assert not cut_off("in 198", "stop", {}, {})
    assert not cut_off("in 198 ", "stop", {}, stop)
    assert not cut_off("in 198", "stop", {}, {"stop": ["\n", "."]})
    assert not cut_off("in 198", "content_filter", {}, stop)
