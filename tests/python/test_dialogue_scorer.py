"""The dialogue profile's types and its scorer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import ArgumentError
from groundwire.findings import Finding
from groundwire.profiles import dialogue as d

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "score.json").read_text())


def flag(kind=d.HallucinationType.FabricatedFact, content="x", confidence=0.8, **more):
    return d.HallucinationFlag((0, len(content)), content, kind, confidence, **more)


@pytest.mark.req("S0-004", "S0-005", "S0-006", "S0-007", "S0-008", "S0-009", "S0-010", "S0-011")
@pytest.mark.req("S0-012")
def test_the_eight_types() -> None:
    table = [(t.name, t.base_severity(), t.label(), t.description()) for t in d.HallucinationType]
    assert table == [
        ("FabricatedFact", 0.95, "HIGH", "This fact could not be verified"),
        ("NonexistentEntity", 0.90, "HIGH", "This entity could not be found"),
        ("WrongAttribute", 0.75, "MEDIUM-HIGH", "This attribute appears incorrect"),
        ("ContradictsFact", 0.95, "HIGH", "This contradicts known information"),
        ("ContradictsPrior", 0.80, "MEDIUM-HIGH", "This contradicts earlier in the conversation"),
        ("UnsupportedClaim", 0.50, "MEDIUM", "This claim has no supporting evidence"),
        ("TemporalError", 0.65, "MEDIUM", "The timeline appears incorrect"),
        ("LogicalInconsistency", 0.60, "MEDIUM", "This contains a logical contradiction"),
    ]


class Based:
    """A flag whose type has any base severity, as the vectors have them."""

    def __init__(self, base: float, related: bool) -> None:
        self.base, self.content, self.entity = base, "x" if related else f"{id(self)}", None

    @property
    def hallucination_type(self):
        return self

    def base_severity(self) -> float:
        return self.base


@pytest.mark.req("S0-065", "S0-066", "S0-067", "S0-068", "S0-069", "S0-070", "S0-072a")
@pytest.mark.parametrize("case", VECTORS["scores"])
def test_scores_are_those_of_the_formulas(case: dict) -> None:
    names = dict(
        zip(
            ("kb", "history", "linguistic", "consistency"),
            ("kb_evidence", "history_evidence", "linguistic_signals", "consistency"),
            strict=True,
        )
    )
    weights = d.EvidenceWeights(**{names[key]: value for key, value in case["weights"].items()})
    signals = [d.LinguisticSignal(s["kind"], s["strength"]) for s in case["signals"]]
    kb = case["kb"] and d.KBEvidence(**case["kb"])
    history = case["history"] and d.HistoryEvidence(**case["history"])
    subject = Based(case["base"], True)
    related = case["related"]
    others = [] if related is None else [Based(0.5, True) for _ in range(related)]
    if related == 0:
        others = [Based(0.5, False)]
    scorer = d.HallucinationConfidenceScorer(weights)
    assert scorer.score(subject, kb, history, signals, others) == pytest.approx(
        case["score"], abs=1e-12
    )


@pytest.mark.req("S0-071", "U-10")
def test_flags_are_related_by_type_content_and_entity() -> None:
    mended, literal = (
        d.HallucinationConfidenceScorer(strict_seed=strict) for strict in (False, True)
    )
    one = flag(d.HallucinationType.TemporalError, "Acme closed in 2050", entity="Acme")
    assert literal.flags_related(one, flag(d.HallucinationType.TemporalError, "other"))
    assert literal.flags_related(one, flag(content="2050"))
    assert literal.flags_related(flag(content="2050"), one)
    same = flag(content="Its founder", entity="acme")
    assert mended.flags_related(one, same)
    assert not literal.flags_related(one, same)
    assert not mended.flags_related(one, flag(content="Its founder"))


def test_the_score_is_explained_step_by_step() -> None:
    steps = d.HallucinationConfidenceScorer().explain(
        flag(d.HallucinationType.WrongAttribute), d.KBEvidence(contradicts=True, confidence=1.0)
    )
    assert list(steps) == [
        "base_severity",
        "kb_factor",
        "linguistic_factor",
        "consistency_factor",
        "score",
    ]
    assert steps["score"] == pytest.approx(0.75 * (0.35 * 1.3 + 0.65))


@pytest.mark.req("S0-072", "S0-026")
def test_wording_signals_come_from_the_core() -> None:
    found = d.linguistic_signals("It may possibly be so, or rather, it certainly is.")
    assert {"hedging", "self_correction", "certainty"} <= {signal.kind for signal in found}
    assert d.LinguisticSignal.Hedging(0.5) == d.LinguisticSignal("hedging", 0.5)
    with pytest.raises(ArgumentError, match="from 0 to 1"):
        d.LinguisticSignal.Overconfidence(1.5)
    with pytest.raises(ArgumentError, match="kind is one of"):
        d.LinguisticSignal("shouting")


def test_what_is_out_of_range_is_refused_by_name() -> None:
    with pytest.raises(ArgumentError, match="confidence"):
        flag(confidence=1.1)
    with pytest.raises(ArgumentError, match="consistency"):
        d.EvidenceWeights(consistency=2)
    with pytest.raises(ArgumentError, match="temporal_errors"):
        d.DetectorWeights(temporal_errors=-1)
    with pytest.raises(ArgumentError, match="max_claims"):
        d.HallucinationDetectorConfig(max_claims=0)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@pytest.mark.req("U-2", "X-02", "S0-014")
@given(
    answer=texts,
    data=st.data(),
    kind=st.sampled_from(d.HallucinationType),
    confidence=st.floats(0, 1),
    suggestion=st.none() | texts,
    replacement=st.none() | texts,
    entity=st.none() | texts,
    inverted=st.booleans(),
)
def test_flags_and_findings_turn_into_each_other(
    answer, data, kind, confidence, suggestion, replacement, entity, inverted
) -> None:
    start = data.draw(st.integers(0, len(answer)))
    end = data.draw(st.integers(start, len(answer)))
    native = d.HallucinationFlag(
        (end, start) if inverted else (start, end),
        answer or "content",
        kind,
        confidence,
        suggestion,
        "why" if suggestion else None,
        answer[start:end],
        replacement,
        "contradicted" if replacement else "unverifiable",
        entity,
    )
    finding = d.to_finding(native, answer)
    assert finding.p_hallucinated == native.confidence
    if answer:
        assert answer.encode()[slice(*finding.byte_span)].decode() == answer[start:end]
    back = d.to_flag(finding)
    assert back == native


def test_a_finding_of_another_system_is_no_flag_unless_the_nearest_is_asked_for() -> None:
    finding = Finding(type="stream.unknown_entity", span=(0, 4), text="Jane", p_hallucinated=0.7)
    assert d.to_flags([finding]) == []
    (only,) = d.to_flags([finding], nearest=True)
    assert only.hallucination_type is d.HallucinationType.NonexistentEntity
    assert d.to_flag(Finding(type="dialogue.temporal_error")) is None
