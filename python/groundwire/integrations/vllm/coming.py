"""What comes from an asynchronous engine for one guarded request: its outputs, and its probes'."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from groundwire.integrations.vllm.lift import Probe

_BEGINS_S = 0.5
"""Seconds after which it is asked again whether an engine hands out outputs yet."""


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

    @property
    def shut_down(self) -> bool:
        """Whether somebody shut the engine down, so that nothing comes any more."""
        handler = self._handler()
        return handler is not None and handler.cancelled()

    def _handler(self) -> asyncio.Task[Any] | None:
        """Return the engine's task that hands outputs out, which a shutdown cancels.

        Whoever waits for outputs is not told of that.
        """
        return getattr(self._engine, "output_handler", None)

    async def some(self) -> list[Any] | None:
        """Return what came, at least one output; waits for it. None once the engine is shut down.

        Whatever else the engine raises is raised here.
        """
        assert self._outputs is not None
        if self._next is None and not self._over:
            self._next = asyncio.ensure_future(anext(self._outputs))
        found = []
        for one in await self._done({*self._probes, *([] if self._next is None else [self._next])}):
            if self.shut_down and one.exception() is not None:
                return None
            if one is self._next:
                self._next = None
                found.append(self._seen(one.result()))
            else:
                self._probes.discard(one)  # type: ignore[arg-type]
                found.append(one.result())
        return found or None

    async def _done(self, mine: set[asyncio.Future[Any]]) -> set[asyncio.Future[Any]]:
        """Wait for one of some futures; return those that are done, none after a shutdown."""
        while True:
            handler = self._handler()
            # The engine begins to hand out with its first request.
            timeout = _BEGINS_S if handler is None else None
            waiting = mine if handler is None or handler.done() else {*mine, handler}
            done, _ = await asyncio.wait(
                waiting,
                return_when=asyncio.FIRST_COMPLETED,
                timeout=0 if self.shut_down else timeout,
            )
            if done & mine or self.shut_down:
                return done & mine

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
