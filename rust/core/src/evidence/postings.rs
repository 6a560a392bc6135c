//! Lists of numbers under hashes.

use rustc_hash::FxHashMap;

/// Lists of numbers under hashes, in one array.
#[derive(Debug, Default)]
pub(super) struct Postings {
    pub(super) ranges: FxHashMap<u64, (u32, u32)>,
    values: Vec<u32>,
}

impl Postings {
    pub(super) fn build(mut pairs: Vec<(u64, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut postings = Self::default();
        for (hash, value) in pairs {
            let at = postings.values.len() as u32;
            let range = postings.ranges.entry(hash).or_insert((at, at));
            range.1 = at + 1;
            postings.values.push(value);
        }
        postings
    }

    pub(super) fn get(&self, hash: u64) -> &[u32] {
        self.ranges
            .get(&hash)
            .map_or(&[], |(a, b)| &self.values[*a as usize..*b as usize])
    }
}
