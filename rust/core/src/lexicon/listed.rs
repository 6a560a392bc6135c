//! Sets of words that are asked for every word of a text, most of which are in none.

use rustc_hash::FxHashSet;

/// The lengths that words have, by their first letter: most words are told by it to be none of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Lengths([u32; 32]);

impl Lengths {
    /// A small letter's place; one for all other beginnings.
    #[inline]
    fn place(word: &str) -> usize {
        let first = word.as_bytes().first();
        first.map_or(31, |first| usize::from(first.wrapping_sub(b'a').min(31)))
    }

    pub(super) fn add(&mut self, word: &str) {
        self.0[Self::place(word)] |= 1 << word.len().min(31);
    }

    #[inline]
    pub(super) fn may_have(&self, word: &str) -> bool {
        self.0[Self::place(word)] & 1 << word.len().min(31) != 0
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
