"""Checks before, during and after an answer, under the names their document gives them (S4)."""

from __future__ import annotations

from groundwire.profiles.stream.attribution import (
    Attributor,
    SourceAttributionTracker,
    Verification,
    attribute,
)
from groundwire.profiles.stream.coherence import (
    Coherence,
    Contradiction,
    Drift,
    contradiction_severity,
    validate_coherence,
    validateCoherence,
)
from groundwire.profiles.stream.confidence import (
    HALLUCINATION_THRESHOLD,
    ConfidenceTracker,
    adjusted_confidence,
    baseline_confidence,
    epistemic_phrase,
    score_confidence,
    scoreConfidence,
)
from groundwire.profiles.stream.generation import (
    INTERRUPTION_THRESHOLD,
    GenerationMonitor,
    hallucination_patterns,
)
from groundwire.profiles.stream.knowledge import (
    Gap,
    KnowledgeCheck,
    verify_knowledge,
    verifyKnowledgeAvailability,
)
from groundwire.profiles.stream.needs import Need, extract_needs
from groundwire.profiles.stream.sources import (
    FileContent,
    Inference,
    KnowledgeFact,
    Observation,
    OtherSource,
    Source,
    UserStatement,
)
from groundwire.profiles.stream.specificity import SpecificityDrift
from groundwire.profiles.stream.supply import KnowledgeStore

__all__ = [
    "HALLUCINATION_THRESHOLD",
    "INTERRUPTION_THRESHOLD",
    "Attributor",
    "Coherence",
    "ConfidenceTracker",
    "Contradiction",
    "Drift",
    "FileContent",
    "Gap",
    "GenerationMonitor",
    "Inference",
    "KnowledgeCheck",
    "KnowledgeFact",
    "KnowledgeStore",
    "Need",
    "Observation",
    "OtherSource",
    "Source",
    "SourceAttributionTracker",
    "SpecificityDrift",
    "UserStatement",
    "Verification",
    "adjusted_confidence",
    "attribute",
    "baseline_confidence",
    "contradiction_severity",
    "epistemic_phrase",
    "extract_needs",
    "hallucination_patterns",
    "scoreConfidence",
    "score_confidence",
    "validateCoherence",
    "validate_coherence",
    "verifyKnowledgeAvailability",
    "verify_knowledge",
]
