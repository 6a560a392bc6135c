"""Keys in a request's headers, wherever and however they are written there."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable

KEYS = ("authorization", "x-api-key", "api-key", "x-goog-api-key")
"""Headers that carry an API key."""
_BETWEEN = re.compile(r"[\s,;=\"]+")


def held(value: str) -> set[str]:
    """Return what in a header's value may be a key: all of it, and its parts.

    A scheme stands before a key, a name before one of several values; a user and a password are
    written in base 64.
    """
    found = {value.strip(), value.strip().partition(" ")[2].strip()}
    parts = [part for part in _BETWEEN.split(value) if part]
    if len(parts) > 1 and parts[0].lower() == "basic":
        try:
            plain = base64.b64decode(value.rsplit(maxsplit=1)[-1]).decode()
        except (binascii.Error, ValueError):
            plain = ""
        found |= {plain, *plain.split(":", 1)}
    return {one for one in (*found, *parts) if one}


def api_keys(headers: Iterable[tuple[str, str]]) -> set[str]:
    """Return what may be an API key in those headers that carry one."""
    return {one for name, value in headers if name.lower() in KEYS for one in held(value)}
