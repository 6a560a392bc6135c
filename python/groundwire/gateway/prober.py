"""What is known of how the upstream continues answers, a model at a time."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from groundwire.config.names import model_key
from groundwire.gateway.continuation import Headers, How, probe
from groundwire.gateway.errors import UpstreamFault, UpstreamRefused
from groundwire.gateway.upstream import Upstream, as_object

MOST_MODELS = 8
"""Models that are probed; of hosted services with more, the first."""
AGAIN_S = 15.0
"""Seconds until an upstream that could not be asked is asked again."""
MOST_S = 600.0
"""The same for a model that could not be asked time and again."""
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
        self._unlearned = 0

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
        found = self.known.get(model or "")
        if found is not None:
            return found
        one = model_key(model or "")
        return next((how for name, how in self.known.items() if model_key(name) == one), "none")

    def unlearn(self, model: str | None) -> None:
        """Continue no answers of a model, one of which was begun anew, until it is asked again.

        That is some time later, and later still each time it happens.
        """
        one = model_key(model or "")
        names = [n for n, how in self.known.items() if model_key(n) == one and how != "none"]
        if self._given is not None or not names:
            return
        _log.warning("%s began an answer anew: its answers are not continued for now", model)
        self.known = {n: how for n, how in self.known.items() if n not in names}
        wait = min(AGAIN_S * 2**self._unlearned, MOST_S)
        self._unlearned += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._ask(after_s=wait))

    async def _ask(self, *, after_s: float = 0.0) -> None:
        await asyncio.sleep(after_s)
        wait = AGAIN_S
        while True:
            left: list[str] | None = None
            try:
                left = [
                    one for one in (await self._models())[:MOST_MODELS] if await self._open(one)
                ]
            except UpstreamRefused as refused:
                if _for_good(refused):
                    _refused("the list of models", refused)
                    left = []
            except UpstreamFault as fault:
                _log.info("the upstream could not be probed yet: %s", fault)
            if not left and left is not None:
                self.done.set()
                return
            await asyncio.sleep(wait)
            # Whoever is there, and cannot answer for one model, is asked less and less often.
            wait = AGAIN_S if left is None else min(2 * wait, MOST_S)

    async def _open(self, model: str) -> bool:
        """Ask about one model, unless it is known; True if it has to be asked again."""
        if model in self.known:
            return False
        try:
            self.known[model] = await probe(self._upstream, self._headers, model)
        except UpstreamRefused as refused:
            if refused.status == 401:
                # It is the key, and so it would be for every model.
                raise
            if not _for_good(refused):
                _log.info("%s could not be probed yet: status %s", model, refused.status)
                return True
            _refused(model, refused)
            return False
        except UpstreamFault as fault:
            _log.info("%s could not be probed yet: %s", model, fault)
            return True
        _log.info("continuation of %s: %s", model, self.known[model])
        return False

    async def _models(self) -> list[str]:
        response = await self._upstream.send("GET", "/v1/models", self._headers, within_s=30.0)
        try:
            most = self._upstream.limits.max_response
            content = await self._upstream.read(response, most, within_s=30.0)
        finally:
            response.close()
        found: Any = as_object(content, "list of models").get("data")
        if not isinstance(found, list):
            return []
        return [
            one["id"] for one in found if isinstance(one, dict) and isinstance(one.get("id"), str)
        ]


def _for_good(refused: UpstreamRefused) -> bool:
    """Whether asking again would bring the same answer."""
    return refused.status < 500 and refused.status != 429


def _refused(what: str, refused: UpstreamRefused) -> None:
    _log.warning(
        "the upstream refused the probe of %s (%s): such answers are not continued; give "
        "GROUNDWIRE_UPSTREAM_KEY, or set serving.continuation",
        what,
        refused.status,
    )
