//! Lists of numbers under hashes.

/// Lists of numbers under hashes, in one array.
#[derive(Debug, Default)]
pub(super) struct Postings {
    /// A table of hashes and where their numbers are, open addressing; no numbers where it is free.
    slots: Vec<(u64, u32, u32)>,
    values: Vec<u32>,
}

impl Postings {
    pub(super) fn build(mut pairs: Vec<(u64, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut lists: Vec<(u64, u32, u32)> = Vec::new();
        for (at, (hash, _)) in (0..).zip(&pairs) {
            match lists.last_mut() {
                Some(last) if last.0 == *hash => last.2 = at + 1,
                _ => lists.push((*hash, at, at + 1)),
            }
        }
        let mut postings = Self {
            slots: Vec::new(),
            values: pairs.into_iter().map(|(_, value)| value).collect(),
        };
        if lists.is_empty() {
            return postings;
        }
        postings.slots = vec![(0, 0, 0); (2 * lists.len()).next_power_of_two()];
        for list in lists {
            let at = postings.slot(list.0);
            postings.slots[at] = list;
        }
        postings
    }

    /// Where a hash stands, or would.
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        let last = self.slots.len() - 1;
        let mixed = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = (mixed >> 32) as usize & last;
        while self.slots[at].2 != 0 && self.slots[at].0 != hash {
            at = (at + 1) & last;
        }
        at
    }

    #[inline]
    pub(super) fn get(&self, hash: u64) -> &[u32] {
        if self.slots.is_empty() {
            return &[];
        }
        let (_, from, to) = self.slots[self.slot(hash)];
        &self.values[from as usize..to as usize]
    }

    /// All hashes.
    pub(super) fn hashes(&self) -> impl Iterator<Item = u64> + '_ {
        let lists = self.slots.iter().filter(|(_, _, to)| *to != 0);
        lists.map(|(hash, ..)| *hash)
    }
}
