"""The gateway's parts together, and what every request goes through."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import os
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from starlette.datastructures import Headers as RequestHeaders

from groundwire.config import Config
from groundwire.errors import ArgumentError
from groundwire.gateway.context import Context
from groundwire.gateway.errors import SHUTTING_DOWN, Refused, UpstreamFault
from groundwire.gateway.headers import passed
from groundwire.gateway.keys import KEYS, api_keys, held
from groundwire.gateway.observers import Observers
from groundwire.gateway.prober import Prober
from groundwire.gateway.requests import Asked
from groundwire.gateway.upstream import Upstream
from groundwire.gateway.visitors import refuse_foreign
from groundwire.integrations.serving import Registry

UPSTREAM_KEY = "GROUNDWIRE_UPSTREAM_KEY"
"""Variable with the gateway's own key for the upstream."""
ACCESS_KEY = "GROUNDWIRE_SERVE_KEY"
"""Variable with a key that clients have to give, beside those of ``serving.access_keys``."""


class Gateway:
    """Everything that lives as long as the server.

    Args:
        upstream: the root of the server that writes the answers.
        config: the configuration.
        registry: what is checked; made of the configuration by default.
        environ: variables, for the keys.

    Raises:
        ConfigError: the configuration names what cannot be read.
        ArgumentError: the upstream is no URL.
    """

    def __init__(
        self,
        upstream: str,
        config: Config,
        *,
        registry: Registry | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        upstream, login = _root(upstream)
        variables = os.environ if environ is None else environ
        self.config = config
        self.serving = config.serving
        self.registry = registry or Registry.load(config)
        self.upstream = Upstream(upstream, self.serving.limits, self.serving.timeouts)
        key = variables.get(UPSTREAM_KEY)
        self._own = [("Authorization", f"Bearer {key}")] if key else login
        self._access = set(self.serving.access_keys)
        self._hosts = frozenset(name.lower() for name in self.serving.hosts)
        if variables.get(ACCESS_KEY):
            self._access.add(_hash(variables[ACCESS_KEY]))
        self.observers = Observers(config)
        self.prober: Prober | None = None
        self.open: dict[str, Any] = {}
        self.draining = False

    async def start(self) -> None:
        """Open what needs a running loop."""
        await self.upstream.open()
        self.prober = Prober(self.upstream, self._own, self.serving.continuation)
        self.prober.start()

    async def stop(self) -> None:
        """Close everything."""
        if self.prober is not None:
            await self.prober.stop()
        await self.upstream.close()
        await self.observers.close()

    async def drain(self) -> None:
        """Take no new requests, and end those that run longer than the configuration allows."""
        self.draining = True
        until = asyncio.get_running_loop().time() + self.serving.timeouts.drain.total_seconds()
        while self.open and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.05)
        for answer in list(self.open.values()):
            answer.fail(UpstreamFault(SHUTTING_DOWN, "the gateway is shutting down"))

    def admit(self, headers: RequestHeaders, server: Any) -> list[tuple[str, str]]:
        """Check who asks; return the headers for the upstream.

        Args:
            headers: the request's.
            server: the address that took the connection, as an ASGI server says it.

        Raises:
            Refused: a page of another origin asks, or the gateway's own key is missing or wrong.

        """
        refuse_foreign(headers, server, self._hosts)
        came = list(headers.items())
        doors = [value for name, value in came if name.lower() == "x-groundwire-key"]
        if not self._access or self._known({*doors, *api_keys(came)}):
            # A key for the gateway goes no further; the upstream gets the gateway's own then.
            kept = [(n, v) for n, v in passed(came) if not (self._access and self._known(held(v)))]
            given = any(name.lower() in KEYS for name, _ in kept)
            return kept if given else [*kept, *self._own]
        raise Refused(
            401,
            "invalid_api_key",
            "this gateway asks for its own key: send it as x-groundwire-key, or as the API key",
        )

    async def begin(
        self,
        about: tuple[str, str],
        asked: Asked,
        headers: RequestHeaders,
        onward: list[tuple[str, str]],
    ) -> Context:
        """Return what holds for a request; ``about`` is the gateway's id for it, and its route.

        Raises:
            Refused: its options are not valid, or the gateway is full or ends.

        """
        if self.draining or len(self.open) >= self.serving.limits.max_streams:
            why = "shuts down" if self.draining else "has as many requests as it may have"
            raise Refused(503, "overloaded", f"the gateway {why}; try again later")
        try:
            key = self._named(headers, onward)
            also = ("details",)
            resolved = self.registry.resolve(asked.options, model=asked.model, key=key, also=also)
        except ArgumentError as error:
            raise Refused(400, "invalid_groundwire", str(error), "groundwire") from None
        most = self.serving.limits.max_choices
        if asked.choices > most:
            message = f"a request may ask for {most} answers here, not {asked.choices}"
            raise Refused(400, "invalid_value", message, "n")
        asked.take_out(text for _, text in resolved.evidence)
        assert self.prober is not None
        context = Context(
            id=about[0],
            route=about[1],
            asked=asked,
            resolved=resolved,
            upstream=self.upstream,
            headers=onward,
            limits=self.serving.limits,
            how=self.prober.how(asked.model),
            completes=self.prober.completes(asked.model),
            unlearn=partial(self.prober.unlearn, asked.model, chat="messages" in asked.body),
            may_lower=self.serving.requests_may_lower,
        )
        await context.prepare()
        return context

    def _named(self, headers: RequestHeaders, onward: list[tuple[str, str]]) -> str | None:
        """Return the key whose choice holds: one that goes to the upstream, else one that came.

        Raises:
            Refused: several go there, and the configuration has different choices for them.

        """
        if not self.serving.keys:
            return None
        for headed in (onward, list(headers.items())):
            found = {one for _, value in headed for one in held(value)}
            chosen = {key: choice for key in found if (choice := self.registry.choice_of(key))}
            choices = [one.model_dump(exclude={"sha256"}) for one in chosen.values()]
            if any(one != choices[0] for one in choices):
                message = "the headers hold several API keys, for which different choices hold"
                raise Refused(400, "ambiguous_api_key", f"{message}: send one of them")
            if chosen:
                return min(chosen)
        return None

    def _known(self, keys: Iterable[str]) -> bool:
        """Whether one of some keys is the gateway's own."""
        found = False
        # Every key is compared, each in constant time.
        for given in map(_hash, keys):
            for one in self._access:
                found |= hmac.compare_digest(given, one)
        return found


def _root(upstream: str) -> tuple[str, list[tuple[str, str]]]:
    """Return an upstream's URL without a user and password, and the header that says them.

    Raises:
        ArgumentError: it is no URL of a server.

    """
    try:
        parts = urlsplit(upstream)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    space = any(one.isspace() for one in upstream)
    if parts.scheme not in {"http", "https"} or not host or port == 0 or space or parts.fragment:
        shown = upstream.rpartition("@")[2]
        raise ArgumentError(f"the upstream is a URL such as http://host:8000, not {shown!a}")
    if parts.query:
        raise ArgumentError("the upstream is the root of a server, without a query behind it")
    if parts.username is None:
        return upstream, []
    told = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    plain = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return plain, [("Authorization", "Basic " + base64.b64encode(told).decode())]


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
