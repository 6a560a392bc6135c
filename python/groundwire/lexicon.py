"""Words that a knowledge base or a monitor adds to the tables that texts are read with.

What is added counts beside the built-in English tables, in one base or one monitor alone.
"""

from __future__ import annotations

import difflib
import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

from groundwire._files import KeyTwice, parse_json, parse_yaml, path_of, read_text
from groundwire.errors import ArgumentError, FormatError

__all__ = ["Lexicon"]

_WHAT = "a lexicon"
_PARTS = ("predicates", "exclusive", "impossible", "courses")
_ATTRIBUTE = ("names", "phrases", "dated")
_LISTS = ("countable", "whole", "likelihood", "change")
_LIMIT = ("min", "max", "unit")


class Lexicon:
    """Attributes and how texts speak of them, kinds that exclude each other, what cannot be.

    Args:
        predicates: attributes by name. Each is a list of verb phrases
            (``{"department": ["works in", "sits with"]}``), or a mapping with ``names`` (other
            names of the attribute), ``phrases``, and ``dated`` (its values are dates). A phrase is
            a verb, or a verb and its preposition, in any form; ``"^manages"`` says that the verb's
            *object* has the attribute and its subject is the value ("P manages X"). The name of a
            built-in attribute extends it; new phrases count before built-in ones.
        exclusive: groups of kinds of which one thing is at most one (S0-058), by name; a kind is a
            name of one or two words, or a list of its names.
        impossible: what no text can say truly (S0-059): ``countable`` (nouns of which there cannot
            be fewer than none, nor a part that is more than the whole), ``whole`` (nouns that
            shares are taken of), ``likelihood``, ``change`` (words that make a number a change),
            and ``limits``: attributes by name with ``min``, ``max`` and the ``unit`` of both, as
            the name of a unit ("percent", "kilometre"); numbers in other units are converted.
        courses: stages that things go through (S0-054), by name: the verbs of each stage, the
            earliest first. That a later stage is dated before an earlier one is a temporal error.

    Raises:
        ArgumentError: a part is of another shape, a key is unknown (the message names the nearest),
            or a phrase, kind or limit is not valid; the message names the entry.

    """

    def __init__(
        self,
        *,
        predicates: Mapping[str, Any] | None = None,
        exclusive: Mapping[str, Any] | None = None,
        impossible: Mapping[str, Any] | None = None,
        courses: Mapping[str, Any] | None = None,
    ) -> None:
        """Check the parts; see the class."""
        from groundwire._core import check_lexicon

        self._parts: dict[str, dict[str, Any]] = {
            "predicates": {k: _attribute(k, v) for k, v in _mapping(predicates, "predicates")},
            "exclusive": {
                k: _groups(v, f"exclusive.{k}") for k, v in _mapping(exclusive, "exclusive")
            },
            "impossible": _impossible(impossible),
            "courses": {k: _groups(v, f"courses.{k}") for k, v in _mapping(courses, "courses")},
        }
        check_lexicon(self.to_json())

    @classmethod
    def open(cls, source: str | os.PathLike[str]) -> Self:
        """Read a ``.toml``, ``.yaml``, ``.yml`` or ``.json`` file with the parts as its keys.

        Raises:
            ArgumentError: as the class, with the file's name; or the file has another suffix.
            FormatError: the file is not valid TOML, YAML or JSON, or not UTF-8.
            OSError: the file cannot be read.

        """
        path = path_of(source, _WHAT)
        data = _read(path)
        try:
            return cls.of(data)
        except ArgumentError as error:
            raise ArgumentError(f"{path.name}: {error}") from error

    @classmethod
    def of(cls, given: Any) -> Self:
        """Return a lexicon: one as it is, a mapping of its parts, or the path of a file.

        Raises:
            ArgumentError: it is none of these, or as the class.
            FormatError: as ``open``.
            OSError: as ``open``.

        """
        if isinstance(given, cls):
            return given
        if isinstance(given, str | os.PathLike):
            return cls.open(given)
        if not isinstance(given, Mapping):
            raise ArgumentError(
                f"a lexicon is a Lexicon, a mapping of {', '.join(_PARTS)}, or a file's path, not "
                f"{type(given).__name__}"
            )
        _known(given, _PARTS, "a lexicon")
        return cls(**given)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote."""
        return cls.of(json.loads(text))

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as JSON-like data."""
        data: dict[str, Any] = json.loads(self.to_json())
        return data

    def to_json(self) -> str:
        """Return the parts as JSON."""
        return json.dumps(self._parts, allow_nan=False)

    def __eq__(self, other: object) -> bool:
        """Whether both add the same."""
        return isinstance(other, Lexicon) and self._parts == other._parts

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Say how much it adds."""
        counts = (f"{len(self._parts[part])} {part}" for part in ("predicates", "exclusive"))
        return f"Lexicon({', '.join(counts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by its parts."""
        return (type(self).from_json, (self.to_json(),))


def _read(path: Path) -> Any:
    suffix = path.suffix.lower()
    if suffix not in {".toml", ".yaml", ".yml", ".json"}:
        raise ArgumentError(f"{path}: a lexicon file ends in .toml, .yaml, .yml or .json")
    text = read_text(path, _WHAT)
    try:
        if suffix == ".json":
            return parse_json(text)
        if suffix == ".toml":
            import tomllib

            return tomllib.loads(text)
    except ValueError as error:
        raise FormatError(f"{path.name}: {error}") from error
    import yaml

    try:
        return parse_yaml(text)
    except (KeyTwice, yaml.YAMLError) as error:
        raise FormatError(f"{path.name}: {error}") from error


def _known(given: Mapping[Any, Any], names: Iterable[str], place: str) -> None:
    names = list(names)
    for key in given:
        if key not in names:
            near = difflib.get_close_matches(str(key), names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
            raise ArgumentError(f"{key!r:.60} is no part of {place}; {hint}")


def _mapping(given: Any, place: str) -> list[tuple[str, Any]]:
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise ArgumentError(f"{place} maps names to entries; it is no {type(given).__name__}")
    for name in given:
        if not isinstance(name, str):
            raise ArgumentError(f"{place}: {name!r:.60} is no name")
    return list(given.items())


def _texts(given: Any, place: str) -> list[str]:
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, Mapping | bytes):
        raise ArgumentError(f"{place} is a list of texts, not {type(given).__name__}")
    found = list(given)
    for item in found:
        if not isinstance(item, str):
            raise ArgumentError(f"{place}: {item!r:.60} is no text")
    return found


def _attribute(name: str, given: Any) -> dict[str, Any]:
    place = f"predicates.{name}"
    if not isinstance(given, Mapping):
        return {"phrases": _texts(given, place)}
    _known(given, _ATTRIBUTE, place)
    lists = {part: _texts(given.get(part, ()), f"{place}.{part}") for part in _ATTRIBUTE[:2]}
    found: dict[str, Any] = {part: texts for part, texts in lists.items() if texts}
    if given.get("dated") is not None:
        if not isinstance(given["dated"], bool):
            raise ArgumentError(f"{place}.dated is true or false, not {given['dated']!r:.60}")
        found["dated"] = given["dated"]
    return found


def _groups(given: Any, place: str) -> list[list[str]]:
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise ArgumentError(f"{place} is a list; each entry is a name, or a list of names")
    return [_texts(names, place) for names in given]


def _impossible(given: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part, value in _mapping(given, "impossible"):
        _known({part: None}, (*_LISTS, "limits"), "impossible")
        place = f"impossible.{part}"
        if part != "limits":
            found[part] = _texts(value, place)
            continue
        limits = found["limits"] = {}
        for name, limit in _mapping(value, place):
            if not isinstance(limit, Mapping):
                raise ArgumentError(f"{place}.{name} is a mapping with min, max and unit")
            _known(limit, _LIMIT, f"{place}.{name}")
            limits[name] = {key: _end(limit[key], f"{place}.{name}.{key}") for key in limit}
    return {part: value for part, value in found.items() if value}


def _end(value: Any, place: str) -> Any:
    if place.endswith(".unit"):
        if not isinstance(value, str):
            raise ArgumentError(f"{place} is the name of a unit, not {value!r:.60}")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise ArgumentError(f"{place} is a number, not {value!r:.60}")
    if value in (float("inf"), float("-inf")):
        raise ArgumentError(f"{place} is a finite number; leave it out where there is no limit")
    return value
