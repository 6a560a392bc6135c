//! Neighbouring content words, and whether the evidence has both in a sentence.

use super::super::set::EvidenceSet;

/// The last content word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Previous {
    pub(super) stem: u64,
    pub(super) known: bool,
    pub(super) frequent: bool,
}

/// Whether a sentence of the evidence has both words; `held` are those that have the second.
pub(super) fn together(
    evidence: &EvidenceSet,
    a: &Previous,
    b: &Previous,
    held: &[&[u32]],
) -> bool {
    a.known
        && b.known
        && (a.frequent
            || b.frequent
            || evidence.passages().iter().zip(held).any(|(p, with)| {
                !with.is_empty() && intersect(p.data().sentences_with(a.stem), with)
            }))
}

/// Whether two ascending lists share a number.
fn intersect(a: &[u32], b: &[u32]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}
