//! Budgets that grow token by token.

use std::f64::consts::LN_2;

use super::decide::{Budget, Params, budget};
use crate::error::Result;
use crate::types::Interval;

/// Sums are kept as integers of 2⁻³⁰, so that they are exact whatever the order, and the claims
/// of a stream add up to the stream to the last digit.
const SCALE: f64 = (1_u64 << 30) as f64;
/// No token counts for more than this many nats or bits.
const TOKEN_CAP: f64 = 4096.0;

fn fixed(value: f64) -> i64 {
    // NaN becomes 0 by the cast.
    (value.clamp(-TOKEN_CAP, TOKEN_CAP) * SCALE).round() as i64
}

fn float(sum: i64) -> f64 {
    sum as f64 / SCALE
}

/// What the tokens of one claim have cost so far: 40 bytes, O(1) a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClaimBudget {
    tokens: u32,
    content: u32,
    logprob: i64,
    prior_logprob: i64,
    lift: i64,
    kl: i64,
}

impl ClaimBudget {
    /// An empty budget.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one token. `logprob` and `prior_logprob`: its ln p with and without the evidence;
    /// `kl_bits`: KL(row ‖ prior row), 0 if unknown; `content`: whether it belongs to the words
    /// that p0 and p1 are made of. NaN counts as 0, and nothing for more than 4,096.
    pub fn push(&mut self, logprob: f64, prior_logprob: f64, kl_bits: f64, content: bool) {
        let (with, without) = (fixed(logprob), fixed(prior_logprob));
        self.tokens = self.tokens.saturating_add(1);
        self.lift = self.lift.saturating_add(with.saturating_sub(without));
        self.kl = self.kl.saturating_add(fixed(kl_bits));
        if content {
            self.content = self.content.saturating_add(1);
            self.logprob = self.logprob.saturating_add(with);
            self.prior_logprob = self.prior_logprob.saturating_add(without);
        }
    }

    /// Tokens counted.
    #[must_use]
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Content tokens counted.
    #[must_use]
    pub fn content_tokens(&self) -> u32 {
        self.content
    }

    /// Sum of KL(row ‖ prior row) over all tokens, bits.
    #[must_use]
    pub fn kl_bits(&self) -> f64 {
        float(self.kl)
    }

    /// Sum of log2 p(token | evidence) − log2 p(token | no evidence) over all tokens, bits.
    #[must_use]
    pub fn lift_bits(&self) -> f64 {
        float(self.lift) / LN_2
    }

    /// Geometric mean of the content tokens' probabilities with the evidence, if there are any.
    #[must_use]
    pub fn p1(&self) -> Option<f64> {
        self.mean(self.logprob)
    }

    /// Geometric mean of the content tokens' probabilities without the evidence.
    #[must_use]
    pub fn p0(&self) -> Option<f64> {
        self.mean(self.prior_logprob)
    }

    fn mean(&self, sum: i64) -> Option<f64> {
        (self.content > 0).then(|| (float(sum) / f64::from(self.content)).exp().min(1.0))
    }

    /// The claim's budget over its content tokens so far; `None` before the first.
    ///
    /// # Errors
    /// As [`budget`].
    pub fn budget(&self, params: &Params) -> Result<Option<Budget>> {
        let (Some(p0), Some(p1)) = (self.p0(), self.p1()) else {
            return Ok(None);
        };
        budget(Interval::exact(p0), Interval::exact(p1), params).map(Some)
    }
}

/// What all tokens of a stream have cost: the exact sum of its claims and of the text between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StreamBudget {
    tokens: u64,
    lift: i64,
    kl: i64,
}

impl StreamBudget {
    /// An empty budget.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one token, as [`ClaimBudget::push`] does.
    pub fn push(&mut self, logprob: f64, prior_logprob: f64, kl_bits: f64) {
        self.tokens += 1;
        self.lift = self
            .lift
            .saturating_add(fixed(logprob).saturating_sub(fixed(prior_logprob)));
        self.kl = self.kl.saturating_add(fixed(kl_bits));
    }

    /// Tokens counted.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Sum of KL(row ‖ prior row), bits.
    #[must_use]
    pub fn kl_bits(&self) -> f64 {
        float(self.kl)
    }

    /// Sum of the tokens' evidence lift, bits.
    #[must_use]
    pub fn lift_bits(&self) -> f64 {
        float(self.lift) / LN_2
    }
}
