"""``Config``: the sections together, read from their sources and validated once.

Of two sources that set one key, the nearer to the call wins: arguments, then the environment,
then the file, then the defaults.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ValidationError

from groundwire._files import KeyTwice, parse_json, parse_yaml, path_of, read_text
from groundwire.config import suggest
from groundwire.config.sections import (
    BankSection,
    CitationSection,
    DialogueSection,
    HallucinationSection,
    StreamSection,
)
from groundwire.config.serving import ServingSection
from groundwire.config.suggest import KeyPath
from groundwire.config.units import Section
from groundwire.errors import ArgumentError, ConfigError, GroundwireError

PREFIX = "GROUNDWIRE_"
FILE_VARIABLE = "GROUNDWIRE_CONFIG"
_MEANT = 0.85
"""How like a section or key of it a variable is that is meant for it; less like, it may be that of
another program."""
log = logging.getLogger("groundwire")
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
            ConfigError: a file cannot be read or has a key twice, a key does not exist (the
                message names it and the nearest one that does), a variable joins section and key
                by one underscore or names a section alone, or a value is not valid (the message
                names the key, the value and what is allowed).

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
            if not name.startswith(PREFIX):
                continue
            if "__" not in name:
                _check_variable(name)
                continue
            keys = name.removeprefix(PREFIX).lower().split("__")
            source = f"environment variable {name}"
            try:
                value = _nest(keys, _from_text(variables[name]))
            except KeyTwice as error:
                raise ConfigError(f"{source}: {error}") from error
            _merge(merged, origin, value, source)
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


def key_paths() -> Iterator[KeyPath]:
    """Yield the path of every key, sections included."""
    return suggest.key_paths(Config)


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
            content = parse_yaml(text)
    except KeyTwice as error:
        raise ConfigError(f"{path}: {error}") from error
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
            return parse_json(text)
        except KeyTwice:
            raise
        except ValueError:
            return text
    return text


def _check_variable(name: str) -> None:
    """Refuse a variable that is meant for a section or a key of it, and would not be read."""
    if name == FILE_VARIABLE:
        return
    rest = name.removeprefix(PREFIX).lower()
    said = f"environment variable {name} is not read"
    section = next((own for own in Config.model_fields if rest.startswith(f"{own}_")), None)
    paths = {"_".join(path): path for path in key_paths()}
    if section is not None:
        paths = {
            joined: path for joined, path in paths.items() if path[0] == section and len(path) > 1
        }
    near = max(paths, key=lambda joined: suggest.alike(rest, joined))
    right = PREFIX + "__".join(paths[near]).upper()
    if suggest.alike(rest, near) > (_MEANT if section is None else 0.0):
        if len(paths[near]) == 1:
            raise ConfigError(f"{said}: the keys of the section `{near}` are set by {right}__KEY")
        raise ConfigError(
            f"{said}: section and key are joined by two underscores; did you mean {right}?"
        )
    if suggest.alike(rest, FILE_VARIABLE.removeprefix(PREFIX)) > _MEANT:
        raise ConfigError(f"{said}; did you mean {FILE_VARIABLE}?")
    if section is not None:
        log.warning(
            "%s: a key of the section `%s` is set by %s%s__KEY",
            said,
            section,
            PREFIX,
            section.upper(),
        )


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
    """Return the key most like ``path``, as written in a file, or None if nothing is near."""
    found = suggest.suggestions(Config, path)
    return ".".join(found[0]) if found else None


def _advice(path: KeyPath) -> str:
    """Return what a wrong key may have been meant for: the nearest ones, else all beside it."""
    *others, last = ["", *(f"`{'.'.join(own)}`" for own in suggest.suggestions(Config, path))]
    if last:
        return f"; did you mean {', '.join(others[1:])}{' or ' if others[1:] else ''}{last}?"
    beside = ", ".join(own[-1] for own in suggest.keys_beside(Config, path))
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
