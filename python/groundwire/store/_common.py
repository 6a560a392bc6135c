"""What the stores share: how values are written, what time it is."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

CLASH = "{key} cannot hold a value: {other} holds one, or has keys below it"


def now() -> datetime:
    """Return the time, UTC."""
    return datetime.now(UTC)


def stamp(time: datetime) -> str:
    """Return ``time`` in UTC as text of fixed width, so that its order is that of time."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def written(value: Any) -> str:
    """Return a value as JSON, whatever its characters."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text
