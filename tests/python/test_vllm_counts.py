"""What the plugin counts is logged, and what the server answered stands in its metrics."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from prometheus_client import REGISTRY

from groundwire.integrations.vllm import counts
from groundwire.integrations.vllm.counts import Counts, note_text
from groundwire.integrations.vllm.requests import plain


def test_counts_are_logged_as_they_change_and_at_the_end(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(counts.time, "monotonic", lambda: now[0])
    with caplog.at_level(logging.INFO, "groundwire.vllm"):
        found = Counts()
        found["forced"] += 0
        assert caplog.messages == []
        found["forced"] += 3
        found["observed"] += 1
        assert [one.levelname for one in caplog.records] == ["INFO"]
        now[0] = counts.EVERY_S
        found["forced"] += 1
        found.tell()
        found["faults"] += 1
        counts._at_the_end(lambda: found)  # type: ignore[arg-type]
    assert caplog.messages == [
        "groundwire: counted so far: 3 forced",
        "groundwire: counted so far: 4 forced, 1 observed",
        "groundwire: counted so far: 1 faults, 4 forced, 1 observed",
    ]
    assert [one.levelname for one in caplog.records] == ["INFO", "WARNING", "WARNING"]
    assert dict(found) == {"forced": 4, "observed": 1, "faults": 1}


def test_texts_are_counted_by_state() -> None:
    def value(state: str) -> float:
        return REGISTRY.get_sample_value("groundwire_vllm_texts_total", {"state": state}) or 0.0

    given: list[tuple[str, dict[str, Any]]] = [
        ("checked", {"checked": True}),
        ("unchecked", {"checked": False}),
        ("observed_only", {"checked": True, "observed_only": "why"}),
    ]
    for state, summary in given:
        before = value(state)
        note_text(summary)
        assert value(state) == before + 1


def test_vllms_own_prompts_are_read() -> None:
    from groundwire.errors import ArgumentError

    chat = [{"role": "user", "content": "Who?"}]
    assert plain({"prompt_token_ids": [1, 2]}) == [1, 2]
    assert plain({"prompt": "Who?"}) == "Who?"
    assert plain([{"prompt_token_ids": (1,)}, {"prompt": "x"}]) == [[1], "x"]
    for same in ("Who?", [1, 2], chat, [chat, chat], [[1], [2]]):
        assert plain(same) is same
    for wrong in ({}, {"prompt_token_ids": [1], "multi_modal_data": {}}):
        with pytest.raises(ArgumentError, match="prompt_token_ids"):
            plain(wrong)
