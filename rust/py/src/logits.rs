//! Python surface of `logits`.

use groundwire_core::logits::{
    Bounds, GroupConfidence as CoreGroup, Invalid, PairStats, Query, Simd, TopLogprobs,
    batch_stats, scalars,
};
use groundwire_core::types::{Interval, TokenId};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::buffers::borrow;
use crate::errors::{OrRaise, raise, to_py};

/// What one row of logits says, and how it differs from the row without the evidence.
///
/// Natural logarithms unless a name says bits. All numbers are NaN and `top_k` is empty if `invalid`.
#[pyclass(frozen, module = "groundwire._core")]
pub struct LogitStats {
    pair: PairStats,
}

#[pymethods]
impl LogitStats {
    /// Ln of the sum of exp(logit); any number.
    #[getter]
    fn logsumexp(&self) -> f64 {
        self.pair.row.logsumexp
    }
    /// Entropy of the row; nats, 0..ln of the vocabulary.
    #[getter]
    fn entropy(&self) -> f64 {
        self.pair.row.entropy
    }
    /// Variance of -ln p under the row; nats squared, 0 or more (entropix).
    #[getter]
    fn varentropy(&self) -> f64 {
        self.pair.row.varentropy
    }
    /// Difference of the two highest probabilities, 0..1.
    #[getter]
    fn margin(&self) -> f64 {
        self.pair.row.margin
    }
    /// -mean ln p of the 20 most likely tokens; nats, 0 or more (DeepConf, arXiv 2508.15260).
    ///
    /// Of fewer where fewer are unmasked. High is sure.
    #[getter]
    fn confidence(&self) -> f64 {
        self.pair.row.confidence
    }
    /// -ln p of the sampled token, if one was named; nats, 0 or more, inf if it was masked.
    #[getter]
    fn surprisal(&self) -> Option<f64> {
        self.pair.row.surprisal
    }
    /// Ln p of the sampled token, if one was named; nats, 0 or less, -inf if it was masked.
    #[getter]
    fn logprob(&self) -> Option<f64> {
        self.pair.row.logprob
    }
    /// Ln p of the sampled token in the prior row; nats, 0 or less, None without one.
    #[getter]
    fn prior_logprob(&self) -> Option<f64> {
        self.pair.prior.as_ref().and_then(|prior| prior.logprob)
    }
    /// Most likely tokens as (id, ln p), most likely first, lower id first among equals.
    #[getter]
    fn top_k(&self) -> Vec<(TokenId, f64)> {
        self.pair.row.top.clone()
    }
    /// KL(row || prior); nats, 0 or more. None without a prior or if either row is invalid.
    #[getter]
    fn kl(&self) -> Option<f64> {
        self.pair.kl
    }
    /// KL(row || prior); bits, 0 or more. None as `kl`.
    #[getter]
    fn kl_bits(&self) -> Option<f64> {
        self.pair.kl_bits()
    }
    /// log2 of p(sampled) in the row over that in the prior; bits, of either sign.
    ///
    /// None without a sampled token, a prior, or if either row is invalid.
    #[getter]
    fn lift_bits(&self) -> Option<f64> {
        self.pair.lift_bits()
    }
    /// Whether the row held NaN or +inf, or masked every token.
    #[getter]
    fn invalid(&self) -> bool {
        self.pair.row.invalid.is_some()
    }
    /// Which of these, with a count.
    #[getter]
    fn invalid_reason(&self) -> Option<String> {
        self.pair.row.invalid.map(|why| match why {
            Invalid::Nan(count) => format!("{count} NaN"),
            Invalid::Infinite(count) => format!("{count} +inf"),
            Invalid::Masked => "every token masked".to_owned(),
        })
    }
    fn __len__(&self) -> usize {
        self.pair.row.len
    }
    fn __repr__(&self) -> String {
        let row = &self.pair.row;
        match self.invalid_reason() {
            Some(why) => format!("LogitStats(invalid: {why})"),
            None => format!(
                "LogitStats(entropy={:.4}, margin={:.4}, surprisal={:?}, kl={:?})",
                row.entropy, row.margin, row.surprisal, self.pair.kl
            ),
        }
    }
}

fn token(id: i64) -> PyResult<TokenId> {
    TokenId::try_from(id).map_err(|_| {
        raise(
            "ArgumentError",
            &format!("{id} is no token id: ids begin at 0"),
        )
    })
}

/// Statistics of one row of logits, read without a copy and with the GIL released.
///
/// `row` and `prior` (the same prefix without the evidence): one dimension; NumPy arrays,
/// `array.array` or other buffers of float32 or float16, uint16 or `ml_dtypes` bfloat16 as brain
/// floats, torch CPU tensors or other DLPack exporters of float32, float16 or bfloat16. -inf masks a
/// token; NaN, +inf and a row masked throughout make the result `invalid`. `sampled` is a token id,
/// `top_k` how many of the most likely tokens are listed (at most 1024). Units and ranges are those
/// of `LogitStats`.
///
/// Raises `ArgumentError` for an empty row, another type, shape, device or memory layout, rows of
/// different lengths, a token id beyond the row, `top_k` above 1024.
#[pyfunction]
#[pyo3(signature = (row, sampled=None, prior=None, top_k=20))]
fn logit_stats(
    row: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = crate::input::checked)] sampled: Option<i64>,
    prior: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = crate::input::top_k)] top_k: usize,
) -> PyResult<LogitStats> {
    let borrowed = borrow(row)?;
    let before = prior.map(borrow).transpose()?;
    let query = Query {
        row: borrowed.row()?,
        prior: before.as_ref().map(|b| b.row()).transpose()?,
        sampled: sampled.map(token).transpose()?,
    };
    let pair = row.py().detach(|| query.stats(top_k)).or_raise()?;
    Ok(LogitStats { pair })
}

/// Statistics of each row of a batch (rows x vocabulary); as `logit_stats` gives, bit for bit.
///
/// The rows are shared among `threads` threads, at least 1. Raises as `logit_stats`, naming the row.
#[pyfunction]
#[pyo3(signature = (batch, sampled=None, prior=None, top_k=20, threads=1))]
fn logit_stats_batch(
    batch: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = crate::input::checked)] sampled: Option<Vec<Option<i64>>>,
    prior: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = crate::input::top_k)] top_k: usize,
    #[pyo3(from_py_with = crate::input::threads)] threads: usize,
) -> PyResult<Vec<LogitStats>> {
    let borrowed = borrow(batch)?;
    let before = prior.map(borrow).transpose()?;
    let rows = borrowed.rows();
    let priors = before.as_ref().map(|b| b.rows());
    let wrong = |what: &str, n: usize| {
        let text = format!(
            "{n} {what} for a batch of {} rows: there must be as many",
            rows.len()
        );
        raise("ArgumentError", &text)
    };
    if let Some(ids) = &sampled
        && ids.len() != rows.len()
    {
        return Err(wrong("sampled tokens", ids.len()));
    }
    if let Some(priors) = &priors
        && priors.len() != rows.len()
    {
        return Err(wrong("prior rows", priors.len()));
    }
    let mut queries = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        let sampled = sampled
            .as_ref()
            .and_then(|ids| ids[i])
            .map(token)
            .transpose()?;
        queries.push(Query {
            row: *row,
            prior: priors.as_ref().map(|p| p[i]),
            sampled,
        });
    }
    let results = batch.py().detach(|| spread(&queries, top_k, threads));
    let named = |(i, result): (usize, groundwire_core::error::Result<PairStats>)| {
        result.map(|pair| LogitStats { pair }).map_err(|error| {
            let text = format!("row {i}: {}", error.message());
            to_py(&groundwire_core::error::Error::new(error.category(), text))
        })
    };
    results.into_iter().enumerate().map(named).collect()
}

/// Splits the rows among threads that live for this call only.
fn spread(
    queries: &[Query<'_>],
    top_k: usize,
    threads: usize,
) -> Vec<groundwire_core::error::Result<PairStats>> {
    let share = queries.len().div_ceil(threads).max(1);
    if share >= queries.len() {
        return batch_stats(queries, top_k);
    }
    std::thread::scope(|scope| {
        let parts: Vec<_> = queries
            .chunks(share)
            .map(|part| scope.spawn(move || batch_stats(part, top_k)))
            .collect();
        let joined = parts.into_iter().map(|part| part.join());
        joined
            .flat_map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Name of the instruction set in use: scalar, avx2 or avx512; results do not depend on it.
#[pyfunction]
fn simd_level() -> &'static str {
    Simd::best().name()
}

/// Mean of token confidence over a window (DeepConf, arXiv 2508.15260); O(1) a token, no drift.
///
/// `window` is in tokens, 1..2**20. Raises `ArgumentError` for another.
#[pyclass(module = "groundwire._core")]
pub struct GroupConfidence {
    inner: CoreGroup,
}

#[pymethods]
impl GroupConfidence {
    #[new]
    #[pyo3(signature = (window=2048))]
    fn new(window: usize) -> PyResult<Self> {
        Ok(Self {
            inner: CoreGroup::new(window).or_raise()?,
        })
    }
    /// Take in one token's confidence (nats, 0..4,095); the mean, once the window is full.
    ///
    /// What lies beyond is cut off, NaN is passed over.
    fn push(&mut self, confidence: f64) -> Option<f64> {
        self.inner.push(confidence)
    }
    /// Mean of the window, nats; None until it is full.
    #[getter]
    fn mean(&self) -> Option<f64> {
        self.inner.mean()
    }
    /// Tokens of a full window.
    #[getter]
    fn window(&self) -> usize {
        self.inner.window()
    }
}

/// Bounds (lower, upper) that the top logprobs of a row set to its statistics.
///
/// `entries`: (id, ln p; nats, 0 or less); the `k` most likely of them are the top of the row, a
/// sampled token may be listed beside them. `vocabulary` is the number of all tokens, which bounds
/// what the others hold. Units are those of `LogitStats`. Raises `ArgumentError` if there is no
/// entry, `k` is 0 or the vocabulary smaller than the list.
#[pyfunction]
#[pyo3(signature = (entries, k=None, sampled=None, vocabulary=None))]
fn top_logprob_bounds<'py>(
    py: Python<'py>,
    entries: Vec<(TokenId, f64)>,
    k: Option<usize>,
    sampled: Option<TokenId>,
    vocabulary: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let k = k.unwrap_or(entries.len());
    let bounds: Bounds = TopLogprobs::new(&entries, k, sampled, vocabulary)
        .or_raise()?
        .bounds();
    let out = PyDict::new(py);
    let pair = |bounds: Interval| (bounds.lo, bounds.hi);
    out.set_item("surprisal", pair(bounds.surprisal))?;
    out.set_item("entropy", pair(bounds.entropy))?;
    out.set_item("varentropy", pair(bounds.varentropy))?;
    out.set_item("margin", pair(bounds.margin))?;
    out.set_item("confidence", pair(bounds.confidence))?;
    out.set_item("invalid", bounds.invalid)?;
    Ok(out)
}

/// -mean of the top logprobs; nats, 0 or more, high is sure (DeepConf, arXiv 2508.15260).
///
/// Raises `ArgumentError` if there is none.
#[pyfunction]
fn token_confidence(logprobs: Vec<f64>) -> PyResult<f64> {
    scalars::confidence(&logprobs).or_raise()
}

/// 1 - H / ln K of the renormalised top K: 0 (uniform)..1 (sure, or one token alone) (uqlm).
///
/// Raises `ArgumentError` if there is none.
#[pyfunction]
fn negentropy(logprobs: Vec<f64>) -> PyResult<f64> {
    scalars::negentropy(&logprobs).or_raise()
}

/// Difference of the first two probabilities of logprobs, most likely first; 0..1 (uqlm).
///
/// Raises `ArgumentError` if there is none.
#[pyfunction]
fn top_margin(logprobs: Vec<f64>) -> PyResult<f64> {
    scalars::margin(&logprobs).or_raise()
}

/// Geometric mean of the tokens' probabilities, from their logprobs; 0..1.
///
/// Raises `ArgumentError` if there is none.
#[pyfunction]
fn sequence_probability(logprobs: Vec<f64>) -> PyResult<f64> {
    scalars::sequence_probability(&logprobs).or_raise()
}

/// Least of the tokens' probabilities, from their logprobs; 0..1.
///
/// Raises `ArgumentError` if there is none.
#[pyfunction]
fn least_probability(logprobs: Vec<f64>) -> PyResult<f64> {
    scalars::least_probability(&logprobs).or_raise()
}

/// Entropy terms of the listed logprobs as they are; nats, 0 for none.
///
/// What is not listed adds nothing (lm-polygraph under vLLM).
#[pyfunction]
fn listed_entropy(logprobs: Vec<f64>) -> f64 {
    scalars::listed_entropy(&logprobs)
}

/// Entropy of the listed probabilities scaled to sum to 1; nats, 0..ln of their number.
#[pyfunction]
fn renormalised_entropy(logprobs: Vec<f64>) -> f64 {
    scalars::renormalised_entropy(&logprobs)
}

/// Value below which `percent` (0..100) of the values lie, interpolated.
///
/// DeepConf's bar is the 10th of the warm-up minima. Raises `ArgumentError` if there is no value, one
/// is NaN, or `percent` is out of its range.
#[pyfunction]
fn percentile(values: Vec<f64>, percent: f64) -> PyResult<f64> {
    scalars::percentile(&values, percent).or_raise()
}

/// Entropy (nats) and varentropy (nats squared) of probabilities that sum to 1 (entropix).
#[pyfunction]
fn entropy_varentropy(p: Vec<f64>) -> (f64, f64) {
    scalars::entropy_varentropy(&p)
}

/// Probability of the dominant group for a token in it, else its own; 0..1.
///
/// The group ends at the last fall by at least `jump` of a probability that is itself at least
/// `least` (EMNLP 2025, main 166). Raises `ArgumentError` if `token` is beyond the list.
#[pyfunction]
#[pyo3(signature = (p, token, jump=0.3, least=0.005))]
fn boosted_probability(p: Vec<f64>, token: usize, jump: f64, least: f64) -> PyResult<f64> {
    scalars::boosted_probability(&p, token, jump, least).or_raise()
}

/// Whether to retrieve, and which tokens to leave out of the query (FLARE, arXiv 2305.06983).
///
/// `p` are the tokens' probabilities: one at or below `trigger` asks for it, those at or below `mask`
/// are left out.
#[pyfunction]
#[pyo3(signature = (p, trigger=0.8, mask=0.4))]
fn flare(p: Vec<f64>, trigger: f64, mask: f64) -> (bool, Vec<bool>) {
    scalars::flare(&p, trigger, mask)
}

/// Entropy (nats, 0 or more) of the shares of answers that mean the same (arXiv 2302.09664).
///
/// `classes` has an id for each answer; `weights` are mean logprobs, whose exp weights it. Raises
/// `ArgumentError` if there is no answer, or the lists differ in length.
#[pyfunction]
#[pyo3(signature = (classes, weights=None))]
fn semantic_entropy(classes: Vec<u32>, weights: Option<Vec<f64>>) -> PyResult<f64> {
    scalars::semantic_entropy(&classes, weights.as_deref()).or_raise()
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LogitStats>()?;
    module.add_class::<GroupConfidence>()?;
    module.add_function(wrap_pyfunction!(logit_stats, module)?)?;
    module.add_function(wrap_pyfunction!(logit_stats_batch, module)?)?;
    module.add_function(wrap_pyfunction!(simd_level, module)?)?;
    module.add_function(wrap_pyfunction!(top_logprob_bounds, module)?)?;
    module.add_function(wrap_pyfunction!(token_confidence, module)?)?;
    module.add_function(wrap_pyfunction!(percentile, module)?)?;
    module.add_function(wrap_pyfunction!(listed_entropy, module)?)?;
    module.add_function(wrap_pyfunction!(renormalised_entropy, module)?)?;
    module.add_function(wrap_pyfunction!(negentropy, module)?)?;
    module.add_function(wrap_pyfunction!(top_margin, module)?)?;
    module.add_function(wrap_pyfunction!(sequence_probability, module)?)?;
    module.add_function(wrap_pyfunction!(least_probability, module)?)?;
    module.add_function(wrap_pyfunction!(entropy_varentropy, module)?)?;
    module.add_function(wrap_pyfunction!(boosted_probability, module)?)?;
    module.add_function(wrap_pyfunction!(flare, module)?)?;
    module.add_function(wrap_pyfunction!(semantic_entropy, module)?)?;
    Ok(())
}
