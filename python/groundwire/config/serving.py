"""The section ``serving``: what the gateway and the serving engines check, and for whom.

Paths are relative to the folder the server was started in.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from groundwire.config.names import model_key
from groundwire.config.units import Count, Duration, Probability, Section, Size, Wait

StreamAction = Literal["accept", "annotate", "hedge", "correct", "remove", "interrupt", "discard"]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$")]
Host = Annotated[str, Field(pattern=r"^(\*|[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?)$")]
BUILT_IN = ("default", "observe", "off")
"""Policies that every registry has: the ``stream`` section's, one that changes nothing, none."""


class NamedPolicy(Section):
    """A policy by name: the fields in which it differs from the ``stream`` section's."""

    release: Literal["token", "claim", "response"] | None = None
    low: StreamAction | None = None
    medium: StreamAction | None = None
    high: StreamAction | None = None
    critical: StreamAction | None = None
    annotation: Literal["inline", "footnote", "metadata"] | None = None
    after_interrupt: Literal["continue", "stop"] | None = None
    max_hold_tokens: Annotated[int, Field(ge=1)] | None = None
    max_hold_ms: Annotated[int, Field(ge=1)] | None = None
    max_interventions: Count | None = None
    auto_correct: Probability | None = None
    hold_unresolved: bool | None = None


class Choice(Section):
    """What is checked for one model or one key; what is not set comes from the section."""

    policy: str | None = None
    """Name of a policy."""
    knowledge_base: str | None = None
    """Name of a knowledge base; an empty name means none."""
    evidence: tuple[str, ...] = ()
    """Passages that every answer may rest on, beside those of the request."""


class KeyChoice(Choice):
    """The same for one API key, which is named by its hash and stands nowhere in plain."""

    sha256: Sha256
    """SHA-256 of the key as the client sends it, in lower-case hexadecimal digits."""


class ServingLimits(Section):
    """Sizes above which a request or an answer is refused or ended."""

    max_body: Size = 8 * 1024 * 1024
    """Of one request's body, bytes."""
    max_response: Size = 64 * 1024 * 1024
    """Of one answer from the upstream that does not stream, bytes."""
    max_event: Annotated[Size, Field(ge=1024)] = 4 * 1024 * 1024
    """Of one server-sent event from the upstream, bytes."""
    max_passages: Count = 256
    """Passages of one request."""
    max_evidence: Size = 1024 * 1024
    """Of one request's passages together, bytes of UTF-8."""
    max_history: Size = 256 * 1024
    """Of the conversation that answers are held against, bytes of UTF-8; the latest turns count."""
    max_choices: Annotated[int, Field(ge=1)] = 16
    """Answers that one request may ask for (``n``, times the prompts of a completion)."""
    max_held: Annotated[Size, Field(ge=1024)] = 256 * 1024
    """Text of one stream that waits to be released, bytes of UTF-8."""
    max_streams: Annotated[int, Field(ge=1)] = 4096
    """Requests at once; more are refused with status 503."""
    max_listed: Count = 100
    """Findings in the ``groundwire`` object of a text, and as many of each other kind of entry; the
    worst stand there, ``left_out`` counts the others."""
    max_continuations: Count = 8
    """Times one answer is continued upstream after a claim was taken back."""


class ServingTimeouts(Section):
    """How long the gateway waits."""

    connect: Wait = timedelta(seconds=10)
    """For the upstream to take the connection."""
    first: Wait = timedelta(minutes=5)
    """For the upstream's first byte, and the first of a whole answer's body."""
    idle: Wait = timedelta(minutes=1)
    """Between two chunks of a stream, or two parts of a whole answer."""
    total: Wait = timedelta(hours=1)
    """For the whole answer."""
    client: Wait = timedelta(minutes=1)
    """For the client to take what was written."""
    drain: Duration = timedelta(seconds=30)
    """At shutdown, for streams that run; 0 ends them at once."""


class AuditLog(Section):
    """The append-only log of what was judged and done."""

    path: str = ""
    """A JSONL file; without one, nothing is logged."""
    fsync: Literal["always", "interval", "never"] = "always"
    """When a record is forced to the disk: before the answer ends, by time, or by the system."""
    interval: Duration = timedelta(seconds=1)
    """For ``fsync = "interval"``."""
    mask: bool = True
    """Whether records leave out every word of answers and sources."""


class ServingSection(Section):
    """Policies and knowledge bases by name, and who gets which."""

    default_policy: str = "default"
    """Policy of requests that name none and whose model and key name none."""
    default_knowledge_base: str = ""
    """Knowledge base likewise; empty for none."""
    policies: dict[Name, NamedPolicy] = Field(default_factory=dict)
    """Policies beside the built-in ``default``, ``observe`` and ``off``."""
    knowledge_bases: dict[Name, str] = Field(default_factory=dict)
    """Knowledge bases: a name, and the path of its file."""
    models: dict[str, Choice] = Field(default_factory=dict)
    """What is checked for a model, by the name that requests give it: in any case, and with or
    without ``:latest``. Models that are not listed get the section's defaults."""
    keys: dict[Name, KeyChoice] = Field(default_factory=dict)
    """What is checked for an API key; it stands above what its model says."""
    requests_may_lower: bool = False
    """Whether a request may ask for less than the policy that holds without it."""
    request_evidence: Literal["accept", "ignore", "refuse"] = "accept"
    """What becomes of passages that a request brings: they count beside the server's own, or are
    left out, or the request is refused."""
    refuse_observed_only: bool = False
    """Whether vLLM's server refuses requests whose policy acts where it could only observe: under
    structured output nothing can be put in."""
    continuation: Literal["probe", "none", "final_message", "tokens"] = "probe"
    """How the upstream continues chats, and whether it continues completions: found out at the
    start, or known."""
    access_keys: tuple[Sha256, ...] = ()
    """SHA-256 of the keys the gateway itself asks for; none for an open one."""
    hosts: tuple[Host, ...] = ()
    """Names under which browsers reach the gateway, and hosts whose pages may ask it; ``*`` for
    any. Addresses, names without a dot and ``localhost`` need not be listed."""
    signals_socket: str = ""
    """Path of the local socket by which vLLM's worker tells its front end what rows of logits say;
    empty for none."""
    limits: ServingLimits = ServingLimits()
    timeouts: ServingTimeouts = ServingTimeouts()
    audit: AuditLog = AuditLog()

    @model_validator(mode="after")
    def _names(self) -> Self:
        for name in self.policies:
            if name in BUILT_IN:
                msg = f"the policy {name!r} is built in; give yours another name"
                raise ValueError(msg)
        models: dict[str, str] = {}
        for name in self.models:
            other = models.setdefault(model_key(name), name)
            if other != name:
                msg = f"serving.models names {other!r} and {name!r}, which are one model's names"
                raise ValueError(msg)
        policies = {*BUILT_IN, *self.policies}
        bases = {"", *self.knowledge_bases}
        named: list[tuple[str, str | None, str | None]] = [
            ("serving", self.default_policy, self.default_knowledge_base)
        ]
        for where, choices in (("models", self.models), ("keys", self.keys)):
            named += [
                (f"serving.{where}.{name}", choice.policy, choice.knowledge_base)
                for name, choice in choices.items()
            ]
        for where, policy, base in named:
            if policy is not None and policy not in policies:
                msg = (
                    f"{where} names the policy {policy!r}; there are {', '.join(sorted(policies))}"
                )
                raise ValueError(msg)
            if base is not None and base not in bases:
                known = ", ".join(sorted(self.knowledge_bases)) or "none"
                msg = f"{where} names the knowledge base {base!r}; there are: {known}"
                raise ValueError(msg)
        return self
