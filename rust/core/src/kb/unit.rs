//! Units that records may name: those of the lexicon, and nouns that are counted.

use crate::claims::unit_named;
use crate::entities::osa_distance;
use crate::lexicon::units;
use crate::lexicon::words::{WordClass, class};
use crate::normal::fold;

/// Edits by which a misspelt unit may differ from the one that is meant.
const EDITS: u8 = 2;

/// Checks a record's unit: a unit or currency of the lexicon under any of its names, per cent, or
/// nouns ("rooms", "parking spaces"), which are compared with the words behind a number. The
/// error is what is wrong, with the nearest unit.
pub(super) fn check_unit(unit: &str) -> Result<(), String> {
    let percent = matches!(unit, "%" | "percent" | "per cent");
    let counted = unit.split([' ', '-', '/']).all(is_noun);
    if percent || unit_named(unit).is_some() || counted {
        return Ok(());
    }
    let near = nearest(unit).map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
    Err(format!(
        "'{unit}' is no unit or currency that is known, and no English noun that could be \
         counted{near}"
    ))
}

/// The magnitude that a record's unit begins or ends with, and the unit itself: 10⁶ and "EUR" for "million EUR"
/// and "EUR million", 10⁶ and nothing for "million".
pub(super) fn in_magnitude(unit: &str) -> (f64, Option<String>) {
    let words: Vec<&str> = unit.split_whitespace().collect();
    let magnitude = |word: &&str| {
        Some(match word.to_lowercase().as_str() {
            "thousand" | "thousands" => 1e3,
            "million" | "millions" | "mn" | "mio" => 1e6,
            "billion" | "billions" | "bn" => 1e9,
            "trillion" | "trillions" => 1e12,
            _ => return None,
        })
    };
    let told = |factor: f64, rest: &[&str]| {
        let rest = match rest {
            ["of" | "in", rest @ ..] | [rest @ .., "in"] => rest,
            rest => rest,
        };
        (factor, (!rest.is_empty()).then(|| rest.join(" ")))
    };
    match words.as_slice() {
        [first, rest @ ..] if magnitude(first).is_some() => {
            told(magnitude(first).unwrap_or(1.0), rest)
        }
        [rest @ .., last] if magnitude(last).is_some() => {
            told(magnitude(last).unwrap_or(1.0), rest)
        }
        _ => (1.0, Some(unit.to_owned())),
    }
}

fn is_noun(word: &str) -> bool {
    let mut folded = String::new();
    fold(word, &mut folded);
    let listed = |word: &str| class(word).any(WordClass::COMMON.with(WordClass::NAME_HEAD));
    let singular = |ending: &str, instead: &str| {
        let root = folded.strip_suffix(ending);
        root.is_some_and(|root| listed(&format!("{root}{instead}")))
    };
    listed(&folded) || singular("s", "") || singular("es", "") || singular("ies", "y")
}

/// The name of a unit that differs least, in folded characters.
fn nearest(unit: &str) -> Option<&'static str> {
    let folded = |text: &str| {
        let mut folded = String::new();
        fold(text, &mut folded);
        folded.chars().collect::<Vec<char>>()
    };
    let given = folded(unit);
    // A short one has too many neighbours for its nearest to mean anything.
    let limit = EDITS.min(u8::try_from(given.len() / 3).unwrap_or(EDITS));
    units::names()
        .filter_map(|name| Some((osa_distance(&given, &folded(name), limit)?, name)))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, name)| name)
}
