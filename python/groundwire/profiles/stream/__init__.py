"""Checks before, during and after an answer, under the names their document gives them (S4)."""

from __future__ import annotations

from groundwire.profiles.stream.knowledge import (
    Gap,
    KnowledgeCheck,
    KnowledgeStore,
    verify_knowledge,
    verifyKnowledgeAvailability,
)
from groundwire.profiles.stream.needs import Need, extract_needs

__all__ = [
    "Gap",
    "KnowledgeCheck",
    "KnowledgeStore",
    "Need",
    "extract_needs",
    "verifyKnowledgeAvailability",
    "verify_knowledge",
]
