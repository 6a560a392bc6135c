"""Answers that may be no part of what a request began: judged by themselves as well."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Says, gateway, knowledge
from groundwire.claims import Claim
from groundwire.findings import Verdict
from groundwire.gateway.begun import asked_for
from groundwire.gateway.twice import Twice
from groundwire.gateway.unread import CODE, leaves_code_open
from groundwire.integrations.serving import Resolved
from groundwire.monitor import Monitor
from groundwire.policy import Policy
from slow_sse import strict

USER = {"role": "user", "content": "When was the Harbour Museum founded?"}
FLAG = {"continue_final_message": True, "add_generation_prompt": False}
WRONG = "The Harbour Museum was founded in 1992. Do visit it."
OPEN = [
    "```\n",
    "```",
    "```text\n",
    "~~~\n",
    "````\n",
    "Here: `",
    "`",
    "`a``",
    "Sure, here is the code:\n```python\nprint(1)\n",
    "* ```\nx = 1\n```\nSo:\n",
]
TOLD = ["Imagine that ", "What would happen if ", "It is false that ", "Some say:\n", "Quote: “"]
EVIDENCE = "The Harbour Museum was founded in 1987 by Ada Lind. It has three floors."


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return knowledge(tmp_path_factory.mktemp("kb")) | {"continuation": "none"}


def asked(url: str, route: str, body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return an answer's text, and what is said of it."""
    answer = httpx.post(f"{url}/v1/{route}", json={"model": MODEL, **body}, timeout=60)
    assert answer.status_code == 200, answer.text
    if not body.get("stream"):
        data = json.loads(answer.content)
        if route == "responses":
            texts = [part["text"] for item in data["output"] for part in item["content"]]
            return "".join(texts), data["groundwire"]
        return data["choices"][0]["message"]["content"], data["groundwire"]
    events = strict(answer.content)
    if route == "responses":
        deltas = [one["delta"] for one in events if one["type"] == "response.output_text.delta"]
        return "".join(deltas), events[-1]["response"]["groundwire"]
    deltas = [c["delta"].get("content") or "" for e in events[:-1] for c in e["choices"]]
    return "".join(deltas), next(one["groundwire"] for one in events if "groundwire" in one)


def bodies(lead: str) -> list[tuple[str, dict[str, Any]]]:
    last = {"role": "assistant", "content": lead}
    item = {"type": "message", "role": "assistant"}
    parts = {"content": [{"type": "output_text", "text": lead}]}
    chat = [("chat/completions", {"messages": [USER, last], **more}) for more in ({}, FLAG)]
    return [*chat, *(("responses", {"input": [USER, one]}) for one in (last, {**item, **parts}))]


@pytest.mark.parametrize("lead", [*OPEN, *TOLD])
def test_what_a_request_begins_hides_nothing(base: dict[str, Any], lead: str) -> None:
    for given in (base, {**base, "policies": {"p": {"release": "token"}}, "default_policy": "p"}):
        with gateway(Says((WRONG,)), **given) as (url, _):
            for stream in (True, False):
                for route, body in bodies(lead):
                    text, beside = asked(url, route, {"stream": stream, **body})
                    assert "1992" not in text and "1987" in text, (route, body, text)
                    assert text.endswith("Do visit it.")
                    assert (beside["tier"], beside["verdict"]) == ("high", "corrected")
                    assert CODE not in beside.get("notes", [])


@pytest.mark.parametrize("lead", OPEN)
def test_nor_does_it_where_the_upstream_really_goes_on(base: dict[str, Any], lead: str) -> None:
    given = {**base, "continuation": "final_message"}
    with gateway(Says((WRONG,), continues="final_message"), **given) as (url, _):
        for stream in (True, False):
            body = {"messages": [USER, {"role": "assistant", "content": lead}], **FLAG}
            text, beside = asked(url, "chat/completions", {"stream": stream, **body})
            assert "1992" not in text and beside["verdict"] == "corrected"


@pytest.mark.parametrize("stream", [True, False])
def test_what_stands_in_code_and_behind_it_is_judged(base: dict[str, Any], stream: bool) -> None:
    inside = "The Harbour Museum was founded in 1992.\n```\nIt has 60 employees. It is open."
    both = f"x = 1\n```\n{WRONG}\n```\n{WRONG}\n```\n{WRONG}"
    last = {"role": "assistant", "content": "```\n"}
    for text in (inside, both):
        with gateway(Says((text,)), **base) as (url, _):
            body = {"messages": [USER, last], "stream": stream}
            found, beside = asked(url, "chat/completions", body)
            assert "1992" not in found and "60" not in found, found
            assert len(beside["acted"]) >= 2


def test_evidence_and_a_strict_policy_hold(base: dict[str, Any]) -> None:
    policy = {"medium": "discard", "high": "discard", "release": "response"}
    given = {**base, "policies": {"p": policy}, "default_policy": "p"}
    given["models"] = {MODEL: {"evidence": [EVIDENCE]}}
    with gateway(Says((WRONG,)), **given) as (url, _):
        for stream in (True, False):
            for route, body in bodies("```\n"):
                text, beside = asked(url, route, {"stream": stream, **body})
                assert "1992" not in text
                assert beside["verdict"] in {"blocked", "corrected"}


def test_several_answers_and_fields_are_all_judged(base: dict[str, Any]) -> None:
    last = {"role": "assistant", "content": "```\n"}
    with gateway(Says((WRONG,)), **base) as (url, _):
        for stream in (True, False):
            body = {"model": MODEL, "messages": [USER, last], "n": 2, "stream": stream}
            assert "1992" not in httpx.post(f"{url}/v1/chat/completions", json=body).text
            body = {"model": MODEL, "prompt": "Code:\n```\nThe museum:", "stream": stream}
            assert "1992" not in httpx.post(f"{url}/v1/completions", json=body).text


def test_what_only_watches_passes_as_it_came(base: dict[str, Any]) -> None:
    last = {"role": "assistant", "content": "```\n"}
    with gateway(Says((WRONG,)), **base, default_policy="observe") as (url, _):
        for stream in (True, False):
            body = {"messages": [USER, last], "stream": stream}
            text, beside = asked(url, "chat/completions", body)
            assert text == WRONG and beside["tier"] == "high"
            assert {one["action"] for one in beside["interventions"]} == {"annotate"}
            [found] = [one for one in beside["findings"] if one["status"] == "contradicted"]
            assert text[slice(*found["span"])] == found["text"]


class Doubts:
    """A verifier that takes its time, and knows of no gold."""

    name = "doubts"

    def verify(self, claim: Claim) -> Verdict:
        time.sleep(0.02)
        wrong = "gold" in claim.content
        return Verdict("contradicted", (0.9, 0.95), (0.0, 0.1)) if wrong else Verdict("supported")


@pytest.mark.parametrize("lead", ["```\n", "Imagine that "])
def test_a_verifier_ends_an_answer_that_says_why(lead: str) -> None:
    async def watched() -> tuple[str, str | None]:
        monitor = Monitor(verifiers=[Doubts()])
        held = Resolved(monitor, Policy(), "default")
        begun = asked_for(lead, own=True, sure=False)
        text = Twice(held, begun=begun, rewinds=False, question="How is it?", history=[])
        outcome = await text.take("The Harbour Museum is open. It was built of gold. It is large.")
        if text.stopped is None:
            outcome.add(await text.end())
        text.abandon()
        return outcome.text, text.stopped

    said, stopped = asyncio.run(watched())
    assert stopped == "discarded" and "gold" not in said
    assert said.startswith("The Harbour Museum is open.") and "reliable answer" in said


def test_code_in_an_answer_that_goes_on_is_noted(base: dict[str, Any]) -> None:
    text = f" is so:\n```\n{WRONG}\n```\n"
    last = {"role": "assistant", "content": "It"}
    with gateway(Says((text,)), **base) as (url, _):
        for stream in (True, False):
            body = {"messages": [USER, last], "stream": stream}
            _, beside = asked(url, "chat/completions", body)
            assert CODE in beside["notes"]


@pytest.mark.parametrize(
    ("text", "open_"),
    [
        *((one, True) for one in OPEN),
        ("Look: `a` and\n```\nb\n```\nSo", False),
        ("<pre>\n", True),
        ("<code>a</code> is", False),
        ("It is", False),
        ("", False),
    ],
)
def test_open_code_is_known(text: str, open_: bool) -> None:
    assert leaves_code_open(text) is open_


@pytest.mark.parametrize(
    ("lead", "own", "sure", "twice"),
    [
        ("```\n", True, True, True),
        ("It is", True, False, True),
        ("It is", True, True, False),
        ("It is", False, False, False),
        ("", True, False, False),
    ],
)
def test_what_is_judged_twice(lead: str, own: bool, sure: bool, twice: bool) -> None:
    assert (asked_for(lead, own=own, sure=sure).alone is not None) is twice
