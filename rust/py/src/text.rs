//! Python surface of `segment`: one call that splits a whole text.

use crate::input::Text;
use groundwire_core::lexicon::units;
use groundwire_core::segment::{self, SegEvent, Segmenter};
use groundwire_core::types::{LexFlags, Span};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

const FLAGS: [(&str, LexFlags); 12] = [
    ("capitalized", LexFlags::CAPITALIZED),
    ("all_caps", LexFlags::ALL_CAPS),
    ("has_digit", LexFlags::HAS_DIGIT),
    ("space_before", LexFlags::SPACE_BEFORE),
    ("sentence_start", LexFlags::SENTENCE_START),
    ("quoted", LexFlags::QUOTED),
    ("code", LexFlags::CODE),
    ("overlong", LexFlags::OVERLONG),
    ("mixed_case", LexFlags::MIXED_CASE),
    ("non_ascii", LexFlags::NON_ASCII),
    ("technical", LexFlags::TECHNICAL),
    ("after_opener", LexFlags::AFTER_OPENER),
];

/// Code points before each byte, so that byte offsets become code points in one step.
struct Points(Vec<u32>);

impl Points {
    fn new(text: &str) -> Self {
        let mut points = Vec::with_capacity(text.len() + 1);
        let mut count = 0;
        for c in text.chars() {
            points.resize(points.len() + c.len_utf8(), count);
            count += 1;
        }
        points.push(count);
        Self(points)
    }

    fn at(&self, byte: usize) -> u32 {
        self.0.get(byte).or(self.0.last()).copied().unwrap_or(0)
    }
}

fn events(text: &str, chunks: Option<usize>) -> Vec<SegEvent> {
    let Some(size) = chunks else {
        return segment::collect(text)
            .into_iter()
            .map(|(event, _)| event)
            .collect();
    };
    let mut out = Vec::new();
    let mut segmenter = Segmenter::new();
    let mut rest = text;
    while !rest.is_empty() {
        let cut = rest
            .char_indices()
            .nth(size)
            .map_or(rest.len(), |(at, _)| at);
        let (chunk, more) = rest.split_at(cut);
        segmenter.push(chunk, &mut |event, _| out.push(event));
        rest = more;
    }
    segmenter.finish(&mut |event, _| out.push(event));
    out
}

fn place(
    dict: &Bound<'_, PyDict>,
    event: &str,
    text: &str,
    points: &Points,
    span: Span,
    decided_at: usize,
) -> PyResult<()> {
    dict.set_item("event", event)?;
    dict.set_item("text", &text[span.start..span.end])?;
    dict.set_item("start", points.at(span.start))?;
    dict.set_item("end", points.at(span.end))?;
    dict.set_item("byte_start", span.start)?;
    dict.set_item("byte_end", span.end)?;
    dict.set_item("decided_at", points.at(decided_at))
}

/// The spans of the sentences of `text` in code points, in order.
#[pyfunction]
fn sentences(py: Python<'_>, text: Text<'_>) -> Vec<(u32, u32)> {
    let text = &*text;
    let points = Points::new(text);
    py.detach(|| events(text, None))
        .iter()
        .filter_map(|event| match event {
            SegEvent::Sentence(item) => {
                Some((points.at(item.span.start), points.at(item.span.end)))
            }
            _ => None,
        })
        .collect()
}

/// Splits `text` into lexemes, quantities, dates and sentences, in the order they close.
/// With `chunk`, the text is fed that many characters at a time; the result is the same.
#[pyfunction]
#[pyo3(name = "segment", signature = (text, *, chunk=None))]
fn segment_text<'py>(
    py: Python<'py>,
    text: Text<'_>,
    chunk: Option<usize>,
) -> PyResult<Bound<'py, PyList>> {
    if chunk == Some(0) {
        return Err(crate::errors::raise(
            "ArgumentError",
            "chunk must be at least 1 character",
        ));
    }
    let text = &*text;
    let points = Points::new(text);
    let found = py.detach(|| events(text, chunk));
    let out = PyList::empty(py);
    for event in found {
        let dict = PyDict::new(py);
        let decided_at = event.decided_at();
        match event {
            SegEvent::Lexeme(item) => {
                place(&dict, "lexeme", text, &points, item.span, decided_at)?;
                dict.set_item("kind", format!("{:?}", item.kind))?;
                let flags: Vec<&str> = FLAGS
                    .iter()
                    .filter(|(_, flag)| item.flags.has(*flag))
                    .map(|(name, _)| *name)
                    .collect();
                dict.set_item("flags", flags)?;
            }
            SegEvent::Quantity(item) => {
                place(&dict, "quantity", text, &points, item.span, decided_at)?;
                dict.set_item("kind", format!("{:?}", item.kind))?;
                dict.set_item("value", item.value)?;
                dict.set_item("unit", item.unit.map(|unit| units::unit(unit).name))?;
                dict.set_item("decimals", item.decimals)?;
                dict.set_item("approximate", item.approximate)?;
            }
            SegEvent::Date(item) => {
                place(&dict, "date", text, &points, item.span, decided_at)?;
                dict.set_item("year", item.year)?;
                dict.set_item("month", item.month)?;
                dict.set_item("day", item.day)?;
                dict.set_item("weekday", item.weekday)?;
                dict.set_item("minutes", item.minutes)?;
            }
            SegEvent::Sentence(item) => {
                place(&dict, "sentence", text, &points, item.span, decided_at)?;
                dict.set_item("kind", format!("{:?}", item.kind))?;
                dict.set_item("index", item.index)?;
                dict.set_item("terminator", item.terminator)?;
                dict.set_item("capped", item.capped)?;
            }
        }
        out.append(dict)?;
    }
    Ok(out)
}

/// `value` of the unit named `source` in the unit named `target`; None if not comparable.
///
/// Raises `NotFoundError` for a name that is no unit's.
#[pyfunction]
fn convert_unit(value: f64, source: Text<'_>, target: Text<'_>) -> PyResult<Option<f64>> {
    let find = |name: &str| {
        units::by_name(name).ok_or_else(|| {
            let message = format!("no unit is named {name:?}; use a name such as \"kilometre\"");
            crate::errors::raise("NotFoundError", &message)
        })
    };
    Ok(units::convert(value, find(&source)?, find(&target)?))
}

/// The first key that an object of a JSON text has twice, and its line.
#[pyfunction]
fn key_twice(text: Text<'_>) -> Option<(String, usize)> {
    groundwire_core::types::key_twice(&text)
}

/// Adds this file's names to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sentences, module)?)?;
    module.add_function(wrap_pyfunction!(segment_text, module)?)?;
    module.add_function(wrap_pyfunction!(key_twice, module)?)?;
    module.add_function(wrap_pyfunction!(convert_unit, module)?)
}
