"""One text of an answer under guard: pieces in, what the reader gets out.

Where an upstream can continue an answer, a claim is written anew by it. Where none can, a wrong
value is exchanged in the text that is held, as ``TextGuard`` does it, and what follows is judged
again.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Generator, Iterable
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from groundwire.gateway.ahead import PIECE
from groundwire.gateway.begun import Beginning, behind
from groundwire.gateway.cut import Left, finished, left_by
from groundwire.gateway.guarded import MUCH, Ending, Guarded, now
from groundwire.gateway.holding import LOOK_S, Holding
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.overruled import held_to_own
from groundwire.gateway.taken_back import up_to_claim
from groundwire.gateway.tokens import Piece, Token
from groundwire.gateway.unread import holds_code

if TYPE_CHECKING:
    from groundwire.report import Report

BETWEEN = "\n\n"
"""What stands between two fields of an answer, which are no one sentence."""
SHARE_S = 0.01
"""Seconds that one text is judged before others get the loop."""


class Watched(Guarded):
    """One text of an answer as it comes, is judged and leaves."""

    _spent = 0.0
    """Seconds it was judged since others had the loop."""
    _size = 0
    """Characters likewise."""

    def push(self, text: str, tokens: tuple[Token, ...] = ()) -> Outcome:
        """Judge what the upstream sent; after ``again`` or ``stop`` the rest of it is void.

        Tokens may come before their text, without any.
        """
        outcome = Outcome()
        for _ in self._judged(text, tokens, outcome):
            pass
        return outcome

    async def take(self, text: str, tokens: tuple[Token, ...] = ()) -> Outcome:
        """Do as ``push``, and let others use the loop while that takes long."""
        outcome = Outcome()
        await self.share(self._judged(text, tokens, outcome))
        return outcome

    async def share(self, steps: Iterable[int]) -> None:
        """Judge step by step, and let others use the loop whenever their time has come.

        The steps say how many characters they took; the time is that since others had the loop.
        """
        began = time.perf_counter()
        for size in chain(steps, (0,)):
            self._spent += time.perf_counter() - began
            self._size += size
            if self._spent >= SHARE_S or self._size >= MUCH:
                self._spent, self._size = 0.0, 0
                await asyncio.sleep(0)
            began = time.perf_counter()

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
            if ready and self._begins:
                outcome.divided, self._begins = (0, 0), False
            return
        said = self._escapes.take(ready)
        waits = self._escapes.waits + self._characters.waits
        todo = deque(self._ahead.take(said, tokens))
        while todo:
            piece = todo.popleft()
            if self._begins:
                piece, self._begins = replace(piece, begins=True), False
            if not self._push(piece, outcome):
                self._unread = "".join(piece.text for piece in todo) + waits
                break
            yield len(piece.text)
        self._note_hold(outcome)

    def _open(self, outcome: Outcome, *, goes_on: bool) -> Generator[int, None, None]:
        """Judge what waited until it was known whether the answer goes on with its beginning."""
        assert self._opening is not None
        held, self.gap = self._opening.held, self._opening.gap if goes_on else ""
        formed = self._opening.formed(goes_on=goes_on)
        self._opening = None
        if formed and (policy := self._resolved.policy) is not None:
            # A note has no place behind it, and inside it only as part of a text.
            policy = replace(policy, release="claim")
            self._resolved = replace(self._resolved, policy=policy)
            self._holding = Holding(policy.max_hold_ms)
        if self.begun.open:
            self.goes_on = goes_on and self.begun.own
            lead = self.begun.lead + self.gap if goes_on else self.begun.closed
            self.begun = Beginning(lead, own=self.begun.own, joined=True)
        if formed or self.gap or not goes_on:
            self.abandon()
            self.guard = self._resolved.guard(lead=self.begun.lead, **self._given)
            if self._gave_up:
                self.give_up()
        for text, tokens in held:
            if outcome.again or outcome.stop is not None:
                self._unread += text
            else:
                yield from self._judged(text, tokens, outcome)

    def divide(self) -> Outcome:
        """End a field of the answer: what comes from here on is another one's."""
        self.give_up()
        outcome = Outcome()
        if self._opening is not None:
            self._opening.end()
            for _ in self._open(outcome, goes_on=True):
                pass
        if self.stopped is not None:
            return outcome
        rest = self._last()
        if self.guard is None:
            outcome.text = rest
        else:
            self._let_go(outcome)
            self._push(Piece(rest + BETWEEN), outcome)
            self._note_hold(outcome)
        # What waited up to here is the first field's.
        self._begins = True
        return outcome

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

    def poll(self) -> Outcome:
        """Look again, as time has passed."""
        outcome = Outcome()
        if self.guard is not None and self.stopped is None:
            self._obey(self.guard.poll(now()), outcome)
            # What the policy holds all the same is not looked at again at once.
            self._holding.looked()
            self._note_hold(outcome)
        return outcome

    async def end(self, *, cut: bool = False, why: Ending = "end") -> Outcome:
        """Judge the end, and wait for verifiers as long as the policy does.

        ``why`` is what the report says of it, where the guard has nothing against the text.

        ``cut`` says that the upstream was cut off there, so that a last word that nothing closed
        may not be whole. It is judged as it stands where nothing that it may become is right.
        """
        outcome = Outcome()
        if self.stopped is not None:
            return outcome
        self.ending = why
        if self._opening is not None:
            self._opening.end()
            for _ in self._open(outcome, goes_on=True):
                pass
            if outcome.again or self.stopped is not None:
                return outcome
        self._let_go(outcome)
        rest = self._last()
        if self.guard is None:
            outcome.text, outcome.stop = rest, "end"
            self.stopped = "end"
            return outcome
        # A mark of a line's end may be a token that waited with it.
        if not all(self._push(piece, outcome) for piece in self._ahead.take(rest, ())):
            return outcome
        left: Left = "nothing"
        if cut and self.much:
            left = await asyncio.to_thread(left_by, self.guard, now())
        elif cut:
            left = left_by(self.guard, now())
        self.unjudged = left == "open"
        if cut and left != "wrong":
            self.guard.cut()
        while True:
            found = finished(self.guard, now())
            waits = bool(found) and found[-1].kind == "wait"
            # A note put in at the end takes nothing back: nobody has to go on behind it.
            back = any(one.kind == "rewind" for one in found)
            self._obey(found, outcome)
            if not (waits or back) or outcome.again or self.stopped is not None:
                return outcome
            if waits:
                await asyncio.sleep(LOOK_S)

    def next_field(self) -> None:
        """Take what comes from here on for another field's, divided by whoever judged it before."""
        self._begins = True

    def close(self, put: str) -> Outcome:
        """End a text that another guard ended, with what that put behind it; wait for nobody."""
        outcome = Outcome()
        if self.guard is None or self.stopped is not None:
            return outcome
        rest = self._last()
        going = not rest or self._push(Piece(rest), outcome)
        if going and put:
            going = self._push(Piece(put), outcome, forced=True)
        hold = self._resolved.policy.max_hold_ms if self._resolved.policy else 0
        # What has closed is held no longer, then what the end closes.
        for late in (hold, 2 * hold) if going else ():
            if self.stopped is None:
                self._obey(finished(self.guard, now() + late), outcome)
        self.stopped = self.stopped or "end"
        return outcome

    def behind(self, said: str, *, apart: bool) -> Beginning:
        """Return what the answer's next text goes on with behind this one, of which ``said`` left.

        It may stand ``apart``, in another message.
        """
        return behind(self.begun.lead + said, apart=apart)

    def holds_code(self, said: str) -> bool:
        """Whether words in what left are not judged because they stand in code."""
        return holds_code(said, self.begun.lead)

    def held_to_own(self, report: Report) -> Report:
        """Return a report of what left with what the server's evidence alone contradicts in it."""
        return held_to_own(self._resolved, report, self.begun.lead, **self._given)

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
