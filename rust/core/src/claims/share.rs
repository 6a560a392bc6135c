//! Numbers that say which share something is of something else, and so no amount: "a third of the
//! staff", "two in five", "three times as many".

use crate::lexicon::units::{Role, number_word};
use crate::segment;
use crate::types::{Quantity, QuantityKind, Span};

use super::view::{Folded, SentenceView};

/// Words behind "in" and "out of" among which the number stands that it is a share of.
const REACH: usize = 3;

/// Whether the words of a number are those of a fraction: "a third", "half", "1/3", "¼". A fraction
/// of a magnitude ("half a million") is an amount.
fn fraction(text: &str, value: f64) -> bool {
    let part = |word: &str| number_word(&word.to_ascii_lowercase()).role == Role::Parts;
    let mut words = text.split([' ', '-']);
    let below = value > 0.0 && value < 1.0;
    let figures = text
        .bytes()
        .all(|b| b.is_ascii_digit() || b".,".contains(&b));
    below && !figures || value < 1000.0 && words.any(part)
}

/// Whether the number says a share, a ratio or a multiple of something else, by itself or with
/// another.
pub(crate) fn is_share(view: &SentenceView<'_>, folded: &Folded<'_>, said: &Quantity) -> bool {
    if said.unit.is_some() || !matches!(said.kind, QuantityKind::Cardinal | QuantityKind::Ordinal) {
        return said.kind == QuantityKind::Percent;
    }
    let range = view.lexemes_in(said.span);
    let next = range.end;
    if fraction(view.at(said.span), said.value) {
        // "a quarter of a million", "half a dozen"
        let scaled = (next..next + REACH).any(|i| {
            matches!(
                number_word(folded.get(i)).role,
                Role::Magnitude | Role::Hundred
            )
        });
        // "the first half of the 1990s", "the second quarter": a part of time, told by its number.
        let before = range.start.checked_sub(1).map_or("", |i| folded.get(i));
        return !scaled && !counts_off(before);
    }
    if said.kind == QuantityKind::Ordinal {
        return false;
    }
    if matches!(folded.get(next), "times" | "fold") {
        return true;
    }
    let pair = |other: &Quantity| other.span != said.span && ratio(view, folded, other, said);
    let counted = |other: &Quantity| other.span != said.span && ratio(view, folded, said, other);
    view.quantities
        .iter()
        .any(|other| counted(other) || pair(other))
}

/// Whether two numbers say how many of how many: "four of the ten", "one in five", "two out of
/// three".
fn ratio(view: &SentenceView<'_>, folded: &Folded<'_>, of: &Quantity, whole: &Quantity) -> bool {
    let plain = |q: &Quantity| q.kind == QuantityKind::Cardinal && q.unit.is_none();
    let next = view.lexemes_in(of.span).end;
    let from = match folded.get(next) {
        "out" if folded.get(next + 1) == "of" => next + 2,
        "in" | "of" => next + 1,
        _ => return false,
    };
    let at = view.lexemes_in(whole.span).start;
    plain(of)
        && plain(whole)
        && (from..from + REACH).contains(&at)
        && (from..at).all(|i| {
            matches!(
                folded.get(i),
                "the" | "every" | "its" | "all" | "their" | "these" | "those"
            )
        })
        && whole.value >= of.value
}

/// The share in percent that the number says with another ("three out of four").
pub(crate) fn percent_of_ratio(view: &SentenceView<'_>, said: &Quantity) -> Option<f64> {
    let folded = view.folded();
    let percent = |of: &Quantity, whole: &Quantity| {
        (whole.value > 0.0 && ratio(view, &folded, of, whole))
            .then(|| 100.0 * of.value / whole.value)
    };
    let mut others = view.quantities.iter().filter(|q| q.span != said.span);
    others.find_map(|other| percent(said, other).or_else(|| percent(other, said)))
}

/// Whether the first number of a text by itself says a share, a ratio or a multiple.
pub(crate) fn says_share(text: &str) -> bool {
    let found = segment::quantities(text);
    let Some(own) = found.first() else {
        return false;
    };
    if own.kind == QuantityKind::Percent || own.unit.is_some() {
        return own.unit.is_none();
    }
    let Span { start, end } = own.span;
    let behind = text.get(end..).unwrap_or("").trim_start();
    let mut words = behind.split_whitespace();
    let first = words.next().unwrap_or("");
    let next = match first {
        "out" => words.nth(1),
        "in" => words.next(),
        _ => None,
    };
    let ratio = next.is_some_and(|word| {
        let counted = segment::quantities(word);
        counted.iter().any(|other| {
            other.kind == QuantityKind::Cardinal && other.unit.is_none() && other.value >= own.value
        })
    });
    let before = text.get(..start).unwrap_or("").split_whitespace().last();
    let part = fraction(text.get(start..end).unwrap_or(""), own.value);
    part && !before.is_some_and(counts_off) || first == "times" || ratio
}

/// Whether a word gives a part its number ("the first half").
fn counts_off(word: &str) -> bool {
    number_word(&word.to_ascii_lowercase()).role == Role::Ordinal
}
