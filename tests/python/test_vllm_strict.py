"""``serve-vllm`` with a configuration that lets nothing through which it could only observe."""

import os
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from vllm_servers import GROUNDWIRE, SMALL, free_port, running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200), pytest.mark.filterwarnings("ignore")]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)

CHAT = {"messages": [{"role": "user", "content": "Say yes."}], "max_tokens": 8}
TEXT = {"prompt": "Say yes.", "max_tokens": 8}
ASKED = {"input": "Say yes.", "max_output_tokens": 8, "store": False}
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
NAMED = {"name": "a", "schema": SCHEMA}
TOOL = {"type": "function", "function": {"name": "a", "parameters": SCHEMA}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder, port = tmp_path_factory.mktemp("strict"), free_port()
    config = folder / "strict.toml"
    config.write_text("[serving]\nrefuse_observed_only = true\n")
    model = os.environ["GROUNDWIRE_TEST_MODEL"]
    words = [*GROUNDWIRE, "serve-vllm", model, "--config", str(config), "--host", "127.0.0.1"]
    words += ["--port", str(port), *SMALL]
    words += ["--enable-auto-tool-choice", "--tool-call-parser", "hermes"]
    with (
        running(words, port, folder, "/health") as url,
        httpx.Client(base_url=url, timeout=300) as client,
    ):
        yield client


@pytest.mark.parametrize(
    ("path", "given"),
    [
        ("/v1/chat/completions", CHAT | {"response_format": {"type": "json_object"}}),
        (
            "/v1/chat/completions",
            CHAT | {"response_format": {"type": "json_schema", "json_schema": NAMED}},
        ),
        ("/v1/chat/completions", CHAT | {"structured_outputs": {"choice": ["yes"]}}),
        ("/v1/chat/completions", CHAT | {"tools": [TOOL], "tool_choice": "required"}),
        ("/v1/chat/completions", CHAT | {"structured_outputs": {"regex": "y"}, "stream": True}),
        ("/v1/completions", TEXT | {"structured_outputs": {"choice": ["yes"]}}),
        ("/v1/completions", TEXT | {"response_format": {"type": "json_object"}}),
        ("/v1/responses", ASKED | {"text": {"format": {"type": "json_schema", **NAMED}}}),
        ("/v1/responses", ASKED | {"structured_outputs": {"choice": ["yes"]}}),
        ("/invocations", CHAT | {"structured_outputs": {"choice": ["yes"]}}),
    ],
)
def test_a_grammar_is_refused_and_nothing_else(
    server: httpx.Client, path: str, given: dict[str, Any]
) -> None:
    asked = {"model": "small", "temperature": 0, **given}
    answer = server.post(path, json=asked)
    assert answer.status_code == 400, answer.text
    assert "serving.refuse_observed_only" in answer.text
    for name in ("response_format", "structured_outputs", "tools", "tool_choice", "text"):
        asked.pop(name, None)
    answer = server.post(path, json=asked)
    assert answer.status_code == 200, answer.text
    if not given.get("stream"):
        assert answer.json()["groundwire"]["checked"] is True
