"""An answer of chat or text completions that does not stream."""

from __future__ import annotations

import math
from typing import Any, TypeGuard

from groundwire.gateway.anew import Anew
from groundwire.gateway.context import Context
from groundwire.gateway.continuation import Continuation, continuation, is_final
from groundwire.gateway.cut import cut_off
from groundwire.gateway.dialects import Dialect, answered, chosen
from groundwire.gateway.errors import (
    UpstreamFault,
    UpstreamRefused,
    error_in,
    malformed,
    upstream_error,
)
from groundwire.gateway.fields import mark
from groundwire.gateway.guarded import Ending
from groundwire.gateway.judged import CALLS, ENDED_BY_GUARD
from groundwire.gateway.outcome import Outcome
from groundwire.gateway.relay_text import has_no_way_back, still_counts
from groundwire.gateway.summary import honest_finish, several
from groundwire.gateway.tokens import Token
from groundwire.gateway.usage import Usage
from groundwire.gateway.watched import Watched

Json = dict[str, Any]


async def answer(context: Context, dialect: Dialect) -> tuple[Json, list[tuple[str, str]]]:
    """Return the checked answer for the client, and the upstream's headers.

    Raises:
        UpstreamFault: the upstream could not be reached, or sent what cannot be read.
        UpstreamRefused: it answered with an error of its own.

    """
    data, headers = await context.upstream.json(dialect.path, context.headers, context.asked.body)
    if (reported := error_in(data)) is not None:
        raise upstream_error(reported)
    choices = data.get("choices")
    if not _are_choices(choices):
        raise UpstreamFault("upstream_malformed", "the upstream answered without choices")
    if len(choices) > context.asked.choices:
        raise UpstreamFault(
            "upstream_malformed",
            f"the upstream gave {len(choices)} answers, not {context.asked.choices}",
        )
    usage = Usage()
    usage.see(data.get("usage"))
    summaries = []
    for i, found in enumerate(choices):
        index = found.get("index")
        if not isinstance(index, int) or not 0 <= index < context.asked.choices:
            index = i
        choices[i], beside = await _check(context, dialect, found, index, usage)
        summaries.append(beside)
        if len(choices) > 1:
            choices[i]["groundwire"] = beside
    data = {**answered(data, context.asked), "choices": choices}
    if (total := usage.total()) is not None:
        data["usage"] = total
    data["groundwire"] = summaries[0] if len(summaries) == 1 else several(summaries, context.id)
    return data, headers


def _are_choices(given: Any) -> TypeGuard[list[Json]]:
    """Whether these are choices; an answer without one is none."""
    return isinstance(given, list) and bool(given) and all(isinstance(one, dict) for one in given)


async def _check(
    context: Context, dialect: Dialect, given: Json, index: int, usage: Usage
) -> tuple[Json, Json]:
    """Judge one choice; return it with what is released of it, and what was found."""
    watched = context.watch(index)
    released = Outcome()
    finish = given.get("finish_reason")
    cut = cut_off(_said(dialect, given), finish, given, context.asked.body)
    beside: Json = {}
    try:
        outcome = await _judged(dialect, given, watched, usage)
        while True:
            if not outcome.again and outcome.stop is None:
                why: Ending = "length" if finish == "length" else "end"
                outcome.add(await watched.end(cut=cut, why=why))
            released.add(outcome)
            if not outcome.again:
                break
            context.continued += 1
            left = usage.left(context.asked.most, watched.prefix)
            kept_tokens = usage.kept(watched.prefix)
            usage.cut()
            if left == 0:
                watched.give_up()
                finish = "length"
                outcome = await watched.end(cut=True, why="length")
                continue
            if context.continued == context.limits.max_continuations:
                watched.give_up()
            try:
                more, goes_on = await _more(context, watched, left, kept_tokens, usage)
            except (UpstreamFault, UpstreamRefused) as fault:
                if not is_final(fault, complete=True):
                    raise
                context.not_continued(fault)
                outcome = await watched.fall_back(complete=True)
                continue
            finish = goes_on.get("finish_reason")
            said = _said(more.dialect, goes_on)
            cut = cut_off(said, finish, goes_on, context.asked.body)
            beside = still_counts(
                more.dialect.rest(goes_on, delta=False, audio=context.asked.audio)
            )
            outcome = await _judged(more.dialect, goes_on, watched, usage, more)
    finally:
        watched.abandon()
    released.tokens += watched.last_tokens() if watched.stopped not in ENDED_BY_GUARD else ()
    choice = {"index": index, **chosen(given, context.asked)}
    shown = given.get("logprobs") is not None
    choice |= dialect.whole(given, released, audio=context.asked.audio, logprobs=shown)
    if isinstance(message := choice.get("message"), dict):
        pictures = [*message.get("images", ()), *beside.get("images", ())]
        message |= beside | ({"images": pictures} if pictures else {})
    _end(choice, finish, watched.stopped)
    return choice, await context.conclude(index, watched)


def _said(dialect: Dialect, given: Json) -> str:
    """Return the text with which a choice ends."""
    return dialect.behind(given, delta=False)[0] or dialect.text(given, delta=False)[0]


async def _judged(
    dialect: Dialect,
    given: Json,
    watched: Watched,
    usage: Usage,
    more: Continuation | None = None,
) -> Outcome:
    """Judge a choice field by field; ``more`` is how the upstream was asked to go on, if it was."""
    text, tokens = dialect.text(given, delta=False)
    behind, named = dialect.behind(given, delta=False)
    refuses = dialect.field(given, delta=False) == "refusal"
    usage.count(_tokens(text, tokens) + _tokens(behind, named), len(text) + len(behind))
    rest = dialect.rest(given, delta=False)
    if not (text or behind or rest.keys() - {"role"}) and dialect.elsewhere(given):
        raise malformed("a choice")
    rest = rest if more is None else still_counts(rest)
    if behind or refuses or any(has_no_way_back(name) for name in rest):
        watched.give_up()
    if more is not None and refuses:
        # What it goes on with is content.
        text, tokens, behind, named = "", (), text, tokens
    elif more is not None:
        joined = more.joined(text)
        text, tokens = joined, tokens if joined == text else ()
    outcome = await watched.whole(text, tokens)
    if behind and outcome.stop is None:
        outcome.add(watched.divide())
        if outcome.stop is None:
            outcome.add(await watched.whole(behind, named))
    return outcome


def _end(choice: Json, finish: Any, stopped: str | None) -> None:
    """Say why a choice ended; what the client is not to read, it is not to act upon."""
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    called = any(message.get(name) for name in CALLS)
    choice["finish_reason"] = honest_finish(
        finish if mark(finish) else None, stopped, called=called
    )
    if stopped in ENDED_BY_GUARD:
        for name in CALLS:
            message.pop(name, None)


async def _more(
    context: Context, watched: Watched, left: int | None, kept_tokens: int, usage: Usage
) -> tuple[Continuation, Json]:
    """Let the upstream go on behind what stands; return how it was asked, and its choice."""
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
    data, _ = await context.upstream.json(more.dialect.path, context.headers, more.body)
    usage.see(data.get("usage"))
    choices = data.get("choices")
    if not _are_choices(choices):
        raise UpstreamFault("upstream_malformed", "the upstream answered without choices")
    text, _ = more.dialect.text(choices[0], delta=False)
    if Anew(*watched.written).hear(text, ends=True):
        raise context.began_anew()
    return more, choices[0]


def _tokens(text: str, tokens: tuple[Token, ...]) -> int:
    """Return about how many tokens a text has, for upstreams that do not say."""
    return len(tokens) or math.ceil(len(text) / 4)
