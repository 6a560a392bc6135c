//! Runs of characters that change nothing but where attempts are, read in one go.

use super::chars::Kind;
use super::machine::State;
use super::ruleset::{Compiled, PIECE};
use super::state::PatternState;

impl Compiled {
    /// Reads the first bytes of `text`, at most a piece, as far as they decide nothing: attempts
    /// may begin in their steady state, one at each byte, stay there, or all end without a match.
    /// Returns how many.
    pub(super) fn glide(&self, state: &mut PatternState, text: &[u8]) -> usize {
        const NOTHING: [u64; 128] = [0; 128];
        const NOWHERE: [[u64; 128]; 2] = [NOTHING; 2];
        if !state.pending.is_empty() {
            return 0;
        }
        let glide = match &self.starts {
            None => None,
            Some(starts) => match starts.glide() {
                None => return 0,
                found => found,
            },
        };
        // Where every attempt of a rule is allowed to be, as far as is known.
        let (mut gliding, mut limit) = (0_u64, usize::MAX);
        for active in &state.active {
            if active.is_empty() {
                if active.waits(state.pos) {
                    return 0;
                }
                continue;
            }
            let cap = self.scanners[active.scanner as usize].cap;
            let found = glide.and_then(|glide| {
                let (bit, at) = glide.of(active.scanner)?;
                Some((bit, active.glides(at, cap, state.pos)?))
            });
            let Some((bit, most)) = found else {
                return 0;
            };
            gliding |= 1 << bit;
            limit = limit.min(most);
        }
        let entered = gliding;
        let (mut ended, mut fresh, mut begun) = (0_u64, 0_u64, [0_u16; 64]);
        let (begins, stays, ends) = glide.map_or((&NOWHERE, &NOTHING, &NOTHING), |g| {
            (&g.begins, &g.stays, &g.ends)
        });
        let (mut exact, mut fold) = (state.exact, state.fold);
        let mut count = 0;
        let mut inside = state.last == Kind::AsciiWord;
        for &byte in text.iter().take(PIECE) {
            let at = usize::from(byte);
            if byte >= 128 || count >= limit {
                break;
            }
            let lost = gliding & !stays[at];
            let begin = begins[usize::from(inside)][at];
            if begin & !stays[at] != 0 || lost & !ends[at] != 0 {
                break;
            }
            let (mut to_exact, mut to_fold) = (exact, fold);
            if let Some(finder) = &self.exact {
                to_exact = finder.next(exact, byte);
                if finder.is_hit(to_exact) {
                    break;
                }
            }
            if let Some(finder) = &self.fold {
                to_fold = finder.next(fold, byte.to_ascii_lowercase());
                if finder.is_hit(to_fold) {
                    break;
                }
            }
            (exact, fold) = (to_exact, to_fold);
            inside = Kind::of(char::from(byte)) == Kind::AsciiWord;
            if begin != gliding {
                let mut new = begin & !gliding;
                (ended, fresh) = (ended | lost & entered, fresh & !lost | new);
                gliding = begin;
                while new != 0
                    && let Some(glide) = glide
                {
                    let bit = new.trailing_zeros() as usize;
                    new &= new - 1;
                    begun[bit] = count as u16;
                    let scanner = glide.steady[bit].0 as usize;
                    limit = limit.min(count + self.scanners[scanner].cap);
                }
            }
            count += 1;
        }
        if count == 0 {
            return 0;
        }
        let from = state.pos;
        (state.exact, state.fold) = (exact, fold);
        state.read_run(&text[..count]);
        let Some(glide) = glide.filter(|_| entered | fresh != 0) else {
            return count;
        };
        for active in state.active.iter_mut().filter(|active| !active.is_empty()) {
            let Some((bit, _)) = glide.of(active.scanner) else {
                continue;
            };
            if ended >> bit & 1 == 1 {
                active.forget();
            } else {
                active.glide(count);
            }
        }
        while fresh != 0 {
            let bit = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            let (scanner, Some(steady)) = glide.steady[bit] else {
                continue;
            };
            let before = usize::from(begun[bit]);
            self.active(state, scanner)
                .enter(State::at(steady), from + before, count - before);
        }
        count
    }
}
