"""Plots of a run, with matplotlib (extra ``bench``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from groundwire.errors import MissingExtraError
from groundwire.evaluate.delay import BINS
from groundwire.evaluate.measures import Ranking
from groundwire.evaluate.numeric import np
from groundwire.evaluate.runner import Run

MAX_NAMES = 12
"""Detectors in one picture; more cannot be told apart."""


def draw(run: Run, folder: str | Path) -> list[Path]:
    """Write a picture of ROC curves and one of delays a set; returns the files.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the folder cannot be made or written to.

    """
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError as error:
        msg = "plots need matplotlib: pip install 'groundwire[bench]'"
        raise MissingExtraError(msg) from error
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name in run.sets:
        for picture, make in (("roc", _roc), ("delay", _delay)):
            figure, axes = plt.subplots(figsize=(6.4, 5.2))
            if make(axes, run, name):
                axes.set_title(name)
                figure.tight_layout()
                path = place / f"{name}_{picture}.png"
                figure.savefig(path, dpi=120)
                written.append(path)
            plt.close(figure)
    return written


def roc_points(labels: list[bool], scores: list[float]) -> tuple[Any, Any]:
    """Return false alarm rates and recalls of every threshold, from (0, 0) to (1, 1)."""
    ranking = Ranking.of(np.array(labels), np.array(scores))
    hit, miss = ranking.totals(np.ones((1, len(labels))))
    recall = np.concatenate(([0.0], np.cumsum(hit[0]) / hit.sum()))
    alarms = np.concatenate(([0.0], np.cumsum(miss[0]) / miss.sum()))
    return alarms, recall


def _roc(axes: Any, run: Run, name: str) -> bool:
    drawn = 0
    for (set_name, detector, mode), (labels, scores) in run.curves.items():
        if set_name != name or all(labels) or not any(labels) or drawn == MAX_NAMES:
            continue
        axes.plot(*roc_points(labels, scores), label=f"{detector}, {mode}", linewidth=1)
        drawn += 1
    if drawn:
        axes.plot([0, 1], [0, 1], color="grey", linestyle=":", linewidth=1)
        axes.set_xlabel("clean responses flagged")
        axes.set_ylabel("hallucinated responses flagged")
        axes.legend(fontsize=6)
    return drawn > 0


def _delay(axes: Any, run: Run, name: str) -> bool:
    rows = [
        (f"{detector}, {mode}", values)
        for detector, modes in run.sets[name].items()
        for mode, values in modes.items()
        if "delay_never" in values
    ][:MAX_NAMES]
    left = np.zeros(len(rows))
    for name_of_bin in BINS:
        shares = np.array([float(values[f"delay_{name_of_bin}"]) for _, values in rows])
        axes.barh([label for label, _ in rows], shares, left=left, label=name_of_bin)
        left = left + shares
    if rows:
        axes.set_xlabel("share of labelled stretches")
        axes.tick_params(axis="y", labelsize=6)
        axes.legend(fontsize=6, ncol=len(BINS), loc="upper center", bbox_to_anchor=(0.4, -0.12))
    return bool(rows)
