//! Claims that give a value of what they do not name.

use crate::lexicon::cues::Cue;
use crate::lexicon::predicates::predicate_key;
use crate::types::{Claim, Referent};

use super::kinds::Kinds;
use super::view::SentenceView;

/// Whether no more than a form of "be" and prepositions stand between the claim's subject and object.
#[must_use]
pub fn said_to_be(view: &SentenceView<'_>, claim: &Claim) -> bool {
    let (Some(subject), Some(object)) = (claim.subject_span, claim.object_span) else {
        return false;
    };
    let light = Cue::PREPOSITION.or(Cue::DETERMINER).or(Cue::ADVERB);
    let (from, to) = (view.lexemes_in(subject).end, view.lexemes_in(object).start);
    let folded = view.folded();
    let mut between = (from..to)
        .filter(|i| view.is_term(*i))
        .map(|i| folded.cue(i));
    between.next().is_some_and(|word| word.is(Cue::COPULA)) && between.all(|word| word.is(light))
}

/// "The capacity is 17.", of the hall that was spoken of, which is the claim's referent.
pub(super) fn value_of(claim: &mut Claim, attribute: &str, view: &SentenceView<'_>) {
    if !said_to_be(view, claim) {
        claim.referent = None;
    } else if let Some(owner) = &claim.referent {
        (claim.subject, claim.subject_span) = (Some(owner.name.clone()), None);
        claim.predicate = Some(attribute.to_owned());
    }
}

/// What a sentence behind the label "**X**:" says with a pronoun, or of an attribute without an owner, is of
/// X. `end` is where the label ends.
pub(super) fn said_of_label(
    claim: &mut Claim,
    owner: &Referent,
    end: usize,
    view: &SentenceView<'_>,
    kinds: &dyn Kinds,
) {
    let Some(span) = claim.subject_span.filter(|span| span.start >= end) else {
        return;
    };
    let words = view.lexemes_in(span);
    let folded = view.folded();
    let pronoun = Cue::PRONOUN_THING
        .or(Cue::PRONOUN_PERSON)
        .or(Cue::PRONOUN_GROUP)
        .or(Cue::POSSESSIVE);
    if words.len() == 1 && folded.cue(words.start).is(pronoun) {
        claim.referent = Some(owner.clone());
        claim.contested = false;
        return;
    }
    if claim.referent.is_some() || folded.get(words.start) != "the" {
        return;
    }
    let noun: Vec<&str> = (words.start + 1..words.end)
        .map(|i| folded.get(i))
        .collect();
    let attribute = predicate_key(&noun.join(" "));
    let names = view.attributes.predicates();
    if owner
        .entities
        .iter()
        .any(|id| kinds.has(*id, &attribute, names))
    {
        claim.referent = Some(owner.clone());
        value_of(claim, &attribute, view);
    }
}
