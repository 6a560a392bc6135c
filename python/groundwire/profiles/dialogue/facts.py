"""Facts and entities that no source knows (S0-040 to S0-045)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from groundwire._checks import every
from groundwire.profiles.dialogue.base import Component, parsed, within
from groundwire.profiles.dialogue.builtin import RegistryResolver, words_of
from groundwire.profiles.dialogue.claimwise import NOT_CLAIMS, ClaimDetector
from groundwire.profiles.dialogue.knowledge import KnowledgeBase, closed, count_of, names_of, view
from groundwire.profiles.dialogue.parts import EntityResolver, NERModel
from groundwire.profiles.dialogue.state import DialogueState, unknown_names
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
SUBJECT_MISSING = "Subject entity not found in knowledge base"

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


def _is_name(mention: EntityMention) -> bool:
    return mention.mention_type is MentionType.ProperName and mention.surface[:1].isupper()


class FabricatedFactDetector(ClaimDetector):
    """Claims about a subject, or an attribute, that the knowledge base does not have.

    A flag's ``detail`` says whether the base claims to be complete (``closed_world``); where it
    does not, profiles keep what is only missing below medium (U-7). Questions, instructions and
    claims without a predicate are passed over, and a pronoun or a common noun ("the door") is no
    missing subject; ``strict_seed`` flags them as the document does.
    """

    def judge(
        self, segment: ResponseSegment, claim: Claim, kb: KnowledgeBase
    ) -> HallucinationFlag | None:
        """Return a flag where subject or attribute is missing."""
        told = claim.predicate and claim.modality not in NOT_CLAIMS
        if not claim.subject or not (self.strict_seed or told):
            return None
        if kb.entity_exists(claim.subject):
            return self._attribute(segment, claim, kb)
        if not (self.strict_seed or self._names_somebody(segment, claim)):
            return None
        unknown = f"Could not verify: '{claim.subject}'"
        whole = self.strict_seed or closed(kb)
        return self._flag(segment, claim, 0.85, unknown, SUBJECT_MISSING, whole)

    def _attribute(
        self, segment: ResponseSegment, claim: Claim, kb: KnowledgeBase
    ) -> HallucinationFlag | None:
        """Return a flag where a known entity lacks the attribute."""
        entity = kb.get_entity(claim.subject)
        if entity is None or entity.has_attribute(claim.predicate):
            return None
        confidence = self.calculate_fabrication_confidence(claim, entity)
        if confidence < 0.5:
            return None
        return self._flag(
            segment,
            claim,
            confidence,
            f"No '{claim.predicate}' attribute found for '{claim.subject}'",
            f"Known attributes: {', '.join(names_of(entity))}",
            self.strict_seed or closed(kb, claim.predicate),
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

    def _names_somebody(self, segment: ResponseSegment, claim: Claim) -> bool:
        """Whether a claim's subject is a name, with or without an article before it."""
        subject = _ARTICLE.sub("", claim.subject)
        if self.claim_extractor is not None or subject not in segment.text:
            # An extractor of one's own, and a pronoun that was resolved, name what they mean.
            return subject[:1].isupper() and subject.casefold() not in words_of("pronouns")
        named = {mention.surface for mention in segment.entities if _is_name(mention)}
        named |= unknown_names(segment.text)
        return any(_ARTICLE.sub("", name) == subject for name in named)

    @staticmethod
    def _flag(
        segment: ResponseSegment,
        claim: Claim,
        confidence: float,
        suggestion: str,
        evidence: str,
        closed_world: bool,
    ) -> HallucinationFlag:
        return HallucinationFlag(
            span=claim.span,
            content=str(claim),
            hallucination_type=HallucinationType.FabricatedFact,
            confidence=confidence,
            suggestion=suggestion,
            evidence=evidence,
            text=within(segment, claim.span),
            status="not_in_context" if closed_world else "unverifiable",
            entity=claim.subject,
            detail={"absence": True, "closed_world": closed_world},
        )


class EntityExistenceChecker(Component):
    """Mentions of what neither the conversation nor the knowledge base knows.

    A flag's ``detail`` says whether the base claims to be complete (``closed_world``); where it
    does not, profiles keep what is only missing below medium (U-7).
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
        whole = self.strict_seed or closed(kb)
        flags = []
        for segment in every(segments, "segments", ResponseSegment):
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
                            confidence=confidence,
                            suggestion=f"Could not find entity: '{mention.surface}'",
                            evidence="Not found in dialogue history or knowledge base",
                            text=within(segment, mention.span),
                            status="not_in_context" if whole else "unverifiable",
                            entity=mention.surface,
                            detail={"absence": True, "closed_world": whole},
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
