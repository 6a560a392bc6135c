//! A model that has become unsure.

use serde_json::json;

use crate::types::{Evidence, EvidenceKind, Finding, Message, Span};

use super::draft::draft;

/// Set by hand, neither measured nor calibrated: an unsure model may be right or wrong.
const P: f64 = 0.5;

/// `stream.low_confidence`: the mean confidence over the window (DeepConf, arXiv 2508.15260) fell
/// below the bar that was set for this model.
#[must_use]
pub fn low_confidence(mean: f64, bar: f64, span: Span, text: &str, decided_at: usize) -> Finding {
    let mut finding = draft(
        "stream.low_confidence",
        "group_confidence",
        Some(span),
        text,
        decided_at,
    );
    finding.p_hallucinated = P;
    finding.message = Message::new("Group confidence {mean} is below {bar}")
        .plain("mean", format!("{mean:.2}"))
        .plain("bar", format!("{bar:.2}"));
    finding.detected = json!(mean);
    finding.expected = json!(bar);
    finding.evidence.push(Evidence {
        kind: EvidenceKind::Signal,
        source: Some("group_confidence".to_owned()),
        locator: None,
        text: String::new(),
        quality: 1.0,
        data: json!({"mean": mean, "bar": bar}),
    });
    finding
}
