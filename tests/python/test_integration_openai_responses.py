"""Events of the Responses API, over real HTTP on loopback, under guard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import fake_openai as fake
import groundwire as gw
from fake_openai import EVIDENCE, TRUE, UNKNOWN, WRONG, pieces

openai = pytest.importorskip("openai", reason="the openai package is not installed")

from groundwire.integrations.openai import checked, guarded  # noqa: E402

STRICT = gw.Policy(medium="interrupt")
MONITOR = gw.Monitor()
CALL = {
    "type": "function_call",
    "id": "f1",
    "call_id": "k",
    "name": "look",
    "arguments": "{}",
    "status": "completed",
}


def response(output: list[Any], status: str) -> dict[str, Any]:
    head = {"id": "r1", "object": "response", "created_at": 1.0, "model": "m", "tools": []}
    rest = {"parallel_tool_calls": True, "tool_choice": "auto", "error": None}
    return {**head, **rest, "output": output, "status": status, "incomplete_details": None}


def message(text: str, status: str = "completed", number: int = 0) -> dict[str, Any]:
    note = {"type": "url_citation", "start_index": 0, "end_index": 3, "title": "t", "url": "u"}
    part = {"type": "output_text", "text": text, "annotations": [note]}
    head = {"type": "message", "id": f"m{number}", "role": "assistant", "status": status}
    return {**head, "content": [part]}


def events(*texts: str, deltas: bool = True, closed: bool = True) -> list[dict[str, Any]]:
    """Return the events of a response with a tool call and then these messages."""
    out = [
        {"type": "response.created", "response": response([], "in_progress")},
        {"type": "response.output_item.added", "output_index": 0, "item": CALL},
        {"type": "response.output_item.done", "output_index": 0, "item": CALL},
    ]
    for number, text in enumerate(texts):
        place = {"item_id": f"m{number}", "output_index": number + 1, "content_index": 0}
        item = {"output_index": number + 1}
        empty = {"type": "output_text", "text": "", "annotations": []}
        added = {**message("", "in_progress", number), "content": []}
        out.append({"type": "response.output_item.added", **item, "item": added})
        out.append({"type": "response.content_part.added", **place, "part": empty})
        for piece in pieces(text, 6) if deltas else ():
            kind = "response.output_text.delta"
            out.append({"type": kind, **place, "delta": piece, "logprobs": []})
        if closed:
            whole = message(text, number=number)
            out += [
                {"type": "response.output_text.done", **place, "text": text, "logprobs": []},
                {"type": "response.content_part.done", **place, "part": whole["content"][0]},
                {"type": "response.output_item.done", **item, "item": whole},
            ]
    if closed:
        all_of_it = [CALL, *(message(text, number=i) for i, text in enumerate(texts))]
        out.append({"type": "response.completed", "response": response(all_of_it, "completed")})
    return [{**event, "sequence_number": i} for i, event in enumerate(out)]


@pytest.fixture(scope="module")
def upstream() -> Iterator[fake.Upstream]:
    with fake.serving() as server:
        yield server


def run(upstream: fake.Upstream, say: list[Any], **how: Any) -> list[Any]:
    upstream.reset()
    upstream.say = say
    with openai.OpenAI(base_url=upstream.url, api_key="none", max_retries=0) as client:
        raw = client.responses.create(model="m", input="Tell me.", stream=True)
        found = list(guarded(raw, **{"monitor": MONITOR, "evidence": EVIDENCE, **how}))
    assert [e.sequence_number for e in found] == list(range(len(found)))
    return found


def deltas(found: list[Any], number: int = 0) -> str:
    kind = "response.output_text.delta"
    return "".join(e.delta for e in found if e.type == kind and e.item_id == f"m{number}")


def last(found: list[Any]) -> Any:
    return found[-1].response


@pytest.mark.parametrize("release", ["token", "claim", "response"])
def test_a_true_answer_is_told_as_it_was(upstream, release: str) -> None:
    found = run(upstream, events(TRUE), policy=gw.Policy(release=release))
    assert deltas(found) == TRUE == last(found).output_text
    assert last(found).output[0].model_dump(exclude_none=True) == CALL
    assert last(found).status == "completed"
    assert last(found).output[1].content[0].annotations[0].title == "t"


@pytest.mark.parametrize("has_deltas", [True, False])
def test_a_wrong_value_stands_nowhere(upstream, has_deltas: bool) -> None:
    found = run(upstream, events(WRONG, deltas=has_deltas))
    assert all("1899" not in e.model_dump_json() for e in found)
    assert last(found).output_text == TRUE
    assert deltas(found) == (TRUE if has_deltas else "")
    kinds = [e.type for e in found if e.type.endswith(".done")]
    tail = ["output_text.done", "content_part.done", "output_item.done"]
    assert kinds == ["response.output_item.done", *(f"response.{kind}" for kind in tail)]
    # Places in a text that has changed mean nothing more.
    assert not last(found).output[1].content[0].annotations


def test_an_interruption_closes_part_item_and_response(upstream) -> None:
    say = events(TRUE, UNKNOWN + " It is tall." * 300, TRUE)
    found = run(upstream, say, policy=STRICT)
    assert deltas(found, 0) == TRUE
    assert not deltas(found, 2)
    said = deltas(found, 1)
    assert said.startswith("The Copper Lighthouse was lit in 1866. ")
    assert "keeps it" not in said
    assert "tall" not in said
    assert [e.type.removeprefix("response.") for e in found[-4:]] == [
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "incomplete",
    ]
    final = last(found)
    assert isinstance(found[-1], openai.types.responses.ResponseIncompleteEvent)
    assert final.status == "incomplete"
    assert final.incomplete_details.reason == "content_filter"
    assert [item.id for item in final.output] == ["f1", "m0", "m1"]
    assert final.output[2].content[0].text == said == found[-4].text
    assert final.output[2].status == "incomplete"


def test_a_finding_that_the_end_brings_is_told_just_once(upstream) -> None:
    found = run(upstream, events("Ask. Mirko Salvesen keeps it now"), policy=STRICT)
    assert "keeps" not in last(found).output_text
    assert last(found).status == "incomplete"
    kinds = [e.type for e in found]
    for kind in ("output_text.done", "content_part.done", "incomplete"):
        assert kinds.count(f"response.{kind}") == 1
    assert "response.completed" not in kinds


def test_a_stream_that_breaks_off_leaves_nothing_held(upstream) -> None:
    found = run(upstream, events(WRONG, closed=False))
    assert deltas(found) == TRUE


def test_a_refusal_is_checked(upstream) -> None:
    place = {"item_id": "m0", "output_index": 0, "content_index": 0}
    kind = "response.refusal."
    say = [{"type": f"{kind}delta", **place, "delta": p} for p in pieces(WRONG)]
    say.append({"type": f"{kind}done", **place, "refusal": WRONG})
    say = [{**event, "sequence_number": i} for i, event in enumerate(say)]
    found = run(upstream, say)
    assert "".join(e.delta for e in found[:-1]) == TRUE == found[-1].refusal


def test_finished_responses(upstream) -> None:
    upstream.reset()
    client = openai.OpenAI(base_url=upstream.url, api_key="none", max_retries=0)
    for text, status in ((WRONG, "completed"), (TRUE, "completed"), (UNKNOWN, "incomplete")):
        upstream.say = response([CALL, message(text)], "completed")
        answer = client.responses.create(model="m", input="Tell me.")
        found, reports = checked(answer, monitor=MONITOR, evidence=EVIDENCE, policy=STRICT)
        assert isinstance(found, openai.types.responses.Response)
        assert (found.output_text == TRUE) is (text is not UNKNOWN)
        assert "keeps" not in found.output_text
        assert found.status == status
        assert len(reports) == 1
        assert answer.output_text == text
        assert (found.incomplete_details is None) is (status == "completed")
    client.close()


@pytest.mark.parametrize("streams", [False, True])
def test_a_limit_that_cut_a_response_is_what_its_report_says(upstream, streams) -> None:
    told = events(TRUE, "It has")
    whole = told[-1]["response"]
    whole |= {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    told[-1]["type"] = "response.incomplete"
    if streams:
        upstream.reset()
        upstream.say = told
        with openai.OpenAI(base_url=upstream.url, api_key="none", max_retries=0) as client:
            raw = client.responses.create(model="m", input="Tell me.", stream=True)
            answer = guarded(raw, monitor=MONITOR, evidence=EVIDENCE)
            assert list(answer)[-1].type == "response.incomplete"
        reports = answer.reports
    else:
        given = openai.types.responses.Response.model_validate(whole)
        _, reports = checked(given, monitor=MONITOR, evidence=EVIDENCE)
    assert [report.stopped for report in reports] == ["end", "length"]
