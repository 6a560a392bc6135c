//! What reads every byte: it finds one-literal rules and where attempts of others begin.

use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::dfa::DFA;
use aho_corasick::nfa::contiguous::NFA;
use aho_corasick::{Anchored, StartKind};
use rustc_hash::FxHashMap;

use super::chars::{KINDS, Kind};
use super::machine::{Machine, State};
use crate::error::{Category, Error, Result};

/// What the end of a text in the automaton means.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Hit {
    /// This literal ends here.
    Literal(u32),
    /// An attempt of this scanner begins here.
    Begin(u32),
}

/// Texts to find, with what each means.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    texts: Vec<String>,
    hits: Vec<Vec<Hit>>,
    known: FxHashMap<String, usize>,
}

impl Texts {
    /// Adds a text.
    pub(crate) fn add(&mut self, text: String, hit: Hit) {
        let fresh = self.texts.len();
        let at = *self.known.entry(text.clone()).or_insert(fresh);
        if at == fresh {
            self.texts.push(text);
            self.hits.push(Vec::new());
        }
        self.hits[at].push(hit);
    }

    /// The automaton for all texts; none if there are none.
    pub(crate) fn build(self) -> Result<Option<Finder>> {
        if self.texts.is_empty() {
            return Ok(None);
        }
        let size: usize = self.texts.iter().map(String::len).sum();
        let engine = if size <= DENSE {
            let dense = DFA::builder()
                .prefilter(false)
                .start_kind(StartKind::Unanchored)
                .build(&self.texts);
            dense.map(Engine::Dense)
        } else {
            let compact = NFA::builder().prefilter(false).build(&self.texts);
            compact.map(Engine::Compact)
        };
        let engine = engine.map_err(|error| {
            Error::new(
                Category::Rule,
                format!("the rules' literals are too large: {error}"),
            )
        })?;
        Ok(Some(Finder {
            engine,
            hits: self.hits,
        }))
    }
}

/// Most bytes of texts whose automaton is a table: some 256 bytes a byte of text.
const DENSE: usize = 4096;

/// The automaton: a table where it is small.
#[derive(Debug)]
enum Engine {
    Dense(DFA),
    Compact(NFA),
}

/// An Aho–Corasick automaton driven byte by byte.
#[derive(Debug)]
pub(crate) struct Finder {
    engine: Engine,
    hits: Vec<Vec<Hit>>,
}

impl Finder {
    /// Where a stream starts.
    pub(crate) fn start(&self) -> StateID {
        let start = match &self.engine {
            Engine::Dense(dfa) => dfa.start_state(Anchored::No),
            Engine::Compact(nfa) => nfa.start_state(Anchored::No),
        };
        start.unwrap_or(StateID::ZERO)
    }

    /// Reads one byte.
    #[inline]
    pub(crate) fn next(&self, state: StateID, byte: u8) -> StateID {
        match &self.engine {
            Engine::Dense(dfa) => dfa.next_state(Anchored::No, state, byte),
            Engine::Compact(nfa) => nfa.next_state(Anchored::No, state, byte),
        }
    }

    /// Whether a text ends in `state`.
    #[inline]
    pub(crate) fn is_hit(&self, state: StateID) -> bool {
        match &self.engine {
            Engine::Dense(dfa) => dfa.is_match(state),
            Engine::Compact(nfa) => nfa.is_match(state),
        }
    }

    /// What ends in `state`.
    pub(crate) fn hits(&self, state: StateID) -> impl Iterator<Item = Hit> {
        let count = match &self.engine {
            Engine::Dense(dfa) => dfa.match_len(state),
            Engine::Compact(nfa) => nfa.match_len(state),
        };
        let pattern = move |i| match &self.engine {
            Engine::Dense(dfa) => dfa.match_pattern(state, i),
            Engine::Compact(nfa) => nfa.match_pattern(state, i),
        };
        (0..count)
            .flat_map(move |i| &self.hits[pattern(i).as_usize()])
            .copied()
    }
}

/// Scanners whose matches can begin with too many texts: found by their first character.
#[derive(Debug)]
pub(crate) struct Starts {
    table: Vec<u16>,
    lists: Vec<Vec<u32>>,
    all: Vec<u32>,
    glide: Option<Glide>,
}

/// Which characters change nothing in the scanners but how many attempts they have; bit `i` is
/// scanner `i` of the table's.
#[derive(Debug)]
pub(crate) struct Glide {
    /// The scanners that may begin at an ASCII character: first behind anything but `[A-Za-z0-9_]`,
    /// then behind one of these.
    pub(crate) begins: [[u64; 128]; 2],
    /// Those whose attempts stay in their steady state at it.
    pub(crate) stays: [u64; 128],
    /// Those whose attempts all end at it without a match, being in their steady state.
    pub(crate) ends: [u64; 128],
    /// Scanner and its steady state, by bit.
    pub(crate) steady: Vec<(u32, Option<u32>)>,
}

impl Glide {
    fn new(scanners: &[(u32, &Machine)], begins: [[u64; 128]; 2]) -> Self {
        let (mut stays, mut ends) = ([0; 128], [0; 128]);
        let steady = scanners
            .iter()
            .enumerate()
            .map(|(bit, &(scanner, machine))| {
                let found = machine.steady();
                if let Some((id, set)) = &found {
                    for (mask, _) in stays.iter_mut().zip(set).filter(|(_, holds)| **holds) {
                        *mask |= 1 << bit;
                    }
                    for (mask, byte) in ends.iter_mut().zip(0_u8..) {
                        let c = char::from(byte);
                        let step = machine.step(&State::at(*id), machine.symbol(c, Kind::of(c)));
                        let ends = !step.before && !step.accept && !step.live;
                        *mask |= u64::from(ends) << bit;
                    }
                }
                (scanner, found.map(|(id, _)| id))
            });
        let steady = steady.collect();
        Self {
            begins,
            stays,
            ends,
            steady,
        }
    }

    /// Bit and steady state of `scanner`.
    #[inline]
    pub(crate) fn of(&self, scanner: u32) -> Option<(usize, u32)> {
        let bit = self.steady.iter().position(|s| s.0 == scanner)?;
        Some((bit, self.steady[bit].1?))
    }
}

impl Starts {
    /// The table for `scanners`, indices with their machines.
    pub(crate) fn new(scanners: &[(u32, &Machine)]) -> Self {
        let mut lists = vec![Vec::new()];
        let mut table = vec![0; KINDS * 128];
        let mut masks = [[0_u64; 128]; 2];
        for kind in Kind::ALL {
            for byte in 0..128_u8 {
                let c = char::from(byte);
                let begins = |machine: &Machine| {
                    let symbol = machine.symbol(c, Kind::of(c));
                    let step = machine.step(&machine.start(kind), symbol);
                    step.accept || step.live
                };
                let list: Vec<u32> = scanners
                    .iter()
                    .filter(|s| begins(s.1))
                    .map(|s| s.0)
                    .collect();
                for (bit, scanner) in scanners.iter().enumerate().take(64) {
                    let mask = &mut masks[usize::from(kind == Kind::AsciiWord)];
                    mask[usize::from(byte)] |= u64::from(list.contains(&scanner.0)) << bit;
                }
                let at = lists
                    .iter()
                    .position(|known| *known == list)
                    .unwrap_or_else(|| {
                        lists.push(list);
                        lists.len() - 1
                    });
                table[kind as usize * 128 + usize::from(byte)] = at as u16;
            }
        }
        Self {
            table,
            lists,
            all: scanners.iter().map(|s| s.0).collect(),
            glide: (scanners.len() <= 64).then(|| Glide::new(scanners, masks)),
        }
    }

    /// Which characters change little; none where the scanners are too many.
    #[inline]
    pub(crate) fn glide(&self) -> Option<&Glide> {
        self.glide.as_ref()
    }

    /// Scanners that may begin with `c` after a character of kind `prev`.
    #[inline]
    pub(crate) fn beginning(&self, prev: Kind, c: char) -> &[u32] {
        if c.is_ascii() {
            &self.lists[usize::from(self.table[prev as usize * 128 + c as usize])]
        } else {
            &self.all
        }
    }
}
