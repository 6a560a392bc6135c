"""Thresholds: chosen on one part, used on another, never on the same.

``thresholds.json`` beside this file holds those that are shipped: chosen on the sets it names, by
the command it names. A set of other records gets them as they are. Where a set shares sources with
the ones they were chosen on, which a sketch of the sources' hashes tells, or where a detector has
none, thresholds are cross-fitted: a fold's records are judged by what the other folds chose.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from groundwire.errors import ArgumentError, FormatError
from groundwire.evaluate.measures import best_balanced_threshold, best_f1_threshold, f1
from groundwire.evaluate.numeric import np
from groundwire.evaluate.records import Record
from groundwire.evaluate.scored import Scored, character_arrays

SHIPPED = Path(__file__).with_name("thresholds.json")
SCHEMA_VERSION = 1
FOLDS = 5
SKETCH = 64
ANY = "*"
FLAGS = ("qi", "hi", "kbi")


@dataclass(frozen=True)
class Thresholds:
    """What counts as a verdict; a threshold is ``None`` where nothing could be chosen.

    Attributes:
        span: for characters, the highest span F1.
        example: for responses, the highest F1.
        balanced: for responses, the highest balanced accuracy.
        flags: for verdicts in a set's own terms, the highest F1 each.
        lm_weight: of a language model's score beside the detector's own.
    """

    span: float | None = None
    example: float | None = None
    balanced: float | None = None
    flags: Mapping[str, float | None] = field(default_factory=dict)
    lm_weight: float = 0.0

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Thresholds:
        """Read one from JSON data."""
        return cls(
            data.get("span"),
            data.get("example"),
            data.get("balanced"),
            dict(data.get("flags") or {}),
            float(data.get("lm_weight") or 0.0),
        )


def choose(variants: Mapping[float, Sequence[Scored]]) -> Thresholds:
    """Choose thresholds, and a language model's weight, on records that are not reported.

    The weight is that with the highest span F1, or example F1 where no stretch is labelled.
    """
    best: tuple[float, Thresholds] | None = None
    for weight, scored in variants.items():
        value, chosen = _choose(scored, weight)
        if best is None or value > best[0]:
            best = (value, chosen)
    return best[1] if best is not None else Thresholds()


def _choose(scored: Sequence[Scored], weight: float) -> tuple[float, Thresholds]:
    scores = np.array([s.score for s in scored])
    labels = np.array([s.record.hallucinated for s in scored], dtype=bool)
    ones = np.ones(len(scored))
    characters, gold = character_arrays([s for s in scored if spans_count(s.record)])
    example = best_f1_threshold(scores, ones, labels, labels.sum()) if len(scored) else None
    span = None
    value = _f1_at(scores, labels, example)
    if gold.any():
        span = best_f1_threshold(characters, np.ones(len(gold)), gold, gold.sum())
        value = _f1_at(characters, gold, span)
    flags: dict[str, float | None] = {}
    for name in FLAGS:
        truth = [s.record.extra.get(name) for s in scored]
        if any(isinstance(t, bool) for t in truth):
            right = np.array([bool(t) for t in truth])
            given = np.array([s.flags.get(name, 0.0) for s in scored])
            flags[name] = best_f1_threshold(given, ones, right, right.sum())
    chosen = Thresholds(span, example, best_balanced_threshold(scores, labels), flags, weight)
    return value, chosen


def spans_count(record: Record) -> bool:
    """Say whether a record takes part in measures of stretches.

    A hallucinated response without a labelled stretch does not: where it is wrong is unknown.
    """
    return bool(record.spans) or not record.hallucinated


def _f1_at(scores: Any, labels: Any, threshold: float | None) -> float:
    flagged = scores >= (math.inf if threshold is None else threshold)
    return float(f1((flagged & labels).sum(), flagged.sum(), labels.sum()))


def fold_of(group: str, folds: int = FOLDS) -> int:
    """Return the fold of a source: by its hash, so the same on every machine."""
    return _hash(group) % folds


def cross_fit(variants: Mapping[float, Sequence[Scored]]) -> tuple[list[Scored], list[Thresholds]]:
    """Return each record, and the thresholds that the folds without its source chose for it."""
    first = next(iter(variants.values()))
    folds = [fold_of(s.record.group) for s in first]
    chosen: dict[int, Thresholds] = {}
    for fold in set(folds):
        rest = {
            weight: [s for s, f in zip(scored, folds, strict=True) if f != fold]
            for weight, scored in variants.items()
        }
        chosen[fold] = choose(rest)
    thresholds = [chosen[fold] for fold in folds]
    return pick(variants, thresholds), thresholds


def pick(
    variants: Mapping[float, Sequence[Scored]], thresholds: Sequence[Thresholds]
) -> list[Scored]:
    """Return each record as its thresholds' weight has it."""
    any_weight = next(iter(variants))
    return [
        variants[t.lm_weight if t.lm_weight in variants else any_weight][i]
        for i, t in enumerate(thresholds)
    ]


def sketch(groups: Sequence[str]) -> list[str]:
    """Return the smallest hashes of some sources: enough to tell whether two sets share any."""
    return [f"{h:016x}" for h in sorted({_hash(g) for g in groups})[:SKETCH]]


def _hash(text: str) -> int:
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")


class ThresholdFile:
    """Thresholds by detector, mode and set, with what they were chosen on."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Hold the data of a file; see ``load``."""
        self.data = data

    @classmethod
    def load(cls, path: str | Path = SHIPPED) -> ThresholdFile:
        """Read a file; raises ``FormatError`` if it is none, ``OSError`` if it cannot be read."""
        place = Path(path)
        try:
            data = json.loads(place.read_text(encoding="utf-8"))
            fits = data["schema_version"] == SCHEMA_VERSION
            fits = fits and isinstance(data["thresholds"], dict) and isinstance(data["data"], dict)
        except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
            raise FormatError(f"{place.name} is no file of thresholds: {error}") from error
        if not fits:
            raise FormatError(f"{place.name} is no file of thresholds of version {SCHEMA_VERSION}")
        return cls(data)

    def find(self, detector: str, mode: str, family: str) -> tuple[str, Thresholds] | None:
        """Return thresholds and the set they were chosen on: this one's, else all sets' (``*``).

        What a set could not choose, having no such labels, is that of all sets.
        """
        by_set = self.data["thresholds"].get(detector, {}).get(mode, {})
        if family not in by_set and ANY not in by_set:
            return None
        found = {**by_set.get(ANY, {}), **by_set.get(family, {})}
        return family if family in by_set else ANY, Thresholds.from_dict(found)

    def overlaps(self, groups: Sequence[str]) -> bool:
        """Say whether some of the sources are among those the thresholds were chosen on."""
        hashes = {f"{_hash(g):016x}" for g in groups}
        return any(hashes & set(part["sources"]) for part in self.data["data"].values())


def write(
    path: str | Path,
    chosen: Mapping[str, Mapping[str, Mapping[str, Thresholds]]],
    data: Mapping[str, Mapping[str, Any]],
    *,
    made_by: str,
    overwrite: bool = False,
) -> None:
    """Write thresholds by detector, mode and set.

    Raises ``ArgumentError`` if the file exists and ``overwrite`` is not set.
    """
    place = Path(path)
    if place.exists() and not overwrite:
        raise ArgumentError(f"{path} exists; name another file, or pass --overwrite")
    plain = {
        detector: {
            mode: {name: _rounded(asdict(t)) for name, t in by_set.items()}
            for mode, by_set in by_mode.items()
        }
        for detector, by_mode in chosen.items()
    }
    body = {
        "schema_version": SCHEMA_VERSION,
        "made_by": made_by,
        "data": data,
        "thresholds": plain,
    }
    place.write_text(json.dumps(body, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _rounded(data: dict[str, Any]) -> dict[str, Any]:
    def number(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: number(v) for k, v in value.items()}
        return float(f"{value:.12g}") if isinstance(value, float) else value

    return {key: number(value) for key, value in data.items() if value not in (None, {}, 0.0)}
