"""Finished answers by the million, checked by Ray Data's ``map_batches`` on a cluster.

    import ray
    from groundwire.integrations.ray import CheckAnswers

    checked = ray.data.read_parquet("answers/").map_batches(
        CheckAnswers,
        fn_constructor_kwargs={"monitor": "groundwire.toml", "evidence": "passages"},
        concurrency=8,
    )
    checked.filter(expr="groundwire_tier == 'high'").write_parquet("to-review/")

Each worker compiles its monitor once. The class needs no Ray to run: whatever hands over batches
of columns (numpy arrays or lists in a mapping, a pandas frame, an Arrow table) can call it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from groundwire.errors import ArgumentError, GroundwireError
from groundwire.integrations._batches import columns_of, values_of, with_columns
from groundwire.monitor import Monitor

if TYPE_CHECKING:
    from groundwire.report import Report

OUT = ("tier", "status", "action", "risk", "count", "findings", "error")
"""What is added to each answer, behind the prefix."""


class CheckAnswers:
    """Checks a batch of answers; adds columns to it.

    Args:
        monitor: the path of a configuration file, a function that makes a monitor (in the
            worker), or a ``Monitor``, which travels to each worker as its configuration; by
            default a plain one. Knowledge bases travel best as paths in a configuration.
        text: the column of answers.
        evidence: the column of passages, if there is one: a string or a list (strings, or
            mappings with ``text`` and ``id``) for each answer.
        question: the column of questions, if there is one.
        history: the column of earlier turns, if there is one: lists of mappings.
        prefix: stands before the names of the columns that are added.
        on_error: whether a row that cannot be checked (no text, malformed evidence) raises, the
            default, or is told in its column ``error`` and has the status ``unchecked``.

    The columns: ``tier``, ``status`` (``pass``, ``warn``, ``fail``) and ``action`` of the acting
    profile's verdict, ``risk`` (the highest of the findings, 0..1), ``count`` of findings,
    ``findings`` (a JSON list of ``Finding.to_dict``) and ``error`` (empty where all went well).

    Raises:
        ArgumentError: ``on_error`` or ``monitor`` is none of these; from a call, a column is
            missing or taken already, the batch has no columns, or a row cannot be checked.
        ConfigError: the configuration is not valid.

    """

    def __init__(
        self,
        monitor: Monitor | Callable[[], Monitor] | str | os.PathLike[str] | None = None,
        *,
        text: str = "text",
        evidence: str | None = None,
        question: str | None = None,
        history: str | None = None,
        prefix: str = "groundwire_",
        on_error: Literal["raise", "column"] = "raise",
    ) -> None:
        """Compile the monitor."""
        if on_error not in {"raise", "column"}:
            raise ArgumentError(f"on_error is {on_error!r:.60}; it is 'raise' or 'column'")
        if isinstance(monitor, str | os.PathLike):
            monitor = Monitor.from_config(monitor)
        elif monitor is None:
            monitor = Monitor()
        elif not isinstance(monitor, Monitor) and callable(monitor):
            monitor = monitor()
        if not isinstance(monitor, Monitor):
            raise ArgumentError(f"monitor is a Monitor, what makes one or a path: {monitor!r:.60}")
        self._monitor, self._on_error, self._prefix = monitor, on_error, prefix
        columns = {"text": text, "evidence": evidence, "question": question, "history": history}
        self._columns = {name: column for name, column in columns.items() if column is not None}

    def __call__(self, batch: Any) -> Any:
        """Return the batch, of the kind it came in, with the columns that are added."""
        columns = columns_of(batch)
        for column in self._columns.values():
            if column not in columns:
                known = ", ".join(map(str, columns))
                raise ArgumentError(f"there is no column {column!r}; there are: {known or 'none'}")
            if isinstance(batch[column], str | bytes):
                raise ArgumentError(f"the column {column!r} is a list of values, not one text")
        for name in OUT:
            if self._prefix + name in columns:
                raise ArgumentError(f"there is a column {self._prefix + name!r}: use prefix=")
        given = {name: values_of(batch[column]) for name, column in self._columns.items()}
        rows = [dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True)]
        found = [self._row(number, row) for number, row in enumerate(rows)]
        added = {self._prefix + name: [row[name] for row in found] for name in OUT}
        return with_columns(batch, added)

    def _row(self, number: int, row: dict[str, Any]) -> dict[str, Any]:
        try:
            return _told(self._check(**row))
        except GroundwireError as error:
            if self._on_error == "raise":
                raise ArgumentError(f"row {number} of the batch: {error}") from error
            none = {"tier": "", "status": "unchecked", "action": "", "risk": 0.0, "count": 0}
            return {**none, "findings": "[]", "error": str(error)}

    def _check(
        self, text: Any, evidence: Any = None, question: Any = None, history: Any = None
    ) -> Report:
        if evidence is None:
            evidence = ()
        elif isinstance(evidence, str | Mapping):
            evidence = [evidence]
        return self._monitor.check(
            text, evidence=evidence, question=question, history=() if history is None else history
        )


def _told(report: Report) -> dict[str, Any]:
    return {
        "tier": report.tier,
        "status": report.verdict.status,
        "action": report.verdict.action,
        "risk": float(max((finding.risk for finding in report.findings), default=0.0)),
        "count": len(report.findings),
        "findings": json.dumps([f.to_dict() for f in report.findings], ensure_ascii=False),
        "error": "",
    }
