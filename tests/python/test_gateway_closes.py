"""Responses whose events leave texts out, end them twice or go on behind their end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import gateway_responses as given
from gateway_upstream import MODEL, before, knowledge

Json = dict[str, Any]
DELTA = "response.output_text.delta"
FIRST = "The Harbour Museum was founded in 1992. It is open."
SECOND = "It has 60 employees."
RIGHT = ["The Harbour Museum was founded in 1987. It is open.", "It has 45 employees."]


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, given.Sender]]:
    said = given.Sender()
    serving: Json = {**knowledge(tmp_path_factory.mktemp("kb")), "continuation": "none"}
    serving["policies"] = {name: {"release": name} for name in ("claim", "response")}
    serving["requests_may_lower"] = True
    with before(said.__call__, "/v1/responses", **serving) as url:
        yield url, said


def message(index: int, *texts: str) -> Json:
    parts = [{"type": "output_text", "text": one, "annotations": []} for one in texts]
    return {**given.message("", "completed"), "id": f"msg_{index}", "content": parts}


def added(index: int = 0) -> Json:
    item = {**message(index), "status": "in_progress"}
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def delta(text: str, number: int = 0, index: int = 0) -> Json:
    at = {"item_id": f"msg_{index}", "output_index": index, "content_index": number}
    return {"type": DELTA, **at, "delta": text}


def done(*texts: str, index: int = 0) -> Json:
    item = message(index, *texts)
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def ended(*items: Json, kind: str = "completed") -> Json:
    return {"type": f"response.{kind}", "response": given.response(MODEL, kind, list(items))}


def texts_of(found: list[Json]) -> list[list[str]]:
    """Return the texts of a stream by item, each of which begins and ends once, in order."""
    items: dict[int, bool] = {}
    parts: dict[tuple[int, int], list[str]] = {}
    ends: dict[tuple[int, int], str] = {}
    for event in found:
        kind, index = event["type"], event.get("output_index", 0)
        place = index, event.get("content_index", 0)
        if kind == "response.output_item.added":
            assert index not in items
            items[index] = True
        elif kind == "response.content_part.added":
            assert items[index] and place not in parts
            parts[place], ends[place] = [], "text"
        elif kind == DELTA:
            assert ends[place] == "text"
            parts[place].append(event["delta"])
        elif kind == "response.output_text.done":
            assert ends[place] == "text" and event["text"] == "".join(parts[place])
            ends[place] = "part"
        elif kind == "response.content_part.done":
            assert ends[place] == "part" and event["part"]["text"] == "".join(parts[place])
            ends[place] = "all"
        elif kind == "response.output_item.done":
            assert items[index]
            items[index] = False
            assert all(end == "all" for at, end in ends.items() if at[0] == index)
            own = ["".join(parts[at]) for at in sorted(parts) if at[0] == index]
            assert [part["text"] for part in event["item"]["content"]] == own
    if found[-1]["type"] == "response.completed":
        assert not any(items.values())
    return [
        ["".join(parts[at]) for at in sorted(parts) if at[0] == index] for index in sorted(items)
    ]


def ask(url: str, policy: str, **more: Any) -> list[Json]:
    body = {"model": MODEL, "input": "When?", "stream": True, "groundwire": policy, **more}
    answer = httpx.post(f"{url}/v1/responses", json=body, timeout=30)
    lines = [one for one in answer.text.split("\n") if one.startswith("data: ")]
    return [json.loads(one.removeprefix("data: ")) for one in lines]


@pytest.mark.parametrize("policy", ["claim", "response"])
@pytest.mark.parametrize("most", [None, 50])
@pytest.mark.parametrize(
    ("sends", "right"),
    [
        ([added(), delta(FIRST), done(), ended(message(0, FIRST))], [RIGHT[:1]]),
        (
            [added(), delta(FIRST), delta(SECOND, 1), done(FIRST), ended(message(0, FIRST))],
            [RIGHT],
        ),
        ([added(), delta(FIRST), done(FIRST), done(FIRST), ended(message(0, FIRST))], [RIGHT[:1]]),
        ([added(), delta(FIRST), ended()], [RIGHT[:1]]),
        ([added(), delta(FIRST), ended(kind="failed")], [RIGHT[:1]]),
        ([done(FIRST, SECOND), ended()], [RIGHT]),
        # The second part comes before the first.
        (
            [added(), delta(SECOND, 1), delta(FIRST), done(FIRST, SECOND), ended()],
            [RIGHT],
        ),
        (
            [added(), delta(SECOND[:9], 1), delta(FIRST), delta(SECOND[9:], 1), ended()],
            [RIGHT],
        ),
        (
            [added(), delta(FIRST), added(1), delta(SECOND, index=1), ended(message(0, FIRST))],
            [[one] for one in RIGHT],
        ),
    ],
)
def test_what_the_upstream_leaves_out_is_told(
    up: tuple[str, given.Sender],
    policy: str,
    most: int | None,
    sends: list[Json],
    right: list[list[str]],
) -> None:
    url, said = up
    said.sends = sends
    found = ask(url, policy, **({"max_output_tokens": most} if most else {}))
    assert texts_of(found) == right
    last = found[-1]["response"]
    assert [[part["text"] for part in item["content"]] for item in last["output"]] == right
    if last["status"] == "completed":
        assert all(item["status"] == "completed" for item in last["output"])


@pytest.mark.parametrize("policy", ["claim", "response"])
@pytest.mark.parametrize("behind", [delta(" " + FIRST), delta(FIRST, 1)])
def test_nothing_follows_the_end_of_an_item(
    up: tuple[str, given.Sender], policy: str, behind: Json
) -> None:
    url, said = up
    said.sends = [added(), delta("It is open."), done("It is open."), behind, ended()]
    found = ask(url, policy)
    assert texts_of(found) == [["It is open."]] and "founded" not in str(found)
    last = found[-1]
    assert last["type"] == "response.failed"
    assert last["response"]["error"]["code"] == "upstream_malformed"


def whole(url: str, policy: str) -> Json:
    body = {"model": MODEL, "input": "When?", "groundwire": policy}
    found: Json = httpx.post(f"{url}/v1/responses", json=body, timeout=30).json()
    return found


@pytest.mark.parametrize("policy", ["claim", "response"])
def test_each_text_has_its_findings(up: tuple[str, given.Sender], policy: str) -> None:
    url, said = up
    items = [message(0, FIRST, "It is open."), message(1, SECOND)]
    said.sends = [added(), delta(FIRST), delta("It is open.", 1), done(FIRST, "It is open.")]
    said.sends += [added(1), delta(SECOND, index=1), done(SECOND, index=1), ended(*items)]
    streamed = ask(url, policy)[-1]["response"]["groundwire"]
    for told in (streamed, whole(url, policy)["groundwire"]):
        assert (told["texts"], told["verdict"]) == (3, "corrected")
        places = [(one["output_index"], one["content_index"]) for one in told["outputs"]]
        assert places == [(0, 0), (0, 1), (1, 0)]
        inserted = [[done["inserted"] for done in one["interventions"]] for one in told["outputs"]]
        assert inserted == [["1987"], [], ["45"]]
    said.sends = [added(), delta(FIRST), done(FIRST), ended(message(0, FIRST))]
    assert "outputs" not in ask(url, policy)[-1]["response"]["groundwire"]
