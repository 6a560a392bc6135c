"""Claims that an earlier turn contradicts (S0-046 to S0-049)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from groundwire._checks import every, share, whole_number
from groundwire.profiles.dialogue.base import Component, claims_of, placed, within
from groundwire.profiles.dialogue.builtin import (
    RuleClassifier,
    TopicSimilarity,
    cosine,
    denies,
)
from groundwire.profiles.dialogue.claimwise import NOT_CLAIMS
from groundwire.profiles.dialogue.models import classifier_named, similarity_named
from groundwire.profiles.dialogue.parts import (
    ClaimExtractor,
    ContradictionClassifier,
    SemanticSimilarityModel,
)
from groundwire.profiles.dialogue.segments import segment_response
from groundwire.profiles.dialogue.state import SPEAKERS, DialogueState, Turn
from groundwire.profiles.dialogue.types import (
    Claim,
    HallucinationFlag,
    HallucinationType,
    ResponseSegment,
)
from groundwire.profiles.dialogue.values import exchange, values
from groundwire.profiles.dialogue.wording import prior_evidence

ROLES = SPEAKERS
"""Whose turns count."""
TURNS = 10
"""How many turns are looked back on (S0-046)."""
SIMILARITY = 0.7
"""Cosine from which claims are related (S0-047)."""
CONFIDENCE = 0.6
"""Confidence of the classifier from which a contradiction counts (S0-048)."""
_MOST = 2**32 - 1
"""Turns that the core counts up to."""
_ONE_ROLE = {"human": "user", "model": "assistant", "function": "tool", "developer": "system"}
"""Other names of the core's four roles."""


class HistoryContradictionDetector(Component):
    """Claims that a claim of the last turns contradicts.

    Args:
        similarity_model: which earlier claims are about the same; an object, or
            ``sentence-transformers:NAME`` or ``transformers:NAME``. By default the words without
            values and negations.
        contradiction_classifier: whether two claims disagree; an object, or
            ``cross-encoder:NAME``. By default rules over negations, values and opposites.
        claim_extractor: the claims of sentences, for answer and turns.
        roles: whose turns count; ``strict_seed`` counts all.
        turns: how many turns are looked back on.
        similarity: cosine from which claims are related, 0..1.
        confidence: the classifier's confidence from which it counts, 0..1.
        strict_seed: the document's literal algorithm. Otherwise an older turn does not count
            where a newer one already says what the answer says.

    Raises ``ArgumentError`` for a name of no known form, ``MissingExtraError`` if the named model's
    package is not installed.
    """

    needs: ClassVar[tuple[str, ...]] = ("dialogue",)

    def __init__(
        self,
        similarity_model: SemanticSimilarityModel | str | None = None,
        contradiction_classifier: ContradictionClassifier | str | None = None,
        claim_extractor: ClaimExtractor | None = None,
        *,
        roles: Iterable[str] = ROLES,
        turns: int = TURNS,
        similarity: float = SIMILARITY,
        confidence: float = CONFIDENCE,
        strict_seed: bool = False,
    ) -> None:
        self.roles = frozenset(every(roles, "roles", str))
        self.turns = whole_number(turns, "turns", least=0)
        self.similarity = share(similarity, "similarity")
        self.confidence = share(confidence, "confidence")
        given: dict[str, tuple[Any, Any]] = {
            "history_roles": (_core_roles(self.roles), _core_roles(ROLES)),
            "history_turns": (min(turns, _MOST), TURNS),
            "history_similarity": (similarity, SIMILARITY),
            "contradiction_confidence": (confidence, CONFIDENCE),
        }
        super().__init__(
            (similarity_model, contradiction_classifier, claim_extractor),
            settings={name: own for name, (own, usual) in given.items() if own != usual},
            strict_seed=strict_seed,
        )
        if isinstance(similarity_model, str):
            similarity_model = similarity_named(similarity_model)
        if isinstance(contradiction_classifier, str):
            contradiction_classifier = classifier_named(contradiction_classifier)
        self.similarity_model: SemanticSimilarityModel = similarity_model or TopicSimilarity()
        self.contradiction_classifier: ContradictionClassifier = (
            contradiction_classifier or RuleClassifier()
        )
        self.claim_extractor = claim_extractor

    def detect(
        self, segments: Sequence[ResponseSegment], dialogue_state: DialogueState
    ) -> list[HallucinationFlag]:
        """Return one flag for each pair of a claim and an earlier one that it contradicts."""
        recent = list(reversed(dialogue_state.turns))[: self.turns]
        if not self.strict_seed:
            recent = [turn for turn in recent if turn.role in self.roles]
        earlier = [
            (claim, turn, age, self.similarity_model.embed(str(claim)))
            for age, turn in enumerate(recent)
            for claim in self.extract_claims_from_turn(turn)
        ]
        flags = []
        for segment, claim in claims_of(segments, self.claim_extractor):
            if not self.strict_seed and claim.modality in NOT_CLAIMS:
                continue
            related = self._related(claim, earlier)
            newest = len(recent) if self.strict_seed else _repeated(claim, related, len(recent))
            for prior, turn, age, similarity in related:
                found = self.contradiction_classifier.classify(str(claim), str(prior))
                if not found.is_contradiction or found.confidence < self.confidence:
                    continue
                if age >= newest:
                    continue
                text = within(segment, claim.span)
                # The earlier value in the place of this one would say something else again.
                fit = not self.strict_seed and denies(text) == denies(str(prior))
                mended = exchange(text, str(prior)) if fit else None
                flags.append(
                    HallucinationFlag(
                        **placed(claim.span, text, mended),
                        content=str(claim),
                        hallucination_type=HallucinationType.ContradictsPrior,
                        confidence=min(max(found.confidence * similarity, 0.0), 1.0),
                        suggestion="This contradicts a previous statement",
                        evidence=prior_evidence(str(prior), turn.turn_id),
                        status="contradicted",
                        entity=claim.subject or None,
                    )
                )
        return flags

    def extract_claims_from_turn(self, turn: Turn) -> list[Claim]:
        """Return the claims of a turn; questions and instructions are none."""
        segments = segment_response(turn.text) if self.claim_extractor is None else None
        if segments is not None:
            claims = [claim for segment in segments for claim in segment.claims]
        else:
            whole = ResponseSegment(0, turn.text, (0, len(turn.text)))
            claims = [claim for _, claim in claims_of([whole], self.claim_extractor)]
        return [claim for claim in claims if claim.modality not in NOT_CLAIMS]

    def _related(
        self, claim: Claim, earlier: Sequence[tuple[Claim, Turn, int, Any]]
    ) -> list[tuple[Claim, Turn, int, float]]:
        """Return earlier claims about the same, most similar first, then newest first."""
        if not earlier:
            return []
        mine = self.similarity_model.embed(str(claim))
        related = [
            (prior, turn, age, similarity)
            for prior, turn, age, theirs in earlier
            if (similarity := cosine(mine, theirs)) >= self.similarity
        ]
        return sorted(related, key=lambda item: -item[3])


def _core_roles(roles: Iterable[str]) -> tuple[str, ...]:
    """Return roles by the core's names; it takes no turn of any other."""
    known = {_ONE_ROLE.get(role, role) for role in roles} & set(_ONE_ROLE.values())
    return tuple(sorted(known))


def _repeated(claim: Claim, related: Sequence[tuple[Claim, Turn, int, float]], none: int) -> int:
    """Return the age of the newest turn that gives the claim's own values, else ``none``."""
    mine = _given(str(claim))
    ages = [age for prior, _, age, _ in related if mine and mine <= _given(str(prior))]
    return min(ages, default=none)


@lru_cache(maxsize=8192)
def _given(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(
        (kind, text[a:b].casefold()) for kind, places in values(text).items() for a, b in places
    )
