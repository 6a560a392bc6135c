"""``groundwire serve`` before a plain vLLM server, as both are started by people."""

import json
import os
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import vllm_cases as cases
from vllm_servers import GROUNDWIRE, SMALL, UPSTREAM, free_port, running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200), pytest.mark.filterwarnings("ignore")]
pytest.importorskip("vllm", reason="vLLM is not installed in this environment")
pytest.importorskip("aiohttp", reason="the gateway's extra is not installed in this environment")
if "GROUNDWIRE_TEST_MODEL" not in os.environ:
    pytest.skip("GROUNDWIRE_TEST_MODEL names no model", allow_module_level=True)

REPEAT = f"Copy the sentence.\n{cases.WRONG}\n{cases.WRONG}\n{cases.WRONG}\n"
STRICT = """
[serving.policies.strict]
low = "correct"
medium = "correct"
high = "correct"
[serving.timeouts]
first = "10m"
idle = "5m"
"""


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    folder = tmp_path_factory.mktemp("upstream")
    config = cases.configured(folder)
    config.write_text(config.read_text() + STRICT)
    model, first, second = os.environ["GROUNDWIRE_TEST_MODEL"], free_port(), free_port()
    plain = [*UPSTREAM, "--model", model, "--host", "127.0.0.1", "--port", str(first), *SMALL]
    with running(plain, first, folder, "/health") as upstream:
        gateway = [*GROUNDWIRE, "serve", "--upstream", upstream, "--port", str(second)]
        gateway += ["--config", str(config)]
        with running(gateway, second, folder, "/healthz") as url:
            yield upstream, url


def asked(prompt: str, policy: str, **more: Any) -> dict[str, Any]:
    given = {"policy": policy, "knowledge_base": "museum"}
    return {
        "model": "small",
        "prompt": prompt,
        "temperature": 0,
        "max_tokens": 40,
        "groundwire": given,
        **more,
    }


def continued(url: str) -> dict[str, Any]:
    """Return an answer that was continued, once the gateway knows that the server does that."""
    until = time.monotonic() + 600
    while True:
        given = asked(REPEAT, "strict")
        done: dict[str, Any] = httpx.post(f"{url}/v1/completions", json=given, timeout=600).json()
        if done["groundwire"].get("continued"):
            return done
        assert time.monotonic() < until, "nothing is continued"
        time.sleep(1)


@pytest.mark.req("S4-028", "S4-033")
def test_a_claim_is_taken_back_and_the_server_continues(servers: tuple[str, str]) -> None:
    upstream, url = servers
    plain = httpx.post(
        f"{upstream}/v1/completions",
        json={k: v for k, v in asked(REPEAT, "off").items() if k != "groundwire"},
        timeout=600,
    ).json()
    assert plain["choices"][0]["text"].startswith(cases.WRONG)
    done = continued(url)
    text, found = done["choices"][0]["text"], done["groundwire"]
    assert "1992" not in text
    assert text.startswith("The Harbour Museum was founded in 1987")
    assert found["interventions"]
    # The server went on from what stands, and did not begin anew or stop there.
    assert len(text) > len(cases.WRONG) + 10
    assert done["choices"][0]["finish_reason"] == "length"
    streamed = httpx.post(
        f"{url}/v1/completions", json=asked(REPEAT, "strict", stream=True), timeout=600
    )
    pieces = streamed.text.removesuffix("\n\n").split("\n\n")
    assert pieces[-1] == "data: [DONE]"
    chunks = [json.loads(piece.removeprefix("data: ")) for piece in pieces[:-1]]
    parts = [c["choices"][0].get("text", "") for c in chunks if c["choices"]]
    assert "".join(parts) == text
    assert chunks[-1]["groundwire"]["interventions"]


def test_what_is_only_observed_is_what_the_server_said(servers: tuple[str, str]) -> None:
    upstream, url = servers
    for prompt in ("Rain is", REPEAT):
        given = asked(prompt, "observe")
        plain = {k: v for k, v in given.items() if k != "groundwire"}
        said = httpx.post(f"{upstream}/v1/completions", json=plain, timeout=600).json()
        done = httpx.post(f"{url}/v1/completions", json=given, timeout=600).json()
        assert done["choices"][0]["text"] == said["choices"][0]["text"]
        assert done["usage"] == said["usage"]
    assert done["groundwire"]["findings"]
