"""What the body of a request to vLLM's server says that concerns groundwire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.errors import ArgumentError
from groundwire.integrations._forms import form_of
from groundwire.integrations.serving import FLAT, is_own
from groundwire.integrations.vllm.arguments import QUESTION, SIGNALS

_FORMS = ("response_format", "text", "structured_outputs")
_FORCED = {"function", "tool", "any"}


def refuse_misplaced(body: Mapping[str, Any]) -> None:
    """Refuse groundwire's names at the top of a body, where the server passes them over.

    Raises ``ArgumentError``, which says where they belong.
    """
    for name in body:
        if is_own(name):
            raise ArgumentError(
                f"{name!a:.80} at the top of the body is not read here (that is the gateway's "
                "form): its place is inside vllm_xargs, whose names are "
                f"{', '.join([*FLAT, QUESTION, SIGNALS])}"
            )


def arguments_in(
    body: Mapping[str, Any], where: tuple[str, ...]
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return a request's flat arguments, and the part of its body with the parameters.

    ``where`` is the path of that part; on a route that has one, the engine's own ``extra_args``
    stand there. What is no object is empty here: what it is, is the server's to say.
    """
    place: Any = body
    for name in where:
        place = _object(_object(place).get(name))
    return _object(place.get("extra_args" if where else "vllm_xargs")), place


def keeps_form(body: Mapping[str, Any]) -> bool:
    """Whether the answer keeps a form: a grammar, a schema, or a tool that has to be called."""
    if form_of({name: body.get(name) for name in _FORMS}):
        return True
    if _object(_object(body.get("output_config")).get("format")).get("schema"):
        return True
    choice = body.get("tool_choice")
    forced = choice == "required" or _object(choice).get("type") in _FORCED
    return forced and bool(body.get("tools"))


def _object(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else {}
