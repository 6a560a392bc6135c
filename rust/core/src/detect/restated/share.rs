//! Shares: "one in five" and "20 %", "3/4" and "75 %", "nine out of ten" and "91.7 %", read from running
//! text: that of a source, or of a sentence whose end is still to come. `ratio.rs` reads those of a
//! closed sentence from its lexemes, and says while it is open what may become one.

use crate::lexicon::units::{Role, number_word};
use crate::types::QuantityKind;

use super::{Around, Own};
use crate::detect::grounds::Grounds;

/// How far a share in percent may be from the ratio that is told.
const NEAR: f64 = 0.5;
/// The same where the ratio is one of ten or fewer, which rounds.
const ROUGH: f64 = 2.5;
/// Of how many a ratio may be at most.
const MOST: f64 = 1000.0;

/// A ratio that a text tells, and where.
struct Ratio {
    start: usize,
    end: usize,
    share: f64,
    of: f64,
}

/// "3/4" of a source for a percentage.
pub(super) fn fraction(said: &Around<'_>, own: &Own<'_>) -> bool {
    let share = own.counted.quantity.value * 100.0;
    said.quantity.kind == QuantityKind::Percent
        && own.counted.quantity.unit.is_none()
        && own.text.contains('/')
        && (share - said.quantity.value).abs() <= NEAR
}

/// The ratio of a source that a percentage is, or that is told in other words.
pub(super) fn ratio_in(said: &Around<'_>, text: &str) -> Option<String> {
    let percent = said.quantity.kind == QuantityKind::Percent;
    let of = if percent {
        Some(said.quantity.value)
    } else {
        own_ratio(said).map(|own| own.share)
    }?;
    let found = ratios(text)
        .into_iter()
        .find(|ratio| (ratio.share - of).abs() <= NEAR)?;
    text.get(found.start..found.end).map(str::to_owned)
}

/// The percentage of a source that a ratio is, in round figures.
pub(super) fn of_percent(said: &Around<'_>, grounds: &Grounds<'_>) -> Option<String> {
    let count = said.quantity.kind == QuantityKind::Cardinal && said.quantity.unit.is_none();
    if !count || !(1.0..=MOST).contains(&said.quantity.value) {
        return None;
    }
    let told = own_ratio(said);
    let next = said.next.trim();
    let open = said.behind.is_none() && ["", "i", "in", "o", "ou", "out"].contains(&next);
    if told.is_none() && !open {
        return None;
    }
    let mut passages = grounds.sets().flat_map(|set| set.passages());
    passages.find_map(|passage| {
        let shares = passage.data().quantities.iter();
        let mut shares = shares.filter(|own| own.quantity.kind == QuantityKind::Percent);
        let own = shares.find(|own| {
            let value = own.quantity.value;
            match &told {
                Some(told) => {
                    let slack = if told.of <= 10.0 { ROUGH } else { NEAR };
                    (value - told.share).abs() <= slack
                }
                // "nine …" may go on as "out of ten".
                None => [3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 20.0, 100.0]
                    .iter()
                    .any(|of| {
                        let share = said.quantity.value / of * 100.0;
                        (value - share).abs() <= ROUGH
                    }),
            }
        })?;
        let span = own.quantity.span;
        passage.text().get(span.start..span.end).map(str::to_owned)
    })
}

/// The ratio that the number is a part of in its sentence.
fn own_ratio(said: &Around<'_>) -> Option<Ratio> {
    let span = said.quantity.span.len();
    let behind = said.behind.unwrap_or(said.next);
    // The number itself, as a word that stands for it.
    let text = format!(
        "{}{}{behind}",
        said.before,
        number(said.quantity.value, span)
    );
    let at = said.before.len();
    ratios(&text)
        .into_iter()
        .find(|ratio| ratio.start <= at && at < ratio.end)
}

/// The number in digits, padded with blanks to the length of what it stands for.
fn number(value: f64, length: usize) -> String {
    format!("{value:<length$.0}")
}

/// "1 in 5", "nine out of ten", "3/4".
fn ratios(text: &str) -> Vec<Ratio> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let bare = piece.trim_end();
        let lead = bare.len()
            - bare
                .trim_start_matches(|c: char| !c.is_alphanumeric())
                .len();
        let word = bare.trim_matches(|c: char| !c.is_alphanumeric());
        if !word.is_empty() {
            pieces.push((at + lead, word));
        }
        at += piece.len();
    }
    let mut out = Vec::new();
    for (i, (start, word)) in pieces.iter().enumerate() {
        if let Some((a, b)) = word.split_once('/') {
            if let (Ok(a), Ok(b)) = (a.parse::<u16>(), b.parse::<u16>()) {
                push(
                    &mut out,
                    (*start, start + word.len()),
                    f64::from(a),
                    f64::from(b),
                );
            }
            continue;
        }
        let next = |n: usize| pieces.get(i + n).map_or("", |(_, word)| *word);
        let skip = match (next(1).to_lowercase().as_str(), next(2)) {
            ("in" | "of", "every") | ("out", "of") => 3,
            ("in", _) => 2,
            _ => continue,
        };
        let last = pieces.get(i + skip);
        let Some((end, of)) = last.and_then(|(at, word)| Some((at + word.len(), count(word)?)))
        else {
            continue;
        };
        if let Some(part) = count(word) {
            push(&mut out, (*start, end), part, of);
        }
    }
    out
}

fn push(out: &mut Vec<Ratio>, (start, end): (usize, usize), part: f64, of: f64) {
    if part >= 1.0 && of > part && (2.0..=MOST).contains(&of) {
        out.push(Ratio {
            start,
            end,
            share: part / of * 100.0,
            of,
        });
    }
}

/// A whole number in digits or one word.
fn count(word: &str) -> Option<f64> {
    if let Ok(number) = word.replace(',', "").parse::<u32>() {
        return Some(f64::from(number));
    }
    let known = number_word(&word.to_lowercase());
    matches!(known.role, Role::Ones | Role::Ten | Role::Hundred).then_some(known.value)
}
