//! Which texts may tell a time of day: most do not, and are told by less than reading them for one.

use super::Mode;
use crate::lexicon::units::{Role, number_word};

/// Whether a text has a digit or a word of which every time of day has one; where nothing tells that
/// it speaks of times, a mark or a word that makes a number a time.
pub(super) fn may_tell(text: &str, mode: Mode) -> bool {
    let plain = mode == Mode::Plain;
    let is = |word: &str, listed: &[&str]| listed.iter().any(|own| own.eq_ignore_ascii_case(word));
    let tells = |word: &[u8]| {
        let Ok(word) = std::str::from_utf8(word) else {
            return true;
        };
        let digit = word.bytes().next().is_some_and(|b| b.is_ascii_digit());
        if !plain {
            return digit
                || matches!(number_word(word).role, Role::Ones | Role::Ten)
                || is(word, &["noon", "midday", "midnight"]);
        }
        match word.len() {
            1 => is(word, &["m"]),
            _ if digit => word.contains(['a', 'p', 'A', 'P']),
            2 => is(word, &["am", "pm"]),
            4 => is(word, &["noon", "past"]),
            5 => is(word, &["clock", "night"]),
            6 => is(word, &["midday"]),
            7 => is(word, &["quarter", "morning", "evening"]),
            8 => is(word, &["midnight"]),
            9 => is(word, &["afternoon"]),
            _ => false,
        }
    };
    let bytes = text.as_bytes();
    let minutes = |three: &[u8]| {
        matches!(three[1], b':' | b'.') && three[0].is_ascii_digit() && three[2].is_ascii_digit()
    };
    plain && bytes.windows(3).any(minutes) || bytes.split(|b| !b.is_ascii_alphanumeric()).any(tells)
}
