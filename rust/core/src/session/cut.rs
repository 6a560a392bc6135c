//! Where an answer that was cut off stops being what its writer meant to say.

use crate::lexicon::cues::{self, Cue};
use crate::lexicon::units::{self, Role};

/// Years that an amount is seldom taken for.
const YEARS: std::ops::RangeInclusive<u32> = 1500..=2100;
/// Letters from which on a function word is seldom the beginning of another one.
const WHOLE_WORD: usize = 3;

/// Where in `text` begins what its end leaves open: the last word, where nothing closed it, and
/// what stands before it as far as that word may still change it; the length of `text` if nothing
/// is open.
///
/// A word may still change the amount before it ("$610 mill", "31 Dec", "900 part"), but no year
/// ("founded in 1989 a"), and it may go on with a name ("Amara O").
pub(super) fn open_from(text: &str) -> usize {
    let joins = |c: char| matches!(c, '-' | '–' | '/' | '\'' | '’');
    let last = text.chars().next_back();
    let half = if last.is_some_and(|c| c.is_alphanumeric() || joins(c)) || ends_in_number(text) {
        start_after(text)
    } else {
        text.len()
    };
    let mut from = if text[half..].starts_with(char::is_uppercase) {
        name_before(text, half)
    } else {
        half
    };
    loop {
        let before = text[..from].trim_end_matches(' ');
        let next = &text[from..];
        let start = start_after(before);
        let amount = before.ends_with(|c: char| c.is_ascii_digit());
        if before.len() == from || !amount || settled(before, start, next) {
            break;
        }
        from = start;
    }
    from
}

/// Whether a figure stands at the end that decimals or further digits may follow ("$45.", "1,").
fn ends_in_number(text: &str) -> bool {
    let Some(number) = text.strip_suffix(['.', ',']) else {
        return false;
    };
    let digits = number.chars().rev().take_while(char::is_ascii_digit);
    (1..=3).contains(&digits.count())
}

/// Whether the number at `start`, the last word of `before`, is whole whatever `next` becomes.
fn settled(before: &str, start: usize, next: &str) -> bool {
    let word = next.trim_end_matches(' ');
    let folded = word.to_lowercase();
    let function = cues::cue(&folded);
    if is_year(before, start) {
        return word.is_empty() || function.is(Cue::FUNCTION) || !units::may_measure(word);
    }
    let joint = Cue::CONJUNCTION
        .or(Cue::PREPOSITION)
        .or(Cue::BREAK)
        .or(Cue::AUXILIARY);
    folded.len() >= WHOLE_WORD && function.is(joint) && !units::may_measure(word)
}

/// Whether the number at `start`, the last word of `text`, is a year: four digits behind a word of
/// time or a month.
fn is_year(text: &str, start: usize) -> bool {
    let number = &text[start..];
    let plain = number.len() == 4 && number.bytes().all(|b| b.is_ascii_digit());
    if !plain || !number.parse().is_ok_and(|year| YEARS.contains(&year)) {
        return false;
    }
    let before = text[..start].trim_end_matches(' ');
    if let Some(dated) = before.strip_suffix(',') {
        // "on March 7, 1931": the day stands between.
        let day = start_after(dated);
        let digits = dated[day..].trim_end_matches(char::is_alphabetic);
        let month = dated[..day].trim_end_matches(' ');
        return digits.len() <= 2
            && digits.parse::<u8>().is_ok()
            && is_month(&month[start_after(month)..]);
    }
    let word = &before[start_after(before)..];
    let time = cues::cue(&word.to_lowercase()).is(Cue::PREPOSITION)
        && units::number_word(word).role == Role::Context;
    time || is_month(word)
}

fn is_month(word: &str) -> bool {
    let role = units::number_word(word.trim_end_matches('.')).role;
    matches!(role, Role::Month | Role::MonthDoubtful | Role::MonthShort)
}

/// Where the run of capitalised words begins that the word at `from` may belong to.
fn name_before(text: &str, mut from: usize) -> usize {
    loop {
        let before = text[..from].trim_end_matches(' ');
        let start = start_after(before);
        let name = before[start..].starts_with(char::is_uppercase)
            && before.ends_with(char::is_alphanumeric);
        if before.len() == from || !name {
            return from;
        }
        from = start;
    }
}

/// Where the last word of `text` begins.
fn start_after(text: &str) -> usize {
    text.char_indices()
        .rfind(|(_, c)| c.is_whitespace())
        .map_or(0, |(at, c)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::open_from;

    /// The part of a text that is open at its end.
    fn open(text: &str) -> &str {
        &text[open_from(text)..]
    }

    #[test]
    fn the_last_word_is_open_and_no_year_before_it() {
        for (text, rest) in [
            ("It was founded in 1989 a", "a"),
            ("It was founded in 1989 and", "and"),
            ("It was founded in 1989 by", "by"),
            ("opened on 31 December 1931 w", "w"),
            ("opened on December 31, 1931 w", "w"),
            ("built in 1992 ", ""),
            ("built in 1992.", ""),
            ("led by Karl Otto an", "an"),
            ("It costs 49 euros an", "an"),
            ("It costs $49 with", "with"),
            ("Registrati", "Registrati"),
            ("It is open.", ""),
            ("", ""),
        ] {
            assert_eq!(open(text), rest, "{text}");
        }
    }

    #[test]
    fn what_it_may_still_change_is_open_with_it() {
        for text in [
            "1989",
            "$610 mill",
            "31 Dec",
            "12 000",
            "900 p",
            "900 part",
            "$340 ",
            "900 ",
            "60 per",
            "$45.",
            "1,",
            "24-",
            "24-ho",
            "Amara O",
            "San D",
            "1,200 m",
        ] {
            assert_eq!(open(&format!("it is {text}")), text);
        }
        assert_eq!(open("at a depth in 2000 met"), "2000 met");
        assert_eq!(open("founded in 1989 mill"), "1989 mill");
    }
}
