"""Lines of JSON as records are written: one object a line, nothing read otherwise than written.

``json`` takes ``NaN``, keeps the last of two equal keys and stops at long numbers with an error of
its own; here each is refused with its place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire.errors import FormatError


def objects(path: str | Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (file:line, object) of a file's lines; blank ones are passed over.

    Raises:
        FormatError: a line is not UTF-8, not JSON, or no object.
        OSError: the file cannot be read.

    """
    place = Path(path)
    with place.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            where = f"{place.name}:{number}"
            try:
                data = parse(line.decode("utf-8-sig"), where)
            except UnicodeDecodeError as error:
                raise FormatError(f"{where}: not UTF-8 at byte {error.start}") from error
            if not isinstance(data, Mapping):
                raise FormatError(
                    f"{where}: a record is an object, not {type(data).__name__}; a set is a file "
                    "of one object a line"
                )
            yield where, data


def parse(text: str, where: str) -> Any:
    """Return the value of a JSON text; raises ``FormatError`` naming ``where`` if it is none."""
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise FormatError(f"{where}: not JSON: {error.msg}, {place}column {error.colno}") from None
    except RecursionError:
        raise FormatError(f"{where}: nested too deeply") from None
    except _Refused as error:
        raise FormatError(f"{where}: {error}") from None
    except ValueError:
        # The interpreter's limit on digits is the only other reason.
        raise FormatError(f"{where}: not JSON: a number of too many digits") from None


class _Refused(Exception):
    """What ``json`` would take and is none."""


def _refuse(name: str) -> Any:
    msg = f"not JSON: {name} is no number; leave the field out, or write null"
    raise _Refused(msg)


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                msg = f"the field {key!a:.60} stands twice in one object"
                raise _Refused(msg)
            seen.add(key)
    return found


def encodable(text: str, where: str) -> str:
    """Return a text; raises ``FormatError`` for a lone surrogate, which is no character."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError(f"{where}: a lone surrogate at character {error.start}") from None
    return text


def all_encodable(value: Any, where: str) -> None:
    """Raise ``FormatError`` for a lone surrogate in any text inside ``value``, keys included."""
    if isinstance(value, str):
        encodable(value, where)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            encodable(str(key), where)
            all_encodable(part, f"{where}.{key}")
    elif isinstance(value, Sequence):
        for i, part in enumerate(value):
            all_encodable(part, f"{where}[{i}]")
