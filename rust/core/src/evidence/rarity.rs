//! How much a word says where the evidence lacks it.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::claims::word_hash;
use crate::lexicon::grounding::common_words;
use crate::normal::stem;

/// What a word of that stem weighs where the evidence lacks it, 0..=1: 1 for a rare word, less
/// for one that stands in many texts or in answers to anything.
#[must_use]
pub fn rarity(hash: u64) -> f64 {
    static WEIGHTS: OnceLock<FxHashMap<u64, f64>> = OnceLock::new();
    let weights = WEIGHTS.get_or_init(|| {
        let mut weights = FxHashMap::default();
        for (word, weight) in common_words() {
            let own = weights.entry(word_hash(&stem(word))).or_insert(1.0_f64);
            *own = own.min(weight);
        }
        weights
    });
    weights.get(&hash).copied().unwrap_or(1.0)
}
