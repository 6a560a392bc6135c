//! Several values of one attribute that cannot stand beside each other.

use crate::kb::{Fact, Value, weekday_text};
use crate::lexicon::contrast::contrast;
use crate::segment::clocks;

/// Whether each source of the base gives an attribute of one value another one.
pub(super) fn disputed(first: &Fact, rest: &[&Fact]) -> bool {
    let name = first.predicate.as_str();
    let single = matches!(first.value, Value::Number { .. } | Value::Date(_))
        || contrast().is_single(name)
        || contrast().is_dated(name);
    let apart = |other: &&Fact| other.source.is_some() && other.source != first.source;
    single
        && first.source.is_some()
        && rest.iter().all(apart)
        && rest.iter().any(|other| other.value != first.value)
}

/// A value with one reading, that another of the same attribute cannot stand beside.
pub(super) fn typed(fact: &Fact) -> bool {
    match &fact.value {
        Value::Date(_) => true,
        Value::Text(text) => weekday_text(text).is_some() || !clocks(text).is_empty(),
        _ => false,
    }
}
