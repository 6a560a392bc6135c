"""What is left of requests: metrics, spans, logs, audit records."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from gateway_upstream import MODEL, WRONG, Model, gateway, knowledge, settled
from groundwire.audit import read_audit

ASK: dict[str, Any] = {"model": MODEL, "messages": [{"role": "user", "content": "When?"}]}
CORRECTED = WRONG.replace("1992", "1987")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return knowledge(tmp_path_factory.mktemp("kb"))


@pytest.fixture(scope="module")
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    yield exporter
    provider.shutdown()


def post(url: str, route: str = "chat/completions", **more: Any) -> httpx.Response:
    headers = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
    body = {**ASK, **more}
    return httpx.post(f"{url}/v1/{route}", json=body, headers=headers, timeout=30)


def samples(url: str) -> dict[tuple[str, str], float]:
    text = httpx.get(f"{url}/metrics").text
    return {
        (sample.name, ",".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics(base: dict[str, Any]) -> None:
    model = Model((WRONG, CORRECTED), continues="final_message")
    with gateway(model, **base) as (url, made):
        post(url)
        post(url, stream=True)
        post(url, stream="x")
        settled(made)
        found = samples(url)
        route = "/v1/chat/completions"
        assert found["groundwire_requests_total", f"{route},200"] == 2
        assert found["groundwire_requests_total", f"{route},400"] == 1
        assert found["groundwire_interventions_total", "correct"] == 2
        assert found["groundwire_continuations_total", ""] == 2
        assert found["groundwire_texts_total", "end"] == 2
        assert found["groundwire_open_requests", ""] == 0
        assert found["groundwire_request_seconds_count", f"{route},true"] == 1
        assert found["groundwire_first_text_seconds_count", route] == 1
        assert found["groundwire_check_seconds_sum", route] > 0
        model.fault, model.after = "reset", 2
        post(url, stream=True)
        settled(made)
        assert samples(url)["groundwire_upstream_faults_total", "upstream_reset"] == 1
        names = {name for name, _ in found}
        assert all(name.startswith("groundwire_") for name in names)


def test_spans(base: dict[str, Any], spans: InMemorySpanExporter) -> None:
    model = Model(("It is open. Studies show that 40 % of guests return.",))
    with gateway(model, **base, policies={"w": {"medium": "annotate"}}, default_policy="w") as (
        url,
        made,
    ):
        spans.clear()
        answer = post(url, stream=True)
        settled(made)
        (span,) = spans.get_finished_spans()
        assert span.name == f"chat {MODEL}" and span.attributes is not None
        assert span.attributes["gen_ai.operation.name"] == "chat"
        assert span.attributes["gen_ai.request.model"] == MODEL
        assert span.parent is not None
        assert f"{span.parent.span_id:016x}" == "b7ad6b7169203331"
        # The upstream's span will be a child of this one.
        assert f"{span.context.span_id:016x}" in model.headers[-1]["traceparent"]
        results = [e.attributes for e in span.events if e.name == "gen_ai.evaluation.result"]
        assert len(results) == len(span.events) >= 1
        for result in results:
            assert result is not None and float(str(result["gen_ai.evaluation.score.value"])) >= 0
            assert result["gen_ai.response.id"] == answer.headers["x-groundwire-id"]
        assert "Studies" not in str([dict(result or {}) for result in results])


# What is done, the verdict, the worst tier, and why the text ended.
DONE: list[Any] = [
    (WRONG, {}, "none", "correct", "corrected", "high", "end"),
    (WRONG, {}, "final_message", "correct", "corrected", "high", "end"),
    (
        "It is open. The Quorlax Tower has 912 rooms. It is high.",
        {"low": "interrupt"},
        "none",
        "interrupt",
        "blocked",
        "low",
        "interrupted",
    ),
    (
        "The Quorlax Tower has 912 rooms. It is high.",
        {"low": "discard"},
        "none",
        "discard",
        "blocked",
        "low",
        "discarded",
    ),
]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("text", "policy", "continues", "action", "verdict", "tier", "stopped"), DONE
)
def test_everybody_hears_of_what_the_reader_never_got(
    base: dict[str, Any],
    spans: InMemorySpanExporter,
    tmp_path: Path,
    stream: bool,
    text: str,
    policy: dict[str, str],
    continues: str,
    action: str,
    verdict: str,
    tier: str,
    stopped: str,
) -> None:
    given = {**base, "audit": {"path": str(tmp_path / "audit.jsonl")}, "continuation": continues}
    given |= {"policies": {"w": {**policy, "release": "claim"}}, "default_policy": "w"}
    model = Model((text, CORRECTED), continues=continues)
    with gateway(model, **given) as (url, made):
        spans.clear()
        answer = post(url, stream=stream)
        settled(made)
        counted = {
            key.rpartition(",")[2]: value
            for (name, key), value in samples(url).items()
            if name == "groundwire_findings_total"
        }
    if stream:
        events = [e for e in answer.text.split("\n\n") if '"groundwire"' in e]
        beside = json.loads(events[-1].removeprefix("data: "))["groundwire"]
    else:
        beside = answer.json()["groundwire"]
        header = json.loads(answer.headers["x-groundwire"])
        assert header["verdict"] == verdict and header["acted"] == len(beside["acted"])
    assert (beside["verdict"], beside["tier"], beside["stopped"]) == (verdict, tier, stopped)
    assert beside["delivered"]["tier"] == "none"
    acted = beside["acted"]
    assert acted and {one["action"] for one in acted} == {action}
    assert not re.search("1992|912|Quorlax", json.dumps(acted))
    types = sorted(one["type"] for one in [*beside["findings"], *acted])
    assert sorted(counted) == sorted(set(types)) and sum(counted.values()) == len(types)
    (span,) = spans.get_finished_spans()
    results = [dict(e.attributes or {}) for e in span.events]
    named = [str(one["gen_ai.evaluation.name"]) for one in results]
    assert sorted(named) == sorted([*types, "groundwire"])
    of_answer = results[named.index("groundwire")]
    assert of_answer["gen_ai.evaluation.score.label"] == verdict
    assert float(str(of_answer["gen_ai.evaluation.score.value"])) > 0
    (record,) = read_audit(tmp_path / "audit.jsonl")
    (kept,) = record["texts"]
    assert (kept["verdict"], kept["tier"]) == (verdict, tier)
    assert sorted(one["type"] for one in kept["acted"]) == sorted(one["type"] for one in acted)
    assert kept["interventions"][-1]["findings"]


def test_a_note_behind_text_that_has_left_counts_its_finding_once(base: dict[str, Any]) -> None:
    policies = {"fast": {"release": "token"}}
    with gateway(Model((WRONG,)), **base, policies=policies, default_policy="fast") as (url, _):
        (last,) = [e for e in post(url, stream=True).text.split("\n\n") if '"groundwire"' in e]
        beside = json.loads(last.removeprefix("data: "))["groundwire"]
    assert beside["acted"] == [] and beside["verdict"] == "fail"
    assert "dialogue.wrong_attribute" in {one["type"] for one in beside["findings"]}


def test_logs_are_masked(base: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    policies = {"w": {"high": "annotate", "critical": "annotate"}}
    with (
        caplog.at_level(logging.INFO, "groundwire.gateway"),
        gateway(Model((WRONG,)), **base, policies=policies, default_policy="w") as (url, _),
    ):
        post(url, stream=True)
    lines = [r.message for r in caplog.records if r.message.startswith('{"event": "request"')]
    (line,) = [json.loads(line) for line in lines]
    assert line["status"] == 200 and line["texts"][0]["findings"][0]["type"]
    assert not re.search("1992|Harbour|1987", lines[0])


@pytest.mark.parametrize("mask", [True, False])
@pytest.mark.parametrize("stream", [True, False])
def test_audit_records(base: dict[str, Any], tmp_path: Path, mask: bool, stream: bool) -> None:
    path = tmp_path / "audit.jsonl"
    policies = {"w": {"high": "annotate", "critical": "annotate"}}
    given = {**base, "policies": policies, "default_policy": "w"}
    given["audit"] = {"path": str(path), "mask": mask}
    with gateway(Model((WRONG,)), **given) as (url, _):
        for _ in range(3):
            answer = post(url, stream=stream, groundwire={"id": "mine"})
            # An answer that has ended has its record.
            (*_, record) = read_audit(path)
            assert record["id"] == answer.headers["x-groundwire-id"]
        assert [one["seq"] for one in read_audit(path)] == [0, 1, 2]
    assert (record["client_id"], record["model"], record["stream"]) == ("mine", MODEL, stream)
    assert ("1992" in path.read_text()) is not mask
    assert record["texts"][0]["tier"] in {"high", "critical"}


def test_an_audit_log_that_fails_stops_no_answer(base: dict[str, Any], tmp_path: Path) -> None:
    given = {**base, "audit": {"path": str(tmp_path / "audit.jsonl")}}
    with gateway(Model(), **given) as (url, made):
        assert made.observers._audit is not None
        made.observers._audit.close()
        assert post(url).status_code == 200
        settled(made)
        assert samples(url)["groundwire_audit_failures_total", ""] == 1
