"""Paths and text files that a caller names: read, or refused by name."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from groundwire._core import key_twice
from groundwire.errors import ArgumentError, FormatError

_KEEP = "keep one of the two"


def path_of(given: str | os.PathLike[str], what: str) -> Path:
    """Return ``given`` as a path; ``what`` is what the file should be, for the message.

    Raises:
        ArgumentError: it is no path, or holds what no file name can: a lone surrogate, a NUL.

    """
    if not isinstance(given, str | os.PathLike):
        raise ArgumentError(f"{what} is named by a path, not by {type(given).__name__}")
    path = Path(given)
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError as error:
        raise ArgumentError(
            f"the path of {what}, {str(path)!a:.80}, holds a lone surrogate at character "
            f"{error.start}, so no file can have that name; pass the name as the system gave it"
        ) from error
    if b"\0" in name:
        raise ArgumentError(f"the path of {what}, {str(path)!a:.80}, holds a NUL character")
    return path


def read_text(given: str | os.PathLike[str], what: str) -> str:
    """Return the text of a UTF-8 file, with or without byte order mark.

    Raises:
        ArgumentError: it is no path, or a folder.
        FormatError: the file is not UTF-8; the message names file and byte.
        OSError: the file cannot be read; its ``filename`` is the path.

    """
    path = path_of(given, what)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8 text"
        ) from error
    except IsADirectoryError as error:
        raise ArgumentError(f"{path} is a folder; {what} is a file") from error


class KeyTwice(ValueError):
    """A mapping of a text file has one key twice, so that one of its values would be lost."""


def parse_json(text: str) -> Any:
    """Return what a JSON text holds.

    Raises:
        KeyTwice: an object has a key twice; the message names the key and its line.
        ValueError: the text is no JSON.

    """
    try:
        return json.loads(text, object_pairs_hook=_once)
    except KeyTwice:
        found = key_twice(text)
        if found is None:
            raise
    key, line = found
    raise KeyTwice(f"the key {key!r:.80} is given twice, again in line {line}; {_KEEP}")


def parse_yaml(text: str) -> Any:
    """Return what a YAML text holds, plain values only.

    Raises:
        KeyTwice: a mapping has a key twice; the message names the key and both lines.
        yaml.YAMLError: the text is no YAML.

    """
    import yaml

    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _check_keys(node)
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise KeyTwice(f"the key {key!r:.80} is given twice; {_KEEP}")
        found[key] = value
    return found


def _check_keys(root: Any) -> None:
    """Refuse a node of YAML in which a mapping has a key twice; merged keys (``<<``) may repeat."""
    import yaml

    left, seen = [root], set()
    while left:
        node = left.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            left.extend(node.value)
        if not isinstance(node, yaml.MappingNode):
            continue
        lines: dict[tuple[str, str], int] = {}
        for key, value in node.value:
            left += (key, value)
            if not isinstance(key, yaml.ScalarNode) or key.value == "<<":
                continue
            name, line = (key.tag, key.value), key.start_mark.line + 1
            if name in lines:
                raise KeyTwice(
                    f"the key {key.value!r:.80} is given twice, in lines {lines[name]} and {line}; "
                    "keep one of the two"
                )
            lines[name] = line
