"""An answer of chat or text completions that does not stream."""

from __future__ import annotations

from typing import Any

from groundwire.gateway.context import Context
from groundwire.gateway.continuation import continuation
from groundwire.gateway.dialects import Dialect
from groundwire.gateway.errors import UpstreamFault
from groundwire.gateway.relay import has_no_way_back
from groundwire.gateway.summary import honest_finish, several
from groundwire.gateway.tokens import Token
from groundwire.gateway.usage import Usage

Json = dict[str, Any]


async def answer(context: Context, dialect: Dialect) -> tuple[Json, list[tuple[str, str]]]:
    """Return the checked answer for the client, and the upstream's headers.

    Raises:
        UpstreamFault: the upstream could not be reached, or sent what cannot be read.
        UpstreamRefused: it answered with an error of its own.

    """
    data, headers = await context.upstream.json(dialect.path, context.headers, context.asked.body)
    choices = data.get("choices")
    if not isinstance(choices, list) or not all(isinstance(one, dict) for one in choices):
        raise UpstreamFault("upstream_malformed", "the upstream answered without choices")
    if len(choices) > context.asked.choices:
        raise UpstreamFault(
            "upstream_malformed",
            f"the upstream gave {len(choices)} answers, not {context.asked.choices}",
        )
    usage = Usage()
    usage.see(data.get("usage"))
    summaries = []
    for i, choice in enumerate(choices):
        choice.pop("token_ids", None)
        index = choice.get("index", i)
        summaries.append(await _check(context, dialect, choice, index, usage))
        if len(choices) > 1:
            choice["groundwire"] = summaries[-1]
    if (total := usage.total()) is not None:
        data["usage"] = total
    data["groundwire"] = summaries[0] if len(summaries) == 1 else several(summaries, context.id)
    return data, headers


async def _check(
    context: Context, dialect: Dialect, choice: Json, index: Any, usage: Usage
) -> Json:
    """Judge one choice and put what is released into it; return what was found."""
    watched = context.watch(index if isinstance(index, int) else 0)
    text, tokens = dialect.text(choice, delta=False)
    if any(has_no_way_back(name) for name in dialect.rest(choice, delta=False)):
        watched.give_up()
    released, kept = "", list[Token]()
    finish = choice.get("finish_reason")
    try:
        outcome = watched.whole(text, tokens)
        while True:
            if not outcome.again and outcome.stop is None:
                outcome.add(await watched.end())
            released += outcome.text
            kept += outcome.tokens
            if not outcome.again:
                break
            context.continued += 1
            most = context.asked.most
            left = None if most is None else max(0, most - usage.all_written)
            usage.cut()
            if left == 0 or context.continued > context.limits.max_continuations:
                finish = "length" if left == 0 else "content_filter"
                watched.give_up()
                outcome = await watched.end()
                continue
            more = await continuation(
                context.upstream, context.headers, context.asked, watched.prefix, context.how, left
            )
            data, _ = await context.upstream.json(more.dialect.path, context.headers, more.body)
            usage.see(data.get("usage"))
            choices = data.get("choices")
            if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
                raise UpstreamFault("upstream_malformed", "the upstream answered without choices")
            text, tokens = more.dialect.text(choices[0], delta=False)
            finish = choices[0].get("finish_reason")
            joined = more.joined(text)
            outcome = watched.whole(joined, tokens if joined == text else ())
    finally:
        watched.abandon()
    dialect.put(choice, released, kept)
    choice["finish_reason"] = honest_finish(finish, watched.stopped)
    return context.conclude(index if isinstance(index, int) else 0, watched)
