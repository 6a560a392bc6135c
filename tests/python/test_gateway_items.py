"""The events around texts of the Responses route: their items and parts begin and end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import gateway_responses as given
from gateway_upstream import MODEL, before, client, gateway, knowledge
from gateway_upstream import Model as Scripts

Json = dict[str, Any]
DENIED = "The Harbour Museum was not founded in 1987. It is open."
WRONG = "The Harbour Museum was founded in 1992. It is open."
PUT_RIGHT = "The Harbour Museum was founded in 1987. It is open."
BEGINS = ["response.output_item.added", "response.content_part.added"]
ENDS = ["response.output_text.done", "response.content_part.done", "response.output_item.done"]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Json:
    return knowledge(tmp_path_factory.mktemp("kb"))


@pytest.fixture(scope="module")
def up(base: Json) -> Iterator[tuple[str, given.Sender]]:
    said = given.Sender()
    policies: Json = {name: {"release": name} for name in ("token", "response")}
    policies["watch"] = dict.fromkeys(("low", "medium", "high", "critical"), "annotate")
    policies["watch"]["annotation"] = "metadata"
    serving = {**base, "policies": policies}
    serving |= {"continuation": "none", "requests_may_lower": True}
    with before(said.__call__, "/v1/responses", **serving) as url:
        yield url, said


def message(index: int, *texts: str, status: str = "completed") -> Json:
    parts = [{"type": "output_text", "text": one, "annotations": []} for one in texts]
    return {**given.message("", status), "id": f"msg_{index}", "content": parts}


def part(index: int, number: int, text: str, *, ends: bool = True) -> list[Json]:
    """Return the events of a text."""
    at = {"item_id": f"msg_{index}", "output_index": index, "content_index": number}
    whole = {"type": "output_text", "text": text, "annotations": []}
    half = len(text) // 2
    found = [
        {"type": "response.content_part.added", **at, "part": {**whole, "text": ""}},
        {"type": "response.output_text.delta", **at, "delta": text[:half]},
        {"type": "response.output_text.delta", **at, "delta": text[half:]},
    ]
    if ends:
        found.append({"type": "response.output_text.done", **at, "text": text})
        found.append({"type": "response.content_part.done", **at, "part": whole})
    return found


def item(index: int, *texts: str, ends: bool = True) -> list[Json]:
    """Return the events of a message with these parts."""
    empty = message(index, status="in_progress")
    found: list[Json] = [
        {"type": "response.output_item.added", "output_index": index, "item": empty}
    ]
    for number, text in enumerate(texts):
        found += part(index, number, text, ends=ends)
    if ends:
        done = {"type": "response.output_item.done", "output_index": index}
        found.append({**done, "item": message(index, *texts)})
    return found


def call(index: int) -> list[Json]:
    """Return the events of a call."""
    return [
        {"type": f"response.output_item.{how}", "output_index": index, "item": given.CALL}
        for how in ("added", "done")
    ]


def answer(events: list[Json], *output: Json, how: str = "completed") -> list[Json]:
    """Return all events of an answer."""
    begin = {"type": "response.created", "response": given.response(MODEL, "in_progress", [])}
    end = {"type": f"response.{how}", "response": given.response(MODEL, how, list(output))}
    return [begin, *events, end]


def stream(url: str, **more: Any) -> list[Json]:
    """Return what a client is sent, whose events make up the answer in the last of them."""
    body = {"model": MODEL, "input": "Tell me.", "stream": True, **more}
    sent = httpx.post(f"{url}/v1/responses", json=body, timeout=30)
    lines = [one for one in sent.text.split("\n") if one.startswith("data: ")]
    found: list[Json] = [json.loads(one.removeprefix("data: ")) for one in lines]
    assert [one["sequence_number"] for one in found] == list(range(len(found)))
    items: dict[int, Json] = {}
    done: dict[int, Json] = {}
    for one in found:
        kind, index = one["type"], one.get("output_index", 0)
        if kind == "response.output_item.added":
            assert index not in items
            items[index] = one["item"]
        elif kind == "response.content_part.added":
            assert len(items[index]["content"]) == one["content_index"]
            items[index]["content"].append(one["part"])
        elif kind in {"response.output_text.delta", "response.output_text.done"}:
            held = items[index]["content"][one["content_index"]]
            held["text"] += one.get("delta", "")
            assert held["text"] == one.get("text", held["text"])
        elif kind == "response.content_part.done":
            assert items[index]["content"][one["content_index"]] == one["part"]
        elif kind == "response.output_item.done":
            assert index not in done
            done[index] = one["item"]
            assert items[index].get("content") == one["item"].get("content")
    assert [done[index] for index in sorted(done)] == found[-1]["response"]["output"]
    return found


def kinds(found: list[Json]) -> list[str]:
    return [one["type"] for one in found if not one["type"].endswith(".delta")]


def texts(found: Json) -> list[str]:
    output = found["output"]
    return [one["text"] for held in output for one in held.get("content", ())]


@pytest.mark.parametrize("policy", ["default", "token", "response"])
@pytest.mark.parametrize("ends", [True, False])
def test_an_answer_that_the_guard_ends_has_all_ends(
    up: tuple[str, given.Sender], policy: str, ends: bool
) -> None:
    url, said = up
    said.sends = answer([*item(0, DENIED, ends=ends), *call(1)], message(0, DENIED), given.CALL)
    found = stream(url, groundwire=policy)
    assert kinds(found) == [
        "response.created",
        *BEGINS,
        *ENDS,
        "response.incomplete",
    ]
    assert found[-2]["item"]["status"] == "incomplete" and found[-2]["item"]["id"] == "msg_0"
    assert "I can't give a reliable answer" in texts(found[-1]["response"])[0]


def test_a_later_part_that_ends_the_answer_ends_the_others_once(
    up: tuple[str, given.Sender],
) -> None:
    url, said = up
    parts = ("It is open.", DENIED)
    said.sends = answer(item(0, *parts), message(0, *parts))
    found = kinds(stream(url))
    one = [BEGINS[1], *ENDS[:2]]
    last = [ENDS[2], "response.incomplete"]
    assert found == ["response.created", BEGINS[0], *one, *one, *last]


@pytest.mark.parametrize("policy", ["default", "token"])
def test_what_is_only_in_the_whole_response_is_begun_and_ended(
    up: tuple[str, given.Sender], policy: str
) -> None:
    url, said = up
    said.sends = answer(item(0, "It is open."), message(0, "It is open."), message(1, WRONG))
    found = stream(url, groundwire=policy)
    all_of_one = [*BEGINS, *ENDS]
    last = "response.completed"
    assert kinds(found) == ["response.created", *all_of_one, *all_of_one, last]
    assert found[-2]["item"]["id"] == "msg_1" and found[-2]["item"]["status"] == "completed"
    if policy == "default":
        assert texts(found[-1]["response"]) == ["It is open.", PUT_RIGHT]
    with client(url).responses.stream(model=MODEL, input="Tell me.") as seen:
        assert [one.type for one in seen][-1] == last


@pytest.mark.parametrize("how", ["completed", "incomplete"])
def test_ends_that_the_upstream_leaves_out_are_told(up: tuple[str, given.Sender], how: str) -> None:
    url, said = up
    said.sends = answer(item(0, WRONG, ends=False), message(0, WRONG), how=how)
    found = stream(url)
    assert kinds(found) == ["response.created", *BEGINS, *ENDS, f"response.{how}"]
    assert texts(found[-1]["response"]) == [PUT_RIGHT]


def test_deltas_alone_are_put_into_an_item(up: tuple[str, given.Sender]) -> None:
    url, said = up
    deltas = [one for one in item(0, WRONG) if one["type"].endswith(".delta")]
    said.sends = answer(deltas, message(0, WRONG))
    assert kinds(stream(url)) == ["response.created", *BEGINS, *ENDS, "response.completed"]
    # No event has its id before the last.
    for one in deltas:
        del one["item_id"]
    found = stream(url)
    assert found[1]["item"]["id"].startswith("msg_")
    assert found[2]["item_id"] == found[1]["item"]["id"]


def test_a_limit_of_held_text_ends_what_is_open(base: Json) -> None:
    text = "The Harbour Museum was founded in 1987 and " + "very " * 400
    limits = {"max_held": 1024}
    policies = {"mine": {"release": "response"}}
    more = {**base, "limits": limits, "policies": policies, "default_policy": "mine"}
    with gateway(Scripts((text,)), **more) as (url, _):
        found = stream(url)
    assert kinds(found)[-4:] == [*ENDS, "response.incomplete"]
    assert found[-2]["item"]["status"] == "incomplete"


LATER = [
    ("The Harbour Museum was founded in 1987. Fine.", "It has 60 employees. Fine.", "60", "45"),
    ("The Harbour Museum is nice. Fine. ", "It has 60 employees. Fine.", "60", "45"),
    ("The Harbour Museum was founded in ", "1992. Fine.", "1992", "1987"),
    ("The Harbour Museum was founded", " in 1992. Fine.", "1992", "1987"),
]


@pytest.mark.parametrize("case", range(len(LATER)))
@pytest.mark.parametrize("policy", ["default", "token", "response"])
@pytest.mark.parametrize("apart", [True, False])
def test_a_later_text_is_about_what_was_said_before(
    up: tuple[str, given.Sender], case: int, policy: str, apart: bool
) -> None:
    (before, text, wrong, right), (url, said) = LATER[case], up
    if apart and case > 1:
        # No sentence goes on in another message.
        return
    if apart:
        events = [*item(0, before), *call(1), *item(2, text)]
        output = [message(0, before), given.CALL, message(2, text)]
    else:
        events, output = item(0, before, text), [message(0, before, text)]
    said.sends = answer(events, *output)
    found = stream(url, groundwire=policy)[-1]["response"]
    assert found["status"] == "completed" and len(found["output"]) == len(output)
    put_right = text.replace(wrong, right)
    got = texts(found)
    assert got[0] == before
    if policy == "token":
        assert right in got[1] and "Correction" in got[1]
    else:
        assert got[1] == put_right
    body = {"model": MODEL, "input": "Tell me.", "groundwire": policy}
    whole = httpx.post(f"{url}/v1/responses", json=body, timeout=30).json()
    assert texts(whole) == [before, put_right]


def found_in(events: list[Json]) -> list[tuple[int, int, str]]:
    """Return what was found while a text streamed, with the place of it."""
    return [
        (one["output_index"], one["content_index"], found["text"])
        for one in events
        for found in one.get("groundwire", {}).get("found", ())
    ]


def test_what_was_said_before_is_judged_once(up: tuple[str, given.Sender]) -> None:
    url, said = up
    parts = (WRONG, "It has 45 employees.", "It has a café.")
    said.sends = answer(item(0, *parts), message(0, *parts))
    found = stream(url, groundwire={"policy": "watch", "details": True})
    assert texts(found[-1]["response"]) == list(parts)
    assert set(found_in(found)) == {(0, 0, "1992")}


@pytest.mark.parametrize(("staff", "tier"), [(45, "none"), (60, "high")])
def test_an_object_behind_another_is_a_row_of_its_own(
    up: tuple[str, given.Sender], staff: int, tier: str
) -> None:
    url, said = up
    attributes = [{"founded": 1987}, {"employees": staff}]
    rows = [json.dumps({"name": "Harbour Museum", **one}) for one in attributes]
    output = (message(0, rows[0]), message(1, rows[1]))
    said.sends = answer([*item(0, rows[0]), *item(1, rows[1])], *output)
    asked = {"text": {"format": {"type": "json_object"}}, "groundwire": "watch"}
    found = stream(url, **asked)[-1]["response"]
    assert texts(found) == rows and found["groundwire"]["tier"] == tier


def interleaved(*items: list[Json]) -> list[Json]:
    """Return the events of items that are written at once: their texts, and then their ends."""
    rows = [list(one) for one in items]
    found = [row.pop(0) for row in rows for _ in range(2)]
    while any(len(row) > 3 for row in rows):
        found += [row.pop(0) for row in rows if len(row) > 3]
    return found + [one for row in rows for one in row]


@pytest.mark.parametrize("policy", ["default", "token", "response"])
@pytest.mark.parametrize("size", [3, 8])
def test_items_that_are_written_at_once_come_whole(
    up: tuple[str, given.Sender], policy: str, size: int
) -> None:
    url, said = up
    parts = ["One is here. Two is here.", "It is here. It is blue.", WRONG]
    rows = []
    for index, text in enumerate(parts):
        begin, added, delta, *_ = rest = item(index, text)
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        rows.append([begin, added, *({**delta, "delta": one} for one in pieces), *rest[4:]])
    said.sends = answer(interleaved(*rows), *(message(i, one) for i, one in enumerate(parts)))
    found = stream(url, groundwire=policy)[-1]
    assert found["type"] == "response.completed"
    *got, last = texts(found["response"])
    assert got == parts[:2]
    assert "Correction" in last if policy == "token" else last == PUT_RIGHT


@pytest.mark.parametrize("policy", ["default", "token", "response"])
@pytest.mark.parametrize("kind", ["mystery", "The museum was founded in 1992", None])
def test_an_item_of_an_unknown_kind_keeps_its_place_and_tells_nothing(
    up: tuple[str, given.Sender], policy: str, kind: str | None
) -> None:
    url, said = up
    unknown = {"id": "u", "type": kind, "status": "completed", "text": WRONG, "notes": [WRONG]}
    told = {"id": "u", "type": "mystery" if kind == "mystery" else "unknown", "status": "completed"}
    events = [
        {"type": f"response.output_item.{how}", "output_index": 0, "item": unknown}
        for how in ("added", "done")
    ]
    said.sends = answer([*events, *item(1, "It is open.")], unknown, message(1, "It is open."))
    found = stream(url, groundwire=policy)
    output = found[-1]["response"]["output"]
    assert output[0] == told and texts(found[-1]["response"]) == ["It is open."]
    assert {one["output_index"] for one in found if "delta" in one} == {1}
    body = {"model": MODEL, "input": "Tell me.", "groundwire": policy}
    whole = httpx.post(f"{url}/v1/responses", json=body, timeout=30)
    assert whole.json()["output"] == output and "1992" not in whole.text + str(found)


def test_text_in_an_item_of_an_unknown_kind_is_judged_and_kept(
    up: tuple[str, given.Sender],
) -> None:
    url, said = up
    unknown = {"id": "u", "type": "mystery", "status": "completed"}
    said.sends = answer(part(0, 0, WRONG), unknown)
    body = {"model": MODEL, "input": "Tell me.", "stream": True}
    sent = httpx.post(f"{url}/v1/responses", json=body, timeout=30).text
    last = json.loads(sent.rpartition("data: ")[2])
    assert texts(last["response"]) == [PUT_RIGHT]
