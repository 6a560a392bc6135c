//! What is not said to have been at all: "was not yet open in 1985", "will be renovated in 2028".

use crate::claims::{Clause, Folded, SentenceView, Tense, clauses};
use crate::kb::{Fact, Value};
use crate::lexicon::tables::stance;
use crate::types::{Claim, QuantityKind};

/// Words from "will" to what will be, at most ("will be in").
const WILL: usize = 3;

/// "had not yet opened in 1985": of the time before it did. "Not yet well known, it opened in 1985" did.
pub(super) fn not_yet(view: &SentenceView<'_>, folded: &Folded<'_>, claim: &Claim) -> bool {
    let Some(object) = claim.object_span else {
        return false;
    };
    let mut before = (1..view.lexemes_in(object).start).rev();
    let yet = before.find(|i| folded.get(*i) == "yet" || view.word(*i) == ",");
    yet.is_some_and(|i| {
        let denied = folded.get(i - 1);
        folded.get(i) == "yet" && (denied == "not" || denied.ends_with("n't"))
    })
}

/// "Its owner will be X", of what others are now; "will be renovated in 2028", "is being renovated in 2026",
/// of what was renovated in 2019: it may be done again, unless a thing is that once.
pub(super) fn to_come(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    fact: &Fact,
) -> bool {
    let Some(object) = claim.object_span else {
        return false;
    };
    let names = view.attributes.predicates();
    let known = names
        .named(&fact.predicate)
        .map_or(&*fact.predicate, |known| &known.name);
    let at = view.lexemes_in(object).start;
    // "The owner will be X": whoever is so now.
    let changes = ["office", "once_so", "now"];
    let changes = |name: &str| changes.iter().any(|class| stance().has(class, name));
    if changes(known) || changes(&fact.predicate) {
        let will = |i: usize| matches!(folded.get(i), "will" | "shall" | "going");
        let ahead = |clause: &Clause| clause.range.contains(&at) && clause.group.clone().any(will);
        return (at.saturating_sub(WILL)..at).any(will) || clauses(view).iter().any(ahead);
    }
    let Some(own) = year_of(&fact.value) else {
        return false;
    };
    let dates = view.dates.iter().filter(|date| date.span.overlaps(object));
    let years = view
        .quantities
        .iter()
        .filter(|q| q.kind == QuantityKind::Year && q.span.overlaps(object));
    let said = dates.filter_map(|date| date.year).map(i64::from);
    let mut said = said.chain(years.map(|year| year.value as i64));
    let once = stance().has("happens_once", known)
        || stance().has("comes_into_being", known)
        || stance().has("comes_into_being", &fact.predicate);
    let ahead = |clause: &Clause| {
        let being = clause.group.clone().any(|i| folded.get(i) == "being");
        clause.range.contains(&at) && (clause.tense == Tense::Future || clause.modal || being)
    };
    !once && said.any(|year| year > own) && clauses(view).iter().any(ahead)
}

fn year_of(value: &Value) -> Option<i64> {
    match value {
        Value::Date(date) => Some(i64::from(date.year)),
        Value::Number { value, unit: None } if value.fract() == 0.0 && *value > 1000.0 => {
            Some(*value as i64)
        }
        _ => None,
    }
}
