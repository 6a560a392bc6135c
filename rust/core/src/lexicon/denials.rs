//! Words that deny what others say ("lacks", "excluded", "incompatible").

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::antonyms::antonyms;
use super::contrast::contrast;
use super::cues::{Cue, cue};
use super::tables::denials;
use super::words;

/// What a word says or denies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side<'a> {
    /// What is said or denied; the same for both.
    pub of: &'a str,
    /// Whether the word denies it.
    pub denies: bool,
    /// Whether what is not the one is the other.
    pub either: bool,
    /// Whether the tables have it, and for what it denies as well.
    pub listed: bool,
}

/// The side of a folded word; `state` says that it stands behind a form of "be", as an adjective.
#[must_use]
pub fn side(word: &str, state: bool) -> Option<Side<'_>> {
    let listed = denials().classes(word).find_map(|class| {
        let (denies, rest) = match class.split_at_checked(3)? {
            ("yes", rest) => (false, rest),
            _ => (true, class.strip_prefix("no")?),
        };
        let either = rest.starts_with(':');
        let name = rest.strip_prefix([':', '~'])?;
        let of = name.strip_suffix("_shape");
        (state || of.is_none()).then(|| Side {
            of: of.unwrap_or(name),
            denies,
            either,
            listed: true,
        })
    });
    listed.or_else(|| state.then(|| prefixed(word)).flatten())
}

/// "unsafe", "non-refundable", "incompatible": the word without what denies it.
fn prefixed(word: &str) -> Option<Side<'_>> {
    const PREFIXES: [&str; 8] = ["non-", "non", "un", "in", "im", "ir", "il", "dis"];
    let side = |of, denies| Side {
        of,
        denies,
        either: false,
        listed: false,
    };
    if !matches!(word.as_bytes().first(), Some(b'n' | b'u' | b'i' | b'd')) {
        return None;
    }
    for prefix in PREFIXES {
        let Some(rest) = word.strip_prefix(prefix).filter(|rest| rest.len() > 3) else {
            continue;
        };
        let known = prefix.starts_with("non") || prefix == "un";
        if known && words::class(rest).0 != 0 || is_antonym(word, rest) {
            return Some(side(rest, true));
        }
    }
    None
}

/// Whether a folded word may deny something: where it does not, neither [`side`] says so nor is it a
/// negation.
#[must_use]
pub fn denies(word: &str) -> bool {
    let mut classes = denials().classes(word);
    classes.any(|class| class.starts_with("no") || class == "without")
        || word == "no"
        || word.ends_with("n't")
        || cue(word).is(Cue::NEGATION)
        || prefixed(word).is_some()
}

fn pairs() -> &'static FxHashMap<&'static str, Vec<&'static str>> {
    static PAIRS: OnceLock<FxHashMap<&'static str, Vec<&'static str>>> = OnceLock::new();
    PAIRS.get_or_init(|| {
        let mut table: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for (one, two) in antonyms() {
            table.entry(*one).or_default().push(*two);
            table.entry(*two).or_default().push(*one);
        }
        table
    })
}

/// Whether two folded words are opposites of each other.
#[must_use]
pub fn is_antonym(one: &str, other: &str) -> bool {
    let paired = pairs().get(one).is_some_and(|own| own.contains(&other));
    paired || contrast().opposites(one).contains(&other)
}
