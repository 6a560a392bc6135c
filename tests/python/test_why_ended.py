"""Why an answer ended, where the guard had nothing against it: its own end, a limit, a break."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

import groundwire as gw
from gateway_upstream import MODEL, Model, gateway
from groundwire.integrations._feed import LIMITED, ended
from groundwire.integrations._text import TextGuard

SAID = "The hall is open daily. It has 45 seats and a stage."
ASK = [{"role": "user", "content": "Tell me of the hall."}]
BODIES: dict[str, dict[str, Any]] = {
    "chat/completions": {"messages": ASK},
    "completions": {"prompt": "Tell me of the hall.\n"},
    "responses": {"input": "Tell me of the hall."},
}
EVIDENCE = ["The hall was built in 1987. It has 45 seats and a stage. It is open daily."]


def told(url: str, route: str, *, stream: bool, most: int | None = None) -> dict[str, Any]:
    """Return the ``groundwire`` object of an answer."""
    body = {"model": MODEL, "stream": stream, **BODIES[route]}
    if most is not None:
        body["max_output_tokens" if route == "responses" else "max_tokens"] = most
    body["groundwire"] = {"evidence": EVIDENCE}
    answer = httpx.post(f"{url}/v1/{route}", json=body, timeout=30)
    if not stream:
        return dict(answer.json()["groundwire"])
    lines = [one[6:] for one in answer.text.split("\n") if one.startswith("data: {")]
    found = [json.loads(one) for one in lines]
    objects = [one.get("response", one).get("groundwire") for one in found]
    return dict([one for one in objects if one and "verdict" in one][-1])


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("route", sorted(BODIES))
def test_the_gateway_says_length_where_a_limit_cut_the_answer(route: str, stream: bool) -> None:
    class Same(Model):
        """Writes the same whatever stands before."""

        def goes_on(self, prefix: str) -> str:
            return SAID

    with gateway(Same(), continuation="none") as (url, _):
        for most, why in ((None, "end"), (1000, "end"), (3, "length")):
            found = told(url, route, stream=stream, most=most)
            assert (found["stopped"], found["verdict"]) == (why, "pass")
        metrics = httpx.get(f"{url}/metrics").text
        assert 'groundwire_texts_total{stopped="length"} 1.0' in metrics
        assert 'groundwire_texts_total{stopped="end"} 2.0' in metrics


@pytest.mark.parametrize("route", sorted(BODIES))
def test_the_gateway_says_abort_where_the_upstream_broke_off(route: str) -> None:
    class Broken(Model):
        """Breaks off in the middle."""

        def goes_on(self, prefix: str) -> str:
            return SAID

    with gateway(Broken(fault="reset", after=4), continuation="none") as (url, _):
        assert told(url, route, stream=True)["stopped"] == "abort"


@pytest.mark.parametrize("reason", ["stop", None, *LIMITED])
def test_client_libraries_guards_say_length_and_judge_the_last_word(reason: str | None) -> None:
    limited = reason in LIMITED
    for text, wrong in (("The hall is open", False), ("The hall was built in 1992", True)):
        guard = TextGuard(gw.Monitor(), evidence=EVIDENCE, policy=gw.Policy())
        said = [guard.push(text)]
        assert list(ended(guard, said, reason)) == []
        assert "".join(said) == text.replace("1992", "1987")
        assert guard.stopped == guard.report().stopped == ("length" if limited else "end")
        # The provider cut it, and not the guard: its reason to finish stays.
        assert not guard.cut
        assert bool(guard.report().interventions) is wrong


def test_a_limit_is_no_reason_where_the_guard_has_ended_the_answer() -> None:
    policy = gw.Policy(high="interrupt", medium="interrupt", auto_correct=1.0)
    guard = TextGuard(gw.Monitor(), evidence=EVIDENCE, policy=policy)
    guard.push("The hall was built in 1992. It is")
    guard.end(limited=True)
    assert guard.cut and guard.stopped == guard.report().stopped == "interrupted"
    guard.limit()
    assert guard.stopped == guard.report().stopped == "interrupted"
