//! Phrases that tell how often something is: "weekly", "twice a year", "every three weeks".

use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use crate::lexicon::tables::otherwise;
use crate::lexicon::units::{Role, number_word};

use crate::detect::words_at::Parts;

/// Most words of a phrase.
pub(super) const PHRASE: usize = 4;
/// Words that phrases begin with which are put together freely ([`spelled`]).
const SPELLED: [&str; 5] = ["every", "each", "once", "twice", "thrice"];
/// Seconds of a month and a year, where they are held against days and weeks.
const MONTH: f64 = 30.44 * 86_400.0;

/// The phrases of a text that tell how often something is, in its order: which words, and the
/// seconds between, none where two readings differ.
pub(super) fn recurrences<'a>(
    words: &'a [(usize, usize, String)],
    text: &'a str,
) -> impl Iterator<Item = (Range<usize>, Option<f64>)> + 'a {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < words.len() {
            let first = at;
            if let Some((length, every)) = recurrence(words, first, text) {
                at += length;
                return Some((first..at, every));
            }
            at += 1;
        }
        None
    })
}

/// The words from here on that say how often something is: how many, and the seconds between, none
/// where two readings differ.
fn recurrence(
    words: &[(usize, usize, String)],
    at: usize,
    text: &str,
) -> Option<(usize, Option<f64>)> {
    let (_, _, first) = words.get(at)?;
    let counts = |(_, _, next): &(usize, usize, String)| matches!(next.as_str(), "times" | "x");
    // Most words begin no such phrase.
    if !begins(first) && !words.get(at + 1).is_some_and(counts) {
        return None;
    }
    for length in (1..=PHRASE).rev() {
        let Some(own) = words.get(at..at + length) else {
            continue;
        };
        let phrase: Vec<&str> = own.iter().map(|(_, _, word)| word.as_str()).collect();
        // Marks between the words part them.
        let joined = own.windows(2).all(|pair| {
            let gap = &text[pair[0].1..pair[1].0];
            matches!(gap, " " | "-" | "\u{a0}")
        });
        if !joined {
            continue;
        }
        let phrase = phrase.join(" ");
        if otherwise().has("recurs_doubtful", &phrase) {
            return Some((length, None));
        }
        if let Some(name) = otherwise().of("period_", &phrase) {
            let (name, count) = name.split_once('_')?;
            let every = count.parse::<f64>().ok()? * seconds(name)?;
            return Some((length, Some(every)));
        }
        if let Some(every) = spelled(own) {
            return Some((length, Some(every)));
        }
    }
    None
}

/// Whether a phrase that says how often something is may begin with the word, but for "four times".
fn begins(word: &str) -> bool {
    static FIRST: OnceLock<FxHashSet<&str>> = OnceLock::new();
    let first = FIRST.get_or_init(|| {
        let periods = otherwise().under("period_").flat_map(|(_, listed)| listed);
        let listed = otherwise().listed("recurs_doubtful").iter().chain(periods);
        let listed = listed.filter_map(|phrase| phrase.split(' ').next());
        listed.chain(SPELLED).collect()
    });
    let end = word.bytes().position(|b| b == b' ').unwrap_or(word.len());
    first.contains(&word[..end])
}

/// What the words begin with by which a text may say how often something is: that is read of it word by
/// word.
pub(super) fn recurring() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    PARTS.get_or_init(|| {
        let periods = otherwise().under("period_").flat_map(|(_, listed)| listed);
        let listed = otherwise().listed("recurs_doubtful").iter().chain(periods);
        Parts::of(listed.copied().chain(SPELLED).chain(["times", "x"]))
    })
}

/// "Four times a year", "twice monthly", "every three weeks", "once per quarter".
fn spelled(words: &[(usize, usize, String)]) -> Option<f64> {
    let word = |i: usize| words.get(i).map_or("", |(_, _, word)| word.as_str());
    if matches!(word(0), "every" | "each") {
        let number = counted(word(1)).filter(|_| words.len() == 3)?;
        return Some(number * seconds(word(2))?);
    }
    let (times, rest) = match word(0) {
        "once" => (1.0, 1),
        "twice" => (2.0, 1),
        "thrice" => (3.0, 1),
        own if matches!(word(1), "times" | "x") => (counted(own)?, 2),
        _ => return None,
    };
    let unit = match (words.len() - rest, word(rest)) {
        (1, "daily") => "day",
        (1, "weekly") => "week",
        (1, "monthly") => "month",
        (1, "quarterly") => "quarter",
        (1, "yearly" | "annually") => "year",
        (2, "a" | "an" | "per" | "each" | "every") => word(rest + 1),
        _ => return None,
    };
    Some(seconds(unit)? / times)
}

/// Seconds of a unit of time, by its name in either number.
fn seconds(name: &str) -> Option<f64> {
    let name = name.strip_suffix('s').unwrap_or(name);
    match name {
        "month" => Some(MONTH),
        "quarter" => Some(3.0 * MONTH),
        "year" => Some(12.0 * MONTH),
        "day" => Some(86_400.0),
        "week" => Some(7.0 * 86_400.0),
        "fortnight" => Some(14.0 * 86_400.0),
        "hour" => Some(3_600.0),
        "minute" => Some(60.0),
        "decade" => Some(120.0 * MONTH),
        _ => None,
    }
}

/// A whole number in digits or one word.
pub(super) fn counted(word: &str) -> Option<f64> {
    if let Ok(number) = word.parse::<u16>() {
        return Some(f64::from(number)).filter(|number| *number > 0.0);
    }
    let known = number_word(word);
    matches!(known.role, Role::Ones | Role::Ten | Role::Hundred).then_some(known.value)
}
