"""What is passed on of an upstream's answer: known fields, and no text that nobody judged."""

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

from gateway_upstream import MODEL, Model, client, gateway, knowledge, served
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from slow_sse import strict, text_of

WRONG = "The Harbour Museum was founded in 1992. It is open."
TAKEN = "founded in 1992"
RIGHT = "The Harbour Museum was founded in 1987. It is open."
TEXT = [{"type": "output_text", "text": WRONG}]
OWN: dict[str, Any] = {
    "response": WRONG,
    "text_again": WRONG,
    WRONG: 1,
    "tokens": [1, 2],
    "nested": {"deep": [WRONG]},
    "id_": WRONG,
    "timings": {"said": WRONG},
    "usage_note": WRONG[:39],
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return {**knowledge(tmp_path_factory.mktemp("kb")), "continuation": "none"}


class Up:
    """An upstream that sends whatever it is given."""

    def __init__(self) -> None:
        self.sends: Any = None
        self.seen: list[Any] = []

    async def __call__(self, request: Request) -> Response:
        self.seen.append(json.loads(await request.body()))
        if isinstance(self.sends, bytes):
            return StreamingResponse(iter([self.sends]), media_type="text/event-stream")
        return JSONResponse(self.sends)


@pytest.fixture(scope="module")
def up(base: dict[str, Any]) -> Iterator[tuple[str, Up]]:
    said = Up()

    async def anything(request: Request) -> Response:
        return await said(request)

    app = Starlette(routes=[Route("/{path:path}", anything, methods=["GET", "POST"])])
    with served(app) as root:
        made = Gateway(root, Config.load(environ={}, serving=base), environ={})
        with served(create_app(made)) as url:
            yield url, said


def stream(*chunks: Any) -> bytes:
    lines = [b"data: " + json.dumps(one).encode() + b"\n\n" for one in chunks]
    return b"".join(lines) + b"data: [DONE]\n\n"


def ask(url: str, route: str = "chat/completions", **more: Any) -> httpx.Response:
    body = {"model": MODEL, **more}
    given: dict[str, Any] = {
        "chat/completions": {"messages": [{"role": "user", "content": "When?"}]},
        "completions": {"prompt": "When?\n"},
        "responses": {"input": "When?"},
    }[route]
    answer = httpx.post(f"{url}/v1/{route}", json={**given, **body}, timeout=30)
    assert answer.status_code == 200, answer.text
    return answer


PARTS: list[dict[str, Any]] = [
    {"content": WRONG, **OWN},
    {"content": WRONG, "provider_specific_fields": {"content": WRONG}, "text": WRONG},
    {"content": [WRONG]},
    {"content": [{"type": "output_text", "text": WRONG, "again": WRONG}]},
    {"content": [{"type": "zzz", "content": WRONG}, {"type": "text", "text": WRONG}]},
    {"content": WRONG, "audio": {"transcript": WRONG}},
    {"content": None, "refusal": WRONG},
    {"content": WRONG, "annotations": [{"type": "x", "text": WRONG}]},
    {"content": WRONG, "role": WRONG},
]


@pytest.mark.parametrize("part", PARTS)
def test_a_chat_says_its_text_once(up: tuple[str, Up], part: dict[str, Any]) -> None:
    url, said = up
    choice = {"index": 0, "finish_reason": "stop", "text": WRONG, **OWN}
    said.sends = {"choices": [{**choice, "message": part}], "model": WRONG, **OWN}
    answer = ask(url)
    message = answer.json()["choices"][0]["message"]
    assert TAKEN not in answer.text and RIGHT in str(message)
    assert answer.json()["choices"][0]["finish_reason"] == "stop"
    assert answer.json()["model"] == MODEL
    said.sends = stream(
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}], **OWN},
        {"choices": [{**choice, "finish_reason": None, "delta": part}], **OWN},
        {"choices": [{**choice, "delta": {}}], **OWN},
    )
    answer = ask(url, stream=True)
    chunks = strict(answer.content)[:-1]
    deltas = [choice["delta"] for one in chunks for choice in one["choices"]]
    said_ = "".join(one.get("content") or one.get("refusal") or "" for one in deltas)
    assert TAKEN not in answer.text and said_ == RIGHT


@pytest.mark.parametrize("delta", [{}, None, {"role": "assistant"}, {"content": ""}])
def test_a_stream_in_another_form_is_no_empty_answer(
    up: tuple[str, Up], delta: dict[str, Any] | None
) -> None:
    url, said = up
    first = {"index": 0, "text": WRONG, "message": None, "delta": delta, "finish_reason": None}
    said.sends = stream(
        {"choices": [first]}, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    )
    found = strict(ask(url, stream=True).content)
    assert [one["error"]["code"] for one in found if "error" in one] == ["upstream_malformed"]
    assert TAKEN not in str(found)


def test_completions_say_their_text_once(up: tuple[str, Up]) -> None:
    url, said = up
    choice = {"index": 0, "finish_reason": "stop", "message": {"content": WRONG}, **OWN}
    said.sends = {"choices": [{**choice, "text": WRONG}], **OWN}
    answer = ask(url, "completions")
    # This one says the same whatever its prompt is, so that nothing is continued.
    assert TAKEN not in answer.text, answer.text
    (found,) = answer.json()["choices"]
    assert (found["text"], found["finish_reason"]) == (RIGHT, "stop")
    said.sends = stream({"choices": [{**choice, "text": WRONG}], **OWN})
    answer = ask(url, "completions", stream=True)
    assert TAKEN not in answer.text and text_of(strict(answer.content)) == RIGHT


def test_what_is_known_is_passed_on(up: tuple[str, Up]) -> None:
    url, said = up
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"q": "a b"}'}}
    message = {
        "role": "assistant",
        "content": "It is open.",
        "refusal": None,
        "reasoning_content": "They ask for a year.",
        "tool_calls": [call],
        "images": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}],
    }
    entry = {"token": "It is open.", "logprob": -0.5, "bytes": None, "top_logprobs": []}
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    usage |= {"prompt_tokens_details": {"cached_tokens": 2}}  # type: ignore[dict-item]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls", "stop_reason": 7}
    choice |= {"logprobs": {"content": [{**entry, "mine": "a b"}]}}
    data = {"id": "x-1", "object": "chat.completion", "created": 9, "model": "org/m:free"}
    data |= {"system_fingerprint": "fp_1", "service_tier": "default", "usage": usage, "kv": 3.5}
    said.sends = {**data, "choices": [choice]}
    found = ask(url).json()
    found.pop("groundwire")
    choice["logprobs"] = {"content": [entry]}
    assert found == {**data, "choices": [choice]}
    said.sends = stream(
        {**data, "choices": [{"index": 0, "delta": message}]},
        {**data, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    )
    chunks = strict(ask(url, stream=True).content)
    deltas = [one["choices"][0]["delta"] for one in chunks[:-1]]
    joined = {key: value for delta in deltas for key, value in delta.items()}
    assert joined == {k: v for k, v in message.items() if v is not None}
    assert chunks[-2]["choices"][0]["finish_reason"] == "tool_calls"


def test_speech_comes_where_it_was_asked_for(up: tuple[str, Up]) -> None:
    url, said = up
    audio = {"id": "a1", "data": "UklGRg==", "transcript": "It is open.", "expires_at": 5}
    said.sends = {"choices": [{"index": 0, "message": {"content": None, "audio": audio}}]}
    found = ask(url, modalities=["text", "audio"]).json()["choices"][0]["message"]
    assert found["audio"] == audio
    assert "audio" not in ask(url).json()["choices"][0]["message"]


def test_a_refusal_that_is_fine_stays_one(up: tuple[str, Up]) -> None:
    url, said = up
    message = {"role": "assistant", "content": None, "refusal": "I would rather not."}
    said.sends = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    assert ask(url).json()["choices"][0]["message"] == message
    said.sends = stream(
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]},
        {"choices": [{"index": 0, "delta": {"refusal": "I would "}}]},
        {"choices": [{"index": 0, "delta": {"refusal": "rather not."}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    )
    chunks = strict(ask(url, stream=True).content)
    deltas = [one["choices"][0]["delta"] for one in chunks[:-1]]
    assert "".join(one.get("refusal") or "" for one in deltas) == "I would rather not."
    assert text_of(chunks) == ""


def test_stop_strings_are_the_requests_own(up: tuple[str, Up]) -> None:
    url, said = up
    message = {"role": "assistant", "content": "It is open."}
    for reason, shown in (("END OF IT", "END OF IT"), (WRONG, None), (13, 13)):
        choice = {"index": 0, "message": message, "finish_reason": "stop", "stop_reason": reason}
        said.sends = {"choices": [choice]}
        found = ask(url, stop=["END OF IT"]).json()["choices"][0]
        assert found.get("stop_reason") == shown


@pytest.mark.parametrize("stream", [True, False])
def test_log_probabilities_of_a_continuation_have_the_routes_form(
    base: dict[str, Any], stream: bool
) -> None:
    right = "The Harbour Museum was founded in 1987. It is open."
    model = Model((WRONG, right), continues="tokens")
    with gateway(model, **{**base, "continuation": "tokens"}) as (url, _):
        given: Any = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}]}
        given |= {"logprobs": True, "top_logprobs": 2}
        if stream:
            found = list(client(url).chat.completions.create(stream=True, **given))
            text = "".join(c.delta.content or "" for one in found for c in one.choices)
            listed = [c.logprobs for one in found for c in one.choices if c.logprobs]
        else:
            answer = client(url).chat.completions.create(**given)
            text = answer.choices[0].message.content or ""
            listed = [answer.choices[0].logprobs]  # type: ignore[list-item]
        assert text == right
        entries = [entry for one in listed for entry in one.content or ()]
        assert entries and all(entry.token and entry.logprob <= 0 for entry in entries)
        assert all(isinstance(t.token, str) for entry in entries for t in entry.top_logprobs)


def message(content: Any, **more: Any) -> dict[str, Any]:
    return {"id": "m1", "type": "message", "role": "assistant", "content": content, **more}


OUTPUTS: list[list[Any]] = [
    [message([{"type": "output_text", "text": WRONG, "annotations": [{"text": WRONG}]}])],
    [message(WRONG)],
    [message([WRONG])],
    [message([{"type": "text", "text": WRONG}], text=WRONG, said=[WRONG])],
    [message([{"type": "refusal", "refusal": WRONG}])],
    [message([{"type": "zzz", "words": WRONG}, *TEXT])],
    [{"type": "text", "text": WRONG}, message(TEXT)],
    [WRONG, {"type": "zzz", "content": TEXT}, message(TEXT)],
    [{"type": "reasoning", "id": "r", "summary": [], "text": WRONG}, message(TEXT)],
]


def response(output: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": MODEL,
        "output": output,
        "output_text": WRONG,
        "output_messages": [{"message": WRONG, "tokens": [1]}],
        "input_messages": [{"message": "a b"}],
        "instructions": WRONG,
        "tools": [{"type": "function", "name": "f", "description": WRONG}],
        "metadata": {"said": WRONG},
        **OWN,
        **more,
    }


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_response_says_its_text_once(up: tuple[str, Up], output: list[Any]) -> None:
    url, said = up
    said.sends = response(output)
    answer = ask(url, "responses", enable_response_messages=True)
    assert TAKEN not in answer.text and RIGHT in answer.text
    assert answer.json()["status"] == "completed"
    assert answer.json()["instructions"] is None and "output_messages" not in answer.json()
    events = [
        {"type": "response.created", "response": response([])},
        {"type": "response.in_progress", "response": response(output), "said": WRONG},
        *(
            {"type": "response.output_item.added", "output_index": i, "item": one, **OWN}
            for i, one in enumerate(output)
            if isinstance(one, dict)
        ),
        {"type": "response.mcp_call.in_progress", "item_id": "x", "delta": WRONG, "text": WRONG},
        {"type": "response.zzz.delta", "delta": WRONG},
        {"type": "response.audio.transcript.delta", "delta": WRONG},
        *(
            {"type": "response.output_item.done", "output_index": i, "item": one, **OWN}
            for i, one in enumerate(output)
            if isinstance(one, dict)
        ),
        {"type": "response.completed", "response": response(output), **OWN},
    ]
    said.sends = stream(*events)
    answer = ask(url, "responses", stream=True)
    assert TAKEN not in answer.text and RIGHT in answer.text


def test_refusals_stream_as_they_are(up: tuple[str, Up]) -> None:
    url, said = up
    at = {"item_id": "m1", "output_index": 0, "content_index": 0}
    for text, right in (("I would rather not.",) * 2, (WRONG, RIGHT)):
        item = message([{"type": "refusal", "refusal": text}])
        said.sends = stream(
            {"type": "response.created", "response": response([])},
            {"type": "response.output_item.added", "output_index": 0, "item": message([])},
            {
                "type": "response.content_part.added",
                **at,
                "part": {"type": "refusal", "refusal": ""},
            },
            {"type": "response.refusal.delta", **at, "delta": text[:12]},
            {"type": "response.refusal.delta", **at, "delta": text[12:]},
            {"type": "response.refusal.done", **at, "refusal": text},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response([item])},
        )
        found = strict(ask(url, "responses", stream=True).content)
        assert found[-1]["type"] == "response.completed" and TAKEN not in str(found)
        deltas = [one["delta"] for one in found if one["type"] == "response.refusal.delta"]
        assert "".join(deltas) == right


def test_what_is_known_of_a_response_is_passed_on(up: tuple[str, Up]) -> None:
    url, said = up
    cited = {"type": "url_citation", "url": "https://x.org/a", "title": "A guide"}
    cited |= {"start_index": 0, "end_index": 5}  # type: ignore[dict-item]
    part = {"type": "output_text", "text": "It is open.", "annotations": [cited]}
    call = {
        "id": "f",
        "type": "function_call",
        "call_id": "c",
        "name": "f",
        "arguments": '{"a": 1}',
    }
    thought = {"id": "r", "type": "reasoning", "status": "completed"}
    thought["summary"] = [{"type": "summary_text", "text": "They ask."}]  # type: ignore[assignment]
    output = [thought, message([part], status="completed"), call]
    usage = {"input_tokens": 1, "output_tokens": 2, "output_tokens_details": {"x": 0}}
    own = {"instructions": "Be brief.", "tools": [{"type": "function", "name": "f"}]}
    data = response(output, usage=usage, temperature=0.5, reasoning={"effort": None})
    data |= {"tool_choice": "auto", "text": {"format": {"type": "text"}}}
    said.sends = data
    found = ask(url, "responses", **own).json()
    assert found["output"] == output and found["usage"] == usage
    assert found["instructions"] == "Be brief." and found["tools"] == own["tools"]
    assert found["text"] == data["text"] and found["temperature"] == 0.5
    at = {"item_id": "m1", "output_index": 1, "content_index": 0}
    noted = {"type": "response.output_text.annotation.added", **at, "annotation_index": 0}
    said.sends = stream(
        {"type": "response.created", "response": response([])},
        {"type": "response.output_text.delta", **at, "delta": "It is open."},
        {**noted, "annotation": cited},
        {"type": "response.output_text.done", **at, "text": "It is open."},
        {"type": "response.completed", "response": data},
    )
    events = strict(ask(url, "responses", stream=True).content)
    assert [e["annotation"] for e in events if "annotation" in e] == [cited]
    assert events[-1]["response"]["output"] == output


CALLS: list[dict[str, Any]] = [
    {"id": "call|" + "Zx9+/" * 120, "type": "function", "function": {"name": "f", "arguments": ""}},
    {
        "id": "c-2",
        "type": "function",
        "function": {"name": "book", "arguments": '{"year": 1992}', "strict": True},
        "extra_content": {"vendor": {"signature": "AbC=", "of": ["a b", 3]}},
    },
    {"id": "c-3", "type": "custom", "custom": {"name": "run", "input": "do it now"}, "note": "x y"},
]


@pytest.mark.parametrize("call", CALLS)
def test_calls_of_tools_pass_whole(up: tuple[str, Up], call: dict[str, Any]) -> None:
    url, said = up
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    message |= {"extra_content": {"vendor": {"thought_signature": "Qq=="}}}
    said.sends = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    found = ask(url).json()["choices"][0]["message"]
    assert found["tool_calls"] == [call] and found["extra_content"] == message["extra_content"]
    said.sends = stream(
        {"choices": [{"index": 0, "delta": {**message, "tool_calls": [{**call, "index": 0}]}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    )
    first, *_ = strict(ask(url, stream=True).content)
    assert first["choices"][0]["delta"]["tool_calls"] == [{**call, "index": 0}]


def test_a_call_comes_behind_the_text_before_it(up: tuple[str, Up]) -> None:
    url, said = up
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "1"}}
    said.sends = stream(
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Let me look that"}}]},
        {"choices": [{"index": 0, "delta": {"content": " up for you"}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": [{**call, "id": None}]}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    )
    chunks = strict(ask(url, stream=True).content)[:-1]
    deltas = [one["choices"][0]["delta"] for one in chunks]
    order = [key for one in deltas for key in ("content", "tool_calls") if one.get(key)]
    assert order == ["content", "tool_calls", "tool_calls"]
    assert text_of([*chunks, "[DONE]"]) == "Let me look that up for you"


def test_words_in_fields_of_no_known_kind_do_not_pass(up: tuple[str, Up]) -> None:
    url, said = up
    note = {"type": "zzz", "text": WRONG, "title": WRONG}
    cited = {"type": "url_citation", "url": "http://a/", "title": "A page", "start_index": 0}
    text = {"type": "output_text", "text": "It is open.", "annotations": [note, cited]}
    thought = {"type": "reasoning_text", "text": "They ask for a year."}
    output = [
        {"type": "reasoning", "id": "r", "summary": [TEXT[0]], "content": [TEXT[0], thought]},
        {"type": "compaction", "id": "c", "encrypted_content": WRONG},
        {"type": "compaction", "id": "d", "encrypted_content": "gAAAA=="},
        message([text]),
    ]
    said.sends = response(output)
    answer = ask(url, "responses")
    found = answer.json()["output"]
    assert WRONG not in answer.text
    assert found[0]["content"] == [thought] and found[0]["summary"] == []
    assert [one["encrypted_content"] for one in found[1:3]] == [None, "gAAAA=="]
    assert found[3]["content"][0]["annotations"] == [cited]


@pytest.mark.parametrize("text", ["It is open until six.", WRONG])
def test_citations_stay_with_the_text_they_are_about(up: tuple[str, Up], text: str) -> None:
    url, said = up
    place = {"url": "https://y.org/b?c=1", "title": "Visit us", "start_index": 3, "end_index": 9}
    notes = [
        {"type": "url_citation", "url_citation": {**place, "again": WRONG}},
        {"type": "zzz", "zzz": {"text": WRONG}},
    ]
    kept = [{"type": "url_citation", "url_citation": place}]
    listed = {"citations": ["https://y.org/b", WRONG], "search_results": [{"url": "u", "x": WRONG}]}
    shown = {"citations": ["https://y.org/b"], "search_results": [{"url": "u"}]}
    message = {"role": "assistant", "content": text, "annotations": notes}
    said.sends = {**listed, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    answer = ask(url)
    assert TAKEN not in answer.text, answer.text
    assert {key: answer.json()[key] for key in shown} == shown
    found = answer.json()["choices"][0]["message"]["annotations"]
    assert found == (kept if text != WRONG else [])
    said.sends = stream(
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": text[:9]}}]},
        {"choices": [{"index": 0, "delta": {"content": text[9:]}}]},
        {"choices": [{"index": 0, "delta": {"annotations": notes}}], **listed},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    )
    answer = ask(url, stream=True)
    chunks = strict(answer.content)[:-1]
    told = [one["choices"][0]["delta"].get("annotations", []) for one in chunks]
    assert [note for one in told for note in one] == (kept if text != WRONG else [])
    assert {key: chunks[-1][key] for key in shown} == shown and TAKEN not in answer.text


def test_an_error_without_a_name_keeps_its_message(up: tuple[str, Up]) -> None:
    url, said = up
    broke = {"object": "error", "message": "the cache is full", "type": "Full", "code": 500}
    said.sends = stream({"choices": [{"index": 0, "delta": {"content": "It is"}}]}, broke)
    assert "the cache is full" in ask(url, stream=True).text
    said.sends = broke
    given = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}]}
    answer = httpx.post(f"{url}/v1/chat/completions", json=given, timeout=30)
    assert answer.status_code == 502 and "the cache is full" in answer.text


def test_usage_of_a_continued_answer_is_that_of_its_first_prompt(base: dict[str, Any]) -> None:
    class Caches(Model):
        """Reports what of each prompt it had."""

        prompts = 0

        def more(self) -> dict[str, Any]:
            self.prompts += 1
            n = 30 * self.prompts
            cached = {"cached_tokens": n - 4}
            usage = {"prompt_tokens": n, "completion_tokens": 7, "prompt_tokens_details": cached}
            return {"usage": {**usage, "total_tokens": n + 7, "total_time": 2.5}}

    right = "The Harbour Museum was founded in 1987. It is open."
    model = Caches((WRONG, right), continues="final_message")
    with gateway(model, **{**base, "continuation": "final_message"}) as (url, _):
        found = ask(url).json()
    assert found["choices"][0]["message"]["content"] == right
    usage = found["usage"]
    first = usage["prompt_tokens"]
    assert usage["prompt_tokens_details"] == {"cached_tokens": first - 4}
    assert usage["completion_tokens"] == 14 and usage["total_tokens"] == first + 14
    assert "total_time" not in usage


@pytest.mark.parametrize("release", ["claim", "response"])
def test_a_blocked_text_hands_over_no_call(base: dict[str, Any], release: str) -> None:
    said = Up()

    async def anything(request: Request) -> Response:
        return await said(request)

    policies = {"mine": {"release": release, "low": "interrupt"}}
    serving = {**base, "policies": policies, "default_policy": "mine"}
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "1"}}
    app = Starlette(routes=[Route("/{path:path}", anything, methods=["GET", "POST"])])
    with served(app) as root:
        made = Gateway(root, Config.load(environ={}, serving=serving), environ={})
        with served(create_app(made)) as url:
            for text, blocked in (
                ("It is open. The Quorlax Tower opened in 1931. It is high.", True),
                ("It is open. It is high.", False),
            ):
                message = {"role": "assistant", "content": text, "tool_calls": [call]}
                end = "content_filter" if blocked else "tool_calls"
                choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
                said.sends = {"choices": [choice]}
                (whole,) = ask(url).json()["choices"]
                assert (whole["finish_reason"], "tool_calls" in whole["message"]) == (
                    end,
                    not blocked,
                )
                said.sends = stream(
                    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": text}}]},
                    {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]},
                    {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
                )
                chunks = strict(ask(url, stream=True).content)[:-1]
                calls = any(one["choices"][0]["delta"].get("tool_calls") for one in chunks)
                assert (chunks[-1]["choices"][0]["finish_reason"], calls) == (end, not blocked)
