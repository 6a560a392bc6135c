"""What is known of how the upstream continues answers, a model at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from groundwire.config.names import model_key
from groundwire.gateway.continuation import Headers, How, goes_on, probe
from groundwire.gateway.errors import UpstreamFault, UpstreamRefused
from groundwire.gateway.upstream import Upstream, as_object

MOST_MODELS = 8
"""Models that are probed; of hosted services with more, the first."""
AGAIN_S = 15.0
"""Seconds until an upstream that could not be asked is asked again."""
MOST_S = 600.0
"""The same for a model that could not be asked time and again."""
_log = logging.getLogger("groundwire.gateway")
_Found = TypeVar("_Found")


class Prober:
    """Asks the upstream in the background, until it has answered.

    Args:
        upstream: who is asked.
        headers: with the gateway's own key for the upstream, if it has one.
        given: what the configuration says; ``probe`` to ask.

    Attributes:
        known: how the chats of a model are continued, by its name.
        prompts: whether its completions are, by their prompt.
        done: set once every model has answered.
    """

    def __init__(self, upstream: Upstream, headers: Headers, given: str = "probe") -> None:
        self._upstream = upstream
        self._headers = headers
        self._given: How | None = None
        if given in {"none", "final_message", "tokens"}:
            self._given = given  # type: ignore[assignment]
        self.known: dict[str, How] = {}
        self.prompts: dict[str, bool] = {}
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
        """Return how the chats of a model are continued; none as long as that is not known."""
        return self._given or _of(self.known, model) or "none"

    def completes(self, model: str | None) -> bool:
        """Whether the completions of a model are continued; false as long as that is not known.

        Whoever is said to continue chats is taken to continue completions.
        """
        if self._given is not None:
            return self._given != "none"
        return bool(_of(self.prompts, model))

    def unlearn(self, model: str | None, *, chat: bool = True) -> None:
        """Continue no chats or no completions of a model, one of which was begun anew.

        It is asked again some time later, and later still each time it happens.
        """
        one = model_key(model or "")
        known: dict[str, Any] = self.known if chat else self.prompts
        names = [
            n for n, how in known.items() if model_key(n) == one and how not in ("none", False)
        ]
        if self._given is not None or not names:
            return
        what = "chats" if chat else "completions"
        _log.warning("%s began an answer anew: its %s are not continued for now", model, what)
        for name in names:
            del known[name]
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
                models = (await self._models())[:MOST_MODELS]
                left = [one for one in models if await self._chats(one)]
                left += [one for one in models if await self._completions(one)]
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

    async def _chats(self, model: str) -> bool:
        """Ask about a model's chats, unless it is known; True if it has to be asked again."""
        if model in self.known:
            return False
        try:
            return await self._open(model, self.known, probe, "chats")
        except UpstreamRefused as refused:
            if refused.status == 401:
                # It is the key, and so it would be for every model.
                raise
            _refused(model, refused)
            return False

    async def _completions(self, model: str) -> bool:
        """Do the same for its completions, which a service may have for nobody."""
        if model in self.prompts:
            return False
        try:
            return await self._open(model, self.prompts, goes_on, "completions")
        except UpstreamRefused as refused:
            _log.info("%s takes no completions: status %s", model, refused.status)
            return False

    async def _open(
        self,
        model: str,
        known: dict[str, _Found],
        ask: Callable[[Upstream, Headers, str], Awaitable[_Found]],
        what: str,
    ) -> bool:
        """Ask about one model; True if it has to be asked again.

        Raises:
            UpstreamRefused: asking again would bring the same.

        """
        try:
            known[model] = await ask(self._upstream, self._headers, model)
        except UpstreamRefused as refused:
            if _for_good(refused):
                raise
            _log.info("%s could not be probed yet: status %s", model, refused.status)
            return True
        except UpstreamFault as fault:
            _log.info("%s could not be probed yet: %s", model, fault)
            return True
        _log.info("continuation of %s, %s: %s", model, what, known[model])
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


def _of(known: Mapping[str, _Found], model: str | None) -> _Found | None:
    """Return what is known of a model, by its own name or another that means the same."""
    found = known.get(model or "")
    if found is not None:
        return found
    one = model_key(model or "")
    return next((what for name, what in known.items() if model_key(name) == one), None)


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
