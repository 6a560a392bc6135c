//! Python surface of the readers: a text as segments, without judging it.

use groundwire_core::dialogue::exclusivity as weight;
use groundwire_core::score::base_confidence as confidence_of;
use groundwire_core::session::{Context, coherence as held, segments as read};
use pyo3::prelude::*;

use crate::errors::{OrRaise, raise};
use crate::input::{Text, checked};
use crate::kb::KnowledgeBase;
use crate::step::to_json;

/// Turns as (role, text) pairs.
type Turns = Vec<(String, String)>;

/// The segments of a text as JSON: claims, entities, temporals and statements of each sentence.
#[pyfunction]
#[pyo3(signature = (text, *, kb=None, history=None, question=None, reference_date=None))]
fn segments(
    py: Python<'_>,
    text: Text<'_>,
    kb: Option<&Bound<'_, KnowledgeBase>>,
    #[pyo3(from_py_with = checked)] history: Option<Turns>,
    #[pyo3(from_py_with = checked)] question: Option<String>,
    #[pyo3(from_py_with = checked)] reference_date: Option<String>,
) -> PyResult<String> {
    let day = match reference_date {
        Some(day) => Context::default().on_day(&day).or_raise()?.reference,
        None => None,
    };
    let shared = kb.map(|kb| kb.get().shared());
    let text = &*text;
    py.detach(|| {
        let snapshot = match &shared {
            Some(kb) => {
                let kb = kb
                    .read()
                    .map_err(|_| raise("ArgumentError", "this knowledge base is broken"))?;
                Some(kb.snapshot())
            }
            None => None,
        };
        let history = history.unwrap_or_default();
        let mut before: Vec<&str> = history.iter().map(|(_, text)| text.as_str()).collect();
        before.extend(question.as_deref());
        to_json(&read(text, snapshot.as_ref(), &before, day))
    })
}

/// A text held against earlier turns, oldest first, as JSON: contradictions, drifts, corrections.
#[pyfunction]
fn coherence(py: Python<'_>, text: Text<'_>, turns: Vec<String>) -> PyResult<String> {
    let text = &*text;
    py.detach(|| {
        let turns: Vec<&str> = turns.iter().map(String::as_str).collect();
        to_json(&held(text, &turns))
    })
}

/// How surely two different values of an attribute exclude each other, 0 to 1.
#[pyfunction]
fn exclusivity(attribute: Text<'_>) -> f64 {
    weight(&attribute)
}

/// Base confidence of a kind of source, 0 to 1.
#[pyfunction]
fn base_confidence(source: Text<'_>) -> f64 {
    confidence_of(&source)
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(segments, module)?)?;
    module.add_function(wrap_pyfunction!(coherence, module)?)?;
    module.add_function(wrap_pyfunction!(exclusivity, module)?)?;
    module.add_function(wrap_pyfunction!(base_confidence, module)?)?;
    Ok(())
}
