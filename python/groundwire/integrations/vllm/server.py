"""vLLM's own server with the plugin and the gate wired up."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from groundwire.config import Config
from groundwire.config.model import FILE_VARIABLE
from groundwire.errors import ArgumentError
from groundwire.integrations.serving import Registry
from groundwire.integrations.vllm import versions
from groundwire.integrations.vllm.middleware import KEYS, hashed
from groundwire.integrations.vllm.settings import STOP_ID, reserved_stop_id

PLUGIN = "groundwire.integrations.vllm:GroundwireLogitsProcessor"
GATE = "groundwire.integrations.vllm.middleware.Gate"
_DRAFTS = ("--speculative-config", "--spec-method", "--spec-model", "--spec-tokens")


def command(model: str, arguments: Sequence[str]) -> list[str]:
    """Return the arguments of vLLM's server.

    Raises ``ArgumentError`` for drafts in the older model runner, which would not be checked, for
    a second copy of the plugin or the gate, and for a file of vLLM's own arguments.
    """
    for argument in arguments:
        if "GroundwireLogitsProcessor" in argument or argument == GATE:
            raise ArgumentError(f"{argument} is added anyway; leave it out")
        if argument.partition("=")[0] == "--config":
            raise ArgumentError(
                "a file with vLLM's own arguments (--config) is not read by the gate, which would "
                "not know the keys in it; give them in the command"
            )
    drafts = any(_names(argument, *_DRAFTS) or _short(argument) for argument in arguments)
    if drafts and os.environ.get("VLLM_USE_V2_MODEL_RUNNER") != "1":
        raise ArgumentError(
            "drafts (--speculative-config) go unchecked in vLLM's older model runner; set "
            "VLLM_USE_V2_MODEL_RUNNER=1 where the newer one runs, or leave them out"
        )
    others, rest = _processors(arguments)
    own = ["--logits-processors", PLUGIN, *others, "--middleware", GATE]
    return ["vllm", "--model", model, *own, *rest]


def _processors(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part the operator's own logits processors from the rest: vLLM would take the last of two."""
    others, rest, taking = list[str](), list[str](), False
    for argument in arguments:
        _, equals, value = argument.partition("=")
        if not argument.startswith("-"):
            (others if taking else rest).append(argument)
            continue
        own = _names(argument, "--logits-processors")
        taking = own and not equals
        if not own:
            rest.append(argument)
        elif equals:
            others.append(value)
    return others, rest


def _names(argument: str, *options: str) -> bool:
    """Whether an argument names one of some options.

    vLLM takes an option's name shortened, with underscores, and with a field of its value behind a
    dot (``--speculative-config.method``).
    """
    name = argument.partition("=")[0].partition(".")[0].replace("_", "-")
    return len(name) > len("--x") and any(option.startswith(name) for option in options)


def _short(argument: str) -> bool:
    """Whether an argument is vLLM's short name of ``--speculative-config``, or its beginning."""
    return argument.partition("=")[0].partition(".")[0] in ("-s", "-sc")


def environment(
    arguments: Sequence[str], config: str | None, stop_id: int | None
) -> dict[str, str]:
    """Return what the server's processes read from their environment."""
    found: dict[str, str] = {}
    if config is not None:
        found[FILE_VARIABLE] = os.fspath(config)
    if stop_id is not None:
        found[STOP_ID] = str(stop_id)
    keys = _keys(arguments)
    if keys:
        found[KEYS] = ",".join(hashed(key) for key in keys)
    return found


def serve(model: str, arguments: Sequence[str], config: str | None, stop_id: int | None) -> None:
    """Run the server until it ends.

    Raises ``ConfigError`` for a configuration that is not valid, before anything is loaded, and
    ``MissingExtraError`` where vLLM is absent.
    """
    versions.check()
    words = command(model, arguments)
    os.environ.update(environment(arguments, config, stop_id))
    reserved_stop_id()
    Registry.load(Config.load())
    from vllm.entrypoints.launchers.api_server.entry import main

    sys.argv = words
    main()


def _keys(arguments: Sequence[str]) -> list[str]:
    """Return the values of ``--api-key``, which takes several; of two such the last holds."""
    found: list[str] = []
    taking = False
    for argument in arguments:
        _, equals, value = argument.partition("=")
        if argument.startswith("-"):
            own = _names(argument, "--api-key")
            taking = own and not equals
            if own:
                found = [value] if equals else []
        elif taking:
            found.append(argument)
    return found
