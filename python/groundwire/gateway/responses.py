"""``/v1/responses``: requests, and answers that do not stream.

An upstream cannot be asked to continue an answer of this route, so a wrong value is exchanged in
the text that is held, and a claim that would be interrupted ends the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.gateway.context import Context
from groundwire.gateway.errors import Refused, UpstreamFault, error_in, upstream_error
from groundwire.gateway.judged import ENDED_BY_GUARD
from groundwire.gateway.requests import Asked, common, converse
from groundwire.gateway.response_fields import clean, response
from groundwire.gateway.response_parts import cut_in, end_at, ending, filtered, put, said, texts
from groundwire.gateway.responses_stream import ResponsesRelay
from groundwire.gateway.tokens import chat_tokens, whole

Json = dict[str, Any]
Headers = list[tuple[str, str]]
PATH = "/v1/responses"


class Responses:
    """The route."""

    path = PATH

    def read(self, body: Json) -> Asked:
        """Check a request; raises ``Refused``."""
        prompt = body.get("prompt")
        stored = isinstance(prompt, Mapping) and isinstance(prompt.get("id"), str)
        asked = common(body, unnamed=stored)
        if body.get("background"):
            raise Refused(
                400,
                "unsupported_value",
                "background is not served: such an answer is fetched later, when nobody checks it",
                "background",
            )
        given = body.get("input")
        asked.turns = []
        asked.elsewhere = _elsewhere(body, stored=stored)
        if isinstance(given, str):
            asked.hear(whole(given))
        elif asked.elsewhere and (given is None or given == []):
            # What is asked, and before it said, the upstream has.
            asked.question = None
        else:
            asked.turns = _messages(given)
            converse(asked, asked.turns, "input")
        if isinstance(body.get("instructions"), str):
            asked.history.insert(0, ("system", whole(body["instructions"])))
        return asked

    def stream(self, context: Context) -> ResponsesRelay:
        """Return an answer that streams."""
        return ResponsesRelay(context)

    async def whole(self, context: Context) -> tuple[Json, Headers]:
        """Return an answer that does not, and the upstream's headers."""
        data, headers = await context.upstream.json(PATH, context.headers, context.asked.body)
        if (reported := error_in(data)) is not None:
            raise upstream_error(reported)
        if not isinstance(data.get("output"), list):
            raise UpstreamFault("upstream_malformed", "the upstream answered without output")
        data = response(data, context.asked.body)
        broken, why = cut_in(data), ending(data)
        for one in data["output"]:
            context.note_tool(one)
        begun, last = None, None
        for number, (place, part) in enumerate(texts(data)):
            if last is not None:
                begun = last[0].behind(last[1], apart=last[2] != place[0])
            watched = context.watch(number, begun)
            context.places[number] = place
            try:
                outcome = await watched.whole(said(part), chat_tokens(part.get("logprobs")))
                if outcome.stop is None:
                    cut = place == broken
                    outcome.add(await watched.end(cut=cut, why=why if cut else "end"))
            finally:
                watched.abandon()
            put(part, outcome.text, outcome.tokens)
            last = watched, outcome.text, place[0]
            await context.conclude(number, watched)
            if watched.stopped in ENDED_BY_GUARD:
                end_at(data, place)
                filtered(data)
                break
        if not context.summaries:
            await context.conclude(0, context.watch(0))
        data = clean(data)
        data["groundwire"] = context.summary()
        return data, headers


def _elsewhere(body: Json, *, stored: bool) -> tuple[str, ...]:
    """Return the fields of a request by which the upstream knows more of what was said."""
    named = [name for name in ("previous_response_id", "conversation") if body.get(name)]
    given = body.get("input")
    items = given if isinstance(given, list) else ()
    if any(isinstance(one, Mapping) and one.get("type") == "item_reference" for one in items):
        named.append("item_reference")
    return (*named, *(("prompt",) if stored else ()))


def _messages(given: Any) -> Any:
    """Return the items of an input as messages; what a tool gave back is a turn of its own."""
    if not isinstance(given, list):
        return given
    found = []
    for item in given:
        if isinstance(item, Mapping) and item.get("type") == "function_call_output":
            output = item.get("output")
            found.append({"role": "tool", "content": output})
        else:
            found.append(item)
    return found
