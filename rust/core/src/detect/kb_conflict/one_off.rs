//! What was or will be on one occasion, against what is so as a rule.

use crate::claims::{Folded, SentenceView, Tense};
use crate::kb::{Agreement, Fact, Snapshot};
use crate::lexicon::contrast::contrast;
use crate::types::{Claim, Polarity, Span};

use crate::detect::clash::{VALUES, agrees};
use crate::detect::object::Object;
use crate::detect::subject::claim_entities;

/// Attributes that say what is so week after week.
const REGULAR: [&str; 4] = ["opening_hours", "closed_on", "closing_time", "open_on"];
/// Attributes that date one occasion.
const ONCE: [&str; 4] = ["day", "date", "time", "scheduled_for"];
/// Words of what is mostly so.
const MOSTLY: [&str; 9] = [
    "usually",
    "normally",
    "generally",
    "typically",
    "often",
    "mostly",
    "sometimes",
    "regularly",
    "traditionally",
];
/// Words that take a regular thing out of one day.
const THIS_ONCE: [&str; 7] = [
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "exceptionally",
    "temporarily",
    "early",
];

/// Whether the claim tells of one occasion ("was closed on Friday because of a storm", "will open at
/// nine on that day") and the fact of every week, or the other way round.
pub(super) fn one_off(
    view: &SentenceView<'_>,
    folded: &Folded<'_>,
    claim: &Claim,
    fact: &Fact,
) -> bool {
    let names = view.attributes.predicates();
    let of = |list: &[&str]| list.iter().any(|name| names.same(name, &fact.predicate));
    let says = |list: &[&str]| (0..folded.len()).any(|i| list.contains(&folded.get(i)));
    if of(&ONCE) && says(&MOSTLY) {
        return true;
    }
    let Some(place) = claim.object_span.filter(|_| of(&REGULAR)) else {
        return false;
    };
    if every(view, place) {
        return false;
    }
    let at = view.lexemes_in(place).start;
    let own = view.clauses();
    let own = own.iter().find(|clause| clause.range.contains(&at));
    let tense = own.map(|clause| clause.tense);
    matches!(tense, Some(Tense::Past | Tense::Future)) || says(&THIS_ONCE) || that_day(view, folded)
}

/// "on Fridays", "every Friday", "weekdays".
fn every(view: &SentenceView<'_>, place: Span) -> bool {
    let text = view.at(place).to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).any(|word| {
        word.ends_with("days") || matches!(word, "every" | "each" | "daily" | "weekends")
    })
}

/// "on that day", "this Friday", "next week".
fn that_day(view: &SentenceView<'_>, folded: &Folded<'_>) -> bool {
    (1..folded.len()).any(|i| {
        let day = view
            .dates
            .iter()
            .any(|date| date.weekday.is_some() && date.span.overlaps(view.lexemes[i].span));
        matches!(folded.get(i - 1), "that" | "this" | "next" | "last")
            && (day
                || matches!(
                    folded.get(i),
                    "day" | "week" | "morning" | "evening" | "month"
                ))
    })
}

/// Whether another claim of the sentence gives the subject a value of that attribute that it does
/// have ("on Mondays and on Christmas Day"): what is told besides it may be missing from the base.
pub(super) fn beside_the_true(
    view: &SentenceView<'_>,
    claim: &Claim,
    all: &[Claim],
    kb: &Snapshot,
    fact: &Fact,
) -> bool {
    let Some(predicate) = claim.predicate.as_deref() else {
        return false;
    };
    let single = contrast().is_single(predicate) || contrast().is_dated(predicate);
    if single || kb.is_closed(Some(&fact.predicate)) || claim.polarity == Polarity::Negative {
        return false;
    }
    let names = view.attributes.predicates();
    let others = all.iter().filter(|other| {
        other.id != claim.id
            && other.subject_span == claim.subject_span
            && other.polarity == Polarity::Positive
            && other
                .predicate
                .as_deref()
                .is_some_and(|own| names.same(own, predicate))
    });
    let objects: Vec<Object<'_>> = others
        .filter_map(|other| Some(Object::new(view, other.object_span?)))
        .collect();
    if objects.is_empty() {
        return false;
    }
    claim_entities(view, claim, kb).into_iter().any(|id| {
        let facts = kb.few_facts(id, VALUES, &|name| names.same(name, predicate));
        facts.unwrap_or_default().iter().any(|fact| {
            let same = |object: &Object<'_>| agrees(kb, names, fact, object) == Agreement::Same;
            objects.iter().any(same)
        })
    })
}
