"""What an answer is held against: what its request says was said before, and what it cannot say."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import httpx
import pytest

from gateway_responses import Sender, message, response
from gateway_upstream import MODEL, Model, before, client, gateway, knowledge

IT = "It was founded in 1992."
RIGHT = "It was founded in 1987."
FOLLOWS = "And when was it founded?"
BEFORE = [
    {"role": "user", "content": "Tell me about the Harbour Museum."},
    {"role": "assistant", "content": "It is open daily."},
]
ELSEWHERE = "what was said before is with the upstream: the answer is not held against it"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return knowledge(tmp_path_factory.mktemp("kb"))


def post(url: str, route: str, **body: Any) -> dict[str, Any]:
    answer = httpx.post(f"{url}/v1/{route}", json={"model": MODEL, **body}, timeout=30)
    assert answer.status_code == 200, answer.text
    if not body.get("stream"):
        return dict(answer.json())
    lines = [one[6:] for one in answer.text.split("\n") if one.startswith("data: {")]
    return dict(json.loads(lines[-1]))


@pytest.mark.parametrize("stream", [False, True])
def test_a_subject_that_only_an_earlier_turn_names_is_known(
    base: dict[str, Any], stream: bool
) -> None:
    turns = [*BEFORE, {"role": "user", "content": FOLLOWS}]
    with gateway(Model((IT,)), **base) as (url, _):
        for messages, said in ((turns, RIGHT), (turns[2:], IT)):
            found = client(url).chat.completions.create(
                model=MODEL, messages=messages, stream=stream
            )  # type: ignore[call-overload]
            if stream:
                text = "".join(c.choices[0].delta.content or "" for c in found if c.choices)
            else:
                text = found.choices[0].message.content
            assert text == said
            made = client(url).responses.create(model=MODEL, input=messages)
            assert made.output_text == said


def test_what_stands_before_a_completions_label_is_known(base: dict[str, Any]) -> None:
    prompt = f"Read of the Harbour Museum.\n\nQuestion: {FOLLOWS}\nAnswer:"

    class Wrong(Model):
        """Writes the same behind every prompt, and goes on behind what was put right."""

        def goes_on(self, prefix: str) -> str:
            return "." if "1987" in prefix else f" {IT}"

    with gateway(Wrong(), **base) as (url, _):
        for given in (prompt, [prompt]):
            (choice,) = post(url, "completions", prompt=given)["choices"]
            assert choice["text"].strip() == RIGHT


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"previous_response_id": "resp_5"}, "previous_response_id"),
        ({"conversation": {"id": "conv_2"}}, "conversation"),
        ({"input": [{"type": "item_reference", "id": "msg_5"}]}, "item_reference"),
        ({"prompt": {"id": "pmpt_7"}}, "prompt"),
    ],
)
def test_turns_that_the_upstream_keeps_are_unknown_and_it_is_said(
    base: dict[str, Any], more: dict[str, Any], named: str, stream: bool
) -> None:
    model = Model((f"{IT} The Harbour Museum was founded in 1992.",))
    with gateway(model, **base) as (url, _):
        body = {"input": FOLLOWS, "store": True, "stream": stream, **more}
        if isinstance(body["input"], list):
            body["input"] = [*body["input"], {"role": "user", "content": FOLLOWS}]
        found = post(url, "responses", **body)
        found = found["response"] if stream else found
        (text,) = [part["text"] for item in found["output"] for part in item["content"]]
        # Nobody here knows what "it" is; what the answer itself names is judged all the same.
        assert text == f"{IT} The Harbour Museum was founded in 1987."
        assert found["groundwire"]["notes"] == [f"{ELSEWHERE} ({named})"]
        sent = model.seen[-1]
        assert sent["store"] is True and all(sent[n] == body[n] for n in more if n != "input")


def test_a_stored_answer_is_neither_fetched_nor_noted(base: dict[str, Any]) -> None:
    with gateway(Model((IT,)), **base) as (url, _):
        found = post(url, "responses", input=FOLLOWS, store=True)
        assert "notes" not in found["groundwire"]
        for route in ("responses/resp_1", "responses/resp_1/input_items", "conversations/conv_2"):
            assert httpx.get(f"{url}/v1/{route}").status_code in {403, 404}


class Tools(Sender):
    """Ran tools for its answer, whose text says what they brought."""

    ran = (
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"query": "x"}},
        {"type": "mcp_call", "id": "mcp_1", "name": "look", "arguments": "{}", "output": "1992"},
        {
            "type": "code_interpreter_call", "id": "ci_1", "status": "completed", "code": "1",
            "outputs": [{"type": "logs", "logs": "1992"}],
        },
    )  # fmt: skip
    unknown: ClassVar = {"type": "oracle_call", "id": "or_1", "answer": "It was founded in 1992."}
    text = "The Harbour Museum was founded in 1992."

    def __init__(self) -> None:
        items = [*self.ran, self.unknown, message(self.text)]
        done = {"type": "response.completed", "response": response(MODEL, "completed", items)}
        self.sends = [
            {"type": f"response.output_item.{what}", "output_index": at, "item": item}
            for at, item in enumerate(items)
            for what in ("added", "done")
        ] + [done]


@pytest.mark.parametrize("stream", [False, True])
def test_what_tools_of_the_upstream_bring_passes_and_the_text_is_judged(
    base: dict[str, Any], stream: bool
) -> None:
    tools = [{"type": "web_search"}, {"type": "mcp", "server_label": "x", "server_url": "http://x"}]
    with before(Tools().__call__, "/v1/responses", continuation="none", **base) as url:
        body = {"model": MODEL, "input": FOLLOWS, "tools": tools, "stream": stream}
        answer = httpx.post(f"{url}/v1/responses", json=body, timeout=30)
        assert "founded in 1992" not in answer.text
        found = post(url, "responses", **{n: v for n, v in body.items() if n != "model"})
        found = found["response"] if stream else found
    *ran, unknown, said = found["output"]
    assert ran == list(Tools.ran)
    assert unknown == {"type": "oracle_call", "id": "or_1"}
    assert said["content"][0]["text"] == Tools.text.replace("1992", "1987")
    kinds = ("web_search_call", "mcp_call", "code_interpreter_call")
    assert found["groundwire"]["notes"] == [
        f"the upstream ran a tool ({kind}): what it brought is neither judged nor evidence"
        for kind in kinds
    ]
