//! Numbers that a source has in other words: "fell by 4 %" for "-4 %", "four times a year" for
//! "quarterly", "one in five" for "20 %", "more than 1,000" for 1,240, "€4.56 million" for 4,560 under
//! "in thousands of euros".

use crate::claims::numbers_agree;
use crate::evidence::{Counted, Passage};
use crate::lexicon::units::unit;
use crate::types::{DateExpr, Quantity, QuantityKind};

use super::grounds::Grounds;

mod bound;
mod often;
mod share;
mod sign;

/// A number with what stands around it in its sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) quantity: &'a Quantity,
    /// What stands before it.
    pub(super) before: &'a str,
    /// What is known of what stands behind it.
    pub(super) next: &'a str,
    /// All that stands behind it; `None` where that is still to come.
    pub(super) behind: Option<&'a str>,
}

/// A number of a source with what stands around it in its sentence.
struct Own<'a> {
    counted: &'a Counted,
    text: &'a str,
    before: &'a str,
    behind: &'a str,
}

impl<'a> Own<'a> {
    fn of(counted: &'a Counted, passage: &'a Passage) -> Self {
        let text = passage.text();
        let sentence = passage.data().sentences().get(counted.sentence as usize);
        let sentence = sentence.copied().unwrap_or_default();
        let span = counted.quantity.span;
        Self {
            counted,
            text: text.get(span.start..span.end).unwrap_or(""),
            before: text.get(sentence.start..span.start).unwrap_or(""),
            behind: text.get(span.end..sentence.end.max(span.end)).unwrap_or(""),
        }
    }
}

/// The words of a source that say the number in another way; `None` where there are none. Of what is
/// still to come, anything may be.
pub(super) fn restated(said: &Around<'_>, grounds: &Grounds<'_>) -> Option<String> {
    for set in grounds.sets() {
        if let Some(text) = set.under_label(said.quantity) {
            return Some(text.to_owned());
        }
        for passage in set.passages() {
            for counted in &passage.data().quantities {
                let own = Own::of(counted, passage);
                let same = sign::signed(said, &own)
                    || bound::within(said, &own)
                    || millions(said.quantity, &own)
                    || share::fraction(said, &own)
                    || often::recurs_as(said, &own)
                    || often::lasts_as(said, &own);
                if same {
                    return Some(own.text.to_owned());
                }
            }
            let text = passage.text();
            let words = share::ratio_in(said, text)
                .or_else(|| often::period_in(said, text))
                .or_else(|| often::one_unit_in(said, text));
            if words.is_some() {
                return words;
            }
        }
    }
    share::of_percent(said, grounds)
}

/// "12.3m" of people, read as metres.
fn millions(said: &Quantity, own: &Own<'_>) -> bool {
    let metres = own
        .counted
        .quantity
        .unit
        .is_some_and(|id| unit(id).name == "metre");
    let glued = own.text.strip_suffix('m');
    let glued = glued.is_some_and(|text| text.ends_with(|c: char| c.is_ascii_digit()));
    let plain = Quantity {
        unit: None,
        ..*said
    };
    said.unit.is_none()
        && metres
        && glued
        && said.value.abs() >= 1e5
        && numbers_agree(&plain, own.counted.quantity.value * 1e6, None) == Some(true)
}

/// The day of the month that a bare number is before a date that it begins a range to: "24 to 26
/// December".
pub(super) fn first_of_days(said: &Quantity, behind: &str, dates: &[DateExpr]) -> Option<DateExpr> {
    let bare = matches!(said.kind, QuantityKind::Cardinal | QuantityKind::Ordinal)
        && said.unit.is_none()
        && said.value.fract() == 0.0
        && (1.0..=31.0).contains(&said.value);
    let end = dates.iter().find(|date| {
        let gap = date.span.start.checked_sub(said.span.end);
        let words = gap.and_then(|gap| behind.get(..gap)).map(str::trim);
        matches!(
            words,
            Some("to" | "-" | "–" | "and" | "until" | "through" | "till" | "or")
        )
    })?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let day = said.value as u8;
    let later = end.day.is_some_and(|last| last > day);
    (bare && end.month.is_some() && later).then_some(DateExpr {
        day: Some(day),
        weekday: None,
        minutes: None,
        ..*end
    })
}

/// Words of a text in lower case, without the marks around them.
fn words(text: &str) -> impl DoubleEndedIterator<Item = (String, &str)> {
    text.split_whitespace().map(|piece| {
        let bare = piece.trim_matches(|c: char| !c.is_alphanumeric());
        (bare.to_lowercase(), piece)
    })
}

/// Whether a text has a phrase between word boundaries; both in lower case.
fn has_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        edge(text[..at].chars().next_back()) && edge(text[at + phrase.len()..].chars().next())
    })
}
