"""Every Python block and the configuration of docs/gateway.md are run."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gateway_upstream import KB, MODEL, Model, gateway
from groundwire.config import Config

PAGE = Path(__file__).resolve().parents[2] / "docs" / "gateway.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAID = "The Harbour Museum was founded in 1992. It is open."


@pytest.fixture
def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(PAGE.read_text(encoding="utf-8"))


def test_the_page_runs(
    blocks: list[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = "\n".join(json.dumps(one) for one in KB)
    (tmp_path / "museum.jsonl").write_text(lines, encoding="utf-8")
    (config,) = [text for kind, text in blocks if kind == "toml"]
    serving = tomllib.loads(config)["serving"]
    assert serving["models"] == {MODEL: {"evidence": ["The museum is closed on Mondays."]}}
    model = Model((SAID, SAID.replace("1992", "1987")), continues="tokens")
    python = [text for kind, text in blocks if kind == "python"]
    assert len(python) == 4
    with gateway(model, **serving) as (url, _):
        names: dict[str, Any] = {"GATEWAY": url}
        for text in python:
            exec(compile(text, "docs/gateway.md", "exec"), names)
        names["client"].close()


def test_the_page_names_what_there_is(blocks: list[tuple[str, str]]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    section = Config.load(environ={}).serving
    for name in re.findall(r"`(?:serving\.)?((?:limits|timeouts|audit)\.\w+)`", page):
        part, _, key = name.partition(".")
        assert key in type(getattr(section, part)).model_fields, name
    for key in ("default_policy", "continuation", "requests_may_lower", "access_keys", "hosts"):
        assert key in page and key in type(section).model_fields
