"""A refusal behind content: judged with it, and given as the field it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway_upstream import MODEL, before, knowledge, streamed
from groundwire.gateway.pieces import _place

Json = dict[str, Any]
RIGHT = "It is open. The Harbour Museum has 45 employees."
WRONG = "It is open. The Harbour Museum has 60 employees."
DENIED = "It is open. The Harbour Museum was not founded in 1987. It has 45 employees."
SORRY = "I would rather not say more. Sorry."
POLICIES = ("token", "claim", "response", "marks", "off")


class Up:
    """An upstream that answers with content and a refusal, in pieces of a size."""

    fields: tuple[str, str]
    size = 4
    together = False
    """Whether one chunk has the end of the content and the beginning of the refusal."""

    def deltas(self) -> list[Json]:
        found: list[Json] = []
        for name, text in zip(("content", "refusal"), self.fields, strict=True):
            pieces = [text[at : at + self.size] for at in range(0, len(text), self.size)]
            if found and self.together:
                found[-1][name] = pieces.pop(0)
            found += [{name: piece} for piece in pieces]
        return found

    def named(self, said: Json) -> Json:
        return {
            name: [{"token": text, "logprob": -0.1, "bytes": None, "top_logprobs": []}]
            for name, text in said.items()
        }

    async def __call__(self, request: Request) -> Response:
        asked = json.loads(await request.body())
        base = {"id": "x", "created": 1, "model": MODEL, "object": "chat.completion"}
        if not asked.get("stream"):
            said = dict(zip(("content", "refusal"), self.fields, strict=True))
            choice = {"index": 0, "finish_reason": "stop", "logprobs": self.named(said)}
            choice["message"] = {"role": "assistant", **said}
            return JSONResponse({**base, "choices": [choice]})
        found = [{"delta": one, "logprobs": self.named(one)} for one in self.deltas()]
        found.append({"delta": {}, "finish_reason": "stop"})
        return streamed(found)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Up]]:
    said = Up()
    base = {**knowledge(tmp_path_factory.mktemp("kb")), "continuation": "final_message"}
    policies: Json = {name: {"release": name} for name in POLICIES[:3]}
    policies["drop"] = {"medium": "remove", "high": "remove"}
    policies["marks"] = {"low": "annotate", "annotation": "inline"}
    base |= {"policies": policies, "requests_may_lower": True}
    with before(said.__call__, **base) as url:
        yield url, said


def ask(url: str, policy: str, *, stream: bool, lead: str = "") -> tuple[str, str, Json]:
    """Return content, refusal, and the names of the tokens in each."""
    messages = [{"role": "user", "content": "Tell me."}]
    if lead:
        messages.append({"role": "assistant", "content": lead})
    body: Json = {"model": MODEL, "messages": messages}
    body |= {"stream": stream, "logprobs": True, "groundwire": policy}
    answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30)
    assert answer.status_code == 200, answer.text
    if not stream:
        choices = answer.json()["choices"]
    else:
        lines = [one for one in answer.text.split("\n") if one.startswith("data: {")]
        choices = [
            choice for one in lines for choice in json.loads(one.removeprefix("data: "))["choices"]
        ]
    said = {"content": "", "refusal": ""}
    named = {"content": "", "refusal": ""}
    for choice in choices:
        part = choice["delta"] if stream else choice["message"]
        for name in said:
            more = part.get(name) or ""
            assert not (name == "content" and more and said["refusal"])
            said[name] += more
            for token in (choice.get("logprobs") or {}).get(name) or ():
                named[name] += token["token"]
    return said["content"], said["refusal"], named


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("size", [1, 4, 100])
def test_each_field_is_given_as_it_came(
    up: tuple[str, Up], policy: str, stream: bool, together: bool, size: int
) -> None:
    url, said = up
    said.fields, said.size, said.together = (RIGHT, SORRY), size, together
    content, refusal, named = ask(url, policy, stream=stream)
    assert content.rstrip("\n") == RIGHT and refusal == SORRY
    assert named == {"content": RIGHT, "refusal": SORRY}


@pytest.mark.parametrize("policy", ["token", "claim", "response"])
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("size", [1, 4, 100])
def test_what_is_put_right_stays_in_its_field(
    up: tuple[str, Up], policy: str, stream: bool, size: int
) -> None:
    url, said = up
    for fields in ((WRONG, SORRY), (RIGHT, f"{WRONG} {SORRY}"), (WRONG, f"{WRONG} {SORRY}")):
        said.fields, said.size, said.together = fields, size, False
        content, refusal, _ = ask(url, policy, stream=stream)
        if policy != "token":
            right = [one.replace("60", "45") for one in fields]
            assert [content.rstrip("\n"), refusal] == right
        else:
            for one, given in zip((content, refusal), fields, strict=True):
                assert ("45" in one) == (given != SORRY), (content, refusal)
            assert refusal.endswith(SORRY)


@pytest.mark.parametrize("stream", [True, False])
def test_no_refusal_follows_what_the_guard_ended(up: tuple[str, Up], stream: bool) -> None:
    url, said = up
    said.fields, said.size, said.together = (DENIED, SORRY), 4, False
    content, refusal, _ = ask(url, "claim", stream=stream)
    assert "I can't give a reliable answer" in content and not refusal


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("size", [1, 100])
def test_content_that_waits_for_its_beginning_is_no_refusal(
    up: tuple[str, Up], policy: str, stream: bool, size: int
) -> None:
    url, said = up
    said.fields, said.size, said.together = ("Yes", SORRY), size, False
    content, refusal, _ = ask(url, policy, stream=stream, lead="The museum is")
    assert (content.rstrip("\n"), refusal) == ("Yes", SORRY)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("size", [4, 100])
def test_fields_of_several_lines_are_told_apart(
    up: tuple[str, Up], stream: bool, size: int
) -> None:
    url, said = up
    said.fields = (f"- one\n- {WRONG}\n- two\n", f"- three\n- {WRONG}\n- four")
    said.size, said.together = size, False
    content, refusal, _ = ask(url, "drop", stream=stream)
    assert content.startswith("- one\n") and content.rstrip().endswith("- two")
    assert refusal.startswith("- three\n") and refusal.endswith("- four")


@pytest.mark.parametrize("size", [1, 4])
def test_a_note_about_content_stands_in_it(up: tuple[str, Up], size: int) -> None:
    url, said = up
    said.fields = (WRONG.rstrip("."), "The Harbour Museum was founded in 1992")
    said.size, said.together = size, False
    content, refusal, _ = ask(url, "token", stream=True)
    assert "not 60" in content and "not 60" not in refusal and "not 1992" in refusal


def test_a_place_between_two_changes_is_known_by_what_stands_beside_it() -> None:
    before, behind = "One.\nIt has 60.\n\n", "It has 60 too.\nIt is open."
    text = "One.\nIt has 45 [not 60].\n\nIt has 45 too.\nIt is open. [1]"
    at = _place(text, before, behind)
    assert text[at:].startswith("It has 45 too.")
    assert _place("", before, behind) == 0
