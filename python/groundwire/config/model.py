"""``Config``: the sections together, read from their sources and validated once.

Of two sources that set one key, the nearer to the call wins: arguments, then the environment,
then the file, then the defaults.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ValidationError

from groundwire._files import path_of, read_text
from groundwire.config.sections import (
    BankSection,
    CitationSection,
    DialogueSection,
    HallucinationSection,
    StreamSection,
)
from groundwire.config.serving import ServingSection
from groundwire.config.units import Section
from groundwire.errors import ArgumentError, ConfigError, GroundwireError

PREFIX = "GROUNDWIRE_"
FILE_VARIABLE = "GROUNDWIRE_CONFIG"
KeyPath = tuple[str, ...]
_ORIGIN: ContextVar[Mapping[KeyPath, str]] = ContextVar("groundwire_config_origin")


class Config(Section):
    """Everything that can be configured. Immutable; build another with :meth:`load`."""

    dialogue: DialogueSection = DialogueSection()
    bank: BankSection = BankSection()
    citation: CitationSection = CitationSection()
    hallucination: HallucinationSection = HallucinationSection()
    stream: StreamSection = StreamSection()
    serving: ServingSection = ServingSection()

    def __init__(self, **sections: Any) -> None:
        """Validate ``sections``, given as sections or mappings.

        Raises:
            ConfigError: as :meth:`load`.

        """
        try:
            super().__init__(**sections)
        except ValidationError as error:
            raise ConfigError(_explain(error, _ORIGIN.get({}))) from None

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        **overrides: Any,
    ) -> Self:
        """Read the configuration from every source.

        Args:
            path: a ``.toml``, ``.yaml`` or ``.yml`` file; without it, the file that the variable
                ``GROUNDWIRE_CONFIG`` names, if any.
            environ: variables such as ``GROUNDWIRE_STREAM__RELEASE=token``; the process's own
                by default.
            overrides: sections as mappings, ``stream={"release": "token"}``, or single keys,
                ``stream__release="token"``.

        Raises:
            ConfigError: a file cannot be read, a key does not exist (the message names it and
                the nearest one that does), or a value is not valid (the message names the key,
                the value and what is allowed).

        """
        variables = os.environ if environ is None else environ
        merged: dict[str, Any] = {}
        origin: dict[KeyPath, str] = {}
        chosen = path if path is not None else variables.get(FILE_VARIABLE)
        if chosen:
            try:
                file = path_of(chosen, "a configuration")
            except ArgumentError as error:
                raise ConfigError(str(error)) from error
            _merge(merged, origin, _read_file(file), str(chosen))
        for name in sorted(variables):
            if name.startswith(PREFIX) and "__" in name:
                keys = name.removeprefix(PREFIX).lower().split("__")
                value = _nest(keys, _from_text(variables[name]))
                _merge(merged, origin, value, f"environment variable {name}")
        for name, value in overrides.items():
            _merge(merged, origin, _nest(name.split("__"), value), "argument")
        token = _ORIGIN.set(origin)
        try:
            return cls(**merged)
        finally:
            _ORIGIN.reset(token)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that :meth:`load` reads back: ``Config.load(**c.to_dict()) == c``."""
        return self.model_dump(mode="json")


def key_paths(model: type[BaseModel] = Config, before: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield the path of every key, sections included."""
    for name, field in model.model_fields.items():
        path = (*before, name)
        yield path
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from key_paths(field.annotation, path)


def _read_file(path: Path) -> dict[str, Any]:
    """Return the mapping in a TOML or YAML file."""
    suffix = path.suffix.lower()
    if suffix not in {".toml", ".yaml", ".yml"} and not path.is_dir():
        msg = f"cannot tell the format of the configuration {path}: name it .toml, .yaml or .yml"
        raise ConfigError(msg)
    try:
        text = read_text(path, "a configuration")
    except OSError as error:
        msg = f"cannot read the configuration {path}: {error.strerror or error}"
        raise ConfigError(msg) from error
    except GroundwireError as error:
        msg = f"cannot read the configuration: {error}"
        raise ConfigError(msg) from error
    try:
        if suffix == ".toml":
            import tomllib

            content: Any = tomllib.loads(text)
        else:
            import yaml

            content = yaml.safe_load(text)
    except (ValueError, ArithmeticError) as error:
        msg = f"{path} is not valid TOML: {error}"
        raise ConfigError(msg) from error
    except Exception as error:
        if suffix == ".toml":
            raise
        msg = f"{path} is not valid YAML: {error}"
        raise ConfigError(msg) from error
    if content is None:
        return {}
    if not isinstance(content, dict):
        msg = f"{path} holds {type(content).__name__}, not sections with keys"
        raise ConfigError(msg)
    return content


def _from_text(text: str) -> Any:
    """Return a variable's value: JSON where it looks like a list or a mapping, else the text."""
    if text[:1] in {"[", "{"}:
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _nest(keys: list[str], value: Any) -> dict[str, Any]:
    """Return ``{"a": {"b": value}}`` for ``["a", "b"]``."""
    for key in reversed(keys):
        value = {key: value}
    return dict(value)


def _merge(
    into: dict[str, Any],
    origin: dict[KeyPath, str],
    new: Mapping[Any, Any],
    source: str,
    before: KeyPath = (),
) -> None:
    """Merge ``new`` over ``into``, key by key, and note where each value came from."""
    for name, value in new.items():
        key = str(name)
        path = (*before, key)
        plain = value.model_dump() if isinstance(value, BaseModel) else value
        if isinstance(plain, Mapping):
            below = into.get(key)
            if not isinstance(below, dict):
                below = into[key] = {}
            origin[path] = source
            _merge(below, origin, plain, source, path)
        else:
            into[key] = plain
            origin[path] = source


def nearest(path: KeyPath) -> str | None:
    """Return the key most like ``path``, as written in a file, or None if nothing is near.

    The section itself is looked through first, then the last part in every section; a section
    that is right is never the answer itself.
    """
    known = list(key_paths())
    beside = [known_path for known_path in known if known_path[:-1] == path[:-1]]
    found = difflib.get_close_matches(path[-1], [p[-1] for p in beside], n=1, cutoff=0.6)
    if found:
        return ".".join((*path[:-1], found[0]))
    elsewhere = [known_path for known_path in known if known_path[-1] == path[-1]]
    if elsewhere:
        return ".".join(elsewhere[0])
    named = {known_path[-1]: known_path for known_path in reversed(known)}
    alike = difflib.get_close_matches(path[-1], named, n=1, cutoff=0.75)
    if alike:
        return ".".join(named[alike[0]])
    if beside:
        # The section is right, and nothing in it is like the key.
        return None
    dotted = difflib.get_close_matches(".".join(path), [".".join(p) for p in known], n=1)
    return dotted[0] if dotted else None


def _advice(path: KeyPath) -> str:
    """Return what a wrong key may have been meant for: the nearest one, else all beside it."""
    near = nearest(path)
    if near:
        return f"; did you mean `{near}`?"
    beside = ", ".join(known[-1] for known in key_paths() if known[:-1] == path[:-1])
    where = f"`{'.'.join(path[:-1])}` has" if path[:-1] else "there are"
    return f"; {where} {beside}"


def _explain(error: ValidationError, origin: Mapping[KeyPath, str]) -> str:
    """Return one line a fault: which key, where it was set, what is wrong, what is allowed."""
    lines = []
    for fault in error.errors(include_url=False):
        path = tuple(str(part) for part in fault["loc"])
        key = ".".join(path)
        source = next(
            (origin[path[:n]] for n in range(len(path), 0, -1) if path[:n] in origin), "argument"
        )
        if fault["type"] == "extra_forbidden":
            lines.append(f"unknown key `{key}` ({source}){_advice(path)}")
            continue
        reason = fault["msg"].removeprefix("Value error, ")
        reason = reason[:1].lower() + reason[1:]
        if fault["type"] == "model_type":
            reason = "a section with keys of its own is expected"
        value = fault["input"]
        shown = "" if isinstance(value, dict) else f" = {value!r}"
        lines.append(f"`{key}`{shown} ({source}): {reason}")
    return "\n".join(lines)
