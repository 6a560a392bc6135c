//! How bad a finding is, given what else is known (S0-065..071).
//!
//! `score = base severity × Π (w·factor + 1 − w)`, clamped to 0..1; `risk = score × p_hallucinated`
//! (the seed's scorer leaves the probability out; X-13).

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::types::{Finding, LinguisticKind, LinguisticSignal};

/// Weights of the four factors (S0-065).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// Weight of the knowledge base.
    pub kb: f64,
    /// Weight of the dialogue history.
    pub history: f64,
    /// Weight of the wording.
    pub linguistic: f64,
    /// Weight of related findings.
    pub consistency: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            kb: 0.35,
            history: 0.25,
            linguistic: 0.20,
            consistency: 0.20,
        }
    }
}

impl Weights {
    /// Checks that every weight lies in 0..1.
    ///
    /// # Errors
    /// `Argument` naming the weight that does not.
    pub fn validate(&self) -> Result<()> {
        for (name, value) in [
            ("kb", self.kb),
            ("history", self.history),
            ("linguistic", self.linguistic),
            ("consistency", self.consistency),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::argument(format!(
                    "weight '{name}' is {value}; weights lie between 0 and 1"
                )));
            }
        }
        Ok(())
    }
}

/// What the knowledge base says of a claim (S0-025).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct KbEvidence {
    /// It says otherwise.
    pub contradicts: bool,
    /// It can't tell.
    pub unverifiable: bool,
    /// How sure it is, 0..1.
    pub confidence: f64,
}

/// What the history says of a claim (S0-025).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HistoryEvidence {
    /// It says otherwise.
    pub contradicts: bool,
    /// How sure it is, 0..1.
    pub confidence: f64,
}

/// Everything the score of one finding depends on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs<'a> {
    /// Base severity of the finding's type, 0..1.
    pub base: f64,
    /// Knowledge base, if asked.
    pub kb: Option<KbEvidence>,
    /// History, if asked.
    pub history: Option<HistoryEvidence>,
    /// Wording of the claim.
    pub signals: &'a [LinguisticSignal],
    /// Number of other findings; `None` where there is none.
    pub related: Option<usize>,
}

/// A score with the way it came about.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// Base severity.
    pub base: f64,
    /// Factor of the knowledge base, if asked.
    pub kb_factor: Option<f64>,
    /// Factor of the history, if asked.
    pub history_factor: Option<f64>,
    /// Factor of the wording.
    pub linguistic_factor: f64,
    /// Factor of related findings.
    pub consistency_factor: f64,
    /// The score, 0..1.
    pub score: f64,
}

/// Factor of the knowledge base (S0-067).
#[must_use]
pub fn kb_factor(kb: KbEvidence) -> f64 {
    if kb.contradicts {
        1.0 + 0.3 * kb.confidence
    } else if kb.unverifiable {
        1.0
    } else {
        0.5
    }
}

/// Factor of the history (S0-068).
#[must_use]
pub fn history_factor(history: HistoryEvidence) -> f64 {
    if history.contradicts {
        1.0 + 0.25 * history.confidence
    } else {
        0.7
    }
}

/// Factor of the wording (S0-069).
#[must_use]
pub fn linguistic_factor(signals: &[LinguisticSignal]) -> f64 {
    signals.iter().fold(1.0, |factor, signal| {
        factor
            * match signal.kind {
                LinguisticKind::Hedging => 1.0 - 0.3 * signal.strength,
                LinguisticKind::Overconfidence => 1.0 + 0.2 * signal.strength,
                LinguisticKind::Vagueness => 1.0,
                LinguisticKind::SelfCorrection => 0.8,
                LinguisticKind::Certainty => 1.15,
            }
    })
}

/// Related findings beyond which more change nothing.
pub const MOST_RELATED: usize = 3;

/// Factor of related findings (S0-070).
#[must_use]
pub fn consistency_factor(related: Option<usize>) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    related.map_or(1.0, |count| 1.0 + (0.1 * count as f64).min(0.3))
}

/// Whether two findings are related: same type, or one content holds the other (S0-071).
#[must_use]
pub fn related(a: &Finding, b: &Finding) -> bool {
    a.kind == b.kind || a.content.contains(&b.content) || b.content.contains(&a.content)
}

/// The score of S0-066 with its factors.
#[must_use]
pub fn score(inputs: &Inputs<'_>, weights: &Weights) -> Breakdown {
    let blend = |weight: f64, factor: f64| weight * factor + (1.0 - weight);
    let kb = inputs.kb.map(kb_factor);
    let history = inputs.history.map(history_factor);
    let linguistic = linguistic_factor(inputs.signals);
    let consistency = consistency_factor(inputs.related);
    let mut score = inputs.base;
    if let Some(factor) = kb {
        score *= blend(weights.kb, factor);
    }
    if let Some(factor) = history {
        score *= blend(weights.history, factor);
    }
    score *= blend(weights.linguistic, linguistic);
    score *= blend(weights.consistency, consistency);
    Breakdown {
        base: inputs.base,
        kb_factor: kb,
        history_factor: history,
        linguistic_factor: linguistic,
        consistency_factor: consistency,
        score: score.clamp(0.0, 1.0),
    }
}

/// Base confidence of a kind of source, 0..1 (S4-009), by the document's name of it or by that of a
/// kind of evidence. A tool's result and a record are observed, a passage and a fact of a base are
/// read from a file, a turn is somebody's statement; a rule and a number about the stream are
/// inferred. Any other kind has 0.3.
#[must_use]
pub fn base_confidence(source: &str) -> f64 {
    match source {
        "direct_observation" | "tool_result" | "source_record" => 0.9,
        "file_content" | "passage" | "kb_fact" => 0.8,
        "user_statement" | "prior_turn" => 0.7,
        "inference" | "rule" | "signal" => 0.6,
        _ => 0.3,
    }
}
