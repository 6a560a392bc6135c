//! Python surface of `patterns`.

use groundwire_core::patterns as core;
use groundwire_core::patterns::Ruleset as CoreRuleset;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use crate::errors::{OrRaise, raise};
use crate::input::{Text, shown};

/// Characters of text that a native warning carries (S4-015).
const SEGMENT: usize = 100;

/// Byte offsets to code points, for offsets asked in any order.
struct Codepoints {
    /// Code point of the first character of each block.
    blocks: Vec<usize>,
}

const BLOCK: usize = 256;

impl Codepoints {
    fn new(text: &str) -> Self {
        let starts = |chunk: &[u8]| chunk.iter().filter(|&&b| b & 0xC0 != 0x80).count();
        let mut blocks = vec![0];
        let mut count = 0;
        for chunk in text.as_bytes().chunks(BLOCK) {
            count += starts(chunk);
            blocks.push(count);
        }
        Self { blocks }
    }

    fn at(&self, text: &str, byte: usize) -> usize {
        let block = byte / BLOCK;
        let rest = &text.as_bytes()[block * BLOCK..byte];
        self.blocks[block] + rest.iter().filter(|&&b| b & 0xC0 != 0x80).count()
    }
}

/// One match of one rule.
#[pyclass(frozen, get_all, module = "groundwire._core", name = "RuleMatch")]
struct RuleMatch {
    /// Id of the rule.
    rule: String,
    /// Index of the rule in its set.
    index: u32,
    /// Kind of the rule.
    kind: String,
    /// Confidence of the rule, 0..1.
    confidence: f64,
    /// What to say, with the text put in.
    message: String,
    /// The text that matched.
    text: String,
    /// The last 100 characters of text when the match was decided.
    segment: String,
    /// (start, end) in code points.
    span: (usize, usize),
    /// (start, end) in bytes of UTF-8.
    byte_span: (usize, usize),
    /// Code points after which nothing could change the match.
    decided_at: usize,
    /// The match could have been longer but for the rule's `max_len`.
    truncated: bool,
}

#[pymethods]
impl RuleMatch {
    fn __repr__(&self) -> String {
        format!(
            "RuleMatch(rule={:?}, text={:?}, span={:?})",
            self.rule, self.text, self.span
        )
    }
}

/// One wording signal.
#[pyclass(
    frozen,
    get_all,
    module = "groundwire._core",
    name = "LinguisticSignal"
)]
struct LinguisticSignal {
    /// "hedging", "overconfidence", "vagueness", "self_correction" or "certainty".
    kind: &'static str,
    /// 0..1.
    strength: f64,
    /// The words.
    text: String,
    /// (start, end) in code points.
    span: (usize, usize),
    /// (start, end) in bytes of UTF-8.
    byte_span: (usize, usize),
}

#[pymethods]
impl LinguisticSignal {
    fn __repr__(&self) -> String {
        format!(
            "LinguisticSignal(kind={:?}, strength={}, text={:?})",
            self.kind, self.strength, self.text
        )
    }
}

/// Rules compiled together; immutable, shared by threads and streams, picklable.
#[pyclass(frozen, module = "groundwire._core", name = "Ruleset")]
pub struct Ruleset {
    /// The compiled rules.
    pub inner: CoreRuleset,
}

fn last_chars(text: &str, count: usize) -> &str {
    let start = text
        .char_indices()
        .rev()
        .take(count)
        .last()
        .map_or(0, |(at, _)| at);
    if text.is_empty() {
        text
    } else {
        &text[start..]
    }
}

/// A rule as JSON, or an error that names it and the key whose value has no form in JSON, such as
/// a NaN.
fn rule_json<'py>(py: Python<'py>, i: usize, rule: &Bound<'py, PyAny>) -> PyResult<String> {
    let strict = PyDict::new(py);
    strict.set_item("allow_nan", false)?;
    let dumps = py.import("json")?.getattr("dumps")?;
    let dumped = |value: &Bound<'py, PyAny>| dumps.call((value,), Some(&strict));
    let error = match dumped(rule) {
        Ok(text) => return text.extract(),
        Err(error) => error,
    };
    let Ok(keys) = rule.cast::<PyDict>() else {
        let text = format!("rule {}: {}", i + 1, error.value(py));
        return Err(raise("RuleError", &text));
    };
    let id = keys
        .get_item("id")?
        .filter(|id| id.is_instance_of::<PyString>());
    let name = id.map_or_else(|| format!("rule {}", i + 1), |id| format!("rule '{id}'"));
    for (key, value) in keys {
        if dumped(&value).is_err() {
            let text = format!(
                "{name}: {key} cannot be {}; a value is a text, a finite number, true or false, \
                 or a list or table of these",
                shown(&value)
            );
            return Err(raise("RuleError", &text));
        }
    }
    Err(raise("RuleError", &format!("{name}: {}", error.value(py))))
}

#[pymethods]
impl Ruleset {
    /// Rules from a list of dicts, or from their JSON text.
    #[new]
    fn new(py: Python<'_>, rules: &Bound<'_, PyAny>) -> PyResult<Self> {
        if rules.is_instance_of::<PyString>() {
            let text: Text<'_> = rules.extract()?;
            let text = &*text;
            return Ok(Self {
                inner: py.detach(|| CoreRuleset::from_json(text)).or_raise()?,
            });
        }
        let rules = rules.try_iter().map_err(|_| {
            let kind = rules
                .get_type()
                .name()
                .map_or_else(|_| "this".into(), |n| n.to_string());
            let message = format!("rules is a list of tables of keys and values, not {kind}");
            raise("ArgumentError", &message)
        })?;
        let rules = rules.enumerate();
        let rules = rules
            .map(|(i, rule)| rule_json(py, i, &rule?))
            .collect::<PyResult<Vec<String>>>()?;
        let text = format!("[{}]", rules.join(","));
        Ok(Self {
            inner: py.detach(|| CoreRuleset::from_json(&text)).or_raise()?,
        })
    }

    /// Rules of a TOML text: tables `[[rules]]`; raises `RuleError` if it or a rule is not valid.
    #[classmethod]
    fn from_toml(_class: &Bound<'_, PyType>, py: Python<'_>, text: Text<'_>) -> PyResult<Self> {
        Ok(Self {
            inner: py.detach(|| CoreRuleset::from_toml(&text)).or_raise()?,
        })
    }

    /// Rules from dicts with the keys of a rule file, or from their JSON text.
    ///
    /// Raises `RuleError` if a rule is not valid.
    #[classmethod]
    fn from_rules(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        rules: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Self::new(py, rules)
    }

    /// The rules that come with groundwire.
    #[classmethod]
    fn builtin(_class: &Bound<'_, PyType>, py: Python<'_>) -> Self {
        Self {
            inner: py.detach(|| CoreRuleset::builtin().clone()),
        }
    }

    /// The rules of both sets; raises `RuleError` if an id is used twice.
    fn merge(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        Ok(Self {
            inner: py.detach(|| self.inner.merge(&other.inner)).or_raise()?,
        })
    }

    /// All matches of a whole text, as a stream would report them.
    fn scan(&self, py: Python<'_>, text: Text<'_>) -> Vec<RuleMatch> {
        let text = &*text;
        py.detach(|| {
            let codepoints = Codepoints::new(text);
            let at = |byte| codepoints.at(text, byte);
            let found = self.inner.scan(text);
            found
                .into_iter()
                .map(|m| {
                    let rule = self.inner.rule(m.rule);
                    let matched = &text[m.span.start..m.span.end];
                    RuleMatch {
                        rule: rule.id.clone(),
                        index: m.rule,
                        kind: rule.kind.clone(),
                        confidence: rule.confidence,
                        message: rule.message.replace("{text}", matched),
                        text: matched.to_owned(),
                        segment: last_chars(&text[..m.decided_at], SEGMENT).to_owned(),
                        span: (at(m.span.start), at(m.span.end)),
                        byte_span: (m.span.start, m.span.end),
                        decided_at: at(m.decided_at),
                        truncated: m.truncated,
                    }
                })
                .collect()
        })
    }

    /// The rules as dicts with the keys of a rule file.
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.json()?,))
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __repr__(&self) -> String {
        format!("Ruleset({} rules)", self.inner.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = PyTuple::new(py, [self.json()?])?;
        PyTuple::new(py, [py.get_type::<Self>().into_any(), arguments.into_any()])
    }
}

impl Ruleset {
    fn json(&self) -> PyResult<String> {
        serde_json::to_string(self.inner.rules())
            .map_err(|error| crate::errors::raise("RuleError", &error.to_string()))
    }
}

/// The wording signals of a text, in order of their start.
#[pyfunction]
fn linguistic_signals(py: Python<'_>, text: Text<'_>) -> Vec<LinguisticSignal> {
    use groundwire_core::types::LinguisticKind as Kind;
    let text = &*text;
    py.detach(|| {
        let codepoints = Codepoints::new(text);
        core::linguistic_signals(text)
            .into_iter()
            .map(|signal| LinguisticSignal {
                kind: match signal.kind {
                    Kind::Hedging => "hedging",
                    Kind::Overconfidence => "overconfidence",
                    Kind::Vagueness => "vagueness",
                    Kind::SelfCorrection => "self_correction",
                    Kind::Certainty => "certainty",
                },
                strength: signal.strength,
                text: text[signal.span.start..signal.span.end].to_owned(),
                span: (
                    codepoints.at(text, signal.span.start),
                    codepoints.at(text, signal.span.end),
                ),
                byte_span: (signal.span.start, signal.span.end),
            })
            .collect()
    })
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Ruleset>()?;
    module.add_class::<RuleMatch>()?;
    module.add_class::<LinguisticSignal>()?;
    module.add_function(wrap_pyfunction!(linguistic_signals, module)?)?;
    Ok(())
}
