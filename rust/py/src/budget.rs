//! Python surface of `budget`.

use groundwire_core::budget::{self as core, Params, Unit, planner};
use groundwire_core::types::Interval;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{OrRaise, raise};

/// A number where both probabilities are exact, bounds where one is only bounded.
#[derive(IntoPyObject)]
enum Amount {
    Exact(f64),
    Bounds((f64, f64)),
}

/// What a claim needs and what its evidence supplies, in `unit` (SPEC-08.03 to 08.06).
///
/// Amounts are numbers where both probabilities were, else pairs (lower, upper).
#[pyclass(frozen, module = "groundwire._core")]
pub struct Budget {
    inner: core::Budget,
    exact: bool,
    unit: Unit,
}

impl Budget {
    fn amount(&self, bounds: Interval) -> Amount {
        if self.exact {
            Amount::Exact(bounds.lo)
        } else {
            Amount::Bounds((bounds.lo, bounds.hi))
        }
    }
}

#[pymethods]
impl Budget {
    /// KL(target || p0), 0 or more (SPEC-08.04).
    #[getter]
    fn required(&self) -> Amount {
        self.amount(self.inner.required)
    }
    /// KL(p1 || p0), 0 or more (SPEC-08.04).
    #[getter]
    fn observed(&self) -> Amount {
        self.amount(self.inner.observed)
    }
    /// Required less observed, of either sign; bounds one against the other (SPEC-08.04).
    #[getter]
    fn gap(&self) -> Amount {
        self.amount(self.inner.gap)
    }
    /// Required less observed; the exact range, both using the same p0; inside `gap`.
    #[getter]
    fn gap_joint(&self) -> Amount {
        self.amount(self.inner.gap_joint)
    }
    /// supported, contradicted, not_in_context or unverifiable.
    #[getter]
    fn status(&self) -> &'static str {
        self.inner.status.as_str()
    }
    /// Whether the gap certainly exceeds the threshold and the claim is not supported.
    #[getter]
    fn flagged(&self) -> bool {
        self.inner.flagged
    }
    /// none, low, medium or high, as the budget profile has them.
    #[getter]
    fn tier(&self) -> &'static str {
        self.inner.tier().as_str()
    }
    /// The unit of the amounts: bits or nats.
    #[getter]
    fn unit(&self) -> &'static str {
        self.unit.as_str()
    }
    fn __repr__(&self) -> String {
        let show = |b: Interval| {
            if self.exact {
                format!("{:.4}", b.lo)
            } else {
                format!("({:.4}, {:.4})", b.lo, b.hi)
            }
        };
        format!(
            "Budget(required={}, observed={}, gap={}, unit='{}', status='{}', flagged={})",
            show(self.inner.required),
            show(self.inner.observed),
            show(self.inner.gap),
            self.unit.as_str(),
            self.inner.status.as_str(),
            if self.inner.flagged { "True" } else { "False" },
        )
    }
}

/// The bounds given, and whether they were one number.
fn bounds(name: &str, given: &Bound<'_, PyAny>) -> PyResult<(Interval, bool)> {
    if let Ok(value) = given.extract::<f64>() {
        return Ok((Interval::exact(value), true));
    }
    let (lo, hi): (f64, f64) = given.extract().map_err(|_| {
        raise(
            "ArgumentError",
            &format!("{name} is a probability or a pair (lower, upper)"),
        )
    })?;
    Ok((Interval::new(lo, hi), false))
}

/// KL(Ber(p) || Ber(q)) in `unit` ("bits" or "nats"); 0 or more (SPEC-08.06).
///
/// `p` and `q` are probabilities, 0..1, both clipped to eps..1 - eps; `eps` is at least 0 and below
/// 0.5. With 0 nothing is clipped, and the result may be infinite. Raises `ArgumentError` for a
/// number out of its range and another unit.
#[pyfunction]
#[pyo3(signature = (p, q, eps=0.01, unit="bits"))]
fn kl_bernoulli(p: f64, q: f64, eps: f64, unit: &str) -> PyResult<f64> {
    let unit = Unit::parse(unit).or_raise()?;
    core::kl_bernoulli(p, q, eps, unit).or_raise()
}

/// Information budget of a claim: `p1` with and `p0` without its evidence (SPEC-08.03).
///
/// Both are probabilities, 0..1, or bounds (lower, upper) on one; `target` (0..1) is the confidence
/// the claim is stated with, `eps` the clip of `kl_bernoulli`, `flag_threshold` an amount in `unit`
/// ("bits" or "nats"). Contradicted (p1 < 0.2, or p0 > 0.5 and p1 < 0.3) whatever the gap; else
/// supported from p1 >= target; else not_in_context, flagged above `flag_threshold`; unverifiable
/// where the bounds leave it open. `strict_seed`: flagged if required > observed (SPEC-08.05).
/// Raises `ArgumentError` as `kl_bernoulli`, and for reversed bounds.
#[pyfunction]
#[pyo3(signature = (*, p0, p1, target=0.95, eps=0.01, unit="bits", flag_threshold=5.0, strict_seed=false))]
fn budget(
    p0: &Bound<'_, PyAny>,
    p1: &Bound<'_, PyAny>,
    target: f64,
    eps: f64,
    unit: &str,
    flag_threshold: f64,
    strict_seed: bool,
) -> PyResult<Budget> {
    let unit = Unit::parse(unit).or_raise()?;
    let ((p0, exact0), (p1, exact1)) = (bounds("p0", p0)?, bounds("p1", p1)?);
    let params = Params {
        target,
        eps,
        unit,
        flag_threshold,
        strict_seed,
    };
    let inner = core::budget(p0, p1, &params).or_raise()?;
    Ok(Budget {
        inner,
        exact: exact0 && exact1,
        unit,
    })
}

/// Nats (0 or more) that an answer needs above the prior `q_lo` (EDFL, arXiv 2509.11208).
///
/// `h_star` is the error rate aimed at; both are 0..1. 0 where the prior is at or above 1 - h*.
/// Raises `ArgumentError` for what is no probability.
#[pyfunction]
fn bits_to_trust(h_star: f64, q_lo: f64) -> PyResult<f64> {
    planner::bits_to_trust(h_star, q_lo).or_raise()
}

/// Mean of ln p - ln weak, each clipped to 0..cap; nats (EDFL, arXiv 2509.11208).
///
/// `p` and each of `weak`, under the weakened prompts, are 0..1; `cap` is in nats, 0 or more. Raises
/// `ArgumentError` if `weak` is empty or a value is no probability.
#[pyfunction]
#[pyo3(signature = (p, weak, cap=12.0))]
fn mean_lift(p: f64, weak: Vec<f64>, cap: f64) -> PyResult<f64> {
    planner::mean_lift(p, &weak, cap).or_raise()
}

/// Highest success probability that `lift` nats allow from the prior `q`; 0..1 (EDFL).
///
/// Raises `ArgumentError` if `q` is not in 0..1 or `lift` is below 0 or NaN.
#[pyfunction]
fn p_max(lift: f64, q: f64) -> PyResult<f64> {
    planner::p_max(lift, q).or_raise()
}

/// Upper end of Wilson's score interval for a rate of `failures` in `n`; 0..1.
///
/// `z` is in standard deviations, above 0 (1.96 for 95 %). Raises `ArgumentError` if `n` is 0,
/// `failures` exceeds it or `z` is out of its range.
#[pyfunction]
#[pyo3(signature = (failures, n, z=1.959964))]
fn wilson_upper(failures: u32, n: u32, z: f64) -> PyResult<f64> {
    planner::wilson_upper(failures, n, z).or_raise()
}

/// The quantile rule over permuted prompts (arXiv 2509.11208): amounts, and whether to answer.
///
/// `q` are P(yes) under permuted prompts, `p_ref` under the reference prompt, `h_star` the error rate
/// aimed at; all 0..1. `q_lo` is the 5 % quantile of `q`, `needed` the nats above it, `sufficiency`
/// what is there over what is needed (0 or more), `jsd` the divergence of the permuted answers
/// (nats), `bound` and `deviation` their mean deviation (0..1), at most and as it is. Raises
/// `ArgumentError` if `q` is empty or a value is no probability.
#[pyfunction]
#[pyo3(signature = (p_ref, q, h_star=0.05))]
fn qmv<'py>(py: Python<'py>, p_ref: f64, q: Vec<f64>, h_star: f64) -> PyResult<Bound<'py, PyDict>> {
    let got = planner::qmv(p_ref, &q, h_star).or_raise()?;
    let out = PyDict::new(py);
    out.set_item("q_lo", got.q_lo)?;
    out.set_item("needed", got.needed)?;
    out.set_item("sufficiency", got.sufficiency)?;
    out.set_item("jsd", got.jsd)?;
    out.set_item("bound", got.bound)?;
    out.set_item("deviation", got.deviation)?;
    out.set_item("answer", got.answer)?;
    Ok(out)
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Budget>()?;
    module.add_function(wrap_pyfunction!(kl_bernoulli, module)?)?;
    module.add_function(wrap_pyfunction!(budget, module)?)?;
    module.add_function(wrap_pyfunction!(bits_to_trust, module)?)?;
    module.add_function(wrap_pyfunction!(mean_lift, module)?)?;
    module.add_function(wrap_pyfunction!(p_max, module)?)?;
    module.add_function(wrap_pyfunction!(wilson_upper, module)?)?;
    module.add_function(wrap_pyfunction!(qmv, module)?)?;
    Ok(())
}
