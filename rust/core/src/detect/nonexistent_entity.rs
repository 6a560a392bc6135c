//! A name that neither dialogue nor knowledge base knows (S0-006, S0-043, S0-044).

use crate::types::{Evidence, EvidenceKind, Finding, Mention, MentionKind, Resolution};

use super::draft::draft;
use super::grounds::Grounds;

/// Confidence from which the seed flags a name (S0-043).
const LEAST: f64 = 0.5;
/// Similarity from which a name of the dialogue may be what was meant (S0-044).
const SIMILAR: f64 = 0.8;
/// Phrases that stand for nobody in particular (S0-044).
const GENERIC: [&str; 4] = ["the team", "the manager", "someone", "a person"];

/// How sure it is that nothing of that name exists (S0-044), 0..1: 0.7, +0.15 for a proper name or
/// +0.05 for a description, -0.20 where a `similar` name is known, which makes a slip of the pen
/// likelier, -0.30 for a generic phrase.
#[must_use]
pub fn nonexistence_confidence(kind: MentionKind, surface: &str, similar: bool) -> f64 {
    let mut confidence: f64 = 0.7;
    match kind {
        MentionKind::ProperName => confidence += 0.15,
        MentionKind::DefiniteDesc => confidence += 0.05,
        MentionKind::Pronoun | MentionKind::Generic => {}
    }
    if similar {
        confidence -= 0.2;
    }
    let surface = surface.to_lowercase();
    if GENERIC.iter().any(|phrase| surface.contains(phrase)) {
        confidence -= 0.3;
    }
    confidence.clamp(0.0, 1.0)
}

/// `dialogue.nonexistent_entity` where a knowledge base was given, made of what the stream's own
/// detectors of unknown names found (`unknown_entity`, `unknown_given_name`): the same name is
/// never reported by both. Similar are names of the dialogue from 0.8 and near misses in the
/// knowledge base. Absent from an open world, it stays below medium (U-7).
#[must_use]
pub fn nonexistent_entity(
    found: &Finding,
    mention: &Mention,
    surface: &str,
    grounds: &Grounds<'_>,
) -> Option<Finding> {
    let similar = matches!(mention.resolution, Resolution::NearMiss(_))
        || grounds
            .dialogue
            .is_some_and(|dialogue| !dialogue.find_similar(surface, SIMILAR).is_empty());
    let confidence = nonexistence_confidence(mention.kind, surface, similar);
    if mention.kind == MentionKind::Pronoun || confidence < LEAST {
        return None;
    }
    let mut finding = draft(
        "dialogue.nonexistent_entity",
        &found.rule,
        found.span,
        surface,
        found.decided_at,
    );
    finding.p_hallucinated = confidence;
    finding.status = found.status;
    finding.message.clone_from(&found.message);
    finding.suggestion = Some(format!("Could not find entity: '{surface}'"));
    finding.replacement.clone_from(&found.replacement);
    finding.detected.clone_from(&found.detected);
    finding.expected.clone_from(&found.expected);
    finding.extra.clone_from(&found.extra);
    finding.evidence.push(Evidence {
        kind: EvidenceKind::KbFact,
        source: None,
        locator: None,
        text: "Not found in dialogue history or knowledge base".to_owned(),
        quality: 1.0,
        data: serde_json::json!({"contradicts": false}),
    });
    Some(finding)
}
