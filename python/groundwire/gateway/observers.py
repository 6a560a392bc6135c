"""Who hears of requests: metrics, traces, logs and the audit log. None of them stops an answer."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from groundwire.audit import AuditLog
from groundwire.config import Config
from groundwire.errors import ConfigError
from groundwire.events import dispatch_report
from groundwire.gateway.context import Context
from groundwire.gateway.judged import Judged
from groundwire.gateway.metrics import Metrics
from groundwire.gateway.tracing import span
from groundwire.plain import mask_finding

Json = dict[str, Any]
OPERATIONS = {
    "/v1/chat/completions": "chat",
    "/v1/completions": "text_completion",
    "/v1/responses": "chat",
}
REQUESTS = "groundwire.gateway.requests"
"""Logger of a line of JSON a request."""
_log = logging.getLogger("groundwire.gateway")
_requests = logging.getLogger(REQUESTS)
_MOST = 100
"""Findings of a text, and as many of each other kind of entry, that a record has."""
_NAME = 200
"""Characters of a model's name in a record."""


class Observers:
    """All of them.

    Args:
        config: the configuration; its ``serving.audit`` names the audit log.

    Raises:
        ArgumentError: the audit log is written by another process.
        FormatError: the audit log's file is none.
        ConfigError: it cannot be written.
    """

    def __init__(self, config: Config) -> None:
        given = config.serving.audit
        self.metrics = Metrics()
        self._mask = given.mask
        self._audit: AuditLog | None = None
        if given.path:
            interval = given.interval.total_seconds()
            try:
                self._audit = AuditLog(given.path, fsync=given.fsync, interval_s=interval)
            except OSError as error:
                msg = (
                    f"serving.audit.path = {given.path!r} cannot be written: "
                    f"{error.strerror or error}; name a file in a folder that this process may "
                    "write to, or leave it out for no audit log"
                )
                raise ConfigError(msg) from error
            if self._audit.torn:
                _log.warning("a torn record was cut off the audit log: %d bytes", self._audit.torn)
        self._waiting: list[tuple[Json, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    @contextmanager
    def request(self, context: Context, incoming: Mapping[str, str]) -> Iterator[None]:
        """Stand around an answer."""
        self.metrics.open.inc()
        try:
            with span(context, OPERATIONS.get(context.route, "chat"), incoming):
                yield
        finally:
            self.metrics.open.dec()

    async def seal(self, context: Context, status: int) -> None:
        """Write an answer's audit record; returns once it is as safe as ``fsync`` says."""
        if self._audit is None or context.sealed:
            return
        context.sealed = True
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((record(context, status, mask=self._mask), done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        # Whoever waits may be cancelled; the record is written all the same.
        await asyncio.shield(done)

    async def finished(self, route: str, context: Context | None, status: int) -> None:
        """Hear that a request is over."""
        if context is not None:
            await context.settle()
        self.metrics.finished(route, context, status)
        if context is None:
            _told({"route": route, "status": status})
            return
        await self.seal(context, status)
        for report in context.reports.values():
            if report is not None and context.resolved.monitor is not None:
                dispatch_report(context.resolved.monitor.events, report)
        if _requests.isEnabledFor(logging.INFO):
            _told(record(context, status, mask=True))

    async def close(self) -> None:
        """Write what waits, and close files."""
        if self._writing is not None:
            await asyncio.gather(self._writing, return_exceptions=True)
        if self._audit is not None:
            self._audit.close()

    async def _write(self) -> None:
        """Write records beside the event loop, those that came meanwhile together."""
        assert self._audit is not None
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                await asyncio.to_thread(self._audit.append, *(one for one, _ in batch))
            except Exception as error:
                self.metrics.audit_failures.inc(len(batch))
                _log.error("audit records could not be written: %s", error)
            for _, done in batch:
                if not done.done():
                    done.set_result(None)


def _told(line: Json) -> None:
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    _requests.info("%s", json.dumps({"event": "request", "time": at, **line}, ensure_ascii=True))


def record(context: Context, status: int, *, mask: bool) -> Json:
    """Return what logs keep of a request; masked, no word of the answer or of a source."""
    asked, resolved = context.asked, context.resolved
    sources: dict[str, int] = {}
    texts = []
    for index, report in sorted(context.reports.items()):
        if report is None:
            texts.append({"index": index, "checked": False})
            continue
        judged = Judged.of(report)
        found = [finding.to_dict() for finding in report.findings[:_MOST]]
        acted = [(one.action, one.finding.to_dict()) for one in judged.acted[:_MOST]]
        text: Json = {
            "index": index,
            "checked": report.latched is None,
            "tier": judged.tier,
            "verdict": judged.verdict,
            "delivered": {"tier": report.tier, "verdict": report.verdict.status},
            "stopped": report.stopped,
            "findings": [mask_finding(f, sources) for f in found] if mask else found,
            "acted": [
                {"action": action, **(mask_finding(f, sources) if mask else f)}
                for action, f in acted
            ],
            "interventions": [
                {
                    "action": done.action,
                    "tier": done.tier,
                    "already_sent": done.already_sent,
                    "findings": [finding.type for finding in done.findings],
                }
                if mask
                else done.to_dict()
                for done in report.interventions[:_MOST]
            ],
            "holds_given_up": report.holds_given_up,
        }
        entries = (report.findings, judged.acted, report.interventions)
        if left_out := sum(max(0, len(of) - _MOST) for of in entries):
            text["left_out"] = left_out
        if report.latched is not None:
            text["unchecked_because"] = report.latched
        if not mask:
            text["released"] = report.released
        texts.append(text)
    return {
        "id": context.id,
        "client_id": resolved.id,
        "route": context.route,
        "model": asked.model and asked.model[:_NAME],
        "stream": asked.stream,
        "status": status,
        "policy": resolved.policy_name,
        "knowledge_base": resolved.knowledge_base,
        "texts": texts,
        "continued": context.continued,
        "faults": list(context.faults),
        "notes": list(context.notes),
        "seconds": round(context.seconds, 6),
        "check_seconds": round(context.checking, 6),
    }
