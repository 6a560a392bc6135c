"""What the gate says of which answer, and what it refuses before the server has seen it."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest

import test_vllm_front as fronts

RIGHT, WRONG = fronts.FINE, fronts.CONTRADICTED


class Writing(fronts.Engine):
    """Writes for each prompt what the prompt says; its answers of ``n`` come the last first."""

    async def generate(
        self, prompt: Any, sampling_params: Any, request_id: str, **more: Any
    ) -> AsyncGenerator[Any, None]:
        self.text = prompt
        async for output in super().generate(prompt, sampling_params, request_id, **more):
            output.outputs.reverse()
            yield output


class Backwards(fronts.Server):
    """Begins its prompts in their order, and reads the last one first."""

    prompts = (RIGHT, WRONG, RIGHT)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        engine = scope["app"].state.engine_client
        begun = [engine.generate(text, self.params, text) for text in self.prompts]
        for outputs in reversed(begun):
            async for _ in outputs:
                pass
        engine.closed = 1
        events = self.kind == "events"
        kind = b"text/event-stream" if events else b"application/json"
        body = b'data: {"id": "c"}\n\ndata: [DONE]\n\n' if events else b'{"choices": []}'
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]}
        )
        await send({"type": "http.response.body", "body": body})


def texts_in(body: bytes, kind: str) -> list[dict[str, Any]]:
    if kind == "events":
        body = body.split(b"\n\n")[-3].removeprefix(b"data: ")
    texts: list[dict[str, Any]] = json.loads(body)["groundwire"]["texts"]
    return texts


@pytest.mark.parametrize("kind", ["json", "events"])
@pytest.mark.parametrize("n", [1, 2])
def test_findings_stand_at_the_index_of_their_choice(
    monkeypatch: pytest.MonkeyPatch, kind: str, n: int
) -> None:
    monkeypatch.setattr(fronts, "Server", Backwards)
    _, body = fronts.ask(monkeypatch, Writing(""), fronts.asking("FINAL_ONLY", n), kind)
    texts = texts_in(body, kind)
    assert [one["index"] for one in texts] == list(range(3 * n))
    wrong = [bool(one["findings"]) for one in texts]
    assert wrong == [text == WRONG for text in Backwards.prompts for _ in range(n)]


def test_the_answers_of_one_prompt_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    class Differing(fronts.Engine):
        async def generate(self, *given: Any, **more: Any) -> AsyncGenerator[Any, None]:
            async for output in super().generate(*given, **more):
                output.outputs[1].token_ids = [*RIGHT.encode(), 0]
                output.outputs.reverse()
                yield output

    asked = fronts.asking("FINAL_ONLY", 2)
    _, body = fronts.ask(monkeypatch, Differing(WRONG), asked)
    found = [(one["index"], bool(one["findings"])) for one in texts_in(body, "json")]
    assert found == [(0, True), (1, False)]


def test_a_choice_that_was_never_written_moves_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Writing):
        async def generate(
            self, prompt: Any, *given: Any, **more: Any
        ) -> AsyncGenerator[Any, None]:
            if prompt:
                async for output in super().generate(prompt, *given, **more):
                    yield output

    monkeypatch.setattr(fronts, "Server", Backwards)
    monkeypatch.setattr(Backwards, "prompts", ("", WRONG))
    _, body = fronts.ask(monkeypatch, Silent(""), fronts.asking("FINAL_ONLY"))
    assert [(one["index"], one["checked"]) for one in texts_in(body, "json")] == [(1, True)]
