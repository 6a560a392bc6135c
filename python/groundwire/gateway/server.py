"""The gateway as a process: a listening socket, uvicorn, and an end that lets answers finish."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from groundwire.gateway.app import create_app
from groundwire.gateway.core import Gateway
from groundwire.gateway.left import Left

_BACKLOG = 2048
_MARGIN_S = 5
"""Seconds that ended answers have to tell their clients so."""


class GatewayServer(uvicorn.Server):
    """Uvicorn that tells the gateway when it begins to shut down."""

    def __init__(self, config: uvicorn.Config, gateway: Gateway) -> None:
        super().__init__(config)
        self._gateway = gateway

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let answers finish, and end those that do not; only then take no connections any more.

        Until then ``/healthz`` says that the server shuts down, and new requests are refused.
        """
        draining = asyncio.create_task(self._gateway.drain())
        try:
            while not draining.done() and not self.force_exit:
                await asyncio.wait([draining], timeout=0.1)
            await super().shutdown(sockets)
        finally:
            draining.cancel()


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free one. Raises ``OSError``."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=_BACKLOG)


def make_server(gateway: Gateway) -> GatewayServer:
    """Return a server of the gateway; ``run(sockets=[…])`` runs it until it is told to end."""
    drain = gateway.serving.timeouts.drain.total_seconds()
    config = uvicorn.Config(
        Left(create_app(gateway)),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_keep_alive=75,
        timeout_graceful_shutdown=int(drain) + _MARGIN_S,
    )
    return GatewayServer(config, gateway)


def serve(
    gateway: Gateway, host: str, port: int, *, ready: Callable[[str], object] | None = None
) -> None:
    """Serve until the process is told to end (SIGINT, SIGTERM); a SIGTERM then counts as obeyed.

    Args:
        gateway: what is served.
        host: the address to listen on.
        port: its port; 0 takes a free one.
        ready: hears the gateway's URL once the socket listens.

    Raises:
        OSError: the address cannot be listened on.

    """
    with listen(host, port) as listening:
        address, bound = listening.getsockname()[:2]
        url = f"http://[{address}]:{bound}" if ":" in address else f"http://{address}:{bound}"
        if ready is not None:
            ready(url)
        # What is loaded by now stays; the collector need not look at it again while answers wait.
        gc.collect()
        gc.freeze()
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
        server = make_server(gateway)
        with _told_to_end(server):
            server.run(sockets=[listening])


@contextmanager
def _told_to_end(server: uvicorn.Server) -> Iterator[None]:
    """Take SIGTERM for what it is, a server's regular end: uvicorn raises it again afterwards."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ended(number: int, _: object) -> None:
        if not server.should_exit:
            signal.signal(number, before)
            signal.raise_signal(number)

    before = signal.signal(signal.SIGTERM, ended)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
