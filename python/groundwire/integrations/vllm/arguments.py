"""What a request says by its flat arguments, and what of it is refused before it is begun."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from groundwire.config import Config
from groundwire.errors import ArgumentError
from groundwire.integrations.serving import Registry, Resolved, from_flat, is_own, refuse_array
from groundwire.integrations.vllm.datagrams import MAX_ID
from groundwire.policy import TIERS

if TYPE_CHECKING:
    from groundwire.config.serving import ServingSection
    from groundwire.policy import Policy

SIGNALS = "groundwire_signals"
"""Argument of a request: 1 to have the numbers of its rows sent to the front end."""
QUESTION = "groundwire_question"
"""Argument of a request: what the answer answers."""
SERVED: ContextVar[str | None] = ContextVar("groundwire_vllm_served", default=None)
"""The model of the request that is being begun, where somebody knows it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks for.

    Attributes:
        signals: whether the numbers of its rows are sent.
        question: what it asks; empty for nothing, none where it does not say.
        options: what ``Registry.resolve`` takes.
    """

    signals: bool = False
    question: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def read(arguments: Any, serving: ServingSection) -> Asked:
    """Read a request's ``extra_args``; other arguments than groundwire's are passed over.

    Raises ``ArgumentError`` for what means nothing: arguments that are no mapping, names that are
    no strings, a flag that is neither 0 nor 1, a question that is no text or has more than
    ``limits.max_history`` bytes of UTF-8, and names that begin with ``groundwire`` and are unknown.
    """
    if arguments is not None and not isinstance(arguments, Mapping):
        raise ArgumentError(f"extra_args is a mapping of names to values, not {arguments!a:.60}")
    rest = dict(arguments or {})
    signals = rest.pop(SIGNALS, 0)
    refuse_array(SIGNALS, signals)
    if signals not in (0, 1):
        raise ArgumentError(f"{SIGNALS} is 0 or 1, not {signals!a:.60}")
    question = rest.pop(QUESTION, None)
    if question is not None:
        _check_question(question, serving.limits.max_history)
    return Asked(bool(signals), question, from_flat(rest, also=(QUESTION, SIGNALS)))


def _check_question(given: Any, most: int) -> None:
    if not isinstance(given, str):
        raise ArgumentError(f"{QUESTION} is a string, not {given!a:.60}")
    try:
        size = len(given.encode())
    except UnicodeEncodeError as error:
        raise ArgumentError(
            f"{QUESTION} holds a lone surrogate at character {error.start}"
        ) from None
    if size > most:
        raise ArgumentError(
            f"{QUESTION} has {size} bytes; at most {most} are taken (serving.limits.max_history)"
        )


def fitting(question: str, most: int) -> str:
    """Return the end of a chat's question, of at most ``most`` bytes, as text that can be sent."""
    data = question.encode("utf-8", "replace")
    return data[max(0, len(data) - most) :].decode("utf-8", "ignore")


@lru_cache(maxsize=1)
def front() -> Registry:
    """Return the names that requests may use, for the process that admits them."""
    return Registry.load()


@lru_cache(maxsize=1)
def _refuses() -> bool:
    """Whether requests are refused that could only be observed; knowledge bases are not read."""
    return Config.load().serving.refuse_observed_only


def validate(params: Any) -> None:
    """Refuse what means nothing of a request; raises ``ArgumentError`` (HTTP 400)."""
    arguments = getattr(params, "extra_args", None)
    if not isinstance(arguments, Mapping | None):
        raise ArgumentError(f"extra_args is a mapping of names to values, not {arguments!a:.60}")
    own = any(not isinstance(k, str) or is_own(k) for k in arguments or ())
    if not own and not (observes(params) and _refuses()):
        return
    registry = front()
    asked = read(arguments, registry.serving)
    resolved = _resolved(registry, asked.options)
    for found in resolved:
        refuse_observed(registry, found, formed=observes(params))
    check_signals(registry, asked, resolved[0])


def check_signals(registry: Registry, asked: Asked, found: Resolved) -> None:
    """Refuse signals that nobody could be sent; raises ``ArgumentError``."""
    if not asked.signals:
        return
    if not registry.serving.signals_socket:
        raise ArgumentError(
            f"{SIGNALS}: this server sends no signals; its setting is serving.signals_socket"
        )
    name = found.id
    if name is None or len(name.encode()) > MAX_ID:
        raise ArgumentError(
            f"{SIGNALS}: signals are told apart by groundwire_id, which has to be given, at most "
            f"{MAX_ID} bytes of it"
        )


def _resolved(registry: Registry, options: Mapping[str, Any]) -> list[Resolved]:
    """Return what a request asks for, by the section's choices and those of each model.

    The engine does not say which model it serves: what one of those that the configuration names
    allows is not refused. Whoever knows the model (``Front``, the worker) decides.
    """
    served = SERVED.get()
    models = [None, *registry.serving.models] if served is None else [served]
    found, refused = list[Resolved](), list[ArgumentError]()
    for model in models:
        try:
            found.append(registry.resolve(options, model=model, flat=True))
        except ArgumentError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return found


def observes(params: Any) -> bool:
    """Whether nothing may be put into an answer: what its grammar forbids would end it."""
    return getattr(params, "structured_outputs", None) is not None


def refuse_observed(registry: Registry, found: Resolved, *, formed: bool) -> None:
    """Refuse a request whose policy acts, where its answer keeps a form and is only observed.

    Only where the configuration says so. Raises ``ArgumentError``.
    """
    if not (registry.serving.refuse_observed_only and found.policy and formed):
        return
    if acts(found.policy):
        raise ArgumentError(
            f"this server's policy {found.policy_name!r} acts on what it finds, which it cannot "
            "under structured output (structured_outputs, response_format, a tool that has to be "
            "called): leave that out; the server's setting is serving.refuse_observed_only"
        )


def acts(policy: Policy) -> bool:
    """Whether a policy does more in the engine than report."""
    return any(getattr(policy, tier) not in ("accept", "annotate") for tier in TIERS)
