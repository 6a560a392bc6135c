"""An upstream that refuses to go on with a stream: how the answer ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, gateway
from slow_sse import strict, text_of

STAFF = {"name": "Sarah Chen", "attributes": {"department": "Engineering"}}
MUSEUM = {"name": "Harbour Museum", "attributes": {"founded": 1987, "employees": 45}}
MARKETING = (
    "Sarah Chen is nice. Sarah Chen works in Marketing. The Harbour Museum has 45 employees."
)
ITEMS = "- open\n- The Harbour Museum was founded in 1992\n- it has 45 employees\n- yes. No."
ACCENTS = "Café à côté: it is là. The Harbour Museum was founded in 1992. It has 45 employees. Yes."


class Refuses(Model):
    """Answers, and goes on with nothing: that is its ``how``, a fault of the model's."""

    how = "status"

    def __post_init__(self) -> None:
        model = self

        class Seen(list[Any]):
            def append(self, body: Any) -> None:
                model.fault = model.how if body.get("continue_final_message") else ""
                super().append(body)

        self.seen = Seen()


def answer(url: str, **more: Any) -> tuple[str, str, dict[str, Any], list[Any]]:
    asked = [{"role": "user", "content": "Tell me."}]
    body = {"model": MODEL, "messages": asked, "stream": True, **more}
    found = strict(httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30).content)
    chunks = [one for one in found if one != "[DONE]"]
    last = next(one for one in reversed(chunks) if one["choices"])
    return text_of(found), last["choices"][0]["finish_reason"], last["groundwire"], chunks


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = Path(tmp_path_factory.mktemp("kb")) / "base.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in (STAFF, MUSEUM)))
    given = {"knowledge_bases": {"base": str(path)}, "default_knowledge_base": "base"}
    given["policies"] = {"token": {"release": "token"}}
    return {**given, "continuation": "final_message", "requests_may_lower": True}


@pytest.mark.parametrize("size", [1, 2, 4, 7, 12, 30, 300])
@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (MARKETING, "Sarah Chen is nice. Sarah Chen works in Engineering."),
        (ITEMS, "- open\n- The Harbour Museum was founded in 1987"),
        (ACCENTS, "Café à côté: it is là. The Harbour Museum was founded in 1987."),
        ("It was founded by two. The Harbour Museum was founded in 1992", None),
    ],
)
def test_the_answer_ends_behind_the_claim(
    base: dict[str, Any], script: str, expected: str | None, size: int
) -> None:
    with gateway(Refuses((script,), size=size), **base) as (url, _):
        text, finish, found, _ = answer(url)
        assert text.rstrip() == (expected or script.replace("1992", "1987"))
        assert finish == "content_filter" and found["findings"] == []
        assert found["notes"] == ["the upstream did not continue the answer"]


@pytest.mark.parametrize("size", [2, 4, 7, 12, 30, 300])
@pytest.mark.parametrize("script", [MARKETING, ACCENTS])
def test_no_beginning_of_a_sentence_stands_behind_a_note(
    base: dict[str, Any], script: str, size: int
) -> None:
    with gateway(Refuses((script,), size=size), **base) as (url, _):
        text, finish, _, _ = answer(url, groundwire="token")
        assert finish == "content_filter"
        assert text.rstrip().endswith((")", "Engineering.", "1987.")), text


@pytest.mark.parametrize("how", ["status", "reset", "eof", "malformed", "error"])
def test_a_whole_answer_is_there_whatever_becomes_of_its_continuation(
    base: dict[str, Any], how: str
) -> None:
    model = Refuses((MARKETING,))
    model.how = how
    body = {"model": MODEL, "messages": [{"role": "user", "content": "Tell me."}]}
    with gateway(model, **base) as (url, _):
        found = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=30).json()
        (choice,) = found["choices"]
        assert choice["message"]["content"] == MARKETING.replace("Marketing", "Engineering")
        assert choice["finish_reason"] == "stop"
        assert found["groundwire"]["notes"] == ["the upstream did not continue the answer"]
