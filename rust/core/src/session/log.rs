//! The append-only log of what a session found.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::Serialize;

use super::memory::{entry_heap, finding_heap};
use crate::types::{Claim, Finding, Mention, Sentence, Span, Status};

/// One entry of the log.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// Something wrong or risky.
    Finding {
        /// The finding.
        finding: Arc<Finding>,
        /// Its span in code points.
        char_span: Option<Span>,
    },
    /// A closed claim.
    Claim {
        /// The claim.
        claim: Arc<Claim>,
        /// Its span in code points.
        char_span: Span,
        /// How it stands where no finding says otherwise: supported by a source, or excluded.
        standing: Option<Status>,
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
    /// Findings whose entries have left: the report still tells of them.
    kept: Vec<(Arc<Finding>, Option<Span>)>,
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
            + self.kept.capacity() * size_of::<(Arc<Finding>, Option<Span>)>()
            + self
                .kept
                .iter()
                .map(|(f, _)| size_of::<Finding>() + finding_heap(f))
                .sum::<usize>()
    }

    /// Whether a finding is among the entries or those kept apart.
    pub(super) fn holds(&self, finding: &Arc<Finding>) -> bool {
        let mut entries = self.entries.iter().rev();
        entries.any(|entry| {
            matches!(entry, Entry::Finding { finding: own, .. } if Arc::ptr_eq(own, finding))
        }) || self.kept.iter().any(|(own, _)| Arc::ptr_eq(own, finding))
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

    /// Drops the oldest entries beyond `cap`; says whether any left. Of findings that leave, the
    /// `most` of the highest tiers are kept apart, the later ones of equal tiers.
    pub(super) fn shrink(&mut self, cap: usize, most: usize) -> bool {
        let excess = self.entries.len().saturating_sub(cap);
        for entry in self.entries.drain(..excess) {
            if let Entry::Finding { finding, char_span } = entry {
                self.kept.push((finding, char_span));
            }
        }
        self.base += excess as u64;
        // A quarter more than is kept, so that they are seldom sorted.
        if self.kept.len() > most + most / 4 {
            let stays = worst(self.kept.iter().map(|kept| &*kept.0), most);
            let mut stays = stays.into_iter();
            self.kept.retain(|_| stays.next().unwrap_or(true));
        }
        excess > 0
    }

    /// What a report tells of: findings, and the entries behind them. All, or with `most` so many of
    /// the last entries and of the findings before those the worst.
    pub(super) fn told(
        &self,
        most: Option<usize>,
    ) -> (Vec<(&Finding, Option<Span>)>, impl Iterator<Item = &Entry>) {
        let from = most.map_or(0, |most| self.end().saturating_sub(most as u64));
        let before = self.range(self.base, from).filter_map(|entry| match entry {
            Entry::Finding { finding, char_span } => Some((&**finding, *char_span)),
            _ => None,
        });
        let kept = self
            .kept
            .iter()
            .map(|(finding, chars)| (&**finding, *chars));
        let mut early: Vec<(&Finding, Option<Span>)> = kept.chain(before).collect();
        if let Some(most) = most {
            let stays = worst(early.iter().map(|one| one.0), most);
            let mut stays = stays.into_iter();
            early.retain(|_| stays.next().unwrap_or(true));
        }
        (early, self.since(from))
    }

    /// Entries from running number `from` on, as far as they are retained.
    pub(super) fn since(&self, from: u64) -> impl Iterator<Item = &Entry> {
        let skip = usize::try_from(from.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.entries.iter().skip(skip.min(self.entries.len()))
    }

    /// Retained entries behind the last for which `is_last` holds; all where it holds for none.
    pub(super) fn after_last(
        &self,
        is_last: impl Fn(&Entry) -> bool,
    ) -> impl Iterator<Item = &Entry> {
        let start = self
            .entries
            .iter()
            .rposition(is_last)
            .map_or(0, |at| at + 1);
        self.entries.range(start..)
    }

    /// Entries whose running number lies in `from..to`, as far as they are retained.
    pub(super) fn range(&self, from: u64, to: u64) -> impl Iterator<Item = &Entry> {
        let take = usize::try_from(to.saturating_sub(from.max(self.base))).unwrap_or(usize::MAX);
        self.since(from).take(take)
    }
}

/// Which findings are the `most` of the highest tiers, the later ones of equal tiers.
fn worst<'a>(findings: impl Iterator<Item = &'a Finding>, most: usize) -> Vec<bool> {
    let tiers: Vec<_> = findings.map(|finding| finding.tier).collect();
    let mut order: Vec<usize> = (0..tiers.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse((tiers[i], i)));
    let mut stays = vec![false; tiers.len()];
    for &i in order.iter().take(most) {
        stays[i] = true;
    }
    stays
}
