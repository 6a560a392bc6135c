//! Numbers of another magnitude than the base's, where a caption or a header may say so: "Revenue | 12"
//! under "(EUR millions)", "125 cents" of 1.25.

use crate::claims::SentenceView;
use crate::kb::{Fact, Value};
use crate::lexicon::tables::otherwise;
use crate::lexicon::units::unit;
use crate::types::{QuantityKind, SentenceKind};

use super::object::Object;
use super::replacement::amount::{Thousands, amount};
use super::replacement::sign::minus;

/// How many times as large the base's number is from which a bare one of a row is in thousands or more.
const FAR: f64 = 250.0;

/// The amount `right` in the place of `said`, which is told in another magnitude: `None` where it does
/// not come out even there.
#[must_use]
pub fn in_magnitude(said: &str, right: &str, factor: f64) -> Option<String> {
    let sign = |c: char| if minus(c) { '-' } else { c };
    let told = right.chars().filter(|c| !matches!(c, ',' | ' '));
    let digits: String = told.map(sign).collect();
    let digits = digits.trim_matches(|c: char| !c.is_ascii_digit() && c != '-');
    let value = digits.parse::<f64>().ok().filter(|_| factor != 0.0)? / factor;
    let fine = value * 1e6;
    let even = (fine - fine.round()).abs() < 1e-6 * fine.abs().max(1.0);
    let rounded = fine.round() / 1e6;
    let style = Thousands::of([said, right].into_iter(), false);
    even.then(|| amount(said, rounded, None, style))
}

/// Whether a number is not held against the base's: it is told in coins, or a row or list item has it
/// bare where the base's is a thousand times as large.
pub(super) fn of_another_magnitude(
    view: &SentenceView<'_>,
    object: &Object<'_>,
    fact: &Fact,
) -> bool {
    let [said] = object.quantities.as_slice() else {
        return false;
    };
    let sentence = view.sentence.span;
    let behind = view
        .text
        .get(said.span.end.saturating_sub(sentence.start)..);
    let behind = behind.unwrap_or("");
    let word = behind
        .trim_start()
        .split(|c: char| !c.is_alphabetic() && c != '¢');
    let next = word.map(str::to_lowercase).next().unwrap_or_default();
    let coin = |id| matches!(unit(id).name, "cent" | "penny");
    if !said.unit.is_some_and(coin) {
        let glued = behind.starts_with(|c: char| c.is_alphabetic() || c == '¢');
        if otherwise().has("coins", &next) || glued && otherwise().has("coins_short", &next) {
            return true;
        }
    }
    let row = matches!(
        view.sentence.kind,
        SentenceKind::TableRow | SentenceKind::ListItem
    );
    let bare = said.unit.is_none() && said.kind == QuantityKind::Cardinal;
    let written = view.at(said.span);
    let digits = written
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',') || minus(c));
    if !row || !bare || !digits || said.value == 0.0 {
        return false;
    }
    match &fact.value {
        Value::Number { value, .. } => (value / said.value).abs() >= FAR,
        // "3m EUR" of 3, or of 3,000.
        Value::Text(text) => {
            let number = text.trim_start_matches(|c: char| !c.is_ascii_digit());
            let end = number.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ','));
            let number = number[..end.unwrap_or(number.len())].replace(',', "");
            let own: Option<f64> = number.parse().ok();
            let scales = [1.0, 1e3, 1e6];
            own.is_some_and(|own| {
                scales
                    .iter()
                    .any(|by| (own * by - said.value.abs()).abs() < 1e-6)
            })
        }
        _ => false,
    }
}
