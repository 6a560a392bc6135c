"""What stands behind a text that is held or that the guard ended: calls, further messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

import gateway_responses as given
from gateway_upstream import MODEL, knowledge, served
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from groundwire.gateway.errors import UpstreamFault
from groundwire.gateway.response_parts import Heard
from slow_sse import strict

DENIED = "The Harbour Museum was not founded in 1987"
FINE = "The Harbour Museum was founded in 1987. It is open"
AT = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
DELTA = "response.output_text.delta"
TAKEN = "I can't give a reliable answer"


class Up:
    """An upstream that sends whatever it is given."""

    sends: Any = None

    async def __call__(self, request: Request) -> Response:
        await request.body()
        if isinstance(self.sends, dict):
            return JSONResponse(self.sends)
        events = (f"data: {json.dumps(one)}\n\n".encode() for one in self.sends)
        return StreamingResponse(events, media_type="text/event-stream")


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Up]]:
    said = Up()
    base = {**knowledge(tmp_path_factory.mktemp("kb")), "continuation": "none"}
    base["policies"] = {"mine": {"medium": "discard", "high": "discard"}}
    base |= {"default_policy": "mine", "limits": {"max_held": 4096}}
    routes = ("/v1/responses", "/v1/chat/completions")
    app = Starlette(routes=[Route(one, said.__call__, methods=["POST"]) for one in routes])
    with served(app) as root:
        made = Gateway(root, Config.load(environ={}, serving=base), environ={})
        with served(create_app(made)) as url:
            yield url, said


def whole(url: str) -> dict[str, Any]:
    body = {"model": MODEL, "input": "When?"}
    found: dict[str, Any] = httpx.post(f"{url}/v1/responses", json=body, timeout=30).json()
    return found


def stream(url: str, **more: Any) -> list[dict[str, Any]]:
    body = {"model": MODEL, "input": "When?", "stream": True, **more}
    answer = httpx.post(f"{url}/v1/responses", json=body, timeout=30)
    lines = [one for one in answer.text.split("\n") if one.startswith("data: ")]
    return [json.loads(one.removeprefix("data: ")) for one in lines]


def text(found: list[dict[str, Any]]) -> str:
    return "".join(one["delta"] for one in found if one["type"] == DELTA)


def kinds(output: list[Any]) -> list[str]:
    return [one["type"] for one in output]


def call(*, index: int = 1) -> list[dict[str, Any]]:
    added = "response.output_item.added"
    name = "response.function_call_arguments"
    return [
        {"type": added, "output_index": index, "item": {**given.CALL, "arguments": ""}},
        {"type": f"{name}.delta", "item_id": "fc_1", "output_index": index, "delta": '{"q": '},
        {"type": f"{name}.done", "item_id": "fc_1", "arguments": given.CALL["arguments"]},
        {"type": "response.output_item.done", "output_index": index, "item": given.CALL},
    ]


def events(said: str, *, closes: bool, then: list[Any], output: list[Any]) -> list[Any]:
    part = {"type": "output_text", "text": "", "annotations": []}
    found: list[Any] = [
        {"type": "response.created", "response": given.response(MODEL, "in_progress", [])},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": given.message("", "in_progress"),
        },
        {"type": "response.content_part.added", **AT, "part": part},
        {"type": DELTA, **AT, "delta": said},
    ]
    if closes:
        done = {"type": "response.output_item.done", "output_index": 0}
        found.append({"type": "response.output_text.done", **AT, "text": said})
        found.append({**done, "item": given.message(said)})
    end = given.response(MODEL, "completed", output)
    return [*found, *then, {"type": "response.completed", "response": end}]


SECOND = {**given.message("It is open."), "id": "msg_2"}


@pytest.mark.parametrize("behind", [[given.CALL], [SECOND], [given.CALL, SECOND]])
def test_items_behind_the_end_are_taken_out(up: tuple[str, Up], behind: list[Any]) -> None:
    url, said = up
    said.sends = given.response(MODEL, "completed", [given.message(DENIED), *behind])
    found = whole(url)
    assert found["incomplete_details"] == {"reason": "content_filter"}
    (one,) = found["output"]
    assert one["content"][0]["text"].startswith(TAKEN) and one["status"] == "incomplete"
    assert found["status"] == "incomplete" and found["groundwire"]["verdict"] == "blocked"
    # What stands before it was said before it.
    said.sends = given.response(MODEL, "completed", [*behind, given.message(DENIED)])
    found = whole(url)
    assert kinds(found["output"]) == [*kinds(behind), "message"]
    assert [one["status"] for one in found["output"]] == ["completed"] * len(behind) + [
        "incomplete"
    ]


def test_parts_behind_the_end_are_taken_out(up: tuple[str, Up]) -> None:
    url, said = up
    item = given.message(DENIED)
    item["content"].append({"type": "output_text", "text": "It is open.", "annotations": []})
    said.sends = given.response(MODEL, "completed", [item])
    assert len(whole(url)["output"][0]["content"]) == 1


@pytest.mark.parametrize("closes", [True, False])
def test_a_streamed_call_waits_for_the_text_before_it(up: tuple[str, Up], closes: bool) -> None:
    url, said = up
    output = [given.message(DENIED), given.CALL]
    said.sends = events(DENIED, closes=closes, then=call(), output=output)
    found = stream(url)
    assert "look_up" not in str(found) and text(found).startswith(TAKEN)
    last = found[-1]
    assert last["type"] == "response.incomplete"
    (one,) = last["response"]["output"]
    assert (one["type"], one["status"]) == ("message", "incomplete")
    # Behind a text that passes, nothing of it is lost, and all of it comes later.
    output = [given.message(FINE), given.CALL]
    said.sends = events(FINE, closes=closes, then=call(), output=output)
    found = stream(url)
    assert text(found) == FINE and found[-1]["type"] == "response.completed"
    assert kinds(found[-1]["response"]["output"]) == ["message", "function_call"]
    names = [one["type"] for one in found]
    at = max(number for number, name in enumerate(names) if name == DELTA)
    calls = [n for n, one in enumerate(found[:-1]) if "fc_1" in str(one)]
    assert len(calls) == 4 and calls[0] > at
    assert [one["sequence_number"] for one in found] == list(range(len(found)))


def test_a_second_message_waits_too(up: tuple[str, Up]) -> None:
    url, said = up
    at = {**AT, "output_index": 1, "item_id": "msg_2"}
    added = {"type": "response.output_item.added", "output_index": 1, "item": {**SECOND}}
    more = [added, {"type": DELTA, **at, "delta": "The door is green. "}]
    then = [*more, {"type": DELTA, **at, "delta": "It is wide."}]
    second = {**given.message("The door is green. It is wide."), "id": "msg_2"}
    said.sends = events(DENIED, closes=False, then=then, output=[given.message(DENIED), second])
    found = stream(url)
    assert "green" not in str(found) and len(found[-1]["response"]["output"]) == 1
    said.sends = events(FINE, closes=False, then=then, output=[given.message(FINE), second])
    found = stream(url)
    assert text(found) == f"{FINE}The door is green. It is wide."
    texts = [one["content"][0]["text"] for one in found[-1]["response"]["output"]]
    assert texts == [FINE, "The door is green. It is wide."]


@pytest.mark.parametrize("ends", ["completed", "incomplete"])
@pytest.mark.parametrize("listed", [True, False])
def test_under_a_limit_what_is_behind_tells_what_was_cut(
    up: tuple[str, Up], ends: str, listed: bool
) -> None:
    url, said = up
    # The held text's last words count, as something came behind them, whoever lists it at the end.
    output = [given.message(DENIED), given.CALL] if listed else []
    found = events(DENIED, closes=True, then=call(), output=output)
    found[-1]["type"] = f"response.{ends}"
    found[-1]["response"]["status"] = ends
    said.sends = found
    got = stream(url, max_output_tokens=50)
    assert text(got).startswith(TAKEN) and "look_up" not in str(got)
    output = [given.message(FINE), given.CALL] if listed else []
    said.sends = events(FINE, closes=True, then=call(), output=output)
    got = stream(url, max_output_tokens=50)
    assert text(got) == FINE and got[-1]["type"] == "response.completed"
    names = [one["type"] for one in got]
    done = names.index("response.output_text.done")
    assert done < min(number for number, one in enumerate(got) if "fc_1" in str(one))
    assert sum("fc_1" in str(one) for one in got[:-1]) == 4


def test_a_flood_behind_held_text_reaches_its_limit(up: tuple[str, Up]) -> None:
    url, said = up
    name = "response.function_call_arguments.delta"
    flood = [{"type": name, "item_id": "fc_1", "output_index": 1, "delta": "x" * 512}] * 20
    then = [call()[0], *flood, *call()[2:]]
    output = [given.message("Let me look"), given.CALL]
    said.sends = events("Let me look", closes=False, then=then, output=output)
    found = stream(url)
    assert found[-1]["response"]["incomplete_details"] == {"reason": "max_output_tokens"}
    assert text(found) == "Let me look" and "look_up" not in str(found)


@pytest.mark.parametrize("calls", [3, 20])
def test_a_flood_of_a_chats_calls_reaches_its_limit(up: tuple[str, Up], calls: int) -> None:
    url, said = up

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    one = {"index": 0, "function": {"name": "look_up", "arguments": "x" * 512}}
    flood = [chunk({"tool_calls": [one]})] * calls
    said.sends = [chunk({"content": "Let me look"}), *flood, chunk({}, "tool_calls")]
    body = {"model": MODEL, "stream": True, "messages": [{"role": "user", "content": "When?"}]}
    answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30)
    choices = [one["choices"][0] for one in strict(answer.content) if one != "[DONE]"]
    assert "".join(one["delta"].get("content") or "" for one in choices) == "Let me look"
    sent = sum("tool_calls" in one["delta"] for one in choices)
    ends = [one["finish_reason"] for one in choices if one["finish_reason"]]
    assert (sent, ends) == ((3, ["tool_calls"]) if calls == 3 else (0, ["length"]))


OTHER = "The Harbour Museum was founded in 1992. "


@pytest.mark.parametrize("closes", ["done", "part", "item", "completed", "failed"])
def test_a_finished_text_that_is_another_is_not_spliced(up: tuple[str, Up], closes: str) -> None:
    url, said = up
    begun = events("It is open. ", closes=False, then=[], output=[given.message(OTHER)])
    part = {"type": "output_text", "text": OTHER, "annotations": []}
    then = {
        "done": {"type": "response.output_text.done", **AT, "text": OTHER},
        "part": {"type": "response.content_part.done", **AT, "part": part},
        "item": {
            "type": "response.output_item.done",
            "output_index": 0,
            "item": given.message(OTHER),
        },
        "completed": begun[-1],
        "failed": {**begun[-1], "type": "response.failed"},
    }
    said.sends = [*begun[:-1], then[closes], begun[-1]]
    found = stream(url)
    assert text(found) == "It is open. " and "Museum" not in str(found)
    last = found[-1]
    assert last["type"] == "response.failed"
    assert last["response"]["error"]["code"] == "upstream_malformed"
    assert last["response"]["output"][0]["content"][0]["text"] == "It is open. "


@pytest.mark.parametrize(
    ("finished", "expected"),
    [
        ("It is open. ", "It is open. "),
        ("It is open.", "It is open. "),
        ("", "It is open. "),
        ("It is open. It is wide.", "It is open. It is wide."),
    ],
)
def test_a_finished_text_that_goes_on_is_judged(
    up: tuple[str, Up], finished: str, expected: str
) -> None:
    url, said = up
    done = {"type": "response.output_text.done", **AT, "text": finished}
    output = [given.message(finished)]
    said.sends = events("It is open. ", closes=False, then=[done], output=output)
    found = stream(url)
    assert text(found) == expected and found[-1]["type"] == "response.completed"


def test_what_streamed_is_told_from_other_texts() -> None:
    streamed = "Caf\u00e9 \ud83d\ude00  is\n open \n"
    for size in (1, 2, 5, 100):
        heard = Heard()
        assert not heard and heard.rest_of(streamed) == streamed
        for at in range(0, len(streamed), size):
            heard.add(streamed[at : at + size])
        assert heard and heard.rest_of(streamed + "Yes.") == "Yes."
        assert heard.rest_of(streamed.rstrip()) == heard.rest_of(None) == heard.rest_of("") == ""
        for other in (streamed[1:], streamed[:-4], "x" * 40):
            with pytest.raises(UpstreamFault):
                heard.rest_of(other)
