//! A claim that needs more information than its evidence carries.

use serde_json::json;

use crate::budget::Budget;
use crate::types::{Evidence, EvidenceKind, Finding, Interval, Message, Span, Status};

use super::draft::draft;

/// `budget.contradicted` where the evidence makes the claim unlikely, `budget.gap` where required
/// exceeds observed by more than the threshold; nothing otherwise. A claim is as doubtful as p1
/// says: `p_hallucinated` is 1 − p1, p1 at the middle of its bounds.
#[must_use]
pub fn budget_finding(
    budget: &Budget,
    p0: Interval,
    p1: Interval,
    span: Span,
    text: &str,
    claim_id: Option<&str>,
    decided_at: usize,
) -> Option<Finding> {
    let contradicted = budget.status == Status::Contradicted;
    if !contradicted && !budget.flagged {
        return None;
    }
    let kind = if contradicted {
        "budget.contradicted"
    } else {
        "budget.gap"
    };
    let mut finding = draft(kind, "information_budget", Some(span), text, decided_at);
    finding.claim_id = claim_id.map(str::to_owned);
    finding.p_hallucinated = (1.0 - f64::midpoint(p1.lo, p1.hi)).clamp(0.0, 1.0);
    finding.status = budget.status;
    let bits = |interval: Interval| format!("{:.1}", f64::midpoint(interval.lo, interval.hi));
    finding.message = Message::new("Needs {required} bits, the evidence gives {observed}")
        .plain("required", bits(budget.required))
        .plain("observed", bits(budget.observed));
    let data = json!({
        "p0": p0,
        "p1": p1,
        "required": budget.required,
        "observed": budget.observed,
        "gap": budget.gap,
    });
    finding.evidence.push(Evidence {
        kind: EvidenceKind::Signal,
        source: Some("information_budget".to_owned()),
        locator: None,
        text: String::new(),
        quality: 1.0,
        data: data.clone(),
    });
    finding.detected = data;
    finding.extra.insert("absence".into(), json!(false));
    Some(finding)
}
