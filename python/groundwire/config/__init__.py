"""The one configuration of groundwire, read from a file, the environment and arguments.

Five sections belong to the profiles; ``serving`` says what servers check, and for whom.

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
from groundwire.config.serving import ServingSection

__all__ = [
    "BankSection",
    "CitationSection",
    "Config",
    "DialogueSection",
    "HallucinationSection",
    "ServingSection",
    "StreamSection",
]
