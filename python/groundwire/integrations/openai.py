"""The OpenAI SDK under guard: streams and finished answers, plain and asynchronous.

    from openai import OpenAI
    from groundwire.integrations.openai import guarded

    stream = client.chat.completions.create(model=…, messages=…, stream=True)
    for chunk in guarded(stream, monitor=monitor, evidence=passages):
        …                                   # real ChatCompletionChunk objects, checked

An API's answer cannot be rewound: the text guard says what is done instead
(``cannot_rewind``). What the guard has ended finishes with ``content_filter`` and the stream is
closed, so that nothing more is generated; a usage chunk that would have followed does not come.
Why an answer ended is told when the stream has ended, and text behind a reason is checked too.
Log-probabilities become signals where the request asked for them (``logprobs``,
``top_logprobs``). Chunks whose text has changed come without log-probabilities,
and others only with those of the tokens in their text.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from groundwire.errors import ArgumentError
from groundwire.integrations._chat import ChatFeed, whole
from groundwire.integrations._extra import need
from groundwire.integrations._feed import opening, waited
from groundwire.integrations._responses import ResponsesFeed
from groundwire.integrations._wrap import AsyncGuardedStream, GuardedStream

if TYPE_CHECKING:
    from groundwire.integrations._text import TextGuard
    from groundwire.monitor import Monitor
    from groundwire.report import Report

__all__ = ["AsyncGuardedStream", "GuardedStream", "checked", "guarded"]

_sdk = need("openai", "openai")
_types = need("openai.types.responses", "openai")
_EVENTS = {
    "response.output_text.done": _types.ResponseTextDoneEvent,
    "response.refusal.done": _types.ResponseRefusalDoneEvent,
    "response.content_part.done": _types.ResponseContentPartDoneEvent,
    "response.output_item.done": _types.ResponseOutputItemDoneEvent,
    "response.incomplete": _types.ResponseIncompleteEvent,
}


def guarded(stream: Any, *, monitor: Monitor, n: int = 1, **how: Any) -> Any:
    """Return ``stream`` under guard: an iterator of the SDK's own objects.

    Args:
        stream: what ``create(…, stream=True)`` of chat completions, completions or responses
            returned, from ``OpenAI`` (a ``Stream``) or, awaited, ``AsyncOpenAI`` (an
            ``AsyncStream``).
        monitor: a ``Monitor``; needs no tokenizer.
        n: answers that were asked for; each has a guard of its own.
        how: ``evidence``, ``history``, ``question``, ``policy`` … as for ``Monitor.guard``, and
            ``cannot_rewind`` (``interrupt``, ``annotate``, ``keep_form``), ``store`` and ``hooks``
            (the class of hooks, or what makes those of one answer).

    Returns:
        A ``GuardedStream`` or ``AsyncGuardedStream``.

    Raises:
        ArgumentError: at once, for what is no such stream and for arguments that no guard takes;
            while iterating, for objects that are neither chunks nor events of these APIs.

    """
    feed = _Either(opening(monitor, **how), n)
    if isinstance(stream, _sdk.Stream):
        return GuardedStream(stream, feed)
    if isinstance(stream, _sdk.AsyncStream):
        return AsyncGuardedStream(stream, feed)
    hint = "for a finished answer there is checked()"
    if "Stream" in type(stream).__name__:
        hint = (
            "stream() makes events of unguarded chunks: guard create(stream=True), and give "
            "its chunks to openai.lib.streaming.chat.ChatCompletionStreamState"
        )
    if inspect.isawaitable(stream):
        hint = "await it first"
    raise ArgumentError(f"what create(stream=True) returns is guarded, not {stream!r:.60}; {hint}")


def checked(answer: Any, *, monitor: Monitor, **how: Any) -> tuple[Any, list[Report]]:
    """Return a copy of a finished answer as the guard leaves it, and a report a part of it.

    Args:
        answer: a ``ChatCompletion``, ``Completion`` or ``Response``.
        monitor: as for ``guarded``; likewise ``how``. Waits for detectors and verifiers as long
            as the policy holds text for them.

    Raises:
        ArgumentError: it is none of these, or no guard takes the arguments.

    """
    begin = opening(monitor, **how)
    guards: dict[Any, TextGuard] = {}
    if isinstance(answer, _types.Response):
        feed = ResponsesFeed(begin, _event)
        steps, guards = feed.whole(answer), feed.guards
    elif isinstance(answer, _sdk.types.chat.ChatCompletion | _sdk.types.Completion):
        steps = whole(answer, begin, guards)
    else:
        raise ArgumentError(
            f"a ChatCompletion, Completion or Response is checked, not {answer!r:.60}; "
            "for streams there is guarded()"
        )
    (found,) = waited(steps)
    return found, [guard.report() for guard in guards.values()]


class _Either:
    """A feed that is chosen by the first object that comes."""

    def __init__(self, begin: Callable[[], TextGuard], n: int) -> None:
        self._chat, self._events = ChatFeed(begin, n), ResponsesFeed(begin, _event)
        self._feed: ChatFeed | ResponsesFeed = self._chat

    @property
    def over(self) -> bool:
        return self._feed.over

    @property
    def complete(self) -> bool:
        return self._feed.complete

    @property
    def guards(self) -> dict[Any, TextGuard]:
        return self._feed.guards  # type: ignore[return-value]

    def feed(self, item: Any) -> Iterator[Any]:
        if str(getattr(item, "type", "")).startswith(("response.", "error")):
            self._feed = self._events
        elif isinstance(getattr(item, "choices", 0), list | None):
            self._feed = self._chat
        else:
            raise ArgumentError(f"neither a chunk nor an event of the OpenAI API: {item!r:.80}")
        return self._feed.feed(item)

    def finish(self) -> Iterator[Any]:
        return self._feed.finish()


def _event(kind: str, **fields: Any) -> Any:
    return _EVENTS[kind].construct(type=kind, sequence_number=0, **fields)
