//! A fact about somebody unknown, or an attribute that the knowledge base lacks (S0-005,
//! S0-040..042).

use serde_json::json;

use crate::claims::{SentenceView, unasserted};
use crate::dialogue::name_similarity;
use crate::kb::{Agreement, Fact, Snapshot};
use crate::lexicon::predicates::Predicates;
use crate::normal::fold;
use crate::types::{
    Claim, Evidence, EvidenceKind, Finding, MentionKind, Message, Modality, Polarity, Resolution,
    Span,
};

use super::draft::{Absence, draft};
use super::grounds::Grounds;
use super::kb_conflict::Object;
use super::subject::{claim_entities, fills};

/// Confidence where the subject itself is unknown (S0-040).
const UNKNOWN_SUBJECT: f64 = 0.85;
/// Confidence from which a missing attribute is flagged (S0-041).
const LEAST: f64 = 0.5;
/// Attributes that are commonly recorded (S0-042).
const COMMON: [&str; 5] = ["email", "phone", "department", "title", "location"];
/// More attributes than this make an entity well documented (S0-042).
const DOCUMENTED: usize = 10;
/// Similarity of two attribute names from which they are alike (`similar_attributes`, S0-023).
const ALIKE: f64 = 0.7;
/// Most attributes named in the evidence.
const NAMED: usize = 32;

/// How sure it is that an attribute was made up which the entity lacks (S0-042), 0..1: 0.6, +0.15
/// where the entity has more than 10 attributes, +0.10 for a commonly recorded one, -0.10 where it
/// has none alike.
#[must_use]
pub fn fabrication_confidence(attributes: usize, predicate: &str, alike: bool) -> f64 {
    let mut confidence: f64 = 0.6;
    if attributes > DOCUMENTED {
        confidence += 0.15;
    }
    if COMMON.contains(&predicate) {
        confidence += 0.1;
    }
    if !alike {
        confidence -= 0.1;
    }
    confidence.clamp(0.0, 1.0)
}

/// `dialogue.fabricated_fact` for what a claim affirms of a name that nothing given knows (0.85),
/// or an attribute that a known entity lacks ([`fabrication_confidence`]).
///
/// Finer than the seed: verbs that name no attribute of the lexicon or the base ("likes") are not
/// looked up; a near miss of a known name is a slip, not a fabrication; what evidence, dialogue or
/// question say is carried by them; a name of several entities counts where all of them lack the
/// attribute. Absent from an open world, it stays below medium (U-7).
#[must_use]
pub fn fabricated_fact(
    view: &SentenceView<'_>,
    claim: &Claim,
    kb: &Snapshot,
    grounds: &Grounds<'_>,
) -> Option<Finding> {
    let told = matches!(claim.modality, Modality::Asserted | Modality::Hedged);
    if kb.is_empty() || !told || claim.polarity == Polarity::Negative {
        return None;
    }
    let predicate = claim.predicate.as_deref()?;
    let subject = claim.subject_span?;
    let object = Object::new(view, claim.object_span?);
    let unknown = view.mentions.iter().find(|mention| {
        mention.kind == MentionKind::ProperName
            && mention.resolution == Resolution::Unknown
            && mention.span.overlaps(subject)
    });
    // "Contact X from Y" takes X's place for granted: what is doubtful is the name itself.
    let taken = view.lexemes_in(subject).start;
    let governed = taken > 0 && {
        let mut word = String::new();
        fold(view.word(taken - 1), &mut word);
        view.attributes.lexicon().known(&word).verb.is_some()
    };
    if let Some(mention) = unknown {
        if governed {
            return None;
        }
        let name = view.at(mention.span);
        return (fills(view, subject, mention.span) && !grounds.knows_name(name))
            .then(|| unknown_subject(claim, mention.span, name, grounds));
    }
    let words = view.attributes.predicates();
    let attribute = words.named(predicate).is_some() || view.attributes.has(predicate);
    let ids = claim_entities(view, claim, kb);
    if !attribute || ids.is_empty() || grounds.says(view, object.span()) {
        return None;
    }
    let mut weakest: Option<(f64, u32, Vec<String>)> = None;
    for id in ids {
        let facts = kb.comparable(id)?;
        if knows(kb, &facts, predicate, &object, words) {
            return None;
        }
        let names = attribute_names(&facts);
        let alike = names.iter().any(|name| alike(name, predicate));
        let confidence = fabrication_confidence(names.len(), predicate, alike);
        if weakest
            .as_ref()
            .is_none_or(|(least, ..)| confidence < *least)
        {
            weakest = Some((confidence, id, names));
        }
    }
    let (confidence, id, names) = weakest.filter(|(confidence, ..)| *confidence >= LEAST)?;
    if unasserted(view, &view.folded(), object.span()) {
        return None;
    }
    let name = kb.name(id).unwrap_or("");
    let mut finding = finding(claim, confidence, grounds.absence(Some(predicate)));
    finding.suggestion = Some(format!("No '{predicate}' attribute found for '{name}'"));
    finding.message = Message::new("The knowledge base has no {attribute} of '{name}'")
        .plain("attribute", predicate.replace('_', " "))
        .sensitive("name", name);
    let shown = &names[..names.len().min(NAMED)];
    finding
        .evidence
        .push(lookup(format!("Known attributes: {}", shown.join(", "))));
    finding.extra.insert("entity".into(), json!(id));
    finding.extra.insert("predicate".into(), json!(predicate));
    Some(finding)
}

fn unknown_subject(claim: &Claim, at: Span, name: &str, grounds: &Grounds<'_>) -> Finding {
    let mut finding = finding(claim, UNKNOWN_SUBJECT, grounds.absence(None));
    finding.suggestion = Some(format!("Could not verify: '{name}'"));
    finding.message = Message::new("No source given here knows '{name}', of whom this is said")
        .sensitive("name", name);
    finding.evidence.push(lookup(
        "Subject entity not found in knowledge base".to_owned(),
    ));
    // The name's own finding is folded into this one.
    finding.spans = vec![at];
    finding.detected = json!(name);
    finding
}

fn finding(claim: &Claim, confidence: f64, absence: Absence) -> Finding {
    let mut finding = draft(
        "dialogue.fabricated_fact",
        "fabricated_fact",
        Some(claim.span),
        &claim.content,
        claim.decided_at,
    );
    finding.claim_id = Some(claim.id.clone());
    finding.p_hallucinated = confidence;
    absence.note(&mut finding);
    finding
}

fn lookup(text: String) -> Evidence {
    Evidence {
        kind: EvidenceKind::KbFact,
        source: None,
        locator: None,
        text,
        quality: 1.0,
        data: json!({"contradicts": false}),
    }
}

/// Whether the entity has the attribute, or the value under another one.
fn knows(
    kb: &Snapshot,
    facts: &[Fact],
    predicate: &str,
    object: &Object<'_>,
    words: &Predicates,
) -> bool {
    let said = object.said();
    facts.iter().any(|fact| {
        words.same(&fact.predicate, predicate) || kb.agrees(&fact.value, &said) == Agreement::Same
    })
}

fn attribute_names(facts: &[Fact]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for fact in facts {
        if !names.contains(&fact.predicate) {
            names.push(fact.predicate.clone());
        }
    }
    names
}

/// Whether two attribute names share a word of four letters or more, or nearly all letters.
fn alike(a: &str, b: &str) -> bool {
    let mut words = a.split('_').filter(|word| word.len() >= 4);
    words.any(|word| b.split('_').any(|other| other == word))
        || name_similarity(&a.replace('_', " "), &b.replace('_', " ")) >= ALIKE
}
