"""Suggestions and evidence that are read back, so that both ends agree on their form."""

from __future__ import annotations

import re

ATTRIBUTE = re.compile(r"'(?P<attribute>[^']+)' of '(?P<entity>.+?)' is '(?P<value>.+)'$")
KB_VALUE = re.compile(r"^(?P<entity>.+?): (?P<attribute>[^=]+?) = (?P<value>.+)$", re.MULTILINE)
PRIOR = re.compile(r"Earlier: '(?P<claim>.+)' \(Turn (?P<turn>[^)]+)\)", re.DOTALL)


def attribute_suggestion(entity: str, attribute: str, value: str) -> str:
    """Return the suggestion of a wrong attribute; ``ATTRIBUTE`` reads it."""
    return f"'{attribute}' of '{entity}' is '{value}'"


def kb_evidence(entity: str, attribute: str, value: str) -> str:
    """Return the evidence of a fact, as the core writes it; ``KB_VALUE`` reads it."""
    return f"{entity}: {attribute} = {value}"


def prior_evidence(claim: str, turn_id: int | str) -> str:
    """Return the evidence of an earlier turn (S0-048); ``prior_claim`` reads it."""
    return f"Earlier: '{claim}' (Turn {turn_id})"


def prior_claim(evidence: str | None) -> str | None:
    """Return the earlier claim that such evidence quotes, or ``None``."""
    found = PRIOR.search(evidence or "")
    return found["claim"] if found else None
