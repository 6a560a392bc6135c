//! A rule's match in the stream.

use serde_json::json;

use crate::patterns::{Rule, RuleMatch};
use crate::types::{Evidence, EvidenceKind, Finding, Message, Severity};

use super::draft::draft;

/// `stream.<kind of the rule>`: the rule's own confidence is the probability, its severity and
/// message replace the type's where it has them. `text` is the text at the match.
#[must_use]
pub fn rule_finding(rule: &Rule, found: &RuleMatch, text: &str) -> Finding {
    let kind = format!("stream.{}", rule.kind);
    let mut finding = draft(&kind, &rule.id, Some(found.span), text, found.decided_at);
    finding.p_hallucinated = rule.confidence.clamp(0.0, 1.0);
    if let Some(severity) = rule.severity {
        finding.severity = severity;
        finding.native_severity = severity.as_str().to_owned();
        finding
            .extra
            .insert("base_severity".into(), json!(base_of(severity)));
    }
    if !rule.message.is_empty() {
        finding.message = Message::new(&*rule.message).sensitive("text", text);
    }
    finding.suggestion.clone_from(&rule.suggestion);
    if let Some(tier) = rule.tier {
        finding.extra.insert("min_tier".into(), json!(tier));
    }
    if found.truncated {
        finding.extra.insert("truncated".into(), json!(true));
    }
    finding.detected = json!(text);
    finding.evidence.push(Evidence {
        kind: EvidenceKind::Rule,
        source: Some(rule.id.clone()),
        locator: None,
        text: rule.kind.clone(),
        quality: rule.confidence,
        data: serde_json::Value::Null,
    });
    finding
}

/// Where the score of a rule with its own severity starts.
const fn base_of(severity: Severity) -> f64 {
    match severity {
        Severity::Info => 0.1,
        Severity::Low => 0.3,
        Severity::Medium => 0.6,
        Severity::High => 0.8,
        Severity::Critical => 0.95,
    }
}
