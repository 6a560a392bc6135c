//! Magnitudes and units that a header or a label gives for bare numbers: "Sales (million $)", "Loans,
//! $bn: 12.4", "Length [mm]", "revenue_eur_millions".

use crate::claims::unit_named;
use crate::lexicon::tables::otherwise;
use crate::lexicon::units::unit;
use crate::types::UnitId;

use super::passage::PassageIndex;

/// A magnitude or unit that holds for the bare numbers behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    /// Where it ends.
    pub(super) from: usize,
    /// What the numbers are to be multiplied by.
    pub(super) factor: f64,
    /// Their unit, if it is told.
    pub(super) unit: Option<UnitId>,
}

/// Words of one such label at most.
const WORDS: usize = 8;
/// Labels of one passage that are kept.
const SCALES: usize = 64;

impl PassageIndex {
    /// Magnitudes and units that its headers and labels give, read when they are first asked for.
    pub(super) fn scales(&self) -> &[Scale] {
        self.scales.get_or_init(|| scales(self.text()))
    }
}

/// The labels of a text in order.
fn scales(text: &str) -> Vec<Scale> {
    let mut out = Vec::new();
    let mut at = 0;
    for (piece, closing) in pieces(text) {
        let bracketed = matches!(closing, Some(')' | ']'));
        if let Some((factor, unit)) = label(piece, bracketed) {
            out.push(Scale {
                from: at + piece.len(),
                factor,
                unit,
            });
            if out.len() == SCALES {
                break;
            }
        }
        at += piece.len() + closing.map_or(0, char::len_utf8);
    }
    out
}

/// The parts of a text between marks, each with the mark behind it.
fn pieces(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    let mark = |c: char| {
        matches!(
            c,
            '\n' | '\t' | ',' | ';' | ':' | '|' | '(' | ')' | '[' | ']' | '{' | '}' | '"'
        )
    };
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let own = rest?;
        let end = own.find(mark);
        let closing = end.and_then(|end| own[end..].chars().next());
        rest = end.map(|end| &own[end + closing.map_or(0, char::len_utf8)..]);
        Some((&own[..end.unwrap_or(own.len())], closing))
    })
}

/// What a whole label says, or the end of one behind "in" or behind other words of a key.
fn label(piece: &str, bracketed: bool) -> Option<(f64, Option<UnitId>)> {
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
    let id = unit_named(word).or_else(|| {
        crate::segment::quantities(&format!("{word}1"))
            .first()?
            .unit
    })?;
    (unit(id).dimension == "currency").then_some(id)
}
