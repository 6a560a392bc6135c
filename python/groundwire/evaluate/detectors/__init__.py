"""Detectors that can be measured, and how a name becomes one."""

from __future__ import annotations

from groundwire.evaluate.detectors.base import MODES, Detector, Judgement, Mode, ScoredSpan
from groundwire.evaluate.detectors.names import DEFAULT, detector, listed

__all__ = [
    "DEFAULT",
    "MODES",
    "Detector",
    "Judgement",
    "Mode",
    "ScoredSpan",
    "detector",
    "listed",
]
