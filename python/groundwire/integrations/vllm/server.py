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
_DRAFTS = ("--speculative-config", "--speculative_config", "-sc")


def command(model: str, arguments: Sequence[str]) -> list[str]:
    """Return the arguments of vLLM's server.

    Raises ``ArgumentError`` for drafts in the older model runner, which would not be checked, and
    for a second copy of the plugin or the gate.
    """
    for argument in arguments:
        if "GroundwireLogitsProcessor" in argument or argument == GATE:
            raise ArgumentError(f"{argument} is added anyway; leave it out")
    drafts = any(argument.split("=")[0] in _DRAFTS for argument in arguments)
    if drafts and os.environ.get("VLLM_USE_V2_MODEL_RUNNER") != "1":
        raise ArgumentError(
            "drafts (--speculative-config) go unchecked in vLLM's older model runner; set "
            "VLLM_USE_V2_MODEL_RUNNER=1 where the newer one runs, or leave them out"
        )
    others, rest = _processors(arguments)
    own = ["--logits-processors", PLUGIN, *others, "--middleware", GATE]
    return ["vllm", "--model", model, *own, *rest]


def _processors(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part the operator's own logits processors from the rest: of two such options the last holds.

    vLLM takes the option's name shortened, and with underscores.
    """
    others, rest, taking = list[str](), list[str](), False
    for argument in arguments:
        name, equals, value = argument.partition("=")
        name = name.replace("_", "-")
        if not argument.startswith("-"):
            (others if taking else rest).append(argument)
            continue
        own = len(name) > len("--l") and "--logits-processors".startswith(name)
        taking = own and not equals
        if not own:
            rest.append(argument)
        elif equals:
            others.append(value)
    return others, rest


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
    """Return the values of ``--api-key``, which takes several."""
    found: list[str] = []
    taking = False
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if argument.startswith("-"):
            taking = name in ("--api-key", "--api_key") and not equals
            if name in ("--api-key", "--api_key") and equals:
                found.append(value)
        elif taking:
            found.append(argument)
    return found
