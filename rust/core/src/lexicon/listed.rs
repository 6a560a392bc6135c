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

    #[inline]
    pub(crate) fn may_have(&self, word: &str) -> bool {
        self.may_begin(word.as_bytes().first().copied().unwrap_or(0), word.len())
    }
}

/// Words that a table lists.
#[derive(Debug, Default)]
pub(super) struct WordSet {
    words: FxHashSet<&'static str>,
    lengths: Lengths,
}

impl WordSet {
    #[inline]
    pub(super) fn contains(&self, word: &str) -> bool {
        self.lengths.may_have(word) && self.words.contains(word)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.words.iter().copied()
    }
}

impl Extend<&'static str> for WordSet {
    fn extend<T: IntoIterator<Item = &'static str>>(&mut self, words: T) {
        for word in words {
            self.lengths.add(word);
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
