"""An answer's audit record is there before its end is; a client that closes at that has it all."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import openai
import pytest
from prometheus_client.parser import text_string_to_metric_families

from gateway_upstream import MODEL, RIGHT, WRONG, Model, client, gateway, knowledge, settled
from groundwire.audit import AuditLog, read_audit

ROUTES: dict[str, tuple[dict[str, Any], bytes]] = {
    "chat/completions": ({"messages": [{"role": "user", "content": "When?"}]}, b"data: [DONE]"),
    "completions": ({"prompt": "When?"}, b"data: [DONE]"),
    "responses": ({"input": "When?"}, b"event: response.completed"),
}


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes long, so that whatever does not wait for it is seen."""
    append = AuditLog.append

    def slowly(self: AuditLog, *records: Any) -> None:
        time.sleep(0.1)
        append(self, *records)

    monkeypatch.setattr(AuditLog, "append", slowly)


def given(folder: Path) -> dict[str, Any]:
    return {**knowledge(folder), "audit": {"path": str(folder / "audit.jsonl")}}


def statuses(url: str) -> dict[str, float]:
    text = httpx.get(f"{url}/metrics").text
    return {
        sample.labels["status"]: sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "groundwire_requests_total"
    }


def read_until(url: str, route: str, body: dict[str, Any], mark: bytes) -> bytes:
    """Read an answer from a socket as far as ``mark``, and close it there."""
    parts, data = urlsplit(url), json.dumps({"model": MODEL, "stream": True, **body}).encode()
    head = f"POST /v1/{route} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as sock:
        sock.sendall(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
        seen = b""
        while mark not in seen:
            more = sock.recv(65536)
            assert more, seen
            seen += more
        return seen


def ask(made: openai.OpenAI, route: str, body: dict[str, Any]) -> None:
    """Read an answer's stream with the official client, as programs do."""
    asks: dict[str, Callable[..., Any]] = {
        "chat/completions": made.chat.completions.create,
        "completions": made.completions.create,
        "responses": made.responses.create,
    }
    for event in asks[route](model=MODEL, stream=True, **body):
        if getattr(event, "type", "") == "response.completed":
            event.response  # noqa: B018
            break


@pytest.mark.usefixtures("slow_disk")
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("script", [RIGHT, WRONG])
def test_the_record_is_there_when_the_last_bytes_are(
    tmp_path: Path, route: str, script: str
) -> None:
    body, mark = ROUTES[route]
    with gateway(Model((script,)), **given(tmp_path)) as (url, made):
        for n in range(1, 4):
            seen = read_until(url, route, body, mark)
            records = list(read_audit(tmp_path / "audit.jsonl"))
            assert len(records) == n and records[-1]["status"] == 200
            assert records[-1]["id"].encode() in seen
        settled(made)
        assert statuses(url) == {"200": 3}


@pytest.mark.usefixtures("slow_disk")
@pytest.mark.parametrize("route", ROUTES)
def test_streams_that_the_official_client_has_read_count_as_given(
    tmp_path: Path, route: str
) -> None:
    body, _ = ROUTES[route]
    with gateway(Model((WRONG,)), **given(tmp_path)) as (url, made):

        def several() -> None:
            for _ in range(4):
                with client(url) as one:
                    ask(one, route, body)

        readers = [threading.Thread(target=several) for _ in range(4)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        settled(made)
        assert statuses(url) == {"200": 16}
    assert [one["status"] for one in read_audit(tmp_path / "audit.jsonl")] == [200] * 16


@pytest.mark.parametrize("route", ["chat/completions", "completions"])
def test_a_client_that_closes_at_the_finish_reason_has_its_answer(
    tmp_path: Path, route: str
) -> None:
    with gateway(Model((RIGHT,)), **given(tmp_path)) as (url, made):
        read_until(url, route, ROUTES[route][0], b'"finish_reason":"stop"')
        assert [one["status"] for one in read_audit(tmp_path / "audit.jsonl")] == [200]
        settled(made)
        assert statuses(url) == {"200": 1}


@pytest.mark.parametrize("route", ROUTES)
def test_a_client_that_leaves_in_the_middle_does_not(tmp_path: Path, route: str) -> None:
    model = Model((RIGHT * 40,), delay_s=0.05)
    with gateway(model, **given(tmp_path)) as (url, made):
        read_until(url, route, ROUTES[route][0], b"Harbour")
        settled(made)
        until = time.monotonic() + 30
        while not statuses(url):
            assert time.monotonic() < until
            time.sleep(0.01)
        assert statuses(url) == {"499": 1}
    (record,) = read_audit(tmp_path / "audit.jsonl")
    assert record["status"] == 499


@pytest.mark.parametrize("route", ROUTES)
def test_an_upstream_that_breaks_off_has_its_record_too(tmp_path: Path, route: str) -> None:
    model = Model((RIGHT,))
    with gateway(model, **given(tmp_path)) as (url, _):
        model.fault = "reset"
        mark = b"response.failed" if route == "responses" else b'"error"'
        read_until(url, route, ROUTES[route][0], mark)
        (record,) = read_audit(tmp_path / "audit.jsonl")
        assert record["faults"] == ["upstream_reset"]


@pytest.mark.parametrize("mask", [True, False])
def test_records_have_a_bound(tmp_path: Path, mask: bool, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "groundwire.gateway")
    many = "".join(f"The Harbour Museum was founded in {year}. " for year in range(1100, 1400))
    serving = given(tmp_path)
    serving["audit"]["mask"] = mask
    serving |= {"policies": {"seen": {"high": "annotate", "critical": "annotate"}}}
    serving["limits"] = {"max_listed": 1000}
    with gateway(Model((many,)), **serving, default_policy="seen") as (url, made):
        body = {"model": "m" * 100_000, "messages": [{"role": "user", "content": "When?"}]}
        answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=60)
        assert len(answer.json()["groundwire"]["findings"]) > 200
        settled(made)
    (record,) = read_audit(tmp_path / "audit.jsonl")
    assert record["model"] == "m" * 200
    (text,) = record["texts"]
    assert len(text["findings"]) == 100 and len(text["interventions"]) <= 100
    assert text["left_out"] >= 100
    assert (tmp_path / "audit.jsonl").stat().st_size < 512 * 1024
    assert all(len(one.getMessage()) < 256 * 1024 for one in caplog.records)
