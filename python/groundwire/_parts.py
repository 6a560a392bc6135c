"""Parts of a monitor as they are given, checked and put into the core's form."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from groundwire import _core
from groundwire.errors import ArgumentError


def pairs(given: Any, what: str) -> list[tuple[str, Any]]:
    """Return a mapping's items; raises ``ArgumentError`` if it is none."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise ArgumentError(f"{what} is a mapping, not {type(given).__name__}")
    return list(given.items())


def settings_json(settings: Mapping[str, Any] | None) -> str:
    """Return the core's settings with those given; raises ``ArgumentError`` for a wrong one."""
    defaults = json.loads(_core.default_settings_json())
    for key, value in pairs(settings, "settings"):
        if key not in defaults:
            raise ArgumentError(f"{key!a} is no setting; there are {', '.join(sorted(defaults))}")
        default = defaults[key]
        names = isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)
        number = isinstance(value, int | float) or (value is None and default is None)
        alike = number and isinstance(value, bool) == isinstance(default, bool)
        if not (alike or (names and isinstance(default, list))):
            raise ArgumentError(f"setting '{key}' cannot be {value!r:.60}")
        if number and value is not None and not isinstance(value, bool):
            _in_range(key, value, whole=isinstance(default, int))
    return json.dumps({**defaults, **(settings or {})})


def _in_range(key: str, value: float, *, whole: bool) -> None:
    """Raise ``ArgumentError`` for a number that no setting of its kind can have."""
    if whole and not (isinstance(value, int) and 0 <= value < 2**64):
        raise ArgumentError(f"setting '{key}' is {value!r:.60}; it is a whole number from 0 on")
    if not whole and not math.isfinite(value):
        raise ArgumentError(f"setting '{key}' is {value!r:.60}; it is a finite number")


def profile_json(profile: str | Mapping[str, Any]) -> str:
    """Return a profile, named or described, as the core reads it; raises ``ArgumentError``."""
    if isinstance(profile, str):
        return _core.profile_json(profile)
    if not isinstance(profile, Mapping):
        raise ArgumentError(
            f"a profile is the name of a built-in one, or a mapping; not {profile!r:.60}"
        )
    name = profile.get("name")
    if not isinstance(name, str):
        raise ArgumentError("a profile given as a mapping needs a 'name'")
    base = json.loads(_core.profile_json(str(profile.get("base", name))))
    own = {key: value for key, value in profile.items() if key != "base"}
    for key in own:
        if key not in base:
            raise ArgumentError(
                f"'{key}' is no field of a profile; there are {', '.join(sorted(base))}"
            )
    if base["name"] == "dialogue" and own.get("strict_seed"):
        raise ArgumentError(
            "strict_seed: the dialogue profile's literal algorithms need the whole answer and run "
            "in groundwire.profiles.dialogue.HallucinationDetector; on a stream leave it off"
        )
    return json.dumps({**base, **own})
