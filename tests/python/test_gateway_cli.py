"""``groundwire serve``: what it refuses to start with, and says then."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from groundwire.audit import AuditLog
from groundwire.cli import main


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", *arguments]) == 2
    return " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("upstream", ["localhost:8000", "ftp://host", "http://", ""])
def test_an_upstream_is_a_url(capsys: pytest.CaptureFixture[str], upstream: str) -> None:
    assert "http://host:8000" in refused(capsys, "--upstream", upstream)


def test_an_upstream_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--upstream" in refused(capsys)


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused(capsys, "--upstream", "http://127.0.0.1:9", "--port", port)
    assert f"cannot listen on 127.0.0.1 port {port}" in said


@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM ends a process there")
def test_a_server_that_is_told_to_end_ends_well() -> None:
    words = [sys.executable, "-m", "groundwire", "serve", "--upstream", "http://127.0.0.1:9"]
    with subprocess.Popen([*words, "--port", "0"], stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        url = server.stderr.readline().split(" on ")[1].partition(",")[0]
        until = time.monotonic() + 30
        while True:
            try:
                assert httpx.get(f"{url}/healthz").status_code == 200
                break
            except httpx.TransportError:
                assert time.monotonic() < until
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('[serving]\ndefault_polcy = "x"\n', "did you mean `serving.default_policy`"),
        ('[serving]\ndefault_policy = "x"\n', "'x'; there are default, observe, off"),
        ('[serving.knowledge_bases]\na = "nowhere.jsonl"\n', "serving.knowledge_bases.a"),
        ('[serving.policies.p]\nrelease = "word"\n', "'token', 'claim' or 'response'"),
    ],
)
def test_configurations_that_are_wrong(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, part: str
) -> None:
    path = tmp_path / "gateway.toml"
    path.write_text(text)
    said = refused(capsys, "--upstream", "http://127.0.0.1:9", "--config", str(path))
    assert part in said


def test_an_audit_log_of_another_server(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    config = tmp_path / "gateway.yaml"
    config.write_text(f"serving: {{audit: {{path: {path}}}}}\n")
    with AuditLog(path):
        said = refused(capsys, "--upstream", "http://127.0.0.1:9", "--config", str(config))
    assert "another process writes to the audit log" in said


@pytest.mark.parametrize("name", ["aiohttp", "starlette.applications", "prometheus_client"])
def test_an_extra_that_is_missing_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    gone: Any = [one for one in sys.modules if one.startswith(("groundwire.gateway", name))]
    for one in gone:
        monkeypatch.delitem(sys.modules, one)
    monkeypatch.setitem(sys.modules, name, None)  # type: ignore[arg-type]
    said = refused(capsys, "--upstream", "http://127.0.0.1:9")
    assert f"{name} is not installed" in said and "groundwire[serve]" in said


def test_the_gateway_is_imported_by_nothing_else() -> None:
    import subprocess

    code = "import sys, groundwire, groundwire.cli.app; print([m for m in ('starlette', 'aiohttp', "
    code += "'uvicorn', 'prometheus_client', 'opentelemetry') if m in sys.modules])"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"
