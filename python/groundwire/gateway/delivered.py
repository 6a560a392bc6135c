"""A guard's report, told of the text that was delivered.

A removal is no rewind and a note may stand in the delivered text alone: the text that the session
follows, in which the core finds, is another than the one the client reads.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.gateway.judged import LEFT
from groundwire.plain import tier_rank
from groundwire.report import code_points

if TYPE_CHECKING:
    from groundwire.findings import Finding, Intervention
    from groundwire.monitor import Monitor
    from groundwire.report import Report

Span = tuple[int, int]
_TRIES = 16
"""Places at which the text behind a mark is looked for."""
_MARK = 4096
"""Characters of what is put in at one place, at most."""
_SPACE = " \t"


class Stretch(NamedTuple):
    """Text that was delivered as it stands in the session: from where, to where, how much."""

    at: int
    to: int
    size: int


class _Cut(NamedTuple):
    """A place where the texts part: what was left out, and notes that were put in."""

    start: int
    end: int
    notes: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class _Delivered:
    """Where the session's text stands in the delivered one.

    Attributes:
        text: what was delivered.
        stretches: code points of one in the other, in order.
        removed: bytes of the session's text that were left out.
        to: code points of the session's text behind which nothing was delivered, if that is known.
    """

    text: str
    stretches: tuple[Stretch, ...]
    removed: tuple[Span, ...]
    to: int | None

    def span(self, of: Span | None) -> Span | None:
        """Return where a span stands in the delivered text; none if it is not there whole."""
        if of is not None:
            for at, to, size in self.stretches:
                if at <= of[0] <= of[1] <= at + size:
                    return of[0] - at + to, of[1] - at + to
        return None

    def lacks(self, finding: Finding) -> bool:
        """Whether the finding is in text of which something was not delivered."""
        if finding.byte_span is None:
            return bool(self.removed and finding.text and finding.text not in self.text)
        late = self.to is not None and finding.span is not None and finding.span[1] > self.to
        return late or self.overlaps(finding.byte_span)

    def overlaps(self, span: Span) -> bool:
        """Whether something of ``span`` (bytes) was left out."""
        return any(_overlap(span, one) for one in self.removed)


def as_delivered(
    report: Report, monitor: Monitor | None, *, lead: str = "", left: int, ended: bool
) -> Report:
    """Return a report whose text is the delivered one, with the findings and claims in it.

    Findings in text that was left out stand in the intervention that did it, whoever made them;
    tier and verdicts are those of the other findings.

    Args:
        report: a guard's report.
        monitor: what judges findings, should some be left out.
        lead: the prompt's unfinished sentence, which the session has read before.
        left: code points that were delivered in all.
        ended: whether nothing more will be delivered.

    """
    where = _compared(report, lead, left, ended=ended)
    kept, gone = [], []
    for finding in report.findings:
        if where.lacks(finding):
            gone.append(finding)
        else:
            kept.append(
                _unquoted(dataclasses.replace(finding, span=where.span(finding.span)), where)
            )
    spans = [(claim, where.span(claim.span)) for claim in report.claims]
    claims = tuple(dataclasses.replace(claim, span=span) for claim, span in spans if span)
    changed: dict[str, Any] = {"text": report.released, "claims": claims, "findings": tuple(kept)}
    if gone:
        changed["interventions"] = _taken_in(report.interventions, gone)
        if monitor is not None:
            return with_findings(dataclasses.replace(report, **changed), kept, monitor)
    return dataclasses.replace(report, **changed)


def with_findings(report: Report, findings: list[Finding], monitor: Monitor) -> Report:
    """Return a report with these findings, and the tier and the verdicts that they come to."""
    verdicts = monitor.verdicts(findings)
    acting = max(verdicts, key=lambda name: tier_rank(verdicts[name].tier))
    return dataclasses.replace(
        report,
        findings=tuple(findings),
        verdicts=verdicts,
        acting=acting,
        verdict=verdicts[acting],
        tier=max((one.tier for one in findings), key=tier_rank, default="none"),
    )


def _unquoted(finding: Finding, where: _Delivered) -> Finding:
    """Return a finding that quotes nothing of what was left out."""
    if not any(where.overlaps(span) for span in finding.spans):
        return finding
    return dataclasses.replace(
        finding, message=finding.masked_message, suggestion=None, evidence=()
    )


def _taken_in(done: tuple[Intervention, ...], gone: list[Finding]) -> tuple[Intervention, ...]:
    """Return interventions with the findings that none of them has and that are gone with one."""
    took = [i for i, one in enumerate(done) if one.action not in LEFT]
    seen = {finding.id for i in took for finding in done[i].findings}
    more: dict[int, list[Finding]] = {}
    for finding in gone:
        if finding.id not in seen and took:
            by = [i for i in took if _is_removal(done[i]) and finding.byte_span]
            by = [i for i in by if finding.byte_span and _overlap(finding.byte_span, done[i].span)]
            # Their spans count code points of a text in which they do not stand.
            more.setdefault((by or took)[-1], []).append(dataclasses.replace(finding, span=None))
    return tuple(
        dataclasses.replace(one, findings=(*one.findings, *more[i])) if i in more else one
        for i, one in enumerate(done)
    )


def _compared(report: Report, lead: str, left: int, *, ended: bool) -> _Delivered:
    text, released = report.text, report.released
    if report.truncated:
        removals, _ = _standing(report)
        # Only the ends of both are there: what they have in common stands at the end.
        size = _common_end(text, released)
        stretch = Stretch(len(text) - size, left - size, size)
        return _Delivered(released, (stretch,), tuple(removals), None)
    removals, put = _standing(report)
    data = text.encode()
    told = {one.span: one.retracted.encode() for one in report.interventions if _is_removal(one)}
    removed = tuple(span for span in removals if data[slice(*span)] == told[span])
    counted = code_points(
        text, [place for span in removed for place in span] + [at for at, _ in put]
    )
    begins = len(lead) if text.startswith(lead) else 0
    cuts = list(
        _cuts(
            text,
            begins,
            [(counted[a], counted[b]) for a, b in removed],
            [(counted[at], note) for at, note in put],
        )
    )
    stretches, to = _aligned(text, released, begins, cuts)
    return _Delivered(released, tuple(stretches), removed, to if ended else None)


def _is_removal(done: Intervention) -> bool:
    """Whether a claim was left out; of one that had left already, a note follows instead."""
    return done.action == "remove" and not done.inserted


def _standing(report: Report) -> tuple[list[Span], list[tuple[int, str]]]:
    """Return what was left out of the text that stands, and where something was put into it.

    An intervention that takes text back voids what was done behind its place: the guard does that
    again, should it come again.
    """
    removed: list[Span] = []
    put: list[tuple[int, str]] = []
    for done in report.interventions:
        start, end = done.span
        if _is_removal(done):
            put = [(at, note) for at, note in put if not start < at <= end]
            removed.append(done.span)
        elif done.action == "annotate":
            put.append((end, ""))
        elif done.retracted:
            removed = [span for span in removed if span[1] <= start]
            put = [(at, note) for at, note in put if at <= start]
        elif done.inserted:
            put.append((start, done.inserted))
    return sorted(set(removed)), sorted(put, key=lambda one: one[0])


def _cuts(
    text: str, begins: int, removed: list[Span], put: list[tuple[int, str]]
) -> Iterator[_Cut]:
    """Yield the places at which the texts part, apart from each other and in order."""
    found = [_Cut(at, at, (note,) if note else ()) for at, note in put if begins <= at]
    for start, end in removed:
        # The guard leaves one of the spaces around it out, too.
        before = begins + len(text[begins:start].rstrip(_SPACE)) if start > begins else start
        found.append(_Cut(before, len(text) - len(text[end:].lstrip(_SPACE))))
    found.sort(key=lambda cut: cut[:2])
    last: _Cut | None = None
    for cut in found:
        if last is not None and cut.start <= last.end:
            last = _Cut(last.start, max(last.end, cut.end), last.notes + cut.notes)
            continue
        if last is not None:
            yield last
        last = cut
    if last is not None:
        yield last


def _aligned(
    text: str, released: str, begins: int, cuts: list[_Cut]
) -> tuple[list[Stretch], int | None]:
    """Return the stretches that both texts have, and how far the first was delivered.

    That is none where all of it was, or where the texts part otherwise than the cuts say.
    """
    found: list[Stretch] = []
    at, to, notes = begins, 0, tuple[str, ...]()
    for cut in [*cuts, _Cut(len(text), len(text))]:
        piece = text[at : cut.start]
        place = _place(piece, released, to, notes)
        if place is None and piece.startswith("\n"):
            # Of a line that was left out whole its end was, too.
            place = _place(piece[1:], released, to, notes)
            if place is not None:
                at, piece = at + 1, piece[1:]
        if place is None:
            rest = next(
                (i for i in (_behind(notes, released, to), to) if piece.startswith(released[i:])),
                None,
            )
            if rest is None:
                return found, None
            _join(found, Stretch(at, rest, len(released) - rest))
            return found, at + len(released) - rest
        _join(found, Stretch(at, place, len(piece)))
        at, to, notes = cut.end, place + len(piece), cut.notes
    return found, None


def _join(found: list[Stretch], more: Stretch) -> None:
    """Add a stretch; one that goes on where the last ends is part of it."""
    if found and found[-1].at + found[-1].size == more.at:
        last = found[-1]
        if last.to + last.size == more.to:
            found[-1] = Stretch(last.at, last.to, last.size + more.size)
            return
    if more.size:
        found.append(more)


def _place(piece: str, released: str, to: int, notes: tuple[str, ...]) -> int | None:
    """Return where ``piece`` stands behind what was put in at ``to``; none if it is not there."""
    for begins in (_behind(notes, released, to), to):
        at = begins - 1
        for _ in range(_TRIES):
            at = released.find(piece, at + 1)
            if at < 0:
                break
            if _is_mark(released[begins:at]):
                return at
    return None


def _behind(notes: tuple[str, ...], released: str, to: int) -> int:
    """Return the end of those notes that stand at ``to`` one behind the other, marks between."""
    for note in notes:
        at = released.find(note, to, to + _MARK + len(note))
        if at >= 0 and _is_mark(released[to:at]):
            to = at + len(note)
    return to


def _is_mark(text: str) -> bool:
    """Whether this may have been put in: nothing, space, or words in brackets."""
    said = text[: _MARK + 1].strip()
    return not said or (len(text) <= _MARK and said[0] == "[" and said[-1] == "]")


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and (one[1] > other[0] or one[0] == one[1] == other[0])


def _common_end(one: str, other: str) -> int:
    """Return how many code points two texts have in common at their ends."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        half = (least + most + 1) // 2
        if one[len(one) - half :] == other[len(other) - half :]:
            least = half
        else:
            most = half - 1
    return least
