"""Text in, text out: the guard over an answer that comes from elsewhere and cannot be taken back.

A loop that owns its model carries a rewind out by generating again. Whoever only receives an
answer (an API's stream, a framework's callback, a finished text) cannot. What such a guard does:

- A wrong value with a known right one is exchanged in the text that is held, and the rest of the
  text is judged again behind it. Of a claim that the reader has, a note follows it.
- An interruption takes the claim back, says what could not be verified, and ends the answer; or,
  as ``cannot_rewind="annotate"`` has it, the claim stays and is marked.
- A hedge, which needs the model to say the claim anew, becomes an annotation.
- Text in a form that has to stand (JSON, a grammar's words) is only watched with
  ``cannot_rewind="keep_form"``, unless the policy discards the answer; with ``formed`` nothing is
  put into it, but what would be ends the answer.

Marks, removals and discarded answers are as with any guard.
"""

from __future__ import annotations

import dataclasses
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from groundwire.callback import Callback, Decision
from groundwire.errors import ArgumentError
from groundwire.hooks import Hooks
from groundwire.loop import POLL_S
from groundwire.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundwire.events import ReportStore
    from groundwire.findings import Finding, Intervention
    from groundwire.monitor import Monitor
    from groundwire.report import Report

CannotRewind = Literal["interrupt", "annotate", "keep_form"]
PIECE = 4096
"""Characters that are pushed at once, so that a long piece is retained like a stream's."""
_NEEDS_THE_MODEL = {
    "interrupt": {"hedge": "annotate"},
    "annotate": {"hedge": "annotate", "interrupt": "annotate", "correct": "annotate"},
    "keep_form": dict.fromkeys(("hedge", "interrupt", "correct", "remove"), "annotate"),
}


class _Piece(NamedTuple):
    """Text to push; ``note`` says that it follows text the reader has."""

    text: str
    forced: bool = False
    note: bool = False


def without_rewind(
    policy: Policy, how: CannotRewind = "interrupt", *, formed: bool = False
) -> Policy:
    """Return what of ``policy`` can be done to text whose model cannot be asked again.

    ``formed`` says that nothing may be put into the text: a value that would be exchanged, or a
    claim left out, ends the answer, and so does an interruption.

    Raises ``ArgumentError`` if ``how`` is not ``interrupt``, ``annotate`` or ``keep_form``.
    """
    if how not in _NEEDS_THE_MODEL:
        choices = ", ".join(_NEEDS_THE_MODEL)
        raise ArgumentError(f"cannot_rewind is {how!r:.60}; it is one of {choices}")
    instead = _NEEDS_THE_MODEL[how]
    if formed and how == "interrupt":
        instead = {**instead, "remove": "interrupt"}
    actions: dict[str, Any] = {
        tier: getattr(policy, tier) for tier in ("low", "medium", "high", "critical")
    }
    actions = {tier: instead.get(action, action) for tier, action in actions.items()}
    if how == "keep_form" or formed:
        actions["annotation"] = "metadata"
    if formed and policy.release == "token":
        # A note behind text that has left has no place in the form.
        actions["release"] = "claim"
    return dataclasses.replace(policy, after_interrupt="stop", **actions)


class _Silent(Hooks):
    """Hooks for text that nothing may follow."""

    def add_disclaimers(self, released: str, contradictions: Sequence[Finding]) -> str:
        """Return nothing."""
        del released, contradictions
        return ""


class TextGuard:
    """The guard of one answer that comes as text.

    Args:
        monitor: a ``Monitor``; needs no tokenizer.
        cannot_rewind: what becomes of what needs the model: ``interrupt`` (the default),
            ``annotate`` or ``keep_form``; see the module.
        formed: whether the text has a form into which nothing may be put; see the module.
        hooks: an application's own words, for this one answer.
        store: records the final report, as for ``GroundwireCallback``.
        clock: gives milliseconds for ``max_hold_ms``; the machine's monotonic clock by default.
        policy: replaces the monitor's.
        given: what ``Monitor.guard`` takes else (evidence, history, question, ids …).

    Attributes:
        stopped: why the guard ended the answer: ``end`` where it was complete, ``length`` where its
            limit of tokens cut it off; none before.
        waits: whether the end waits for a verifier's answer; call ``end`` again later.

    Raises ``ArgumentError`` for what ``GroundwireCallback`` refuses.
    """

    def __init__(
        self,
        monitor: Monitor,
        *,
        cannot_rewind: CannotRewind = "interrupt",
        formed: bool = False,
        hooks: Hooks | None = None,
        store: ReportStore | None = None,
        clock: Callable[[], int] | None = None,
        policy: Policy | Mapping[str, Any] | None = None,
        **given: Any,
    ) -> None:
        asked = policy or getattr(monitor, "policy", None) or Policy()
        asked = asked if isinstance(asked, Policy) else Policy.from_mapping(asked)
        given["policy"] = without_rewind(asked, cannot_rewind, formed=formed)
        if hooks is None and (formed or cannot_rewind == "keep_form"):
            hooks = _Silent()
        self._callback = Callback(monitor, hooks=hooks, store=store, clock=clock, **given)
        self._callback.disclaims = not asked.only_watches
        if formed:
            self._callback.guard.cannot_rewind()
        self._half = ""
        self._noted = False
        self.stopped: str | None = None
        self.waits = False

    def push(self, text: str, *, top_logprobs: Any = None, signals: Any = None) -> str:
        """Follow a piece of the answer, cut anywhere; return text for the reader, maybe none.

        ``top_logprobs`` and ``signals`` are of the one token that the piece is, as for
        ``Guard.push_text``. What comes after the answer has been ended is dropped. A lone
        surrogate, which no UTF-8 can carry, becomes U+FFFD, as in a decoded byte stream.
        """
        numbers = {"top_logprobs": top_logprobs, "signals": signals}
        whole = self._whole(text)
        pieces = [whole[at : at + PIECE] for at in range(0, len(whole), PIECE)]
        if len(pieces) != 1:
            numbers = {}
        return self._run(deque(map(_Piece, pieces)), numbers)

    def end(self, *, limited: bool = False) -> str:
        """Tell that nothing follows; return the rest of it. Never blocks: see ``waits``.

        ``limited`` says that a limit of tokens cut the answer off, so that ``stopped`` is
        ``length``. Its last word is judged as it stands: whoever chose the limit gets no wrong
        value by that.
        """
        self._callback.limited = limited
        todo: deque[_Piece] = deque()
        if self._half:
            todo.append(_Piece("\ufffd"))
            self._half = ""
        said = self._run(todo)
        self.waits = False
        while self.stopped is None and not self.waits:
            decision = self._callback.on_end(timeout_s=0)
            self.waits = decision.wait
            said += self._take(decision, todo) + self._run(todo)
        return said

    def limit(self) -> None:
        """Note of an answer that has ended that a limit of tokens cut it off; see ``end``."""
        self._callback.limited = True
        if self.stopped == "end":
            self.stopped = "length"

    def ending(self, *, limited: bool = False) -> Iterator[str | None]:
        """Yield the rest of the answer, and None for each time that something must be waited for.

        The caller sleeps ``POLL_S`` seconds at each None. ``limited`` is as for ``end``.
        """
        yield self.end(limited=limited)
        while self.waits:
            yield None
            yield self.end(limited=limited)

    def finish(self) -> str:
        """Return the rest of the answer, after waiting as long as the policy holds text for it."""
        said = ""
        for piece in self.ending():
            if piece is None:
                time.sleep(POLL_S)
            else:
                said += piece
        return said

    def abandon(self) -> None:
        """Give the answer up, if it has not ended: nobody beside it is asked any more."""
        if self.stopped is None:
            self._callback.abandon()

    def report(self) -> Report:
        """Return the report, so far or final."""
        return self._callback.report()

    @property
    def cut(self) -> bool:
        """Whether the guard ended the answer before the model did."""
        return self.stopped not in {None, "end", "length"}

    def _run(self, todo: deque[_Piece], numbers: dict[str, Any] | None = None) -> str:
        """Push what is to be pushed, and what that leads to; return text for the reader."""
        said = ""
        while todo and self.stopped is None:
            piece = todo.popleft()
            if self._noted and not piece.forced and not piece.text[0].isspace():
                # The space that stood here had left before the note did.
                todo.appendleft(piece)
                piece = _Piece(" ", forced=True)
            self._noted = piece.note
            given: dict[str, Any] = {}
            if numbers and not piece.forced:
                given, numbers = numbers, None
            decision = self._callback.on_token(piece.text, forced=piece.forced, **given)
            said += self._take(decision, todo)
        return said

    def _take(self, decision: Decision, todo: deque[_Piece]) -> str:
        """Note a stop, and after a rewind what comes next; return text for the reader."""
        if decision.stop is not None:
            self.stopped = decision.stop
        if decision.keep is not None:
            done = self._callback.guard.report().interventions[-1]
            note = done.already_sent and not _exchanged(done)
            put = _Piece(decision.force, forced=True, note=note)
            todo.extendleft(piece for piece in (_Piece(rest_of(done)), put) if piece.text)
        return decision.release

    def _whole(self, text: str) -> str:
        """Return text with surrogates paired across pieces."""
        text = self._half + text
        self._half = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return paired(text)


def paired(text: str) -> str:
    """Return text with surrogates paired, and U+FFFD for those that are alone."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def rest_of(done: Intervention) -> str:
    """Return what an intervention took back and the text still needs behind what was put in.

    That is all of it, but for a wrong value that was exchanged.
    """
    return done.retracted.encode()[_exchanged(done) :].decode()


def _exchanged(done: Intervention) -> int:
    """Return the bytes of the wrong value in whose place another was put; 0 for anything else.

    The beginning of its claim may have left before: that is no note about text that was sent. Of a
    value that a request began as the right one begins, only the rest was put in.
    """
    at = done.span[0]
    for finding in done.findings if done.action == "correct" else ():
        if finding.byte_span is not None and finding.replacement is not None:
            start, end = finding.byte_span
            if start == at and finding.replacement == done.inserted:
                return end - at
            if start < at < end and finding.replacement.endswith(done.inserted):
                return end - at
    return 0
