"""Hooks that carry out the protocol before, during and after an answer (S4-025..S4-034)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from groundwire._checks import several
from groundwire.hooks import Hooks
from groundwire.loop import aguard
from groundwire.profiles.stream import (
    HALLUCINATION_THRESHOLD,
    Attributor,
    Coherence,
    ConfidenceTracker,
    KnowledgeCheck,
    KnowledgeStore,
    SourceAttributionTracker,
    adjusted_confidence,
    attribute,
    baseline_confidence,
    epistemic_phrase,
    validate_coherence,
    verify_knowledge,
)
from groundwire.profiles.stream.shapes import part_of
from groundwire.profiles.stream.supply import Retriever
from groundwire.report import WeakPoint

if TYPE_CHECKING:
    from groundwire import _core
    from groundwire.findings import Finding
    from groundwire.monitor import Monitor
    from groundwire.report import Report

HEDGED_AT_MOST = 0.69
"""A claim that is hedged is never introduced as one that is known."""
MARKED = 5
"""Claims that a closing note names."""
_LEAD_IN = re.compile(r"(\s*)I [^.“”\"]{1,60}? that(\s*)")


class KnowledgeHooks(Hooks):
    """Hooks whose ``pre_check`` refuses questions that nothing at hand can answer (S4-002).

    Args:
        retrievers: functions from a query to passages, asked where knowledge base, evidence and
            history lack something. What they bring counts as known; to show it to the model
            as well, check first and pass ``check.evidence`` as evidence.
        today: today's date as the prompt tells it, if it does.

    Attributes:
        last_check: the last check made, or none.
    """

    def __init__(self, *, retrievers: Iterable[Retriever] = (), today: str | None = None) -> None:
        self.retrievers = tuple(several(retrievers, "retrievers", "functions"))
        self.today = today
        self.last_check: KnowledgeCheck | None = None

    def pre_check(self, question: str, knowledge: KnowledgeStore) -> KnowledgeCheck | None:
        """Return the check of ``question`` against ``knowledge`` and the retrievers."""
        self.last_check = self.check(question, knowledge)
        return self.last_check

    def check(self, question: str, knowledge: KnowledgeStore) -> KnowledgeCheck:
        """Return the check without keeping it."""
        store = KnowledgeStore(
            kb=knowledge.kb,
            evidence=knowledge.evidence,
            history=knowledge.history,
            retrievers=(*knowledge.retrievers, *self.retrievers),
            today=self.today or knowledge.today,
        )
        return verify_knowledge(question, store)


class WeakPointSink(Protocol):
    """Anything that keeps weak points for later (S4-027)."""

    def keep(self, points: Sequence[WeakPoint], report: Report) -> None:
        """Take the weak points of a finished answer."""


class WeakPointLog:
    """Keeps weak points in memory, the newest ``limit`` of them, for later query."""

    def __init__(self, limit: int = 10_000) -> None:
        self.limit = limit
        self._kept: list[tuple[str | None, WeakPoint]] = []

    def keep(self, points: Sequence[WeakPoint], report: Report) -> None:
        """Take the weak points of a finished answer."""
        self._kept += [(report.session_id, point) for point in points]
        del self._kept[: -self.limit]

    def query(
        self,
        *,
        text: str | None = None,
        reason: str | None = None,
        below: float | None = None,
        session_id: str | None = None,
    ) -> list[WeakPoint]:
        """Return the weak points of that text, reason, confidence below, and session."""
        return [
            point
            for session, point in self._kept
            if (text is None or text.casefold() in point.content.casefold())
            and (reason is None or point.reason == reason)
            and (below is None or point.confidence < below)
            and (session_id is None or session == session_id)
        ]


class ProtocolHooks(KnowledgeHooks):
    """The whole protocol for one answer at a time: checks, confidence, attribution, weak points.

    Before: knowledge is verified and a baseline of confidence set. During: every claim gets its
    sources and its confidence, which each step's event shows and which picks the phrase of a
    hedge. After: every claim is verified anew; the report says how sure each is, and names the
    weak points, which are kept.

    Args:
        verify_first: whether a question that nothing at hand can answer is refused; else the
            check only sets the baseline.
        markers: whether a closing note names the claims of low confidence.
        weak_points: takes the weak points of each finished answer, for later query.
        given: ``retrievers`` and ``today``, as for ``KnowledgeHooks``.

    Attributes:
        tracker: the claims of the last finished answer and their sources.
        confidence: the confidence of the running answer.
    """

    def __init__(
        self,
        *,
        verify_first: bool = True,
        markers: bool = False,
        weak_points: WeakPointSink | None = None,
        **given: Any,
    ) -> None:
        super().__init__(**given)
        self.verify_first = verify_first
        self.markers = markers
        self.weak_points = weak_points
        self.tracker = SourceAttributionTracker()
        self._attributor = Attributor()
        self.confidence = ConfidenceTracker(self._attributor)

    def begin(self, question: str | None, knowledge: KnowledgeStore) -> None:
        """Set the baseline, and learn what claims may rest on."""
        self.last_check = None if question is None else self.check(question, knowledge)
        brought = self.last_check.evidence if self.last_check else ()
        self._attributor = Attributor(
            kb=knowledge.kb,
            evidence=[*knowledge.evidence, *brought],
            history=knowledge.history,
        )
        baseline = baseline_confidence(self.last_check)
        self.confidence = ConfidenceTracker(self._attributor, baseline)

    def pre_check(self, question: str, knowledge: KnowledgeStore) -> KnowledgeCheck | None:
        """Return the check made when the answer began, where questions may be refused."""
        if self.last_check is None:
            self.last_check = self.check(question, knowledge)
        return self.last_check if self.verify_first else None

    def on_step(self, step: _core.Step) -> float | None:
        """Follow the claims of a step; return the confidence in the answer so far."""
        if step.claims or step.findings:
            return self.confidence.update(step.claims, step.findings)
        return self.confidence.confidence

    def on_rewind(self, text: str) -> None:
        """Forget the claims that were taken back."""
        self.confidence.keep(len(text))

    def reformulate(self, retracted: str, text: str, findings: Sequence[Finding]) -> str:
        """Introduce a hedged claim by the phrase that fits its confidence (S4-012, S4-029)."""
        lead = _LEAD_IN.fullmatch(text)
        if lead is None:
            return text
        # A claim that is taken back is no longer among those followed: it is looked at by itself.
        score = adjusted_confidence(self._attributor.scores(retracted), findings)
        return lead.group(1) + epistemic_phrase(min(score, HEDGED_AT_MOST)) + lead.group(2)

    def review(self, report: Report) -> Report:
        """Verify every claim of the finished answer; note how sure each is, and what is weak."""
        self.tracker = attribute(report.claims, self._attributor)
        found: dict[str, list[Finding]] = {}
        for finding in report.findings:
            if finding.claim_id is not None:
                found.setdefault(finding.claim_id, []).append(finding)
        scores, weak = {}, []
        for claim in report.claims:
            verified = self.tracker.verify_claim(claim)
            sources = self._attributor.sources(claim) if verified.verified else []
            score = adjusted_confidence([s for _, s in sources], found.get(claim.id, ()))
            scores[claim.id] = score
            reason = verified.reason
            if verified.verified and score < HALLUCINATION_THRESHOLD:
                reason = "low_confidence"
            if reason is not None:
                kind = None if verified.source is None else str(verified.source.type)
                weak.append(WeakPoint(claim.id, claim.content, claim.span, score, reason, kind))
        total = self.confidence.baseline * 2 + sum(scores.values())
        report = dataclasses.replace(
            report,
            confidence=total / (2 + len(scores)),
            claim_confidence=scores,
            weak_points=tuple(weak),
        )
        if self.weak_points is not None:
            self.weak_points.keep(weak, report)
        return report

    def finalize(self, released: str, report: Report) -> str:
        """Return the closing note that marks claims of low confidence, if markers are asked for."""
        weak = [p for p in report.weak_points if p.content.strip() in released]
        if not self.markers or not weak:
            return ""
        quoted = "; ".join(f"“{p.content.strip()}”" for p in weak[:MARKED])
        return f"\n\nI have no verified source for: {quoted}."


@dataclasses.dataclass(frozen=True, slots=True)
class Response:
    """What ``generate_response`` gives back.

    Attributes:
        text: the finished answer, disclaimers included.
        report: everything about it.
        check: the check of knowledge before it.
        coherence: how it stands to the history; none if it was not begun.
        tracker: its claims and their sources.
    """

    text: str
    report: Report
    check: KnowledgeCheck | None
    coherence: Coherence | None
    tracker: SourceAttributionTracker


async def generate_response(
    request: str,
    context: Any = None,
    *,
    next_token: Callable[[list[int]], Any],
    prompt_ids: Sequence[int],
    monitor: Monitor,
    hooks: ProtocolHooks | None = None,
    **given: Any,
) -> Response:
    """Answer a request by the whole protocol (S4-033): check, guarded loop, coherence, report.

    Args:
        request: what is asked.
        context: a mapping or object with any of ``evidence``, ``history``, ``retrievers`` and
            ``today``; the knowledge base is the monitor's.
        next_token: the model, as for ``groundwire.guard``; may be asynchronous.
        prompt_ids: ids of the prompt.
        monitor: a monitor built with the model's tokenizer.
        hooks: the application's own words and steps; ``ProtocolHooks`` by default, with the
            context's retrievers and date.
        given: what else ``groundwire.aguard`` takes (``encode``, ``policy``, ``regeneration`` …).

    Returns:
        The response. A question that nothing at hand can answer is refused with what is missing;
        where the answer contradicts what was said before, a note at its end says so.

    Raises:
        ArgumentError: as ``groundwire.aguard`` does.

    """
    history = part_of(context, "history") or ()
    if hooks is None:
        retrievers = part_of(context, "retrievers") or ()
        hooks = ProtocolHooks(retrievers=retrievers, today=part_of(context, "today"))
    loop = aguard(
        next_token,
        prompt_ids,
        monitor=monitor,
        hooks=hooks,
        question=request,
        evidence=part_of(context, "evidence") or (),
        history=history,
        **given,
    )
    report: Report | None = None
    async for event in loop:
        report = event.report if event.kind == "end" else report
    if report is None:
        raise RuntimeError("a guarded loop ends with its report")
    if report.stopped == "limitation":
        return Response(report.released, report, hooks.last_check, None, hooks.tracker)
    coherence = validate_coherence(report.released, history)
    text = report.released + disclaimers(coherence)
    report = dataclasses.replace(report, released=text)
    return Response(text, report, hooks.last_check, coherence, hooks.tracker)


generateResponse = generate_response


def disclaimers(coherence: Coherence) -> str:
    """Return the note on what an answer contradicts, to append to it; empty if nothing."""
    if coherence.coherent:
        return ""
    pairs = dict.fromkeys(
        (c.claim.strip(), c.contradicts.strip()) for c in coherence.contradictions
    )
    notes = [f"“{new}” differs from what was said before: “{old}”" for new, old in pairs]
    return "\n\nPlease note: " + "; ".join(notes) + "."
