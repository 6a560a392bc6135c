"""Evidence that a request brings beside the server's: told, held against it, left out, refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, gateway, knowledge
from groundwire.config import Config
from groundwire.errors import ArgumentError
from groundwire.gateway.overruled import OVERRULED
from groundwire.integrations.serving import BROUGHT, IGNORED, Registry
from slow_sse import strict

WRONG = "The Harbour Museum was founded in 1992 by Ada Lind. Do visit it."
SERVER = "The Harbour Museum was founded in 1987 by Ada Lind. It has three floors."
THEIRS = "The Harbour Museum was founded in 1992 by Ada Lind."
MESSAGES = [{"role": "user", "content": "When was the Harbour Museum founded?"}]


class Says(Model):
    """An upstream that says the same whatever the request is."""

    def goes_on(self, prefix: str) -> str:
        del prefix
        return self.scripts[0]


def served(**more: Any) -> dict[str, Any]:
    return {"continuation": "none", "models": {MODEL: {"evidence": [SERVER]}}, **more}


def asked(url: str, evidence: list[str], *, stream: bool, lead: str = "") -> dict[str, Any]:
    """Return what is said of an answer."""
    begun = [{"role": "assistant", "content": lead}] if lead else []
    body = {"model": MODEL, "messages": [*MESSAGES, *begun], "stream": stream}
    body |= {"groundwire": {"evidence": evidence}} if evidence else {}
    answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30)
    assert answer.status_code == 200, answer.text
    if not stream:
        data = json.loads(answer.content)
        said = data["choices"][0]["message"]["content"]
        return {**data["groundwire"], "text": said}
    events = strict(answer.content)[:-1]
    said = "".join(c["delta"].get("content") or "" for one in events for c in one["choices"])
    return {**next(one["groundwire"] for one in events if "groundwire" in one), "text": said}


@pytest.mark.parametrize("stream", [True, False])
def test_what_the_server_has_otherwise_is_told(stream: bool) -> None:
    with gateway(Model((WRONG,)), **served()) as (url, _):
        alone = asked(url, [], stream=stream)
        assert "1992" not in alone["text"] and "notes" not in alone
        found = asked(url, [THEIRS], stream=stream)
        assert found["text"] == WRONG
        assert found["notes"] == [BROUGHT, OVERRULED]
        assert (found["tier"], found["verdict"]) == ("high", "fail")
        [one] = [one for one in found["findings"] if one["status"] == "contradicted"]
        assert (found["text"][slice(*one["span"])], one["replacement"]) == ("1992", "1987")
        found = asked(url, ["The Harbour Museum has 45 employees."], stream=stream)
        assert "1992" not in found["text"] and found["notes"] == [BROUGHT]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "more",
    [[], ["The museum is closed on Mondays."], [SERVER]],
    ids=["alone", "beside others", "beside the same"],
)
def test_a_knowledge_base_counts_as_much(tmp_path: Path, more: list[str], stream: bool) -> None:
    given = {"continuation": "none", "models": {MODEL: {"evidence": more}}, **knowledge(tmp_path)}
    theirs = "The Harbour Museum was founded in 1992."
    with gateway(Model((f"{theirs} Do visit it.",)), **given) as (url, _):
        assert "1992" not in asked(url, [], stream=stream)["text"]
        found = asked(url, [theirs], stream=stream)
        assert found["text"].startswith(theirs)
        brought = [BROUGHT] if more else []
        assert found["notes"] == [*brought, OVERRULED]
        assert found["tier"] in {"high", "critical"} and found["verdict"] == "fail"
        told = [one for one in found["findings"] if one["status"] == "contradicted"]
        assert [one["text"] for one in told] == ["1992"] * len(told)
        kinds = [one["type"] for one in told]
        assert told and len(kinds) == len({*kinds}), "one thing is told twice"
        assert {"high", "critical"} >= {one["tier"] for one in told}
        right = asked(url, ["The Harbour Museum has a hall."], stream=stream)
        assert "1992" not in right["text"] and right.get("notes", []) == brought


def test_evidence_of_a_request_is_beside_nothing_where_the_server_has_none() -> None:
    with gateway(Model((WRONG,)), continuation="none") as (url, _):
        found = asked(url, [THEIRS], stream=False)
        assert "notes" not in found and found["verdict"] in {"pass", "warn"}


@pytest.mark.parametrize("lead", ["It is known that", "```\n"])
def test_so_it_is_behind_what_a_request_began(lead: str) -> None:
    text = f" the museum is open. {WRONG}" if lead[0].isalpha() else WRONG
    with gateway(Says((text,)), **served()) as (url, _):
        found = asked(url, [THEIRS], stream=True, lead=lead)
        [one] = [one for one in found["findings"] if one["status"] == "contradicted"]
        assert found["text"][slice(*one["span"])] == "1992"
        assert OVERRULED in found["notes"]


def test_a_server_may_leave_it_out() -> None:
    with gateway(Model((WRONG,)), **served(request_evidence="ignore")) as (url, _):
        found = asked(url, [THEIRS], stream=False)
        assert "1992" not in found["text"] and found["notes"] == [IGNORED]


def test_a_server_may_refuse_it() -> None:
    with gateway(Model((WRONG,)), **served(request_evidence="refuse")) as (url, _):
        body = {"model": MODEL, "messages": MESSAGES, "groundwire": {"evidence": [THEIRS]}}
        answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30)
        assert answer.status_code == 400
        assert "serving.request_evidence" in answer.json()["error"]["message"]
        assert "1992" not in asked(url, [], stream=False)["text"]


@pytest.mark.parametrize("kind", ["accept", "ignore", "refuse"])
def test_the_registry_says_what_was_made_of_it(kind: str) -> None:
    made = Registry.load(Config.load(environ={}, serving=served(request_evidence=kind)))
    assert made.resolve({}, model=MODEL).notes == ()
    if kind == "refuse":
        with pytest.raises(ArgumentError, match="leave `groundwire_evidence` out"):
            made.resolve({"evidence": [THEIRS]}, model=MODEL, flat=True)
        return
    found = made.resolve({"evidence": [THEIRS]}, model=MODEL)
    texts = [text for _, text in found.evidence]
    assert texts == ([SERVER, THEIRS] if kind == "accept" else [SERVER])
    assert found.notes == ((BROUGHT,) if kind == "accept" else (IGNORED,))
    assert [text for _, text in found.own] == ([SERVER] if kind == "accept" else [])
    assert made.resolve({"evidence": [THEIRS]}, model="other").own == ()
