//! What a stream holds between two characters.

use std::collections::VecDeque;

use aho_corasick::automaton::StateID;

use crate::types::Span;

use super::attempts::Active;
use super::chars::Kind;

/// Text of the stream with the offset of its first byte: as much of its end as rules look back at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Behind<'a> {
    pub(crate) text: &'a str,
    pub(crate) start: usize,
}

impl<'a> Behind<'a> {
    /// The text at `span`.
    pub(crate) fn at(self, span: Span) -> &'a str {
        &self.text[span.start - self.start..span.end - self.start]
    }
}

/// The last bytes read, where nobody else keeps them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tail {
    pub(crate) text: String,
    pub(crate) start: usize,
}

const BITS: u32 = 21;
const MASK: u128 = (1 << BITS) - 1;

/// A stream's place in a [`super::Ruleset`]; only to be used with the set it was started by.
#[derive(Debug)]
pub struct PatternState {
    /// Bytes read.
    pub(crate) pos: usize,
    /// Kind of the last character.
    pub(crate) last: Kind,
    /// The last six characters, 21 bits each; all ones where there is none.
    ring: u128,
    /// For the last 64 characters, whether they are word characters; the last is bit 0.
    pub(crate) words: u64,
    pub(crate) exact: StateID,
    pub(crate) fold: StateID,
    /// Characters whose fold has another length: (end, length − folded length).
    pub(crate) uneven: VecDeque<(usize, isize)>,
    /// Whole-word literals that wait for the next character: (literal, start).
    pub(crate) pending: Vec<(u32, usize)>,
    /// Ends of literals that can overlap themselves: (literal, end).
    pub(crate) recent: Vec<(u32, usize)>,
    /// Rules under way, by scanner.
    pub(crate) active: Vec<Active>,
    /// The last bytes, for rules that verify what they matched.
    pub(crate) tail: Option<Box<Tail>>,
}

impl Clone for PatternState {
    /// The copy has no idle rules: most copies are checkpoints that never go on.
    fn clone(&self) -> Self {
        Self {
            uneven: self.uneven.clone(),
            pending: self.pending.clone(),
            recent: self.recent.clone(),
            active: self
                .active
                .iter()
                .filter(|active| !active.is_idle(self.pos))
                .cloned()
                .collect(),
            tail: self.tail.clone(),
            ..*self
        }
    }
}

impl PatternState {
    pub(crate) fn new(exact: StateID, fold: StateID) -> Self {
        Self {
            pos: 0,
            last: Kind::Edge,
            ring: u128::MAX,
            words: 0,
            exact,
            fold,
            uneven: VecDeque::new(),
            pending: Vec::new(),
            recent: Vec::new(),
            active: Vec::new(),
            tail: None,
        }
    }

    /// Bytes of text read so far.
    #[must_use]
    pub fn position(&self) -> usize {
        self.pos
    }

    /// Bytes this state takes up, its heap included.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of::<Self>()
            + self.uneven.capacity() * size_of::<(usize, isize)>()
            + (self.pending.capacity() + self.recent.capacity()) * size_of::<(u32, usize)>()
            + self.active.capacity() * size_of::<Active>()
            + self.active.iter().map(Active::heap_bytes).sum::<usize>()
            + self
                .tail
                .as_ref()
                .map_or(0, |tail| size_of::<Tail>() + tail.text.capacity())
    }

    #[inline]
    pub(crate) fn read(&mut self, c: char, kind: Kind, after: usize) {
        self.ring = self.ring << BITS | u128::from(c as u32);
        self.words = self.words << 1 | u64::from(kind.is_word());
        self.pos = after;
        self.last = kind;
    }

    /// Notes ASCII characters that were read without looking at each.
    pub(crate) fn read_run(&mut self, run: &[u8]) {
        for &byte in run {
            let kind = Kind::of(char::from(byte));
            self.words = self.words << 1 | u64::from(kind.is_word());
            self.last = kind;
        }
        for &byte in &run[run.len().saturating_sub(6)..] {
            self.ring = self.ring << BITS | u128::from(byte);
        }
        self.pos += run.len();
    }

    /// The character `back` places before the last.
    pub(crate) fn char_back(&self, back: usize) -> Option<char> {
        char::from_u32((self.ring >> (BITS as usize * back) & MASK) as u32)
    }
}
