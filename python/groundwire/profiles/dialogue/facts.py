"""Facts and entities that no source knows (S0-040 to S0-045)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from groundwire.profiles.dialogue.base import Component, parsed, within
from groundwire.profiles.dialogue.builtin import RegistryResolver
from groundwire.profiles.dialogue.claimwise import NOT_CLAIMS, ClaimDetector
from groundwire.profiles.dialogue.knowledge import KnowledgeBase, closed, count_of, names_of, view
from groundwire.profiles.dialogue.parts import EntityResolver, NERModel
from groundwire.profiles.dialogue.state import DialogueState
from groundwire.profiles.dialogue.types import (
    Claim,
    EntityMention,
    HallucinationFlag,
    HallucinationType,
    MentionType,
    ResponseSegment,
)

COMMON_PREDICATES = ("email", "phone", "department", "title", "location")
GENERIC_NAMES = ("the team", "the manager", "someone", "a person")
OPEN_WORLD = 0.45
"""At most so sure is a flag about what an open knowledge base merely lacks (U-7)."""
SUBJECT_MISSING = "Subject entity not found in knowledge base"


class FabricatedFactDetector(ClaimDetector):
    """Claims about a subject, or an attribute, that the knowledge base does not have.

    Where the base does not claim to be complete a flag is at most ``OPEN_WORLD`` sure, and
    questions, instructions and claims without a predicate are passed over; ``strict_seed`` flags
    them as the document does.
    """

    def judge(
        self, segment: ResponseSegment, claim: Claim, kb: KnowledgeBase
    ) -> HallucinationFlag | None:
        """Return a flag where subject or attribute is missing."""
        if not claim.subject:
            return None
        if not self.strict_seed and (not claim.predicate or claim.modality in NOT_CLAIMS):
            return None
        if not kb.entity_exists(claim.subject):
            return self._flag(
                segment,
                claim,
                0.85 if self.strict_seed or closed(kb) else OPEN_WORLD,
                f"Could not verify: '{claim.subject}'",
                SUBJECT_MISSING,
            )
        entity = kb.get_entity(claim.subject)
        if entity is None or entity.has_attribute(claim.predicate):
            return None
        confidence = self.calculate_fabrication_confidence(claim, entity)
        if confidence < 0.5:
            return None
        if not self.strict_seed and not closed(kb, claim.predicate):
            confidence = min(confidence, OPEN_WORLD)
        return self._flag(
            segment,
            claim,
            confidence,
            f"No '{claim.predicate}' attribute found for '{claim.subject}'",
            f"Known attributes: {', '.join(names_of(entity))}",
        )

    def calculate_fabrication_confidence(self, claim: Claim, entity: Any) -> float:
        """Return how sure it is that the attribute is made up, 0..1 (S0-042)."""
        confidence = 0.6
        if count_of(entity) > 10:
            confidence += 0.15
        if claim.predicate in COMMON_PREDICATES:
            confidence += 0.1
        if not entity.similar_attributes(claim.predicate):
            confidence -= 0.1
        return min(max(confidence, 0.0), 1.0)

    @staticmethod
    def _flag(
        segment: ResponseSegment, claim: Claim, confidence: float, suggestion: str, evidence: str
    ) -> HallucinationFlag:
        return HallucinationFlag(
            span=claim.span,
            content=str(claim),
            hallucination_type=HallucinationType.FabricatedFact,
            confidence=confidence,
            suggestion=suggestion,
            evidence=evidence,
            text=within(segment, claim.span),
            entity=claim.subject,
            detail={"absence": True},
        )


class EntityExistenceChecker(Component):
    """Mentions of what neither the conversation nor the knowledge base knows.

    Where the base does not claim to be complete a flag is at most ``OPEN_WORLD`` sure;
    ``strict_seed`` is as sure as the document.
    """

    needs: ClassVar[tuple[str, ...]] = ("dialogue", "kb")

    def __init__(
        self,
        ner: NERModel | None = None,
        resolver: EntityResolver | None = None,
        *,
        strict_seed: bool = False,
    ) -> None:
        super().__init__((ner, resolver), strict_seed=strict_seed)
        self.ner = ner
        self.resolver = resolver or RegistryResolver()

    def detect(
        self,
        segments: Sequence[ResponseSegment],
        dialogue_state: DialogueState,
        knowledge_base: Any,
    ) -> list[HallucinationFlag]:
        """Return one flag for each such mention; pronouns are left to coreference."""
        kb = view(knowledge_base, strict_seed=self.strict_seed)
        limit = 1.0 if self.strict_seed or closed(kb) else OPEN_WORLD
        flags = []
        for segment in segments:
            found = segment.entities if self.ner is None else parsed(segment, self.ner.extract)
            for mention in found:
                if mention.mention_type is MentionType.Pronoun:
                    continue
                if not self.strict_seed and mention.resolved is not None:
                    continue
                if self.resolver.resolve_mention(mention, dialogue_state) is not None:
                    continue
                if kb.find_entity(mention.surface) is not None:
                    continue
                confidence = self.calculate_nonexistence_confidence(mention, dialogue_state)
                if confidence >= 0.5:
                    flags.append(
                        HallucinationFlag(
                            span=mention.span,
                            content=mention.surface,
                            hallucination_type=HallucinationType.NonexistentEntity,
                            confidence=min(confidence, limit),
                            suggestion=f"Could not find entity: '{mention.surface}'",
                            evidence="Not found in dialogue history or knowledge base",
                            text=within(segment, mention.span),
                            entity=mention.surface,
                            detail={"absence": True},
                        )
                    )
        return flags

    def calculate_nonexistence_confidence(
        self, mention: EntityMention, dialogue_state: DialogueState
    ) -> float:
        """Return how sure it is that there is no such entity, 0..1 (S0-044)."""
        confidence = 0.7
        if mention.mention_type is MentionType.ProperName:
            confidence += 0.15
        elif mention.mention_type is MentionType.DefiniteDesc:
            confidence += 0.05
        if dialogue_state.entity_registry.find_similar(mention.surface, 0.8):
            confidence -= 0.2
        surface = mention.surface.lower()
        if any(name in surface for name in GENERIC_NAMES):
            confidence -= 0.3
        return min(max(confidence, 0.0), 1.0)
