//! Where attempts begin: at a character, or behind a beginning that was found.

use super::RuleMatch;
use super::attempts::Active;
use super::beginnings::SHORT_LEAD;
use super::chars::Kind;
use super::machine::State;
use super::ruleset::Compiled;
use super::state::{Behind, PatternState};
use crate::types::Span;

/// Rules under way that a stream makes room for at once.
const ROOM: usize = 2;

impl Compiled {
    /// Begins an attempt whose first characters have just been read.
    pub(super) fn begin(
        &self,
        state: &mut PatternState,
        index: u32,
        behind: Behind<'_>,
        out: &mut Vec<RuleMatch>,
    ) {
        let scanner = &self.scanners[index as usize];
        if scanner.lead > SHORT_LEAD {
            return self.begin_behind(state, index, behind, out);
        }
        let machine = &scanner.machine;
        let prev = state.char_back(scanner.lead).map_or(Kind::Edge, Kind::of);
        let mut place = (machine.start(prev), false, true);
        let mut start = state.pos;
        for back in (0..scanner.lead).rev() {
            let Some(c) = state.char_back(back) else {
                return;
            };
            start -= c.len_utf8();
            let symbol = machine.symbol(c, Kind::of(c));
            let (_, accepts, live) = machine.advance(&mut place.0, symbol);
            if !accepts && !live {
                return;
            }
            (place.1, place.2) = (accepts, live);
        }
        self.start(state, index, start, place, out);
    }

    /// As `begin`, where more characters have been read than the stream's ring holds.
    #[cold]
    fn begin_behind(
        &self,
        state: &mut PatternState,
        index: u32,
        behind: Behind<'_>,
        out: &mut Vec<RuleMatch>,
    ) {
        let scanner = &self.scanners[index as usize];
        let machine = &scanner.machine;
        let text = behind.at(Span::new(behind.start, state.pos));
        let mut back = text.char_indices().rev();
        let Some((from, _)) = back.nth(scanner.lead - 1) else {
            return;
        };
        let prev = back.next().map_or(Kind::Edge, |(_, c)| Kind::of(c));
        let mut place = (machine.start(prev), false, true);
        for c in text[from..].chars() {
            let symbol = machine.symbol(c, Kind::of(c));
            let (_, accepts, live) = machine.advance(&mut place.0, symbol);
            if !accepts && !live {
                return;
            }
            (place.1, place.2) = (accepts, live);
        }
        let start = behind.start + from;
        self.start(state, index, start, place, out);
    }

    /// Begins an attempt with the character just read, `c` of `kind` after one of kind `prev`.
    #[inline]
    pub(super) fn begin_here(
        &self,
        state: &mut PatternState,
        index: u32,
        (prev, c, kind): (Kind, char, Kind),
        out: &mut Vec<RuleMatch>,
    ) {
        let machine = &self.scanners[index as usize].machine;
        let mut place = machine.start(prev);
        let symbol = machine.symbol(c, kind);
        let (_, accepts, live) = machine.advance(&mut place, symbol);
        if accepts || live {
            let start = state.pos - c.len_utf8();
            self.start(state, index, start, (place, accepts, live), out);
        }
    }

    /// Follows an attempt of scanner `index` that began at `start` and got to `place`.
    fn start(
        &self,
        state: &mut PatternState,
        index: u32,
        start: usize,
        place: (State, bool, bool),
        out: &mut Vec<RuleMatch>,
    ) {
        let pos = state.pos;
        self.active(state, index).begin(start, place, pos, out);
    }

    /// The attempts of scanner `index`.
    pub(super) fn active<'a>(&self, state: &'a mut PatternState, index: u32) -> &'a mut Active {
        let at = state
            .active
            .partition_point(|active| active.scanner < index);
        if state
            .active
            .get(at)
            .is_none_or(|active| active.scanner != index)
        {
            let scanner = &self.scanners[index as usize];
            if state.active.len() == state.active.capacity() {
                state.active.reserve_exact(ROOM);
            }
            let active = Active::new(scanner.rule, index, 4 * scanner.lead);
            state.active.insert(at, active);
        }
        &mut state.active[at]
    }
}
