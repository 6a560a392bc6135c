"""Spans of OpenTelemetry, with the names of its conventions for generative models.

Without an SDK that the application sets up, all of this does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from opentelemetry import propagate, trace
from opentelemetry.trace import SpanKind, Status, StatusCode

from groundwire.gateway.judged import Judged

if TYPE_CHECKING:
    from opentelemetry.trace import Span

    from groundwire.gateway.context import Context
    from groundwire.report import Report

_PROPAGATED = ("traceparent", "tracestate", "baggage")


@contextmanager
def span(context: Context, operation: str, incoming: Mapping[str, str]) -> Iterator[None]:
    """Stand around an answer; the upstream's span becomes a child of this one."""
    tracer = trace.get_tracer("groundwire.gateway")
    asked = context.asked
    with tracer.start_as_current_span(
        f"{operation} {asked.model or ''}".strip(),
        context=propagate.extract(incoming),
        kind=SpanKind.SERVER,
        attributes={
            "gen_ai.operation.name": operation,
            "gen_ai.request.model": asked.model or "",
            "gen_ai.response.id": context.id,
            "groundwire.policy": context.resolved.policy_name,
            "groundwire.stream": asked.stream,
        },
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        carrier: dict[str, str] = {}
        propagate.inject(carrier)
        if carrier:
            kept = [(n, v) for n, v in context.headers if n.lower() not in _PROPAGATED]
            context.headers = [*kept, *carrier.items()]
        try:
            yield
        finally:
            _end(current, context)


def _end(current: Span, context: Context) -> None:
    if not current.is_recording():
        return
    for report in context.reports.values():
        if report is not None:
            _results(current, context, report)
    for code in context.faults:
        current.set_attribute("error.type", code)
        current.set_status(Status(StatusCode.ERROR, code))


def _results(current: Span, context: Context, report: Report) -> None:
    """Add the result of each finding, and that of the answer; no word of it is quoted."""
    judged = Judged.of(report)
    found = [
        (finding.type, finding.p_hallucinated, finding.tier, finding.masked_message)
        for finding in judged.findings
    ]
    risk = max((finding.risk for finding in judged.findings), default=0.0)
    found.append(("groundwire", risk, judged.verdict, ""))
    for name, score, label, why in found:
        attributes: dict[str, str | float] = {
            "gen_ai.evaluation.name": name,
            "gen_ai.evaluation.score.value": score,
            "gen_ai.evaluation.score.label": label,
            "gen_ai.response.id": context.id,
        }
        if why:
            attributes["gen_ai.evaluation.explanation"] = why
        current.add_event("gen_ai.evaluation.result", attributes)
