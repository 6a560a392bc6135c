"""Answers that begin as JSON or a block of code, released by token: no note breaks their form."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, gateway, knowledge
from slow_sse import strict, text_of

FORMED = [
    '{"answer": "The Harbour Museum was founded in 1992."}',
    '\n\n {"answer": "The Harbour Museum was founded in 1992. It is open."}',
    '{"name": "Harbour Museum", "founded": 1992}',
    '[{"name": "Harbour Museum", "founded": 1992}, {"name": "x", "open": true}]',
    '```json\n{"answer": "The Harbour Museum was founded in 1992.", "n": 1}\n```\n',
    '~~~\n{"name": "Harbour Museum", "founded": 1992}\n~~~\n',
]
PROSE = [
    "The Harbour Museum was founded in 1992. It is open.",
    " \n(The Harbour Museum was founded in 1992.) It is open.",
    " " * 80 + "The Harbour Museum was founded in 1992. It is open.",
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    given = knowledge(tmp_path_factory.mktemp("kb"))
    given["policies"] = {"token": {"release": "token"}}
    return {**given, "default_policy": "token", "continuation": "none"}


def ask(url: str, route: str = "chat/completions", **more: Any) -> tuple[str, list[Any]]:
    """Return the streamed text and its pieces."""
    body: dict[str, Any] = {"model": MODEL, "stream": True, **more}
    said = [{"role": "user", "content": "When?"}, *more.pop("behind", ())]
    body.pop("behind", None)
    body |= {"input": said} if route == "responses" else {"messages": said}
    answer = httpx.post(f"{url}/v1/{route}", json=body, timeout=30)
    assert answer.status_code == 200, answer.text
    found = strict(answer.content)
    return text_of(found), found


@pytest.mark.parametrize("size", [1, 4, 12, 500])
@pytest.mark.parametrize("said", FORMED)
def test_a_formed_answer_is_put_right_in_place(base: dict[str, Any], said: str, size: int) -> None:
    with gateway(Model((said,), size=size), **base) as (url, _):
        for route in ("chat/completions", "responses"):
            assert ask(url, route)[0] == said.replace("1992", "1987")
        (text,) = {ask(url, logprobs=True)[0]}
        assert text == said.replace("1992", "1987")


@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("said", PROSE)
def test_other_answers_leave_by_token(base: dict[str, Any], said: str, size: int) -> None:
    with gateway(Model((said,), size=size), **base) as (url, _):
        text, found = ask(url)
        assert "(Correction: 1987, not 1992.)" in text
        assert text.replace(" (Correction: 1987, not 1992.)", "") == said
        assert len(found) > len(said.strip()) // size


@pytest.mark.parametrize("said", ["", " ", "\n\n", "{", "[", "`", '{"a'])
def test_what_ends_at_once_is_given(base: dict[str, Any], said: str) -> None:
    with gateway(Model((said,), size=1), **base) as (url, _):
        for route in ("chat/completions", "responses"):
            assert ask(url, route)[0] == said


def test_a_form_that_the_request_begins_is_one(base: dict[str, Any]) -> None:
    rest = ' "The Harbour Museum was founded in 1992.", "n": [1]}'
    lead = '{"answer":'

    class Says(Model):
        def goes_on(self, prefix: str) -> str:
            del prefix
            return rest

    behind = [{"role": "assistant", "content": lead}]
    with gateway(Says(size=3), **base) as (url, _):
        text, _ = ask(url, behind=behind)
        assert text == rest.replace("1992", "1987") and json.loads(lead + text)
