//! How an attribute's values are written: with thousands set apart or not, as a ratio or a time.

use crate::claims::SentenceView;
use crate::lexicon::tables::values;
use crate::types::{Quantity, QuantityKind};

use super::amount::Thousands;

/// How the thousands of a number are written in the place of one that was said: as it has them
/// itself, or as other figures of its sentence have.
pub(in crate::detect) fn thousands(
    view: &SentenceView<'_>,
    said: Option<&Quantity>,
    attribute: &str,
) -> Thousands {
    // "founded in 1999 and has 5,200 employees": a year has none.
    let year = said.is_some_and(|said| said.kind == QuantityKind::Year);
    let names = view.attributes.predicates();
    if year || names.named(attribute).is_some_and(|known| known.dated) {
        return Thousands::Plain;
    }
    let dated = |q: &&Quantity| !matches!(q.kind, QuantityKind::Year | QuantityKind::Label);
    let own = said.filter(dated).map(|q| view.at(q.span));
    let others = view.quantities.iter().filter(dated);
    let others = others.map(|q| view.at(q.span));
    Thousands::of(own.into_iter().chain(others), names_a_thing(attribute))
}

/// Whether an attribute's value only names a thing or numbers it ("postal_code", "order_id").
fn names_a_thing(attribute: &str) -> bool {
    let mut words = attribute.split('_').rev();
    let last = words.next().unwrap_or("");
    values().has("numbered", last) || words.any(|word| values().has("numbered_any", word))
}

/// A value as it is spoken: "in transit" for "in_transit", "ON_HOLD" as "on hold"; any other as it stands.
pub(in crate::detect) fn in_words(own: &str) -> String {
    let mut parts = own.split('_');
    let letters = |part: &str| !part.is_empty() && part.chars().all(char::is_alphabetic);
    if !own.contains('_') || !parts.all(letters) {
        return own.to_owned();
    }
    let shouted = own.chars().any(char::is_uppercase) && !own.chars().any(char::is_lowercase);
    let spoken = own.replace('_', " ");
    if shouted {
        spoken.to_lowercase()
    } else {
        spoken
    }
}

/// A text whose first letter is a capital.
pub(in crate::detect) fn with_capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Whether a text is two numbers with a colon between them and nothing else.
pub(in crate::detect) fn is_ratio(text: &str) -> bool {
    let digits = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
    };
    text.split_once(':')
        .is_some_and(|(a, b)| digits(a) && digits(b))
}

/// Whether an attribute's name says that its value is a time of day.
pub(in crate::detect) fn of_time(attribute: &str) -> bool {
    !attribute
        .split('_')
        .any(|word| values().has("proportion", word))
}
