//! What the few logprobs that an API returns allow to say.

use crate::error::{Error, Result};
use crate::types::{Interval, Signals, TokenId};

use super::stats::CONFIDENCE_TOP;

/// Logprobs are rounded by those who send them; a total above 1 by this much is still one.
const SLACK: f64 = 1e-3;
/// Each total may be off by this much for the same reason.
const ROUNDING: f64 = 1e-6;
/// No row is longer than there are token ids.
const IDS: f64 = 4_294_967_296.0;
/// An interval this narrow is an exact value.
const EXACT: f64 = 1e-9;

/// The most likely tokens of a row and, if it is not among them, the sampled one.
#[derive(Debug, Clone, PartialEq)]
pub struct TopLogprobs {
    /// ln p of the listed tokens, most likely first.
    listed: Vec<f64>,
    /// A sampled token reported beside the list.
    extra: Option<f64>,
    sampled: Option<f64>,
    vocabulary: Option<usize>,
    invalid: bool,
}

/// The statistics of a row as far as its top logprobs decide them; natural logarithms, ∞ where
/// nothing bounds them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// −ln p of the sampled token: exact if it was listed.
    pub surprisal: Interval,
    /// Entropy of the whole row.
    pub entropy: Interval,
    /// Variance of −ln p.
    pub varentropy: Interval,
    /// Difference of the two highest probabilities: exact from two entries on.
    pub margin: Interval,
    /// −mean ln p of the 20 most likely tokens: exact from 20 entries on.
    pub confidence: Interval,
    /// A logprob was NaN, above 0, or the total above 1: no statistic is given.
    pub invalid: bool,
}

impl Bounds {
    /// As the signals of a pushed token: only what is exact; nothing bounded is passed off as a
    /// value.
    #[must_use]
    pub fn signals(&self) -> Signals {
        let exact = |b: Interval| (!self.invalid && b.hi - b.lo <= EXACT).then_some(b.lo);
        Signals {
            surprisal: exact(self.surprisal),
            entropy: exact(self.entropy),
            varentropy: exact(self.varentropy),
            margin: exact(self.margin),
            confidence: exact(self.confidence),
            logprob: exact(self.surprisal).map(|s| -s),
            invalid: self.invalid,
            ..Signals::default()
        }
    }
}

/// −p ln p.
fn term(p: f64) -> f64 {
    if p > 0.0 { -p * p.ln() } else { 0.0 }
}

/// p ln² p.
fn square(p: f64) -> f64 {
    if p > 0.0 { p * p.ln() * p.ln() } else { 0.0 }
}

impl TopLogprobs {
    /// `entries`: (id, ln p) in any order, duplicates allowed; `k`: how many of them, the most
    /// likely ones, are known to be the top of the row (an API asked for k returns the sampled
    /// token beside them); `sampled`: the token that was chosen; `vocabulary`: size of the row,
    /// if known.
    ///
    /// # Errors
    /// `Argument` if there is no entry, `k` is 0 or the vocabulary is smaller than the list.
    pub fn new(
        entries: &[(TokenId, f64)],
        k: usize,
        sampled: Option<TokenId>,
        vocabulary: Option<usize>,
    ) -> Result<Self> {
        if entries.is_empty() || k == 0 {
            return Err(Error::argument(
                "top logprobs need at least one entry and k ≥ 1",
            ));
        }
        let invalid = entries.iter().any(|e| e.1.is_nan() || e.1 > SLACK);
        let mut sorted = entries.to_vec();
        sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut seen = rustc_hash::FxHashSet::default();
        sorted.retain(|entry| seen.insert(entry.0));
        if vocabulary.is_some_and(|size| size < sorted.len()) {
            return Err(Error::argument(
                "the vocabulary is smaller than the list of logprobs",
            ));
        }
        let of_sampled = sampled
            .and_then(|id| sorted.iter().find(|e| e.0 == id))
            .map(|e| e.1);
        let beside = sorted.get(k..).unwrap_or(&[]);
        let extra = beside.iter().find(|e| Some(e.0) == sampled).map(|e| e.1);
        let listed: Vec<f64> = sorted.iter().take(k).map(|e| e.1.min(0.0)).collect();
        let total: f64 = listed.iter().chain(&extra).map(|lp| lp.exp()).sum();
        let invalid = invalid || total > 1.0 + SLACK;
        Ok(Self {
            listed,
            extra,
            sampled: of_sampled.map(|lp| lp.min(0.0)),
            vocabulary,
            invalid,
        })
    }

    /// The tightest bounds these logprobs allow on surprisal, entropy, margin and confidence, and
    /// bounds on varentropy from those of its two moments.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        if self.invalid {
            let none = Interval::exact(f64::NAN);
            return Bounds {
                surprisal: none,
                entropy: none,
                varentropy: none,
                margin: none,
                confidence: none,
                invalid: true,
            };
        }
        let known: Vec<f64> = self
            .listed
            .iter()
            .chain(&self.extra)
            .map(|lp| lp.exp())
            .collect();
        let rest = Rest::new(
            &known,
            self.listed.last().map_or(0.0, |lp| lp.exp()),
            self.vocabulary,
        );
        let entropy = rest.add(known.iter().map(|&p| term(p)).sum(), term, true);
        let moment = rest.add(
            known.iter().map(|&p| square(p)).sum(),
            square,
            rest.cap <= (-1_f64).exp(),
        );
        let varentropy = Interval::new(
            (moment.lo - entropy.hi * entropy.hi).max(0.0),
            (moment.hi - entropy.lo * entropy.lo).max(0.0),
        );
        let surprisal = match self.sampled {
            Some(lp) => Interval::exact(-lp),
            None => Interval::new(-rest.cap.ln(), f64::INFINITY),
        };
        Bounds {
            surprisal,
            entropy,
            varentropy,
            margin: self.margin(&rest),
            confidence: self.confidence(&rest),
            invalid: false,
        }
    }

    fn margin(&self, rest: &Rest) -> Interval {
        let first = self.listed[0].exp();
        match (self.listed.get(1), self.extra) {
            (Some(second), _) => Interval::exact(first - second.exp()),
            (None, Some(other)) => {
                Interval::new(first - rest.cap.max(other.exp()), first - other.exp())
            }
            (None, None) => Interval::new(first - rest.cap, first - rest.least_top()),
        }
    }

    fn confidence(&self, rest: &Rest) -> Interval {
        let wanted = CONFIDENCE_TOP.min(self.vocabulary.unwrap_or(CONFIDENCE_TOP));
        let top = &self.listed[..self.listed.len().min(wanted)];
        let sum: f64 = top.iter().filter(|lp| lp.is_finite()).sum();
        let missing = (wanted - top.len()) as f64;
        // The missing ones are at most as likely as the last listed and share what is left.
        let left = rest.mass.hi + self.extra.map_or(0.0, f64::exp);
        let each = self
            .listed
            .last()
            .map_or(0.0, |lp| lp.exp())
            .min(left / missing);
        if missing == 0.0 || each == 0.0 {
            let counted = top.iter().filter(|lp| lp.is_finite()).count();
            return Interval::exact(-sum / counted as f64);
        }
        Interval::new(-(sum + missing * each.ln()) / wanted as f64, f64::INFINITY)
    }
}

/// The tokens that were not listed.
struct Rest {
    /// Their total probability, as far as rounded logprobs tell.
    mass: Interval,
    /// None of them is more likely than this.
    cap: f64,
    /// How many there are at most.
    count: f64,
}

impl Rest {
    fn new(known: &[f64], last: f64, vocabulary: Option<usize>) -> Self {
        let left = 1.0 - known.iter().sum::<f64>();
        let count = vocabulary.map_or(IDS, |size| (size - known.len()) as f64);
        let mass = if count == 0.0 || last == 0.0 {
            Interval::exact(0.0)
        } else {
            Interval::new((left - ROUNDING).max(0.0), left.max(0.0) + ROUNDING)
        };
        Self {
            mass,
            cap: last.min(mass.hi),
            count,
        }
    }

    /// The least that the most likely of them can have.
    fn least_top(&self) -> f64 {
        if self.count > 0.0 {
            self.mass.lo / self.count
        } else {
            0.0
        }
    }

    /// Bounds of `known` + Σ f(p) over the rest. For a concave f with f(0) = 0 the sum is least
    /// when the mass is packed into as few tokens as the cap allows, and greatest when spread.
    fn add(&self, known: f64, f: fn(f64) -> f64, concave: bool) -> Interval {
        if self.mass.hi == 0.0 {
            return Interval::exact(known);
        }
        if !concave {
            return Interval::new(known, f64::INFINITY);
        }
        let packed = (self.mass.lo / self.cap).floor();
        let least = packed * f(self.cap) + f((self.mass.lo - packed * self.cap).max(0.0));
        let spread = |mass: f64| self.count * f(mass / self.count);
        let most = spread(self.mass.lo).max(spread(self.mass.hi));
        Interval::new(known + least.min(most), known + most)
    }
}
