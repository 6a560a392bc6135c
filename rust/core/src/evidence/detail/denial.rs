//! What the evidence denies, and whom it speaks of.

use crate::claims::word_hash;

use super::super::sequence::Class;
use super::fit::{Fit, PLACES};

/// Words before one among which a negation denies it.
const DENIED: usize = 4;
const HE: [&str; 3] = ["he", "him", "his"];
const SHE: [&str; 3] = ["she", "her", "hers"];

impl Fit<'_> {
    /// In how many of its places in the evidence the word is denied, and how many they are.
    fn denials(&self, at: usize) -> (usize, usize) {
        let Some(order) = self.order[at] else {
            return (0, 0);
        };
        let (mut denied, mut all) = (0, 0);
        for (passage, index) in self.passages.iter().enumerate() {
            let sequence = index.sequence();
            for place in self.places(order, passage).iter().take(PLACES) {
                all += 1;
                denied += usize::from(sequence.is_denied(*place, DENIED));
            }
        }
        (denied, all)
    }

    /// Whether the evidence has the word that follows the negation, and nowhere denied.
    pub(super) fn denies_said(&self, at: usize) -> bool {
        let end = self.words.len().min(at + 1 + DENIED);
        let next = (at + 1..end).find(|at| self.word(*at).is_some());
        next.is_some_and(|next| matches!(self.denials(next), (0, 1..)))
    }

    /// Whether the evidence has the word only where it is denied, and the sentence does not deny it.
    pub(super) fn undenied(&self, at: usize) -> bool {
        let before = &self.words[at.saturating_sub(DENIED)..at];
        let (denied, all) = self.denials(at);
        all > 0 && denied == all && before.iter().all(|word| word.class != Class::Negation)
    }

    /// Share of the other gender among the evidence's pronouns of one person; 0 for other pronouns.
    pub(super) fn other_gender(&self, pronoun: u64) -> f64 {
        let count = |words: [&str; 3]| -> usize {
            let hashes = words.map(word_hash);
            let of = |hash| {
                let each = self
                    .passages
                    .iter()
                    .map(move |p| p.sequence().places(hash).len());
                each.sum::<usize>()
            };
            hashes.into_iter().map(of).sum()
        };
        let is = |words: [&str; 3]| words.into_iter().any(|word| word_hash(word) == pronoun);
        let (own, other) = if is(HE) {
            (count(HE), count(SHE))
        } else if is(SHE) {
            (count(SHE), count(HE))
        } else {
            return 0.0;
        };
        // One more of each, so that a single one says little.
        (1.0 + other as f64) / (2.0 + (own + other) as f64)
    }
}
