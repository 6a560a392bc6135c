//! Python surface of the grounding features: for the script that fits their weights.

use groundwire_core::evidence::{
    Against, Class, DETAIL_NAMES, Detail, EvidenceSet, NAMES, Passage, Tracker,
};
use groundwire_core::segment::{SegEvent, Segmenter};
use groundwire_core::types::Span;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rustc_hash::FxHashSet;

/// The names of the grounding features, in their order.
#[pyfunction]
fn support_feature_names() -> Vec<&'static str> {
    NAMES.to_vec()
}

type Row = (bool, usize, usize, Vec<f64>);

/// The grounding features at each content word (``False``) and each sentence's end (``True``).
///
/// A row is ``(sentence, start, end, features)``: code points of the sentence from its start to
/// the word's end, or of the whole sentence. Offsets count code points in ``text``.
#[pyfunction]
#[pyo3(signature = (text, evidence, question=None))]
fn support_features(
    py: Python<'_>,
    text: &str,
    evidence: Vec<String>,
    question: Option<&str>,
) -> PyResult<Py<PyDict>> {
    let rows = py.detach(|| rows(text, &evidence, question));
    let out = PyDict::new(py);
    out.set_item("names", NAMES.to_vec())?;
    out.set_item("rows", rows)?;
    Ok(out.unbind())
}

/// Passages, the question's words, and where code points stand.
struct Prepared {
    set: EvidenceSet,
    known: FxHashSet<u64>,
    points: Vec<usize>,
}

impl Prepared {
    fn new(text: &str, evidence: &[String], question: Option<&str>) -> Self {
        let mut set = EvidenceSet::default();
        for (at, passage) in evidence.iter().enumerate() {
            set.add(Passage::index(&at.to_string(), passage));
        }
        let known = question
            .map(|question| {
                Passage::index("question", question)
                    .data()
                    .stems()
                    .collect()
            })
            .unwrap_or_default();
        let mut points = vec![0_usize; text.len() + 1];
        let mut count = 0;
        for (at, c) in text.char_indices() {
            for slot in &mut points[at..at + c.len_utf8()] {
                *slot = count;
            }
            count += 1;
        }
        points[text.len()] = count;
        Self { set, known, points }
    }

    fn against(&self) -> Against<'_> {
        Against {
            evidence: &self.set,
            known: &self.known,
        }
    }

    fn points(&self, span: Span) -> (usize, usize) {
        (self.points[span.start], self.points[span.end])
    }
}

fn rows(text: &str, evidence: &[String], question: Option<&str>) -> Vec<Row> {
    let prepared = Prepared::new(text, evidence, question);
    let against = prepared.against();
    let point = |span: Span| prepared.points(span);
    let mut tracker = Tracker::default();
    let mut rows: Vec<Row> = Vec::new();
    let mut words: Vec<(Span, Vec<f64>)> = Vec::new();
    let mut sink = |event: SegEvent, word: &str| match event {
        SegEvent::Lexeme(lexeme) => {
            if tracker.lexeme(&lexeme, word, &against) {
                words.push((lexeme.span, tracker.features(&against).0.to_vec()));
            }
        }
        SegEvent::Quantity(quantity) => tracker.quantity(&quantity, &against),
        SegEvent::Date(_) => {}
        SegEvent::Sentence(sentence) => {
            let (start, end) = point(sentence.span);
            for (span, features) in words.drain(..) {
                rows.push((false, start, point(span).1, features));
            }
            rows.push((true, start, end, tracker.features(&against).0.to_vec()));
            tracker.sentence();
        }
    };
    let mut segmenter = Segmenter::new();
    segmenter.push(text, &mut sink);
    segmenter.finish(&mut sink);
    rows
}

type DetailRow = (usize, usize, usize, &'static str, Vec<f64>);

/// The features of each judged word of each sentence, for the script that fits their weights.
///
/// A row is ``(sentence, start, end, class, features)``: the number of the sentence, the code
/// points of the word, what it is.
#[pyfunction]
#[pyo3(signature = (text, evidence, question=None))]
fn detail_features(
    py: Python<'_>,
    text: &str,
    evidence: Vec<String>,
    question: Option<&str>,
) -> PyResult<Py<PyDict>> {
    let rows = py.detach(|| detail_rows(text, &evidence, question));
    let out = PyDict::new(py);
    out.set_item("names", DETAIL_NAMES.to_vec())?;
    out.set_item("rows", rows)?;
    Ok(out.unbind())
}

fn detail_rows(text: &str, evidence: &[String], question: Option<&str>) -> Vec<DetailRow> {
    let prepared = Prepared::new(text, evidence, question);
    let against = prepared.against();
    let mut tracker = Tracker::default();
    let mut rows = Vec::new();
    let mut sentences = 0;
    let mut sink = |event: SegEvent, word: &str| match event {
        SegEvent::Lexeme(lexeme) => {
            tracker.lexeme(&lexeme, word, &against);
        }
        SegEvent::Quantity(quantity) => tracker.quantity(&quantity, &against),
        SegEvent::Date(_) => {}
        SegEvent::Sentence(_) => {
            for detail in tracker.details(&against) {
                let (start, end) = prepared.points(detail.span);
                let class = class_name(&detail);
                rows.push((sentences, start, end, class, detail.values.to_vec()));
            }
            sentences += 1;
            tracker.sentence();
        }
    };
    let mut segmenter = Segmenter::new();
    segmenter.push(text, &mut sink);
    segmenter.finish(&mut sink);
    rows
}

fn class_name(detail: &Detail) -> &'static str {
    Class::JUDGED
        .iter()
        .find(|(class, _)| *class == detail.class)
        .map_or("", |(_, name)| name)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(support_feature_names, module)?)?;
    module.add_function(wrap_pyfunction!(support_features, module)?)?;
    module.add_function(wrap_pyfunction!(detail_features, module)?)?;
    Ok(())
}
