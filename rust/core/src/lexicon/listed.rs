//! Sets of words that are asked for every word of a text, most of which are in none.

use rustc_hash::FxHashSet;

/// The lengths that words have, by their first letter: most words are told by it to be none of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Lengths([u32; 32]);

impl Lengths {
    /// A small letter's place; one for all other beginnings.
    #[inline]
    fn place(first: u8) -> usize {
        usize::from(first.wrapping_sub(b'a').min(31))
    }

    pub(crate) fn add(&mut self, word: &str) {
        let first = word.as_bytes().first().copied().unwrap_or(0);
        self.0[Self::place(first)] |= 1 << word.len().min(31);
    }

    /// Whether a word of that length may begin so.
    #[inline]
    pub(crate) fn may_begin(&self, first: u8, len: usize) -> bool {
        self.0[Self::place(first)] & 1 << len.min(31) != 0
    }
}

/// Bits of a [`Sieve`].
const BITS: usize = 4096;

/// A bit for what words have of letters and length: told from it, most words of a text are in no
/// list, however long that is.
#[derive(Debug)]
pub(super) struct Sieve(Box<[u64; BITS / 64]>);

impl Default for Sieve {
    fn default() -> Self {
        Self(Box::new([0; BITS / 64]))
    }
}

impl Sieve {
    /// The place of a word, by its length and its first, middle and last byte.
    #[inline]
    fn place(word: &str) -> (usize, u64) {
        let bytes = word.as_bytes();
        let at = |i: usize| u32::from(bytes.get(i).copied().unwrap_or(0));
        let len = bytes.len();
        let key = at(0) | at(len / 2) << 8 | at(len.wrapping_sub(1)) << 16 | (len as u32) << 24;
        let place = key.wrapping_mul(0x9e37_79b1) as usize >> 20;
        (place / 64, 1 << (place % 64))
    }

    pub(super) fn add(&mut self, word: &str) {
        let (at, bit) = Self::place(word);
        self.0[at] |= bit;
    }

    #[inline]
    pub(super) fn may_have(&self, word: &str) -> bool {
        let (at, bit) = Self::place(word);
        self.0[at] & bit != 0
    }
}

/// Words that a table lists.
#[derive(Debug, Default)]
pub(super) struct WordSet {
    words: FxHashSet<&'static str>,
    sieve: Sieve,
}

impl WordSet {
    #[inline]
    pub(super) fn contains(&self, word: &str) -> bool {
        self.sieve.may_have(word) && self.words.contains(word)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.words.iter().copied()
    }
}

impl Extend<&'static str> for WordSet {
    fn extend<T: IntoIterator<Item = &'static str>>(&mut self, words: T) {
        for word in words {
            self.sieve.add(word);
            self.words.insert(word);
        }
    }
}

impl FromIterator<&'static str> for WordSet {
    fn from_iter<T: IntoIterator<Item = &'static str>>(words: T) -> Self {
        let mut set = Self::default();
        set.extend(words);
        set
    }
}
