//! Whom a pronoun stands for, where what is said is true of another than the one it was taken for.

use crate::claims::SentenceView;
use crate::detect::object::Object;
use crate::kb::{Agreement, Fact, Snapshot};
use crate::lexicon::cues::Cue;
use crate::types::{Claim, Resolution};

/// Most facts of an entity that are looked through.
const FACTS: usize = 64;
/// Entities that are looked at.
const OTHERS: usize = 4;

/// Whether the claim's subject is a pronoun that was taken for what the claim says of it ("She reports to
/// Grace."), or for somebody though the same is true of another who was just named ("Hanna hired Ada. She's
/// the People Director.").
pub(super) fn perhaps_another(
    view: &SentenceView<'_>,
    claim: &Claim,
    kb: &Snapshot,
    subjects: &[u32],
    object: &Object<'_>,
) -> bool {
    let (Some(subject), Some(place)) = (claim.subject_span, claim.object_span) else {
        return false;
    };
    let words = view.lexemes_in(subject);
    let pronoun = Cue::PRONOUN_PERSON
        .or(Cue::PRONOUN_THING)
        .or(Cue::PRONOUN_GROUP)
        .or(Cue::POSSESSIVE);
    if words.len() != 1 || !view.folded().cue(words.start).is(pronoun) {
        return false;
    }
    let here = view
        .mentions
        .iter()
        .filter_map(|mention| match &mention.resolution {
            Resolution::Known(ids) => Some((mention.span, ids)),
            _ => None,
        });
    let itself = |(span, ids): &(crate::types::Span, &Vec<u32>)| {
        span.overlaps(place) && ids.iter().any(|id| subjects.contains(id))
    };
    if here.clone().any(|named| itself(&named)) {
        return true;
    }
    let named = here.filter(|(span, _)| !span.overlaps(place));
    let mut others: Vec<u32> = named.flat_map(|(_, ids)| ids.iter().copied()).collect();
    others.extend(view.antecedents.iter().take(OTHERS));
    others.retain(|id| !subjects.contains(id));
    others.truncate(2 * OTHERS);
    let names = view.attributes.predicates();
    let predicate = claim.predicate.as_deref().unwrap_or("");
    let said = object.said();
    let told =
        |name: &str| predicate == "is" || names.same(name, predicate) || predicate == "location";
    others.iter().any(|id| {
        let facts = kb.few_facts(*id, FACTS, &told).unwrap_or_default();
        let holds = |fact: &Fact| kb.agrees(&fact.value, &said) == Agreement::Same;
        facts.iter().any(holds)
    })
}
