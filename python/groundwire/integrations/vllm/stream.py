"""One request's guard inside the engine: it follows output tokens and says what is forced.

Everything is rebuilt from tokens. Whether a token was forced is told by the text alone: the guard
says what note belongs at a place, and a note that stands there token for token was forced. So a
request that was preempted, moved or handed to another process comes to the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from groundwire.errors import GroundwireError
from groundwire.integrations.vllm.layout import closing, in_table

if TYPE_CHECKING:
    from groundwire import _core

FOUND, BOUNDARY, STOP = 1, 2, 4
LOOK = 1
"""Tokens that have to show that a sentence is over. A note whose first token does not (a space, in
vocabularies that have it alone) could not be told from what the model wrote before the next one."""

MAX_ID = 2**32 - 1
"""The highest id that any vocabulary can have."""
Fault = Callable[[BaseException], None]
"""Notes a fault, or raises it."""

Encode = Callable[[Sequence[int], str], list[int]]
"""From the ids so far and a text to the ids that add this text."""
_Kind = TypeVar("_Kind", bound="Tap")


@dataclass(kw_only=True, eq=False)
class Tap:
    """The output ids of a request whose rows are read and whose text nobody judges in the engine.

    Attributes:
        seen: ids followed so far.
        lost: why the stream is not followed any longer, if it is not.
        reads: whether anybody uses the statistics of its rows.
        sends: the id under which these leave for the front end, or ``None``.
        numbers: by position in the output, what the row says that its token is sampled from.
        place: drafts between this stream and the one it was forked from.
        origin: the stream it was forked from, if it was.
        reopen: opens the request's stream anew.
    """

    seen: list[int] = field(default_factory=list)
    lost: str | None = None
    reads: bool = False
    sends: str | None = None
    numbers: dict[int, dict[str, Any]] = field(default_factory=dict)
    place: int = 0
    origin: Tap | None = None
    reopen: Callable[[], Tap | None] | None = None

    @property
    def wants_row(self) -> bool:
        """Whether the most likely next token has to be known."""
        return False

    @property
    def forced(self) -> int | None:
        """The token that has to come next, or ``None``."""
        return None

    @property
    def over(self) -> bool:
        """Whether the answer has to end here."""
        return False

    def lose(self, reason: str) -> None:
        """Stop following this stream; it goes on unmonitored."""
        self.lost = self.lost or reason

    def fork(self) -> Tap:
        """Return an independent copy, for tokens that may be rejected."""
        return self._as_fork(Tap())

    def _as_fork(self, made: _Kind) -> _Kind:
        made.seen, made.lost = list(self.seen), self.lost
        made.reads, made.sends = self.reads, self.sends
        made.place, made.origin = self.place + 1, self.origin or self
        return made


@dataclass(eq=False)
class Stream(Tap):
    """A guard that only appends, and the output ids it has followed.

    Attributes:
        guard: opened with ``appending=True``.
        monitor: the monitor that opened it.
        encode: how a note becomes ids.
        observes: nothing may be forced (structured output).
        queue: ids that are still to be forced.
        saying: the note that these belong to, as a whole.
        ending: why the answer is to end here, once nothing is queued.
        boundary: whether something could be said after what was seen.
        asked: whether that was looked into already.
        stop_id: the id that ends the answer for a finding, where the request lists it.
        ignores_end: whether the request ignores the model's own end.
        lead: the unfinished sentence of the prompt, which the spans of findings count.
        closing: ids that end the last sentence, which the model would leave without a mark: to
            whoever reads them they are the answer's own.
        closes: whether its end is looked into: it may end by itself, and notes may be put in.
        stops: further ids that end the answer.
    """

    guard: _core.Guard
    monitor: _core.CoreMonitor
    encode: Encode
    observes: bool = False
    queue: list[int] = field(default_factory=list)
    ending: str | None = None
    boundary: bool = False
    asked: bool = False
    stop_id: int | None = None
    ignores_end: bool = False
    lead: str = ""
    saying: str = ""
    closing: list[int] = field(default_factory=list)
    closes: bool = True
    stops: frozenset[int] = frozenset()

    def fork(self) -> Stream:
        """Return an independent copy, for tokens that may be rejected."""
        return self._as_fork(
            Stream(
                self.guard.fork(),
                self.monitor,
                self.encode,
                self.observes,
                list(self.queue),
                self.ending,
                self.boundary,
                self.asked,
                self.stop_id,
                self.ignores_end,
                self.lead,
                self.saying,
                list(self.closing),
                self.closes,
                self.stops,
            )
        )

    @property
    def wants_row(self) -> bool:
        """Whether ``decide`` has to be asked with the most likely next token."""
        free = self.lost is None and self.ending is None and not self.queue and not self.closing
        return free and (self.boundary or self.closes) and not self.asked and not self.observes

    @property
    def forced(self) -> int | None:
        """The token that has to come next, or ``None``."""
        if self.observes or self.lost is not None:
            return None
        return next(iter(self.queue or self.closing), None)

    @property
    def over(self) -> bool:
        """Whether the answer has to end here."""
        return self.ending is not None and not self.queue and not self.observes and not self.lost

    def decide(self, likely: int, ends: frozenset[int]) -> None:
        """Look whether something is said before the model goes on with ``likely``.

        ``ends`` are the ids that end an answer. What is said is in the queue afterwards. Nothing
        is said that whoever reads the ids later would not recognise, so of a sentence without a
        mark its end comes first. A table is broken by no note: it waits for the table's end.
        """
        self.asked = True
        over = likely in ends or likely in self.stops
        if not self.boundary:
            if over:
                self._close()
            return
        if not over and in_table(self.guard.text):
            return
        said = self.guard.foresee([] if over else [likely])
        if said is None:
            if over:
                self._finished()
            return
        note = self.encode(self.seen, said.text)
        if note and self.guard.foresee(note[:LOOK]) == said:
            self._say(said, note)

    def _finished(self) -> bool:
        """Look whether something is to be said or done where the answer ends here."""
        ahead = self.guard.fork()
        ahead.finish(0)
        if ahead.stopped not in (None, "end"):
            self.ending = ahead.stopped
            return False
        return ahead.unsaid() is not None

    def _close(self) -> None:
        """End the last sentence, if something would be said behind it."""
        if not self._finished():
            return
        mark = closing(self.guard.text)
        ids = self.encode(self.seen, mark) if mark else []
        ahead = self.guard.fork()
        for token in ids:
            (flags,) = self.monitor.push_guards([ahead], [token], [False], None)
            if isinstance(flags, Exception):
                return
        if ids and ahead.foresee([]) is not None:
            self.closing = ids

    def meets(self, ids: Sequence[int]) -> bool:
        """Before ``ids`` are followed: whether they begin with a note; then it is in the queue."""
        if self.queue or not self.boundary or self.observes or not ids:
            return False
        said = self.guard.foresee(list(ids[:LOOK]))
        if said is None:
            return False
        note = self.encode(self.seen, said.text)
        if not note or list(ids[: len(note)]) != note[: len(ids)]:
            return False
        self._say(said, note)
        return True

    def lose(self, reason: str) -> None:
        """Stop following this stream; it goes on unmonitored."""
        super().lose(reason)
        self.queue.clear()
        self.closing.clear()

    def take(self, token: int, flags: int | Exception) -> None:
        """Note what came of a token that was pushed."""
        if isinstance(flags, Exception):
            self.lose(str(flags))
            return
        due = self.queue or self.closing
        if due and due[0] == token:
            del due[0]
        else:
            # Something else in the engine overrode what was to be forced.
            self.queue.clear()
            self.closing.clear()
        self.seen.append(token)
        self.boundary, self.asked = bool(flags & BOUNDARY), False
        if flags & STOP and self.ending is None:
            self.ending = self.guard.stopped or "stopped"

    def _say(self, said: _core.Said, note: list[int]) -> None:
        self.guard.speak(said)
        self.queue, self.saying = note, said.text
        self.asked = True


def _raised(error: BaseException) -> None:
    raise error


def follow(news: Iterable[tuple[Tap, Sequence[int]]], fault: Fault = _raised) -> int:
    """Push new output ids to their streams, one call of the extension for each monitor and round.

    ``news`` has each stream at most once, with the ids that follow those it has seen. An id below
    0 is a placeholder that the engine never filled in: the stream is lost then. What is known of an
    id's row goes with it. ``fault`` hears of what else goes wrong, and where it does not raise, the
    streams concerned are lost. Returns how many streams were lost.
    """
    waiting = [(stream, list(ids)) for stream, ids in news if ids and stream.lost is None]
    lost, at, given = 0, 0, waiting
    while waiting:
        batch: dict[int, list[tuple[Stream, int, bool]]] = {}
        for stream, ids in waiting:
            token = ids[at]
            if not 0 <= token <= MAX_ID:
                what = "placeholders" if token < 0 else "ids that no vocabulary has"
                stream.lose(f"the engine gave {what} in place of the output's tokens")
                lost += 1
                continue
            if not isinstance(stream, Stream):
                stream.seen.append(token)
                continue
            try:
                # Whoever was asked about this place already has had its answer.
                if not stream.asked:
                    stream.meets(ids[at:])
            except BaseException as error:
                if not isinstance(error, GroundwireError):
                    fault(error)
                stream.lose(str(error))
                lost += 1
                continue
            forced = bool(stream.queue) and stream.queue[0] == token
            batch.setdefault(id(stream.monitor), []).append((stream, token, forced))
        for rows in batch.values():
            lost += _push(rows, fault)
        at += 1
        waiting = [(s, ids) for s, ids in waiting if len(ids) > at and s.lost is None]
    for stream, _ in given:
        stream.numbers.clear()
    return lost


def _push(rows: list[tuple[Stream, int, bool]], fault: Fault) -> int:
    """Push one token to each of the streams, all of one monitor; return how many were lost."""
    numbers = [stream.numbers.get(len(stream.seen)) for stream, _, _ in rows]
    try:
        flags = rows[0][0].monitor.push_guards(
            [stream.guard for stream, _, _ in rows],
            [token for _, token, _ in rows],
            [forced for _, _, forced in rows],
            numbers if any(numbers) else None,
        )
    except BaseException as error:
        fault(error)
        # Nobody knows which of them have had their token.
        for stream, _, _ in rows:
            stream.lose(str(error))
        return len(rows)
    for (stream, token, _), one in zip(rows, flags, strict=True):
        stream.take(token, one)
    return sum(stream.lost is not None for stream, _, _ in rows)
