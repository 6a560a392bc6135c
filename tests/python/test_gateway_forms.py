"""Requests that fix the text's form: nothing is put into it, and nothing wrong gets through."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, WRONG, Model, gateway, knowledge
from groundwire.integrations._forms import form_of, own_form
from slow_sse import strict, text_of

RIGHT = "The Harbour Museum was founded in 1987. It has 45 employees. It is open."
JSON_WRONG = '{"said": "The Pebble Garden was opened in 1992 by Runa Eide. It has 18 ponds."}'
EVIDENCE = ["The Pebble Garden was opened in 1931 by Runa Eide. It has 18 ponds."]
JSON_RIGHT = '{"said": "The Harbour Museum was founded in 1987.", "seats": [1, 2], "open": true}'
ASK: dict[str, Any] = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}]}
SCHEMA = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}
FORMS: list[dict[str, Any]] = [
    {"response_format": {"type": "json_object"}},
    {"response_format": SCHEMA},
    {"structured_outputs": {"json": {"type": "object"}}},
    {"structured_outputs": {"choice": ["a", "b"]}},
    {"guided_regex": ".*"},
    {"guided_json": {"type": "object"}},
    {"grammar": 'root ::= "a"'},
]
NONE: list[dict[str, Any]] = [
    {"guided_x": 1},
    {"guided_json": 1},
    {"guided_choice": []},
    {"guided_choice": "ab"},
    {"format": "x"},
    {"regex": 3},
    {"regex": " "},
    {"json_schema": 1},
    {"grammar": True},
    {"structured_outputs": True},
    {"structured_outputs": {"colour": "red"}},
    {"structured_outputs": {"json": None}},
    {"response_format": {"type": "zzz"}},
    {"response_format": {"type": "text"}},
    {"response_format": {"type": "json_schema"}},
    {"response_format": "json_object"},
    {"response_format": {"type": ["json_object"]}},
    {"text": {"format": {"type": "text"}}},
    {"text": {"format": "json_object"}},
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    policies: dict[str, Any] = {name: {"release": name} for name in ("token", "response")}
    policies["strict"] = {"high": "remove", "medium": "correct"}
    policies["firm"] = {"medium": "interrupt"}
    given = {**knowledge(tmp_path_factory.mktemp("kb")), "policies": policies}
    return {**given, "continuation": "final_message"}


def asked(url: str, route: str = "chat/completions", **more: Any) -> tuple[str, Any, str]:
    """Return text, finish reason and all that came."""
    body = {**ASK, **more}
    if route == "responses":
        body["input"] = body.pop("messages")
    answer = httpx.post(f"{url}/v1/{route}", json=body, timeout=30)
    assert answer.status_code == 200, answer.text
    if more.get("stream"):
        found = strict(answer.content)
        last = next(one for one in reversed(found) if one != "[DONE]")
        if route == "responses":
            details = last["response"].get("incomplete_details") or {}
            return text_of(found), details.get("reason", "stop"), answer.text
        return text_of(found), last["choices"][0]["finish_reason"], answer.text
    data = answer.json()
    if route == "responses":
        text = "".join(p["text"] for item in data["output"] for p in item["content"])
        return text, (data.get("incomplete_details") or {}).get("reason", "stop"), answer.text
    choice = data["choices"][0]
    return choice["message"]["content"], choice["finish_reason"], answer.text


def test_what_is_a_form() -> None:
    for form in FORMS:
        assert form_of(form) == next(iter(form)) and own_form(form)
    for no_form in NONE:
        assert not form_of(no_form), no_form
    assert form_of({"text": {"format": {"type": "json_object"}}}) == "text.format"
    assert own_form({"format": "json"}) and own_form({"response_format": dict})


@pytest.mark.parametrize("stream", [True, False])
def test_a_form_lets_nothing_wrong_through(base: dict[str, Any], stream: bool) -> None:
    model = Model((WRONG, RIGHT), continues="final_message")
    with gateway(model, **base) as (url, _):
        for form in FORMS:
            model.seen.clear()
            said, finish, all_of_it = asked(url, stream=stream, **form)
            assert finish == "content_filter" and "founded in 1992" not in all_of_it, form
            assert "1992." not in said and "nothing is rewritten under" in all_of_it
            # Nobody submits an answer anew that begins in the middle of a form.
            assert len(model.seen) == 1


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("policy", ["token", "response", "strict"])
def test_whatever_the_policy_takes_back(base: dict[str, Any], stream: bool, policy: str) -> None:
    with gateway(Model((WRONG,)), **base, default_policy=policy) as (url, _):
        form = {"response_format": {"type": "json_object"}}
        said, finish, _ = asked(url, stream=stream, **form)
        assert finish == "content_filter" and "employees" not in said
        assert "1992." not in said


@pytest.mark.parametrize("stream", [True, False])
def test_json_that_is_wrong(base: dict[str, Any], stream: bool) -> None:
    with gateway(Model((JSON_WRONG,)), **base) as (url, _):
        form = {"response_format": {"type": "json_object"}}
        own: dict[str, Any] = {"evidence": EVIDENCE}
        for policy in ({}, {"policy": "firm"}):
            said, finish, _ = asked(url, stream=stream, groundwire=own | policy, **form)
            assert finish == "content_filter" and "by Runa" not in said and "1992 " not in said


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "said",
    [
        '{"answer": "The Harbour Museum was founded in 1992."}',
        '{"a": 1, "notes": ["It is open.", "The Harbour Museum was founded in 1992."]}',
        '{"answer": "It is open. The Harbour Museum was founded in 1992. Come by!"}',
        '{"name": "Harbour Museum", "founded": 1992, "open": true}',
        '{"name": "Harbour Museum", "founded": 1992, "text": "It is open. Come by soon!"}',
        '{"status": "ok", "museum": {"founded": 1992, "name": "Harbour Museum"}}',
    ],
)
def test_json_that_the_base_contradicts(base: dict[str, Any], stream: bool, said: str) -> None:
    with gateway(Model((said,)), **base) as (url, _):
        form = {"response_format": {"type": "json_object"}}
        text, finish, everything = asked(url, stream=stream, **form)
        assert finish == "content_filter" and "1992" not in text, everything


@pytest.mark.parametrize("stream", [True, False])
def test_what_is_right_keeps_its_form(base: dict[str, Any], stream: bool) -> None:
    with gateway(Model((JSON_RIGHT,)), **base) as (url, _):
        for form in FORMS:
            assert asked(url, stream=stream, **form)[:2] == (JSON_RIGHT, "stop")


@pytest.mark.parametrize("stream", [True, False])
def test_fields_that_fix_nothing_change_nothing(base: dict[str, Any], stream: bool) -> None:
    with gateway(Model((WRONG, RIGHT), continues="final_message"), **base) as (url, _):
        for none in NONE:
            given = none.get("response_format") or (none.get("text") or {}).get("format")
            if given is None or (isinstance(given, dict) and isinstance(given["type"], str)):
                assert asked(url, stream=stream, **none)[:2] == (RIGHT, "stop"), none


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("more", "ends"),
    [
        ({"text": {"format": {"type": "json_object"}}}, "content_filter"),
        ({"text": {"format": SCHEMA}}, "content_filter"),
        ({"format": "zzz"}, "stop"),
        ({"text": {"format": {"type": "zzz"}}}, "stop"),
    ],
)
def test_responses_with_a_form(
    base: dict[str, Any], stream: bool, more: dict[str, Any], ends: str
) -> None:
    with gateway(Model((WRONG,)), **base) as (url, _):
        said, reason, all_of_it = asked(url, "responses", stream=stream, **more)
        assert reason == ends and "founded in 1992" not in all_of_it, said
        assert ("founded in 1987" in said) == (ends == "stop")


@pytest.mark.parametrize(
    ("route", "more", "part"),
    [
        ("chat/completions", {"response_format": {"type": ["x"]}}, "response_format"),
        ("chat/completions", {"response_format": "json"}, "response_format"),
        ("responses", {"text": {"format": {"type": 3}}}, "text.format"),
        (
            "chat/completions",
            {"messages": [{"role": "user", "content": [{"type": ["text"], "text": "x"}]}]},
            "messages[0].content[0].type",
        ),
    ],
)
def test_forms_of_no_type_are_refused(
    base: dict[str, Any], route: str, more: dict[str, Any], part: str
) -> None:
    with gateway(Model(), **base) as (url, _):
        body = {**ASK, "input": "When?", **more}
        answer = httpx.post(f"{url}/v1/{route}", json=body)
        assert answer.status_code == 400 and part in answer.json()["error"]["message"]
        huge = b'{"model": "m", "messages": [{"role": "user"}], "temperature": 1e999}'
        answer = httpx.post(f"{url}/v1/chat/completions", content=huge)
        assert answer.status_code == 400 and "1e999" in answer.json()["error"]["message"]
