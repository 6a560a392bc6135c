//! Numbers about the stream, and wording that changes how sure a sentence sounds.

use serde::{Deserialize, Serialize};

use super::text::Span;

/// A closed interval; both ends equal where the value is exact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

impl Interval {
    /// An exact value.
    #[must_use]
    pub const fn exact(value: f64) -> Self {
        Self {
            lo: value,
            hi: value,
        }
    }

    /// An interval from `lo` to `hi`.
    #[must_use]
    pub const fn new(lo: f64, hi: f64) -> Self {
        Self { lo, hi }
    }
}

/// What is known about one generated token. Natural logarithms unless a name says bits.
/// A field is `None` where the engine gave no row to compute it from.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Signals {
    /// −ln p of the token that was chosen.
    pub surprisal: Option<f64>,
    /// Entropy of the row, nats.
    pub entropy: Option<f64>,
    /// Variance of −ln p under the row, nats².
    pub varentropy: Option<f64>,
    /// Difference of the two highest probabilities, 0..1.
    pub margin: Option<f64>,
    /// −mean ln p of the 20 most likely tokens (DeepConf token confidence, arXiv 2508.15260).
    pub confidence: Option<f64>,
    /// Mean of `confidence` over the window, once the window is full.
    pub group_confidence: Option<f64>,
    /// KL(row ‖ prior row), bits.
    pub kl_bits: Option<f64>,
    /// log2 p(token | evidence) − log2 p(token | no evidence).
    pub lift_bits: Option<f64>,
    /// ln p of the token with the evidence.
    pub logprob: Option<f64>,
    /// ln p of the token without the evidence.
    pub prior_logprob: Option<f64>,
    /// The row held NaN, was empty or masked everything: no statistic is given.
    pub invalid: bool,
}

/// The five kinds of wording of S0-026.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinguisticKind {
    /// "might", "I think".
    Hedging,
    /// "definitely", "without any doubt".
    Overconfidence,
    /// "some", "various", "things".
    Vagueness,
    /// "actually, no", "I mean".
    SelfCorrection,
    /// "it is known that", "certainly".
    Certainty,
}

/// One piece of such wording.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LinguisticSignal {
    /// What it does.
    pub kind: LinguisticKind,
    /// How strongly, 0..1.
    pub strength: f64,
    /// Where it stands.
    pub span: Span,
}
