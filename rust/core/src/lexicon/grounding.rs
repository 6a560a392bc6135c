//! Phrases by which an answer speaks of its sources and of itself, and how common words are.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// Classes of phrases, as bit flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Phrase(pub u16);

impl Phrase {
    /// Names the sources ("the provided passages").
    pub const SOURCE: Self = Self(1);
    /// Says that something is missing from them ("does not mention").
    pub const ABSENT: Self = Self(1 << 1);
    /// Takes leave ("I hope this helps").
    pub const CLOSING: Self = Self(1 << 2);
    /// Sums up ("overall").
    pub const SUMMARY: Self = Self(1 << 3);
    /// Advises ("it is important").
    pub const ADVICE: Self = Self(1 << 4);
    /// Opens examples ("such as").
    pub const EXAMPLE: Self = Self(1 << 5);
    /// Announces a list ("here are").
    pub const INTRO: Self = Self(1 << 6);
    /// Softens ("typically").
    pub const HEDGE: Self = Self(1 << 7);

    const NAMES: [(&'static str, Self); 8] = [
        ("source", Self::SOURCE),
        ("absent", Self::ABSENT),
        ("closing", Self::CLOSING),
        ("summary", Self::SUMMARY),
        ("advice", Self::ADVICE),
        ("example", Self::EXAMPLE),
        ("intro", Self::INTRO),
        ("hedge", Self::HEDGE),
    ];

    /// Whether any class of `other` is among them.
    #[must_use]
    pub const fn is(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Words of the longest phrase.
pub const LONGEST: usize = 4;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// FNV-1a of a folded word.
#[must_use]
pub fn phrase_word(word: &str) -> u64 {
    word.bytes()
        .fold(OFFSET, |h, b| (h ^ u64::from(b)).wrapping_mul(PRIME))
}

fn joined(words: &[u64]) -> u64 {
    words.iter().fold(OFFSET, |h, word| {
        (h.rotate_left(23) ^ word).wrapping_mul(PRIME)
    })
}

const TABLE: &str = table!("grounding.tsv");
const COMMON: &str = table!("common.tsv");

#[derive(Debug, Default)]
struct Tables {
    phrases: FxHashMap<u64, Phrase>,
    /// Last words of phrases, so that most words ask once.
    last: FxHashMap<u64, u8>,
}

/// What a common or generic word weighs where the evidence lacks it, of what a rare one does.
const GENERIC: f64 = 0.35;

fn read(table: &str) -> Tables {
    let mut tables = Tables::default();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let Some((class, phrases)) = line.split_once('\t') else {
            continue;
        };
        let Some((_, flag)) = Phrase::NAMES.iter().find(|(name, _)| *name == class) else {
            continue;
        };
        for phrase in phrases.split(';') {
            let words: Vec<u64> = phrase.split(' ').map(phrase_word).collect();
            if let Some(last) = words.last() {
                let longest = tables.last.entry(*last).or_default();
                *longest = (*longest).max(words.len() as u8);
                let own = tables.phrases.entry(joined(&words)).or_default();
                *own = own.or(*flag);
            }
        }
    }
    tables
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| read(TABLE))
}

/// Classes of the phrases that end with the last of `words`, hashes by [`phrase_word`] of folded
/// words in their order. At most [`LONGEST`] of them are read.
#[must_use]
pub fn phrase_ending(words: &[u64]) -> Phrase {
    let tables = tables();
    let mut found = Phrase::default();
    let Some(longest) = words.last().and_then(|last| tables.last.get(last)) else {
        return found;
    };
    for n in 1..=words.len().min(usize::from(*longest)) {
        if let Some(own) = tables.phrases.get(&joined(&words[words.len() - n..])) {
            found = found.or(*own);
        }
    }
    found
}

/// Words that are no surprise, with what they weigh where the evidence lacks them, 0..=1: first
/// those that stand in many texts, then those that answers add to anything. The lowest of a
/// word counts.
pub fn common_words() -> impl Iterator<Item = (&'static str, f64)> {
    let common = COMMON.lines().filter_map(|line| line.split_once('\t'));
    let common = common.filter_map(|(weight, words)| Some((weight.parse().ok()?, words)));
    let generic = TABLE
        .lines()
        .filter_map(|line| line.strip_prefix("generic\t"));
    common
        .flat_map(|(weight, words): (f64, _)| words.split(' ').map(move |word| (word, weight)))
        .chain(generic.flat_map(|words| words.split(';').map(|word| (word, GENERIC))))
}
