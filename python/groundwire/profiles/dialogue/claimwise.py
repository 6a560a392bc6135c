"""Detectors that judge one claim at a time against the knowledge base."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from groundwire.profiles.dialogue.base import Component, claims_of
from groundwire.profiles.dialogue.knowledge import KnowledgeBase, view
from groundwire.profiles.dialogue.parts import ClaimExtractor
from groundwire.profiles.dialogue.types import Claim, HallucinationFlag, ResponseSegment

NOT_CLAIMS = frozenset({"question", "instruction"})


class ClaimDetector(Component, ABC):
    """A component that gives at most one flag a claim."""

    needs: ClassVar[tuple[str, ...]] = ("kb",)

    def __init__(
        self,
        claim_extractor: ClaimExtractor | None = None,
        *,
        settings: Mapping[str, Any] | None = None,
        strict_seed: bool = False,
    ) -> None:
        super().__init__((claim_extractor,), settings=settings, strict_seed=strict_seed)
        self.claim_extractor = claim_extractor

    def detect(
        self, segments: Sequence[ResponseSegment], knowledge_base: Any
    ) -> list[HallucinationFlag]:
        """Return the flags of all claims, in the order of the text."""
        kb = view(knowledge_base, strict_seed=self.strict_seed)
        claims = claims_of(segments, self.claim_extractor)
        judged = (self.judge(segment, claim, kb) for segment, claim in claims)
        return [flag for flag in judged if flag is not None]

    @abstractmethod
    def judge(
        self, segment: ResponseSegment, claim: Claim, kb: KnowledgeBase
    ) -> HallucinationFlag | None:
        """Return the claim's flag, or none if nothing is wrong with it."""
