"""What to do about what was flagged: annotate, correct, remove, ask anew, hand to a person."""

from __future__ import annotations

from groundwire.mitigation.actions import (
    ActionKind,
    Correction,
    MitigationAction,
    MitigationConfig,
)
from groundwire.mitigation.apply import apply
from groundwire.mitigation.corrector import HallucinationCorrector
from groundwire.mitigation.mitigator import (
    HallucinationMitigator,
    generate_regeneration_guidance,
    mitigate,
)
from groundwire.mitigation.review import ReviewItem, ReviewQueue
from groundwire.profiles.dialogue.errors import MitigationError

__all__ = [
    "ActionKind",
    "Correction",
    "HallucinationCorrector",
    "HallucinationMitigator",
    "MitigationAction",
    "MitigationConfig",
    "MitigationError",
    "ReviewItem",
    "ReviewQueue",
    "apply",
    "generate_regeneration_guidance",
    "mitigate",
]
