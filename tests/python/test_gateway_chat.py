"""The gateway over real HTTP: chat completions, streaming and not, through the official client."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import groundwire as gw
from gateway_upstream import (
    MODEL,
    RIGHT,
    WRONG,
    Model,
    application,
    client,
    gateway,
    knowledge,
    served,
)
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from groundwire.integrations.serving import Registry
from slow_sse import strict, text_of

CORRECTED = "The Harbour Museum was founded in 1987. It has 45 employees. It is open."
CANNOT = "I can't give a reliable answer here"
ASK = [{"role": "user", "content": "When was the Harbour Museum founded?"}]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return knowledge(tmp_path_factory.mktemp("kb"))


def streamed(url: str, **given: Any) -> tuple[str, str | None, Any, list[Any]]:
    """Return text, finish reason, the groundwire object and all chunks."""
    text, finish, found, chunks = "", None, None, []
    for chunk in client(url).chat.completions.create(
        model=MODEL, messages=ASK, stream=True, **given
    ):
        chunks.append(chunk)
        for choice in chunk.choices:
            text += choice.delta.content or ""
            finish = choice.finish_reason or finish
        found = getattr(chunk, "groundwire", None) or found
    return text, finish, found, chunks


def asked(url: str, stream: bool, **given: Any) -> tuple[str, str | None, Any]:
    """Return text, finish reason and the groundwire object of an answer."""
    if stream:
        return streamed(url, **given)[:3]
    answer = client(url).chat.completions.create(model=MODEL, messages=ASK, **given)
    assert answer.model_extra is not None
    choice = answer.choices[0]
    return choice.message.content or "", choice.finish_reason, answer.model_extra["groundwire"]


def test_a_right_answer_passes_as_it_is(base: dict[str, Any]) -> None:
    with gateway(Model(), **base) as (url, _):
        text, finish, found, chunks = streamed(url)
        assert (text, finish) == (RIGHT, "stop")
        assert found["findings"] == [] and found["checked"] and found["policy"] == "default"
        assert chunks[0].choices[0].delta.role == "assistant"
        assert {chunk.id for chunk in chunks} == {"up-1"}
        answer = client(url).chat.completions.create(model=MODEL, messages=ASK)
        assert answer.choices[0].message.content == RIGHT
        assert answer.choices[0].finish_reason == "stop"
        assert answer.usage is not None and answer.usage.completion_tokens == 15
        assert answer.model_extra is not None and answer.model_extra["groundwire"]["tier"] == "none"


@pytest.mark.parametrize("continues", ["final_message", "tokens"])
@pytest.mark.parametrize("release", ["claim", "response"])
def test_a_wrong_value_is_put_right_by_continuing(
    base: dict[str, Any], continues: str, release: str
) -> None:
    model = Model((WRONG, CORRECTED), continues=continues)
    policies = {"mine": {"release": release}}
    with gateway(model, policies=policies, default_policy="mine", **base) as (url, made):
        assert made.prober is not None and made.prober.known == {MODEL: continues}
        text, finish, found, _ = streamed(url)
        assert (text, finish) == (CORRECTED, "stop")
        assert [done["action"] for done in found["interventions"]] == ["correct"]
        assert found["continued"] == 1 and "1992" not in str(found)
        answer = client(url).chat.completions.create(model=MODEL, messages=ASK)
        assert answer.choices[0].message.content == CORRECTED
        assert answer.choices[0].finish_reason == "stop"


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("release", ["claim", "response"])
def test_where_nothing_continues_a_wrong_value_is_exchanged(
    base: dict[str, Any], stream: bool, release: str
) -> None:
    model = Model((WRONG, "no continuation"), continues="restart")
    policies = {"mine": {"release": release}}
    with gateway(model, policies=policies, default_policy="mine", **base) as (url, made):
        assert made.prober is not None and made.prober.known == {MODEL: "none"}
        text, finish, found = asked(url, stream)
        assert (text, finish) == (CORRECTED, "stop") and found["stopped"] == "end"
        assert [done["action"] for done in found["interventions"]] == ["correct"]
        assert "continued" not in found and "1992" not in str(found)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("release", ["claim", "response"])
def test_where_nothing_continues_what_has_no_right_value_ends_the_answer(
    base: dict[str, Any], stream: bool, release: str
) -> None:
    model = Model(("It is open. The Quorlax Tower opened in 1931. It is high.",))
    policies = {"mine": {"release": release, "low": "interrupt"}}
    with gateway(model, policies=policies, default_policy="mine", **base) as (url, _):
        text, finish, found = asked(url, stream)
        assert finish == "content_filter" and found["stopped"] == "interrupted"
        assert text.startswith("It is open. \n\n" + CANNOT) and "1931" not in text


@pytest.mark.parametrize("stream", [True, False])
def test_where_nothing_continues_a_hedge_leaves_the_text(stream: bool) -> None:
    text = "As a member you get 40 % of the fee back, so it costs you 27 euros. Anything else?"
    extra = {"evidence": ["Members are paid back 40 % of the fee, which is 45 euros."]}
    with gateway(Model((text,))) as (url, _):
        got, finish, found = asked(url, stream, extra_body={"groundwire": extra})
        assert (got, finish) == (text, "stop") and found["findings"]
        assert {done["action"] for done in found["interventions"]} == {"annotate"}
        assert found["acted"] == [] and found["delivered"]["tier"] == found["tier"] != "none"


def test_text_that_has_left_gets_a_note(base: dict[str, Any]) -> None:
    policies = {"fast": {"release": "token"}}
    with gateway(Model((WRONG,)), policies=policies, default_policy="fast", **base) as (url, _):
        text, finish, _found, _ = streamed(url)
        assert "1992" in text and "1987" in text and text.endswith("It is open.")
        assert finish == "stop"


def test_several_answers_are_each_checked(base: dict[str, Any]) -> None:
    with gateway(Model((WRONG,)), **base) as (url, _):
        texts: dict[int, str] = {}
        ends: dict[int, str] = {}
        for chunk in client(url).chat.completions.create(
            model=MODEL, messages=ASK, stream=True, n=3
        ):
            for choice in chunk.choices:
                texts[choice.index] = texts.get(choice.index, "") + (choice.delta.content or "")
                if choice.finish_reason:
                    ends[choice.index] = choice.finish_reason
        assert set(ends.values()) == {"stop"} and len(ends) == 3
        assert all(text == CORRECTED for text in texts.values())
        answer = client(url).chat.completions.create(model=MODEL, messages=ASK, n=3)
        assert all(c.message.content == CORRECTED for c in answer.choices)
        assert answer.model_extra is not None
        beside = answer.model_extra["groundwire"]
        assert (beside["tier"], beside["verdict"], beside["texts"]) == ("high", "corrected", 3)


def test_usage_counts_every_request(base: dict[str, Any]) -> None:
    model = Model((WRONG, CORRECTED), continues="final_message")
    with gateway(model, **base) as (url, _):
        model.written = 0
        *_, chunks = streamed(url, stream_options={"include_usage": True})
        usage = chunks[-1].usage
        assert chunks[-1].choices == [] and usage is not None
        assert usage.prompt_tokens == 11 and usage.completion_tokens >= 15
        assert usage.total_tokens == 11 + usage.completion_tokens
        model.written = 0
        answer = client(url).chat.completions.create(model=MODEL, messages=ASK)
        assert answer.usage is not None and answer.usage.completion_tokens == model.written


def test_tool_calls_pass_untouched(base: dict[str, Any]) -> None:
    with gateway(Model(("",), tool_call=True), **base) as (url, _):
        text, finish, _, chunks = streamed(url)
        calls = [c for chunk in chunks for one in chunk.choices for c in one.delta.tool_calls or ()]
        assert (text, finish) == ("", "tool_calls")
        assert calls[0].function is not None and calls[0].function.arguments == '{"q": 1992}'


def test_evidence_of_a_request_counts() -> None:
    with gateway(Model(("The hall seats 400 people. It is large.",))) as (url, _):
        extra = {"groundwire": {"evidence": ["The hall seats 40 people."], "id": "r-7"}}
        text, finish, found, _ = streamed(url, extra_body=extra)
        assert (text, finish) == ("The hall seats 40 people. It is large.", "stop")
        assert found["client_id"] == "r-7" and found["verdict"] == "corrected"
        assert streamed(url)[2]["findings"] == []


def test_logprobs_are_those_of_what_left(base: dict[str, Any]) -> None:
    with gateway(Model(), **base) as (url, _):
        *_, chunks = streamed(url, logprobs=True, top_logprobs=2)
        entries = [
            entry
            for chunk in chunks
            for choice in chunk.choices
            if choice.logprobs
            for entry in choice.logprobs.content or ()
        ]
        assert "".join(entry.token for entry in entries) == RIGHT
        answer = client(url).chat.completions.create(
            model=MODEL, messages=ASK, logprobs=True, top_logprobs=2
        )
        assert answer.choices[0].logprobs is not None
        assert "".join(e.token for e in answer.choices[0].logprobs.content or ()) == RIGHT


def test_completions_are_continued_by_their_prompt(base: dict[str, Any]) -> None:
    model = Model((WRONG, CORRECTED))
    with gateway(model, **base) as (url, _):
        prompt = "When was it founded?\n"
        answer = client(url).completions.create(model=MODEL, prompt=prompt)
        assert answer.choices[0].text == CORRECTED
        parts = list(client(url).completions.create(model=MODEL, prompt=prompt, stream=True))
        assert "".join(c.text for part in parts for c in part.choices) == CORRECTED
        assert parts[-1].choices[0].finish_reason == "stop"


@pytest.fixture(scope="module")
def plain(base: dict[str, Any]) -> Iterator[str]:
    with gateway(Model((WRONG,)), **base) as (url, _):
        yield url


@pytest.mark.parametrize(
    ("route", "body", "status", "part"),
    [
        ("chat/completions", {"messages": ASK}, 400, "model"),
        ("chat/completions", {"model": MODEL}, 400, "messages"),
        ("chat/completions", {"model": MODEL, "messages": ASK, "stream": "yes"}, 400, "stream"),
        ("chat/completions", {"model": MODEL, "messages": ASK, "n": 0}, 400, "n is"),
        ("chat/completions", {"model": MODEL, "messages": ASK, "n": 1.5}, 400, "n is"),
        ("chat/completions", {"model": MODEL, "messages": ASK, "n": 17}, 400, "16 answers"),
        ("completions", {"model": MODEL, "prompt": ["a"] * 17}, 400, "16 answers"),
        ("chat/completions", {"model": MODEL, "messages": ["hi"]}, 400, "messages[0]"),
        ("chat/completions", {"model": MODEL, "messages": ASK, "groundwire": "off"}, 400, "less"),
        ("chat/completions", {"model": MODEL, "messages": ASK, "groundwire": {"x": 1}}, 400, "'x'"),
        ("completions", {"model": MODEL, "prompt": "a", "echo": True}, 400, "echo"),
        ("completions", {"model": MODEL}, 400, "prompt"),
        ("messages", {"model": MODEL}, 404, "not served"),
        ("chat/completions/batch", {"model": MODEL}, 404, "not served"),
        ("embeddings", {"model": MODEL}, 404, "not served"),
    ],
)
def test_what_is_not_served_is_refused(
    plain: str, route: str, body: dict[str, Any], status: int, part: str
) -> None:
    answer = httpx.post(f"{plain}/v1/{route}", json=body)
    assert answer.status_code == status and part in answer.json()["error"]["message"]


def test_models_pass(plain: str) -> None:
    assert [one.id for one in client(plain).models.list()] == [MODEL]


def test_much_to_read_keeps_nobody_waiting(base: dict[str, Any]) -> None:
    turns = [{"role": "user", "content": f"Turn {i}. " * 3000} for i in range(12)]
    evidence = [f"Passage {i} says that room {i} has {i} chairs." for i in range(250)]
    with gateway(Model((WRONG, CORRECTED), continues="tokens"), **base) as (url, _):
        answer = client(url).chat.completions.create(
            model=MODEL,
            messages=[*turns, *ASK],  # type: ignore[list-item]
            extra_body={"groundwire": {"evidence": evidence}},
        )
        assert answer.choices[0].message.content == CORRECTED


class Slow:
    """A verifier that takes its time, and denies whatever speaks of whales."""

    name = "slow"

    def verify(self, claim: gw.Claim) -> gw.Verdict:
        time.sleep(0.3)
        if "Whales" in claim.content:
            return gw.Verdict("contradicted", p1=(0.0, 0.02), reason="whales cannot fly")
        return gw.Verdict("supported", p1=(0.95, 1.0))


@pytest.mark.parametrize("stream", [True, False])
def test_text_waits_for_verifiers(stream: bool) -> None:
    model = Model(("The hall is open. Whales can fly over the hall. The hall is large.",))
    config = Config.load(environ={})
    registry = Registry.load(config, verifiers=[Slow()])
    with served(application(model)) as root:
        made = Gateway(root, config, registry=registry, environ={})
        with served(create_app(made)) as url:
            if stream:
                text, finish, found, _ = streamed(url)
            else:
                answer = client(url).chat.completions.create(
                    model=MODEL,
                    messages=ASK,  # type: ignore[arg-type]
                )
                text = answer.choices[0].message.content or ""
                finish = answer.choices[0].finish_reason
                assert answer.model_extra is not None
                found = answer.model_extra["groundwire"]
    # A claim that a verifier denies discards what is held. The good one before it leaves, if it has
    # been answered by then: with the space behind it where that was sent before the denial.
    assert re.match(rf"(The hall is open\. ?\n\n)?{re.escape(CANNOT)}", text), found
    assert "fly over" not in text
    assert finish == "content_filter"


class Broken:
    """A verifier that fails."""

    name = "broken"

    def verify(self, claim: gw.Claim) -> gw.Verdict:
        raise RuntimeError(f"no model for {claim.content}")


@pytest.mark.parametrize("failure", ["continue", "stop"])
@pytest.mark.parametrize("stream", [True, False])
def test_the_profiles_failure_policy_holds(
    failure: str, stream: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "groundwire")
    config = Config.load(environ={}, stream={"failure": failure}, serving={"continuation": "none"})
    registry = Registry.load(config, verifiers=[Broken()])
    text = "The hall is open. The hall is large."
    with served(application(Model((text,)))) as root:
        made = Gateway(root, config, registry=registry, environ={})
        with served(create_app(made)) as url:
            body = {"model": MODEL, "messages": ASK, "stream": stream}
            answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30)
    if stream:
        found = strict(answer.content)
        got, finish = text_of(found), found[-2]["choices"][0]["finish_reason"]
        beside = found[-2]["groundwire"]
    else:
        choice = answer.json()["choices"][0]
        got, finish = choice["message"]["content"], choice["finish_reason"]
        beside = answer.json()["groundwire"]
    if failure == "stop":
        assert finish == "content_filter" and beside["stopped"] == "failed" and got != text
    else:
        assert (got, finish) == (text, "stop")
        assert "stream.verifier_failed" in {one["type"] for one in beside["findings"]}
    # What the verifier raised quotes the answer, and the log does not.
    assert "failed: RuntimeError" in caplog.text and "hall is" not in caplog.text
