"""Measure how well any detector finds what is not grounded, on labelled records.

``groundwire bench quality`` is the command; ``groundwire.evaluate.run(detector, records)`` measures
a detector of your own: any object with a ``name`` and ``judge(record, mode)`` (see ``Detector``).

NumPy does the arithmetic; it comes with the extra ``bench``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groundwire.evaluate.data import read_folder, read_records
    from groundwire.evaluate.detectors import Detector, Judgement, ScoredSpan, detector
    from groundwire.evaluate.detectors.checks import DetectorError
    from groundwire.evaluate.records import GoldSpan, Record
    from groundwire.evaluate.runner import run

_HOMES = {
    "groundwire.evaluate.data": ("read_folder", "read_records"),
    "groundwire.evaluate.detectors": ("Detector", "Judgement", "ScoredSpan", "detector"),
    "groundwire.evaluate.detectors.checks": ("DetectorError",),
    "groundwire.evaluate.records": ("GoldSpan", "Record"),
    "groundwire.evaluate.runner": ("run",),
}
_WHERE = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Detector",
    "DetectorError",
    "GoldSpan",
    "Judgement",
    "Record",
    "ScoredSpan",
    "detector",
    "read_folder",
    "read_records",
    "run",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    home = _WHERE.get(name)
    if home is None:
        raise AttributeError(f"module 'groundwire.evaluate' has no attribute '{name}'")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    """Public names, whether imported yet or not."""
    return sorted(__all__)
