//! Pounds that weigh and pounds that are paid: one word, two units.

use crate::claims::unit_named;
use crate::lexicon::predicates::predicates;
use crate::lexicon::tables::stance;
use crate::lexicon::units::{by_name, is_pound};
use crate::types::{Quantity, QuantityKind};

use super::model::Record;
use super::value::Value;

/// The currency that "pounds" of money are.
const STERLING: &str = "GBP";

/// Pounds of a price are money: "12 pounds" where the attribute is what something costs.
pub(super) fn paid(record: &mut Record) {
    for fact in &mut record.facts {
        let Value::Number { unit: Some(of), .. } = &mut fact.value else {
            continue;
        };
        if costs(&fact.predicate) && unit_named(of).is_some_and(is_pound) {
            STERLING.clone_into(of);
        }
    }
}

/// "45 pounds", said of what something costs.
pub(crate) fn as_paid(said: &mut Quantity, predicate: &str) {
    if said.unit.is_some_and(is_pound) && costs(predicate) {
        said.unit = by_name(STERLING);
        said.kind = QuantityKind::Money;
    }
}

fn costs(predicate: &str) -> bool {
    let sum = |name: &str| stance().has("money", name);
    let known = predicates().named(predicate);
    sum(predicate) || known.is_some_and(|own| sum(&own.name))
}
