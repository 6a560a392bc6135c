//! An amount with words behind it ("49 euros a month", "15% (students)"), in the place of another.

use crate::claims::{SentenceView, unit_named};
use crate::kb::Value;
use crate::lexicon::tables::values;
use crate::lexicon::units::comparable;
use crate::segment;
use crate::types::{Quantity, QuantityKind, Span, UnitId};

use super::amount::{Thousands, amount};
use crate::detect::reckoned::{Rate, rate_phrase};

/// Rates behind one amount ("per user per month"), at most.
const RATES: usize = 3;

/// What an amount is for: where that ends behind it, and the rates by name.
pub(in crate::detect) struct Rates {
    pub(in crate::detect) end: usize,
    named: Vec<(Rate, String)>,
}

impl Rates {
    /// Those that a text begins with.
    pub(in crate::detect) fn of(text: &str) -> Self {
        let mut own = Self {
            end: 0,
            named: Vec::new(),
        };
        while own.named.len() < RATES {
            let Some((length, rate, word)) = one(&text[own.end..]) else {
                break;
            };
            own.end += length;
            own.named.push((rate, word));
        }
        own.named.sort_by(|a, b| a.1.cmp(&b.1));
        own
    }

    pub(in crate::detect) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Whether they are the same in whatever words ("per night", "a night", "nightly").
    pub(in crate::detect) fn same(&self, other: &Self) -> bool {
        let any = |name: &str| name == "each";
        let alike = |(a, b): (&(Rate, String), &(Rate, String))| {
            let told = a.0 != Rate::Other || a.1 == b.1;
            a.0 == b.0 && told || any(&a.1) || any(&b.1)
        };
        self.named.len() == other.named.len() && self.named.iter().zip(&other.named).all(alike)
    }
}

/// The rate that a text begins with, by the name of what it is for, and where it ends.
fn one(text: &str) -> Option<(usize, Rate, String)> {
    let word = |text: &str| {
        let end = text.find(|c: char| !c.is_alphabetic());
        text[..end.unwrap_or(text.len())].to_lowercase()
    };
    let rest = text.trim_start_matches([' ', '\u{a0}']);
    let at = text.len() - rest.len();
    let first = word(rest);
    if at > 0 || rest.starts_with('/') {
        if let Some((length, rate, named)) = rate_phrase(text) {
            return Some((length, rate, paying(&named)));
        }
    } else {
        return None;
    }
    let period = values()
        .of("period_", &first)
        .filter(|name| *name != "link");
    if let Some(period) = period.filter(|_| first.ends_with("ly")) {
        return Some((at + first.len(), Rate::Other, period.to_owned()));
    }
    if matches!(first.as_str(), "a" | "an" | "each" | "every" | "the") {
        let after = rest[first.len()..].trim_start();
        let named = word(after);
        let period = values()
            .of("period_", &named)
            .filter(|name| *name != "link");
        if period.is_some() || values().has("bearer", &named) {
            let end = text.len() - after.len() + named.len();
            let name = period.map_or_else(|| paying(&named), str::to_owned);
            return Some((end, Rate::Other, name));
        }
    }
    values()
        .has("apiece", &first)
        .then(|| (at + first.len(), Rate::Other, "each".to_owned()))
}

/// One name for all words that tell the same of who pays, or for what time.
fn paying(word: &str) -> String {
    let period = values().of("period_", word).filter(|name| *name != "link");
    match period {
        _ if values().has("apiece", word) => "each".to_owned(),
        _ if values().has("heads", word) => "person".to_owned(),
        Some(period) => period.to_owned(),
        None => word.strip_suffix('s').unwrap_or(word).to_owned(),
    }
}

/// The amount that a text begins with, where words follow it.
fn price(text: &str) -> Option<Quantity> {
    let all = segment::quantities(text);
    let [own] = all.as_slice() else { return None };
    let told = matches!(own.kind, QuantityKind::Money | QuantityKind::Percent);
    let words = text.get(own.span.end..)?;
    let words = words.starts_with([' ', '/']) && words.contains(char::is_alphabetic);
    (told && words && own.span.start == 0).then_some(*own)
}

/// The number that a value is, or the price with what it is for ("£49 per month").
pub(in crate::detect) fn amount_of(value: &Value) -> Option<(f64, Option<UnitId>)> {
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

/// The base's amount, which has words behind it, in place of the amount that the sentence says: in
/// the sentence's form where the currency is the same, and with those words once. `None` where
/// the value is no such amount or the sentence has none there.
pub(in crate::detect) fn priced(
    view: &SentenceView<'_>,
    said: &[Quantity],
    value: &str,
    style: Thousands,
) -> Option<(Span, String)> {
    let value = value.trim();
    let own = price(value)?;
    let said = said.iter().find(|q| q.kind == own.kind)?;
    let behind = view.at(Span::new(
        said.span.end,
        view.sentence.span.end.max(said.span.end),
    ));
    let told = Rates::of(behind);
    let (number, rest) = value.split_at(own.span.end);
    let rates = Rates::of(rest);
    let alike = own.kind == QuantityKind::Percent
        || (said.unit.zip(own.unit)).is_some_and(|(a, b)| comparable(a, b) && a == b);
    let text = if alike {
        amount(view.at(said.span), own.value, said.unit, style)
    } else {
        number.to_owned()
    };
    let whole = rates.end == rest.len();
    if whole && told.same(&rates) || !told.is_empty() && told.same(&rates) && !rates.is_empty() {
        return Some((said.span, text));
    }
    if told.is_empty() && begins_with(behind, rest) {
        return Some((said.span, text));
    }
    // "A £60 deposit": what the base remarks has no place before the noun.
    let place = Span::new(said.span.start, said.span.end + told.end);
    let next = behind[told.end..].trim_start().chars().next();
    let closes = next.is_none_or(|c| !c.is_alphanumeric());
    if closes || whole {
        return Some((place, format!("{text}{rest}")));
    }
    (told.is_empty() && rates.is_empty()).then_some((said.span, text))
}

/// Whether a text begins with those words, whatever their capitals, and does not go on with the last.
fn begins_with(text: &str, words: &str) -> bool {
    let head = text.get(..words.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(words))
        && !text[words.len()..].starts_with(char::is_alphanumeric)
}
