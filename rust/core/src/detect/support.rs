//! A sentence that the evidence does not carry, when it closes.

use serde_json::json;

use crate::claims::SentenceView;
use crate::evidence::{EvidenceSet, Support};
use crate::types::{Claim, Evidence, Finding, Message, Modality, SentenceKind};

use super::draft::{Absence, draft};

/// Support below which a sentence is reported.
pub const SUPPORT_THRESHOLD: f64 = 0.45;
/// Sentences of fewer content words say too little to be judged.
const FEW_WORDS: usize = 4;

/// How likely a sentence of that support is made up: linear from one in five at the threshold to
/// one in two where nothing of it is in the evidence. A paraphrase shares few words with its
/// source, so that missing words alone leave the tier low. The line is set by hand, not calibrated.
fn p_of(score: f64, threshold: f64) -> f64 {
    (0.5 - 0.3 * (score / threshold.max(f64::MIN_POSITIVE))).clamp(0.2, 0.5)
}

/// `stream.unsupported_sentence`: an asserted or hedged sentence with support below `threshold`.
#[must_use]
pub fn unsupported_sentence(
    view: &SentenceView<'_>,
    claim: &Claim,
    support: &Support,
    evidence: &EvidenceSet,
    threshold: f64,
) -> Option<Finding> {
    let judged = matches!(
        view.sentence.kind,
        SentenceKind::Prose | SentenceKind::ListItem | SentenceKind::TableRow
    ) && matches!(claim.modality, Modality::Asserted | Modality::Hedged);
    if !judged || evidence.is_empty() || support.words < FEW_WORDS || support.score >= threshold {
        return None;
    }
    let mut finding = draft(
        "stream.unsupported_sentence",
        "support",
        Some(view.sentence.span),
        view.text,
        view.sentence.decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = p_of(support.score, threshold);
    Absence {
        closed: false,
        evidence: true,
    }
    .note(&mut finding);
    let percent = format!("{:.0}", support.score * 100.0);
    finding.message = Message::new("The evidence supports {percent} % of this sentence")
        .plain("percent", percent);
    finding.detected = json!({
        "support": support.score,
        "novelty": support.novelty,
        "coverage": support.coverage,
        "pairs": support.pairs,
        "novel_numbers": support.novel_numbers,
        "novel": support.novel.iter().map(|span| view.at(*span)).collect::<Vec<_>>(),
    });
    if let Some(passage) = support.passage.and_then(|at| evidence.passages().get(at)) {
        finding.evidence.push(Evidence {
            kind: passage.kind,
            source: Some(passage.id.clone()),
            locator: Some(format!(
                "bytes {}..{}",
                support.span.start, support.span.end
            )),
            text: passage
                .text()
                .get(support.span.start..support.span.end)
                .unwrap_or("")
                .to_owned(),
            quality: support.coverage,
            data: serde_json::Value::Null,
        });
    }
    Some(finding)
}
