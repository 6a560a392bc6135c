//! A fact about somebody unknown, or an attribute that the knowledge base lacks (S0-005,
//! S0-040..042).

use serde_json::json;

use crate::claims::{SentenceView, attributed, names, unasserted};
use crate::dialogue::name_similarity;
use crate::kb::{Agreement, Fact, Snapshot};
use crate::lexicon::cues::{Cue, cue, known};
use crate::lexicon::predicates::Predicates;
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name};
use crate::types::{
    Claim, Evidence, EvidenceKind, Finding, LexKind, MentionKind, Message, Modality, NameType,
    Polarity, Resolution, Span,
};

use super::draft::{Absence, draft};
use super::grounds::Grounds;
use super::kb_conflict::NAMESAKES;
use super::naming::fills;
use super::object::Object;
use super::subject::claim_entities;

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
/// Attributes that tell another one.
const IMPLIED: [(&str, &str); 6] = [
    ("born", "age"),
    ("founded", "age"),
    ("built", "age"),
    ("opened", "age"),
    ("opening_hours", "closing_time"),
    ("scheduled_for", "time"),
];
/// Most facts of an entity that are looked through.
const FACTS: usize = 1024;
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
/// looked up, other nouns ("mascot") only where the base is declared complete; a near miss of a known name is a slip, not a fabrication; what evidence, dialogue or
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
    let object = Object::of(view, claim)?;
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
    if let Some(name) = stranger(view, subject, kb, grounds).filter(|_| !governed) {
        return Some(unknown_subject(claim, name, view.at(name), grounds));
    }
    let words = view.attributes.predicates();
    let listed = words.named(predicate).is_some() || view.attributes.has(predicate);
    let attribute = if listed {
        predicate.to_owned()
    } else {
        // Where everything is on record, what nobody would list is missing as well.
        own_attribute(view, predicate, object.span()).filter(|_| kb.is_closed(None))?
    };
    let predicate = attribute.as_str();
    let ids = claim_entities(view, claim, kb);
    if ids.is_empty() || ids.len() > NAMESAKES || grounds.says(view, object.span()) {
        return None;
    }
    if words.same(predicate, "title") && holds_place(view, kb, subject, object.span()) {
        return None;
    }
    let mut weakest: Option<(f64, u32, Vec<String>)> = None;
    for id in ids {
        // An entity of more facts than that has too many to be sure that one is missing.
        let facts = kb.few_facts(id, FACTS, &|_| true)?;
        if knows(kb, &facts, predicate, &object, words) {
            return None;
        }
        let own = attribute_names(&facts);
        let alike = own.iter().any(|name| alike(name, predicate));
        let confidence = fabrication_confidence(own.len(), predicate, alike);
        if weakest
            .as_ref()
            .is_none_or(|(least, ..)| confidence < *least)
        {
            weakest = Some((confidence, id, own));
        }
    }
    let (confidence, id, names) = weakest.filter(|(confidence, ..)| *confidence >= LEAST)?;
    let folded = view.folded();
    let place = object.span();
    if unasserted(view, &folded, place) || attributed(view, &folded, place).is_some() {
        return None;
    }
    let name = kb.name(id).unwrap_or("");
    let mut finding = finding(claim, confidence, grounds.absence(Some(predicate)));
    finding.suggestion = Some(format!("No '{predicate}' attribute found for '{name}'"));
    finding.message = Message::new("The knowledge base has no entry '{attribute}' for '{name}'")
        .plain("attribute", attribute.replace('_', " "))
        .sensitive("name", name);
    let shown = &names[..names.len().min(NAMED)];
    finding
        .evidence
        .push(lookup(format!("Known attributes: {}", shown.join(", "))));
    finding.extra.insert("entity".into(), json!(id));
    finding.extra.insert("predicate".into(), json!(predicate));
    Some(finding)
}

/// Whether the subject is what the base has for something that the post names: "Ada is the director of X",
/// where X's director is Ada.
fn holds_place(view: &SentenceView<'_>, kb: &Snapshot, subject: Span, post: Span) -> bool {
    let known = |resolution: &Resolution| match resolution {
        Resolution::Known(ids) => ids.to_vec(),
        _ => Vec::new(),
    };
    let holder = Object::new(view, subject);
    let named = view.mentions.iter().filter(|m| m.span.overlaps(post));
    named.flat_map(|m| known(&m.resolution)).any(|id| {
        kb.few_facts(id, FACTS, &|_| true).is_some_and(|facts| {
            let same = |fact: &Fact| holder.agrees(kb, &fact.value) == Agreement::Same;
            facts.iter().any(same)
        })
    })
}

/// A name of somebody or something that a base which knows all does not know: one that says by its
/// words what it names ("Professor Olsen", "Zenith Labs"), though each of them is an ordinary one.
fn stranger(
    view: &SentenceView<'_>,
    subject: Span,
    kb: &Snapshot,
    grounds: &Grounds<'_>,
) -> Option<Span> {
    if !kb.is_closed(None)
        || view
            .mentions
            .iter()
            .any(|m| m.span.overlaps(subject) && matches!(m.resolution, Resolution::Known(_)))
    {
        return None;
    }
    let name = names(view)
        .into_iter()
        .find(|name| name.span.overlaps(subject))?;
    let text = view.at(name.span);
    let familiar = class(&fold_name(text)).any(
        WordClass::COUNTRY
            .with(WordClass::CITY)
            .with(WordClass::WELL_KNOWN)
            .with(WordClass::PROPER),
    );
    let told = matches!(
        name.kind,
        NameType::Person | NameType::Organization | NameType::Place | NameType::Product
    );
    (told
        && !familiar
        && text.contains(' ')
        && fills(view, subject, name.span)
        && !grounds.knows_name(text))
    .then_some(name.span)
}

/// The attribute that a claim is about and no lexicon lists: the noun of "Acme's mascot is a
/// roadrunner", what is counted in "Acme has two dogs". Verbs name none, nor do properties ("is
/// good") say one's value.
fn own_attribute(view: &SentenceView<'_>, predicate: &str, object: Span) -> Option<String> {
    let words: Vec<&str> = view.lexemes[view.lexemes_in(object)]
        .iter()
        .filter(|lexeme| matches!(lexeme.kind, LexKind::Word | LexKind::Number))
        .map(|lexeme| view.at(lexeme.span))
        .collect();
    let first = words.first()?;
    let mut folded = String::new();
    fold(first, &mut folded);
    let counted = view.quantities.iter().any(|q| object.overlaps(q.span));
    if predicate == "has" {
        let last = words.last().filter(|word| {
            words.len() > 1 && words.len() <= 3 && word.starts_with(char::is_lowercase)
        })?;
        return counted.then(|| fold_name(last));
    }
    let verbal = predicate.split('_').any(|word| {
        let word = known(word);
        word.verb.is_some()
            || word
                .cue
                .is(Cue::COPULA.or(Cue::PREPOSITION).or(Cue::AUXILIARY))
    });
    let noun = cue(&folded).is(Cue::DETERMINER) || first.starts_with(char::is_uppercase) || counted;
    (!verbal && noun && !matches!(predicate, "exist" | "name")).then(|| predicate.to_owned())
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
        words.same(&fact.predicate, predicate)
            // Whoever knows when it began can tell how old it is, and its hours when it closes.
            || IMPLIED.iter().any(|(known, asked)| {
                words.same(asked, predicate) && words.same(known, &fact.predicate)
            })
            || kb.agrees(&fact.value, &said) == Agreement::Same
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
