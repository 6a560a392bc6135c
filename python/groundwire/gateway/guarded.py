"""The guard of one text of an answer: what it says, and what becomes of the text by that."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, Any, Literal

from groundwire.beside_guard import WatchedGuard
from groundwire.errors import ArgumentError
from groundwire.gateway.ahead import Ahead
from groundwire.gateway.begun import Beginning, Opening
from groundwire.gateway.delivered import as_delivered
from groundwire.gateway.escapes import Escapes
from groundwire.gateway.holding import Holding
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.pieces import Pieces
from groundwire.gateway.taken_back import began_with, still_stands
from groundwire.gateway.tokens import Characters, Piece, Token
from groundwire.integrations.serving import Resolved

if TYPE_CHECKING:
    from groundwire import _core
    from groundwire.findings import Intervention
    from groundwire.policy import Policy
    from groundwire.report import Report

Ending = Literal["end", "length", "abort"]
"""The model's own end; a limit of tokens or of what is held; an upstream that broke off."""
_MANY = 32
"""Findings of which a report takes longer than others may wait for."""
MUCH = 8192
"""Characters that are judged before others get the loop."""
_NOTHING = Beginning()


def now() -> int:
    """Return the monotonic time in milliseconds."""
    return time.monotonic_ns() // 1_000_000


def _leaves_notes(policy: Policy | None) -> bool:
    """Whether a claim may have left when a note about it is put behind it."""
    if policy is None or policy.release != "token":
        return False
    actions = {policy.low, policy.medium, policy.high, policy.critical}
    return not actions <= {"accept", "annotate"}


class Guarded:
    """One text of an answer: a guard, and what an upstream has to continue from.

    With checking off everything passes as it comes.

    Args:
        resolved: what holds for the request.
        rewinds: whether the upstream can continue an answer from a prefix.
        formed: whether the text has a form, so that nothing may be put into it.
        details: whether released text is to be shown piece by piece.
        begun: what the answer may go on with.
        given: what ``Resolved.guard`` takes: ``question``, ``history``.
    """

    def __init__(
        self,
        resolved: Resolved,
        *,
        rewinds: bool,
        formed: bool = False,
        details: bool = False,
        begun: Beginning = _NOTHING,
        **given: Any,
    ) -> None:
        self.guard: _core.Guard | WatchedGuard | None = None
        self._resolved, self._given = resolved, given
        # What the last rewind took back, and what was not read behind it.
        self._void: list[Piece] = []
        self._unread = ""
        self._forced = ""
        # What was put in and may leave, once somebody has gone on with it.
        self._waiting = Outcome()
        self._done: list[Intervention] = []
        self.begun = begun
        self.goes_on = begun.own and begun.sure and bool(begun.lead)
        """Whether the answer goes on with a message of the request."""
        if resolved.on:
            self.guard = resolved.guard(lead=begun.lead, **given)
        form = resolved.on and not formed and _leaves_notes(resolved.policy)
        self._opening = Opening(begun, form) if form or (resolved.on and begun.open) else None
        self.gap = ""
        """Space that the request's text and the answer lack between them."""
        self._in_place, self._formed, self._gave_up = False, formed, False
        if not rewinds:
            self.give_up()
        self.stopped: str | None = None
        self.ending: Ending = "end"
        """Why nothing follows, where the guard had nothing against it."""
        self.unjudged = False
        """Whether last words were left that a cut made, and of which nothing is known."""
        self.seconds = 0.0
        """Seconds that the guard took."""
        self._holding = Holding(resolved.policy.max_hold_ms if resolved.policy else 0)
        self._pieces = Pieces(keeps=rewinds, details=details)
        self._characters, self._ahead, self._escapes = Characters(), Ahead(), Escapes()
        self._delivered = 0
        # Whether what comes next begins another field of the answer.
        self._begins = False
        self._heard = self._found = 0

    @property
    def prefix(self) -> str:
        """The surviving text, forced text included: what the upstream continues from."""
        return self._pieces.prefix

    @property
    def written(self) -> tuple[str, str, str]:
        """The surviving text without what the guard put at its end; what the answer began with.

        The second is empty where that survives. The third is what the answer goes on with.
        """
        done = () if self.guard is None else self.guard.report().interventions
        text = self.prefix.removesuffix(done[-1].inserted if done else "")
        return text, began_with(done, self.begun.lead), self.begun.lead

    @property
    def held(self) -> int:
        """Bytes that wait to be released."""
        if self._opening is not None:
            return self._opening.size
        return 0 if self.guard is None else self.guard.held

    @property
    def due(self) -> float | None:
        """Monotonic second at which to look at the guard again; none if nothing waits."""
        return None if self.stopped is not None else self._holding.due(self.guard)

    @property
    def much(self) -> bool:
        """Whether a report takes longer than others may wait for."""
        return self.guard is not None and (self._heard > MUCH or self._found > _MANY)

    def _last(self) -> str:
        """Return the end of the text, which waited for what may have followed."""
        rest = self._characters.end()
        return rest if self.guard is None else self._escapes.take(rest) + self._escapes.end()

    def _let_go(self, outcome: Outcome) -> None:
        """Let out what was put in, as the answer goes on behind it."""
        waiting, self._waiting = self._waiting, Outcome()
        outcome.add(waiting)

    def give_up(self) -> None:
        """Let nothing be written anew from here on: nobody continues this answer any more."""
        self._gave_up = True
        if self.guard is not None:
            self._in_place = not self._formed
            self.guard.cannot_rewind(in_place=self._in_place)

    def last_tokens(self) -> list[Token]:
        """Return the tokens at the end of the answer that have no text of their own."""
        return self._ahead.all() if self.guard is None else self._ahead.left()

    def abandon(self) -> None:
        """Ask nobody beside the stream any more."""
        if isinstance(self.guard, WatchedGuard):
            self.guard.abandon()

    def report(self) -> Report | None:
        """Return the report so far, of the delivered text; none where checking is off."""
        if self.guard is None:
            return None
        report = as_delivered(
            self.guard.report(),
            self._resolved.monitor,
            lead=self.begun.lead,
            left=self._delivered,
            ended=self.stopped is not None,
        )
        stopped = self.ending if self.stopped == "end" else self.stopped
        if stopped is None or (report.stopped == stopped and not self._done):
            return report
        done = (*self._done, *report.interventions)
        return dataclasses.replace(report, interventions=done, stopped=stopped)

    def _push(self, piece: Piece, outcome: Outcome, *, forced: bool = False) -> bool:
        """Push one piece; False if nothing behind it counts."""
        assert self.guard is not None
        began = time.perf_counter()
        try:
            step, found = self.guard.push_text(
                piece.text, forced=forced, now_ms=now(), **piece.numbers
            )
        except ArgumentError:
            if not piece.tokens:
                raise
            # The upstream's numbers make no sense; its text still counts.
            step, found = self.guard.push_text(piece.text, forced=forced, now_ms=now())
        self.seconds += time.perf_counter() - began
        self._pieces.add(piece)
        self._heard += len(piece.text)
        if step:
            self._found += len(step.findings)
            outcome.findings.extend(step.findings)
        return self._obey(found, outcome)

    def _obey(self, found: list[_core.Directive], outcome: Outcome) -> bool:
        """Carry out directives; False if what the upstream sends from here on is void."""
        released, force, gone = "", None, list[Piece]()
        for directive in found:
            if directive.kind == "release":
                released += directive.text or ""
            elif directive.kind == "rewind":
                gone = self._pieces.cut(directive.keep or 0)
                if gone and not self._in_place:
                    self._characters, self._ahead, self._void = Characters(), Ahead(), gone
                    self._escapes = Escapes()
                    self._escapes.take(self.prefix)
                force = directive.text or ""
            elif directive.kind == "stop":
                self.stopped = outcome.stop = directive.reason
        if released and self.guard is not None:
            outcome.at = outcome.at if outcome.text else self._delivered
            outcome.text += released
            self._delivered += len(released)
            self._pieces.leave(released, self.guard.held, outcome)
        if force is not None and self._in_place and self.guard is not None:
            again = still_stands(gone, self.guard.report().interventions[-1])
            # What stands in place of the first piece begins what that began.
            first = bool(gone) and gone[0].begins and all(gone[0] is not one for one in again)
            if first and again and force:
                again[0] = dataclasses.replace(again[0], begins=False)
            put_in = Piece(force, begins=first)
            going = not force or self._push(put_in, outcome, forced=True)
            while going and again:
                going = self._push(again.popleft(), outcome)
            return going
        outcome.again = outcome.again or bool(gone)
        if force:
            self._forced, put = force, Outcome()
            going = self._push(Piece(force), put, forced=True)
            self._waiting = outcome.behind(put, waits=going and outcome.again)
            # The upstream goes on behind what was put in: what is left of its text is void.
            return going and not outcome.again
        return not outcome.again and self.stopped is None

    def _note_hold(self, outcome: Outcome) -> None:
        self._holding.note(self.guard, left=bool(outcome.text))
