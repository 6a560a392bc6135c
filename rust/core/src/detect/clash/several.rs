//! Several values of one attribute that cannot stand beside each other.

use crate::claims::unit_named;
use crate::kb::{Fact, Value, weekday_text};
use crate::lexicon::contrast::contrast;
use crate::lexicon::units::convert;
use crate::segment::clocks;
use crate::types::UnitId;

/// How far one amount in two units may differ, for rounding.
const ROUNDED: f64 = 0.01;

/// Leaves one fact of an amount that the base has in two units ("height_m" beside "height_ft"): that in
/// the unit of what is said, if any.
pub(super) fn one_amount(facts: &mut Vec<Fact>, said: Option<UnitId>) {
    let amount = |fact: &Fact| match &fact.value {
        Value::Number {
            value,
            unit: Some(unit),
        } => Some((*value, unit_named(unit)?)),
        _ => None,
    };
    for i in (0..facts.len()).rev() {
        let Some((value, of)) = amount(&facts[i]).filter(|(_, of)| Some(*of) != said) else {
            continue;
        };
        let twin = |(other, unit): (f64, UnitId)| {
            let converted = convert(other, unit, of).filter(|_| unit != of);
            converted.is_some_and(|other| (other - value).abs() <= ROUNDED * value.abs())
        };
        if facts.iter().filter_map(amount).any(twin) {
            facts.remove(i);
        }
    }
}

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
