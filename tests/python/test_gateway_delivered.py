"""What is told of an answer is told of the text that was delivered: findings, places, verdict."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, gateway, knowledge
from groundwire.config import Config
from groundwire.gateway.watched import Watched
from groundwire.integrations.serving import Registry

EVIDENCE = ["The Harbour Museum has 45 employees."]
MIDDLE = "It has 45 employees. It was built by Zelda Quorn in 1931. It is open."
KEPT = [
    "It is open.",
    "The Harbour Museum has 45 employees.",
    "It has three halls.",
    "Is it large?",
]
DOUBTED = [
    "It was built by Zelda Quorn in 1931.",
    "The Harbour Museum was founded in 1992.",
    "Studies show that 40 % of guests come back.",
    "The museum was painted by Otto Brandt in 1944 – “für alle” 😀.",
    "Sarah Chen works in Marketing.",
]
BETWEEN = [" ", " ", "\n", "\n\n", "\n- ", "  "]
ACTIONS: dict[str, dict[str, str]] = {
    "default": {},
    "remove": {"low": "remove", "medium": "remove", "high": "remove"},
    "mixed": {"medium": "remove", "high": "correct"},
    "discard": {"medium": "remove", "high": "discard"},
    "inline": {"annotation": "inline", "low": "annotate", "medium": "annotate"},
    "footnote": {"annotation": "footnote", "low": "annotate", "medium": "annotate"},
    "inline-remove": {"annotation": "inline", "low": "annotate", "medium": "remove"},
    "interrupt": {"medium": "interrupt", "after_interrupt": "continue"},
    "hedge": {"medium": "hedge"},
}
RELEASES = ("token", "claim", "response")
POLICIES = {
    f"{name}-{release}": {"release": release, **actions}
    for name, actions in ACTIONS.items()
    for release in RELEASES
}
LEAD = "It is old and the Harbour Museum"
ROUTES = ("chat/completions", "completions", "responses")


@pytest.fixture(scope="module", params=["none", "final_message"])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Model, str]]:
    how = request.param
    model = Model(continues="restart" if how == "none" else how)
    given = knowledge(tmp_path_factory.mktemp("kb"))
    given |= {"policies": POLICIES, "requests_may_lower": True, "continuation": how}
    with gateway(model, **given) as (url, _):
        yield model, url


def ask(url: str, route: str, stream: bool, policy: Any, **more: Any) -> tuple[str, Any, str]:
    """Return the answer's text, its ``groundwire`` object and all that came."""
    lead = more.pop("lead", "")
    own: dict[str, dict[str, Any]] = {
        "chat/completions": {"messages": [{"role": "user", "content": "Tell me."}]},
        "completions": {"prompt": f"Go on.\n{lead}"},
        "responses": {"input": "Tell me."},
    }
    asked = {"policy": policy, "evidence": EVIDENCE, **more}
    body = {"model": MODEL, "stream": stream, "groundwire": asked, **own[route]}
    answer = httpx.post(f"{url}/v1/{route}", json=body, timeout=30)
    assert answer.status_code == 200, answer.text
    if not stream:
        data = answer.json()
        if route == "responses":
            parts = [part for item in data["output"] for part in item["content"]]
            return "".join(part["text"] for part in parts), data["groundwire"], answer.text
        (choice,) = data["choices"]
        text = choice["text"] if "text" in choice else choice["message"]["content"]
        return text, data["groundwire"], answer.text
    lines = [line for line in answer.text.split("\n") if line.startswith("data: {")]
    events = [json.loads(line.removeprefix("data: ")) for line in lines]
    if route == "responses":
        deltas = [one["delta"] for one in events if one["type"] == "response.output_text.delta"]
        return "".join(deltas), events[-1]["response"]["groundwire"], answer.text
    choices = [one["choices"][0] for one in events if one["choices"]]
    parts = [(one["text"] if "text" in one else one["delta"].get("content")) for one in choices]
    found = [one["groundwire"] for one in events if "verdict" in one.get("groundwire", {})]
    return "".join(part or "" for part in parts), found[-1], answer.text


@pytest.mark.req("S0-042")
@pytest.mark.parametrize("release", RELEASES[1:])
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("stream", [False, True])
def test_what_was_left_out_is_acted_upon_and_quoted_nowhere(
    served: tuple[Model, str], stream: bool, route: str, release: str
) -> None:
    model, url = served
    model.scripts, model.size = (MIDDLE,), 4
    policy = {"release": release, "medium": "remove"}
    text, found, sent = ask(url, route, stream, policy, details=True)
    assert text == "It has 45 employees. It is open."
    assert all(word not in sent for word in ("Zelda", "Quorn", "1931"))
    assert found["findings"] == []
    assert found["delivered"] == {"tier": "none", "verdict": "pass"}
    assert (found["verdict"], found["tier"]) == ("corrected", "medium")
    assert {one["action"] for one in found["acted"]} == {"remove"}
    types = {one["type"] for one in found["acted"]}
    assert {"dialogue.nonexistent_entity", "stream.unsupported_sentence"} <= types


def test_a_sentence_left_out_takes_every_finding_along(served: tuple[Model, str]) -> None:
    model, url = served
    model.scripts, model.size = ("Mr. J. R. Smith said “it was founded in 1992” yesterday.",), 4
    policy = {"medium": "remove", "high": "discard", "release": "claim"}
    text, found, sent = ask(url, "chat/completions", False, policy)
    assert text.startswith("I can't give a reliable answer here")
    assert found["findings"] == []
    assert len(found["acted"]) == len(found["interventions"][0]["findings"]) > 3
    assert all(word not in sent for word in ("Smith", "1992", "yesterday"))


def test_places_stand_behind_marks(served: tuple[Model, str]) -> None:
    model, url = served
    said = "It was built by Zelda Quorn in 1931. The museum was painted in 1944 by Otto Brandt."
    model.scripts = (said,)
    for policy in ("inline-token", "inline-claim", "inline-response"):
        text, found, _ = ask(url, "chat/completions", True, policy)
        at = text.index("Otto Brandt")
        named = [one for one in found["findings"] if one["text"] == "Otto Brandt"]
        assert [one["span"] for one in named] == [[at, at + len("Otto Brandt")]], policy
        assert at > said.index("Otto Brandt"), "nothing was put in before it"


def test_what_begins_in_the_prompt_has_no_place(served: tuple[Model, str]) -> None:
    model, url = served
    model.scripts, model.size = (f"{LEAD} is by Zelda Quorn. It has 46 employees.",), 4
    text, found, _ = ask(url, "completions", False, "inline-response", lead=LEAD)
    spans = {one["text"]: one["span"] for one in found["findings"]}
    at = text.index("Zelda Quorn")
    assert spans["Zelda Quorn"] == [at, at + len("Zelda Quorn")]
    assert all(span is None for said, span in spans.items() if said not in text)


@pytest.mark.parametrize("policy", POLICIES)
def test_every_span_is_that_of_its_text(served: tuple[Model, str], policy: str) -> None:
    model, url = served
    chosen = random.Random(policy)
    for _ in range(6):
        said = [chosen.choice(KEPT + DOUBTED) for _ in range(chosen.randint(1, 6))]
        text = said[0] + "".join(chosen.choice(BETWEEN) + one for one in said[1:])
        route, lead = chosen.choice(ROUTES), ""
        if route == "completions":
            lead = LEAD
            text = f"{lead} was founded in 1992. {text}"
        model.scripts = (text, text.replace("1992", "1987"))
        model.size = chosen.choice((1, 3, 17, 600))
        stream = chosen.random() < 0.5
        read, found, _ = ask(url, route, stream, policy, lead=lead)
        case = (route, stream, model.size, text, read)
        for one in found["findings"]:
            assert one["text"] in lead + read, (case, one)
            # A text that is there has a place, and the place that text.
            assert (one["span"] is None) == (one["text"] not in read), (case, one)
            if one["span"] is not None:
                assert read[slice(*one["span"])] == one["text"], (case, one)
        beside = json.dumps([found["findings"], found["acted"]])
        for name in ("Zelda", "Quorn", "Otto", "Brandt", "Marketing"):
            assert name in read or name not in beside, case


@pytest.mark.parametrize("policy", ["inline-token", "default-claim"])
def test_places_told_before_the_end_are_right_too(served: tuple[Model, str], policy: str) -> None:
    model, url = served
    model.scripts = ("It is by Zelda Quorn. The museum was painted in 1944 by Otto Brandt.",)
    for model.size in (1, 17, 600):
        text, _, sent = ask(url, "chat/completions", True, policy, details=True)
        lines = [line for line in sent.split("\n") if line.startswith("data: {")]
        beside = [json.loads(line[6:]).get("groundwire", {}) for line in lines]
        told = [one for details in beside for one in details.get("found", ())]
        for one in told:
            assert one["span"] is None or text[slice(*one["span"])] == one["text"], one


@pytest.mark.parametrize("medium", ["annotate", "remove"])
def test_places_of_an_answer_of_which_only_the_end_is_retained(medium: str) -> None:
    config = Config.load(
        environ={}, stream={"max_retained": 16 * 1024, "actions": {"medium": medium}}
    )
    resolved = Registry.load(config).resolve({"evidence": EVIDENCE})
    watched = Watched(resolved, rewinds=False)
    read = ""
    for i in range(1200):
        doubted = " ".join(DOUBTED[::3]) + " " if i in {7, 1100, 1190} else ""
        read += watched.push(f"It is open. {EVIDENCE[0]} {doubted}").text
    read += asyncio.run(watched.end()).text
    report = watched.report()
    assert report is not None and report.truncated
    told = [one for one in report.findings if one.span is not None]
    assert bool(told) == (medium == "annotate")
    assert all(read[slice(*one.span)] == one.text for one in told if one.span is not None)
    assert all(one.text in read for one in report.findings)
