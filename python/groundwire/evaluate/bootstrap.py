"""Percentile bootstrap over sources: records of one source are drawn together.

Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapters 8 and 13. With one source
only there is nothing to draw, and no interval is given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from groundwire.evaluate.measures import Array
from groundwire.evaluate.numeric import np

LEVEL = 95.0
"""Percent of resamples inside an interval."""


class Bootstrap:
    """Resamples of a set's sources, drawn once and used for every measure of it."""

    def __init__(self, groups: Sequence[str], resamples: int = 1000, seed: int = 0) -> None:
        """Draw as many sources as there are, ``resamples`` times, with replacement."""
        names = sorted(set(groups))
        place = {name: i for i, name in enumerate(names)}
        self.member = np.array([place[g] for g in groups], dtype=int)
        self.size = len(names)
        random = np.random.default_rng(seed)
        draws = random.integers(0, max(self.size, 1), size=(resamples, self.size))
        rows = np.repeat(np.arange(resamples), self.size)
        self.draws = np.zeros((resamples, max(self.size, 1)))
        np.add.at(self.draws, (rows, draws.ravel()), 1.0)

    @property
    def weights(self) -> Array:
        """How often each resample drew each record (resamples x records)."""
        return self.draws[:, self.member]

    def sums(self, counts: Array) -> Array:
        """Return each resample's sums of counts (records x k) as resamples x k."""
        counts = np.asarray(counts, dtype=float)
        totals = np.zeros((self.draws.shape[1], counts.shape[1]))
        np.add.at(totals, self.member, counts)
        return self.draws @ totals

    def of_counts(
        self, counts: Array, measure: Callable[[Array], Array]
    ) -> tuple[float, list[float] | None]:
        """Return a measure of sums of counts (records x k), and its interval.

        ``measure`` takes sums as rows x k and returns a value a row.
        """
        counts = np.asarray(counts, dtype=float)
        value = float(measure(counts.sum(axis=0, keepdims=True))[0])
        return value, self.interval(measure(self.sums(counts)))

    def interval(self, values: Array) -> list[float] | None:
        """Return the middle ``LEVEL`` percent of the resamples' values that are numbers."""
        finite = values[np.isfinite(values)]
        if self.size < 2 or not len(finite):
            return None
        tail = (100.0 - LEVEL) / 2
        low, high = np.percentile(finite, [tail, 100.0 - tail])
        return [float(low), float(high)]
