//! Magnitudes and units that a label gives for the numbers under or behind it: "EUR million", "in
//! thousands of euros", "Length [mm]".

use crate::lexicon::tables::otherwise;
use crate::lexicon::units::unit;
use crate::segment;
use crate::types::{Quantity, QuantityKind, UnitId};

use super::numbers::unit_named;

/// Words of one label at most.
const WORDS: usize = 8;

/// A name with what its numbers are in: "Revenue (EUR million)", "Revenue, €bn", "Height in metres".
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scaled<'a> {
    /// The name alone.
    pub(super) name: &'a str,
    factor: f64,
    unit: Option<UnitId>,
}

impl<'a> Scaled<'a> {
    /// `None` where a text names no unit or magnitude beside something else.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let text = text.trim().trim_end_matches([':', '*']).trim_end();
        let told = |name: &'a str, label: &str, bracketed: bool| {
            let name = name.trim().trim_end_matches([',', ':']).trim_end();
            let (factor, unit) = labelled_scale(label, bracketed).filter(|_| !name.is_empty())?;
            Some(Self { name, factor, unit })
        };
        for (open, close) in [('(', ')'), ('[', ']')] {
            if let Some((name, label)) = text.strip_suffix(close).and_then(|t| t.rsplit_once(open))
            {
                return told(name, label, true);
            }
        }
        if let Some((name, label)) = text.rsplit_once(',') {
            return told(name, label, false);
        }
        let (name, label) = text.rsplit_once(" in ")?;
        told(name, label, true)
    }

    /// Gives a bare number its magnitude and unit.
    pub(super) fn put(&self, quantity: &mut Quantity) {
        let bare = matches!(quantity.kind, QuantityKind::Cardinal | QuantityKind::Year);
        if quantity.unit.is_some() || !bare {
            return;
        }
        quantity.value *= self.factor;
        quantity.unit = self.unit;
        quantity.kind = match self.unit.map(|id| unit(id).dimension) {
            None => QuantityKind::Cardinal,
            Some("currency") => QuantityKind::Money,
            Some(_) => QuantityKind::Measure,
        };
    }
}

/// The magnitude, and the unit if it is told, that a whole text gives for numbers: "EUR million", "in
/// thousands of euros". A unit alone is none.
#[must_use]
pub fn scale_of(text: &str) -> Option<(f64, Option<UnitId>)> {
    labelled_scale(text, false)
}

/// What a whole label says, or the end of one behind "in" or behind other words of a key; where it is
/// `bracketed`, a unit by itself too.
#[must_use]
pub fn labelled_scale(piece: &str, bracketed: bool) -> Option<(f64, Option<UnitId>)> {
    let piece = piece.trim();
    if piece.is_empty() || piece.len() > 60 {
        return None;
    }
    if !piece.contains(' ') && piece.contains('_') {
        let words: Vec<&str> = piece.split('_').collect();
        let first = (1..words.len()).find(|i| scaled(&words[*i..]).is_some())?;
        return scaled(&words[first..]);
    }
    let words: Vec<&str> = piece.split_whitespace().collect();
    if words.len() > WORDS {
        return None;
    }
    let whole = scaled(&words).or_else(|| {
        let last = words
            .iter()
            .rposition(|word| word.eq_ignore_ascii_case("in"))?;
        scaled(&words[last + 1..])
    });
    whole.or_else(|| {
        let [one] = words.as_slice() else { return None };
        let id = unit_named(one).filter(|_| bracketed)?;
        Some((1.0, Some(id)))
    })
}

/// What words say of which each is a magnitude, a currency or says little.
fn scaled(words: &[&str]) -> Option<(f64, Option<UnitId>)> {
    let table = otherwise();
    let (mut factor, mut short, mut money) = (None, None, None);
    for word in words {
        let lower = word.to_lowercase();
        // "$bn", "€k", "US$'000"
        let digits = lower.find(['\'', '’', '0']);
        let sign = lower
            .find(['$', '€', '£', '¥', '₹'])
            .map(|at| at + lower[at..].chars().next().map_or(1, char::len_utf8));
        let (currency, rest) = match sign {
            Some(end) => (word.get(..end)?, &lower[end..]),
            None if digits.is_some_and(|at| at > 0) => {
                let at = digits.unwrap_or(0);
                (word.get(..at)?, &lower[at..])
            }
            None => ("", lower.as_str()),
        };
        if !currency.is_empty() {
            money = Some(currency_of(currency)?);
        }
        if rest.is_empty() || table.has("scale_light", rest) {
            continue;
        }
        let named = table.of("scale_", rest);
        match named.and_then(|name| {
            let name = name
                .strip_prefix("money_")
                .map_or((name, false), |n| (n, true));
            Some((name.0.parse::<f64>().ok()?, name.1))
        }) {
            Some((by, false)) => factor = Some(factor.unwrap_or(1.0) * by),
            Some((by, true)) => short = Some(by),
            None => money = Some(currency_of(word)?),
        }
    }
    let factor = match (factor, short.filter(|_| money.is_some())) {
        (Some(factor), None) if short.is_none() => factor,
        (None, Some(short)) => short,
        _ => return None,
    };
    Some((factor, money))
}

fn currency_of(word: &str) -> Option<UnitId> {
    let id = unit_named(word).or_else(|| segment::quantities(&format!("{word}1")).first()?.unit)?;
    (unit(id).dimension == "currency").then_some(id)
}
