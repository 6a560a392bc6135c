"""Settings that every process of a server reads from its environment."""

from __future__ import annotations

import os

from groundwire.errors import ConfigError

STOP_ID = "GROUNDWIRE_STOP_ID"
"""Environment variable with the id that ends an answer for a finding."""


def reserved_stop_id() -> int | None:
    """Return the configured stop id, or ``None``; raises ``ConfigError`` for what is no id."""
    given = os.environ.get(STOP_ID, "").strip()
    if not given:
        return None
    if not (given.isascii() and given.isdigit()):
        raise ConfigError(f"{STOP_ID}={given!r} is no token id; it is a whole number of 0 or more")
    return int(given)
