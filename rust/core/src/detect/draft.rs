//! Findings with neutral defaults.

use serde_json::{Value, json};

use crate::claims::{SentenceView, topic};
use crate::evidence::{Against, Tracker};
use crate::types::{
    Claim, Evidence, EvidenceKind, Finding, MAX_TIER, Message, Span, Status, Tier, clip_text,
};

use super::registry::Registry;

/// A finding of that type with neutral defaults: no id, score, risk or tier yet.
#[must_use]
pub fn draft(kind: &str, rule: &str, span: Option<Span>, text: &str, decided_at: usize) -> Finding {
    let registry = Registry::builtin();
    let unknown;
    let info = match registry.get(kind) {
        Some(info) => info,
        None => {
            unknown = registry.get_or_default(kind);
            &unknown
        }
    };
    Finding {
        id: String::new(),
        system: info.system.clone(),
        kind: kind.to_owned(),
        rule: rule.to_owned(),
        span,
        spans: Vec::new(),
        text: clip_text(text).to_owned(),
        locator: None,
        claim_id: None,
        decided_at,
        p_hallucinated: 0.5,
        severity: info.severity,
        native_severity: info.native_label.clone(),
        score: 0.0,
        risk: 0.0,
        tier: Tier::None,
        status: Status::Unverifiable,
        content: clip_text(text).to_owned(),
        message: Message::new(info.description.as_str()),
        suggestion: None,
        replacement: None,
        evidence: Vec::new(),
        detected: Value::Null,
        expected: Value::Null,
        extra: serde_json::Map::new(),
    }
}

/// Why two things said do not go together, in words: evidence that comes from the text itself.
#[must_use]
pub fn because(text: impl Into<String>) -> Evidence {
    Evidence {
        kind: EvidenceKind::Signal,
        source: None,
        locator: None,
        text: text.into(),
        quality: 1.0,
        data: Value::Null,
    }
}

/// Marks a finding about a claim that contradicts itself or the calendar: nothing is missing.
pub fn note_contradiction(finding: &mut Finding, claim: &Claim, p: f64) {
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = p;
    finding.status = Status::Contradicted;
    finding.extra.insert("absence".into(), false.into());
}

/// Keeps a finding at low: it is reported, and nothing is done about it.
pub fn hold_low(finding: &mut Finding) {
    finding.replacement = None;
    let low = Tier::Low.as_str();
    finding.extra.insert(MAX_TIER.into(), low.into());
}

/// Key in `extra` under which a finding about a whole claim names what the claim is about.
pub const TOPIC: &str = "topic";

/// Notes what the claim that the finding is about speaks of, if that is a thing.
pub fn note_topic(finding: &mut Finding, view: &SentenceView<'_>, claim: &Claim) {
    note_named(finding, topic(view, claim).as_deref());
}

/// Notes that a finding is about a thing of that name.
pub fn note_named(finding: &mut Finding, thing: Option<&str>) {
    if let Some(thing) = thing {
        finding.extra.insert(TOPIC.into(), clip_text(thing).into());
    }
}

/// What a finding that only says "missing" was missing from; its tier is capped by it: below
/// medium in an open world, below high where evidence was supplied, uncapped in a closed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absence {
    /// The world is declared complete in what is missing.
    pub closed: bool,
    /// Evidence was supplied with the request.
    pub evidence: bool,
}

impl Absence {
    /// Writes it into `extra`.
    pub(super) fn note(self, finding: &mut Finding) {
        finding.extra.insert("absence".into(), json!(true));
        finding
            .extra
            .insert("closed_world".into(), json!(self.closed));
        finding
            .extra
            .insert("evidence_given".into(), json!(self.evidence));
        finding.status = if self.closed || self.evidence {
            Status::NotInContext
        } else {
            Status::Unverifiable
        };
    }

    /// Reads it back; `None` where the finding is no mere absence.
    #[must_use]
    pub fn of(finding: &Finding) -> Option<Self> {
        let flag = |name: &str| {
            finding
                .extra
                .get(name)
                .and_then(Value::as_bool)
                .unwrap_or(false)
        };
        flag("absence").then(|| Self {
            closed: flag("closed_world"),
            evidence: flag("evidence_given"),
        })
    }
}

/// The sentence of the evidence that holds most of the open one, as evidence of a finding.
pub(super) fn nearest(tracker: &Tracker, against: &Against<'_>) -> Option<Evidence> {
    let (passage, span, coverage) = tracker.nearest(against)?;
    Some(Evidence {
        quality: coverage,
        ..passage.cited(span, span)
    })
}
