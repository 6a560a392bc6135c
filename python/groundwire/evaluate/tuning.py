"""Choose thresholds on sets: for each of them, and for sets that are none of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.evaluate.any_set import for_any
from groundwire.evaluate.calibration import Thresholds, choose
from groundwire.evaluate.detectors.base import MODES, Detector, Mode
from groundwire.evaluate.forms import HALLMARK
from groundwire.evaluate.records import Record
from groundwire.evaluate.runner import Progress, check, judge_all
from groundwire.evaluate.scored import Scored, variants
from groundwire.evaluate.threshold_file import ANY, pack


def tune(
    sets: Mapping[str, Sequence[Record]],
    detectors: Sequence[Detector],
    *,
    modes: Sequence[Mode] = MODES,
    progress: Progress | None = None,
) -> tuple[dict[str, dict[str, dict[str, Thresholds]]], dict[str, dict[str, Any]]]:
    """Choose thresholds on sets, for each by the name its records give, and for any other.

    Returns thresholds by detector, mode and set, and what they were chosen on.
    """
    modes = check(sets, detectors, modes)
    chosen: dict[str, dict[str, dict[str, Thresholds]]] = {}
    for detector in detectors:
        pools: dict[str, dict[str, list[Scored]]] = {}
        for name, records in sets.items():
            judged, _, _ = judge_all(detector, records, modes)
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
            answers = {family: part for family, part in by_set.items() if family != HALLMARK}
            place[ANY] = for_any(answers or by_set)
    data = {
        name: {
            "set": records[0].set,
            "records": len(records),
            "records_seen": pack(records),
        }
        for name, records in sets.items()
    }
    return chosen, data
