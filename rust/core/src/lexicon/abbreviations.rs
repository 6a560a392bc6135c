//! Abbreviations, and the words that start sentences after them.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// How a full stop after an abbreviation is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Abbreviation {
    /// Before a name ("Dr."): never ends a sentence.
    Title,
    /// Within a sentence ("e.g."): never ends it.
    Inner,
    /// Before a number ("No. 5", "p. 12"): a digit after it goes on.
    Numeric,
    /// In a name that may go on ("Univ. of Leeds", initials) or end the sentence: the next word
    /// decides.
    Doubtful,
    /// May end a sentence, and ends the name that it stands in ("U.S.", "Inc.").
    Closing,
    /// Mostly ends what it stands in ("etc.", "p.m."): a small letter after it goes on.
    Final,
    /// Looks like one (no vowel): only a small letter or digit after it goes on.
    Unknown,
}

static TABLE: LazyLock<FxHashMap<&'static str, Abbreviation>> = LazyLock::new(|| {
    table!("abbreviations.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(words, class)| {
            let class = match class.trim() {
                "title" => Abbreviation::Title,
                "inner" => Abbreviation::Inner,
                "numeric" => Abbreviation::Numeric,
                "doubtful" => Abbreviation::Doubtful,
                "closing" => Abbreviation::Closing,
                "final" => Abbreviation::Final,
                _ => return None,
            };
            Some((words, class))
        })
        .flat_map(|(words, class)| words.split(' ').map(move |word| (word, class)))
        .collect()
});

/// Those of [`TABLE`] that stand inside of names, folded.
static NAMED: LazyLock<FxHashSet<String>> = LazyLock::new(|| {
    TABLE
        .iter()
        .filter(|(_, class)| matches!(class, Abbreviation::Title | Abbreviation::Doubtful))
        .map(|(word, _)| word.to_lowercase())
        .collect()
});

/// Endings of words that are abbreviated by their last part ("Hauptstr").
static ENDINGS: LazyLock<Vec<(&'static str, Abbreviation)>> = LazyLock::new(|| {
    TABLE
        .iter()
        .filter_map(|(word, class)| Some((word.strip_prefix('-')?, *class)))
        .collect()
});

static STARTERS: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    table!("starters.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect()
});

/// Most bytes of a word that an abbreviation ends.
const LONGEST: usize = 16;
/// Most bytes of any other.
const SHORT: usize = 12;

/// Whether the folded word is an abbreviation that stands inside of names ("dept", "rev").
#[must_use]
pub fn within_names(folded: &str) -> bool {
    NAMED.contains(folded)
}

/// The class of `word`, written without its last full stop; `None` for an ordinary word.
#[must_use]
pub fn class(word: &str) -> Option<Abbreviation> {
    if word.len() > LONGEST {
        return None;
    }
    if let Some((ending, class)) = ENDINGS.iter().find(|(ending, _)| word.ends_with(ending)) {
        return (word.len() > ending.len() && word.starts_with(char::is_uppercase))
            .then_some(*class);
    }
    if word.is_empty() || word.len() > SHORT {
        return None;
    }
    if let Some(&class) = TABLE.get(word) {
        return Some(class);
    }
    let upper = word.starts_with(|c: char| c.is_uppercase());
    if upper
        && word.len() >= 3
        && !word.bytes().all(|b| b.is_ascii_uppercase())
        && let Some(&class) = TABLE.get(word.to_ascii_lowercase().as_str())
    {
        return Some(class);
    }
    let mut parts = word.split('.');
    if parts.all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic)) {
        return (upper || word.contains('.')).then_some(Abbreviation::Doubtful);
    }
    // "Elizabeth II. was": an ordinal as some languages write it.
    if (2..=5).contains(&word.len()) && word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X')) {
        return Some(Abbreviation::Final);
    }
    let short = word.len() <= 4 && word.bytes().all(|b| b.is_ascii_lowercase());
    let vowel = word
        .bytes()
        .any(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'));
    (short && !vowel).then_some(Abbreviation::Unknown)
}

/// Whether `word`, as written, commonly starts a sentence.
#[must_use]
pub fn is_starter(word: &str) -> bool {
    STARTERS.contains(word)
}
