//! The flat table: one arena of bytes, one small entry an id.

use std::collections::HashMap;

use super::MAX_TOKEN_ID;
use crate::error::{Error, Result};
use crate::types::TokenId;

/// Short tokens are copied as one block of this many bytes; the arena ends with as many zeros.
pub(super) const BLOCK: usize = 16;

const HOLE: u32 = 1 << 31;
const SPECIAL: u32 = 1 << 30;
const TAIL: u32 = 1 << 29;
const LEN: u32 = TAIL - 1;

/// Where a token's bytes lie in the arena, and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) start: u32,
    pub(super) meta: u32,
}

impl Entry {
    pub(super) const ABSENT: Self = Self {
        start: 0,
        meta: HOLE,
    };

    #[inline]
    pub(super) const fn len(self) -> usize {
        (self.meta & LEN) as usize
    }

    /// Whether the token gives its bytes and nothing else is to be done.
    #[inline]
    pub(super) const fn is_plain(self) -> bool {
        self.meta <= LEN
    }

    pub(super) const fn is_hole(self) -> bool {
        self.meta & HOLE != 0
    }

    pub(super) const fn is_special(self) -> bool {
        self.meta & SPECIAL != 0
    }
}

/// Bytes that depend on whether another token follows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Tail {
    pub(super) followed: Vec<u8>,
    pub(super) last: Vec<u8>,
}

/// Entries for one role (first token of a sequence, or a later one).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Table {
    pub(super) entries: Vec<Entry>,
    /// For each id 1 + the index of its tail, 0 where it has none; empty if no token has one.
    pub(super) tail_of: Vec<u32>,
}

impl Table {
    pub(super) fn with_len(len: usize, tails: bool) -> Self {
        let tail_of = if tails { vec![0; len] } else { Vec::new() };
        Self {
            entries: vec![Entry::ABSENT; len],
            tail_of,
        }
    }
}

/// Collects bytes into one arena.
#[derive(Debug, Default)]
pub(super) struct Arena {
    bytes: Vec<u8>,
    tails: Vec<Tail>,
    known: HashMap<Tail, u32>,
}

impl Arena {
    /// Stores a special token's content; it is never given out as text.
    pub(super) fn special(&mut self, content: &[u8]) -> Result<Entry> {
        let entry = self.store(content)?;
        Ok(Entry {
            meta: entry.meta | SPECIAL,
            ..entry
        })
    }

    /// Stores bytes that do not depend on what follows.
    pub(super) fn store(&mut self, bytes: &[u8]) -> Result<Entry> {
        let start = u32::try_from(self.bytes.len()).ok();
        let len = u32::try_from(bytes.len()).ok().filter(|&len| len <= LEN);
        let (Some(start), Some(meta)) = (start, len) else {
            return Err(Error::argument(
                "the vocabulary is too large: a token may have 512 MiB, all together 4 GiB",
            ));
        };
        self.bytes.extend_from_slice(bytes);
        Ok(Entry { start, meta })
    }

    /// Stores the two readings of a token: what they share, and a tail (0: none).
    pub(super) fn fork(&mut self, followed: &[u8], last: &[u8]) -> Result<(Entry, u32)> {
        let shared = followed
            .iter()
            .zip(last)
            .take_while(|(a, b)| a == b)
            .count();
        let entry = self.store(&followed[..shared])?;
        if shared == followed.len() && shared == last.len() {
            return Ok((entry, 0));
        }
        let tail = Tail {
            followed: followed[shared..].to_vec(),
            last: last[shared..].to_vec(),
        };
        let next = self.tails.len() as u32 + 1;
        let number = *self.known.entry(tail.clone()).or_insert(next);
        if number == next {
            self.tails.push(tail);
        }
        Ok((
            Entry {
                meta: entry.meta | TAIL,
                ..entry
            },
            number,
        ))
    }

    pub(super) fn finish(mut self) -> (Box<[u8]>, Vec<Tail>) {
        self.bytes.extend_from_slice(&[0; BLOCK]);
        (self.bytes.into_boxed_slice(), self.tails)
    }
}

/// Refuses an id that would make the table itself the problem.
pub(super) fn check_id(id: TokenId) -> Result<usize> {
    if id > MAX_TOKEN_ID {
        return Err(Error::argument(format!(
            "token id {id} is above the highest supported id {MAX_TOKEN_ID}"
        )));
    }
    Ok(id as usize)
}
