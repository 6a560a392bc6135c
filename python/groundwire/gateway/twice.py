"""A text that a request may have begun, judged as what goes on with that and by itself as well.

Nobody knows of some answers whether the upstream went on with the request's last message. Behind
an open block of code, or "Imagine that", the same words would be judged otherwise. What the guard
of the one reading lets out is therefore read by that of the other: what one of them would change,
take back or end is changed, taken back or ended.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from groundwire.gateway.begun import Beginning, behind
from groundwire.gateway.delivered import with_findings
from groundwire.gateway.guarded import Ending
from groundwire.gateway.judged import ENDED_BY_GUARD, LEFT
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.tokens import Token
from groundwire.gateway.watched import Watched

if TYPE_CHECKING:
    from groundwire.integrations.serving import Resolved
    from groundwire.report import Report


class Twice(Watched):
    """One text of an answer, judged twice where it may be one by itself.

    It then leaves by claim at the soonest, is not continued, and gets no marks but those of the
    second guard.
    """

    def __init__(self, resolved: Resolved, *, begun: Beginning, **given: Any) -> None:
        super().__init__(resolved, begun=begun, **given)
        self._alone: Watched | None = None
        self._told = {"details": bool(given.get("details")), **self._given}
        if self.guard is not None and self._opening is None:
            self._look_twice()

    def _look_twice(self) -> None:
        """Judge by itself, too, what is about to come."""
        policy, alone = self._resolved.policy, self.begun.alone
        if policy is None or alone is None:
            return
        if policy.release == "token" and not policy.only_watches:
            policy = dataclasses.replace(policy, release="claim")
        second = dataclasses.replace(self._resolved, policy=policy)
        self._alone = Watched(second, rewinds=False, formed=self._formed, begun=alone, **self._told)
        policy = dataclasses.replace(policy, annotation="metadata")
        self._resolved = dataclasses.replace(self._resolved, policy=policy)
        Watched.abandon(self)
        self.guard = self._resolved.guard(lead=self.begun.lead, **self._given)
        self.give_up()

    def _open(self, outcome: Outcome, *, goes_on: bool) -> Generator[int, None, None]:
        assert self._opening is not None
        if goes_on and self._opening.both:
            self._look_twice()
        yield from super()._open(outcome, goes_on=goes_on)

    def push(self, text: str, tokens: tuple[Token, ...] = ()) -> Outcome:
        """Judge what came, as ``Watched.push`` does."""
        return self._passed(super().push(text, tokens))

    async def take(self, text: str, tokens: tuple[Token, ...] = ()) -> Outcome:
        """Judge what came, as ``Watched.take`` does."""
        first, outcome = await super().take(text, tokens), Outcome()
        await self.share(self._pass(first, outcome))
        return outcome

    def divide(self) -> Outcome:
        """End a field of the answer, as ``Watched.divide`` does."""
        return self._passed(super().divide())

    def poll(self) -> Outcome:
        """Look again, as time has passed."""
        outcome = self._passed(super().poll())
        if self._alone is not None and self.stopped is None:
            self._add(outcome, self._alone.poll())
        return outcome

    async def end(self, *, cut: bool = False, why: Ending = "end") -> Outcome:
        """Judge the end, as ``Watched.end`` does."""
        if self.stopped is not None:
            return Outcome()
        first = await super().end(cut=cut, why=why)
        if self._alone is None or first.stop != "end":
            return self._passed(first)
        outcome = self._passed(dataclasses.replace(first, stop=None))
        if outcome.stop is None:
            self._add(outcome, await self._alone.end(cut=cut, why=why))
            self.unjudged = self.unjudged or self._alone.unjudged
        return outcome

    @property
    def held(self) -> int:
        """Bytes that wait to be released."""
        return super().held + (0 if self._alone is None else self._alone.held)

    @property
    def due(self) -> float | None:
        """Monotonic second at which to look again; none if nothing waits."""
        waits = (super().due, None if self._alone is None else self._alone.due)
        return None if self.stopped else min((at for at in waits if at is not None), default=None)

    def last_tokens(self) -> list[Token]:
        """Return the tokens at the end of the answer that have no text of their own."""
        return [*(self._alone.last_tokens() if self._alone else ()), *super().last_tokens()]

    def abandon(self) -> None:
        """Ask nobody beside the stream any more."""
        super().abandon()
        if self._alone is not None:
            self._alone.abandon()

    def behind(self, said: str, *, apart: bool) -> Beginning:
        """Return what the answer's next text goes on with behind this one, read both ways."""
        found = super().behind(said, apart=apart)
        if self._alone is None:
            return found
        alone = behind(self._alone.begun.lead + said, apart=apart)
        return dataclasses.replace(found, sure=True, alone=dataclasses.replace(alone, sure=True))

    def holds_code(self, said: str) -> bool:
        """Whether words in what left stand in code for both guards."""
        return super().holds_code(said) and (self._alone is None or self._alone.holds_code(said))

    def held_to_own(self, report: Report) -> Report:
        """Return a report as ``Watched.held_to_own`` does, the text read both ways."""
        found = super().held_to_own(report)
        return found if self._alone is None else self._alone.held_to_own(found)

    def report(self) -> Report | None:
        """Return the report of the delivered text, with what either guard found and did."""
        first, monitor = super().report(), self._resolved.monitor
        second = None if self._alone is None else self._alone.report()
        if first is None or second is None or monitor is None:
            return first
        known = {(one.type, one.text) for one in second.findings}
        took = {(f.type, f.text) for done in second.interventions for f in done.findings}
        stands = first.text == second.text
        more = [
            one if stands else dataclasses.replace(one, span=None)
            for one in first.findings
            if (one.type, one.text) not in known | took
        ]
        if more:
            second = with_findings(second, [*second.findings, *more], monitor)
        marks = [
            one
            for one in first.interventions
            if one.action not in LEFT
            or not known.issuperset((finding.type, finding.text) for finding in one.findings)
        ]
        return dataclasses.replace(
            second,
            interventions=(*marks, *second.interventions),
            latched=second.latched or first.latched,
            stopped=first.stopped if self.stopped in ENDED_BY_GUARD else second.stopped,
            holds_given_up=first.holds_given_up + second.holds_given_up,
            unanswered=tuple(dict.fromkeys((*first.unanswered, *second.unanswered))),
        )

    def _passed(self, first: Outcome) -> Outcome:
        """Return what the second guard lets out of what the first did."""
        outcome = Outcome()
        for _ in self._pass(first, outcome):
            pass
        return outcome

    def _pass(self, first: Outcome, outcome: Outcome) -> Generator[int, None, None]:
        """Let the second guard judge what the first lets out; yield behind each piece of it."""
        if self._alone is None:
            outcome.replace(first)
            return
        began = self._alone.seconds
        outcome.findings = first.findings
        said, put = first.text, ""
        if first.stop is not None and self.guard is not None:
            # What groundwire itself says at the end is no text of the upstream.
            done = self.guard.report().interventions
            put = done[-1].inserted if done else ""
            put = put if put and said.endswith(put) else ""
            said = said[: len(said) - len(put)]
        at, token = first.divided or (len(said), len(first.tokens))
        yield from self._second(said[:at], first.tokens[:token], outcome)
        if first.divided is not None and self._alone.stopped is None:
            self._alone.next_field()
            yield from self._second(said[at:], first.tokens[token:], outcome)
        if first.stop is not None and self._alone.stopped is None:
            self._add(outcome, dataclasses.replace(self._alone.close(put), stop=first.stop))
        self.seconds += self._alone.seconds - began

    def _second(
        self, text: str, tokens: list[Token], outcome: Outcome
    ) -> Generator[int, None, None]:
        assert self._alone is not None
        more = Outcome()
        yield from self._alone._judged(text, tuple(tokens), more)
        self._add(outcome, more)

    def _add(self, outcome: Outcome, more: Outcome) -> None:
        """Take in what the second guard let out; where it ended the answer, so is this."""
        known = {(one.type, one.text) for one in outcome.findings}
        more.findings = [one for one in more.findings if (one.type, one.text) not in known]
        outcome.add(more)
        if more.stop is not None:
            self.stopped = more.stop
            self.abandon()
