"""What an answer holds by chance never looks like what a test looks for."""

from __future__ import annotations

import random
import sys
import types
import uuid

import pytest

GATEWAY = "groundwire.gateway"


@pytest.fixture(autouse=True)
def chosen_identifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep digits out of the gateway's identifiers, and its clock still.

    A test that says "1992" is nowhere in a body failed where an answer's random name held it. Where
    no gateway was imported, as in the engine's own environment, there is nothing to do.
    """

    def identifier() -> uuid.UUID:
        return uuid.UUID(hex="".join(random.choices("abcdef", k=32)))

    named = types.SimpleNamespace(uuid4=identifier)
    clock = types.SimpleNamespace(time=lambda: 1_700_000_000.0)
    for name, attribute, chosen in (
        ("answering", "uuid", named),
        ("dialects", "time", clock),
        ("responses_written", "time", clock),
    ):
        module = sys.modules.get(f"{GATEWAY}.{name}")
        if module is not None:
            monkeypatch.setattr(module, attribute, chosen)
