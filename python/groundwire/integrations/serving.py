"""What a server checks, and for whom: named policies, knowledge bases, and requests against them.

The gateway and the engines' plugins share this. A server loads the registry once, in the process
that checks, and resolves every request before it is begun::

    registry = Registry.load("serving.toml")  # or None: GROUNDWIRE_CONFIG, environment, defaults
    found = registry.resolve({"policy": "strict", "evidence": ["…"]}, model="m", key="sk-…")
    if found.on:
        guard = found.guard(question="…", history=[...])  # or found.session(), to judge only

``resolve`` raises ``ArgumentError`` (a ``ValueError``) whose message says what is wrong and what
is allowed: give it to the client, as HTTP 400. Engines whose arguments are flat (vLLM's
``vllm_xargs``) read them with :func:`from_flat` first. A registry is immutable; monitors are
compiled once a knowledge base and shared by all streams and threads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from groundwire import _core
from groundwire._given import passages
from groundwire.config.names import model_key
from groundwire.errors import ArgumentError, ConfigError
from groundwire.integrations._strictness import lower
from groundwire.monitor import Monitor
from groundwire.policy import Policy

if TYPE_CHECKING:
    import os

    from groundwire.beside import WatchedSession
    from groundwire.beside_guard import WatchedGuard
    from groundwire.config import Config
    from groundwire.config.serving import Choice, ServingSection

OFF = "off"
KEYS = ("policy", "evidence", "knowledge_base", "id")
FLAT = {
    "groundwire": "policy",
    "groundwire_evidence": "evidence",
    "groundwire_kb": "knowledge_base",
    "groundwire_id": "id",
}
"""Flat arguments of a request, and the options they stand for."""
_SAID = {option: option for option in KEYS}
_SAID_FLAT = {option: name for name, option in FLAT.items()}
_ID_LENGTH = 256
BROUGHT = "the request brought evidence of its own beside the server's"
IGNORED = "the request's evidence was left out: the server's alone counts here"


def from_flat(arguments: Mapping[str, Any] | None, also: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the options in an engine's flat arguments; other arguments are passed over.

    ``groundwire`` is a policy's name or ``"off"``, ``groundwire_evidence`` a passage or a list of
    passages, ``groundwire_kb`` a knowledge base's name, ``groundwire_id`` the caller's id. Flags
    arrive as numbers: ``groundwire`` of 0 is ``"off"``, of 1 the policy that holds anyway. ``also``
    are names that the engine's integration has beside these, for the message.

    Raises:
        ArgumentError: there is an argument that begins with ``groundwire`` and is none of these, or
            a name that is no string, or a value that is an array. One in other letters or with
            spaces around it is none of these either: the message has the right one.

    """
    found: dict[str, Any] = {}
    for name, value in (arguments or {}).items():
        if not isinstance(name, str):
            raise ArgumentError(f"an argument's name is a string, not {name!a:.60}")
        if not is_own(name):
            continue
        if name not in FLAT:
            meant = name.strip().casefold()
            known = [*FLAT, *also]
            right = f"write {meant}" if meant in known else f"there are {', '.join(known)}"
            raise ArgumentError(f"{name!a:.80} is no argument; {right}")
        refuse_array(name, value)
        option = FLAT[name]
        if option == "policy" and value in (0, 1) and not isinstance(value, str):
            if not value:
                found[option] = OFF
        else:
            found[option] = value
    return found


def is_own(name: str) -> bool:
    """Whether an argument's name is meant for groundwire, also in other letters or with spaces."""
    return name.strip().casefold().startswith("groundwire")


def refuse_array(name: str, value: Any) -> None:
    """Raise ``ArgumentError`` for an array or tensor with dimensions, which equals nothing."""
    if getattr(value, "ndim", 0):
        kind = type(value).__name__
        raise ArgumentError(f"{name} is a string, a number or a list, not an array ({kind})")


@dataclass(frozen=True, slots=True)
class Resolved:
    """What holds for one request.

    Attributes:
        monitor: what judges it; none where checking is off.
        policy: what its findings lead to; none where checking is off.
        policy_name: the policy's name; ``inline`` for one that the request spelt out.
        knowledge_base: the knowledge base's name, empty for none.
        evidence: passages as ``(id, text)``: the server's, then the request's.
        id: the caller's own id, or none.
        own: the server's passages alone, where the request brought some beside them.
        brought: whether the request brought passages beside the server's, or beside its base.
        notes: what the caller should know of what was made of the request.
    """

    monitor: Monitor | None
    policy: Policy | None
    policy_name: str
    knowledge_base: str = ""
    evidence: tuple[tuple[str, str], ...] = ()
    id: str | None = None
    own: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    brought: bool = False

    @property
    def on(self) -> bool:
        """Whether the request is checked at all."""
        return self.monitor is not None

    def guard(self, **given: Any) -> _core.Guard | WatchedGuard:
        """Open a guard; ``given`` is what ``Monitor.guard`` takes beside evidence and policy."""
        return self._monitor().guard(**self._given(given), policy=self.policy)

    def session(self, **given: Any) -> _core.Session | WatchedSession:
        """Open a session, which judges and rewrites nothing."""
        return self._monitor().session(**self._given(given))

    def _given(self, given: dict[str, Any]) -> dict[str, Any]:
        return {"evidence": list(self.evidence), "session_id": self.id, **given}

    def _monitor(self) -> Monitor:
        if self.monitor is None:
            raise ArgumentError("checking is off for this request: look at `on` first")
        return self.monitor


@dataclass(frozen=True)
class Registry:
    """Policies and knowledge bases by name, loaded once; see the module.

    Attributes:
        serving: the section it was made of.
        policies: the policies by name, ``default`` and ``observe`` among them.
        monitors: a compiled monitor for each knowledge base's name, and for none (the empty name).
    """

    serving: ServingSection
    policies: Mapping[str, Policy]
    monitors: Mapping[str, Monitor]
    _by_hash: Mapping[str, Choice] = field(default_factory=dict, repr=False)
    _by_model: Mapping[str, Choice] = field(default_factory=dict, repr=False)

    @classmethod
    def load(cls, config: Config | str | os.PathLike[str] | None = None, **parts: Any) -> Registry:
        """Read policies and knowledge bases, and compile the monitors.

        Args:
            config: a ``Config``, the path of a file, or none for ``GROUNDWIRE_CONFIG`` and the
                environment.
            parts: arguments of ``Monitor`` that a file cannot hold: ``tokenizer``, ``verifiers``,
                ``events`` …

        Raises:
            ConfigError: a key or value is not valid, or a knowledge base cannot be read; the
                message names it.

        """
        from groundwire.config import Config
        from groundwire.config.core import monitor_arguments
        from groundwire.config.core import policy as policy_of
        from groundwire.kb import KnowledgeBase
        from groundwire.vocabulary import vocabulary

        if not isinstance(config, Config):
            config = Config.load(config)
        serving = config.serving
        default = policy_of(config)
        policies = {"default": Policy(**default), "observe": Policy.observe()}
        for name, changed in serving.policies.items():
            policies[name] = Policy(**(default | changed.model_dump(exclude_none=True)))
        arguments = {**monitor_arguments(config), **parts}
        if arguments.get("tokenizer") is not None:
            # Read once: a vocabulary is large, and every monitor has the same.
            arguments["tokenizer"] = vocabulary(arguments["tokenizer"])
        monitors = {"": Monitor(**arguments)}
        for name, path in serving.knowledge_bases.items():
            try:
                base = KnowledgeBase.open(path)
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                msg = f"serving.knowledge_bases.{name} = {path!r} cannot be read: {reason}"
                raise ConfigError(msg) from error
            monitors[name] = Monitor(**{**arguments, "kb": base})
        by_hash = {choice.sha256: choice for choice in serving.keys.values()}
        by_model = {model_key(name): choice for name, choice in serving.models.items()}
        return cls(serving, policies, monitors, by_hash, by_model)

    def resolve(
        self,
        options: Mapping[str, Any] | str | None = None,
        *,
        model: str | None = None,
        key: str | None = None,
        flat: bool = False,
        also: tuple[str, ...] = (),
    ) -> Resolved:
        """Return what holds for one request.

        Of the server's own choices the key's stands above the model's, and that above the
        section's; their evidence adds up. A request may name a policy that asks for as much as
        the one that holds without it, or more; for less, only where ``requests_may_lower`` is
        set. The same goes for another knowledge base than the one that holds, if one does. Where
        nothing is checked, evidence or a knowledge base without a policy would be without effect,
        and is refused.

        Args:
            options: what the request asked for: a mapping with ``policy`` (a name, ``"off"``, or
                a mapping of the fields in which a policy differs from the one that holds),
                ``evidence`` (a passage or a list), ``knowledge_base`` (a name) and ``id``; or the
                policy's name alone.
            model: the model the request names, in any case, with or without ``:latest``.
            key: the API key that came with the request, if any. It is hashed and not kept.
            flat: whether the options came as flat arguments, whose names the messages then use.
            also: options that the caller has beside these and took out, for the messages.

        Raises:
            ArgumentError: an option is unknown, not valid, too large, without effect, or asks for
                less than the server allows; the message says which and what is allowed.

        """
        asked, said = _options(options, also), _SAID_FLAT if flat else _SAID
        choices = self._choices(model, key)
        policy_name = _first(choices, "policy", self.serving.default_policy)
        base_name = _first(choices, "knowledge_base", self.serving.default_knowledge_base)
        own = tuple(
            (f"server-{i + 1}", text)
            for i, text in enumerate(text for choice in choices for text in choice.evidence)
        )
        held = self.policies.get(policy_name)
        policy_name, policy = self._policy(asked.get("policy"), policy_name, held, said["policy"])
        base = asked.get("knowledge_base")
        if base is not None:
            base_name = self._base(base, base_name, said["knowledge_base"])
        if policy is None and asked.get("policy") is None:
            for given in ("evidence", "knowledge_base"):
                if asked.get(given):
                    raise ArgumentError(
                        f"{said[given]} is given, but this server checks nothing here unless it "
                        f"is asked to: its policy is {OFF!r}. Name a policy as well "
                        f"({said['policy']}), such as 'default', or leave {said[given]} out"
                    )
        brought = self._evidence(asked.get("evidence"), said["evidence"])
        monitor = None if policy is None else self.monitors[base_name]
        name = _id(asked.get("id"), said["id"])
        found = Resolved(monitor, policy, policy_name, base_name, own + brought, name)
        if not brought or monitor is None:
            return found
        if self.serving.request_evidence == "ignore":
            return replace(found, evidence=own, notes=(IGNORED,))
        # Beside a base alone nothing is made of them, until it has something otherwise.
        notes = (BROUGHT,) if own else ()
        return replace(found, own=own, notes=notes, brought=bool(own or base_name))

    def choice_of(self, key: str) -> Choice | None:
        """Return what the configuration chooses for an API key, if it names the key."""
        return self._by_hash.get(hashlib.sha256(key.encode("utf-8", "replace")).hexdigest())

    def _choices(self, model: str | None, key: str | None) -> list[Choice]:
        """Return the choices for this request, the nearest first."""
        found: list[Choice | None] = []
        if key and self._by_hash:
            found.append(self.choice_of(key))
        found.append(None if model is None else self._by_model.get(model_key(model)))
        return [choice for choice in found if choice is not None]

    def _policy(
        self, asked: Any, held_name: str, held: Policy | None, said: str
    ) -> tuple[str, Policy | None]:
        if asked is None:
            return held_name, held
        if isinstance(asked, str):
            if asked != OFF and asked not in self.policies:
                known = ", ".join([*sorted(self.policies), OFF])
                raise ArgumentError(f"there is no policy {asked!a:.80}; there are {known}")
            name, policy = asked, self.policies.get(asked)
        elif isinstance(asked, Mapping) and said == _SAID["policy"]:
            known_fields = {one.name for one in fields(Policy)}
            for key in asked:
                if key not in known_fields:
                    names = ", ".join(sorted(known_fields))
                    raise ArgumentError(f"{key!a:.80} is no field of a policy; there are {names}")
            name, policy = "inline", replace(held or self.policies["default"], **asked)
        else:
            flat = said != _SAID["policy"]
            kinds = (
                f"a name of a policy or {OFF!r}"
                if flat
                else "a name or a mapping of a policy's fields"
            )
            raise ArgumentError(f"{said} is {kinds}, not {asked!a:.60}")
        if not self.serving.requests_may_lower:
            reason = lower(policy, held)
            if reason:
                raise ArgumentError(
                    f"this server does not let a request ask for less than its policy "
                    f"{held_name!r}: {reason}. Leave `{said}` out, or ask for as much or more; "
                    "the server's setting is serving.requests_may_lower"
                )
        return name, policy

    def _base(self, asked: Any, held: str, said: str) -> str:
        if not isinstance(asked, str):
            raise ArgumentError(f"{said} is a name, not {asked!a:.60}")
        if asked not in self.monitors:
            known = ", ".join(sorted(name for name in self.monitors if name)) or "none"
            raise ArgumentError(f"there is no knowledge base {asked!a:.80}; there are: {known}")
        if held and asked != held and not self.serving.requests_may_lower:
            raise ArgumentError(
                f"this server checks against the knowledge base {held!r}, and lets no request "
                "put another in its place; the server's setting is serving.requests_may_lower"
            )
        return asked

    def _evidence(self, given: Any, said: str) -> tuple[tuple[str, str], ...]:
        if given is None:
            return ()
        if given and self.serving.request_evidence == "refuse":
            raise ArgumentError(
                f"this server takes no evidence from requests: leave `{said}` out; the server's "
                "setting is serving.request_evidence"
            )
        try:
            found = passages([given] if isinstance(given, str | Mapping) else given)
        except ArgumentError as error:
            raise ArgumentError(str(error).replace("evidence", said, 1)) from None
        limits = self.serving.limits
        if len(found) > limits.max_passages:
            raise ArgumentError(
                f"{len(found)} passages of evidence; at most {limits.max_passages} are taken"
            )
        for i, (_, text) in enumerate(found):
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise ArgumentError(
                    f"{said}[{i}] holds a lone surrogate at character {error.start}"
                ) from None
        size = sum(len(text.encode()) for _, text in found)
        if size > limits.max_evidence:
            raise ArgumentError(
                f"{size} bytes of evidence; at most {limits.max_evidence} are taken"
            )
        return tuple(found)


def _options(given: Any, also: tuple[str, ...]) -> Mapping[str, Any]:
    known = ", ".join((*KEYS, *also))
    if given is None:
        return {}
    if isinstance(given, str):
        return {"policy": given}
    if not isinstance(given, Mapping):
        raise ArgumentError(
            f"groundwire is a policy's name or a mapping with {known}, not {given!a:.60}"
        )
    for name in given:
        if name not in KEYS:
            raise ArgumentError(f"{name!a:.80} is no option; there are {known}")
    return given


def _first(choices: list[Choice], name: str, otherwise: str) -> str:
    for choice in choices:
        found = getattr(choice, name)
        if found is not None:
            return str(found)
    return otherwise


def _id(given: Any, said: str) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str) or not given.isprintable() or not 0 < len(given) <= _ID_LENGTH:
        raise ArgumentError(
            f"{said} is a string of 1 to {_ID_LENGTH} printable characters, not {given!a:.60}"
        )
    return given
