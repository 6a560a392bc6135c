//! Which words of a sentence stand in the evidence one after the other as they do here.

use super::super::passage::PassageIndex;
use super::super::sequence::Said;

/// Places of a word that are looked at in a passage; the first ones.
const PLACES: usize = 64;

/// By word: how many words, itself among them, stand in the evidence one after the other as here;
/// 0 for a word that the evidence lacks.
pub(super) fn runs(passages: &[&PassageIndex], words: &[Said]) -> Vec<u32> {
    let mut longest = vec![0; words.len()];
    // Where runs end in the passage, and how long they are.
    let mut before: Vec<(u32, u32)> = Vec::new();
    let mut now = Vec::new();
    for passage in passages {
        let sequence = passage.sequence();
        before.clear();
        for (at, word) in words.iter().enumerate() {
            now.clear();
            let mut ended = before.iter().peekable();
            for place in sequence.places(word.stem).iter().take(PLACES) {
                while ended.next_if(|(end, _)| end + 1 < *place).is_some() {}
                let run = ended.next_if(|(end, _)| end + 1 == *place);
                now.push((*place, 1 + run.map_or(0, |(_, length)| *length)));
            }
            let best = now.iter().map(|(_, length)| *length).max().unwrap_or(0);
            for own in &mut longest[(at + 1).saturating_sub(best as usize)..=at] {
                *own = best.max(*own);
            }
            std::mem::swap(&mut before, &mut now);
        }
    }
    longest
}
