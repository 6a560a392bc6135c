//! Numbers about the stream, and wording that changes how sure a sentence sounds.

use serde::{Deserialize, Serialize};

use super::text::Span;
use crate::error::{Error, Result};

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
    #[serde(with = "number", default)]
    pub surprisal: Option<f64>,
    /// Entropy of the row, nats.
    #[serde(with = "number", default)]
    pub entropy: Option<f64>,
    /// Variance of −ln p under the row, nats².
    #[serde(with = "number", default)]
    pub varentropy: Option<f64>,
    /// Difference of the two highest probabilities, 0..1.
    #[serde(with = "number", default)]
    pub margin: Option<f64>,
    /// −mean ln p of the 20 most likely tokens (DeepConf token confidence, arXiv 2508.15260).
    #[serde(with = "number", default)]
    pub confidence: Option<f64>,
    /// Mean of `confidence` over the window, once the window is full.
    #[serde(with = "number", default)]
    pub group_confidence: Option<f64>,
    /// KL(row ‖ prior row), bits.
    #[serde(with = "number", default)]
    pub kl_bits: Option<f64>,
    /// log2 p(token | evidence) − log2 p(token | no evidence).
    #[serde(with = "number", default)]
    pub lift_bits: Option<f64>,
    /// ln p of the token with the evidence.
    #[serde(with = "number", default)]
    pub logprob: Option<f64>,
    /// ln p of the token without the evidence.
    #[serde(with = "number", default)]
    pub prior_logprob: Option<f64>,
    /// The row held NaN, was empty or masked everything, or a number that an engine gave cannot
    /// be: no statistic is given.
    pub invalid: bool,
}

/// Logprobs are rounded by those who send them; a number beyond its range by this much is in it.
const SLACK: f64 = 1e-3;

impl Signals {
    /// The numbers as an engine outside gave them. One that is NaN, or infinite where its
    /// definition excludes that, is what a broken engine computes: the token's signals are then
    /// `invalid` and hold no number. −∞ is the logarithm of 0, and what follows from it is valid.
    ///
    /// # Errors
    /// `Argument` if a finite number lies outside its range (ln p at most 0, margin 0..1, the rest
    /// but `lift_bits` at least 0): that is a wrong unit or sign. The message names both.
    pub fn checked(self) -> Result<Self> {
        const INF: f64 = f64::INFINITY;
        let mut invalid = self.invalid;
        for (name, value, lo, hi, range) in [
            ("surprisal", self.surprisal, 0.0, INF, "0 or more (nats)"),
            ("entropy", self.entropy, 0.0, INF, "0 or more (nats)"),
            ("varentropy", self.varentropy, 0.0, INF, "0 or more (nats²)"),
            ("margin", self.margin, 0.0, 1.0, "0..1"),
            ("confidence", self.confidence, 0.0, INF, "0 or more (nats)"),
            (
                "group_confidence",
                self.group_confidence,
                0.0,
                INF,
                "0 or more (nats)",
            ),
            ("kl_bits", self.kl_bits, 0.0, INF, "0 or more (bits)"),
            ("lift_bits", self.lift_bits, -INF, INF, "any number (bits)"),
            ("logprob", self.logprob, -INF, 0.0, LN_P),
            ("prior_logprob", self.prior_logprob, -INF, 0.0, LN_P),
        ] {
            let Some(value) = value else { continue };
            if (lo - SLACK..=hi + SLACK).contains(&value) {
                continue;
            }
            if value.is_finite() {
                return Err(Error::argument(format!(
                    "signal '{name}' is {value}; it is {range}"
                )));
            }
            invalid = true;
        }
        Ok(if invalid {
            Self {
                invalid,
                ..Self::default()
            }
        } else {
            self
        })
    }
}

/// The range of a logprob.
const LN_P: &str = "0 or less (natural logarithm of a probability)";

/// Numbers as JSON, which knows no infinity: `"inf"`, `"-inf"` and `"nan"` stand for themselves.
mod number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(f64),
        Word(String),
    }

    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub(super) fn serialize<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(x) if x.is_nan() => "nan".serialize(to),
            Some(x) if x.is_infinite() => (if *x > 0.0 { "inf" } else { "-inf" }).serialize(to),
            plain => plain.serialize(to),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
        Ok(match Option::<Written>::deserialize(from)? {
            None => None,
            Some(Written::Number(x)) => Some(x),
            Some(Written::Word(word)) => Some(match word.as_str() {
                "inf" => f64::INFINITY,
                "-inf" => f64::NEG_INFINITY,
                "nan" => f64::NAN,
                _ => return Err(D::Error::custom(format!("'{word}' is no number"))),
            }),
        })
    }
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
