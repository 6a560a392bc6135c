"""What is told of single tokens, where it is asked for: nothing that was taken back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response

from gateway_upstream import MODEL, before, knowledge, streamed

Json = dict[str, Any]
# Tokens of which a part is taken back and the rest stays.
ASTRIDE = [
    ["**", "Harbour", " Museum", "**\n\n", "-", " Founded", ":", " 19", "92\n", "-", " Open", "."],
    ["The", " Harbour", " Museum", " was", " founded", " in", " 19", "92.\n", "Fine", "."],
    ["It is open. The", " Harbour", " Museum", " has", " 60 employees. It", " is", " nice", "."],
    ["It is open. The Harbour Museum", " was founded in 1992. It is open. The", " door is.", "\n"],
]
WRONG = ("92", "60")


class Up:
    """An upstream that sends tokens and their numbers."""

    tokens: list[str]

    async def __call__(self, request: Request) -> Response:
        await request.body()
        found = []
        for text in self.tokens:
            entry = {"token": text, "logprob": -0.1, "bytes": list(text.encode())}
            held = {"content": [{**entry, "top_logprobs": [entry]}]}
            found.append({"delta": {"content": text}, "logprobs": held})
        found.append({"delta": {}, "finish_reason": "stop"})
        return streamed(found)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Up]]:
    said = Up()
    base = {**knowledge(tmp_path_factory.mktemp("kb")), "continuation": "none"}
    policies: Json = {"whole": {"release": "response"}, "token": {"release": "token"}}
    policies["remove"] = dict.fromkeys(("low", "medium", "high"), "remove")
    base |= {"policies": policies, "requests_may_lower": True}
    with before(said.__call__, **base) as url:
        yield url, said


def ask(url: str, policy: str) -> tuple[str, list[Json]]:
    """Return the text and what is told of its tokens."""
    body = {"model": MODEL, "stream": True, "logprobs": True, "top_logprobs": 1}
    body |= {"messages": [{"role": "user", "content": "Tell me."}]}
    body |= {"groundwire": {"policy": policy, "details": True}}
    answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30)
    lines = [one for one in answer.text.split("\n") if one.startswith("data: {")]
    text, told = "", []
    for chunk in (json.loads(one.removeprefix("data: ")) for one in lines):
        text += "".join(one["delta"].get("content") or "" for one in chunk["choices"])
        told += chunk.get("groundwire", {}).get("tokens", [])
    return text, told


@pytest.mark.parametrize("tokens", ASTRIDE)
@pytest.mark.parametrize("policy", ["default", "whole", "remove"])
def test_a_token_that_did_not_leave_whole_is_not_told(
    up: tuple[str, Up], tokens: list[str], policy: str
) -> None:
    url, said = up
    said.tokens = tokens
    text, told = ask(url, policy)
    assert "".join(one["text"] for one in told) == text
    assert not any(one in text for one in WRONG)
    assert not any(one in json.dumps(told) for one in WRONG), told
    assert policy == "remove" or any(one.get("top") for one in told)


def test_a_token_that_left_has_its_numbers(up: tuple[str, Up]) -> None:
    url, said = up
    said.tokens = ["The", " Harbour", " Museum", " was", " founded", " in", " 1987", ".", " Fine."]
    for policy in ("default", "whole", "token", "remove"):
        text, told = ask(url, policy)
        assert text == "".join(said.tokens)
        assert [one["top"][0][0] for one in told if "top" in one] == said.tokens, policy
