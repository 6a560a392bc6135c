//! The append-only log of what a session found.

use std::collections::VecDeque;

use serde::Serialize;

use super::memory::entry_heap;
use crate::types::{Claim, Finding, Mention, Sentence, Span, Status};

/// One entry of the log.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// Something wrong or risky.
    Finding {
        /// The finding.
        finding: Box<Finding>,
        /// Its span in code points.
        char_span: Option<Span>,
    },
    /// A closed claim.
    Claim {
        /// The claim.
        claim: Box<Claim>,
        /// Its span in code points.
        char_span: Span,
    },
    /// A closed sentence.
    Sentence {
        /// The sentence.
        sentence: Sentence,
    },
    /// A resolved mention.
    Mention {
        /// The mention.
        mention: Mention,
    },
    /// A claim's status was revised by a verifier; names the claim.
    Revision {
        /// The claim.
        claim_id: String,
        /// Its new status.
        status: Status,
        /// Why.
        reason: String,
    },
}

/// Entries with running numbers; the oldest leave first past the cap.
#[derive(Debug, Clone, Default)]
pub(super) struct Log {
    entries: VecDeque<Entry>,
    base: u64,
    /// What all entries so far count against the retention cap.
    weight: usize,
}

/// Bytes a finding counts against the retention cap, and any other entry.
const FINDING_WEIGHT: usize = 512;
const ENTRY_WEIGHT: usize = 32;

impl Log {
    pub(super) fn end(&self) -> u64 {
        self.base + self.entries.len() as u64
    }

    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.entries.iter().map(entry_heap).sum::<usize>()
    }

    pub(super) fn weight(&self) -> usize {
        self.weight
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.weight += if matches!(entry, Entry::Finding { .. }) {
            FINDING_WEIGHT
        } else {
            ENTRY_WEIGHT
        };
        self.entries.push_back(entry);
    }

    /// Cuts the log back to `end`, where it had `weight`.
    pub(super) fn truncate(&mut self, end: u64, weight: usize) {
        self.weight = weight;
        let keep = end.saturating_sub(self.base);
        self.entries
            .truncate(usize::try_from(keep).unwrap_or(usize::MAX));
    }

    /// Drops the oldest entries beyond `cap`; says whether any left.
    pub(super) fn shrink(&mut self, cap: usize) -> bool {
        let excess = self.entries.len().saturating_sub(cap);
        self.entries.drain(..excess);
        self.base += excess as u64;
        excess > 0
    }

    /// Entries from running number `from` on, as far as they are retained.
    pub(super) fn since(&self, from: u64) -> impl Iterator<Item = &Entry> {
        let skip = usize::try_from(from.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.entries.iter().skip(skip.min(self.entries.len()))
    }

    /// Entries whose running number lies in `from..to`, as far as they are retained.
    pub(super) fn range(&self, from: u64, to: u64) -> impl Iterator<Item = &Entry> {
        let take = usize::try_from(to.saturating_sub(from.max(self.base))).unwrap_or(usize::MAX);
        self.since(from).take(take)
    }
}
