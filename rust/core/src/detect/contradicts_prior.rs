//! A statement that an earlier turn contradicts (S0-009, S0-046..048).

use serde_json::json;

use crate::dialogue::{Established, Prior, Role, Statement};
use crate::types::{Claim, Evidence, EvidenceKind, Finding, Message, Status};

use super::contradiction::{Contradiction, ContradictionType, contradiction, denied_by_word};
use super::draft::{draft, hold_low};

/// Similarity from which statements are compared that differ in a word that denies.
const OPPOSED: f64 = 0.35;

/// Thresholds of the comparison with earlier turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryBars {
    /// Similarity from which statements are related (S0-047: 0.7).
    pub similarity: f64,
    /// Confidence from which they contradict each other (S0-048: 0.6).
    pub confidence: f64,
}

/// `dialogue.contradicts_prior`: the statement contradicts a related one of an earlier turn;
/// confidence is that of the contradiction times the similarity. Of several statements about one
/// attribute the latest decides, so that what was corrected since does not count.
///
/// What the answer sets right is no contradiction: `right` says so of a statement that it denies
/// ("Rome, not Milan") or answers with a "no". What a person said never takes the place of what
/// the answer says, and what they say of others than themselves is only reported: they may be wrong.
#[must_use]
pub fn contradicts_prior(
    claim: &Claim,
    said: &Statement,
    established: &Established,
    bars: HistoryBars,
    right: impl Fn(&Prior) -> bool,
) -> Option<Finding> {
    let mut best: Option<(f64, f64, Contradiction, &Prior)> = None;
    for related in established.related(said, OPPOSED.min(bars.similarity)) {
        if established.another(said, related.prior.turn) {
            continue;
        }
        if related.similarity < bars.similarity {
            let denied = denied_by_word(said, &related.prior.statement);
            if let Some(found) = denied.filter(|found| found.confidence >= bars.confidence)
                && best.is_none()
            {
                best = Some((found.confidence, related.similarity, found, related.prior));
            }
            continue;
        }
        let names = established.lexicon().predicates();
        let same = related.same_attribute;
        match contradiction(said, &related.prior.statement, same, names) {
            Ok(found) if found.confidence >= bars.confidence => {
                let confidence = found.confidence * related.similarity;
                if best.as_ref().is_none_or(|(most, ..)| confidence > *most) {
                    best = Some((confidence, related.similarity, found, related.prior));
                }
                if related.same_attribute {
                    break;
                }
            }
            // The latest word on it agrees.
            Err(true) => break,
            Ok(_) | Err(false) => {}
        }
    }
    let (confidence, similarity, mut found, prior) = best?;
    if right(prior) {
        return None;
    }
    let person = prior.role == Role::User;
    if person {
        found.replacement = None;
    }
    // What is denied is the whole statement, and not the noun that it ends in.
    let denial = found.kind == ContradictionType::DirectNegation && found.replacement.is_none();
    let at = if denial && claim.span.contains(found.at) {
        claim.span
    } else {
        found.at
    };
    let mut finding = draft(
        "dialogue.contradicts_prior",
        "history",
        Some(at),
        &claim.content,
        claim.decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = confidence;
    finding.status = Status::Contradicted;
    let turn = prior.turn.to_string();
    let earlier = &prior.statement.content;
    finding.message = Message::new("Turn {turn} said otherwise: '{earlier}'")
        .plain("turn", &*turn)
        .sensitive("earlier", &**earlier);
    finding.suggestion = Some("This contradicts a previous statement".to_owned());
    finding.expected = json!(found.replacement);
    finding.replacement = found.replacement;
    finding.detected = json!(said.object);
    finding.evidence.push(Evidence {
        kind: EvidenceKind::PriorTurn,
        source: Some(format!("turn-{turn}")),
        locator: None,
        text: format!("Earlier: '{earlier}' (Turn {turn})"),
        quality: found.confidence,
        data: json!({
            "turn": prior.turn,
            "earlier": &**earlier,
            "similarity": similarity,
            "contradiction": found.kind.as_str(),
            "contradicts": true,
        }),
    });
    // What a person says of the world is not what the answer is held to, nor what they dispute.
    // Nor what they may have had changed since.
    let changed = established.may_have_changed(prior);
    if person && !prior.statement.own || prior.disputed || changed {
        hold_low(&mut finding);
    }
    Some(finding)
}
