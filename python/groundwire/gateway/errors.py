"""Errors as clients of the OpenAI interface expect them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_OF_ANSWERS = {
    "candidates", "choices", "completion", "content", "delta", "generated_text", "output",
    "output_text", "response",
}  # fmt: skip
"""Where answers of one interface or another have their text, and no error has its own."""

SHUTTING_DOWN = "shutting_down"
"""Code of an answer that the gateway itself ends, since it shuts down."""


class Refused(Exception):
    """A request that is not served.

    ``status`` is the HTTP status, ``code`` a short name for programs, the message says what was
    wrong and what to do.
    """

    def __init__(self, status: int, code: str, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param

    def body(self) -> dict[str, Any]:
        """Return the error as JSON data."""
        kind = "invalid_request_error" if self.status < 500 else "server_error"
        if self.status in {401, 403}:
            kind = "authentication_error"
        return error(str(self), kind, self.code, self.param)


class UpstreamFault(Exception):
    """The upstream could not be reached, broke off, stalled, or sent what cannot be read.

    ``code`` is one of ``upstream_unreachable``, ``upstream_timeout``, ``upstream_reset``,
    ``upstream_stalled``, ``upstream_malformed``, ``upstream_error``; or ``SHUTTING_DOWN``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def status(self) -> int:
        """HTTP status for an answer that has not begun."""
        return 504 if self.code in {"upstream_timeout", "upstream_stalled"} else 502

    def body(self) -> dict[str, Any]:
        """Return the error as JSON data."""
        kind = "server_error" if self.code == SHUTTING_DOWN else "upstream_error"
        return error(str(self), kind, self.code)


class UpstreamRefused(Exception):
    """The upstream answered with an error of its own, which is passed on as it came.

    What is no error is not: see ``fault``.
    """

    def __init__(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        super().__init__(f"the upstream answered with status {status}")
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def fault(self) -> UpstreamFault | None:
        """What it is where its status or its body says that it is no error; none for errors."""
        if not 400 <= self.status < 600:
            message = f"the upstream answered with status {self.status}, which is no answer"
        elif _is_answer(self.headers, self.body):
            message = f"the upstream sent an answer with status {self.status}, as if it failed"
        else:
            return None
        return UpstreamFault("upstream_malformed", message)


def _is_answer(headers: list[tuple[str, str]], body: bytes) -> bool:
    """Whether a body would be read as an answer, whatever its status."""
    kinds = [value for name, value in headers if name.lower() == "content-type"]
    if any("event-stream" in kind.lower() for kind in kinds):
        return True
    if body.lstrip().startswith((b"data:", b"event:")):
        return True
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return any(
        isinstance(one, Mapping)
        and (not _OF_ANSWERS.isdisjoint(one) or isinstance(one.get("message"), Mapping))
        for one in (data if isinstance(data, list) else [data])
    )


def malformed(what: str) -> UpstreamFault:
    """Return the fault of an upstream that sent something in a form that nobody knows."""
    return UpstreamFault("upstream_malformed", f"the upstream sent {what} in an unknown form")


def error_in(data: Mapping[str, Any], name: str = "") -> Any:
    """Return the error that an upstream's object stands for, or none.

    ``name`` is that of the event it came in: some servers say by it alone that it is one.
    """
    named = name == "error" and "choices" not in data
    return data.get("error") or (data if named or data.get("object") == "error" else None)


def upstream_error(given: Any) -> UpstreamFault:
    """Return the fault that an upstream's error stands for."""
    message = given.get("message") if isinstance(given, Mapping) else given
    message = "an error without a message" if message is None else message
    return UpstreamFault("upstream_error", f"the upstream reported: {message!s:.500}")


def error(message: str, kind: str, code: str | None, param: str | None = None) -> dict[str, Any]:
    """Return an error object of the OpenAI interface."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}
