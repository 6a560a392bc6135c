"""One text of an answer under guard: pieces in, what the reader gets out.

Where an upstream can continue an answer, a claim is written anew by it. Where none can, a wrong
value is exchanged in the text that is held, as ``TextGuard`` does it, and what follows is judged
again.
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections import deque
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from groundwire.beside_guard import WatchedGuard
from groundwire.errors import ArgumentError
from groundwire.gateway.ahead import PIECE, Ahead
from groundwire.gateway.begun import Beginning, Opening
from groundwire.gateway.cut import Left, finished, left_by
from groundwire.gateway.delivered import as_delivered
from groundwire.gateway.holding import LOOK_S, Holding
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.pieces import Pieces
from groundwire.gateway.taken_back import began_with, still_stands, up_to_claim
from groundwire.gateway.tokens import Characters, Piece, Token
from groundwire.integrations.serving import Resolved

if TYPE_CHECKING:
    from groundwire import _core
    from groundwire.findings import Intervention
    from groundwire.report import Report

_MANY = 32
"""Findings of which a report takes longer than others may wait for."""
_MUCH = 8192
"""Characters that are judged before others get the loop."""
_NOTHING = Beginning()


class Watched:
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
        self._opening = Opening(begun) if resolved.on and begun.open else None
        self.gap = ""
        """Space that the request's text and the answer lack between them."""
        self._in_place, self._formed, self._gave_up = False, formed, False
        if not rewinds:
            self.give_up()
        self.stopped: str | None = None
        self.unjudged = False
        """Whether last words were left that a cut made, and of which nothing is known."""
        self.seconds = 0.0
        """Seconds that the guard took."""
        self._holding = Holding(resolved.policy.max_hold_ms if resolved.policy else 0)
        self._pieces = Pieces(keeps=rewinds, details=details)
        self._characters, self._ahead = Characters(), Ahead()
        self._delivered = 0
        self._heard = self._found = 0

    @property
    def prefix(self) -> str:
        """The surviving text, forced text included: what the upstream continues from."""
        return self._pieces.prefix

    @property
    def written(self) -> tuple[str, str]:
        """The surviving text without what the guard put at its end; what the answer began with.

        The second is empty where that survives.
        """
        done = () if self.guard is None else self.guard.report().interventions
        text = self.prefix.removesuffix(done[-1].inserted if done else "")
        return text, began_with(done, self.begun.lead)

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
        return self.guard is not None and (self._heard > _MUCH or self._found > _MANY)

    def push(self, text: str, tokens: tuple[Token, ...] = ()) -> Outcome:
        """Judge what the upstream sent; after ``again`` or ``stop`` the rest of it is void.

        Tokens may come before their text, without any.
        """
        outcome = Outcome()
        for _ in self._judged(text, tokens, outcome):
            pass
        return outcome

    async def take(self, text: str, tokens: tuple[Token, ...] = ()) -> Outcome:
        """Do as ``push``, and let others use the loop while much is judged."""
        outcome, size = Outcome(), 0
        for judged in self._judged(text, tokens, outcome):
            size += judged
            if size >= _MUCH:
                size = 0
                await asyncio.sleep(0)
        return outcome

    def _judged(
        self, text: str, tokens: tuple[Token, ...], outcome: Outcome
    ) -> Generator[int, None, None]:
        """Judge text piece by piece; yield the size of each behind it."""
        if self._opening is not None:
            goes_on = self._opening.hear(text, tokens)
            if goes_on is not None:
                yield from self._open(outcome, goes_on=goes_on)
            return
        ready = self._characters.take(text)
        if ready:
            self._let_go(outcome)
        if self.guard is None:
            self._ahead.wait(tokens)
            outcome.text, outcome.tokens = ready, self._ahead.all() if ready else []
            return
        todo = deque(self._ahead.take(ready, tokens))
        while todo:
            piece = todo.popleft()
            if not self._push(piece, outcome):
                self._unread = "".join(piece.text for piece in todo)
                break
            yield len(piece.text)
        self._note_hold(outcome)

    def _open(self, outcome: Outcome, *, goes_on: bool) -> Generator[int, None, None]:
        """Judge what waited until it was known whether the answer goes on with its beginning."""
        assert self._opening is not None
        held, self.gap = self._opening.held, self._opening.gap if goes_on else ""
        self._opening = None
        self.goes_on = goes_on and self.begun.own
        lead = self.begun.lead + self.gap if goes_on else self.begun.closed
        self.begun = Beginning(lead, own=self.begun.own, joined=True)
        if self.gap or not goes_on:
            self.guard = self._resolved.guard(lead=self.begun.lead, **self._given)
            if self._gave_up:
                self.give_up()
        for text, tokens in held:
            if outcome.again or outcome.stop is not None:
                self._unread += text
            else:
                yield from self._judged(text, tokens, outcome)

    async def whole(self, text: str, tokens: tuple[Token, ...] = ()) -> Outcome:
        """Judge a finished text, in pieces, so that what is taken back is little."""
        if tokens:
            return await self.take(text, tokens)
        outcome = Outcome()
        for at in range(0, len(text), PIECE):
            outcome.add(self.push(text[at : at + PIECE]))
            # Others wait for this loop, too.
            await asyncio.sleep(0)
            if outcome.again or outcome.stop is not None:
                self._unread += text[at + PIECE :]
                break
        return outcome

    def _let_go(self, outcome: Outcome) -> None:
        """Let out what was put in, as the answer goes on behind it."""
        waiting, self._waiting = self._waiting, Outcome()
        outcome.add(waiting)

    def poll(self) -> Outcome:
        """Look again, as time has passed."""
        outcome = Outcome()
        if self.guard is not None and self.stopped is None:
            self._obey(self.guard.poll(_now()), outcome)
            # What the policy holds all the same is not looked at again at once.
            self._holding.looked()
            self._note_hold(outcome)
        return outcome

    async def end(self, *, cut: bool = False) -> Outcome:
        """Judge the end, and wait for verifiers as long as the policy does.

        ``cut`` says that the upstream was cut off there, so that a last word that nothing closed
        may not be whole. It is judged as it stands where nothing that it may become is right.
        """
        outcome = Outcome()
        if self.stopped is not None:
            return outcome
        if self._opening is not None:
            self._opening.end()
            for _ in self._open(outcome, goes_on=True):
                pass
            if outcome.again or self.stopped is not None:
                return outcome
        self._let_go(outcome)
        rest = self._characters.end()
        if self.guard is None:
            outcome.text, outcome.stop = rest, "end"
            self.stopped = "end"
            return outcome
        if rest and not self._push(Piece(rest), outcome):
            return outcome
        left: Left = "nothing"
        if cut and self.much:
            left = await asyncio.to_thread(left_by, self.guard, _now())
        elif cut:
            left = left_by(self.guard, _now())
        self.unjudged = left == "open"
        if cut and left != "wrong":
            self.guard.cut()
        while True:
            found = finished(self.guard, _now())
            waits = bool(found) and found[-1].kind == "wait"
            # A note put in at the end takes nothing back: nobody has to go on behind it.
            back = any(one.kind == "rewind" for one in found)
            self._obey(found, outcome)
            if not (waits or back) or outcome.again or self.stopped is not None:
                return outcome
            if waits:
                await asyncio.sleep(LOOK_S)

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

    async def fall_back(self, *, complete: bool = False) -> Outcome:
        """Make do with the text that was taken back, since nobody wrote it anew.

        It is judged once more by a guard that cannot rewind. The answer ends behind it, unless it
        is ``complete`` with what had come and was not read.
        """
        outcome = Outcome()
        if self.guard is None or self.stopped is not None:
            return outcome
        before = self.guard.report()
        said = self._pieces.said.removesuffix(self._waiting.text)
        # The claim as the upstream wrote it stands behind what was kept of the text.
        kept = self.prefix.removesuffix(self._forced)
        given: dict[str, Any] = {"begun": self.begun, **self._given}
        again = Watched(self._resolved, rewinds=False, formed=self._formed, **given)
        void = "".join(piece.text for piece in self._void)
        rest = void + self._unread
        if not complete:
            rest = up_to_claim(self.begun.lead + kept, void, before.interventions[-1])
        for text in (kept, rest):
            if again.stopped is None:
                outcome.add(await again.whole(text))
        if again.stopped is None:
            outcome.add(await again.end())
        self.abandon()
        fits = outcome.text.startswith(said)
        if fits:
            self.guard, self._done = again.guard, list(before.interventions[:-1])
            self._delivered = again._delivered
        outcome.at = len(said)
        outcome.text = outcome.text[len(said) :] if fits else ""
        outcome.tokens, outcome.shown = [], [(outcome.text, None)] if outcome.text else []
        outcome.again = False
        whole = again.stopped != "end" or complete
        outcome.stop = self.stopped = again.stopped if fits and whole else "interrupted"
        return outcome

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
        if self.stopped is None or (report.stopped == self.stopped and not self._done):
            return report
        done = (*self._done, *report.interventions)
        return dataclasses.replace(report, interventions=done, stopped=self.stopped)

    def _push(self, piece: Piece, outcome: Outcome, *, forced: bool = False) -> bool:
        """Push one piece; False if nothing behind it counts."""
        assert self.guard is not None
        began = time.perf_counter()
        try:
            step, found = self.guard.push_text(
                piece.text, forced=forced, now_ms=_now(), **piece.numbers
            )
        except ArgumentError:
            if not piece.tokens:
                raise
            # The upstream's numbers make no sense; its text still counts.
            step, found = self.guard.push_text(piece.text, forced=forced, now_ms=_now())
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
            going = not force or self._push(Piece(force), outcome, forced=True)
            while going and again:
                going = self._push(again.popleft(), outcome)
            return going
        outcome.again = outcome.again or bool(gone)
        if force:
            self._forced, put = force, Outcome()
            going = self._push(Piece(force), put, forced=True)
            self._waiting = outcome.behind(put, waits=going and outcome.again)
            return going
        return not outcome.again and self.stopped is None

    def _note_hold(self, outcome: Outcome) -> None:
        self._holding.note(self.guard, left=bool(outcome.text))


def _now() -> int:
    return time.monotonic_ns() // 1_000_000
