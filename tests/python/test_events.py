"""Events reach every sink, masked unless asked otherwise, and no sink stops a stream."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

import groundwire as gw
from groundwire.events import (
    CallableSink,
    Event,
    EventSink,
    LoggingSink,
    MemorySink,
    dispatch,
)
from sample_reports import SECRETS, report

REPORT = report()
EVENTS = [
    *(Event("finding", f, session_id="s1", turn_id="t1") for f in REPORT["findings"]),
    Event("intervention", {"retracted": "opened in 1962", "forced": "1958", "tier": "high"}),
    Event("session_finished", REPORT, session_id="s1"),
    Event("error", {"error": "ArgumentError", "where": "push"}),
]


def leaks(text: str) -> list[str]:
    return [word for word in SECRETS if word in text]


@pytest.mark.req("U-9")
@pytest.mark.parametrize("style", ["text", "json"])
def test_logging_masks_by_default(style: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for event in EVENTS:
            LoggingSink("groundwire.test", format=style).emit(event)
    assert len(caplog.messages) == len(EVENTS)
    assert not leaks("".join(caplog.messages))
    assert "opened is [masked], not [masked]" in caplog.messages[1]
    assert [record.levelname for record in caplog.records] == [
        "INFO",
        "WARNING",
        "WARNING",
        "INFO",
        "ERROR",
    ]
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        LoggingSink("groundwire.test", format=style, mask=False).emit(EVENTS[1])
    assert "1962" in caplog.messages[0]


def test_json_lines_are_json_and_text_lines_are_lines(caplog: pytest.LogCaptureFixture) -> None:
    evil = Event("error", {"error": 'x\n"2026" CRITICAL forged=1', "n": 3, "none": None})
    with caplog.at_level(logging.DEBUG):
        LoggingSink("groundwire.test", format="json").emit(evil)
        LoggingSink("groundwire.test").emit(evil)
    assert json.loads(caplog.messages[0]) == evil.to_dict()
    assert caplog.messages[1] == r'error error="x\n\"2026\" CRITICAL forged=1" n=3'


def test_nothing_is_rendered_for_a_silent_logger(caplog: pytest.LogCaptureFixture) -> None:
    class Untouchable(dict[str, Any]):
        def __iter__(self) -> Any:
            raise AssertionError

    with caplog.at_level(logging.ERROR):
        LoggingSink("groundwire.test").emit(Event("finding", Untouchable(tier="low")))
    assert caplog.messages == []


@pytest.mark.req("U-9")
def test_memory_and_callable_mask_by_default() -> None:
    seen: list[Event] = []
    memory, open_memory = MemorySink(limit=4), MemorySink(mask=False)
    for event in EVENTS:
        dispatch([memory, open_memory, CallableSink(seen.append)], event)
    assert not leaks(str([event.to_dict() for event in [*memory.events, *seen]]))
    assert len(memory.events) == 4
    assert leaks(str([event.to_dict() for event in open_memory.events]))
    assert [event.data["id"] for event in open_memory.of("finding")] == [
        finding["id"] for finding in REPORT["findings"]
    ]
    assert seen[3].data["interventions"] == 1
    assert seen[3].to_dict()["session_id"] == "s1"


def test_masking_twice_is_masking_once_and_changes_no_original() -> None:
    for event in EVENTS:
        before = json.dumps(event.to_dict())
        once = event.mask()
        assert once.mask() == once
        assert json.dumps(event.to_dict()) == before


def test_a_sink_that_fails_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Event) -> None:
        msg = "full"
        raise OSError(msg)

    memory = MemorySink()
    dispatch([CallableSink(fail), memory], EVENTS[0])
    assert len(memory.events) == 1
    assert "an event sink failed" in caplog.text
    assert all(isinstance(s, EventSink) for s in (memory, CallableSink(fail), LoggingSink()))


@pytest.mark.req("U-9")
def test_an_interventions_event_names_nothing_that_was_put_in() -> None:
    record = {"name": "Acme Clinic", "attributes": {"director": "Marlowe Tuttle"}}
    kb = gw.KnowledgeBase.from_records([record])
    seen = 0
    for policy in (gw.Policy(), gw.Policy(high="discard", auto_correct=1.0)):
        memory = MemorySink()
        callback = gw.GroundwireCallback(gw.Monitor(kb=kb, events=[memory], policy=policy))
        for piece in ("The Acme Clinic's director ", "is Zelda Quorn. ", "OK."):
            decision = callback.on_token(piece)
            if decision.keep is not None or decision.stop:
                break
        callback.on_end()
        seen += len(memory.of("intervention"))
        told = str([event.to_dict() for event in memory.events])
        for word in ("Tuttle", "Quorn"):
            assert word not in told
    assert seen
