"""groundwire itself, followed token by token or asked about the whole text."""

from __future__ import annotations

import difflib
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.evaluate.detectors.base import Judgement, Mode, ScoredSpan
from groundwire.evaluate.records import Record
from groundwire.findings import Finding
from groundwire.kb import KnowledgeBase
from groundwire.monitor import Monitor

PIECE = re.compile(r"\s*(?:\w+|[^\w\s])|\s+$")
SUBJECT_COLUMNS = ("name", "poi", "event", "location", "title")
GRADED = {"support_threshold": 1.0, "word_support_threshold": 1.0, "detail_threshold": 0.0}
"""Settings under which a detector with a threshold of its own says how doubtful everything is."""

JOINT = "stream.altered_detail"
"""Findings of which there is at most one a sentence, each about its own."""
SETTLED = {"stream.unsupported_span": "stream.unsupported_sentence"}
"""Findings about the beginning of a sentence, and those about the whole of it."""
TYPES = (
    "budget.contradicted", "budget.gap",
    "dialogue.contradicts_fact", "dialogue.contradicts_prior", "dialogue.fabricated_fact",
    "dialogue.logical_inconsistency", "dialogue.nonexistent_entity", "dialogue.temporal_error",
    "dialogue.unsupported_claim", "dialogue.wrong_attribute",
    "stream.altered_detail", "stream.concept_drift", "stream.contradicts_evidence",
    "stream.detector_failed", "stream.goalpost", "stream.low_confidence",
    "stream.pattern", "stream.quantity_conflict", "stream.specificity_drift",
    "stream.unknown_entity", "stream.unsourced_authority", "stream.unsupported_number",
    "stream.unsupported_sentence", "stream.unsupported_span", "stream.verifier_contradicted",
    "stream.verifier_failed", "stream.verifier_unsupported",
)  # fmt: skip
"""Types of finding that a name may leave out or keep; a test compares them with the core's."""

HISTORY_TYPES = ("contradicts_prior", "history")
QUESTION_TYPES = ("question",)
ROW_FLAGS = {
    "row": ("kbi",),
    "row_of_topic": ("kbi",),
    "row_value": ("kbi", "qi", "hi"),
    "row_prior": ("hi",),
    "row_question": ("qi",),
    "row_topic": ("qi",),
}
KB_TYPES = (
    "contradicts_fact",
    "fabricated_fact",
    "nonexistent_entity",
    "wrong_attribute",
    "unknown_entity",
)


class Groundwire:
    """The built-in detectors, all of them, without some, or only some.

    A finding's score is its ``p_hallucinated``; those of changed details are joined over
    sentences. ``word`` and ``sentence`` follow the stream token by token, each finding known when
    the token that decided it has been pushed; ``whole`` is ``Monitor.check``, whose report folds
    the log. The two see the same text, so they differ only in what later text changes.
    """

    def __init__(
        self,
        *,
        without: Sequence[str] = (),
        only: Sequence[str] = (),
        as_is: bool = False,
        monitor: Monitor | None = None,
        name: str | None = None,
    ) -> None:
        """Choose the detectors.

        Args:
            without: finding types left out, with or without their system ("dialogue.").
            only: the only finding types that count.
            as_is: shipped settings, so that only what they report is scored; otherwise detectors
                with a threshold of their own report everything, and the harness chooses.
            monitor: a monitor of your own in place of the built-in one; it is used as it is, and
                tables of records are added to it as passages.
            name: name in tables.

        """
        self.without = frozenset(without)
        self.only = frozenset(only)
        self.own = monitor
        self.settings: Mapping[str, Any] = {} if as_is or monitor is not None else GRADED
        parts = [":as-is"] if as_is else []
        parts += [f"-{kind}" for kind in without]
        parts += ["=" + ",".join(only)] if only else []
        self.name = name or "groundwire" + "".join(parts)
        self._last: tuple[Record, Judgement] | None = None

    def judge(self, record: Record, mode: Mode) -> Judgement:
        """Judge one record."""
        if mode == "whole":
            found = self._check(record)
            size = len(record.response)
            return self._judgement([(finding, size) for finding in found], bool(record.kb))
        if self._last is None or self._last[0] is not record:
            self._last = (record, self._stream(record))
        return self._last[1]

    def _check(self, record: Record) -> Sequence[Finding]:
        session = self._session(record)
        session.push_text(record.response)
        findings: Sequence[Finding] = session.finish().findings
        return findings

    def _stream(self, record: Record) -> Judgement:
        clock = time.perf_counter_ns
        opened = clock()
        session = self._session(record)
        around = clock() - opened
        found: list[tuple[Finding, int]] = []
        micros: list[float] = []
        at = 0
        for match in PIECE.finditer(record.response):
            began = clock()
            step = session.push_text(match.group())
            micros.append((clock() - began) / 1000)
            at = match.end()
            if step:
                found.extend((finding, at) for finding in step.findings)
        closing = clock()
        last = session.close()
        around += clock() - closing
        found.extend((finding, len(record.response)) for finding in last.findings)
        judged = self._judgement(found, bool(record.kb))
        return replace(judged, micros=tuple(micros), micros_around=around / 1000)

    def _session(self, record: Record) -> Any:
        evidence = list(record.evidence)
        if self.own is not None:
            monitor = self.own
            evidence += [(f"row{i}", row_text(row)) for i, row in enumerate(record.kb)]
        elif record.kb:
            monitor = Monitor(kb=table(record.kb), settings=dict(self.settings))
        else:
            monitor = _monitor(self.settings is GRADED)
        return monitor.session(
            evidence=evidence,
            history=list(record.history),
            question=record.question,
            reference_date=record.extra.get("reference_date"),
            rows=list(record.kb) or None,
        )

    def _counts(self, finding: Finding) -> bool:
        names = {finding.type, finding.type.partition(".")[2]}
        return not names & self.without and (not self.only or bool(names & self.only))

    def _judgement(
        self,
        found: Sequence[tuple[Finding, int]],
        has_table: bool,
    ) -> Judgement:
        spans: list[ScoredSpan] = []
        flags: dict[str, float] = {}
        score = 0.0
        for finding, read in found:
            if not self._counts(finding):
                continue
            p = finding.p_hallucinated
            score = max(score, p)
            for flag in flags_of(finding, has_table):
                flags[flag] = max(flags.get(flag, 0.0), p)
            if finding.span is not None and finding.span[1] > finding.span[0]:
                joint = finding.type == JOINT
                settled_by = SETTLED.get(finding.type, "")
                spans.append(
                    ScoredSpan(
                        *finding.span, p, read, finding.type, joint=joint, settled_by=settled_by
                    )
                )
        # A finding without a place still counts against the response.
        placed = max((span.score for span in spans), default=0.0)
        return Judgement(tuple(spans), score if score > placed else None, flags)


def flags_of(finding: Finding, has_table: bool = False) -> tuple[str, ...]:
    """Return which of CI-ToD's inconsistencies a finding is: ``qi``, ``hi``, ``kbi`` or none.

    What the row check finds says it by its rule. A value that no row has answers no question about
    the table, and agrees with no earlier turn, where there is one: it counts for all three.
    Other findings go by the evidence they rest on (a fact of the table, an earlier turn), else by
    their type; where there is a table, its rows are judged by the row check alone.
    """
    if finding.rule in ROW_FLAGS:
        earlier = bool(finding.extra.get("earlier_turns"))
        rules = finding.extra.get("rules", (finding.rule,))
        named = {flag for rule in rules for flag in ROW_FLAGS[rule]}
        if not earlier and "row_prior" not in rules:
            named.discard("hi")
        return tuple(sorted(named))
    flag = None
    if not has_table:
        kinds = {piece.kind for piece in finding.evidence}
        kind = finding.type.partition(".")[2]
        if any(part in kind for part in QUESTION_TYPES):
            flag = "qi"
        elif "prior_turn" in kinds or any(part in kind for part in HISTORY_TYPES):
            flag = "hi"
        elif "kb_fact" in kinds or any(part in kind for part in KB_TYPES):
            flag = "kbi"
    return () if flag is None else (flag,)


def row_text(row: Mapping[str, Any]) -> str:
    """Return a table's row as words: "date: the 4th; event: dinner"."""
    cells = [(k, str(v).replace("_", " ")) for k, v in row.items() if _says(v)]
    return "; ".join(f"{k.replace('_', ' ')}: {v}" for k, v in cells)


def table(rows: Sequence[Mapping[str, Any]]) -> KnowledgeBase:
    """Return a knowledge base of a table's rows, one entity each.

    An entity is named by the first of the columns name, poi, event, location and title that the row
    has, else by its first column; "-" and empty cells say nothing, and underscores part words.
    """
    records = []
    for i, row in enumerate(rows):
        cells = {str(k): v for k, v in row.items() if _says(v)}
        column = next((c for c in SUBJECT_COLUMNS if c in cells), next(iter(cells), None))
        if column is None:
            continue
        raw = str(cells.pop(column))
        plain = raw.replace("_", " ")
        records.append(
            {
                "name": plain,
                "aliases": [raw] if raw != plain else [],
                "key": f"row{i}",
                "attributes": {
                    k.replace("_", " "): str(v).replace("_", " ") for k, v in cells.items()
                },
            }
        )
    return KnowledgeBase.from_records(records, source="table")


def _says(cell: Any) -> bool:
    return cell is not None and str(cell).replace("_", " ").strip() not in ("", "-")


@lru_cache(maxsize=2)
def _monitor(graded: bool) -> Monitor:
    return Monitor(settings=GRADED if graded else {})


def parse(name: str) -> Groundwire:
    """Return what ``groundwire[:as-is][-TYPE…]`` or ``groundwire=TYPE[,TYPE…]`` names.

    Raises ``ArgumentError`` for any other form, for a type that no finding has, and where nothing
    would be left.
    """
    match = re.fullmatch(
        r"groundwire(?P<as_is>:as-is)?(?P<without>(?:-[^-=,]+)*)(?:=(?P<only>[^-=]+))?",
        name,
    )
    if match is None:
        raise ArgumentError(
            f"{name!a} names no detector: groundwire, groundwire:as-is, groundwire-TYPE (without "
            "findings of that type) or groundwire=TYPE,TYPE (only those)"
        )
    without = [part for part in match["without"].split("-") if part]
    only = match["only"].split(",") if match["only"] else []
    for part in (*without, *only):
        _known_type(part, name)
    if only and all(_full(part) in map(_full, without) for part in only):
        raise ArgumentError(f"{name!a} leaves out all that it keeps")
    return Groundwire(without=without, only=only, as_is=bool(match["as_is"]))


def _full(kind: str) -> str:
    """Return a type with its system; as it is where it has one, or no type is called so."""
    return next((full for full in TYPES if full.partition(".")[2] == kind), kind)


def _known_type(kind: str, name: str) -> None:
    if _full(kind) in TYPES:
        return
    short = [full.partition(".")[2] for full in TYPES]
    near = difflib.get_close_matches(kind, [*TYPES, *short], n=1, cutoff=0.6)
    advice = f"{near[0]} is meant?" if near else f"there are {', '.join(sorted(set(short)))}"
    raise ArgumentError(f"{name!a}: no finding is of the type {kind!a}; {advice}")
