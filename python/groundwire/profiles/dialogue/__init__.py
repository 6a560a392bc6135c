"""The dialogue profile under its document's own names.

``HallucinationDetector(components, config).detect(response, dialogue_state, knowledge_base)``
returns ``HallucinationFlag`` objects; ``HallucinationConfidenceScorer`` scores them and
``HallucinationMitigator`` says what to do about them. What the Rust core finds is the default; with
``strict_seed`` the document's algorithms run as they are written, defects included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from groundwire.profiles.dialogue.alongside import Alongside
from groundwire.profiles.dialogue.attributes import (
    AttributeVerifier,
    KBContradictionDetector,
    UnsupportedClaimDetector,
)
from groundwire.profiles.dialogue.builtin import (
    RegistryResolver,
    RuleClassifier,
    TopicSimilarity,
    WordTables,
)
from groundwire.profiles.dialogue.detector import Components, HallucinationDetector
from groundwire.profiles.dialogue.errors import HallucinationError, MitigationError
from groundwire.profiles.dialogue.facts import EntityExistenceChecker, FabricatedFactDetector
from groundwire.profiles.dialogue.history import HistoryContradictionDetector
from groundwire.profiles.dialogue.knowledge import AttributeValue, Entity, KnowledgeBase
from groundwire.profiles.dialogue.logic import LogicalConsistencyChecker
from groundwire.profiles.dialogue.models import (
    NliClassifier,
    SentenceTransformerSimilarity,
    TransformersSimilarity,
)
from groundwire.profiles.dialogue.native import to_finding, to_flag, to_flags
from groundwire.profiles.dialogue.parts import (
    ClaimExtractor,
    ContradictionClassifier,
    EntityResolver,
    LogicalInferenceEngine,
    NERModel,
    SemanticSimilarityModel,
    StatementParser,
    TemporalExtractor,
)
from groundwire.profiles.dialogue.scorer import (
    EvidenceWeights,
    HallucinationConfidenceScorer,
    linguistic_signals,
)
from groundwire.profiles.dialogue.segments import segment_response
from groundwire.profiles.dialogue.session import Session, Shared, detect_hallucinations
from groundwire.profiles.dialogue.settings import (
    DetectorWeights,
    EnabledDetectors,
    HallucinationDetectorConfig,
)
from groundwire.profiles.dialogue.state import DialogueState, EntityRegistry, Turn
from groundwire.profiles.dialogue.temporal import TemporalConsistencyChecker
from groundwire.profiles.dialogue.types import (
    Claim,
    Contradiction,
    ContradictionResult,
    ContradictionType,
    EntityMention,
    HallucinationFlag,
    HallucinationType,
    HistoryEvidence,
    KBEvidence,
    LinguisticSignal,
    LogicalStatement,
    MentionType,
    ResponseSegment,
    TemporalExpression,
    TemporalRelation,
    Tense,
)

if TYPE_CHECKING:
    from groundwire.mitigation import (
        Correction,
        HallucinationCorrector,
        HallucinationMitigator,
        MitigationAction,
        MitigationConfig,
    )

_MITIGATION = frozenset(
    {
        "Correction",
        "HallucinationCorrector",
        "HallucinationMitigator",
        "MitigationAction",
        "MitigationConfig",
    }
)

__all__ = [
    "Alongside",
    "AttributeValue",
    "AttributeVerifier",
    "Claim",
    "ClaimExtractor",
    "Components",
    "Contradiction",
    "ContradictionClassifier",
    "ContradictionResult",
    "ContradictionType",
    "Correction",
    "DetectorWeights",
    "DialogueState",
    "EnabledDetectors",
    "Entity",
    "EntityExistenceChecker",
    "EntityMention",
    "EntityRegistry",
    "EntityResolver",
    "EvidenceWeights",
    "FabricatedFactDetector",
    "HallucinationConfidenceScorer",
    "HallucinationCorrector",
    "HallucinationDetector",
    "HallucinationDetectorConfig",
    "HallucinationError",
    "HallucinationFlag",
    "HallucinationMitigator",
    "HallucinationType",
    "HistoryContradictionDetector",
    "HistoryEvidence",
    "KBContradictionDetector",
    "KBEvidence",
    "KnowledgeBase",
    "LinguisticSignal",
    "LogicalConsistencyChecker",
    "LogicalInferenceEngine",
    "LogicalStatement",
    "MentionType",
    "MitigationAction",
    "MitigationConfig",
    "MitigationError",
    "NERModel",
    "NliClassifier",
    "RegistryResolver",
    "ResponseSegment",
    "RuleClassifier",
    "SemanticSimilarityModel",
    "SentenceTransformerSimilarity",
    "Session",
    "Shared",
    "StatementParser",
    "TemporalConsistencyChecker",
    "TemporalExpression",
    "TemporalExtractor",
    "TemporalRelation",
    "Tense",
    "TopicSimilarity",
    "TransformersSimilarity",
    "Turn",
    "UnsupportedClaimDetector",
    "WordTables",
    "detect_hallucinations",
    "linguistic_signals",
    "segment_response",
    "to_finding",
    "to_flag",
    "to_flags",
]


def __getattr__(name: str) -> Any:
    """Import the names of mitigation when they are first used; it is built on this package."""
    if name in _MITIGATION:
        from groundwire import mitigation

        return getattr(mitigation, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
