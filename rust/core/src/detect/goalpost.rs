//! A value or quantifier that moved, and a concept that became another, without saying so.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::json;

use crate::dialogue::{Clash, ClashKind, Said, clash, drift, same_attribute};
use crate::types::{Claim, Evidence, EvidenceKind, Finding, Message, clip_text};

use super::draft::draft;

/// Weight of the answer's own statements that are kept, the latest.
const KEPT: usize = 900;
/// Weight of a statement without its words, whose bytes are added to it.
const STATEMENT: usize = 608;
/// What a drift of 1 says of the claim: a word may have two meanings.
const P_DRIFT: f64 = 0.7;

/// What was said so far, as far as later sentences can be held against it; cheap to copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    own: VecDeque<Arc<Said>>,
    /// Places of the turns' statements that the answer has taken back.
    revoked: Arc<Vec<u32>>,
}

impl Told {
    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let one = |said: &Arc<Said>| size_of::<Said>() + said.heap_bytes();
        self.own.capacity() * size_of::<usize>()
            + self.own.iter().map(one).sum::<usize>()
            + self.revoked.capacity() * size_of::<u32>()
    }

    /// Everything that stands, the latest first: the answer's own, then the turns'.
    fn standing<'a>(&'a self, turns: &'a [Said]) -> impl Iterator<Item = &'a Said> {
        let own = self.own.iter().rev().map(|said| &**said);
        let place = |at: &usize| u32::try_from(*at).unwrap_or(u32::MAX);
        let kept = (0..turns.len()).rev();
        let kept = kept.filter(move |at| !self.revoked.contains(&place(at)));
        own.chain(kept.map(|at| &turns[at]))
    }

    /// Takes what a sentence said into account.
    fn note(&mut self, said: Vec<Said>, turns: &[Said]) {
        for mut one in said {
            if one.corrects {
                self.own.retain(|fact| clash(&one, fact).is_none());
                for (at, fact) in (0_u32..).zip(turns) {
                    if clash(&one, fact).is_some() && !self.revoked.contains(&at) {
                        Arc::make_mut(&mut self.revoked).push(at);
                    }
                }
            }
            let again = |fact: &Arc<Said>| {
                fact.content == one.content
                    && fact.predicate == one.predicate
                    && fact.value == one.value
            };
            if !one.binds() || self.own.iter().any(again) {
                continue;
            }
            // Only definitions are compared by all of their words, and only quantified statements
            // by what they count.
            if !one.defines() {
                (one.words, one.name) = (Vec::new(), Vec::new());
                one.concept = "".into();
            }
            if one.extent.is_none() {
                one.extended = Vec::new();
            }
            one.shrink();
            self.own.push_back(Arc::new(one));
            let weight = |said: &Arc<Said>| STATEMENT + said.heap_bytes();
            while self.own.len() > 1 && self.own.iter().map(weight).sum::<usize>() > KEPT {
                self.own.pop_front();
            }
        }
    }
}

/// `stream.goalpost` and `stream.concept_drift`: what a sentence says against the turns' statements
/// and against the answer's own, which it then joins. A value is held against the latest word on
/// its attribute; a concept against what was said of it at first, once an answer.
#[must_use]
pub fn moved(said: Vec<Said>, claims: &[Claim], turns: &[Said], told: &mut Told) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for one in said.iter().filter(|one| !one.corrects) {
        let Some(claim) = claims.get(one.claim) else {
            continue;
        };
        let new = |finding: &Finding| !found.iter().any(|f| f.span == finding.span);
        let goalpost = against(one, turns, told).map(|(how, fact)| goalpost(one, claim, how, fact));
        let goalpost = goalpost.filter(new);
        found.extend(goalpost);
        let new = |finding: &Finding| !found.iter().any(|f| f.span == finding.span);
        let drifted = concept_drift(one, &said, claim, turns, told).filter(new);
        found.extend(drifted);
    }
    told.note(said, turns);
    found
}

/// The statement that another stands against, if it is a moved goalpost.
fn against<'a>(one: &Said, turns: &'a [Said], told: &'a Told) -> Option<(Clash, &'a Said)> {
    for fact in told.standing(turns) {
        match clash(one, fact) {
            Some(found) if found.kind != ClashKind::Negation => return Some((found, fact)),
            // The latest word on it agrees.
            None if same_attribute(one, fact) && one.extent.is_none() => return None,
            _ => {}
        }
    }
    None
}

fn goalpost(one: &Said, claim: &Claim, how: Clash, fact: &Said) -> Finding {
    let span = match how.kind {
        ClashKind::Value => one.at,
        _ => one.span,
    };
    let mut finding = draft(
        "stream.goalpost",
        how.kind.as_str(),
        Some(span),
        &claim.content,
        claim.decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = how.severity;
    finding.message =
        Message::new("Said otherwise before, and not marked as a correction: '{earlier}'")
            .sensitive("earlier", &*fact.content);
    finding.suggestion = Some("Keep to what was said, or say openly that it is corrected".into());
    finding.detected = json!(one.value);
    finding.expected = json!(fact.value);
    finding
        .extra
        .insert("contradiction".into(), json!(how.kind.as_str()));
    finding.extra.insert("goalpost".into(), json!(true));
    note_earlier(&mut finding, fact);
    finding
}

fn concept_drift(
    one: &Said,
    said: &[Said],
    claim: &Claim,
    turns: &[Said],
    told: &Told,
) -> Option<Finding> {
    if one.subject == 0 || !one.defines() {
        return None;
    }
    let of_it = |other: &&Said| other.subject == one.subject;
    let own: Vec<&Said> = told.own.iter().map(|s| &**s).filter(of_it).collect();
    let mut facts: Vec<&Said> = turns.iter().filter(of_it).collect();
    let mut new: Vec<&Said> = said.iter().filter(of_it).collect();
    if facts.is_empty() {
        facts = own;
    } else {
        // Once an answer: where it first says what the concept is.
        if own.iter().any(|other| other.defines()) {
            return None;
        }
        new.splice(0..0, own);
    }
    let drift = drift(&new, &facts).filter(|drift| drift.drifted)?;
    let mut finding = draft(
        "stream.concept_drift",
        "definition",
        Some(one.span),
        &claim.content,
        claim.decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = P_DRIFT * drift.drift;
    finding.message = Message::new("'{concept}' was something else before: '{earlier}'")
        .sensitive("concept", &*drift.concept)
        .sensitive("earlier", &*drift.first);
    finding.suggestion = Some("Say which of the two is meant".into());
    finding.detected = json!(one.value);
    finding.extra.insert("drift".into(), json!(drift.drift));
    let first = facts.iter().find(|fact| fact.defines());
    if let Some(fact) = first {
        note_earlier(&mut finding, fact);
    }
    Some(finding)
}

/// Names the earlier statement: its turn, or its place in the answer.
fn note_earlier(finding: &mut Finding, fact: &Said) {
    let Some(turn) = fact.turn else {
        finding.spans = vec![fact.span];
        finding.spans.extend(finding.span);
        return;
    };
    finding.evidence.push(Evidence {
        kind: EvidenceKind::PriorTurn,
        source: Some(format!("turn-{turn}")),
        locator: None,
        text: clip_text(&fact.content).to_owned(),
        quality: fact.confidence,
        data: json!({ "turn": turn }),
    });
}
