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
from groundwire.gateway.delivered import as_delivered
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.taken_back import still_stands, up_to_claim
from groundwire.gateway.tokens import Characters, Piece, Token
from groundwire.integrations.serving import Resolved

if TYPE_CHECKING:
    from groundwire import _core
    from groundwire.findings import Intervention
    from groundwire.report import Report

LOOK_S = 0.05
"""Seconds between two looks at verifiers that have not answered."""
_MUCH = 8192
"""Characters that are judged before others get the loop."""
_TAIL = 4096
"""Bytes of the text that left last, among which a token's own are looked for."""


class Watched:
    """One text of an answer: a guard, and what an upstream has to continue from.

    With checking off everything passes as it comes.

    Args:
        resolved: what holds for the request.
        rewinds: whether the upstream can continue an answer from a prefix.
        formed: whether the text has a form, so that nothing may be put into it.
        details: whether released text is to be shown piece by piece.
        given: what ``Resolved.guard`` takes: ``question``, ``history``, ``lead``.
    """

    def __init__(
        self,
        resolved: Resolved,
        *,
        rewinds: bool,
        formed: bool = False,
        details: bool = False,
        **given: Any,
    ) -> None:
        self.guard: _core.Guard | WatchedGuard | None = None
        self._resolved, self._given = resolved, given
        # What has left so far, what the last rewind took back, and what was not read behind it.
        self._said: list[str] = []
        self._void: list[Piece] = []
        self._unread = ""
        self._forced = ""
        self._done: list[Intervention] = []
        self.lead: str = given.get("lead", "")
        """The unfinished sentence of the prompt, which the spans of findings count."""
        if resolved.on:
            self.guard = resolved.guard(**given)
        self._in_place, self._formed = False, formed
        if not rewinds:
            self.give_up()
        self.stopped: str | None = None
        self.seconds = 0.0
        """Seconds that the guard took."""
        self._hold_ms = resolved.policy.max_hold_ms if resolved.policy is not None else 0
        self._keeps_prefix = rewinds
        self._details = details
        # Pieces that have left only count, and stand in the prefix of a continuation.
        self._gone: list[str] = []
        self._dropped = 0
        self._pieces: deque[Piece] = deque()
        # Bytes of the pieces, and of how much of them has left.
        self._bytes = self._left = 0
        self._characters, self._ahead = Characters(), Ahead()
        self._tail = b""
        self._delivered = 0
        self._held_since: float | None = None

    @property
    def prefix(self) -> str:
        """The surviving text, forced text included: what the upstream continues from."""
        if len(self._gone) > 1:
            self._gone = ["".join(self._gone)]
        return "".join([*self._gone, *(piece.text for piece in self._pieces)])

    @property
    def written(self) -> str:
        """The surviving text without what the guard put at its end."""
        done = () if self.guard is None else self.guard.report().interventions
        return self.prefix.removesuffix(done[-1].inserted if done else "")

    @property
    def held(self) -> int:
        """Bytes that wait to be released."""
        return 0 if self.guard is None else self.guard.held

    @property
    def due(self) -> float | None:
        """Monotonic second at which to look at the guard again; none if nothing waits."""
        if self.guard is None or self.stopped is not None or self._held_since is None:
            return None
        if isinstance(self.guard, WatchedGuard):
            return time.monotonic() + LOOK_S
        return self._held_since + self._hold_ms / 1000 + 0.002

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
        ready = self._characters.take(text)
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
            self._obey(self.guard.poll(_now()), outcome)
            # What the policy holds all the same is not looked at again at once.
            self._held_since = None
            self._note_hold(outcome)
        return outcome

    async def end(self, *, cut: bool = False) -> Outcome:
        """Judge the end, and wait for verifiers as long as the policy does.

        ``cut`` says that the upstream was cut off there, so that a last word that nothing closed
        may not be whole.
        """
        outcome = Outcome()
        if self.stopped is not None:
            return outcome
        rest = self._characters.end()
        if self.guard is None:
            outcome.text, outcome.stop = rest, "end"
            self.stopped = "end"
            return outcome
        if rest and not self._push(Piece(rest), outcome):
            return outcome
        if cut:
            self.guard.cut()
        while True:
            found = self._finish(self.guard)
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
        before, said = self.guard.report(), "".join(self._said)
        # The claim as the upstream wrote it stands behind what was kept of the text.
        kept = self.prefix.removesuffix(self._forced)
        again = Watched(self._resolved, rewinds=False, formed=self._formed, **self._given)
        rest = "".join(piece.text for piece in self._void)
        if complete:
            rest += self._unread
        else:
            rest = up_to_claim(self.lead + kept, rest, before.interventions[-1])
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
            lead=self.lead,
            left=self._delivered,
            ended=self.stopped is not None,
        )
        if self.stopped is None or (report.stopped == self.stopped and not self._done):
            return report
        done = (*self._done, *report.interventions)
        return dataclasses.replace(report, interventions=done, stopped=self.stopped)

    def _finish(self, guard: _core.Guard | WatchedGuard) -> list[_core.Directive]:
        if isinstance(guard, WatchedGuard):
            return guard.finish(_now(), timeout_s=0)
        return guard.finish(_now())

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
        self._pieces.append(piece)
        self._bytes += len(piece.text.encode())
        if step:
            outcome.findings.extend(step.findings)
        return self._obey(found, outcome)

    def _obey(self, found: list[_core.Directive], outcome: Outcome) -> bool:
        """Carry out directives; False if what the upstream sends from here on is void."""
        released, force, gone = "", None, list[Piece]()
        for directive in found:
            if directive.kind == "release":
                released += directive.text or ""
            elif directive.kind == "rewind":
                gone = self._cut(directive.keep or 0)
                force = directive.text or ""
            elif directive.kind == "stop":
                self.stopped = outcome.stop = directive.reason
        if released:
            outcome.at = outcome.at if outcome.text else self._delivered
            outcome.text += released
            self._delivered += len(released)
            if self._keeps_prefix:
                self._said.append(released)
            self._leave(released, outcome)
        if force is not None and self._in_place and self.guard is not None:
            again = still_stands(gone, self.guard.report().interventions[-1])
            going = not force or self._push(Piece(force), outcome, forced=True)
            while going and again:
                going = self._push(again.popleft(), outcome)
            return going
        outcome.again = outcome.again or bool(gone)
        if force:
            self._forced = force
            return self._push(Piece(force), outcome, forced=True)
        return not outcome.again and self.stopped is None

    def _cut(self, keep: int) -> list[Piece]:
        """Forget what was pushed after the first ``keep`` pieces, and return it."""
        gone: list[Piece] = []
        while self._pieces and self._dropped + len(self._pieces) > keep:
            gone.append(self._pieces.pop())
            self._bytes -= len(gone[-1].text.encode())
        gone.reverse()
        if gone and not self._in_place:
            self._characters, self._ahead = Characters(), Ahead()
            self._void = gone
        return gone

    def _leave(self, text: str, outcome: Outcome) -> None:
        """Note how far text has left; add its tokens, if it left as the upstream wrote it."""
        assert self.guard is not None
        # After a cut the kept pieces may end before what has left of the one that was cut.
        to = max(self._bytes - self.guard.held, self._left)
        seen, whole, size = b"", list[tuple[Piece, int]](), 0
        shown: list[tuple[str, Token | None]] = []
        while self._pieces:
            piece = self._pieces[0]
            data = piece.text.encode()
            seen += data
            if self._details:
                part = data[max(0, self._left - size) : to - size].decode("utf-8", "replace")
                shown.append((part, piece.spoken))
            if size + len(data) > to:
                break
            size += len(data)
            self._pieces.popleft()
            whole.append((piece, size))
            if self._keeps_prefix:
                self._gone.append(piece.text)
            self._dropped += 1
        left, before = self._tail + text.encode(), len(self._tail) - self._left
        if seen[self._left : to] == text.encode():
            # A token may have begun in text that was replaced, or be named otherwise than its text.
            for piece, end in whole:
                outcome.tokens.extend(piece.tokens if piece.ends(left[: before + end]) else ())
            outcome.shown.extend(one for one in shown if one[0])
        elif self._details:
            outcome.shown.append((text, None))
        self._tail = left[-_TAIL:]
        self._bytes -= size
        self._left = to - size

    def _note_hold(self, outcome: Outcome) -> None:
        if self.held == 0:
            self._held_since = None
        elif self._held_since is None or outcome.text:
            self._held_since = time.monotonic()


def _now() -> int:
    return time.monotonic_ns() // 1_000_000
