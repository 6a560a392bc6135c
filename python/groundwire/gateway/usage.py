"""Tokens an answer took, over all the requests it was made of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeGuard

from groundwire.gateway.fields import numbers

UNTOLD = "usage is not told: the upstream reports it at the end alone, which was cut"
"""Note of a continued stream whose first request never said what it took."""

_TOLD = ("prompt_tokens", "completion_tokens")
"""What a report of usage has to tell; others are passed over, as nothing is known by them."""
_OF_PROMPT = ("prompt_tokens_details", "prompt_cache_hit_tokens", "prompt_cache_miss_tokens")


class Usage:
    """Adds up what upstreams report.

    An answer that was continued has the prompt of its first request; what every request wrote
    counts, that which was taken back too, since it was paid for.
    """

    def __init__(self) -> None:
        self.estimated = False
        self._first: dict[str, Any] | None = None
        self._continued = False
        self._before = 0
        self._now: dict[str, Any] | None = None
        self._seen = 0
        self._characters = 0

    def see(self, usage: Any) -> None:
        """Take an upstream's latest numbers."""
        if isinstance(usage, Mapping) and all(_is_count(usage.get(name)) for name in _TOLD):
            self._now = numbers(usage)
            if not self._continued:
                self._first = self._now

    def count(self, tokens: int, characters: int) -> None:
        """Count what came: tokens, for streams that end before they report, and their text."""
        self._seen += tokens
        self._characters += characters

    @property
    def written(self) -> int:
        """Tokens that the current request wrote, as far as is known."""
        return self._seen if self._now is None else _number(self._now, "completion_tokens")

    def left(self, most: int | None, text: str) -> int | None:
        """Return how many tokens an answer of at most ``most`` may have behind ``text``.

        What was taken back does not count. How many tokens the text has is told by the tokens
        and characters that came.
        """
        return None if most is None else max(0, most - self.kept(text))

    def kept(self, text: str) -> int:
        """Return about how many tokens the text has that stands."""
        written = self._before + self.written
        return math.ceil(len(text) * written / max(self._characters, 1))

    def cut(self) -> None:
        """Note that the current request ended early and another continues it."""
        self.estimated = self.estimated or self._now is None
        self._before += self.written
        self._now, self._seen = None, 0
        self._continued = True

    def total(self) -> dict[str, Any] | None:
        """Return the usage object; none where the first request never reported its prompt.

        The prompt of a later one has the kept answer in it, which was written once.
        """
        if self._first is None:
            return None
        written = self._before + self.written
        if self._continued:
            # Of several requests the first has the prompt, and its details; other numbers of one
            # say nothing of all.
            found = {name: self._first[name] for name in _OF_PROMPT if name in self._first}
        else:
            found = {**self._first, **(self._now or {})}
        prompt = _number(self._first, "prompt_tokens")
        found |= {"prompt_tokens": prompt, "completion_tokens": written}
        found["total_tokens"] = prompt + written
        return found


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _number(usage: Mapping[str, Any] | None, name: str) -> int:
    value = (usage or {}).get(name)
    return value if _is_count(value) else 0
