"""What the detector is told: which detectors run, how far each is trusted, from when it speaks."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from typing import Any, Self

from groundwire._checks import whole_number
from groundwire.errors import ArgumentError
from groundwire.profiles.dialogue.types import HallucinationType

_T = HallucinationType
ORDER: dict[str, HallucinationType] = {
    "fabricated_facts": _T.FabricatedFact,
    "nonexistent_entities": _T.NonexistentEntity,
    "wrong_attributes": _T.WrongAttribute,
    "kb_contradictions": _T.ContradictsFact,
    "history_contradictions": _T.ContradictsPrior,
    "unsupported_claims": _T.UnsupportedClaim,
    "temporal_errors": _T.TemporalError,
    "logical_inconsistencies": _T.LogicalInconsistency,
}
"""The detectors in the order they run (S0-030, S0-034), with the type each gives."""


@dataclass(frozen=True, slots=True)
class EnabledDetectors:
    """Which detectors run (S0-030)."""

    fabricated_facts: bool = True
    nonexistent_entities: bool = True
    wrong_attributes: bool = True
    kb_contradictions: bool = True
    history_contradictions: bool = True
    unsupported_claims: bool = True
    temporal_errors: bool = True
    logical_inconsistencies: bool = True


@dataclass(frozen=True, slots=True)
class DetectorWeights:
    """Factor on each detector's confidence, 0 or more, before the threshold (S0-031)."""

    fabricated_facts: float = 1.0
    nonexistent_entities: float = 1.0
    wrong_attributes: float = 1.0
    kb_contradictions: float = 1.0
    history_contradictions: float = 1.0
    unsupported_claims: float = 1.0
    temporal_errors: float = 1.0
    logical_inconsistencies: float = 1.0

    def __post_init__(self) -> None:
        """Check the weights; raise ``ArgumentError`` naming the one that is wrong."""
        for entry in fields(self):
            value = getattr(self, entry.name)
            if not 0 <= value < float("inf"):
                raise ArgumentError(f"weight {entry.name} is 0 or more, not {value!r:.60}")


@dataclass(frozen=True, slots=True)
class HallucinationDetectorConfig:
    """How the detector runs; the defaults are those of the configuration (D-1).

    Attributes:
        detection_threshold: flags below this confidence, 0..1, are dropped (S0-037).
        enabled_detectors: which detectors run.
        detector_weights: how far each detector's confidence counts.
        max_claims: claims of an answer that are looked at, the first ones (S0-032).
        strict_seed: the document's literal algorithms, which use neither weights nor
            ``max_claims``.

    Raises ``ArgumentError`` for numbers out of range.
    """

    detection_threshold: float = 0.5
    enabled_detectors: EnabledDetectors = field(default_factory=EnabledDetectors)
    detector_weights: DetectorWeights = field(default_factory=DetectorWeights)
    max_claims: int = 100
    strict_seed: bool = False

    def __post_init__(self) -> None:
        """Check the numbers; raise ``ArgumentError`` naming what is wrong."""
        if not 0 <= self.detection_threshold <= 1:
            raise ArgumentError(
                f"detection_threshold is a number from 0 to 1, not {self.detection_threshold!r:.60}"
            )
        whole_number(self.max_claims, "max_claims", least=1)

    @classmethod
    def load(cls, config: Any = None) -> Self:
        """Return the section ``dialogue`` of a ``Config``, or of a configuration file.

        Without one, ``GROUNDWIRE_CONFIG`` and the environment count, as in ``Config.load``.
        Raises ``ConfigError`` naming a wrong key or value.
        """
        if config is None or isinstance(config, str | os.PathLike):
            from groundwire.config import Config

            config = Config.load(config)
        section = config.dialogue
        return cls(
            section.detection_threshold,
            EnabledDetectors(**{name: getattr(section.enabled_detectors, name) for name in ORDER}),
            DetectorWeights(**{name: getattr(section.detector_weights, name) for name in ORDER}),
            section.max_claims,
            section.strict_seed,
        )
