"""Run detectors over sets and measure them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.evaluate.bootstrap import Bootstrap
from groundwire.evaluate.calibration import Thresholds, choose, cross_fit, pick
from groundwire.evaluate.data import record as read_record
from groundwire.evaluate.detectors.base import (
    AGGREGATES,
    MODES,
    Aggregate,
    Detector,
    Judgement,
    Mode,
)
from groundwire.evaluate.forms import HALLMARK
from groundwire.evaluate.memory import resident_mib
from groundwire.evaluate.records import Record
from groundwire.evaluate.report import measures
from groundwire.evaluate.scored import Scored, variants
from groundwire.evaluate.threshold_file import ANY, SHIPPED, ThresholdFile, pack

SCHEMA_VERSION = 1
CROSS_FITTED = "cross-fitted"

Progress = Callable[[str], None]


@dataclass
class Run:
    """What was measured.

    Attributes:
        sets: set, detector, mode, measure: value (``MEASURE_ci``: its interval).
        thresholds: the same to where the thresholds came from: the set of the file they were
            chosen on, ``cross-fitted``, or both where some records are among those.
        settings: what the run was started with.
        curves: set, detector, mode: labels and scores of responses, for plots.
    """

    sets: dict[str, dict[str, dict[str, dict[str, Any]]]] = field(default_factory=dict)
    thresholds: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    curves: dict[tuple[str, str, str], tuple[list[bool], list[float]]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-like data; ``schema_version`` names its form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "sets": self.sets,
            "thresholds": self.thresholds,
            "settings": self.settings,
        }


def run(
    detector: Detector,
    records: Iterable[Record | Mapping[str, Any]],
    *,
    modes: Sequence[Mode] = MODES,
    thresholds: ThresholdFile | str | Path | None = None,
    resamples: int = 1000,
    seed: int = 0,
    aggregate: Aggregate = "max",
) -> dict[str, dict[str, Any]]:
    """Measure one detector on records; returns measures by mode.

    Args:
        detector: anything with ``name`` and ``judge(record, mode)``; see ``Detector``.
        records: records, or mappings in the common form (``groundwire.evaluate.data``).
        modes: which of ``word``, ``sentence`` and ``whole``.
        thresholds: a file of thresholds; without one they are cross-fitted on these records.
        resamples: bootstrap resamples of an interval.
        seed: of the resamples.
        aggregate: how the scores of spans make a response's (``response_score``).

    Raises:
        ArgumentError: there is no record, or a mode is none.
        FormatError: a mapping is no record; the message says which and why.

    """
    found = [
        r if isinstance(r, Record) else read_record(r, f"records[{i}]")
        for i, r in enumerate(records)
    ]
    file = (
        thresholds
        if isinstance(thresholds, ThresholdFile | None)
        else ThresholdFile.load(thresholds)
    )
    done = run_all(
        {"records": found},
        [detector],
        modes=modes,
        file=file,
        resamples=resamples,
        seed=seed,
        aggregate=aggregate,
    )
    return done.sets["records"][detector.name]


def run_all(
    sets: Mapping[str, Sequence[Record]],
    detectors: Sequence[Detector],
    *,
    modes: Sequence[Mode] = MODES,
    file: ThresholdFile | None = None,
    resamples: int = 1000,
    seed: int = 0,
    aggregate: Aggregate = "max",
    progress: Progress | None = None,
) -> Run:
    """Measure detectors on sets; ``progress`` hears one line a detector and set."""
    _check(sets, detectors, modes)
    if aggregate not in AGGREGATES:
        raise ArgumentError(f"{aggregate!a} is no aggregate; there are {', '.join(AGGREGATES)}")
    # The thresholds of a file were chosen on the highest score of a response.
    file = file if aggregate == "max" else None
    done = Run(
        settings={
            "modes": list(modes),
            "resamples": resamples,
            "seed": seed,
            "aggregate": aggregate,
        }
    )
    for name, records in sets.items():
        bootstrap = Bootstrap([r.group for r in records], resamples, seed)
        for detector in detectors:
            began = time.monotonic()
            judged, grown = judge_all(detector, records, modes, aggregate)
            for mode, scored in judged.items():
                chosen, source = _thresholds(scored, detector.name, mode, file)
                spans = getattr(detector, "finds_spans", True)
                values = measures(*chosen, mode, bootstrap, finds_spans=spans)
                values["resident_growth_mib"] = grown
                done.sets.setdefault(name, {}).setdefault(detector.name, {})[mode] = values
                done.thresholds.setdefault(name, {}).setdefault(detector.name, {})[mode] = source
                done.curves[name, detector.name, mode] = (
                    [s.record.hallucinated for s in chosen[0]],
                    [s.score for s in chosen[0]],
                )
            if progress is not None:
                progress(f"{name}: {detector.name}, {time.monotonic() - began:.1f} s")
    return done


def tune(
    sets: Mapping[str, Sequence[Record]],
    detectors: Sequence[Detector],
    *,
    modes: Sequence[Mode] = MODES,
    progress: Progress | None = None,
) -> tuple[dict[str, dict[str, dict[str, Thresholds]]], dict[str, dict[str, Any]]]:
    """Choose thresholds on sets, for each by the name its records give and for all together.

    Returns thresholds by detector, mode and set, and what they were chosen on.
    """
    _check(sets, detectors, modes)
    chosen: dict[str, dict[str, dict[str, Thresholds]]] = {}
    for detector in detectors:
        pools: dict[str, dict[str, list[Scored]]] = {}
        for name, records in sets.items():
            judged, _ = judge_all(detector, records, modes)
            for mode, scored in judged.items():
                by_set = pools.setdefault(mode, {})
                by_set.setdefault(records[0].set, []).extend(scored)
            if progress is not None:
                progress(f"{name}: {detector.name}")
        for mode_name, by_set in pools.items():
            place = chosen.setdefault(detector.name, {}).setdefault(mode_name, {})
            for family, scored in by_set.items():
                place[family] = choose(variants(scored))
            # Entries of a bibliography are no answers, so they say nothing about those.
            answers = [s for family, part in by_set.items() if family != HALLMARK for s in part]
            place[ANY] = choose(variants(answers or next(iter(by_set.values()))))
    data = {
        name: {
            "set": records[0].set,
            "records": len(records),
            "records_seen": pack(records),
        }
        for name, records in sets.items()
    }
    return chosen, data


def judge_all(
    detector: Detector,
    records: Sequence[Record],
    modes: Sequence[Mode],
    aggregate: Aggregate = "max",
) -> tuple[dict[Mode, list[Scored]], float]:
    """Let a detector judge records in the modes it serves; also MiB its resident memory grew by.

    Memory is that of the whole process, read after every record, less what it was before; what a
    detector loaded earlier is not in it.
    """
    served = [m for m in modes if m in getattr(detector, "modes", MODES)]
    if records and records[0].set == HALLMARK:
        served = [m for m in served if m == "whole"]
    prepare = getattr(detector, "batch_prepare", None)
    before = peak = resident_mib()
    if prepare is not None:
        prepare(records)
    judged: dict[Mode, list[Scored]] = {mode: [] for mode in served}
    for record in records:
        for mode in served:
            began = time.perf_counter_ns()
            judgement = detector.judge(record, mode)
            spent = (time.perf_counter_ns() - began) / 1000
            if not isinstance(judgement, Judgement):
                raise ArgumentError(
                    f"{detector.name}: judge returned {type(judgement).__name__}, not a Judgement"
                )
            scored = Scored.of(record, mode, judgement, aggregate)
            if judgement.micros is not None and not scored.micros:
                tokens = max(len(record.tokens), 1)
                scored.micros = (spent / tokens,) * tokens
            judged[mode].append(scored)
        peak = max(peak, resident_mib())
    return judged, peak - before


def _thresholds(
    scored: list[Scored], detector: str, mode: Mode, file: ThresholdFile | None
) -> tuple[tuple[list[Scored], list[Thresholds]], str]:
    by_weight = variants(scored)
    shipped = None if file is None else file.find(detector, mode, scored[0].record.set)
    if file is None or shipped is None:
        return cross_fit(by_weight), CROSS_FITTED
    family, limit = shipped
    known = file.known([s.record for s in scored])
    if all(known):
        return cross_fit(by_weight), CROSS_FITTED
    limits = [limit] * len(scored)
    if any(known):
        own = cross_fit(by_weight)[1]
        limits = [o if k else limit for o, k in zip(own, known, strict=True)]
        family = f"{family}; {CROSS_FITTED} for {sum(known)} it was chosen on"
    return (pick(by_weight, limits), limits), family


def _check(
    sets: Mapping[str, Sequence[Record]], detectors: Sequence[Detector], modes: Sequence[Mode]
) -> None:
    for name, records in sets.items():
        if not records:
            raise ArgumentError(f"the set {name!r} holds no record")
    for mode in modes:
        if mode not in MODES:
            raise ArgumentError(f"{mode!a} is no mode; there are {', '.join(MODES)}")
    names = [detector.name for detector in detectors]
    for name in names:
        if names.count(name) > 1:
            raise ArgumentError(f"two detectors are called {name!r}")


def shipped() -> ThresholdFile | None:
    """Return the thresholds that are shipped, if they are there."""
    return ThresholdFile.load() if SHIPPED.is_file() else None
