//! Tests of `score`, beside vectors computed from the seed's formula.

use groundwire_core::score::{
    HistoryEvidence, Inputs, KbEvidence, Weights, base_confidence, related, score,
};
use groundwire_core::types::{Finding, LinguisticKind, LinguisticSignal, Span};
use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Vectors {
    scores: Vec<Case>,
    source_confidence: Vec<Source>,
    pub(crate) strict_tiers: Vec<Strict>,
    pub(crate) tiers: Vec<Cut>,
}

#[derive(Deserialize)]
struct Case {
    base: f64,
    kb: Option<KbEvidence>,
    history: Option<HistoryEvidence>,
    signals: Vec<Signal>,
    related: Option<usize>,
    weights: Weights,
    score: f64,
}

#[derive(Deserialize)]
struct Signal {
    kind: LinguisticKind,
    strength: f64,
}

#[derive(Deserialize)]
struct Source {
    source: String,
    quality: f64,
    confidence: f64,
}

#[derive(Deserialize)]
pub(crate) struct Strict {
    pub(crate) truth: f64,
    pub(crate) contradicted: bool,
    pub(crate) tier: String,
}

#[derive(Deserialize)]
pub(crate) struct Cut {
    pub(crate) risk: f64,
    pub(crate) contradicted: bool,
    pub(crate) tier: String,
}

pub(crate) fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../vectors/score.json")).unwrap()
}

/// A finding with nothing to it.
pub(crate) fn finding(kind: &str, p: f64) -> Finding {
    let plain: Finding = serde_json::from_value(serde_json::json!({
        "id": format!("t-{kind}-{p}"), "system": kind.split('.').next().unwrap(), "type": kind,
        "rule": "test", "span": null, "spans": [], "text": "", "locator": null, "claim_id": null,
        "decided_at": 0, "p_hallucinated": 0.0, "severity": "high", "native_severity": "high",
        "score": 1.0, "risk": 0.0, "tier": "none", "status": "unverifiable", "content": "c",
        "message": {"template": "", "params": []}, "suggestion": null, "replacement": null,
        "evidence": [], "detected": null, "expected": null, "extra": {},
    }))
    .unwrap();
    Finding {
        p_hallucinated: p,
        risk: p,
        ..plain
    }
}

#[test]
fn scores_of_the_seed() {
    // req: S0-065, S0-066, S0-067, S0-068, S0-069, S0-070
    for (i, case) in vectors().scores.iter().enumerate() {
        let signals: Vec<LinguisticSignal> = case
            .signals
            .iter()
            .map(|s| LinguisticSignal {
                kind: s.kind,
                strength: s.strength,
                span: Span::new(0, 0),
            })
            .collect();
        let inputs = Inputs {
            base: case.base,
            kb: case.kb,
            history: case.history,
            signals: &signals,
            related: case.related,
        };
        let got = score(&inputs, &case.weights).score;
        assert!(
            (got - case.score).abs() < 1e-12,
            "case {i}: {got} instead of {}",
            case.score
        );
    }
    assert_eq!(Weights::default(), vectors().scores[0].weights);
}

#[test]
fn what_is_related() {
    // req: S0-071
    let with = |kind: &str, content: &str| Finding {
        content: content.into(),
        ..finding(kind, 0.5)
    };
    assert!(related(&with("a.x", "one"), &with("a.x", "two")));
    assert!(related(&with("a.x", "one two"), &with("a.y", "two")));
    assert!(related(&with("a.x", "two"), &with("a.y", "one two")));
    assert!(!related(&with("a.x", "one"), &with("a.y", "two")));
}

#[test]
fn confidence_of_sources() {
    // req: S4-009, S4-010
    for case in vectors().source_confidence {
        let got = base_confidence(&case.source) * case.quality;
        assert!((got - case.confidence).abs() < 1e-12, "{}", case.source);
    }
}

#[test]
fn weights_lie_between_0_and_1() {
    for bad in [-0.1, 1.1, f64::NAN] {
        let error = Weights {
            history: bad,
            ..Weights::default()
        }
        .validate()
        .unwrap_err();
        assert!(error.message().contains("'history'"), "{error}");
    }
    Weights::default().validate().unwrap();
}

// req: S0-104
#[test]
fn evidence_is_as_sure_as_its_kind() {
    use groundwire_core::types::EvidenceKind;
    for (kind, least) in [
        (EvidenceKind::ToolResult, 0.9),
        (EvidenceKind::Passage, 0.8),
        (EvidenceKind::KbFact, 0.8),
        (EvidenceKind::PriorTurn, 0.7),
        (EvidenceKind::Rule, 0.6),
    ] {
        assert!(
            (base_confidence(kind.as_str()) - least).abs() < 1e-12,
            "{kind:?}"
        );
    }
}
