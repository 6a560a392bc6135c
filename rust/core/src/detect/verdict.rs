//! A verifier's answer about a claim.

use serde_json::json;

use crate::types::{Claim, Evidence, EvidenceKind, Finding, Message, Status, Verdict};

use super::draft::{Absence, draft};

/// A verifier that says no without a probability is mostly believed. Set by hand: how often a
/// verifier is right depends on the verifier, and nothing was measured.
const P_CONTRADICTED: f64 = 0.9;
/// Not finding a claim says less.
const P_MISSING: f64 = 0.6;

/// `stream.verifier_contradicted` or `stream.verifier_unsupported`: a verifier said that the claim
/// is wrong, or that nothing carries it; nothing for other answers. Where it gave P(true | with
/// evidence), `p_hallucinated` is its complement, taken at the middle of the bounds.
#[must_use]
pub fn verdict_finding(claim: &Claim, verdict: &Verdict, decided_at: usize) -> Option<Finding> {
    let (kind, default, text) = match verdict.status {
        Status::Contradicted => (
            "stream.verifier_contradicted",
            P_CONTRADICTED,
            "A verifier contradicts this claim",
        ),
        Status::NotInContext => (
            "stream.verifier_unsupported",
            P_MISSING,
            "A verifier found no support for this claim",
        ),
        _ => return None,
    };
    let mut finding = draft(
        kind,
        "verifier",
        Some(claim.span),
        &claim.content,
        decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = verdict.p1.map_or(default, |p1| {
        (1.0 - f64::midpoint(p1.lo, p1.hi)).clamp(0.0, 1.0)
    });
    if verdict.status == Status::NotInContext {
        Absence {
            closed: false,
            evidence: true,
        }
        .note(&mut finding);
    }
    finding.status = verdict.status;
    finding.message = if verdict.reason.is_empty() {
        Message::new(text)
    } else {
        Message::new(format!("{text}: {{reason}}")).sensitive("reason", &*verdict.reason)
    };
    finding.evidence.push(Evidence {
        kind: EvidenceKind::ToolResult,
        source: Some("verifier".to_owned()),
        locator: None,
        text: verdict.reason.clone(),
        quality: 1.0,
        data: json!({"p0": verdict.p0, "p1": verdict.p1}),
    });
    Some(finding)
}
