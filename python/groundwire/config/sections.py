"""The sections of the configuration with their defaults.

A default that a source document fixes is that document's (S0, S1, S2, SPEC-08, S4); one that it
leaves open is D-1 to D-6 of the requirements, chosen once and listed here.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from groundwire.config.units import Bits, Count, Duration, Probability, Section, Size, Weight

Severity = Literal["info", "low", "medium", "high", "critical"]
FailurePolicy = Literal["continue", "stop", "reject", "exit"]
Action = Literal["accept", "annotate", "hedge", "correct", "remove", "interrupt", "discard"]


class Tiers(Section):
    """Risk (score times probability, 0..1) from which a finding reaches each tier; ascending."""

    low: Probability = 0.20
    medium: Probability = 0.45
    high: Probability = 0.65
    critical: Probability = 0.85

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        if not self.low <= self.medium <= self.high <= self.critical:
            msg = (
                f"cut-offs must ascend from low to critical: {self.low}, {self.medium}, "
                f"{self.high}, {self.critical}"
            )
            raise ValueError(msg)
        return self


class EnabledDetectors(Section):
    """Which of the dialogue profile's eight detectors run (S0-030)."""

    fabricated_facts: bool = True
    nonexistent_entities: bool = True
    wrong_attributes: bool = True
    kb_contradictions: bool = True
    history_contradictions: bool = True
    unsupported_claims: bool = True
    temporal_errors: bool = True
    logical_inconsistencies: bool = True


class DetectorWeights(Section):
    """Factor on the risk of each detector's findings, at least 0 (S0-031)."""

    fabricated_facts: Weight = 1.0
    nonexistent_entities: Weight = 1.0
    wrong_attributes: Weight = 1.0
    kb_contradictions: Weight = 1.0
    history_contradictions: Weight = 1.0
    unsupported_claims: Weight = 1.0
    temporal_errors: Weight = 1.0
    logical_inconsistencies: Weight = 1.0


class EvidenceWeights(Section):
    """How far each kind of evidence moves a finding's score (S0-065)."""

    kb: Probability = 0.35
    history: Probability = 0.25
    linguistic: Probability = 0.20
    consistency: Probability = 0.20


class Mitigation(Section):
    """From which probability a finding is flagged, corrected or makes the answer start again."""

    flag_threshold: Probability = 0.5
    auto_correct_threshold: Probability = 0.85
    """A finding of this probability or more is corrected: at 1.0 one that is certain (S0-077)."""
    regenerate_threshold: Probability = 0.9
    max_corrections: Count = 5


class DialogueSection(Section):
    """The dialogue profile (S0)."""

    enabled: bool = True
    detection_threshold: Probability = 0.5
    """Findings below this probability are dropped."""
    enabled_detectors: EnabledDetectors = EnabledDetectors()
    detector_weights: DetectorWeights = DetectorWeights()
    evidence_weights: EvidenceWeights = EvidenceWeights()
    mitigation: Mitigation = Mitigation()
    tiers: Tiers = Tiers()
    max_claims: Annotated[int, Field(ge=1)] = 100
    """Claims looked at in one answer; the first ones count."""
    unsupported_confidence: Probability = 0.6
    """Of a statistic or a "studies show" without a source (D-2)."""
    history_turns: Count = 10
    """Earlier turns that are looked back on (S0-046)."""
    history_roles: tuple[Literal["system", "user", "assistant", "tool"], ...] = (
        "user",
        "assistant",
        "tool",
    )
    """Whose turns establish facts that an answer can contradict."""
    history_similarity: Probability = 0.7
    contradiction_confidence: Probability = 0.6
    max_future_years: Count = 10
    failure: FailurePolicy = "continue"
    strict_seed: bool = False


class BankSection(Section):
    """The bank-statement profile (S1, D-3)."""

    enabled: bool = True
    critical_threshold: Count = 0
    """More critical findings than this reject the answer."""
    high_severity_threshold: Annotated[int, Field(ge=1)] = 3
    """This many high findings reject it."""
    min_statement_year: Annotated[int, Field(ge=0, le=9999)] = 1950
    max_future_years: Count = 1
    min_content_length: Count = 50
    min_account_length: Count = 4
    max_account_length: Annotated[int, Field(ge=1)] = 20
    valid_banks: tuple[str, ...] = ()
    """Banks known besides the built-in sixteen."""
    negative_page_severity: Severity = "medium"
    page_overflow_severity: Severity = "high"
    bank_pattern_severity: Severity = "medium"
    inconsistent_data_severity: Severity = "low"
    mask_keep: Count = 4
    """Characters of an account number that logs still show."""
    max_regex_input: Size = 100_000
    regex_timeout: Duration = timedelta(seconds=1)
    failure: FailurePolicy = "reject"
    strict_seed: bool = False

    @model_validator(mode="after")
    def _lengths(self) -> Self:
        if self.min_account_length > self.max_account_length:
            msg = (
                f"min_account_length ({self.min_account_length}) is above max_account_length "
                f"({self.max_account_length})"
            )
            raise ValueError(msg)
        return self


class CitationSection(Section):
    """The citation profile (S2, D-4)."""

    enabled: bool = True
    corpus: str = ".aiwg/research/corpus"
    """Folder of the research corpus."""
    title_similarity: Probability = 0.85
    context_similarity: Probability = 0.5
    leakage_before_year: Annotated[int, Field(ge=0, le=9999)] = 2022
    critical_count_threshold: Annotated[int, Field(ge=1)] = 1
    warning_count_threshold: Annotated[int, Field(ge=1)] = 3
    fail_on: Literal["critical", "warning", "info"] = "critical"
    format: Literal["text", "json", "github"] = "text"
    log_folder: str = ".aiwg/logs/hallucination-detection"
    false_positive_log: str = ".aiwg/logs/hallucination-false-positives.jsonl"
    failure: FailurePolicy = "exit"
    strict_seed: bool = False


class Backend(Section):
    """Who is asked whether a claim holds (SPEC-08.27)."""

    type: Literal["self", "haiku", "external", "configurable"] = "self"
    default: str = "self"
    """The backend of an operation that names none, where ``type`` is ``configurable``."""


class MemoryGate(Section):
    """Facts on their way into long-term memory."""

    enabled: bool = True
    min_confidence: Probability = 0.7
    reject_unsupported: bool = True
    threshold_bits: Bits = 2.0
    """Gap in bits above which a fact is refused (X-28 names the key the document lacks)."""


class OutputVerification(Section):
    """Answers on their way to the user."""

    enabled: bool = True
    flag_threshold_bits: Bits = 5.0


class TraceAuditing(Section):
    """Reasoning steps of a finished run."""

    enabled: bool = True
    check_post_hoc: bool = True
    derivability_threshold: Probability = 0.5


class BudgetRule(Section):
    """How probabilities become bits and bits become a status (D-5, X-26)."""

    target: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.95
    eps: Annotated[float, Field(gt=0.0, lt=0.5)] = 0.01
    """Probabilities are clipped to ``eps`` and ``1 - eps``."""
    unit: Literal["bits", "nats"] = "bits"
    samples: Annotated[int, Field(ge=1)] = 5
    contradicted_below: Probability = 0.2
    contradicted_from_prior: Probability = 0.5
    contradicted_from_prior_below: Probability = 0.3
    timeout_confidence_factor: Probability = 0.5


class HallucinationSection(Section):
    """The budget profile; the keys of SPEC-08.34 as that document writes them."""

    enabled: bool = False
    backend: Backend = Backend()
    memory_gate: MemoryGate = MemoryGate()
    output_verification: OutputVerification = OutputVerification()
    trace_auditing: TraceAuditing = TraceAuditing()
    batch_size: Annotated[int, Field(ge=1)] = 10
    timeout: Duration = timedelta(seconds=5)
    cache_ttl: Duration = timedelta(hours=1)
    budget: BudgetRule = BudgetRule()
    failure: FailurePolicy = "continue"
    strict_seed: bool = False


class Actions(Section):
    """What each tier leads to."""

    low: Action = "annotate"
    medium: Action = "hedge"
    high: Action = "interrupt"
    critical: Action = "discard"


class StreamSection(Section):
    """The stream profile, and how text is released (S4, D-6)."""

    enabled: bool = True
    tiers: Tiers = Tiers()
    interruption_threshold: Probability = 0.8
    """A pattern whose confidence is above this is at least high."""
    hallucination_threshold: Probability = 0.5
    """A claim whose adjusted truth confidence is below this is flagged (S4-011)."""
    release: Literal["token", "claim", "response"] = "claim"
    """When text leaves: at once, when its claim has closed, when the answer has."""
    actions: Actions = Actions()
    max_hold_tokens: Annotated[int, Field(ge=1)] = 256
    max_hold_ms: Annotated[int, Field(ge=0)] = 10_000
    """Limits of the hold; whichever is reached first ends it."""
    hold_unresolved: bool = True
    """Whether text waits for a claim that a verifier has not answered yet."""
    max_interventions: Annotated[int, Field(ge=0)] = 8
    """After so many the answer ends honestly."""
    after_interrupt: Literal["continue", "stop"] = "continue"
    annotation: Literal["inline", "footnote", "metadata"] = "metadata"
    max_retained: Annotated[Size, Field(ge=16 * 1024)] = 1024 * 1024
    """Text kept of one stream; rollback reaches no further."""
    group_window: Annotated[int, Field(ge=1)] = 2048
    """Tokens over which confidence is averaged."""
    group_confidence_bar: float | None = None
    """Mean confidence below which a finding is made; the scale is the model's own."""
    support_threshold: Probability = 0.6
    """Probability of being supported below which a closed sentence is reported."""
    word_support_threshold: Probability = 0.6
    """The same for a stretch of a sentence that is still open."""
    detail_threshold: Probability = 0.7
    """Probability of a wrong detail from which a closed sentence is reported."""
    unknown_names_always: bool = False
    """Report unknown names even where there is neither evidence nor a knowledge base."""
    failure: FailurePolicy = "continue"
    strict_seed: bool = False
