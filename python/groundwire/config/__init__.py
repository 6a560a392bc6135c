"""The one configuration of groundwire: five sections, read from a file, the environment, arguments.

``Config.load`` is the way in. Importing this package imports pydantic, so ``groundwire`` itself
imports it only when it is asked for.
"""

from __future__ import annotations

from groundwire.config.model import Config
from groundwire.config.sections import (
    BankSection,
    CitationSection,
    DialogueSection,
    HallucinationSection,
    StreamSection,
)

__all__ = [
    "BankSection",
    "CitationSection",
    "Config",
    "DialogueSection",
    "HallucinationSection",
    "StreamSection",
]
