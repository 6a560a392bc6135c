//! Attributes that a base has beside each other though one word may mean either: "year built" and "year completed".

use crate::claims::SentenceView;
use crate::kb::{Fact, Snapshot, Value};
use crate::normal::{fold_name, stem};
use crate::types::{LexKind, QuantityKind, Span};

use super::FACTS;

/// Words in front of a value that say of which attribute it is.
const BEFORE: usize = 4;

/// Letters by which a noun is that of a verb ("inaugurated", "inauguration").
const SHARED: usize = 6;

/// Numbers that may be years.
const YEARS: std::ops::RangeInclusive<f64> = 1000.0..=2100.0;

fn alike(a: &str, b: &str) -> bool {
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    a == b || shared.count() >= SHARED
}

/// A day, or a number that may be a year.
fn is_date(value: &Value) -> bool {
    match value {
        Value::Date(_) => true,
        Value::Number { value, unit: None } => value.fract() == 0.0 && YEARS.contains(value),
        _ => false,
    }
}

/// The facts of the attribute that the words in front of the value name, where those of `facts` have none of these
/// words in their names: "was completed in 1889" is of the year completed.
pub(super) fn nearest(
    view: &SentenceView<'_>,
    value: Span,
    facts: &[Fact],
    (kb, id): (&Snapshot, u32),
) -> Option<Vec<Fact>> {
    let dated = |fact: &Fact| is_date(&fact.value);
    // "opened 1972, 1,700 seats": the number of seats is none.
    let years = (view.quantities.iter()).filter(|q| q.kind == QuantityKind::Year);
    let said = years
        .map(|q| q.span)
        .chain(view.dates.iter().map(|date| date.span));
    let told = said.into_iter().any(|span| span.overlaps(value));
    if facts.is_empty() || !told || !facts.iter().all(dated) {
        return None;
    }
    let at = view.lexemes_in(value).start;
    let words: Vec<String> = (at.saturating_sub(BEFORE)..at)
        .filter(|i| view.lexemes[*i].kind == LexKind::Word)
        .map(|i| stem(&fold_name(view.word(i))).into_owned())
        .collect();
    let spoken = |name: &str| {
        let mut parts = name
            .split('_')
            .filter(|part| !matches!(*part, "year" | "date" | "in" | "of"));
        parts.any(|part| words.iter().any(|word| alike(word, &stem(part))))
    };
    if facts.iter().any(|fact| spoken(&fact.predicate)) {
        let own: Vec<Fact> = facts
            .iter()
            .filter(|fact| spoken(&fact.predicate))
            .cloned()
            .collect();
        return (own.len() < facts.len()).then_some(own);
    }
    let own = kb.few_facts(id, FACTS, &spoken)?;
    (!own.is_empty() && own.iter().all(dated)).then_some(own)
}
