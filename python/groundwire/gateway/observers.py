"""Who hears of requests: metrics, traces, logs and the audit log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from groundwire.config import Config
from groundwire.gateway.context import Context


class Observers:
    """All of them; none of them ever stops an answer."""

    def __init__(self, config: Config) -> None:
        self.config = config

    @contextmanager
    def request(self, context: Context) -> Iterator[None]:  # noqa: ARG002
        """Stand around an answer."""
        yield

    def finished(self, route: str, context: Context | None, status: int) -> None:
        """Hear that a request is over."""

    def close(self) -> None:
        """Close files."""
