"""Run detectors over sets and measure them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groundwire.errors import ArgumentError, FormatError, MissingExtraError
from groundwire.evaluate.bootstrap import Bootstrap
from groundwire.evaluate.calibration import Thresholds, cross_fit, degenerate, pick
from groundwire.evaluate.data import FIELDS
from groundwire.evaluate.data import record as read_record
from groundwire.evaluate.detectors.base import (
    AGGREGATES,
    MODES,
    Aggregate,
    Detector,
    Mode,
    ScoredSpan,
)
from groundwire.evaluate.detectors.checks import (
    DetectorError,
    check_detector,
    check_judgement,
    reaches_out,
)
from groundwire.evaluate.extra import OneSet
from groundwire.evaluate.forms import HALLMARK
from groundwire.evaluate.memory import resident_mib
from groundwire.evaluate.oddities import Oddities
from groundwire.evaluate.records import Record
from groundwire.evaluate.report import measures
from groundwire.evaluate.scored import Scored, variants
from groundwire.evaluate.threshold_file import SHIPPED, ThresholdFile

log = logging.getLogger("groundwire")

SCHEMA_VERSION = 1
MAX_RESAMPLES = 10_000
"""More tell nothing more, and a resample holds a number for every record."""
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
        warnings: what to mind in reading it, one line each.
        curves: set, detector, mode: labels and scores of responses, for plots.
    """

    sets: dict[str, dict[str, dict[str, dict[str, Any]]]] = field(default_factory=dict)
    thresholds: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    curves: dict[tuple[str, str, str], tuple[list[bool], list[float]]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-like data; ``schema_version`` names its form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "sets": self.sets,
            "thresholds": self.thresholds,
            "settings": self.settings,
            "warnings": self.warnings,
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

    What to mind in reading them is logged as warnings: ids that stand twice, stretches that reach
    out of their response and are cut to it, thresholds that flag everything or nothing.

    Args:
        detector: anything with ``name`` and ``judge(record, mode)``; see ``Detector``.
        records: records, or mappings in the common form (``groundwire.evaluate.data``).
        modes: which of ``word``, ``sentence`` and ``whole``.
        thresholds: a file of thresholds; without one they are cross-fitted on these records.
        resamples: bootstrap resamples of an interval, 1 to 10,000.
        seed: of the resamples, from 0.
        aggregate: how the scores of spans make a response's (``response_score``).

    Raises:
        ArgumentError: there is no record, a mode is none, ``resamples`` or ``seed`` is out of
            range, or the detector is none, or says of a record what cannot be measured.
        DetectorError: the detector raised something else; the message names the record.
        FormatError: a mapping is no record, or one of another set than the first; the message
            says which and why.

    """
    if isinstance(records, str | Mapping | Record) or not isinstance(records, Iterable):
        raise ArgumentError(f"records is a list of records, not {type(records).__name__}")
    if not isinstance(thresholds, ThresholdFile | str | Path | None):
        raise ArgumentError(
            f"thresholds is a file, a path of one, or None, not {type(thresholds).__name__}"
        )
    found: list[Record] = []
    one, odd = OneSet(), Oddities(FIELDS)
    for i, r in enumerate(records):
        where = f"records[{i}]"
        found.append(r if isinstance(r, Record) else read_record(r, where))
        one.hear(found[-1], where, named=thresholds is not None)
        odd.hear(found[-1], where, r if isinstance(r, Mapping) else None)
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
    for line in (*odd.lines(), *done.warnings):
        log.warning("%s", line)
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
    modes = check(sets, detectors, modes)
    _check_draws(resamples, seed)
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

    def warn(line: str) -> None:
        done.warnings.append(line)
        if progress is not None:
            progress(f"warning: {line}")

    for name, records in sets.items():
        bootstrap = Bootstrap([r.group for r in records], resamples, seed)
        for detector in detectors:
            began = time.monotonic()
            judged, grown, cut = judge_all(detector, records, modes, aggregate)
            if not judged:
                warn(f"{name}: {detector.name} was not measured: {_unserved(detector, records)}")
            if cut is not None:
                warn(f"{name}: {cut}")
            for mode, scored in judged.items():
                chosen, source = _thresholds(scored, detector.name, mode, file)
                spans = getattr(detector, "finds_spans", True)
                values = measures(*chosen, mode, bootstrap, finds_spans=spans)
                values["resident_growth_mib"] = grown
                done.sets.setdefault(name, {}).setdefault(detector.name, {})[mode] = values
                done.thresholds.setdefault(name, {}).setdefault(detector.name, {})[mode] = source
                odd = degenerate(*chosen)
                if odd is not None:
                    warn(f"{name}: {detector.name}, {mode}: {odd} (thresholds: {source})")
                done.curves[name, detector.name, mode] = (
                    [s.record.hallucinated for s in chosen[0]],
                    [s.score for s in chosen[0]],
                )
            if progress is not None:
                progress(f"{name}: {detector.name}, {time.monotonic() - began:.1f} s")
    return done


def judge_all(
    detector: Detector,
    records: Sequence[Record],
    modes: Sequence[Mode],
    aggregate: Aggregate = "max",
) -> tuple[dict[Mode, list[Scored]], float, str | None]:
    """Let a detector judge records in the modes it serves.

    Returns the verdicts by mode, MiB its resident memory grew by, and what to say if it gave
    stretches that reach out of their response.

    Memory is that of the whole process, read after every record, less what it was before; what a
    detector loaded earlier is not in it.
    """
    served = _served(detector, records, modes)
    prepare = getattr(detector, "batch_prepare", None)
    before = peak = resident_mib()
    if prepare is not None:
        prepare(records)
    judged: dict[Mode, list[Scored]] = {mode: [] for mode in served}
    beyond: dict[str, tuple[Record, ScoredSpan]] = {}
    for record in records:
        for mode in served:
            began = time.perf_counter_ns()
            try:
                judgement = detector.judge(record, mode)
            except MissingExtraError:
                raise
            except (ArgumentError, FormatError) as error:
                raise type(error)(f"{detector.name}, record {record.id!a:.60}: {error}") from error
            except Exception as error:
                raise DetectorError(
                    f"{detector.name}, record {record.id!a:.60}, mode {mode}: "
                    f"{type(error).__name__}: {error}"
                ) from error
            spent = (time.perf_counter_ns() - began) / 1000
            check_judgement(detector.name, record, judgement)
            out = reaches_out(record, judgement)
            if out is not None:
                beyond.setdefault(record.id, (record, out))
            scored = Scored.of(record, mode, judgement, aggregate)
            if judgement.micros is not None and not scored.micros:
                tokens = max(len(record.tokens), 1)
                scored.micros = (spent / tokens,) * tokens
            judged[mode].append(scored)
        peak = max(peak, resident_mib())
    return judged, peak - before, _cut(detector.name, beyond)


def _cut(name: str, beyond: Mapping[str, tuple[Record, ScoredSpan]]) -> str | None:
    """Return what to say of stretches that reach out of their response, by record."""
    if not beyond:
        return None
    record, span = next(iter(beyond.values()))
    return (
        f"{name}: stretches of {len(beyond)} records reach out of the response and are cut to it, "
        f"as {span.start}..{span.end} of 0..{len(record.response)} in record {record.id!a:.60}; "
        "places count code points"
    )


def _served(detector: Detector, records: Sequence[Record], modes: Sequence[Mode]) -> list[Mode]:
    """Return the modes in which a detector judges these records."""
    served = [mode for mode in modes if mode in getattr(detector, "modes", MODES)]
    bibliography = bool(records) and records[0].set == HALLMARK
    return [mode for mode in served if mode == "whole" or not bibliography]


def _unserved(detector: Detector, records: Sequence[Record]) -> str:
    """Return why a detector judges these records in none of the modes asked for."""
    there = _served(detector, records, MODES)
    return f"here it judges in mode {', '.join(there)} only" if there else "it judges in no mode"


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


def check(
    sets: Mapping[str, Sequence[Record]], detectors: Sequence[Detector], modes: Sequence[Mode]
) -> list[Mode]:
    """Return the modes, each once; raises ``ArgumentError`` where nothing could be measured."""
    for name, records in sets.items():
        if not records:
            raise ArgumentError(f"the set {name!r} holds no record")
    if isinstance(modes, str) or not isinstance(modes, Iterable):
        raise ArgumentError(f"modes is a list of {', '.join(MODES)}, not {modes!a:.40}")
    for mode in modes:
        if mode not in MODES:
            raise ArgumentError(f"{mode!a} is no mode; there are {', '.join(MODES)}")
    if not modes:
        raise ArgumentError(f"no mode is given; there are {', '.join(MODES)}")
    for one in detectors:
        check_detector(one)
    names = [detector.name for detector in detectors]
    for name in names:
        if names.count(name) > 1:
            raise ArgumentError(f"two detectors are called {name!r}")
    pairs = [(detector, records) for records in sets.values() for detector in detectors]
    if pairs and not any(_served(detector, records, modes) for detector, records in pairs):
        why = _unserved(*pairs[0])
        raise ArgumentError(f"nothing can be measured in {', '.join(modes)}: {why}")
    return list(dict.fromkeys(modes))


def _check_draws(resamples: Any, seed: Any) -> None:
    for name, value, low, high in (
        ("resamples", resamples, 1, MAX_RESAMPLES),
        ("seed", seed, 0, 2**63 - 1),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ArgumentError(f"{name} is a whole number from {low} to {high}, not {value!r:.40}")


def shipped() -> ThresholdFile | None:
    """Return the thresholds that are shipped, if they are there."""
    return ThresholdFile.load() if SHIPPED.is_file() else None
