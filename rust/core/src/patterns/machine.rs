//! What one attempt to match a rule from one start runs on: a table, a set of nodes, or a trie.

use rustc_hash::FxHashSet;

use super::chars::{Kind, fold};
use super::dfa::{self, Table};
use super::nfa::Nfa;
use super::trie::Trie;

/// Most nodes times match cap of a rule that runs without a table.
const SET_LIMIT: usize = 1 << 18;

/// Where an attempt is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct State {
    id: u32,
    set: Option<Box<[u32]>>,
}

/// A character, where it leads, and whether a match ends there.
type Way = (char, State, bool);

impl State {
    /// State `id` of a table.
    pub(crate) const fn at(id: u32) -> Self {
        Self { id, set: None }
    }

    /// Whether it is state `id` of a table.
    #[inline]
    pub(crate) fn is_at(&self, id: u32) -> bool {
        self.id == id && self.set.is_none()
    }

    /// Whether a table's `entry` leads back here, without a match and with more to come.
    #[inline]
    pub(crate) fn stays(&self, entry: u32) -> bool {
        entry == self.id | dfa::LIVE
    }

    /// Bytes on the heap.
    pub(crate) fn size(&self) -> usize {
        self.set.as_deref().map_or(0, size_of_val)
    }
}

/// What reading one character did.
#[derive(Debug)]
pub(crate) struct Step {
    /// A match ended before the character.
    pub(crate) before: bool,
    /// A match ends after the character.
    pub(crate) accept: bool,
    /// A longer match may follow.
    pub(crate) live: bool,
    /// Where the attempt is now.
    pub(crate) state: State,
}

/// One character as a machine sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Symbol {
    class: u32,
    kind: Kind,
}

/// The automaton of one rule.
#[derive(Debug)]
pub(crate) enum Machine {
    /// A table over classes of characters.
    Table(Box<Table>),
    /// Sets of nodes, where a table would be too large.
    Sets(Box<Nfa>),
    /// Many literals.
    Trie(Box<Trie>),
}

impl Machine {
    /// The machine for `nfa`; refused if it would be too large for matches of `cap` bytes.
    pub(crate) fn new(nfa: Nfa, cap: usize) -> Result<Self, String> {
        let nfa = match Table::new(nfa) {
            Ok(table) => return Ok(Self::Table(Box::new(table))),
            Err(nfa) => nfa,
        };
        let size = nfa.nodes.len() * cap;
        if size > SET_LIMIT {
            return Err(format!(
                "compiles to {size} states and positions, more than {SET_LIMIT}; use smaller \
                 repeat counts, fewer nested repeats or a smaller max_len"
            ));
        }
        Ok(Self::Sets(nfa))
    }

    /// Where an attempt begins after a character of kind `prev`.
    pub(crate) fn start(&self, prev: Kind) -> State {
        match self {
            Self::Table(table) => State {
                id: table.start(prev),
                set: None,
            },
            Self::Sets(nfa) => Self::of_set(dfa::start(nfa, prev)),
            Self::Trie(trie) => State {
                id: trie.start(prev),
                set: None,
            },
        }
    }

    /// `c` as this machine sees it.
    #[inline]
    pub(crate) fn symbol(&self, c: char, kind: Kind) -> Symbol {
        let class = match self {
            Self::Table(table) => u32::from(table.nfa.alphabet.class(c)),
            Self::Sets(nfa) => u32::from(nfa.alphabet.class(c)),
            Self::Trie(trie) => (if trie.ignore_case { fold(c) } else { c }) as u32,
        };
        Symbol { class, kind }
    }

    /// The end of the text as this machine sees it.
    pub(crate) fn end(&self) -> Symbol {
        let class = match self {
            Self::Table(table) => table.end(),
            Self::Sets(_) | Self::Trie(_) => u32::MAX,
        };
        Symbol {
            class,
            kind: Kind::Edge,
        }
    }

    /// The state of a table that the most ASCII characters lead to from every start and
    /// lead back to, without a match; and those characters.
    pub(crate) fn steady(&self) -> Option<(u32, [bool; 128])> {
        let Self::Table(table) = self else {
            return None;
        };
        let to = |c: u8| {
            let class = u32::from(table.nfa.alphabet.class(char::from(c)));
            let first = table.entry(table.start(Kind::Edge), class);
            let id = first & dfa::STATE;
            let alike = Kind::ALL
                .iter()
                .all(|&kind| table.entry(table.start(kind), class) == first);
            let loops = alike && first == id | dfa::LIVE && table.entry(id, class) == first;
            loops.then_some(id)
        };
        let all: Vec<Option<u32>> = (0..128).map(to).collect();
        let count = |id: u32| all.iter().filter(|&&other| other == Some(id)).count();
        let best = all
            .iter()
            .flatten()
            .copied()
            .max_by_key(|&id| (count(id), id))?;
        Some((best, std::array::from_fn(|c| all[c] == Some(best))))
    }

    /// What a table says of reading `symbol` in `state`; none where there is no table.
    #[inline]
    pub(crate) fn entry(&self, state: &State, symbol: Symbol) -> Option<u32> {
        match self {
            Self::Table(table) => Some(table.entry(state.id, symbol.class)),
            _ => None,
        }
    }

    /// Reads one symbol, moving `state`; says whether a match ended before it, ends after it,
    /// and whether a longer one may follow.
    #[inline]
    pub(crate) fn advance(&self, state: &mut State, symbol: Symbol) -> (bool, bool, bool) {
        if let Self::Table(table) = self {
            let entry = table.entry(state.id, symbol.class);
            state.id = entry & dfa::STATE;
            return (
                entry & dfa::BEFORE != 0,
                entry & dfa::ACCEPT != 0,
                entry & dfa::LIVE != 0,
            );
        }
        let step = self.step(state, symbol);
        *state = step.state;
        (step.before, step.accept, step.live)
    }

    /// Reads one symbol.
    #[inline]
    pub(crate) fn step(&self, state: &State, symbol: Symbol) -> Step {
        match self {
            Self::Table(table) => {
                let entry = table.entry(state.id, symbol.class);
                Step {
                    before: entry & dfa::BEFORE != 0,
                    accept: entry & dfa::ACCEPT != 0,
                    live: entry & dfa::LIVE != 0,
                    state: State {
                        id: entry & dfa::STATE,
                        set: None,
                    },
                }
            }
            Self::Sets(nfa) => {
                let from = state.set.as_deref().unwrap_or_default();
                let class = (symbol.class != u32::MAX).then_some(symbol.class as usize);
                let kind = Kind::ALL[state.id as usize];
                let (before, set) = dfa::advance(nfa, from, kind, class, symbol.kind);
                let (accept, live) = (set.accept, !set.nodes.is_empty());
                Step {
                    before,
                    accept,
                    live,
                    state: Self::of_set(set),
                }
            }
            Self::Trie(trie) => {
                let (before, node) = trie.step(state.id, symbol.class, symbol.kind);
                let (accept, live) = node.map_or((false, false), |n| trie.flags(n));
                Step {
                    before,
                    accept,
                    live,
                    state: State {
                        id: node.unwrap_or(0),
                        set: None,
                    },
                }
            }
        }
    }

    /// Every prefix of `k` characters that a match of a regex can begin with (folded on request), for
    /// the largest `k` up to `most` for which they are few; none if already the first characters are
    /// many.
    pub(crate) fn prefixes(
        &self,
        limit: usize,
        most: usize,
        folded: bool,
    ) -> Option<(usize, Vec<String>)> {
        let mut best = None;
        let mut ways: Vec<(String, State)> = Kind::ALL
            .iter()
            .map(|&kind| (String::new(), self.start(kind)))
            .collect();
        for k in 1..=most {
            let mut next: Vec<(String, State)> = Vec::new();
            let mut seen = FxHashSet::default();
            let mut ends = false;
            for (prefix, state) in &ways {
                let Some((steps, before)) = self.ways(state, limit) else {
                    return best;
                };
                // A match can end with the last prefix: it cannot be made longer.
                if before && k > 1 {
                    return best;
                }
                for (c, state, accept) in steps {
                    let mut prefix = prefix.clone();
                    prefix.push(if folded { fold(c) } else { c });
                    ends |= accept;
                    if seen.insert((prefix.clone(), state.clone())) {
                        next.push((prefix, state));
                    }
                }
                if next.len() > 8 * limit {
                    return best;
                }
            }
            let mut texts: Vec<String> = next.iter().map(|n| n.0.clone()).collect();
            texts.sort_unstable();
            texts.dedup();
            if texts.len() > limit {
                return best;
            }
            best = Some((k, texts));
            if ends {
                return best;
            }
            ways = next;
        }
        best
    }

    fn of_set(set: dfa::Set) -> State {
        State {
            id: set.prev as u32,
            set: Some(set.nodes.into()),
        }
    }

    /// The characters that lead on from `state`, with where they lead and whether a match ends
    /// there; and whether a match can end at `state` itself, depending on what follows.
    /// None if the characters are more than `limit`.
    fn ways(&self, state: &State, limit: usize) -> Option<(Vec<Way>, bool)> {
        let nfa = match self {
            Self::Trie(_) => return None,
            Self::Table(table) => &table.nfa,
            Self::Sets(nfa) => nfa,
        };
        let mut out = Vec::new();
        let mut before = self.step(state, self.end()).before;
        for (class, &kind) in nfa.class_kind.iter().enumerate() {
            let step = self.step(
                state,
                Symbol {
                    class: class as u32,
                    kind,
                },
            );
            before |= step.before;
            if step.accept || step.live {
                for c in nfa.alphabet.chars(class as u16, limit)? {
                    out.push((c, step.state.clone(), step.accept));
                }
            }
        }
        Some((out, before))
    }
}
