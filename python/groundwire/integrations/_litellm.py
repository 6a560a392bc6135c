"""What LiteLLM's answers and requests look like."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import AsyncIterator, Mapping
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.integrations._extra import need
from groundwire.integrations._forms import form_of
from groundwire.integrations._text import CannotRewind

_Refused: Any = need("fastapi", "litellm").HTTPException
OWN = ("groundwire_config", "registry", "cannot_rewind", "on_report")
UNREAD = frozenset(
    {"monitor", "kb", "kbs", "knowledge_base", "knowledge_bases", "evidence", "policy", "policies"}
    | {"profile", "profiles", "detectors", "verifiers", "rules", "config", "release", "serving"}
)
"""Arguments of a monitor and of other integrations, which the guardrail does not have."""
_WORDS = ("output", "content", "candidates", "completion")  # of answers in another form


def refuse_unread(given: Mapping[str, Any]) -> None:
    """Raise for what LiteLLM would take though nobody reads it: arguments of others, misspelt ones.

    Its own parameters of a guardrail, and those that a deployment adds, pass.
    """
    for name in sorted(given):
        if name in UNREAD:
            raise ArgumentError(
                f"{name} is no argument of GroundwireGuardrail; give a configuration file as "
                "groundwire_config, or registry=Registry.load(...) with what it names"
            )
        near = difflib.get_close_matches(name, OWN, 1, 0.8)
        if near or name.startswith("groundwire"):
            hint = near[0] if near else OWN[0]
            raise ArgumentError(
                f"{name} is no argument of GroundwireGuardrail: did you mean {hint}?"
            )


async def chunks(response: Any) -> AsyncIterator[Any]:
    """Yield the chunks of a stream; refuses those of a route in another form."""
    async for chunk in response:
        if not isinstance(getattr(chunk, "choices", None), list):
            raise refused(f"a stream of {type(chunk).__name__} cannot be followed")
        yield chunk


async def closed(response: Any) -> None:
    """Close a stream, if it can be closed."""
    ending = getattr(response, "aclose", lambda: None)()
    if inspect.isawaitable(ending):
        await ending


def answers(given: Any) -> int:
    """Return how many answers a request asks for; refuses what is no number of them."""
    if given is None:
        return 1
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise refused(f"n is a whole number from 1 on, not {given!a:.40}")
    return given


def under_form(
    request: Mapping[str, Any], how: CannotRewind, *, may_lower: bool
) -> tuple[CannotRewind, bool]:
    """Return what becomes of what needs the model, and whether nothing may be put into the text.

    ``how`` is what the deployment says, ``may_lower`` whether the server lets claims stay that
    would end an answer whose form a request asks for.
    """
    formed = bool(form_of(request)) and how != "keep_form"
    if formed and (how == "annotate" or may_lower):
        return "keep_form", False
    return how, formed


def holds_words(response: Any) -> bool:
    """Whether an answer without choices holds text in another form."""
    about = response if isinstance(response, Mapping) else getattr(response, "__dict__", {})
    return any(about.get(name) is not None for name in _WORDS)


def refused(why: str) -> Exception:
    """Return the error that LiteLLM's proxy gives its client."""
    return _Refused(status_code=400, detail=f"groundwire: {why}")
