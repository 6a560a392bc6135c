"""Kinds of source, how much each is worth, and how each is verified (S4-006..009, S4-036)."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from groundwire import _core
from groundwire._checks import several, whole_number, words
from groundwire._given import turns
from groundwire.errors import ArgumentError, GroundwireError

BASE_CONFIDENCE = {
    kind: _core.base_confidence(kind)
    for kind in ("direct_observation", "file_content", "user_statement", "inference")
}
"""Confidence that each kind of source gives (S4-009)."""
OTHER_CONFIDENCE = _core.base_confidence("")
"""Confidence that any other kind gives, and none at all."""
MAX_FILE_BYTES = 16 * 1024 * 1024
"""Bytes of a file that are read again to find a quotation."""
SENTENCE_REACH = 1000
"""Characters before and behind a quotation in which its sentence is looked for."""


@runtime_checkable
class Source(Protocol):
    """Anything that a claim may rest on (S4-036)."""

    @property
    def type(self) -> str:
        """``direct_observation``, ``file_content``, ``user_statement``, ``inference`` or else."""

    @property
    def quality_factor(self) -> float:
        """How good this source is of its kind, 0..1."""

    def is_verifiable(self) -> bool:
        """Whether there is a way to verify it."""


def quality(value: Any) -> float:
    """Return a quality factor; raises ``ArgumentError`` for what is no number in 0..1 (S4-010)."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0.0 <= value <= 1.0:
        raise ArgumentError(f"a quality_factor is a number in 0..1, not {value!r:.60}")
    return float(value)


def digest_of(result: str | bytes) -> str:
    """Return the SHA-256 of a tool's result, in hexadecimal; text counts as UTF-8."""
    if not isinstance(result, str | bytes):
        raise ArgumentError(f"a tool's result is text or bytes, not {type(result).__name__}")
    data = result.encode("utf-8", "surrogatepass") if isinstance(result, str) else result
    return hashlib.sha256(data).hexdigest()


class _Checked:
    """A source whose quality factor is checked when it is made."""

    quality_factor: float

    def __post_init__(self) -> None:
        quality(self.quality_factor)
        self._check()

    def _check(self) -> None:
        """Check the kind's own fields; raise ``ArgumentError`` naming what is wrong."""


@dataclass(frozen=True)
class Observation(_Checked):
    """A tool's result; verified by comparing its hash with the recorded one.

    Attributes:
        tool: which tool was called.
        digest: SHA-256 of the result when it was observed (``Observation.of`` takes it).
        result: the result as it was kept.
        fetch: gives the result anew, where it is not kept; what it raises counts as missing, and so
            does what is neither text nor bytes.
        quality_factor: 0..1.
    """

    type: ClassVar[str] = "direct_observation"
    tool: str
    digest: str
    result: str | bytes | None = None
    fetch: Callable[[], str | bytes] | None = None
    quality_factor: float = 1.0

    @classmethod
    def of(cls, tool: str, result: str | bytes, **given: Any) -> Observation:
        """Return the observation of ``result``, with its hash."""
        return cls(tool, digest_of(result), result, **given)

    def _check(self) -> None:
        words(self.digest, "an observation's digest")
        if self.result is not None and not isinstance(self.result, str | bytes):
            raise ArgumentError(f"a tool's result is text or bytes, not {self.result!r:.60}")
        if self.fetch is not None and not callable(self.fetch):
            raise ArgumentError(f"fetch is called for the result; {self.fetch!r:.60} cannot be")

    def is_verifiable(self) -> bool:
        """Whether the result can be looked at again."""
        return bool(self.digest) and (self.result is not None or self.fetch is not None)

    def problem(self) -> str | None:
        """Return ``source_missing`` or ``source_changed``, or none if the result is the same."""
        try:
            result = self.fetch() if self.fetch is not None else self.result
        except Exception:
            return "source_missing"
        if not isinstance(result, str | bytes):
            return "source_missing"
        return None if digest_of(result) == self.digest.lower() else "source_changed"


@dataclass(frozen=True)
class FileContent(_Checked):
    """Words of a file or passage; verified by reading it again and locating the quotation.

    Attributes:
        quote: the words; case and spacing do not matter, but they stand as whole words and
            numbers: "founded in 198" is no quotation of "founded in 1987".
        path: the file, UTF-8; or
        text: a passage that is at hand.
        name: what the source is called.
        quality_factor: 0..1.
    """

    type: ClassVar[str] = "file_content"
    quote: str
    path: str | os.PathLike[str] | None = None
    text: str | None = None
    name: str = ""
    quality_factor: float = 1.0

    def _check(self) -> None:
        words(self.quote, "a quotation")
        if self.path is not None and not isinstance(self.path, str | os.PathLike):
            raise ArgumentError(f"a path is text or a path object, not {self.path!r:.60}")
        if self.text is not None:
            words(self.text, "a passage's text")

    def is_verifiable(self) -> bool:
        """Whether there is a quotation and a place to look for it."""
        return bool(self.quote.strip()) and (self.path is not None or self.text is not None)

    def locate(self) -> tuple[int, int] | None:
        """Return where the quotation stands, in code points, or none.

        Raises ``OSError`` or ``ValueError`` where the file cannot be read.
        """
        return _locate(self.quote, self._read())

    def sentence(self) -> str | None:
        """Return the sentences that the quotation stands in, or none where it does not stand."""
        try:
            return _sentence(self.quote, self._read())
        except (OSError, ValueError):
            return None

    def problem(self) -> str | None:
        """Return ``source_missing`` or ``quote_not_found``, or none if the words are there."""
        try:
            found = self.locate()
        except (OSError, ValueError):
            # Not to be read, no UTF-8, or no name that a file can have.
            return "source_missing"
        return None if found is not None else "quote_not_found"

    def _read(self) -> str:
        if self.path is None:
            return self.text or ""
        with Path(self.path).open("rb") as file:
            return file.read(MAX_FILE_BYTES).decode("utf-8")


@dataclass(frozen=True)
class KnowledgeFact(_Checked):
    """A fact of a knowledge base, worth what a file is; verified by looking it up again."""

    type: ClassVar[str] = "file_content"
    kb: _core.KnowledgeBase
    entity: int
    predicate: str
    value: str
    name: str = ""
    quality_factor: float = 1.0

    def _check(self) -> None:
        if not isinstance(self.kb, _core.KnowledgeBase):
            raise ArgumentError(f"a fact stands in a KnowledgeBase, not in {self.kb!r:.60}")
        whole_number(self.entity, "a fact's entity", least=0)
        words(self.predicate, "a fact's predicate")

    def is_verifiable(self) -> bool:
        """Facts can always be looked up again."""
        return True

    def problem(self) -> str | None:
        """Return ``source_missing`` or ``source_changed``, or none if the fact stands."""
        try:
            facts = self.kb.facts(self.entity, self.predicate)
        except (GroundwireError, OverflowError):
            return "source_missing"
        if not facts:
            return "source_missing"
        same = any(str(fact["value"]) == self.value for fact in facts)
        return None if same else "source_changed"


@dataclass(frozen=True)
class UserStatement(_Checked):
    """What a user said; verified by its turn.

    Attributes:
        turn: index of the turn in ``history``, from 0: one less than the number that findings
            give it, which count turns from 1 ("Turn 1 said otherwise").
        quote: the words that were said; empty for the turn as a whole.
        history: turns, in the forms that ``Monitor.session`` takes; the turn's role has to be
            ``user``.
        quality_factor: 0..1.
    """

    type: ClassVar[str] = "user_statement"
    turn: int
    quote: str = ""
    history: Sequence[Any] = ()
    quality_factor: float = 1.0

    def _check(self) -> None:
        whole_number(self.turn, "a turn's number", least=0)
        words(self.quote, "a quotation")
        if isinstance(self.history, str | bytes) or not isinstance(self.history, Sequence):
            raise ArgumentError(f"history is a list of turns, not {self.history!r:.60}")

    def is_verifiable(self) -> bool:
        """Whether there are turns to look at."""
        return len(self.history) > 0

    def sentence(self) -> str | None:
        """Return the sentences of the turn that the words stand in, or none."""
        if not 0 <= self.turn < len(self.history):
            return None
        ((_, said),) = turns([self.history[self.turn]])
        return _sentence(self.quote, said)

    def problem(self) -> str | None:
        """Return ``source_missing`` or ``quote_not_found``, or none if it was said.

        Raises ``ArgumentError`` where the history holds no turn in that place.
        """
        if not 0 <= self.turn < len(self.history):
            return "source_missing"
        ((role, said),) = turns([self.history[self.turn]])
        if role != "user":
            return "source_missing"
        if not self.quote.strip() or _locate(self.quote, said) is not None:
            return None
        return "quote_not_found"


@dataclass(frozen=True)
class Inference(_Checked):
    """What follows from other claims; verified by verifying each of them."""

    type: ClassVar[str] = "inference"
    premises: tuple[Hashable, ...]
    quality_factor: float = 1.0

    def _check(self) -> None:
        several(self.premises, "premises", "claims")

    def is_verifiable(self) -> bool:
        """Whether there are premises."""
        return len(self.premises) > 0


@dataclass(frozen=True)
class OtherSource(_Checked):
    """A source of another kind, such as what a model remembers; it cannot be verified."""

    name: str = ""
    type: str = "other"
    quality_factor: float = 1.0

    def is_verifiable(self) -> bool:
        """There is no way to verify it."""
        return False


def _sentence(quote: str, text: str) -> str | None:
    found = _locate(quote, text)
    if found is None:
        return None
    # No sentence is looked for further away than this.
    first = max(found[0] - SENTENCE_REACH, 0)
    near = text[first : found[1] + SENTENCE_REACH]
    start, end = found[0] - first, found[1] - first
    spans = [(a, b) for a, b in _core.sentences(near) if a < end and start < b]
    return near[spans[0][0] : spans[-1][1]] if spans else quote


def _locate(quote: str, text: str) -> tuple[int, int] | None:
    parts = quote.split()
    if not parts:
        return None
    # Whole words and whole numbers: "50" stands neither in "500" nor in "50,000" nor in "1.50".
    before = r"(?<!\w)(?<!\d[.,])" if parts[0][0].isalnum() else ""
    after = r"(?!\w)(?![.,]\d)" if parts[-1][-1].isalnum() else ""
    found = re.search(before + r"\s+".join(map(re.escape, parts)) + after, text, re.IGNORECASE)
    return None if found is None else found.span()
