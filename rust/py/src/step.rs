//! What a push returned, as Python objects that are built when they are read.

use groundwire_core::error::Error;
use groundwire_core::logits::TopLogprobs;
use groundwire_core::session::{Entry, Session as CoreSession, Step as CoreStep};
use groundwire_core::types::{self, Span};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyTuple};
use serde::Serialize;

use crate::errors::OrRaise;
use crate::input::{checked, shown};

/// What is known about one token; `None` where the engine gave nothing to compute it from.
///
/// - `surprisal`: -ln p of the token that was chosen; nats, 0 or more
/// - `entropy`: entropy of the row; nats, 0 or more
/// - `varentropy`: variance of -ln p under the row; nats squared, 0 or more (entropix)
/// - `margin`: difference of the two highest probabilities, 0..1
/// - `confidence`: -mean ln p of the 20 most likely tokens; nats, 0 or more, high is sure
///   (DeepConf, arXiv 2508.15260)
/// - `group_confidence`: mean of `confidence` over the last `group_window` tokens; nats, 0 or more,
///   `None` until so many came (DeepConf)
/// - `kl_bits`: KL(row || prior row); bits, 0 or more, `None` without a prior row
/// - `lift_bits`: log2 of p(token) with the evidence over that without; bits, of either sign
/// - `logprob`: ln p of the token with the evidence; nats, 0 or less
/// - `prior_logprob`: ln p of the token without the evidence; nats, 0 or less
/// - `invalid`: whether the row, or a number that was given, cannot be; all others are `None` then
///
/// Where rows were given, no number is beyond 1e6 on either side: an infinity is told as the end
/// of that range, so that sums over tokens stay finite. `LogitStats` has the numbers as they are.
#[pyclass(frozen, module = "groundwire._core", name = "Signals")]
#[derive(Clone)]
pub struct Signals(pub types::Signals);

macro_rules! signal_getters {
    ($($name:ident),+ $(,)?) => {
        #[pymethods]
        impl Signals {
            $(
            /// A number about one token, or None; `help(Signals)` says its unit and range.
            #[getter] fn $name(&self) -> Option<f64> { self.0.$name })+

            /// Whether the row, or a number that was given, cannot be; all numbers are None then.
            #[getter]
            fn invalid(&self) -> bool { self.0.invalid }

            /// Returns the numbers that are known, by name, and `invalid`.
            fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                let dict = PyDict::new(py);
                $(if let Some(value) = self.0.$name { dict.set_item(stringify!($name), value)?; })+
                dict.set_item("invalid", self.0.invalid)?;
                Ok(dict)
            }

            fn __repr__(&self) -> String {
                let mut parts = Vec::new();
                $(if let Some(value) = self.0.$name {
                    parts.push(format!("{}={value:.4}", stringify!($name)));
                })+
                format!("Signals({})", parts.join(", "))
            }
        }

        /// Signals from a dict or an object with these names.
        pub fn read_signals(value: &Bound<'_, PyAny>) -> PyResult<types::Signals> {
            if let Ok(signals) = value.cast::<Signals>() {
                return Ok(signals.get().0);
            }
            let mut signals = types::Signals::default();
            let dict = value.cast::<PyDict>().map_err(|_| crate::errors::raise(
                "ArgumentError",
                "signals is a dict with any of surprisal, entropy, varentropy, margin, \
                 confidence, kl_bits, lift_bits, logprob, prior_logprob",
            ))?;
            for (key, number) in dict.iter() {
                let key: String = checked(&key)?;
                match key.as_str() {
                    $(stringify!($name) => signals.$name = number_of(&number, &key)?,)+
                    "invalid" => signals.invalid = number.extract()?,
                    _ => return Err(crate::errors::raise("ArgumentError", &format!(
                        "'{key}' is no signal; there are {}", [$(stringify!($name)),+].join(", ")
                    ))),
                }
            }
            signals.checked().or_raise()
        }
    };
}

/// A number or none, named in what is said of anything else.
fn number_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<f64>> {
    if value.is_none() {
        return Ok(None);
    }
    let number = (!value.is_instance_of::<PyBool>()).then(|| value.extract::<f64>().ok());
    number.flatten().map(Some).ok_or_else(|| {
        let found = shown(value);
        crate::errors::raise(
            "ArgumentError",
            &format!("'{name}' is a number, not {found}"),
        )
    })
}
signal_getters!(
    surprisal,
    entropy,
    varentropy,
    margin,
    confidence,
    group_confidence,
    kl_bits,
    lift_bits,
    logprob,
    prior_logprob,
);

/// Signals from an API's top logprobs: a mapping of tokens (ids or texts) to ln p, `sampled` among
/// them or not. Only what the list fixes exactly becomes a signal; the rest stays unknown.
pub fn read_top_logprobs(
    value: &Bound<'_, PyAny>,
    sampled: &Bound<'_, PyAny>,
) -> PyResult<types::Signals> {
    let dict = value.cast::<PyDict>().map_err(|_| {
        crate::errors::raise(
            "ArgumentError",
            "top_logprobs is a dict of token (id or text) to natural logarithm of probability",
        )
    })?;
    let mut entries: Vec<(u32, f64)> = Vec::with_capacity(dict.len());
    let mut chosen = None;
    for (at, (key, logprob)) in (0_u32..).zip(dict.iter()) {
        if key.eq(sampled)? {
            chosen = Some(at);
        }
        let Some(value) = number_of(&logprob, "top_logprobs")? else {
            return Err(crate::errors::raise(
                "ArgumentError",
                "'top_logprobs' gives a number for every token, not None",
            ));
        };
        // As a signal of its own: a wrong unit is refused, what is no number stays for the list.
        types::Signals {
            logprob: Some(value),
            ..types::Signals::default()
        }
        .checked()
        .map_err(|_| {
            Error::argument(format!(
                "'top_logprobs' holds {value} for {}; it is 0 or less: the natural logarithm of a \
             probability",
                shown(&key)
            ))
        })
        .or_raise()?;
        entries.push((at, value));
    }
    // An API asked for k tokens lists the sampled one beside them where it is none of them.
    let least = entries.iter().map(|e| e.1).fold(f64::INFINITY, f64::min);
    let beside = entries.len() > 1
        && chosen.is_some_and(|at| entries[at as usize].1.total_cmp(&least).is_eq());
    let k = entries.len() - usize::from(beside);
    let list = TopLogprobs::new(&entries, k, chosen, None).or_raise()?;
    Ok(list.bounds().signals())
}

/// What is new after one push.
#[pyclass(frozen, module = "groundwire._core", name = "Step")]
pub struct Step {
    tier: types::Tier,
    action: types::Action,
    signals: Option<types::Signals>,
    entries: Vec<Entry>,
    pushes: u64,
}

impl Step {
    /// The step of a core session; a push that brought nothing shares one empty step.
    pub fn of(py: Python<'_>, session: &CoreSession, step: &CoreStep) -> PyResult<Py<Self>> {
        Self::show(py, Self::hold(session, step))
    }

    /// What a step will show, if anything; needs no Python.
    pub fn hold(session: &CoreSession, step: &CoreStep) -> Option<Self> {
        (!step.is_quiet()).then(|| Self {
            tier: step.tier,
            action: step.action,
            signals: step.signals,
            entries: session.entries(step).cloned().collect(),
            pushes: step.pushes,
        })
    }

    /// A held step as a Python object.
    pub fn show(py: Python<'_>, held: Option<Self>) -> PyResult<Py<Self>> {
        match held {
            Some(step) => Py::new(py, step),
            None => Self::quiet(py),
        }
    }

    /// The one empty step.
    pub fn quiet(py: Python<'_>) -> PyResult<Py<Self>> {
        static EMPTY: PyOnceLock<Py<Step>> = PyOnceLock::new();
        EMPTY
            .get_or_try_init(py, || Py::new(py, Self::empty()))
            .map(|empty| empty.clone_ref(py))
    }

    /// Everything in the log since entry `before`.
    pub fn since(
        py: Python<'_>,
        session: &CoreSession,
        before: u64,
        signals: Option<types::Signals>,
    ) -> PyResult<Py<Self>> {
        let entries: Vec<Entry> = session.log_since(before).cloned().collect();
        if entries.is_empty() && signals.is_none() {
            return Self::quiet(py);
        }
        let tier = entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Finding { finding, .. } => Some(finding.tier),
                _ => None,
            })
            .max()
            .unwrap_or(types::Tier::None);
        let action = session.monitor().policy().action(tier);
        let pushes = session.pushes();
        Py::new(
            py,
            Self {
                tier,
                action,
                signals,
                entries,
                pushes,
            },
        )
    }

    fn empty() -> Self {
        Self {
            tier: types::Tier::None,
            action: types::Action::Accept,
            signals: None,
            entries: Vec::new(),
            pushes: 0,
        }
    }
}

#[pymethods]
impl Step {
    /// Highest tier among the new findings: none, low, medium, high or critical.
    #[getter]
    fn tier(&self) -> &'static str {
        self.tier.as_str()
    }

    /// What the policy makes of it.
    #[getter]
    fn action(&self) -> &'static str {
        self.action.as_str()
    }

    /// What is known about the token, if anything.
    #[getter]
    fn signals(&self) -> Option<Signals> {
        self.signals.map(Signals)
    }

    /// New findings, in order.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let found = self
            .entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Finding { finding, char_span } => {
                    Some(build(py, "Finding", finding.as_ref(), *char_span))
                }
                _ => None,
            })
            .collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, found)
    }

    /// Claims that closed, in order.
    #[getter]
    fn claims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let closed = self
            .entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Claim {
                    claim, char_span, ..
                } => Some(build(py, "Claim", claim.as_ref(), Some(*char_span))),
                _ => None,
            })
            .collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, closed)
    }

    /// Whether the push brought anything but text.
    fn __bool__(&self) -> bool {
        !self.entries.is_empty() || self.signals.is_some()
    }

    fn __repr__(&self) -> String {
        let count = |pick: fn(&Entry) -> bool| self.entries.iter().filter(|e| pick(e)).count();
        format!(
            "Step(tier={:?}, action={:?}, findings={}, claims={}, pushes={})",
            self.tier.as_str(),
            self.action.as_str(),
            count(|e| matches!(e, Entry::Finding { .. })),
            count(|e| matches!(e, Entry::Claim { .. })),
            self.pushes,
        )
    }
}

/// The Python class `groundwire.findings.<name>` built from a core value and its code points.
fn build<'py>(
    py: Python<'py>,
    name: &str,
    value: &impl Serialize,
    span: Option<Span>,
) -> PyResult<Bound<'py, PyAny>> {
    let data = to_python(py, value)?;
    py.import("groundwire.findings")?
        .getattr(name)?
        .call_method1("from_core", (data, span.map(|s| (s.start, s.end))))
}

/// A core value as JSON-like Python data.
pub fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (to_json(value)?,))
}

/// A core value as JSON text.
pub fn to_json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| {
        crate::errors::raise("GroundwireError", &format!("cannot write as JSON: {error}"))
    })
}
