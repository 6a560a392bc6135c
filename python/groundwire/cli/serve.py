"""``groundwire serve``: the gateway before a server of the OpenAI interface."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from groundwire.cli import options, screen
from groundwire.errors import ArgumentError, MissingExtraError


def serve(
    *,
    upstream: Annotated[
        str, typer.Option("--upstream", "-u", help="Root of the server that writes the answers.")
    ],
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, help="Port; 0 takes a free one.")
    ] = 8100,
    config: options.Configuration = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log every request, masked, as JSON.")
    ] = False,
) -> None:
    """Check the answers of any server that speaks the OpenAI interface, while they stream.

    Point clients at this server in place of the upstream. What is checked, and what findings lead
    to, stands in the section "serving" of the configuration; docs/gateway.md has it all. Ends with
    SIGINT or SIGTERM, after the answers that run, or the time they are given.
    """
    try:
        from groundwire.gateway.core import Gateway
        from groundwire.gateway.observers import REQUESTS
        from groundwire.gateway.server import serve as run
    except ImportError as error:
        if error.name is None or error.name.startswith("groundwire"):
            raise
        msg = f"{error.name} is not installed; the gateway needs: pip install 'groundwire[serve]'"
        raise MissingExtraError(msg) from error
    from groundwire.config import Config

    level = logging.INFO if verbose else logging.WARNING
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines(REQUESTS))
    logging.basicConfig(level=level, handlers=[handler])
    errors = screen.console(stderr=True)
    gateway = Gateway(upstream, Config.load(config))

    def ready(url: str) -> None:
        errors.print(f"groundwire gateway on {url}, before {gateway.upstream.root}", markup=False)

    try:
        run(gateway, host, port, ready=ready)
    except OSError as error:
        msg = f"cannot listen on {host} port {port}: {error.strerror or error}"
        raise ArgumentError(msg) from error


class _Lines(logging.Formatter):
    """What ``bare`` logs stands by itself on its lines, for programs that read them."""

    def __init__(self, bare: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")
        self._bare = bare

    def format(self, record: logging.LogRecord) -> str:
        return record.getMessage() if record.name == self._bare else super().format(record)
