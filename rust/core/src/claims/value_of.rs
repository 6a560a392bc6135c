//! Claims that give a value of what they do not name.

use crate::lexicon::cues::Cue;
use crate::types::Claim;

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
