"""Answers with code in them say that it is not judged."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from gateway_upstream import MODEL, Model, gateway, knowledge
from groundwire.gateway.unread import CODE, holds_code
from slow_sse import strict

WRONG = "The Harbour Museum was founded in 1992."


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        (f"Look:\n```\n{WRONG}\n```\nDone.", True),
        (f"Look:\n```text\n{WRONG}\n```", True),
        (f"Look:\n~~~\n{WRONG}", True),
        (f"- Look:\n  ```py\n  {WRONG}\n  ```", True),
        (f"1. ```yaml\n   founded: {WRONG}\n   ```", True),
        (f"Look: `{WRONG}` there.", True),
        (f"Look:\n```json\n{WRONG}\n```\n~~~\n{WRONG}\n~~~", True),
        ("Look:\n```json\n{'a': 'b c'}\n```", True),
        ('Look:\n```json\n{"a": 1} // as said\n```', True),
        (f'Look:\n```json\n"{WRONG}"\n```', True),
        ('Look:\n```jsonl\n{"a": "b c"}\n{"a": "d"}\n```', False),
        ("Look:\n```\n```\nDone.", False),
        ('Look:\n```json\n{"a": "b c"}\n```', False),
        ('Look:\n```\n\n{"a": "b c"}\n```', False),
        ("It was founded in `1987`, says `pip` of `museum`.", False),
        ("It isn't `open, nor is it closed.", False),
        (WRONG, False),
        ("", False),
    ],
)
def test_code_is_known(text: str, holds: bool) -> None:
    assert holds_code(text) is holds


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("text", [f"Look:\n```\n{WRONG}\n```\n", "It is open."])
def test_an_answer_with_code_says_so(tmp_path: Any, stream: bool, text: str) -> None:
    given = {**knowledge(tmp_path), "continuation": "none"}
    messages = [{"role": "user", "content": "When was the museum founded?"}]
    for route, key in (("chat/completions", "messages"), ("completions", "prompt")):
        with gateway(Model((text,)), **given) as (url, _):
            asked: Any = messages if key == "messages" else "When?\n"
            body = {"model": MODEL, key: asked, "stream": stream}
            answer = httpx.post(f"{url}/v1/{route}", json=body, timeout=30)
        if stream:
            found = [
                one["groundwire"] for one in strict(answer.content)[:-1] if "groundwire" in one
            ]
        else:
            found = [json.loads(answer.content)["groundwire"]]
        assert (CODE in found[-1].get("notes", [])) is ("`" in text)
