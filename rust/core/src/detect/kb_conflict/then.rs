//! Who held a place at another time.

use crate::claims::{Folded, SentenceView, Tense, clauses};
use crate::kb::{Fact, Snapshot, Value};
use crate::lexicon::tables::stance;
use crate::normal::fold_name;
use crate::types::Claim;

/// Set by hand: whoever is named may have held the place before.
pub(super) const PERHAPS: f64 = 0.6;

/// "The president of France was X", "X led Apple": whoever holds the place now, X may have held it
/// then. What the base says casts a doubt on it, and takes no place of it. "Apple CEO X said" tells of
/// now.
pub(super) fn held_perhaps(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    (kb, id): (&Snapshot, u32),
    fact: &Fact,
) -> bool {
    let name = matches!(fact.value, Value::Text(_) | Value::Entity(_));
    let (true, Some(object)) = (name, claim.object_span) else {
        return false;
    };
    let names = view.attributes.predicates();
    let said = claim.predicate.as_deref().unwrap_or("");
    let has = |words: &[&str]| (0..folded.len()).any(|i| words.contains(&folded.get(i)));
    let earlier = has(&["once", "before", "previously", "earlier", "first"]);
    let place = [said, &fact.predicate].iter().any(|name| {
        let known = names.named(name).map_or(*name, |known| &known.name);
        let listed = |class: &str| stance().has(class, name) || stance().has(class, known);
        listed("office") || listed("once_so") && (earlier || has(&["was", "were"]))
    });
    let now = (0..folded.len()).any(|i| stance().has("at_present", folded.get(i)));
    // "serves as fire warden" tells of a post that may stand beside the main one.
    if names.same(said, "title") && !now && has(&["serve", "serves", "served", "act", "acts"]) {
        return true;
    }
    // A film has had one director.
    let told_once = |kind: &str| stance().has("tale", kind) || stance().has("fiction", kind);
    let work = kb
        .kind(id)
        .is_some_and(|kind| fold_name(kind).split(' ').any(told_once));
    if !place || work || now {
        return false;
    }
    let Some(subject) = claim.subject_span else {
        return false;
    };
    let (subject, object) = (view.lexemes_in(subject), view.lexemes_in(object));
    let between = subject.end.min(object.end)..subject.start.max(object.start);
    // "X, founded in 1974, is led by …": the participle tells of no holder.
    let last = subject.start.max(object.start);
    clauses(view).iter().any(|clause| {
        // "was married to" is read as what was to come.
        let was = matches!(folded.get(clause.group.start), "was" | "were");
        (clause.tense == Tense::Past || was)
            && clause.range.contains(&last)
            && between.contains(&clause.group.start)
    })
}
