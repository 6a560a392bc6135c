//! Claims that a source says: the knowledge base a fact, or the evidence their words.

use crate::claims::{SentenceView, unasserted, unit_named};
use crate::evidence::{Against, Tracker};
use crate::kb::{Agreement, Fact, Snapshot, Value};
use crate::lexicon::contrast::contrast;
use crate::lexicon::cues::{Cue, cue};
use crate::normal::{fold, stem};
use crate::types::{Claim, Modality, Polarity, Span, Status};

use super::clash::agrees;
use super::narrowed::narrowed;
use super::object::Object;
use super::qualified::qualified;
use super::subject::claim_entities;

/// Words of a sentence that names nothing, counts nothing and has no verb known here: a courtesy.
const COURTESY: usize = 3;

/// How a claim stands where no detector says anything about it: `Excluded` if there is nothing in
/// it to verify (a question, an instruction, a courtesy), `Supported` if a source says it. `carried`
/// says whether the evidence has the sentence's words ([`in_evidence`]).
#[must_use]
pub fn standing(
    view: &SentenceView<'_>,
    claim: &Claim,
    kb: Option<&Snapshot>,
    carried: impl FnOnce() -> bool,
) -> Option<Status> {
    if matches!(claim.modality, Modality::Question | Modality::Instruction) || courtesy(view, claim)
    {
        return Some(Status::Excluded);
    }
    let said = matches!(claim.modality, Modality::Asserted | Modality::Hedged);
    let supported = said && (kb.is_some_and(|kb| base_has(view, claim, kb).is_some()) || carried());
    supported.then_some(Status::Supported)
}

/// "Thank you!", "You're welcome.", "Sure!"
fn courtesy(view: &SentenceView<'_>, claim: &Claim) -> bool {
    claim.predicate.is_none()
        && claim.quantities.is_empty()
        && claim.dates.is_empty()
        && view.mentions.is_empty()
        && view.content_words_in(view.lexemes_in(claim.span)).count() < COURTESY
}

/// Whether the base says what the claim says, or denies what the claim denies: a current fact of
/// its subject has another value than the one denied, where there is only one.
#[must_use]
pub fn based(view: &SentenceView<'_>, claim: &Claim, kb: &Snapshot) -> bool {
    if claim.modality != Modality::Asserted {
        return false;
    }
    if claim.polarity == Polarity::Positive {
        return base_has(view, claim, kb).is_some();
    }
    let (Some(predicate), Some(place)) = (claim.predicate.as_deref(), claim.object_span) else {
        return false;
    };
    let names = view.attributes.predicates();
    let object = Object::new(view, place);
    claim_entities(view, claim, kb).iter().any(|id| {
        let facts = kb.comparable(*id).unwrap_or_default();
        let own = facts
            .iter()
            .filter(|fact| names.same(&fact.predicate, predicate) && fact.valid_to.is_none());
        let mut values = own.map(|fact| (fact, agrees(kb, names, fact, &object)));
        let one = |fact: &Fact| {
            let measured = matches!(fact.value, Value::Number { .. } | Value::Date(_));
            measured || contrast().is_single(predicate) || contrast().is_dated(predicate)
        };
        let first = values.next();
        first.is_some_and(|(fact, how)| how == Agreement::Different && one(fact))
            && values.all(|(_, how)| how == Agreement::Different)
    })
}

/// The current fact of the claim's subject that has its value, and the subject's name; none where
/// the claim says more than that.
pub(super) fn base_has(
    view: &SentenceView<'_>,
    claim: &Claim,
    kb: &Snapshot,
) -> Option<(String, Fact)> {
    let (predicate, place) = (claim.predicate.as_deref()?, claim.object_span?);
    if claim.polarity == Polarity::Negative {
        return None;
    }
    let subjects = claim_entities(view, claim, kb);
    if subjects.is_empty() || !plain(view, claim, predicate) {
        return None;
    }
    let words = view.folded();
    let told = claim.subject_span.filter(|span| span.start > place.start);
    if unasserted(view, &words, told.unwrap_or(place)) {
        return None;
    }
    let names = view.attributes.predicates();
    let object = Object::of(view, claim)?;
    subjects.iter().find_map(|id| {
        let facts = kb.comparable(*id).unwrap_or_default();
        let own = || {
            facts
                .iter()
                .filter(|fact| names.same(&fact.predicate, predicate) && fact.valid_to.is_none())
        };
        let same = |fact: &&Fact| agrees(kb, names, fact, &object) == Agreement::Same;
        let single = contrast().is_single(predicate) || contrast().is_dated(predicate);
        let whole = |fact: &Fact| {
            !qualified(view, &words, claim, kb, *id, fact)
                && !narrowed(view, &words, claim, fact, (kb, *id))
        };
        let fact = own()
            .find(|fact| same(fact) && tells(view, place, &fact.value, predicate) && whole(fact))?;
        let alone = !single || own().all(|fact| same(&fact));
        alone.then(|| (kb.name(*id).unwrap_or("").to_owned(), fact.clone()))
    })
}

/// Whether nothing but a verb, and the attribute's own words, stands beside subject and object.
fn plain(view: &SentenceView<'_>, claim: &Claim, predicate: &str) -> bool {
    let inside = |span: Span| {
        [claim.subject_span, claim.object_span]
            .into_iter()
            .flatten()
            .any(|part| part.overlaps(span))
    };
    let outside = view
        .content_words_in(view.lexemes_in(claim.span))
        .filter(|word| !inside(word.span) && !of_attribute(view.at(word.span), predicate))
        .count();
    let mut denied = view.lexemes[view.lexemes_in(claim.span)]
        .iter()
        .filter(|lexeme| cue(&folded(view.at(lexeme.span))).is(Cue::NEGATION));
    outside <= 1 && denied.next().is_none()
}

/// Whether the object says nothing that the value lacks: its words are the value's, the
/// attribute's, an article, a number or a unit.
fn tells(view: &SentenceView<'_>, place: Span, value: &Value, predicate: &str) -> bool {
    if value.as_yes_no().is_some() {
        return true;
    }
    let own = match value {
        Value::Text(text) | Value::Enum(text) | Value::Entity(text) => text.as_str(),
        Value::Email(_) | Value::Bool(_) => return true,
        Value::Number { .. } | Value::Date(_) => "",
    };
    let held: Vec<String> = own.split(separates).map(root).collect();
    let measured = |span: Span| {
        let quantities = view.quantities.iter().map(|quantity| quantity.span);
        let mut spans = quantities.chain(view.dates.iter().map(|date| date.span));
        own.is_empty() && spans.any(|other| other.overlaps(span))
    };
    view.lexemes_in(place).all(|i| {
        let lexeme = &view.lexemes[i];
        let text = view.at(lexeme.span);
        let word = folded(text);
        // "over 450", "before 1990", "by 2010" say something else.
        let bounds = own.is_empty()
            && cue(&word).is(Cue::PREPOSITION)
            && !matches!(word.as_str(), "in" | "on" | "at" | "of");
        (view.content(i).is_none() && !bounds)
            || measured(lexeme.span)
            || held.contains(&root(text))
            || of_attribute(text, predicate)
            || (own.is_empty() && unit_named(text).is_some())
    })
}

/// Whether the evidence has a sentence with these words in this order, and denies nothing there.
#[must_use]
pub fn in_evidence(view: &SentenceView<'_>, tracker: &Tracker, against: &Against<'_>) -> bool {
    let Some((passage, span, _)) = tracker.nearest(against) else {
        return false;
    };
    let data = passage.data();
    let number = data.sentences().partition_point(|own| *own < span) as u32;
    let there = || data.sentence(number).map_or("", |(_, text)| text);
    let own = &data
        .reading(number, || FoldedWords(folded_words(there(), |_| true)))
        .0;
    // Most sentences have a word that the source lacks.
    let said = folded_words(view.text, |word| own.contains(word));
    let Some(at) = (said.len() > 1).then(|| own.find(&said)).flatten() else {
        return false;
    };
    // "It is not true that …", "If …", "…, they say".
    let (before, after) = (&own[..at], &own[at + said.len()..]);
    let held = |word: &str| {
        cue(word).is(Cue::NEGATION) || matches!(word, "that" | "if" | "whether" | "unless")
    };
    !before.split(BETWEEN).any(held) && !after.split(BETWEEN).any(held)
}

/// Parts the words of [`folded_words`]; in no word.
const BETWEEN: char = '\u{1f}';

/// The folded words of a sentence of the evidence.
struct FoldedWords(String);

/// The folded words of a text, with a separator around each; none of them where `asked` is false
/// for one with its separators.
fn folded_words(text: &str, asked: impl Fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(BETWEEN);
    for word in text.split(separates) {
        let start = out.len();
        fold(word, &mut out);
        if out.len() > start {
            out.push(BETWEEN);
            if !asked(&out[start - 1..]) {
                return String::new();
            }
        }
    }
    out
}

fn separates(c: char) -> bool {
    !c.is_alphanumeric() && c != '\'' && c != '’'
}

fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    fold(text, &mut out);
    out
}

fn root(word: &str) -> String {
    stem(&folded(word)).into_owned()
}

/// Whether the word is one of the attribute's name ("employees" of `employees`).
fn of_attribute(word: &str, predicate: &str) -> bool {
    let root_of = root(word);
    predicate.split('_').any(|part| root(part) == root_of)
}
