"""One answer of chat or text completions on its way from the upstream to the client.

Every text of the answer has a guard of its own. What the guard releases goes out in chunks of the
upstream's own form; a claim that is taken back is written anew by a second request that continues
the answer, where the upstream can do that.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

from groundwire.gateway import sse
from groundwire.gateway.anew import Joint
from groundwire.gateway.context import Context
from groundwire.gateway.continuation import continuation, is_final
from groundwire.gateway.cut import cut_off
from groundwire.gateway.dialects import Dialect, answered, chosen, unanswered
from groundwire.gateway.errors import UpstreamFault, UpstreamRefused, error_in, upstream_error
from groundwire.gateway.fields import sources
from groundwire.gateway.judged import CALLS, ENDED_BY_GUARD
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.relay_text import (
    Text,
    all_ended,
    choices_in,
    ends_short,
    has_no_way_back,
    number_of,
    refused_body,
    still_counts,
)
from groundwire.gateway.streamed import Streamed
from groundwire.gateway.summary import honest_finish
from groundwire.gateway.upstream import as_object
from groundwire.gateway.usage import UNTOLD, Usage
from groundwire.gateway.watched import Watched

Json = dict[str, Any]
_MOST_NOTES = 256
LAST_S = 5.0
"""Seconds that a stream may stay open behind its last text, for usage and the mark of its end."""
_LATE = ("upstream_stalled", "upstream_reset")
"""Faults that take nothing from an answer that is whole."""
_NOTHING = (b"", b"{}")
"""Data of events by which servers keep a connection open."""


class Relay(Streamed):
    """An answer that streams, as chunks for the client.

    Args:
        context: what holds for the request.
        dialect: the route.
    """

    def __init__(self, context: Context, dialect: Dialect) -> None:
        super().__init__()
        self.context = context
        self.dialect = dialect
        self.reading = dialect
        self.usage = Usage()
        self.texts: dict[int, Text] = {}
        self.skeleton: Json | None = None
        self._out: list[bytes] = []
        self._todo: deque[tuple[Callable[[Text], Awaitable[None]], Text]] = deque()
        self._joint: Joint | None = None
        self._whole: float | None = None
        options = context.asked.body.get("stream_options") or {}
        self._wants_usage = bool(options.get("include_usage"))
        self._reports_unasked = False

    async def open(self) -> None:
        """Begin the answer; raises what ``Upstream.stream`` raises."""
        context = self.context
        body = dict(context.asked.body)
        if context.counts:
            # A stream that is cut would otherwise end before it says what it took.
            body["stream_options"] = {"include_usage": True, "continuous_usage_stats": True}
        self._events = await context.upstream.stream(self.dialect.path, context.headers, body)
        self.headers = self._events.headers

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the client's events; the last is ``[DONE]``.

        A fault of the upstream becomes an error event behind all that may still be released.
        """
        try:
            async for chunk in self._run():
                yield chunk
        except (UpstreamFault, UpstreamRefused) as fault:
            async for chunk in self._broken(fault):
                yield chunk
            self._wants_usage = False
        self.ended = True
        if self._wants_usage and (total := self.usage.total()) is not None:
            yield sse.encode(self._chunk([], usage=total))
        yield sse.DONE

    def watched(self) -> Iterator[Watched]:
        """Yield the guarded texts of the answer."""
        return (one.watched for one in self.texts.values())

    async def _run(self) -> AsyncIterator[bytes]:
        while not self._complete:
            assert self._events is not None
            try:
                event = await self._events.next(self._due())
                ended = self._late or (event is not None and event.data == b"[DONE]")
            except EOFError:
                event, ended = None, True
            except UpstreamFault as fault:
                # Behind a whole answer only usage and the mark of the end are lost.
                if self._whole is None or fault.code not in _LATE:
                    raise
                event, ended = None, True
            if event is not None and not ended:
                if event.data.strip() not in _NOTHING:
                    await self._read(as_object(event.data, "event"), event.name)
            else:
                await self._look(ended=ended)
            while self._todo:
                todo, text = self._todo.popleft()
                await todo(text)
            if self._whole is None and self._is_whole:
                self._whole = time.monotonic()
            if self._out:
                self.ended = self._complete
                self.spoke()
                yield b"".join(self._out)
                self._out.clear()
            elif comment := self.alive():
                yield comment
            if ended and len(self.texts) < self.context.asked.choices:
                break

    async def _look(self, *, ended: bool) -> None:
        """Look again at text that is held, as time has passed; at the end, at all of it."""
        if ended and not (self._is_whole or ends_short(self.texts.values())):
            raise UpstreamFault(
                "upstream_reset", "the upstream's stream ended before the answer did"
            )
        for text in self.texts.values():
            if not text.over:
                outcome = await text.end() if ended else text.watched.poll()
                self._emit(text, outcome, {})

    @property
    def _complete(self) -> bool:
        """Whether nothing of the upstream is of use any more."""
        asked = self.context.asked.choices
        return len(self.texts) == asked and all(text.over for text in self.texts.values())

    @property
    def _is_whole(self) -> bool:
        """Whether every text has ended: for the upstream, or for the guard before it."""
        return len(self.texts) == self.context.asked.choices and all_ended(self.texts.values())

    def _due(self) -> float:
        due = [text.watched.due for text in self.texts.values()]
        return self.until([*due, None if self._whole is None else self._whole + LAST_S])

    @property
    def _late(self) -> bool:
        """Whether the answer was whole some time ago, and the upstream has not ended its stream."""
        return self._whole is not None and time.monotonic() >= self._whole + LAST_S

    async def _read(self, data: Json, name: str) -> None:
        """Handle one chunk of the upstream, from an event of this name."""
        if (reported := error_in(data, name)) is not None:
            raise upstream_error(reported)
        self._see_usage(data.get("usage"))
        if self.skeleton is None:
            self.skeleton = answered(data, self.context.asked)
        else:
            self.skeleton |= sources(data)
        for choice in choices_in(data):
            await self._read_choice(choice)
            if self._todo and self.context.asked.choices == 1:
                # A second request goes on; what this chunk still holds is void.
                return

    async def _read_choice(self, choice: Any) -> None:
        text = self._text_of(choice)
        if text.over:
            # What the guard has ended says no more, but that the upstream's end of it has come.
            text.finish = text.finish or choice.get("finish_reason")
            return
        content, tokens = self.reading.text(choice, delta=True)
        rest = self.reading.rest(choice, delta=True, audio=self.context.asked.audio)
        behind, named = self.reading.behind(choice, delta=True)
        place = self.reading.field(choice, delta=True)
        if place == "refusal" and (text.place == "content" or text.divided):
            behind, named, content, tokens = content, tokens, "", ()
        reads = bool(content or behind or rest.keys() - {"role"})
        text.see(choice, reads=reads, elsewhere=self.reading.elsewhere(choice))
        if self._joint is None:
            text.place = text.place or place
        else:
            rest = still_counts(rest)
            final = bool(behind or rest) or choice.get("finish_reason") is not None
            content, tokens = self._joint.take(content, tokens, ends=final)
            if self._joint.anew:
                self._todo.append((self._begun_anew, text))
                return
        text.notes += rest.pop("annotations", ())[: _MOST_NOTES - len(text.notes)]
        if text.place == "refusal" or any(has_no_way_back(name) for name in rest):
            text.watched.give_up()
        if (size := len(content) + len(behind)) or tokens:
            self.usage.count(max(1, len(tokens) + len(named)), size)
        outcome = await text.take(content, tokens, behind, named)
        if choice.get("finish_reason") is not None and not outcome.again:
            text.extra = chosen(choice, self.context.asked)
            text.finish = text.extra.pop("finish_reason", "stop")
            text.cut = cut_off(text.last, text.finish, choice, self.context.asked.body)
        self._emit(text, outcome, rest)
        if text.watched.held + text.waits > self.context.limits.max_held and not text.over:
            self._todo.append((self._cut_short, text))

    async def _begun_anew(self, text: Text) -> None:
        """End an answer that the upstream did not go on with, behind what stands."""
        if self._events is not None:
            self._events.close()
        self.context.not_continued(self.context.began_anew())
        self._emit(text, await text.watched.fall_back(), {})

    def _text_of(self, choice: Any) -> Text:
        index = number_of(choice, self.context.asked.choices)
        if index not in self.texts:
            self.texts[index] = Text(index, self.context.watch(index))
        return self.texts[index]

    def _see_usage(self, usage: Any) -> None:
        if usage:
            self.usage.see(usage)
            # Some upstreams report without being asked, and their clients rely on it.
            self._reports_unasked = not (self._wants_usage or self.context.counts)

    def _emit(self, text: Text, outcome: Outcome, rest: Json) -> None:
        """Send what was released; note what is to be done after a rewind, or conclude."""
        details = self.context.details(outcome)
        text.send(outcome.text)
        if text.watched.stopped in ENDED_BY_GUARD:
            # What the client is not to read, it is not to act upon.
            text.drop_later()
            rest = {name: value for name, value in rest.items() if name not in CALLS}
        rest = text.keep_calls(rest)
        fields = text.fields(outcome)
        if outcome.text or rest or details:
            for i, (said, tokens, place) in enumerate(fields):
                choice = self.dialect.choice(text.index, said, tokens, rest, None, place)
                told = details if i == len(fields) - 1 else None
                self._out.append(sse.encode(self._chunk([choice], groundwire=told)))
                rest = {}
        if not text.watched.held:
            self._send_later(text)
        if outcome.again:
            self._todo.append((self._continue, text))
        elif outcome.stop is not None and not text.over:
            text.over = True
            self._todo.append((self._conclude, text))

    def _send_later(self, text: Text) -> None:
        """Send the calls that waited for the text before them."""
        for rest in text.take_later():
            choice = self.dialect.choice(text.index, "", [], rest, None, text.place)
            self._out.append(sse.encode(self._chunk([choice])))

    async def _continue(self, text: Text) -> None:
        """Let the upstream go on from what survived."""
        context, watched = self.context, text.watched
        context.continued += 1
        if self._events is not None:
            self._events.close()
        left = self.usage.left(context.asked.most, watched.prefix)
        kept_tokens = self.usage.kept(watched.prefix)
        self.usage.cut()
        if self._wants_usage and self.usage.total() is None and UNTOLD not in context.notes:
            context.note(UNTOLD)
        if left == 0:
            watched.give_up()
            text.finish = "length"
            self._emit(text, await text.end(), {})
            return
        if context.continued == context.limits.max_continuations:
            watched.give_up()
        text.finish = None
        text.drop_later()
        self._whole = None
        try:
            more = await continuation(
                context.upstream,
                context.headers,
                context.asked,
                watched.prefix,
                context.how,
                left,
                kept_tokens=kept_tokens,
                goes_on=watched.goes_on,
                joint=watched.gap,
            )
            body = {**more.body, "stream": True}
            if context.counts:
                body["stream_options"] = {"include_usage": True, "continuous_usage_stats": True}
            events = await context.upstream.stream(more.dialect.path, context.headers, body)
        except (UpstreamFault, UpstreamRefused) as fault:
            if not is_final(fault):
                raise
            context.not_continued(fault)
            self._emit(text, await watched.fall_back(), {})
            return
        self.reading, self._events = more.dialect, events
        self._joint = Joint(more, watched.written)

    async def _cut_short(self, text: Text) -> None:
        """End a text that grew too long while it was held."""
        text.watched.give_up()
        text.drop_later()
        text.finish = "length"
        self.context.note("the limit of held text was reached")
        self._emit(text, await text.end(), {})

    async def _conclude(self, text: Text) -> None:
        """Send a text's last chunk: why it ended, and what was found."""
        stopped = text.watched.stopped
        ended = stopped not in ENDED_BY_GUARD
        self._send_later(text)
        # Where the guard has ended what the upstream has not, nothing is missing.
        finish = honest_finish(text.finish or "stop", stopped, called=text.called)
        silent = text.watched.last_tokens() if ended else []
        choice = self.dialect.choice(text.index, "", silent, text.cited if ended else {}, finish)
        choice = {**(text.extra if ended else {}), **choice}
        found = await self.context.conclude(text.index, text.watched)
        usage = self.usage.total() if self._reports_unasked else None
        self._out.append(sse.encode(self._chunk([choice], groundwire=found, usage=usage)))

    async def _broken(self, fault: UpstreamFault | UpstreamRefused) -> AsyncIterator[bytes]:
        """Send what may still be released, and then the error."""
        self.context.fault(fault)
        for todo, text in self._todo:
            if text.over:
                await todo(text)
        yield b"".join(self._out)
        for text in self.texts.values():
            if text.over:
                continue
            text.watched.give_up()
            outcome = await text.watched.end(cut=True, why="abort")
            text.over = True
            for said, tokens, place in text.fields(outcome):
                if said:
                    choice = self.dialect.choice(text.index, said, tokens, {}, None, place)
                    yield sse.encode(self._chunk([choice]))
            if text.last:
                await self.context.conclude(text.index, text.watched)
        body = fault.body() if isinstance(fault, UpstreamFault) else refused_body(fault)
        self.ended = True
        yield sse.encode({**body, "groundwire": self.context.summary()})

    def _chunk(self, choices: list[Json], **more: Any) -> Json:
        skeleton = self.skeleton or unanswered(self.context.id, self.context.asked.model)
        said = {name: value for name, value in more.items() if value}
        return {**skeleton, "choices": choices, **said}
