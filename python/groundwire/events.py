"""The one place where what happens in a stream leaves groundwire for logs and programs.

A sink gets every event. Every sink masks by default: no word of the stream or of a source
reaches it unless it was made with ``mask=False``.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, runtime_checkable

from groundwire.errors import ArgumentError
from groundwire.plain import MASK, mask_finding, mask_weak_point

EventKind = Literal["finding", "intervention", "session_finished", "error"]

_LEVELS = {"critical": logging.ERROR, "high": logging.WARNING, "medium": logging.WARNING}
_KIND_LEVELS = {"intervention": logging.WARNING, "error": logging.ERROR}
# Fields of the other events that quote the stream.
_QUOTING = (
    "text", "released", "retracted", "inserted", "forced", "statement", "replacement", "answer",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, as data; ``data`` of a finding is the finding itself."""

    kind: EventKind
    data: Mapping[str, Any]
    session_id: str | None = None
    turn_id: str | None = None
    masked: bool = field(default=False)

    def mask(self) -> Event:
        """Return the event without a word of the stream or of a source."""
        if self.masked:
            return self
        data = mask_finding(self.data) if self.kind == "finding" else _mask_data(self.data)
        return replace(self, data=data, masked=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the event as plain data."""
        out: dict[str, Any] = {"event": self.kind}
        if self.session_id is not None:
            out["session_id"] = self.session_id
        if self.turn_id is not None:
            out["turn_id"] = self.turn_id
        return out | dict(self.data)


def _mask_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Mask an event that is no finding: its quoting fields, and findings inside it."""
    masked = dict(data)
    for key in _QUOTING:
        if masked.get(key) not in (None, ""):
            masked[key] = MASK
    if isinstance(masked.get("findings"), list):
        masked["findings"] = [
            mask_finding(finding) if isinstance(finding, Mapping) else finding
            for finding in masked["findings"]
        ]
    if isinstance(masked.get("weak_points"), list):
        masked["weak_points"] = [mask_weak_point(point) for point in masked["weak_points"]]
    masked.pop("claims", None)
    if isinstance(masked.get("interventions"), list):
        masked["interventions"] = len(masked["interventions"])
    return masked


@runtime_checkable
class EventSink(Protocol):
    """Anything that takes events; one with a method ``finished(report)`` gets reports as well."""

    def emit(self, event: Event) -> None:
        """Take one event. What it raises is logged and goes no further."""
        ...


def check_sinks(sinks: Sequence[Any]) -> None:
    """Raise ``ArgumentError`` naming what is no sink."""
    for i, sink in enumerate(sinks):
        if not callable(getattr(sink, "emit", None)):
            raise ArgumentError(
                f"events[{i}] is no sink: {sink!r:.60}; it needs a method emit(event), as "
                "groundwire.events.CallableSink has"
            )


class LoggingSink:
    """Sends events to :mod:`logging`: as a line of text, or as JSON for a log collector.

    Findings are logged at INFO, from tier medium at WARNING, critical ones at ERROR;
    interventions at WARNING, errors at ERROR, the rest at INFO.
    """

    def __init__(
        self,
        logger: logging.Logger | str = "groundwire",
        *,
        format: Literal["text", "json"] = "text",
        mask: bool = True,
    ) -> None:
        self._logger = logging.getLogger(logger) if isinstance(logger, str) else logger
        self._format = format
        self._mask = mask

    def emit(self, event: Event) -> None:
        """Log one event."""
        level = _KIND_LEVELS.get(event.kind, logging.INFO)
        if event.kind == "finding":
            level = _LEVELS.get(str(event.data.get("tier")), logging.INFO)
        if not self._logger.isEnabledFor(level):
            return
        content = (event.mask() if self._mask else event).to_dict()
        if self._format == "json":
            line = json.dumps(content, ensure_ascii=False, default=str)
        else:
            line = _line(content)
        self._logger.log(level, "%s", line)


class CallableSink:
    """Hands events to a function."""

    def __init__(self, function: Callable[[Event], object], *, mask: bool = True) -> None:
        self._function = function
        self._mask = mask

    def emit(self, event: Event) -> None:
        """Call the function with one event."""
        self._function(event.mask() if self._mask else event)


class StoreSink:
    """Keeps the report of every stream that ends in a store: ``Monitor(events=StoreSink(store))``.

    ``store`` is a ``groundwire.store.Store``, or anything with its ``add(report)``. What is kept,
    masked or not, and for how long, is the store's to say.
    """

    def __init__(self, store: ReportStore) -> None:
        if not callable(getattr(store, "add", None)):
            raise ArgumentError(
                f"a store has a method add(report), as those of groundwire.store; {store!r:.60} "
                "has none"
            )
        self._store = store

    def emit(self, event: Event) -> None:
        """Pass an event over: the report holds them all."""

    def finished(self, report: Any) -> None:
        """Keep a finished report."""
        self._store.add(report)


class ReportStore(Protocol):
    """Anything that keeps reports."""

    def add(self, report: Any) -> object:
        """Keep one report."""
        ...


class MemorySink:
    """Keeps the newest events, for tests and dashboards."""

    def __init__(self, *, limit: int = 10_000, mask: bool = True) -> None:
        self.events: deque[Event] = deque(maxlen=limit)
        self._mask = mask

    def emit(self, event: Event) -> None:
        """Keep one event; the oldest leaves when there are more than ``limit``."""
        self.events.append(event.mask() if self._mask else event)

    def of(self, kind: EventKind) -> list[Event]:
        """Return the kept events of one kind, oldest first."""
        return [event for event in self.events if event.kind == kind]


def dispatch(sinks: Iterable[EventSink], event: Event) -> None:
    """Hand ``event`` to every sink; a sink that raises is logged and stops nothing."""
    for sink in sinks:
        try:
            sink.emit(event)
        except Exception:
            _failed(sink)


def _failed(sink: Any) -> None:
    logging.getLogger("groundwire").exception("an event sink failed: %r", type(sink))


def dispatch_report(sinks: Iterable[EventSink], report: Any) -> None:
    """Hand a finished stream's findings, interventions and end to every sink, in that order."""
    sinks = tuple(sinks)
    if not sinks:
        return
    ids = {"session_id": report.session_id, "turn_id": report.turn_id}
    for finding in report.findings:
        dispatch(sinks, Event("finding", finding.to_dict(), **ids))
    for intervention in report.interventions:
        dispatch(sinks, Event("intervention", intervention.to_dict(), **ids))
    if report.latched is not None:
        dispatch(sinks, Event("error", {"reason": report.latched}, **ids))
    data = {
        "tier": report.tier,
        "verdict": report.verdict.status,
        "action": report.verdict.action,
        "stats": dict(report.stats),
        "interventions": len(report.interventions),
        "stopped": report.stopped,
    }
    dispatch(sinks, Event("session_finished", data, **ids))
    for sink in sinks:
        finished = getattr(sink, "finished", None)
        if finished is None:
            continue
        try:
            finished(report)
        except Exception:
            _failed(sink)


def _line(content: Mapping[str, Any]) -> str:
    """Return ``key=value`` pairs on one line; values that could break the line are quoted."""
    parts = [str(content["event"])]
    for key, value in content.items():
        if key == "event" or value in (None, [], {}):
            continue
        plain = isinstance(value, str) and value.isprintable() and value and " " not in value
        quoted = plain and '"' not in value and "=" not in value
        parts.append(
            f"{key}={value if quoted else json.dumps(value, ensure_ascii=True, default=str)}"
        )
    return " ".join(parts)
