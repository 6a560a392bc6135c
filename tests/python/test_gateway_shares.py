"""One text that takes long to judge leaves the loop to others, and is judged as it would be."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from gateway_upstream import knowledge
from groundwire import report
from groundwire.config import Config
from groundwire.gateway import watched
from groundwire.gateway.ahead import PIECE
from groundwire.gateway.begun import Beginning, asked_for
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.twice import Twice
from groundwire.gateway.watched import Watched
from groundwire.integrations.serving import Registry, Resolved
from groundwire.report import Report

NUMBERS = "1 2 3,4.5 " * 600
WORDS = "It has 90 employees. The hall is wide. " * 150
CODE = asked_for("Here: ```\n", own=True, sure=False)


@pytest.fixture(scope="module")
def resolved(tmp_path_factory: pytest.TempPathFactory) -> Resolved:
    base = knowledge(tmp_path_factory.mktemp("kb"))
    return Registry.load(Config.load(environ={}, serving=base)).resolve()


def opened(resolved: Resolved, begun: Beginning) -> Watched:
    made = Watched if begun.alone is None else Twice
    asked = "When was the Harbour Museum founded?"
    return made(resolved, begun=begun, rewinds=False, question=asked, history=[])


async def beside(work: Awaitable[Any]) -> tuple[Any, int]:
    """Return what comes of some work, and how often another task had its turn."""
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    await asyncio.sleep(0)
    turns = 0
    found = await work
    task.cancel()
    return found, turns


def told(outcome: Outcome, found: Report | None) -> tuple[Any, ...]:
    assert found is not None
    kinds = [(one.type, one.text, one.span, one.tier) for one in found.findings]
    done = [(one.action, one.inserted) for one in found.interventions]
    return outcome.text, outcome.stop, found.released, kinds, done


@pytest.mark.parametrize("text", [NUMBERS, WORDS], ids=["numbers", "words"])
@pytest.mark.parametrize("begun", [Beginning(), CODE], ids=["once", "twice"])
def test_what_comes_at_once_is_judged_a_little_at_a_time(
    resolved: Resolved, begun: Beginning, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        plain = opened(resolved, begun)
        first = plain.push(text)
        first.add(await plain.end())
        monkeypatch.setattr(watched, "SHARE_S", 0.0)
        shared = opened(resolved, begun)
        outcome, turns = await beside(shared.take(text))
        assert turns >= (1 if begun.alone is None else 2) * (len(text) // PIECE)
        outcome.add(await shared.end())
        assert told(outcome, shared.report()) == told(first, plain.report())

    asyncio.run(run())


def test_the_time_is_that_of_many_chunks_together(
    resolved: Resolved, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter(range(10**6))

    class Clock:
        """A step a look, each a fraction of what one text may take."""

        @staticmethod
        def perf_counter() -> float:
            return next(ticks) * watched.SHARE_S / 8

    async def run() -> None:
        shared = opened(resolved, Beginning())
        monkeypatch.setattr(watched, "time", Clock)

        async def work() -> None:
            for word in WORDS[:800].split(" "):
                await shared.take(f"{word} ")

        _, turns = await beside(work())
        words = len(WORDS[:800].split(" "))
        assert words // 16 <= turns < words

    asyncio.run(run())


def test_a_long_report_is_read_as_a_short_one(
    resolved: Resolved, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        guard = opened(resolved, Beginning())
        await guard.whole(NUMBERS)
        await guard.end()
        plain = guard.report()
        objects: list[Any] = []
        monkeypatch.setattr(report, "_LONG", 0)
        monkeypatch.setattr(report, "_as_it_is", lambda one: objects.append(one) or one)
        assert guard.report() == plain and plain is not None and plain.findings
        # Between objects other threads get to work.
        assert len(objects) > len(plain.findings)

    asyncio.run(run())
