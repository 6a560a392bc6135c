//! Which words of a sentence stand in the evidence one after the other as they do here.

use super::fit::Fit;

/// Places of a word that are looked at in a passage; the first ones.
const PLACES: usize = 64;

/// By word: how many words, itself among them, stand in the evidence one after the other as here;
/// 0 for a word that the evidence lacks.
pub(super) fn runs(fit: &Fit<'_>) -> Vec<u32> {
    let mut longest = vec![0; fit.words.len()];
    // Where runs end in the passage, and how long they are.
    let mut before: Vec<(u32, u32)> = Vec::new();
    let mut now = Vec::new();
    for passage in 0..fit.passages.len() {
        before.clear();
        for at in 0..fit.words.len() {
            now.clear();
            let (mut ended, mut best) = (before.as_slice(), 0);
            for place in fit.places_of(at, passage).iter().take(PLACES) {
                let mut length = 1;
                while let [(end, run), rest @ ..] = ended
                    && end < place
                {
                    if end + 1 == *place {
                        length += run;
                    }
                    ended = rest;
                }
                best = best.max(length);
                now.push((*place, length));
            }
            for own in &mut longest[(at + 1).saturating_sub(best as usize)..=at] {
                *own = best.max(*own);
            }
            std::mem::swap(&mut before, &mut now);
        }
    }
    longest
}
