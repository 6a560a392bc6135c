"""What comes from an asynchronous engine for one guarded request: its outputs, and its probes'."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from groundwire.integrations.vllm.lift import Probe


class Coming:
    """The outputs of the present submission, and of the questions to the second sequence."""

    def __init__(self, engine: Any) -> None:
        """Prepare; nothing is asked of the ``AsyncLLM`` yet."""
        self._engine = engine
        self._outputs: AsyncGenerator[Any, None] | None = None
        self._next: asyncio.Future[Any] | None = None
        self._probes: set[asyncio.Task[Any]] = set()
        self._over = False

    def begin(self, outputs: AsyncGenerator[Any, None]) -> None:
        """Wait for the outputs of another submission from here on."""
        self._outputs, self._over = outputs, False

    def probe(self, probe: Probe) -> None:
        """Ask the second sequence for a token."""
        self._probes.add(asyncio.ensure_future(self._ask(probe)))

    async def some(self) -> list[Any]:
        """Return what came, at least one output; waits for it.

        Whatever the engine raises is raised here.
        """
        assert self._outputs is not None
        if not self._probes and self._next is None:
            return [self._seen(await anext(self._outputs))]
        if self._next is None and not self._over:
            self._next = asyncio.ensure_future(anext(self._outputs))
        waiting = {*self._probes, *([] if self._next is None else [self._next])}
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        found = []
        for one in done:
            if one is self._next:
                self._next = None
                found.append(self._seen(one.result()))
            else:
                self._probes.discard(one)  # type: ignore[arg-type]
                found.append(one.result())
        return found

    async def end(self) -> None:
        """Wait for nothing any longer; the engine gives up what it was asked."""
        tasks = [*self._probes, *([] if self._next is None else [self._next])]
        self._probes, self._next = set(), None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._outputs is not None:
            await self._outputs.aclose()
            self._outputs = None

    def _seen(self, output: Any) -> Any:
        self._over = bool(output.finished)
        return output

    async def _ask(self, probe: Probe) -> Any:
        last = None
        outputs = self._engine.generate({"prompt_token_ids": probe.ids}, probe.params(), probe.id)
        async for output in outputs:
            last = output
        return last
