//! A verifier's answer about a claim.

use serde_json::json;

use crate::types::{Claim, Evidence, EvidenceKind, Finding, Message, Status, Verdict};

use super::draft::draft;

/// Said of a contradicted claim without bounds on p1.
const P_CONTRADICTED: f64 = 0.9;
/// Said of a claim that nothing carries, without bounds on p1.
const P_MISSING: f64 = 0.6;

/// `dialogue.contradicts_fact` for a contradicted claim, else `dialogue.unsupported_claim`;
/// `p_hallucinated` is 1 − p1, p1 at the middle of its bounds.
#[must_use]
pub fn verdict_finding(claim: &Claim, verdict: &Verdict, decided_at: usize) -> Finding {
    let contradicted = verdict.status == Status::Contradicted;
    let kind = if contradicted { "dialogue.contradicts_fact" } else { "dialogue.unsupported_claim" };
    let mut finding = draft(kind, "verifier", Some(claim.span), &claim.content, decided_at);
    finding.claim_id = Some(claim.id.clone());
    let unbounded = if contradicted { P_CONTRADICTED } else { P_MISSING };
    finding.p_hallucinated =
        verdict.p1.map_or(unbounded, |p1| (1.0 - f64::midpoint(p1.lo, p1.hi)).clamp(0.0, 1.0));
    finding.status = verdict.status;
    if !verdict.reason.is_empty() {
        finding.message = Message::new("{reason}").sensitive("reason", &*verdict.reason);
    }
    finding.evidence.push(Evidence {
        kind: EvidenceKind::Signal,
        source: Some("verifier".to_owned()),
        locator: None,
        text: verdict.reason.clone(),
        quality: 1.0,
        data: json!({"p0": verdict.p0, "p1": verdict.p1}),
    });
    finding.extra.insert("absence".into(), json!(!contradicted));
    finding
}
