"""What a text asserts: claims, and what their pronouns stand for, as plain immutable objects.

Spans are half-open ranges of code points of the text; ``byte_span`` is the same in UTF-8 bytes of
the whole stream.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Referent:
    """What a pronoun or description stands for.

    ``kind`` is ``person``, ``organization``, ``place``, ``work``, ``product``, ``event``, ``law``
    or ``unknown``; ``entities`` are ids of the knowledge base that have the name. ``turn`` is the
    number of the turn that named it, from 1 (the question comes after the last turn), ``None``
    where the answer itself did; ``byte_span`` counts from the start of the text that did.
    """

    name: str
    kind: str
    entities: tuple[int, ...]
    turn: int | None
    byte_span: Span

    @classmethod
    def from_core(cls, data: Mapping[str, Any]) -> Referent:
        """Build a referent from the core's form."""
        return cls(
            name=data["name"],
            kind=data["kind"],
            entities=tuple(data["entities"]),
            turn=data.get("turn"),
            byte_span=(data["span"]["start"], data["span"]["end"]),
        )


@dataclass(frozen=True, slots=True)
class ClaimBits:
    """What the evidence gave the tokens of a claim, of a stream that was told ``prior_logits``.

    Attributes:
        tokens: tokens of the text at the claim's span, as far as they had come when it closed.
        content_tokens: those of them that ``p0`` and ``p1`` are made of (no marks, no function
            words).
        kl_bits: sum of KL(row with evidence ‖ row without), bits, 0 or more.
        lift_bits: sum of log2 p(token | evidence) - log2 p(token | none), bits; below 0 where the
            evidence speaks against the wording.
        p0: geometric mean of the content tokens' probabilities without evidence, 0..1.
        p1: the same with the evidence.
    """

    tokens: int
    content_tokens: int
    kl_bits: float
    lift_bits: float
    p0: float | None = None
    p1: float | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One assertion of the text.

    ``span`` is in code points of the text, ``byte_span`` in bytes of the stream;
    ``stated_confidence`` lies in 0..1. ``referent`` is what the subject stands for where it is a
    pronoun or a description, ``coordinated`` the whole of which the object is one part ("French and
    German"). ``bits`` says what the evidence gave its tokens, where the stream was told their
    ``prior_logits``; claims with one span have the same.
    """

    id: str
    content: str
    span: Span
    byte_span: Span
    subject: str | None
    predicate: str | None
    object: str | None
    polarity: str
    modality: str
    stated_confidence: float
    status: str | None
    citations: tuple[Mapping[str, Any], ...]
    quantities: tuple[Mapping[str, Any], ...]
    dates: tuple[Mapping[str, Any], ...]
    signals: tuple[Mapping[str, Any], ...]
    decided_at: int
    referent: Referent | None = None
    coordinated: str | None = None
    bits: ClaimBits | None = None

    @classmethod
    def from_core(
        cls, data: Mapping[str, Any], char_span: Sequence[int], status: str | None = None
    ) -> Claim:
        """Build a claim from the core's form."""
        return cls(
            id=data["id"],
            content=data["content"],
            span=(char_span[0], char_span[1]),
            byte_span=(data["span"]["start"], data["span"]["end"]),
            subject=data["subject"],
            predicate=data["predicate"],
            object=data["object"],
            polarity=data["polarity"],
            modality=data["modality"],
            stated_confidence=data["stated_confidence"],
            status=status,
            citations=tuple(data["citations"]),
            quantities=tuple(data["quantities"]),
            dates=tuple(data["dates"]),
            signals=tuple(data["signals"]),
            decided_at=data["decided_at"],
            referent=Referent.from_core(data["referent"]) if data.get("referent") else None,
            coordinated=_part(data, data.get("coordinated")),
            bits=ClaimBits(**data["bits"]) if data.get("bits") else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as JSON-like data."""
        data = asdict(self)
        data["span"], data["byte_span"] = list(self.span), list(self.byte_span)
        for key in ("citations", "quantities", "dates", "signals"):
            data[key] = list(data[key])
        if self.referent is not None:
            data["referent"]["entities"] = list(self.referent.entities)
            data["referent"]["byte_span"] = list(self.referent.byte_span)
        return data


def _part(claim: Mapping[str, Any], span: Mapping[str, int] | None) -> str | None:
    """Return the words of a claim at a span of the stream, as far as its content holds them."""
    if span is None:
        return None
    start = claim["span"]["start"]
    held = claim["content"].encode()[span["start"] - start : span["end"] - start]
    return held.decode(errors="ignore") or None
