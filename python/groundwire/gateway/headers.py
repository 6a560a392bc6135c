"""Which headers go through: those of a request nearly all, those of an answer by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

Headers = list[tuple[str, str]]
# Headers that belong to one connection, or that the gateway sets itself.
_NOT_PASSED = {
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "expect",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "server",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
}
_ANSWERED = re.compile(
    r"(?:x-)?(?:request|correlation|trace|amzn-request|amzn-trace|apim-request|ms-request"
    r"|ms-client-request)-?id|(?:x-)?ratelimit-[a-z-]+|cf-ray|traceparent|x-ms-region"
    r"|x-process-time|x-should-retry|retry-after-ms|openai-[a-z-]+|access-control-[a-z-]+"
)
"""Headers of an answer that tell of the request: who had it, how long, and what is left."""
_LABEL = re.compile(r"[\w.:;,=+/@%*-]{1,256}", re.ASCII)
_LISTED = re.compile(r"retry-after|cache-control|vary|access-control-[a-z-]+")
_LIST = re.compile(
    r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|[\w=*-]+(?:, ?[\w=*-]+){0,15}",
    re.ASCII,
)
"""A date, or words between commas."""
_NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,20})?|true|false", re.ASCII)


def passed(headers: Mapping[str, str] | Headers) -> Headers:
    """Return the headers that go through to the upstream, and back with its errors."""
    items = [*(headers.items() if isinstance(headers, Mapping) else headers)]
    named = [value for name, value in items if name.lower() == "connection"]
    left_out = {one.strip().lower() for value in named for one in value.split(",")} | _NOT_PASSED
    return [
        (name, value)
        for name, value in items
        if name.lower() not in left_out and not name.lower().startswith("x-groundwire")
    ]


def beside_answer(headers: Iterable[tuple[str, str]]) -> Headers:
    """Return the headers that go through beside an answer that is judged.

    A header can hold a text as well as a body: known ones do, whose value is a label, and of a
    server's own those with a number or a flag.
    """
    return [(name, value) for name, value in headers if _told(name.lower(), value)]


def _told(name: str, value: str) -> bool:
    if name in _NOT_PASSED or name.startswith("x-groundwire"):
        return False
    if _NUMBER.fullmatch(value):
        return True
    label = _ANSWERED.fullmatch(name) is not None and _LABEL.fullmatch(value) is not None
    return label or (_LISTED.fullmatch(name) is not None and _LIST.fullmatch(value) is not None)
