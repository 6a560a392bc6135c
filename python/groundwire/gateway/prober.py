"""What is known of how the upstream continues answers, a model at a time."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from groundwire.gateway.continuation import Headers, How, probe
from groundwire.gateway.errors import UpstreamFault, UpstreamRefused
from groundwire.gateway.upstream import Upstream, as_object

MOST_MODELS = 8
"""Models that are probed; of hosted services with more, the first."""
AGAIN_S = 15.0
"""Seconds until an upstream that could not be asked is asked again."""
_log = logging.getLogger("groundwire.gateway")


class Prober:
    """Asks the upstream in the background, until it has answered.

    Args:
        upstream: who is asked.
        headers: with the gateway's own key for the upstream, if it has one.
        given: what the configuration says; ``probe`` to ask.
    """

    def __init__(self, upstream: Upstream, headers: Headers, given: str = "probe") -> None:
        self._upstream = upstream
        self._headers = headers
        self._given: How | None = None
        if given in {"none", "final_message", "tokens"}:
            self._given = given  # type: ignore[assignment]
        self.known: dict[str, How] = {}
        self.done = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to ask."""
        if self._given is None:
            self._task = asyncio.create_task(self._ask())
        else:
            self.done.set()

    async def stop(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def how(self, model: str | None) -> How:
        """Return how the answers of a model are continued; none as long as that is not known."""
        if self._given is not None:
            return self._given
        return self.known.get(model or "", "none")

    async def _ask(self) -> None:
        while True:
            try:
                for model in (await self._models())[:MOST_MODELS]:
                    if model not in self.known:
                        self.known[model] = await probe(self._upstream, self._headers, model)
                        _log.info("continuation of %s: %s", model, self.known[model])
                self.done.set()
                return
            except UpstreamRefused as refused:
                if refused.status < 500 and refused.status != 429:
                    _log.warning(
                        "the upstream refused the probe (%s): answers are not continued; give "
                        "GROUNDWIRE_UPSTREAM_KEY, or set serving.continuation",
                        refused.status,
                    )
                    self.done.set()
                    return
            except UpstreamFault as fault:
                _log.info("the upstream could not be probed yet: %s", fault)
            await asyncio.sleep(AGAIN_S)

    async def _models(self) -> list[str]:
        response = await self._upstream.send("GET", "/v1/models", self._headers, within_s=30.0)
        try:
            content = await self._upstream.read(response, self._upstream.limits.max_response)
        finally:
            response.close()
        found: Any = as_object(content, "list of models").get("data")
        if not isinstance(found, list):
            return []
        return [
            one["id"] for one in found if isinstance(one, dict) and isinstance(one.get("id"), str)
        ]
