"""Token ids as callers give them: checked, or refused by name."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

from groundwire.errors import ArgumentError

RETURNS = "it returns a token id, (id, logits[, prior_logits]), (id, signals), or None at the end"


def token_id(given: Any, source: str) -> int:
    """Return a token id as ``source`` gave it: an integer, or what stands for exactly one.

    Raises:
        ArgumentError: it is no integer; the message names the source.

    """
    if not isinstance(given, bool):
        try:
            return operator.index(given)
        except (TypeError, ValueError, RuntimeError):  # RuntimeError: a tensor of several numbers
            pass
    expected = RETURNS if source == "next_token" else "a token id is an integer"
    raise ArgumentError(f"{source} returned {given!r:.60}; {expected}")


def ids_of_prompt(given: Any) -> list[int]:
    """Return the ids of a prompt."""
    if isinstance(given, str | bytes):
        raise ArgumentError("prompt_ids are token ids; encode the prompt first")
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise ArgumentError(f"prompt_ids is a list of token ids, not {given!r:.60}")
    found = list(given)
    for at, one in enumerate(found):
        number = not isinstance(one, bool) and hasattr(one, "__index__")
        try:
            found[at] = operator.index(one) if number else -1
        except (TypeError, ValueError, RuntimeError):  # a row of a tensor
            found[at] = -1
        if found[at] < 0:
            raise ArgumentError(f"prompt_ids[{at}] is {one!r:.60}; a token id is an integer from 0")
    return found


def ids_that_end(given: Any) -> frozenset[int]:
    """Return the ids that end the answer; one alone may be a plain integer."""
    if isinstance(given, int) and not isinstance(given, bool):
        return frozenset((given,))
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise ArgumentError(f"stop_ids are token ids, not {given!r:.60}")
    found = list(given)
    for one in found:
        if isinstance(one, bool) or not hasattr(one, "__index__"):
            raise ArgumentError(f"stop_ids are token ids, not {one!r:.60}")
    return frozenset(operator.index(one) for one in found)
