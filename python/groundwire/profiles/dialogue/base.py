"""What the eight components share."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from groundwire._checks import every
from groundwire.profiles.dialogue.builtin import Shipped
from groundwire.profiles.dialogue.types import (
    Claim,
    HallucinationFlag,
    HallucinationType,
    ResponseSegment,
)

Part = TypeVar("Part")
Beyond = Callable[[Sequence[ResponseSegment]], list[HallucinationFlag]]


class Component:
    """One detector of the profile.

    Attributes:
        needs: what ``detect`` is given behind the segments, in order: ``dialogue``, ``kb``.
        settings: its options as settings of the core, those that differ from the core's own.
        strict_seed: the document's literal algorithm, defects included.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        parts: Sequence[Any] = (),
        *,
        settings: Mapping[str, Any] | None = None,
        strict_seed: bool = False,
    ) -> None:
        self.settings = dict(settings or {})
        self.strict_seed = strict_seed
        self._replaced = any(part is not None and not _shipped(part) for part in parts)

    @property
    def native(self) -> bool:
        """Whether the Rust core does the same, with ``settings``: shipped parts, not strict."""
        return not (self._replaced or self.strict_seed)

    @property
    def beyond(self) -> Beyond | None:
        """What looks for that which its shipped parts were given and the core does not have."""
        return None


def _shipped(part: Any) -> bool:
    """Whether a part is one of the shipped ones; a class derived from it is not."""
    own = type(part).__module__ == Shipped.__module__
    return own and isinstance(part, Shipped) and part.plain


def parsed(segment: ResponseSegment, parse: Callable[[str], Iterable[Part]]) -> tuple[Part, ...]:
    """Return what a part finds in a segment, with spans of the answer."""
    by = segment.span[0]
    return tuple(_moved(item, by) for item in parse(segment.text))


def claims_of(
    segments: Sequence[ResponseSegment], extractor: Any
) -> Iterator[tuple[ResponseSegment, Claim]]:
    """Go through the claims of all segments: the extractor's, or those that were found already."""
    for segment in every(segments, "segments", ResponseSegment):
        found = segment.claims if extractor is None else parsed(segment, extractor.extract)
        for claim in found:
            yield segment, claim


def within(segment: ResponseSegment, span: tuple[int, int]) -> str:
    """Return the segment's text at a span of the answer."""
    start = segment.span[0]
    return segment.text[max(span[0] - start, 0) : max(span[1] - start, 0)]


def placed(span: tuple[int, int], text: str, right: tuple[int, int, str] | None) -> dict[str, Any]:
    """Return a flag's span, text and replacement: those of the value where it can be exchanged.

    ``text`` is the answer's at ``span``, ``right`` what ``exchange`` made of it.
    """
    if right is None:
        return {"span": span, "text": text}
    a, b, words = right
    return {"span": (span[0] + a, span[0] + b), "text": text[a:b], "replacement": words}


def best(flags: Iterable[HallucinationFlag]) -> list[HallucinationFlag]:
    """Return the flags without those that another of their type overlaps and surpasses (D-1).

    Of equally sure ones the first stays; the others keep their order.
    """
    given = list(flags)
    order = sorted(range(len(given)), key=lambda i: -given[i].confidence)
    places: dict[HallucinationType, _Places] = defaultdict(_Places)
    kept = [i for i in order if places[given[i].hallucination_type].take(given[i].span)]
    return [given[i] for i in sorted(kept)]


class _Places:
    """Spans of which no two overlap, in the order of the text."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int]] = []
        # A strict pair may end before it starts; of such spans there are few.
        self._odd: list[tuple[int, int]] = []

    def take(self, span: tuple[int, int]) -> bool:
        """Add a span unless one that is there overlaps it; say whether it was added."""
        if any(overlap(span, other) for other in self._odd):
            return False
        if span[0] >= span[1]:
            if any(overlap(span, other) for other in self._spans):
                return False
            self._odd.append(span)
            return True
        at = bisect_left(self._spans, span)
        if any(overlap(span, other) for other in self._spans[max(at - 1, 0) : at + 1]):
            return False
        self._spans.insert(at, span)
        return True


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two spans share a character, or are the same."""
    return one == other or (one[0] < other[1] and other[0] < one[1])


def _moved(item: Any, by: int) -> Any:
    if item.span is None:
        return item
    return replace(item, span=(item.span[0] + by, item.span[1] + by))
