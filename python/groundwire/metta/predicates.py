"""What the 25 predicates do, in Python; ``groundwire.metta.atoms`` gives them to MeTTa.

A flag is a ``Finding`` of one of the seed's eight types. All of them come from the one core: a
predicate for one detector keeps that detector's flags of a whole check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from groundwire import _core
from groundwire.errors import ArgumentError
from groundwire.findings import Evidence, Finding
from groundwire.kb import KnowledgeBase
from groundwire.metta.model import TYPES, DialogueState, Signals, native_flag, type_of
from groundwire.mitigation import (
    HallucinationCorrector,
    HallucinationMitigator,
    MitigationAction,
)
from groundwire.mitigation.mitigator import generate_regeneration_guidance
from groundwire.monitor import Monitor
from groundwire.profiles.dialogue.scorer import HallucinationConfidenceScorer
from groundwire.profiles.dialogue.segments import segment_response as segments_of
from groundwire.profiles.dialogue.types import (
    SIGNAL_KINDS,
    Claim,
    EntityMention,
    HallucinationType,
    HistoryEvidence,
    KBEvidence,
    LinguisticSignal,
    ResponseSegment,
    TemporalExpression,
)

Flags = tuple[Finding, ...]
Segments = tuple[ResponseSegment, ...]


def flags_of(
    text: str,
    dialogue: DialogueState | None = None,
    kb: KnowledgeBase | None = None,
    only: str | None = None,
) -> Flags:
    """Return the flags of an answer, in the order of the text.

    With ``only`` that type's detector runs alone, so that no other's flag stands for its own.
    """
    history = () if dialogue is None else dialogue.turns
    findings = _monitor(kb, only).check(text, history=history).findings
    return tuple(finding for finding in findings if type_of(finding) is not None)


@lru_cache(maxsize=32)
def _monitor(kb: KnowledgeBase | None, only: str | None = None) -> Monitor:
    """Return the monitor of a base; compiling one takes far longer than a check."""
    others = [kind.native for kind in HallucinationType if only not in (None, kind.name)]
    return Monitor(kb=kb, profiles=({"name": "dialogue", "disabled": others},))


# -- core


def detect_hallucinations(text: str, dialogue: DialogueState, kb: KnowledgeBase) -> Flags:
    """All detectors over one answer."""
    return flags_of(text, dialogue, kb)


def hallucination_confidence(flag: Finding) -> float:
    """How sure a flag is, 0..1."""
    return flag.p_hallucinated


def hallucination_severity(type: str) -> float:
    """Base severity of a type, 0..1.

    Raises:
        ArgumentError: it is none of the eight types.

    """
    if type not in TYPES:
        raise ArgumentError(f"{type!a:.60} is none of {', '.join(TYPES)}")
    return TYPES[type][0]


# -- detectors


def only(
    type: str,
    segments: Segments,
    dialogue: DialogueState | None = None,
    kb: KnowledgeBase | None = None,
) -> Flags:
    """Return the flags of one type over segments of an answer."""
    found = flags_of(joined(segments), dialogue, kb, type)
    return tuple(flag for flag in found if type_of(flag) == type)


def joined(segments: Sequence[ResponseSegment]) -> str:
    """Return the text the segments stand in, with spaces where nothing is known to stand.

    Spans in it are those of the answer. Raises ``ArgumentError`` for segments out of order.
    """
    text = ""
    for segment in segments:
        if segment.span[0] < len(text):
            raise ArgumentError("the segments of an answer overlap or are out of order")
        text += " " * (segment.span[0] - len(text)) + segment.text
    return text


def _with_kb(type: str) -> Callable[[Segments, KnowledgeBase], Flags]:
    return lambda segments, kb: only(type, segments, kb=kb)


def detect_nonexistent_entities(
    segments: Segments, dialogue: DialogueState, kb: KnowledgeBase
) -> Flags:
    """Names that neither the dialogue nor the base has."""
    return only("NonexistentEntity", segments, dialogue, kb)


def detect_history_contradictions(segments: Segments, dialogue: DialogueState) -> Flags:
    """Statements against what was said earlier."""
    return only("ContradictsPrior", segments, dialogue)


# -- segmentation


def segment_response(text: str) -> Segments:
    """Return the sentences of an answer, with what stands in each (S0-038)."""
    return tuple(segments_of(text))


def extract_claims(text: str) -> tuple[Claim, ...]:
    """Return the assertions of a text."""
    return tuple(claim for segment in segments_of(text) for claim in segment.claims)


def extract_entities(text: str) -> tuple[EntityMention, ...]:
    """Return what a text refers to: names, descriptions, pronouns."""
    return tuple(mention for segment in segments_of(text) for mention in segment.entities)


def extract_temporals(text: str) -> tuple[TemporalExpression, ...]:
    """Return the expressions of time in a text."""
    return tuple(time for segment in segments_of(text) for time in segment.temporals)


# -- evidence


def entity_exists(name: str, kb: KnowledgeBase) -> bool:
    """Whether the base has an entity of that name or alias."""
    return kb.entity_exists(name)


def attribute_matches(entity: str, attribute: str, value: str, kb: KnowledgeBase) -> bool:
    """Whether the base has that value, compared by type: "12 March 1987" is 1987-03-12."""
    found = kb.get_entity(entity)
    if found is None:
        return False
    said = KnowledgeBase.from_records([{"name": "x", "attributes": {attribute: value}}])
    (meant,) = said.facts(said.ids()[0])
    facts = found["attributes"].get(meant["predicate"], ())
    return any(_same(fact, meant) for fact in facts)


def _same(fact: dict[str, Any], meant: dict[str, Any]) -> bool:
    if isinstance(fact["value"], str) and isinstance(meant["value"], str):
        mine, theirs = (" ".join(f["value"].casefold().split()) for f in (fact, meant))
        return mine == theirs
    same = fact["value"] == meant["value"]
    return bool(same and fact.get("unit") == meant.get("unit"))


def contradicts_kb(claim: Claim, kb: KnowledgeBase) -> bool:
    """Whether a fact of the base says otherwise."""
    return _contradicted(flags_of(str(claim), kb=kb), "kb_fact")


def contradicts_history(claim: Claim, dialogue: DialogueState) -> bool:
    """Whether an earlier turn says otherwise."""
    flags = flags_of(str(claim), dialogue)
    return any(type_of(flag) == "ContradictsPrior" for flag in flags)


def _contradicted(flags: Flags, kind: str) -> bool:
    return any(
        flag.status == "contradicted" and any(e.kind == kind for e in flag.evidence)
        for flag in flags
    )


# -- mitigation


def mitigate_hallucination(flag: Finding, kb: KnowledgeBase) -> MitigationAction:
    """Return what to do about one flag (S0-075 to S0-078), as the mitigator decides it."""
    (action,) = HallucinationMitigator().mitigate([native_flag(flag)], kb)
    return action


def find_correction(flag: Finding, kb: KnowledgeBase) -> str | None:
    """Return text that may stand in the place of the flag's, if a source has it (S0-080, X-12)."""
    found = HallucinationCorrector().find(native_flag(flag), kb)
    return None if found is None else found.value


def guidance(flags: Flags) -> str:
    """Return what to tell the model (S0-084, S0-085): at most five lines, the surest first."""
    order = sorted(flags, key=lambda flag: -flag.p_hallucinated)
    return generate_regeneration_guidance([native_flag(flag) for flag in order])


# -- scoring


def score_hallucination_confidence(
    flag: Finding, kb: KBEvidence, history: HistoryEvidence, signals: Signals, others: Flags
) -> float:
    """Return a flag's score, 0..1 (S0-066 to S0-071), as the scorer computes it."""
    wording = [
        LinguisticSignal(signal.kind, signal.strength)
        for signal in signals
        if signal.kind in SIGNAL_KINDS
    ]
    related = [native_flag(other) for other in others]
    return HallucinationConfidenceScorer().score(native_flag(flag), kb, history, wording, related)


def linguistic_signals(text: str) -> Signals:
    """Return the wording signals of a text."""
    return tuple(_core.linguistic_signals(text))


def evidence_strength(evidence: Evidence) -> float:
    """How strongly evidence speaks, 0..1: the base confidence of its source (S4-009) by quality.

    Its kind is one of the document's source types or of ``Evidence``'s kinds.
    """
    return _core.base_confidence(evidence.kind) * min(max(evidence.quality, 0.0), 1.0)


_SL, _K, _FL, _D = (
    "List ResponseSegment",
    "KnowledgeBase",
    "List HallucinationFlag",
    "DialogueState",
)
_S, _F = "String", "HallucinationFlag"

PREDICATES: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "detect-hallucinations": (detect_hallucinations, (_S, _D, _K, _FL)),
    "hallucination-confidence": (hallucination_confidence, (_F, "Float")),
    "hallucination-severity": (hallucination_severity, ("HallucinationType", "Float")),
    "detect-fabricated-facts": (_with_kb("FabricatedFact"), (_SL, _K, _FL)),
    "detect-nonexistent-entities": (detect_nonexistent_entities, (_SL, _D, _K, _FL)),
    "detect-wrong-attributes": (_with_kb("WrongAttribute"), (_SL, _K, _FL)),
    "detect-kb-contradictions": (_with_kb("ContradictsFact"), (_SL, _K, _FL)),
    "detect-history-contradictions": (detect_history_contradictions, (_SL, _D, _FL)),
    "detect-unsupported-claims": (_with_kb("UnsupportedClaim"), (_SL, _K, _FL)),
    "detect-temporal-errors": (partial(only, "TemporalError"), (_SL, _FL)),
    "detect-logical-inconsistencies": (partial(only, "LogicalInconsistency"), (_SL, _FL)),
    "segment-response": (segment_response, (_S, _SL)),
    "extract-claims": (extract_claims, (_S, "List Claim")),
    "extract-entities": (extract_entities, (_S, "List EntityMention")),
    "extract-temporals": (extract_temporals, (_S, "List TemporalExpression")),
    "entity-exists": (entity_exists, (_S, _K, "Bool")),
    "attribute-matches": (attribute_matches, (_S, _S, _S, _K, "Bool")),
    "contradicts-kb": (contradicts_kb, ("Claim", _K, "Bool")),
    "contradicts-history": (contradicts_history, ("Claim", _D, "Bool")),
    "mitigate-hallucination": (mitigate_hallucination, (_F, _K, "MitigationAction")),
    "find-correction": (find_correction, (_F, _K, "Maybe String")),
    "generate-regeneration-guidance": (guidance, (_FL, _S)),
    "score-hallucination-confidence": (
        score_hallucination_confidence,
        (_F, "KBEvidence", "HistoryEvidence", "List LinguisticSignal", _FL, "Float"),
    ),
    "linguistic-signals": (linguistic_signals, (_S, "List LinguisticSignal")),
    "evidence-strength": (evidence_strength, ("Evidence", "Float")),
}
"""The 25 predicates: what they do, and the types the seed declares, the result's last."""
