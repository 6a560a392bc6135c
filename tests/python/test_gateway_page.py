"""The page at the gateway's root, in a real browser without a screen."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway_upstream import WRONG, Model, gateway, knowledge, served
from groundwire.config import Config
from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway

CHROMIUM = next((found for n in ("chromium", "chromium-browser") if (found := shutil.which(n))), "")
CORRECTED = WRONG.replace("1992", "1987")
needs_browser = pytest.mark.skipif(
    not CHROMIUM, reason="no Chromium: apt-get install chromium brings it"
)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return knowledge(tmp_path_factory.mktemp("kb"))


class Browser:
    """A headless Chromium, spoken to by its DevTools protocol."""

    def __init__(self, folder: str) -> None:
        command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-sync"]
        command += ["--disable-dev-shm-usage", "--remote-debugging-port=0", "--no-first-run"]
        command += ["--disable-background-networking", "--disable-component-update"]
        command += [f"--user-data-dir={folder}", "about:blank"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if found := re.search(r"ws://(127\.0\.0\.1:\d+)/", line):
                self.root = f"http://{found.group(1)}"
                break

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        assert self.process.stderr is not None
        self.process.stderr.close()

    async def drive(self, url: str, script: str, until: str, limit_s: float = 30.0) -> Any:
        """Open a page, run a script in it, and return ``until`` once it is no null."""
        async with aiohttp.ClientSession() as http:
            async with http.put(f"{self.root}/json/new?{url}") as answer:
                target = json.loads(await answer.text())
            async with http.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                number = 0

                async def evaluate(code: str) -> Any:
                    nonlocal number
                    number += 1
                    params = {"expression": code, "returnByValue": True, "awaitPromise": True}
                    call = {"id": number, "method": "Runtime.evaluate", "params": params}
                    await socket.send_json(call)
                    while True:
                        message = await socket.receive_json()
                        if message.get("id") == number:
                            result = message["result"]
                            assert "exceptionDetails" not in result, result
                            return result["result"].get("value")

                end = time.monotonic() + limit_s
                ready = "document.querySelectorAll('#model option').length > 0 || null"
                for code in (ready, None, until):
                    if code is None:
                        await evaluate(script)
                        continue
                    while (found := await evaluate(code)) is None:
                        assert time.monotonic() < end, await evaluate("document.body.innerText")
                        await asyncio.sleep(0.05)
                return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        made = Browser(folder)
        yield made
        made.close()


ASK = """
document.getElementById("prompt").value = PROMPT;
document.getElementById("evidence").value = EVIDENCE;
document.getElementById("policy").value = POLICY;
document.getElementById("run").click();
"""
SEEN = """
(() => {
  const state = document.getElementById("state");
  if (!["Done.", "Stopped."].includes(state.textContent) && !state.className) return null;
  const text = (id) => document.getElementById(id).innerText;
  const spans = [...document.querySelectorAll("#answer span")];
  const first = spans.find((span) => span.className.includes("tier-")) ?? spans[0];
  first?.dispatchEvent(new MouseEvent("mouseenter"));
  return {
    state: state.textContent,
    answer: document.getElementById("answer").textContent,
    tokens: spans.length,
    marked: spans.filter((s) => /tier-/.test(s.className)).map((s) => s.textContent).join(""),
    unsure: spans.filter((s) => /unsure-/.test(s.className)).length,
    findings: text("findings"), interventions: text("interventions"), summary: text("summary"),
    token: text("token"), scripts: document.querySelectorAll("#answer script, #answer b").length,
  };
})()
"""


def see(browser: Browser, url: str, **given: str) -> Any:
    script = ASK
    for name in ("prompt", "evidence", "policy"):
        script = script.replace(name.upper(), json.dumps(given.get(name, "")))
    return asyncio.run(browser.drive(url + "/", script, SEEN))


@needs_browser
def test_tokens_are_coloured_by_risk(base: dict[str, Any], browser: Browser) -> None:
    policies = {"show": {"high": "annotate", "critical": "annotate"}}
    model = Model((WRONG,), logprob=-2.5)
    with gateway(model, **base, policies=policies, default_policy="show") as (url, _):
        seen = see(browser, url, prompt="When was the museum founded?")
    assert seen["state"] == "Done." and seen["answer"] == WRONG
    # A piece that left in two parts is shown as two; what is told of it comes with the second.
    pieces = -(-len(WRONG) // 4)
    assert pieces <= seen["tokens"] <= pieces + 2
    assert seen["unsure"] == pieces
    # The tokens that hold the wrong year, and not those far from it.
    assert "1992" in seen["marked"] and "open" not in seen["marked"]
    assert "a source has “1987”" in seen["findings"]
    assert "surprisal (nats)" in seen["token"] and "2.50" in seen["token"]
    assert "might have been" in seen["token"]
    assert "show" in seen["summary"] and "stop" in seen["summary"]


@needs_browser
def test_corrections_are_listed(base: dict[str, Any], browser: Browser) -> None:
    model = Model((WRONG, CORRECTED), continues="final_message")
    with gateway(model, **base) as (url, _):
        seen = see(browser, url, prompt="When?", policy="default")
    assert seen["answer"] == CORRECTED and "correct" in seen["interventions"]


@needs_browser
def test_a_refusal_is_shown(base: dict[str, Any], browser: Browser) -> None:
    async def refuses(_: Request) -> Response:
        parts = ({"refusal": "I can't "}, {"refusal": "help."}, {})
        chunks = [{"id": "c", "choices": [{"index": 0, "delta": part}]} for part in parts]
        chunks[-1]["choices"][0]["finish_reason"] = "stop"
        events = [b"data: " + json.dumps(one).encode() + b"\n\n" for one in chunks]
        return Response(b"".join(events) + b"data: [DONE]\n\n", media_type="text/event-stream")

    async def models(_: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": "m", "object": "model"}]})

    routes = [Route("/v1/chat/completions", refuses, methods=["POST"]), Route("/v1/models", models)]
    serving = {**base, "continuation": "none"}
    with served(Starlette(routes=routes)) as root:
        made = Gateway(root, Config.load(environ={}, serving=serving), environ={})
        with served(create_app(made)) as url:
            assert see(browser, url, prompt="Help.")["answer"] == "I can't help."


def test_the_page_reads_refusals_as_text() -> None:
    with gateway(Model()) as (url, _):
        script = httpx.get(f"{url}/page/main.js").text
        assert "delta?.content || choice?.delta?.refusal" in script


@needs_browser
def test_evidence_errors_and_markup(browser: Browser) -> None:
    text = "The <b>hall</b> <script>alert(1)</script> seats 40 people. It is large."
    model = Model((text,))
    with gateway(model) as (url, _):
        seen = see(browser, url, prompt="How many?", evidence="It seats 40 people.\n\nIt is large.")
        assert seen["answer"] == text and seen["scripts"] == 0
        assert model.seen[-1]["messages"][0]["content"].startswith("It seats 40 people.")
        refused = see(browser, url, prompt="x", policy="nobody")
        assert "there is no policy 'nobody'" in refused["state"]


def test_the_pages_files_are_its_own() -> None:
    with gateway(Model()) as (url, _):
        page = httpx.get(url + "/")
        assert page.headers["content-type"].startswith("text/html")
        assert "default-src 'self'" in page.headers["content-security-policy"]
        for name in re.findall(r'(?:src|href)="([^"]+)"', page.text):
            found = httpx.get(f"{url}/{name}")
            assert found.status_code == 200 and "http" not in found.text
        assert httpx.get(f"{url}/page/nothing.js").status_code == 404


def test_the_page_is_package_data() -> None:
    import groundwire.gateway.page as page

    names = {path.name for path in Path(page.__file__).parent.iterdir()}
    assert {"index.html", "main.js", "answer.js", "events.js", "style.css"} <= names
