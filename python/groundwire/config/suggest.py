"""What a wrong key of the configuration may have been meant for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel

KeyPath = tuple[str, ...]
MOST = 3
"""Keys that are offered where several are as near."""
_ENOUGH = 0.75
_SHORT = 3
"""Letters of names that say too little outside of their section ("kb", "low")."""
_HERE = 0.2
"""How much nearer a key of the section is than one of another."""
_SHARED, _BEGUN = 0.7, 0.85
"""How near a key is that has the words of the wrong one, and one that begins with several."""


def key_paths(model: type[BaseModel], before: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield the path of every key, sections included."""
    for name, field in model.model_fields.items():
        path = (*before, name)
        yield path
        section = _section(field.annotation)
        if section is not None:
            yield from key_paths(section, path)


def keys_beside(model: type[BaseModel], path: KeyPath) -> list[KeyPath]:
    """Return the keys that there are where ``path`` is; none in what is no section."""
    before = path[:-1]
    at: Any = model
    for part in before:
        section = _section(at)
        if section is None:
            # A mapping of sections, whose keys are names of the user's own.
            at = next((one for one in get_args(at) if _section(one) is not None), None)
        elif part in section.model_fields:
            at = section.model_fields[part].annotation
        else:
            return []
    section = _section(at)
    return [] if section is None else [(*before, name) for name in section.model_fields]


def suggestions(model: type[BaseModel], path: KeyPath) -> list[KeyPath]:
    """Return the keys that ``path`` may have been meant for: the nearest, or several as near.

    A key of the section counts where it is written nearly the same, or has the words of the wrong
    one; one of another section where it is the same, or nearly. Nothing is returned that is not
    near.
    """
    whole = _plain("".join(path))
    beside = keys_beside(model, path)
    known = [*beside, *(own for own in key_paths(model) if own not in beside)]
    found: list[tuple[float, KeyPath]] = []
    for own in known:
        if own in beside:
            near = max(alike(path[-1], own[-1]), _worded(path[-1], own[-1])) + _HERE
        elif _plain("".join(own)) == whole:
            near = 1.0 + 2 * _HERE
        else:
            near = alike(path[-1], own[-1]) if len(own[-1]) > _SHORT else 0.0
            # Of two that are the same, the one in a section that was named.
            near += 0.01 * sum(part in own for part in path[:-1]) if near == 1.0 else -0.05
        if near >= _ENOUGH + (_HERE if own in beside and near < _SHARED + _HERE else 0.0):
            found.append((near, own))
    best = max((near for near, _ in found), default=0.0)
    return [own for near, own in found if near == best][:MOST]


def _section(kind: Any) -> type[BaseModel] | None:
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _words(key: str) -> list[str]:
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).lower()
    return [word for word in re.split(r"[^a-z0-9]+", parted) if word]


def _plain(key: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", key.lower())


def alike(wrong: str, right: str) -> float:
    """Return how nearly two keys are written the same, marks and capitals apart; 0 where not."""
    one, other = _plain(wrong), _plain(right)
    if one == other:
        return 1.0
    slips = _slips(one, other)
    longest = max(len(one), len(other))
    # One slip in a word of two or three letters leaves little of it: only a swap is sure then.
    if slips > max(1, longest // 4) or (longest < 4 and sorted(one) != sorted(other)):
        return 0.0
    return 1.0 - slips / (longest + 4)


def _worded(wrong: str, right: str) -> float:
    """Return how near a key is that has the words of the other, in their order."""
    one, other = _words(wrong), _words(right)
    if not one or one == other:
        return 0.0
    if len(one) > 1 and other[: len(one)] == one:
        return _BEGUN
    left = iter(other)
    has_all = all(word in left for word in one)
    left = iter(one)
    has_all |= len(right) > 3 and all(word in left for word in other)
    return _SHARED if has_all else 0.0


def _slips(one: str, other: str) -> int:
    """Return how many letters are missing, too many, wrong or changed round."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
