//! A price with what it is for ("49 euros a month"), in the place of another.

use crate::claims::{SentenceView, unit_named};
use crate::kb::Value;
use crate::lexicon::units::comparable;
use crate::segment;
use crate::types::{Quantity, QuantityKind, Span, UnitId};

use super::amount::amount;
use super::reckoned::{Rate, rate_phrase};

/// Rates behind one amount ("per user per month"), at most.
const RATES: usize = 3;

/// What an amount is for: where that ends behind it, and the rates by name.
struct Rates {
    end: usize,
    named: Vec<(Rate, String)>,
}

impl Rates {
    /// Those that a text begins with.
    fn of(text: &str) -> Self {
        let mut own = Self {
            end: 0,
            named: Vec::new(),
        };
        while own.named.len() < RATES {
            let Some((length, rate, word)) = rate_phrase(&text[own.end..]) else {
                break;
            };
            own.end += length;
            own.named.push((rate, word));
        }
        own.named.sort_by(|a, b| a.1.cmp(&b.1));
        own
    }

    fn same(&self, other: &Self) -> bool {
        let alike = |(a, b): (&(Rate, String), &(Rate, String))| {
            a.0 == b.0 && (a.0 != Rate::Other || a.1 == b.1)
        };
        self.named.len() == other.named.len() && self.named.iter().zip(&other.named).all(alike)
    }
}

/// The price that the whole of a text is, and what it is for, where that is told.
fn price(text: &str) -> Option<(Quantity, Rates)> {
    let all = segment::quantities(text);
    let [own] = all.as_slice() else { return None };
    let rates = Rates::of(text.get(own.span.end..)?);
    let whole = own.span.start == 0 && own.span.end + rates.end == text.len();
    (whole && own.kind == QuantityKind::Money && !rates.named.is_empty()).then_some((*own, rates))
}

/// The number that a value is, or the price with what it is for ("£49 per month").
pub(super) fn amount_of(value: &Value) -> Option<(f64, Option<UnitId>)> {
    match value {
        Value::Number { value, unit } => Some((*value, unit.as_deref().and_then(unit_named))),
        Value::Text(text) => {
            let mut all = segment::quantities(text).into_iter();
            let price = |q: &Quantity| q.kind == QuantityKind::Money && q.span.start == 0;
            all.find(price).map(|q| (q.value, q.unit))
        }
        _ => None,
    }
}

/// The base's price, which says what it is for, in place of the amount that the sentence says: in
/// the sentence's form where the currency is the same, and with what it is for once. `None` where
/// the value is no such price or the sentence has no amount there.
pub(super) fn priced(
    view: &SentenceView<'_>,
    said: &[Quantity],
    value: &str,
) -> Option<(Span, String)> {
    let (own, rates) = price(value.trim())?;
    let said = said.iter().find(|q| q.kind == QuantityKind::Money)?;
    let behind = view.at(Span::new(
        said.span.end,
        view.sentence.span.end.max(said.span.end),
    ));
    let told = Rates::of(behind);
    let (number, rest) = value.trim().split_at(own.span.end);
    let text = match said.unit.zip(own.unit) {
        Some((a, b)) if comparable(a, b) && a == b => {
            amount(view.at(said.span), own.value, Some(a))
        }
        _ => number.to_owned(),
    };
    if told.same(&rates) {
        return Some((said.span, text));
    }
    let place = Span::new(said.span.start, said.span.end + told.end);
    Some((place, format!("{text}{rest}")))
}
