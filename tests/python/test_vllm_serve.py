"""``groundwire serve-vllm`` as it is started by people: vLLM's server over HTTP on loopback."""

import json
import os
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import vllm_cases as cases
from vllm_servers import GROUNDWIRE, SMALL, free_port, running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200), pytest.mark.filterwarnings("ignore")]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)

KEY, STOP = "a-key", 5
REPEAT = f"Copy the sentence.\n{cases.WRONG}\n{cases.WRONG}\n{cases.WRONG}\n"
ASKED = [{"role": "user", "content": "Tell me about the harbour museum."}]
CHECKED = {"groundwire": "default", "groundwire_kb": "museum"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder, port = tmp_path_factory.mktemp("serve"), free_port()
    words = [
        *GROUNDWIRE,
        "serve-vllm",
        os.environ["GROUNDWIRE_TEST_MODEL"],
        "--config",
        str(cases.configured(folder)),
        "--stop-id",
        str(STOP),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--api-key",
        KEY,
        *SMALL,
    ]
    with running(words, port, folder, "/health") as url:
        headers = {"Authorization": f"Bearer {KEY}"}
        with httpx.Client(base_url=url, headers=headers, timeout=300) as client:
            yield client


def body(**given: Any) -> dict[str, Any]:
    return {"model": "small", "temperature": 0, "max_tokens": 40, **given}


def events(answer: httpx.Response) -> list[dict[str, Any]]:
    """The events of a stream, read by the letter: ``data: …`` between empty lines."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    pieces = answer.text.removesuffix("\n\n").split("\n\n")
    if pieces[-1] == "data: [DONE]":
        pieces.pop()
    return [json.loads(piece.rpartition("data: ")[2]) for piece in pieces]


@pytest.mark.req("S4-028")
def test_a_completion_gets_its_note_and_its_findings(server: httpx.Client) -> None:
    answer = server.post("/v1/completions", json=body(prompt=REPEAT, vllm_xargs=CHECKED))
    assert answer.status_code == 200, answer.text
    done = answer.json()
    assert done["choices"][0]["text"].startswith(cases.WRONG + cases.NOTE)
    found = done["groundwire"]
    assert (found["policy"], found["knowledge_base"]) == ("default", "museum")
    assert found["checked"] is True
    assert "1992" in {f["text"] for f in found["findings"]}
    off = server.post("/v1/completions", json=body(prompt=REPEAT)).json()
    assert cases.NOTE not in off["choices"][0]["text"]
    assert off["groundwire"] == {"policy": "off", "checked": False}


def test_the_sentence_a_prompt_leaves_unfinished_is_read(server: httpx.Client) -> None:
    begun, value = cases.WRONG.split(" 1992")
    prompt = f"Copy the sentence.\n{cases.WRONG}\n{cases.WRONG}\n{begun}"
    done = server.post("/v1/completions", json=body(prompt=prompt, vllm_xargs=CHECKED)).json()
    assert done["choices"][0]["text"].startswith(f" 1992{value}{cases.NOTE}")
    wrong = [f for f in done["groundwire"]["findings"] if f["text"] == "1992"]
    assert wrong[0]["span"] == [1, 5]
    # A chat that ends like this asks; its answer begins anew.
    chat = body(messages=[{"role": "user", "content": prompt}], vllm_xargs=CHECKED)
    said = server.post("/v1/chat/completions", json=chat).json()
    assert said["groundwire"]["checked"] is True


def test_a_stream_says_the_same(server: httpx.Client) -> None:
    asked = body(prompt=REPEAT, vllm_xargs=CHECKED)
    whole = server.post("/v1/completions", json=asked).json()
    found = events(server.post("/v1/completions", json={**asked, "stream": True}))
    text = "".join(one["choices"][0]["text"] for one in found if one["choices"])
    assert text == whole["choices"][0]["text"]
    last = found[-1]
    assert last["id"] == found[0]["id"]
    assert last["choices"] == []
    kinds = [f["type"] for f in last["groundwire"]["findings"]]
    assert kinds == [f["type"] for f in whole["groundwire"]["findings"]]
    assert sum("groundwire" in one for one in found) == 1


def test_chats_both_ways_and_by_the_official_client(server: httpx.Client) -> None:
    openai = pytest.importorskip("openai")
    asked = body(messages=ASKED, vllm_xargs={"groundwire": "observe", "groundwire_kb": "museum"})
    plain = server.post("/v1/chat/completions", json=body(messages=ASKED)).json()
    whole = server.post("/v1/chat/completions", json=asked).json()
    said = plain["choices"][0]["message"]["content"]
    assert whole["choices"][0]["message"]["content"] == said
    assert whole["groundwire"]["checked"] is True
    client = openai.OpenAI(base_url=f"{server.base_url}/v1", api_key=KEY)
    asked["extra_body"] = {"vllm_xargs": asked.pop("vllm_xargs")}
    chunks = list(client.chat.completions.create(**asked, stream=True))
    streamed = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert streamed == said
    assert chunks[-1].model_extra["groundwire"]["checked"] is True


def test_several_answers_and_one_that_ends_for_a_finding(server: httpx.Client) -> None:
    asked = body(prompt=REPEAT, vllm_xargs=CHECKED, n=2, temperature=0.01)
    three = server.post("/v1/completions", json=asked).json()
    assert len(three["groundwire"]["texts"]) == 2
    assert all(one["findings"] for one in three["groundwire"]["texts"])
    unknown = "Zorblax Quimby opened the museum in the spring."
    ending = {"groundwire": "ending", "groundwire_kb": "museum"}
    ending["groundwire_evidence"] = ["The museum has 45 employees."]
    prompt = "Copy the sentence.\n" + f"{unknown}\n" * 3
    done = server.post("/v1/completions", json=body(prompt=prompt, vllm_xargs=ending)).json()
    assert done["choices"][0]["stop_reason"] == STOP
    assert done["groundwire"]["findings"]


def test_findings_of_several_prompts_stand_at_their_choices(server: httpx.Client) -> None:
    fine = cases.WRONG.replace("1992", "1987")
    prompts = [REPEAT, f"Copy the sentence.\n{fine}\n{fine}\n", REPEAT]
    asked = body(prompt=prompts, vllm_xargs={"groundwire": "observe", "groundwire_kb": "museum"})
    for stream in (False, True):
        answer = server.post("/v1/completions", json={**asked, "stream": stream})
        done = events(answer) if stream else [answer.json()]
        written = ["", "", ""]
        for choice in (choice for one in done for choice in one["choices"]):
            written[choice["index"]] += choice["text"]
        texts = done[-1]["groundwire"]["texts"]
        assert [one["index"] for one in texts] == [0, 1, 2]
        for one, text in zip(texts, written, strict=True):
            assert ("1992" in {f["text"] for f in one["findings"]}) is ("1992" in text), text
        assert ["1992" in text for text in written] == [True, False, True]


def test_a_chats_question_is_read_in_both_processes(server: httpx.Client) -> None:
    said = "It was founded in 1992."
    asked = {"role": "user", "content": "When was the Harbour Museum founded?"}
    begun = {"role": "assistant", "content": f"{said} {said} {said} It was founded in"}
    going = {"continue_final_message": True, "add_generation_prompt": False}
    chat = body(messages=[asked, begun], vllm_xargs=CHECKED, **going)
    done = server.post("/v1/chat/completions", json=chat)
    assert done.status_code == 200, done.text
    # The worker put its note in, and the server's own process found the same.
    assert cases.NOTE.strip() in done.json()["choices"][0]["message"]["content"]
    assert "1992" in {f["text"] for f in done.json()["groundwire"]["findings"]}
    chat["messages"][0] = {"role": "user", "content": "When was the Tower founded?"}
    other = server.post("/v1/chat/completions", json=chat).json()
    assert cases.NOTE.strip() not in other["choices"][0]["message"]["content"]
    chat["vllm_xargs"] = {**CHECKED, "groundwire_question": asked["content"]}
    given = server.post("/v1/chat/completions", json=chat).json()
    assert cases.NOTE.strip() in given["choices"][0]["message"]["content"]


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/v1/chat/completions", {"messages": "chat"}),
        ("/v1/chat/completions/batch", {"messages": "chats"}),
        ("/v1/messages", {"messages": "chat"}),
    ],
)
def test_every_kind_of_chat_has_its_question(
    server: httpx.Client, path: str, asked: dict[str, Any]
) -> None:
    chat = [{"role": "user", "content": "When was the Harbour Museum founded?"}]
    other = [{"role": "user", "content": "When was the Tower founded?"}]
    form = {"structured_outputs": {"choice": ["It was founded in 1992."]}}
    messages = [other, chat] if asked["messages"] == "chats" else chat
    given = body(messages=messages, vllm_xargs=CHECKED, **form)
    done = server.post(path, json=given)
    assert done.status_code == 200, done.text
    found = done.json()["groundwire"]
    texts = found.get("texts", [found])
    assert all(one["checked"] for one in texts)
    wrong = ["1992" in {f["text"] for f in one["findings"]} for one in texts]
    assert [one.get("index", 0) for one in texts] == list(range(len(texts)))
    if path != "/v1/messages":  # There is no grammar there, and the model says something else.
        assert wrong == ([False, True] if len(texts) == 2 else [True])


def test_responses_are_followed(server: httpx.Client) -> None:
    asked = {"model": "small", "input": "Tell me about the museum.", "max_output_tokens": 16}
    asked |= {"temperature": 0, "store": False, "vllm_xargs": {"groundwire": "observe"}}
    done = server.post("/v1/responses", json=asked)
    assert done.status_code == 200, done.text
    assert done.json()["groundwire"]["checked"] is True
    streamed = events(server.post("/v1/responses", json={**asked, "stream": True}))
    assert streamed[-1]["response"]["groundwire"]["checked"] is True
    wrong = {**asked, "vllm_xargs": {"groundwire": "nonsense"}}
    assert server.post("/v1/responses", json=wrong).status_code == 400
    for xargs, said in (
        ({"groundwire": "nonsense"}, "there is no policy"),
        ({"groundwire_evidence": 5}, "groundwire_evidence"),
        ({"groundwire_x": "y"}, "is no argument"),
    ):
        refused = server.post("/v1/responses", json={**asked, "stream": True, "vllm_xargs": xargs})
        assert refused.status_code == 400, refused.text
        assert said in refused.json()["error"]["message"]


def test_what_cannot_be_is_refused(server: httpx.Client) -> None:
    unknown = server.post("/generate", json={"prompt": "x"})
    assert unknown.status_code == 403
    assert "/v1/chat/completions" in unknown.json()["error"]["message"]
    for path, given in (
        ("/v1/completions", body(prompt="x")),
        ("/v1/chat/completions", body(messages=ASKED)),
    ):
        for key in ("Bearer wrong", "", KEY):
            answer = server.post(path, json=given, headers={"Authorization": key})
            assert answer.status_code == 401
        for xargs, said in [
            ({"groundwire": "nonsense"}, "there is no policy"),
            ({"groundwire_kb": "atlantis"}, "knowledge base"),
            ({"groundwire_evidenc": "x"}, "is no argument"),
            ({"groundwire_signals": 1, "groundwire_id": "x"}, "signals_socket"),
        ]:
            answer = server.post(path, json={**given, "vllm_xargs": xargs})
            assert answer.status_code == 400, answer.text
            assert said in answer.text
    assert server.get("/v1/models").status_code == 200
    assert server.get("/health").status_code == 200
