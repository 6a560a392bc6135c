//! Statistics of one row, of two rows, of a batch.

use std::f64::consts::LN_2;

use super::divergence::Divergence;
use super::kernels::Beside;
use super::lanes::{Group, LANES};
use super::moments::Moments;
use super::row::{BLOCK, PART, Row, Scratch};
use super::simd::{self, Simd};
use super::top::Top;
use crate::error::{Error, Result};
use crate::types::{Signals, TokenId};

/// Tokens that the confidence is a mean over (DeepConf).
pub const CONFIDENCE_TOP: usize = 20;
/// Most entries of a top-k list.
const TOP_MAX: usize = 1024;
/// Infinite signals are given as this many nats or bits: event logs are JSON, which has no ∞.
const SIGNAL_CAP: f64 = 1e6;

/// Why a row has no statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Invalid {
    /// So many elements are NaN.
    Nan(usize),
    /// So many elements are +∞.
    Infinite(usize),
    /// Every element is −∞.
    Masked,
}

/// What one row says. Natural logarithms; all numbers NaN and the list empty if `invalid`.
#[derive(Debug, Clone, PartialEq)]
pub struct RowStats {
    /// Tokens in the row.
    pub len: usize,
    /// ln Σ exp(x).
    pub logsumexp: f64,
    /// −Σ p ln p, nats.
    pub entropy: f64,
    /// Variance of −ln p under p, nats².
    pub varentropy: f64,
    /// Difference of the two highest probabilities; that of the only token if there is one.
    pub margin: f64,
    /// −mean ln p of the 20 most likely tokens, fewer if fewer are unmasked (DeepConf).
    pub confidence: f64,
    /// ln p of the sampled token, −∞ if it was masked.
    pub logprob: Option<f64>,
    /// −ln p of the sampled token.
    pub surprisal: Option<f64>,
    /// The most likely tokens and their ln p, most likely first, lower id first among equals.
    pub top: Vec<(TokenId, f64)>,
    /// Why there are no statistics, if there are none.
    pub invalid: Option<Invalid>,
}

fn capped(value: f64) -> Option<f64> {
    (!value.is_nan()).then(|| value.clamp(-SIGNAL_CAP, SIGNAL_CAP))
}

impl RowStats {
    /// As the signals of a pushed token; infinities become ±1e6. Group confidence is the caller's.
    #[must_use]
    pub fn signals(&self) -> Signals {
        if self.invalid.is_some() {
            return Signals {
                invalid: true,
                ..Signals::default()
            };
        }
        Signals {
            surprisal: self.surprisal.and_then(capped),
            entropy: capped(self.entropy),
            varentropy: capped(self.varentropy),
            margin: capped(self.margin),
            confidence: capped(self.confidence),
            logprob: self.logprob.and_then(capped),
            ..Signals::default()
        }
    }

    fn invalid(len: usize, why: Invalid) -> Self {
        Self {
            len,
            logsumexp: f64::NAN,
            entropy: f64::NAN,
            varentropy: f64::NAN,
            margin: f64::NAN,
            confidence: f64::NAN,
            logprob: None,
            surprisal: None,
            top: Vec::new(),
            invalid: Some(why),
        }
    }
}

/// What a row and the same prefix's row without the evidence say.
#[derive(Debug, Clone, PartialEq)]
pub struct PairStats {
    /// The row the token was sampled from.
    pub row: RowStats,
    /// The row without the evidence, if given.
    pub prior: Option<RowStats>,
    /// KL(row ‖ prior), nats; ∞ if the prior masks a token the row does not. `None` without a
    /// prior or if either row is invalid.
    pub kl: Option<f64>,
    /// ln p of the sampled token less its ln p in the prior.
    pub lift: Option<f64>,
}

impl PairStats {
    /// KL(row ‖ prior), bits.
    #[must_use]
    pub fn kl_bits(&self) -> Option<f64> {
        self.kl.map(|nats| nats / LN_2)
    }

    /// The sampled token's lift, bits.
    #[must_use]
    pub fn lift_bits(&self) -> Option<f64> {
        self.lift.map(|nats| nats / LN_2)
    }

    /// As the signals of a pushed token; infinities become ±1e6.
    #[must_use]
    pub fn signals(&self) -> Signals {
        let mut out = self.row.signals();
        if !out.invalid {
            out.kl_bits = self.kl_bits().and_then(capped);
            out.lift_bits = self.lift_bits().and_then(capped);
            out.prior_logprob = self.prior.as_ref().and_then(|p| p.logprob).and_then(capped);
        }
        out
    }
}

/// One question to a row.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The row the token was sampled from.
    pub row: Row<'a>,
    /// The same prefix's row without the evidence.
    pub prior: Option<Row<'a>>,
    /// The token that was sampled.
    pub sampled: Option<TokenId>,
}

impl Query<'_> {
    /// Answers it at the widest SIMD level.
    ///
    /// # Errors
    /// `Argument` for an empty row, a sampled id beyond the row, a prior of another length or
    /// `top_k` above 1,024.
    pub fn stats(&self, top_k: usize) -> Result<PairStats> {
        self.stats_at(Simd::best(), top_k)
    }

    /// Answers it at a chosen SIMD level; the answer is the same, bit for bit.
    ///
    /// # Errors
    /// As [`Query::stats`].
    pub fn stats_at(&self, simd: Simd, top_k: usize) -> Result<PairStats> {
        check(self.row, self.sampled, top_k)?;
        let Some(prior) = self.prior else {
            let row = read(simd, self.row, self.sampled, top_k);
            return Ok(PairStats {
                row,
                prior: None,
                kl: None,
                lift: None,
            });
        };
        same_length(self.row, prior)?;
        let (row, before, kl) = read_pair(simd, (self.row, prior), self.sampled, top_k);
        let lift = row
            .logprob
            .zip(before.logprob)
            .map(|(with, without)| with - without)
            .filter(|nats| !nats.is_nan());
        Ok(PairStats {
            row,
            prior: Some(before),
            kl,
            lift,
        })
    }
}

/// Statistics of one row; `sampled` is the token whose surprisal is wanted, `top_k` how many of
/// the most likely tokens to list.
///
/// # Errors
/// `Argument` for an empty row, a sampled id beyond the row or `top_k` above 1,024.
pub fn stats(row: Row<'_>, sampled: Option<TokenId>, top_k: usize) -> Result<RowStats> {
    Query {
        row,
        prior: None,
        sampled,
    }
    .stats(top_k)
    .map(|pair| pair.row)
}

/// Statistics of a row and of the same prefix's row without the evidence, with the 20 most
/// likely tokens.
///
/// # Errors
/// As [`stats`], and for rows of different lengths.
pub fn pair_stats(row: Row<'_>, row0: Row<'_>, sampled: Option<TokenId>) -> Result<PairStats> {
    Query {
        row,
        prior: Some(row0),
        sampled,
    }
    .stats(CONFIDENCE_TOP)
}

/// KL(row ‖ row0) in nats, NaN if either row is invalid.
///
/// # Errors
/// `Argument` for an empty row or rows of different lengths.
pub fn kl(row: Row<'_>, row0: Row<'_>) -> Result<f64> {
    check(row, None, 0)?;
    same_length(row, row0)?;
    let (_, _, kl) = read_pair(Simd::best(), (row, row0), None, 0);
    Ok(kl.unwrap_or(f64::NAN))
}

/// Answers every query, each on its own: the same as one call a query, errors included.
#[must_use]
pub fn batch_stats(queries: &[Query<'_>], top_k: usize) -> Vec<Result<PairStats>> {
    queries.iter().map(|query| query.stats(top_k)).collect()
}

fn check(row: Row<'_>, sampled: Option<TokenId>, top_k: usize) -> Result<()> {
    let len = row.len();
    if len == 0 {
        return Err(Error::argument("the row of logits is empty"));
    }
    if u32::try_from(len).is_err() {
        return Err(Error::argument(format!(
            "a row of {len} logits is longer than token ids go"
        )));
    }
    if let Some(id) = sampled
        && id as usize >= len
    {
        let text = format!("sampled token {id} is beyond the row, which has {len} logits");
        return Err(Error::argument(text));
    }
    if top_k > TOP_MAX {
        return Err(Error::argument(format!(
            "top_k is at most {TOP_MAX}, not {top_k}"
        )));
    }
    Ok(())
}

fn same_length(row: Row<'_>, row0: Row<'_>) -> Result<()> {
    if row.len() == row0.len() {
        return Ok(());
    }
    let (a, b) = (row.len(), row0.len());
    Err(Error::argument(format!(
        "the row has {a} logits, the prior row {b}: they must match"
    )))
}

/// What was read of a row so far.
struct Reader<'a> {
    row: Row<'a>,
    moments: Moments,
    top: Top,
    invalid: bool,
}

impl<'a> Reader<'a> {
    fn new(row: Row<'a>, top_k: usize) -> Self {
        Self {
            row,
            moments: Moments::new(),
            top: Top::new(top_k.max(CONFIDENCE_TOP)),
            invalid: false,
        }
    }

    /// Takes in the block that begins at `start`.
    fn take(&mut self, simd: Simd, start: usize, block: &[Group], weights: Option<&mut [Group]>) {
        let mut peak = f32::NEG_INFINITY;
        for (i, part) in block.chunks(PART).enumerate() {
            let high = simd::peak(simd, part);
            let first = start + i * PART * LANES;
            if high > self.top.threshold() {
                simd::above(simd, part, self.top.threshold(), &mut |at, value| {
                    self.top.insert(value, (first + at) as TokenId)
                });
            }
            peak = peak.max(high);
        }
        self.invalid = peak == f32::INFINITY
            || if self.moments.push(simd, block, peak, weights) {
                self.moments.mass.is_nan()
            } else {
                simd::nan(simd, block)
            };
    }

    fn finish(&self, sampled: Option<TokenId>, top_k: usize) -> RowStats {
        if self.invalid {
            RowStats::invalid(self.row.len(), diagnose(self.row))
        } else if self.moments.peak == f32::NEG_INFINITY {
            RowStats::invalid(self.row.len(), Invalid::Masked)
        } else {
            finish(self.row, &self.moments, self.top.items(), sampled, top_k)
        }
    }
}

fn starts(row: Row<'_>) -> impl Iterator<Item = usize> {
    (0..row.len()).step_by(BLOCK)
}

/// The pass over one row.
fn read(simd: Simd, row: Row<'_>, sampled: Option<TokenId>, top_k: usize) -> RowStats {
    let mut scratch = Scratch::new();
    let mut reader = Reader::new(row, top_k);
    for start in starts(row) {
        let block = row.block(simd, start, &mut scratch);
        reader.take(simd, start, block, None);
        if reader.invalid {
            break;
        }
    }
    reader.finish(sampled, top_k)
}

/// The pass over two rows of one length: the statistics of each and, if both are valid, KL.
fn read_pair(
    simd: Simd,
    rows: (Row<'_>, Row<'_>),
    sampled: Option<TokenId>,
    top_k: usize,
) -> (RowStats, RowStats, Option<f64>) {
    let (mut left, mut right) = (Scratch::new(), Scratch::new());
    let (mut p, mut q) = (Scratch::new(), Scratch::new());
    let (mut row, mut prior) = (Reader::new(rows.0, top_k), Reader::new(rows.1, 0));
    let mut divergence = Divergence::new();
    for start in starts(rows.0) {
        let a = rows.0.block(simd, start, &mut left);
        let b = rows.1.block(simd, start, &mut right);
        let (p, q) = (&mut p.0[..a.len()], &mut q.0[..a.len()]);
        row.take(simd, start, a, Some(p));
        prior.take(simd, start, b, Some(q));
        if row.invalid || prior.invalid {
            break;
        }
        let beside = Beside { a, b, p, q };
        divergence.push(simd, beside, &row.moments, &prior.moments);
    }
    let one_invalid = row.invalid || prior.invalid;
    let end = |reader: &Reader<'_>| {
        if one_invalid && !reader.invalid {
            return read(simd, reader.row, sampled, top_k);
        }
        reader.finish(sampled, top_k)
    };
    let mut before = end(&prior);
    before.top.clear();
    let row = end(&row);
    let both = row.invalid.is_none() && before.invalid.is_none();
    (row, before, both.then(|| divergence.nats()))
}

fn diagnose(row: Row<'_>) -> Invalid {
    let values = || (0..row.len()).filter_map(|i| row.get(i));
    match values().filter(|x| x.is_nan()).count() {
        0 => Invalid::Infinite(values().filter(|x| *x == f32::INFINITY).count()),
        count => Invalid::Nan(count),
    }
}

fn finish(
    row: Row<'_>,
    moments: &Moments,
    top: &[(f32, TokenId)],
    sampled: Option<TokenId>,
    top_k: usize,
) -> RowStats {
    let (peak, log_mass) = (f64::from(moments.peak), moments.log_mass());
    // Taken from the peak first: logits may be large and the difference small.
    let logprob = |x: f32| (f64::from(x) - peak) - log_mass;
    let highest = 1.0 / (1.0 + moments.mass);
    let margin = match top {
        // Two equal ones are 0.0 apart, which a minus sign would turn into -0.0.
        [first, second, ..] => -(f64::from(second.0) - f64::from(first.0)).exp_m1() * highest + 0.0,
        _ => highest,
    };
    let surest = &top[..top.len().min(CONFIDENCE_TOP)];
    let confidence = -surest.iter().map(|item| logprob(item.0)).sum::<f64>() / surest.len() as f64;
    let sampled = sampled.and_then(|id| row.get(id as usize)).map(logprob);
    RowStats {
        len: row.len(),
        logsumexp: peak + log_mass,
        entropy: moments.entropy(),
        varentropy: moments.varentropy(),
        margin,
        confidence,
        logprob: sampled,
        surprisal: sampled.map(|x| -x),
        top: top
            .iter()
            .take(top_k)
            .map(|item| (item.1, logprob(item.0)))
            .collect(),
        invalid: None,
    }
}
