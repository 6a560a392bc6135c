//! Numbers that are compared in a way of their own: those that name a thing, and prices for the same.

use crate::kb::{Agreement, Fact, Value};
use crate::lexicon::columns::bare_name;
use crate::lexicon::predicates::Predicates;
use crate::lexicon::tables::stance;
use crate::segment;
use crate::types::QuantityKind;

use crate::detect::object::Object;
use crate::detect::replacement::price::{Rates, amount_of};

/// Whether a number is an age, in years or without a unit.
pub(super) fn is_age(names: &Predicates, fact: &Fact, unit: Option<&str>) -> bool {
    let name = bare_name(&fact.predicate);
    unit.is_none_or(|unit| unit == "years") && (names.same(name, "age") || name.ends_with("_age"))
}

/// Whether the attribute tells the most that there can be: "up to 20 hours" is its value.
pub(super) fn at_best(names: &Predicates, predicate: &str) -> bool {
    let most = |name: &str| stance().has("at_best", name);
    most(predicate) || names.named(predicate).is_some_and(|own| most(&own.name))
}

/// How a number stands to one that names a thing and counts nothing, such as a port or a postcode: no
/// such number is another in round figures. `None` for whatever else the attribute is.
pub(super) fn identified(fact: &Fact, object: &Object<'_>) -> Option<Agreement> {
    let own = match &fact.value {
        Value::Number { value, unit: None } => *value,
        Value::Text(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    let last = fact.predicate.rsplit('_').next().unwrap_or("");
    let [said] = object.quantities.as_slice() else {
        return None;
    };
    let plain = said.unit.is_none() && !said.approximate && object.bounds.is_empty();
    let number = matches!(
        said.kind,
        QuantityKind::Cardinal | QuantityKind::Label | QuantityKind::Year
    );
    if !plain || !number || !stance().has("identifying", last) {
        return None;
    }
    // "555-1234" is one number, of which 555 is none.
    let digits: String = object.text.chars().filter(char::is_ascii_digit).collect();
    let told: f64 = digits.parse().ok()?;
    let same = |one: f64, other: f64| (one - other).abs() < 0.5;
    if same(told, own) {
        return Some(Agreement::Same);
    }
    same(told, said.value).then_some(Agreement::Different)
}

/// "£29 a month" against "£24/month": prices for the same.
pub(super) fn by_rate(object: &Object<'_>, value: &Value) -> Option<Agreement> {
    let (Value::Text(own), [said]) = (value, object.quantities.as_slice()) else {
        return None;
    };
    let behind = |text: &str| {
        let end = segment::quantities(text).first().map(|q| q.span.end)?;
        Some(Rates::of(text.get(end..)?))
    };
    let (amount, unit) = amount_of(value)?;
    let (asked, told) = (behind(own)?, behind(&object.text)?);
    let alike = said.kind == QuantityKind::Money && said.unit == unit && !told.is_empty();
    (alike && asked.same(&told)).then(|| {
        if (said.value - amount).abs() < f64::EPSILON * amount.abs() {
            Agreement::Same
        } else {
            Agreement::Different
        }
    })
}
