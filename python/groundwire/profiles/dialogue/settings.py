"""What the detector is told: which detectors run, how far each is trusted, from when it speaks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self

from pydantic import ValidationError

from groundwire._checks import share, whole_number
from groundwire.config import sections
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


@contextmanager
def _refusing(what: str, unknown: str, valid: str) -> Iterator[None]:
    """Say of a table by detector which of its keys there is not, or whose value is no valid one."""
    try:
        yield
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in fault["loc"])
        if name not in ORDER:
            why = f"{unknown}; there are {', '.join(ORDER)}"
        else:
            why = f"{valid}, not {fault['input']!r:.60}"
        raise ArgumentError(f"{what} {name} {why}") from None


class EnabledDetectors(sections.EnabledDetectors):
    """Which of the eight detectors run, all unless switched off (S0-030).

    Raises ``ArgumentError`` naming the detector that there is not, or the value that is no bool.
    """

    def __init__(self, **enabled: bool) -> None:
        """Take the detectors that do not run, as ``name=False``."""
        with _refusing("detector", "is none", "runs or not (True or False)"):
            super().__init__(**enabled)


class DetectorWeights(sections.DetectorWeights):
    """Factor on each detector's confidence, 0 or more, before the threshold (S0-031).

    Raises ``ArgumentError`` naming the weight that is wrong.
    """

    def __init__(self, **weights: float) -> None:
        """Take the weights that differ from 1."""
        with _refusing("weight", "is no weight", "is 0 or more"):
            super().__init__(**weights)


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
    enabled_detectors: sections.EnabledDetectors = field(default_factory=EnabledDetectors)
    detector_weights: DetectorWeights = field(default_factory=DetectorWeights)
    max_claims: int = 100
    strict_seed: bool = False

    def __post_init__(self) -> None:
        """Check the numbers; raise ``ArgumentError`` naming what is wrong."""
        share(self.detection_threshold, "detection_threshold")
        for name, kind in (
            ("enabled_detectors", sections.EnabledDetectors),
            ("detector_weights", sections.DetectorWeights),
        ):
            if not isinstance(getattr(self, name), kind):
                given = getattr(self, name)
                raise ArgumentError(f"{name} is {kind.__name__}, not {given!r:.60}")
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
        if not hasattr(config, "dialogue"):
            raise ArgumentError(f"config is a Config or the path of one, not {config!r:.60}")
        section = config.dialogue
        return cls(
            section.detection_threshold,
            EnabledDetectors(**section.enabled_detectors.model_dump()),
            DetectorWeights(**section.detector_weights.model_dump()),
            section.max_claims,
            section.strict_seed,
        )
