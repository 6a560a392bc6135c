"""Whether a file of thresholds is one, with the place of what is not as it has to be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from groundwire.errors import FormatError
from groundwire.evaluate.detectors.base import MODES

SCHEMA_VERSION = 1
NUMBERS = ("span", "example", "balanced", "lm_weight")
FLAGS = ("qi", "hi", "kbi")


def check_file(data: Any, said: str) -> None:
    """Raise ``FormatError``, its message beginning with ``said``, for what is no such file."""
    if not isinstance(data, Mapping):
        raise FormatError(f"{said}: it holds {type(data).__name__}, not an object")
    version = data.get("schema_version")
    if isinstance(version, bool) or version != SCHEMA_VERSION:
        raise FormatError(
            f"{said} of version {SCHEMA_VERSION}: 'schema_version' is {version!r:.40}"
        )
    for name, given in _object(data.get("data"), "'data'", said).items():
        place = f"data[{name!a:.40}]"
        part = _object(given, place, said)
        if not isinstance(part.get("records_seen", ""), str):
            raise FormatError(f"{said}: {place}: 'records_seen' is a text")
        sources = part.get("sources", [])
        if not isinstance(sources, list) or not all(isinstance(s, str) for s in sources):
            raise FormatError(f"{said}: {place}: 'sources' is a list of texts")
    for detector, modes in _object(data.get("thresholds"), "'thresholds'", said).items():
        for mode, sets in _object(modes, f"thresholds[{detector!a:.40}]", said).items():
            place = f"thresholds[{detector!a:.40}][{mode!a:.40}]"
            if mode not in MODES:
                raise FormatError(f"{said}: {place} is no mode; there are {', '.join(MODES)}")
            for family, limits in _object(sets, place, said).items():
                _limits(limits, f"{place}[{family!a:.40}]", said)


def _limits(limits: Any, place: str, said: str) -> None:
    for name, value in _object(limits, place, said).items():
        where = f"{place}[{name!a:.40}]"
        if name in NUMBERS:
            _number(value, where, said)
        elif name == "flags":
            for flag, bar in _object(value, where, said).items():
                if flag not in FLAGS:
                    raise FormatError(f"{said}: {where} has {flag!a:.40}; there are qi, hi, kbi")
                _number(bar, f"{where}[{flag!a}]", said)
        elif name == "left_out":
            for other, effect in _object(value, where, said).items():
                for key, number in _object(effect, f"{where}[{other!a:.40}]", said).items():
                    _number(number, f"{where}[{other!a:.40}][{key!a:.40}]", said)
        else:
            raise FormatError(
                f"{said}: {where} is unknown; there are {', '.join((*NUMBERS, 'flags'))}"
            )


def _object(value: Any, place: str, said: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FormatError(f"{said}: {place} is an object, not {type(value).__name__}")
    return value


def _number(value: Any, place: str, said: str) -> None:
    """Check a threshold: a score is above 0, so one below never parts anything."""
    if value is None:
        return
    fine = isinstance(value, int | float) and not isinstance(value, bool)
    if not fine or not math.isfinite(value) or value < 0:
        raise FormatError(f"{said}: {place} is a number from 0, or null, not {value!r:.40}")
