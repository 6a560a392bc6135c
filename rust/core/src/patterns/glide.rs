//! Runs of characters that change nothing but where attempts began, read in one go.

use super::ruleset::Compiled;
use super::state::PatternState;

impl Compiled {
    /// Reads the first bytes of `text` as far as they decide, begin and end nothing, but for
    /// attempts that begin at each of them and go on alike; returns how many.
    pub(super) fn glide(&self, state: &mut PatternState, text: &[u8]) -> usize {
        const NOTHING: [u64; 128] = [0; 128];
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
        let (mut gliding, mut room) = (0_u64, text.len());
        for active in &state.active {
            if active.is_empty() {
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
            room = room.min(most);
        }
        let (begins, stays) = glide.map_or((&NOTHING, &NOTHING), |g| (&g.begins, &g.stays));
        let (mut exact, mut fold) = (state.exact, state.fold);
        let mut count = 0;
        for &byte in &text[..room] {
            let at = usize::from(byte);
            if byte >= 128 || begins[at] != gliding || stays[at] & gliding != gliding {
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
            count += 1;
        }
        if count > 0 {
            (state.exact, state.fold) = (exact, fold);
            state.read_run(&text[..count]);
            if gliding != 0 {
                for active in &mut state.active {
                    active.glide(count);
                }
            }
        }
        count
    }
}
