"""What holds for one request while it is answered, and what is known of it at the end."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from groundwire.gateway.begun import Beginning, asked_for, texts_of
from groundwire.gateway.errors import UpstreamFault, UpstreamRefused
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.overruled import OVERRULED
from groundwire.gateway.requests import Asked
from groundwire.gateway.response_fields import RAN
from groundwire.gateway.summary import finding_data, several, summary
from groundwire.gateway.tokens import Token
from groundwire.gateway.turns import heard
from groundwire.gateway.twice import Twice
from groundwire.gateway.unread import CODE
from groundwire.gateway.watched import Watched
from groundwire.integrations._asked import question_in
from groundwire.integrations.serving import Resolved

if TYPE_CHECKING:
    from groundwire.config.serving import ServingLimits
    from groundwire.gateway.continuation import How
    from groundwire.gateway.upstream import Upstream
    from groundwire.report import Report

Json = dict[str, Any]
_TIERS = ("low", "medium", "high", "critical")
ELSEWHERE = "what was said before is with the upstream: the answer is not held against it"
UNJUDGED = "the last words were cut off, and are not judged"
MUCH = 20_000
"""Characters that take longer to read than others may wait for."""


@dataclass(slots=True)
class Context:
    """One request.

    Attributes:
        id: the gateway's own id for it.
        route: the path.
        asked: what it says.
        resolved: what is checked.
        upstream: who writes the answer.
        headers: headers for the upstream, the client's key among them.
        limits: sizes that hold.
        how: how the upstream continues a chat.
        completes: whether it goes on behind the prompt of a completion.
        may_lower: whether the server lets requests ask for less than its policy.
        reports: the report of each text that has ended, by its number.
    """

    id: str
    route: str
    asked: Asked
    resolved: Resolved
    upstream: Upstream
    headers: list[tuple[str, str]]
    limits: ServingLimits
    how: How = "none"
    completes: bool = False
    may_lower: bool = False
    unlearn: Callable[[], None] | None = None
    """Says that the upstream continues this model's answers no more."""
    continued: int = 0
    reports: dict[int, Report | None] = field(default_factory=dict)
    summaries: dict[int, Json] = field(default_factory=dict)
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Where in a response a text stands, by its number: the item, and the part of it."""
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)
    first: float | None = None
    """Seconds until the first released text, once there was any."""
    sealed: bool = False
    """Whether the audit log has its record."""
    _ending: dict[int, asyncio.Task[tuple[Report | None, Json]]] = field(default_factory=dict)
    """Reports that are made beside the loop."""
    _watched: dict[int, Watched] = field(default_factory=dict)
    _prepared: dict[int, Watched] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Say what of the conversation is not known; let nothing be put into a fixed form.

        A claim that the policy would correct, leave out or interrupt ends the answer then; only
        where requests may ask for less is it reported and left.
        """
        self.notes.extend(self.resolved.notes)
        if self.asked.elsewhere and self.resolved.on:
            named = ", ".join(self.asked.elsewhere)
            self.note(f"{ELSEWHERE} ({named})")
        if not self.asked.structured or self.resolved.policy is None:
            return
        policy = self.resolved.policy
        instead = {"remove": "interrupt"}
        if self.may_lower:
            instead = dict.fromkeys(("hedge", "correct", "remove", "interrupt"), "annotate")
        actions: dict[str, Any] = {tier: getattr(policy, tier) for tier in _TIERS}
        actions = {tier: instead.get(action, action) for tier, action in actions.items()}
        policy = dataclasses.replace(policy, annotation="metadata", **actions)
        if policy.release == "token" and not set(actions.values()) <= {"accept", "annotate"}:
            # What has left would get a note behind it, for which the form has no place.
            policy = dataclasses.replace(policy, release="claim")
        self.resolved = dataclasses.replace(self.resolved, policy=policy)
        self.note(f"nothing is rewritten under {self.asked.structured}")

    @property
    def rewinds(self) -> bool:
        """Whether the upstream can continue this answer from a place further back."""
        body = self.asked.body
        if self.asked.choices != 1 or self.asked.structured or not self.limits.max_continuations:
            return False
        if "messages" in body:
            return self.how != "none"
        prompt = body.get("prompt")
        texts = isinstance(prompt, str) or (isinstance(prompt, list) and len(prompt) == 1)
        first = prompt[0] if isinstance(prompt, list) and prompt else prompt
        alone = body.get("best_of") in (None, 1) and not body.get("use_beam_search")
        fits = texts and isinstance(first, str) and alone and not body.get("suffix")
        return self.completes and fits

    @property
    def counts(self) -> bool:
        """Whether the upstream is known to report usage while it streams."""
        return self.how != "none"

    async def prepare(self) -> None:
        """Read the prompts; open the guards beside the loop, where there is much to read first."""
        if self.resolved.on and (ids := self.asked.ids):
            found = await texts_of(self.upstream, self.headers, self.asked.model, ids)
            self.asked.prompts = found or []
            if found is None:
                self.note("the upstream does not tell the text of a prompt of token ids")
        texts = [text for _, text in (*self.resolved.evidence, *self.asked.history)]
        texts += [*self.asked.prompts, self.asked.question or ""]
        if self.resolved.on and sum(map(len, texts)) > MUCH:
            await asyncio.to_thread(self._open_all)

    def _open_all(self) -> None:
        for index in range(self.asked.choices):
            self._prepared[index] = self._open(index)

    def watch(self, index: int, begun: Beginning | None = None) -> Watched:
        """Return the guard of the answer's text number ``index``.

        ``begun`` is what it may go on with, where that is no text of the request.
        """
        watched = None if begun else self._prepared.pop(index, None)
        watched = watched or self._open(index, begun)
        self._watched[index] = watched
        return watched

    def _open(self, index: int, begun: Beginning | None = None) -> Watched:
        question, history = self.asked.question, self.asked.history
        if self.asked.prompts:
            prompt = self.asked.prompts[index * len(self.asked.prompts) // self.asked.choices]
            before, question = question_in(prompt, (text for _, text in self.resolved.evidence))
            history = [("user", before)] if before else []
        if begun is None:
            text, own = self.asked.begun(index)
            sure = self.asked.continues and self.how != "none"
            begun = asked_for(text, own=own, sure=sure)
        most, later = self.limits.max_history, self.asked.later
        history, question = heard(history, question, later=later, limit=most)
        return (Watched if begun.alone is None else Twice)(
            self.resolved,
            begun=begun,
            rewinds=self.rewinds,
            formed=bool(self.asked.structured),
            details=self.asked.details,
            question=question,
            history=history,
        )

    @property
    def seconds(self) -> float:
        """Seconds since the request was read."""
        return time.perf_counter() - self.began

    @property
    def checking(self) -> float:
        """Seconds of them that checking took."""
        return sum(watched.seconds for watched in self._watched.values())

    def details(self, outcome: Outcome) -> Json | None:
        """Return the tokens' numbers and new findings of a chunk, where they were asked for."""
        if not outcome.text and not outcome.findings:
            return None
        if self.first is None and outcome.text:
            self.first = time.perf_counter() - self.began
        if not self.asked.details:
            return None
        tokens = [
            {"text": text} if token is None else {"text": text, **_numbers(token)}
            for text, token in outcome.shown
        ]
        # Findings quote: only those in text that has left are told before the end.
        return {"tokens": tokens, "found": self._found(outcome)}

    def _found(self, outcome: Outcome) -> list[Json]:
        """Return what is told of findings before the end.

        Findings quote: only those in text that has left are told, and none where a claim may be
        left out, since its words may stand in the text beside it.
        """
        if self.resolved.policy is not None and any(
            getattr(self.resolved.policy, tier) == "remove" for tier in _TIERS
        ):
            return []
        found = []
        for finding in outcome.findings:
            if finding.text and finding.text in outcome.text:
                once = outcome.text.count(finding.text) == 1
                at = outcome.at + outcome.text.index(finding.text)
                span = (at, at + len(finding.text)) if once else None
                found.append(finding_data(dataclasses.replace(finding, span=span)))
        return found

    async def conclude(self, index: int, watched: Watched) -> Json:
        """Keep the report of a text that has ended; return its ``groundwire`` object.

        What takes long is done beside the loop.
        """
        notes = [*self.notes, *([UNJUDGED] if watched.unjudged else ())]
        if watched.much:
            told = asyncio.to_thread(self._told, index, watched, notes)
            self._ending[index] = asyncio.create_task(told)
            # Whoever waits may be cancelled; ``settle`` waits again.
            report, found = await asyncio.shield(self._ending[index])
        else:
            report, found = self._told(index, watched, notes)
        self.reports[index], self.summaries[index] = report, found
        return found

    def _told(self, index: int, watched: Watched, notes: list[str]) -> tuple[Report | None, Json]:
        report = watched.report()
        if report is not None and watched.holds_code(report.released):
            notes.append(CODE)
        if report is not None and (held := watched.held_to_own(report)) is not report:
            report = held
            notes.append(OVERRULED)
        found = summary(
            report,
            self.resolved,
            self.id,
            most=self.limits.max_listed,
            continued=self.continued or None,
            notes=notes or None,
            index=index if self.asked.choices > 1 else None,
        )
        return report, found

    def summary(self) -> Json:
        """Return the ``groundwire`` object of the answer as far as it came."""
        found = list(self.summaries.values())
        if len(found) == 1:
            return found[0]
        told = [
            {"output_index": self.places[n][0], "content_index": self.places[n][1], **one}
            for n, one in sorted(
                self.summaries.items(), key=lambda one: self.places.get(one[0], ())
            )
            if n in self.places
        ]
        return several(found, self.id) | ({"outputs": told} if told else {})

    async def settle(self) -> None:
        """Keep the reports of texts that never ended: the client left, or the upstream failed."""
        for index, watched in self._watched.items():
            watched.abandon()
            if index in self.reports:
                continue
            if index in self._ending:
                self.reports[index] = (await self._ending[index])[0]
            elif watched.much:
                self.reports[index] = await asyncio.to_thread(watched.report)
            else:
                self.reports[index] = watched.report()

    def note(self, text: str) -> None:
        """Add what the client should know."""
        self.notes.append(text)

    def note_tool(self, item: Json) -> None:
        """Note once of each kind of tool that the upstream ran it for the answer."""
        kind = item.get("type")
        text = f"the upstream ran a tool ({kind}): what it brought is neither judged nor evidence"
        if kind in RAN and self.resolved.on and text not in self.notes:
            self.note(text)

    def not_continued(self, fault: UpstreamFault | UpstreamRefused) -> None:
        """Note that the upstream did not go on with the answer."""
        self.fault(fault)
        self.continued -= 1
        self.note("the upstream did not continue the answer")

    def began_anew(self) -> UpstreamFault:
        """Return the fault of an upstream that began the answer anew; ask it for no other."""
        if self.unlearn is not None:
            self.unlearn()
        return UpstreamFault("upstream_malformed", "the upstream began the answer anew")

    def fault(self, fault: UpstreamFault | UpstreamRefused) -> None:
        """Note a fault of the upstream, by its code."""
        code = fault.code if isinstance(fault, UpstreamFault) else f"status_{fault.status}"
        self.faults.append(code)


def _numbers(token: Token) -> Json:
    """Return what the upstream says of a token."""
    top = [[name.rpartition("|")[0] or name, logprob] for name, logprob in token.top.items()]
    return {"logprob": token.logprob, "top": top}
