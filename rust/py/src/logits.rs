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
#[pyclass(frozen, module = "groundwire._core")]
pub struct LogitStats {
    pair: PairStats,
}

#[pymethods]
impl LogitStats {
    #[getter]
    fn logsumexp(&self) -> f64 {
        self.pair.row.logsumexp
    }
    #[getter]
    fn entropy(&self) -> f64 {
        self.pair.row.entropy
    }
    #[getter]
    fn varentropy(&self) -> f64 {
        self.pair.row.varentropy
    }
    #[getter]
    fn margin(&self) -> f64 {
        self.pair.row.margin
    }
    #[getter]
    fn confidence(&self) -> f64 {
        self.pair.row.confidence
    }
    #[getter]
    fn surprisal(&self) -> Option<f64> {
        self.pair.row.surprisal
    }
    #[getter]
    fn logprob(&self) -> Option<f64> {
        self.pair.row.logprob
    }
    #[getter]
    fn prior_logprob(&self) -> Option<f64> {
        self.pair.prior.as_ref().and_then(|prior| prior.logprob)
    }
    #[getter]
    fn top_k(&self) -> Vec<(TokenId, f64)> {
        self.pair.row.top.clone()
    }
    #[getter]
    fn kl(&self) -> Option<f64> {
        self.pair.kl
    }
    #[getter]
    fn kl_bits(&self) -> Option<f64> {
        self.pair.kl_bits()
    }
    #[getter]
    fn lift_bits(&self) -> Option<f64> {
        self.pair.lift_bits()
    }
    #[getter]
    fn invalid(&self) -> bool {
        self.pair.row.invalid.is_some()
    }
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

/// Statistics of one row of logits.
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

/// Statistics of every row of a batch.
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

/// Name of the SIMD level in use.
#[pyfunction]
fn simd_level() -> &'static str {
    Simd::best().name()
}

/// DeepConf's mean of token confidence over a window.
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
    fn push(&mut self, confidence: f64) -> Option<f64> {
        self.inner.push(confidence)
    }
    #[getter]
    fn mean(&self) -> Option<f64> {
        self.inner.mean()
    }
    #[getter]
    fn window(&self) -> usize {
        self.inner.window()
    }
}

/// Bounds that the top logprobs of a row set to its statistics.
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

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
fn token_confidence(logprobs: Vec<f64>) -> PyResult<f64> {
    scalars::confidence(&logprobs).or_raise()
}

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
fn negentropy(logprobs: Vec<f64>) -> PyResult<f64> {
    scalars::negentropy(&logprobs).or_raise()
}

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
fn top_margin(logprobs: Vec<f64>) -> PyResult<f64> {
    scalars::margin(&logprobs).or_raise()
}

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
fn sequence_probability(logprobs: Vec<f64>) -> PyResult<f64> {
    scalars::sequence_probability(&logprobs).or_raise()
}

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
fn least_probability(logprobs: Vec<f64>) -> PyResult<f64> {
    scalars::least_probability(&logprobs).or_raise()
}

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
fn listed_entropy(logprobs: Vec<f64>) -> f64 {
    scalars::listed_entropy(&logprobs)
}

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
fn renormalised_entropy(logprobs: Vec<f64>) -> f64 {
    scalars::renormalised_entropy(&logprobs)
}

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
fn percentile(values: Vec<f64>, percent: f64) -> PyResult<f64> {
    scalars::percentile(&values, percent).or_raise()
}

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
fn entropy_varentropy(p: Vec<f64>) -> (f64, f64) {
    scalars::entropy_varentropy(&p)
}

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
#[pyo3(signature = (p, token, jump=0.3, least=0.005))]
fn boosted_probability(p: Vec<f64>, token: usize, jump: f64, least: f64) -> PyResult<f64> {
    scalars::boosted_probability(&p, token, jump, least).or_raise()
}

/// See `groundwire_core::logits::scalars`.
#[pyfunction]
#[pyo3(signature = (p, trigger=0.8, mask=0.4))]
fn flare(p: Vec<f64>, trigger: f64, mask: f64) -> (bool, Vec<bool>) {
    scalars::flare(&p, trigger, mask)
}

/// See `groundwire_core::logits::scalars`.
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
