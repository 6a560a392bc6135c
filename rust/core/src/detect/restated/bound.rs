//! Limits that a number of a source keeps: "more than 1,000 people" of 1,240 employees.

use crate::lexicon::tables::otherwise;
use crate::lexicon::units::{comparable, convert, unit};
use crate::normal::stem;
use crate::types::{Quantity, QuantityKind};

use super::{Around, Own, words};

/// How many times the number may be what the limit is, or the limit the number.
const FAR: f64 = 1.5;
/// Digits of a limit that are not zero, at most.
const DIGITS: i32 = 2;
/// From here on "at least" and "at most" tell a number rather than a rule ("at least 12 characters").
const RULE: f64 = 100.0;
/// Bytes before a number among which the words for a limit stand, an article and the end of the word before
/// them.
const LEAD: usize = 80;
/// Words behind a number among which the noun stands that it counts.
const NOUN: usize = 3;

/// Whether the number stands behind a word for a limit that the source's number keeps, and counts or
/// measures the same.
pub(super) fn within(said: &Around<'_>, own: &Own<'_>) -> bool {
    let (a, b) = (said.quantity, &own.counted.quantity);
    let time = a.unit.is_some_and(|id| unit(id).dimension == "time");
    // What a source sets as a limit is held against another limit.
    let limits = ["over", "at_least", "under", "at_most"];
    if time || limits.iter().any(|class| led_by(own.before, class)) {
        return false;
    }
    let rule = a.value >= RULE;
    let over = led_by(said.before, "over") || rule && led_by(said.before, "at_least");
    let under = led_by(said.before, "under") || rule && led_by(said.before, "at_most");
    if !round(a.value) || b.value <= 0.0 || a.kind != b.kind && !plain(a, b) {
        return false;
    }
    let value = match (a.unit, b.unit) {
        (None, None) => Some(b.value),
        (Some(x), Some(y)) if comparable(x, y) => convert(b.value, y, x),
        _ => None,
    };
    let Some(value) = value else { return false };
    let more = (a.value..=a.value * FAR).contains(&value);
    let less = (a.value / FAR..=a.value).contains(&value);
    if !(more && over || less && under) {
        return false;
    }
    a.unit.is_some() || same_noun(said, own)
}

/// Whether a text ends in a word for a limit.
fn led_by(before: &str, class: &str) -> bool {
    let before = before.trim_end();
    let mut from = before.len().saturating_sub(LEAD);
    while !before.is_char_boundary(from) {
        from -= 1;
    }
    let lower = before[from..].to_lowercase();
    let lead = ["the", "a"].iter().find_map(|word| {
        let rest = lower.strip_suffix(word)?;
        rest.ends_with(' ').then(|| rest.trim_end())
    });
    let lead = lead.unwrap_or(&lower);
    otherwise().listed(class).iter().any(|phrase| {
        let rest = lead.strip_suffix(phrase);
        rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    })
}

/// Two counts.
fn plain(a: &Quantity, b: &Quantity) -> bool {
    let count = |q: &Quantity| q.kind == QuantityKind::Cardinal;
    count(a) && count(b)
}

/// Whether a number has few digits that are not zero.
fn round(value: f64) -> bool {
    if value < 10.0 {
        return value >= 2.0 && value.fract() == 0.0;
    }
    if value == 12.0 {
        return true;
    }
    let places = 10_f64.powi(value.log10().floor() as i32 + 1 - DIGITS);
    ((value / places).round() * places - value).abs() < 1e-6 * value
}

/// Whether both count the same: one noun, or people.
fn same_noun(said: &Around<'_>, own: &Own<'_>) -> bool {
    let Some(behind) = said.behind else {
        return true;
    };
    let nouns = |text: &str| -> Vec<String> {
        words(text)
            .map(|(word, _)| word)
            .take_while(|word| !matches!(word.as_str(), "and" | "or" | "but"))
            .filter(|word| word.len() > 2 && word.chars().all(char::is_alphabetic))
            .take(NOUN)
            .collect()
    };
    let (a, b) = (nouns(behind), nouns(own.behind));
    let people = |all: &[String]| all.iter().any(|word| otherwise().has("people", word));
    let shared = a.iter().any(|x| b.iter().any(|y| stem(x) == stem(y)));
    shared || people(&a) && people(&b)
}
