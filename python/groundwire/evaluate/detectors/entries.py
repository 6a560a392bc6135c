"""Bibliography entries checked against themselves (``groundwire.citations``)."""

from __future__ import annotations

from datetime import date

from groundwire.citations import check_bibliography
from groundwire.evaluate.detectors.base import Judgement, Mode, ScoredSpan
from groundwire.evaluate.records import Record


class Entries:
    """The checks of ``check_bibliography`` over a response that is BibTeX; else nothing.

    Today is the day the record's set gives (``extra.reference_date``), else the UTC date. The
    score is the chance that something is wrong if the findings were independent, so that more of
    them say more: 1 - prod(1 - p).
    """

    name = "entries"
    modes: tuple[Mode, ...] = ("whole",)

    def judge(self, record: Record, mode: Mode) -> Judgement:  # noqa: ARG002
        """Judge the entries that the response holds."""
        given = record.extra.get("reference_date")
        today = date.fromisoformat(given) if isinstance(given, str) else None
        size = len(record.response)
        found = check_bibliography(record.response, reference_date=today)
        clean = 1.0
        for finding in found:
            clean *= 1.0 - finding.p_hallucinated
        spans = tuple(ScoredSpan(*f.span, f.p_hallucinated, size, f.rule) for f in found)
        return Judgement(spans, 1.0 - clean if found else None)
