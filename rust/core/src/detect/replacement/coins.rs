//! Money told in two units: "5 dollars and 50 cents".

use std::borrow::Cow;

use crate::lexicon::spelled::spelled;

use super::grammar::{number_in_words, numbered};

/// `value` in the larger unit and hundredths of it, as `text` has them; `None` where it is told otherwise.
pub(super) fn in_coins(text: &str, value: f64) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let (large, unit, joint, small, coin) = match words[..] {
        [large, unit, small, coin] => (large, unit, " ", small, coin),
        [large, unit, "and", small, coin] => (large, unit, " and ", small, coin),
        _ => return None,
    };
    let digits = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let counts = |word: &str| digits(word) || number_in_words(word);
    let named = |word: &str| word.chars().all(char::is_alphabetic);
    let hundredths = (value * 100.0).round();
    let exact = (value * 100.0 - hundredths).abs() < 1e-6 && value > 0.0;
    if !(counts(large) && counts(small) && named(unit) && named(coin) && exact) {
        return None;
    }
    let written = |like: &str, value: f64| match digits(like) {
        true => Some(value.to_string()),
        false => spelled(value),
    };
    let (whole, rest) = ((hundredths / 100.0).floor(), hundredths % 100.0);
    let part = |like: &str, value: f64, noun: &str| {
        Some(format!(
            "{} {}",
            written(like, value)?,
            of_number(noun, value)
        ))
    };
    match (whole > 0.0, rest > 0.0) {
        (true, true) => {
            let (whole, rest) = (part(large, whole, unit)?, part(small, rest, coin)?);
            Some(format!("{whole}{joint}{rest}"))
        }
        (true, false) => part(large, whole, unit),
        _ => part(small, rest, coin),
    }
}

/// "1 dollar", "2 dollars", "1 penny", "50 pence".
fn of_number(noun: &str, value: f64) -> Cow<'_, str> {
    let many = value != 1.0;
    match noun {
        "pence" | "penny" => Cow::Borrowed(if many { "pence" } else { "penny" }),
        _ if many == noun.ends_with('s') => Cow::Borrowed(noun),
        _ => numbered(noun, many).unwrap_or(Cow::Borrowed(noun)),
    }
}
