"""What is counted, by the names under which Prometheus reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from groundwire.gateway.judged import Judged

if TYPE_CHECKING:
    from groundwire.gateway.context import Context

_SHORT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_LONG = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)
CONTENT_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """The gateway's numbers, in a registry of their own; times are in seconds."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.requests = Counter(
            "groundwire_requests",
            "Requests, by HTTP status",
            ["route", "status"],
            registry=registry,
        )
        self.open = Gauge("groundwire_open_requests", "Answers that run", registry=registry)
        self.duration = Histogram(
            "groundwire_request_seconds", "From head to last byte", ["route", "stream"],
            buckets=_LONG, registry=registry,
        )  # fmt: skip
        self.first = Histogram(
            "groundwire_first_text_seconds", "Until the first released text", ["route"],
            buckets=_LONG, registry=registry,
        )  # fmt: skip
        self.checking = Histogram(
            "groundwire_check_seconds", "Checking, in all, of one answer", ["route"],
            buckets=_SHORT, registry=registry,
        )  # fmt: skip
        self.findings = Counter(
            "groundwire_findings", "Findings, in text that was taken back too", ["type", "tier"],
            registry=registry,
        )  # fmt: skip
        self.interventions = Counter(
            "groundwire_interventions", "What was done to claims", ["action"], registry=registry
        )
        self.ends = Counter(
            "groundwire_texts", "Texts, by why they ended", ["stopped"], registry=registry
        )
        self.continuations = Counter(
            "groundwire_continuations", "Answers continued upstream", registry=registry
        )
        self.given_up = Counter(
            "groundwire_holds_given_up", "Text that left because it was held too long",
            registry=registry,
        )  # fmt: skip
        self.unchecked = Counter(
            "groundwire_unchecked_texts", "Texts nobody checked to the end", registry=registry
        )
        self.faults = Counter(
            "groundwire_upstream_faults", "Faults of the upstream", ["code"], registry=registry
        )
        self.audit_failures = Counter(
            "groundwire_audit_failures", "Audit records that could not be written",
            registry=registry,
        )  # fmt: skip

    def finished(self, route: str, context: Context | None, status: int) -> None:
        """Count a request that is over."""
        self.requests.labels(route, str(status)).inc()
        if context is None:
            return
        self.duration.labels(route, str(context.asked.stream).lower()).observe(context.seconds)
        self.checking.labels(route).observe(context.checking)
        if context.first is not None:
            self.first.labels(route).observe(context.first)
        self.continuations.inc(context.continued)
        for code in context.faults:
            self.faults.labels(code).inc()
        for report in context.reports.values():
            if report is None or report.latched is not None:
                self.unchecked.inc()
            if report is None:
                continue
            self.ends.labels(report.stopped or "open").inc()
            self.given_up.inc(report.holds_given_up)
            for finding in Judged.of(report).findings:
                self.findings.labels(finding.type, finding.tier).inc()
            for done in report.interventions:
                self.interventions.labels(done.action).inc()

    def exposition(self) -> bytes:
        """Return everything as Prometheus reads it."""
        return generate_latest(self.registry)
