//! Sets of nodes as states, and the table of all of them where it is small enough.

use rustc_hash::FxHashMap;

use super::chars::{KINDS, Kind, holds};
use super::nfa::{Nfa, Node};

/// Most entries of a rule's table (4 bytes each).
const TABLE_LIMIT: usize = 1 << 18;
/// Most node visits while a table is built.
const WORK_LIMIT: usize = 1 << 23;

/// A match ended before the character read, by a look-around.
pub(crate) const BEFORE: u32 = 1 << 31;
/// A match ends after the character read.
pub(crate) const ACCEPT: u32 = 1 << 30;
/// A longer match may follow.
pub(crate) const LIVE: u32 = 1 << 29;
/// The state's number; 0 without flags is dead.
pub(crate) const STATE: u32 = LIVE - 1;

/// The nodes an attempt may be at: those that read a character or wait for a look-around.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Set {
    /// Nodes in order.
    pub(crate) nodes: Vec<u32>,
    /// Kind of the character before, where a look-around waits.
    pub(crate) prev: Kind,
    /// Whether a match ends here whatever follows.
    pub(crate) accept: bool,
}

/// All states of a pattern in one table.
#[derive(Debug)]
pub(crate) struct Table {
    /// The pattern's nodes and alphabet.
    pub(crate) nfa: Nfa,
    stride: usize,
    entries: Vec<u32>,
    starts: [u32; KINDS],
}

struct Closure<'a> {
    nfa: &'a Nfa,
    nodes: Vec<u32>,
    seen: Vec<bool>,
    stack: Vec<u32>,
    matched: bool,
    work: usize,
}

impl<'a> Closure<'a> {
    fn new(nfa: &'a Nfa) -> Self {
        let seen = vec![false; nfa.nodes.len()];
        Self {
            nfa,
            nodes: Vec::new(),
            seen,
            stack: Vec::new(),
            matched: false,
            work: 0,
        }
    }

    /// Adds what is reachable from `from` without reading; look-arounds are crossed where they
    /// hold between the two kinds, and kept as nodes where the kinds are not known.
    fn add(&mut self, from: u32, between: Option<(Kind, Kind)>) {
        self.stack.push(from);
        while let Some(at) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[at as usize], true) {
                continue;
            }
            self.work += 1;
            match &self.nfa.nodes[at as usize] {
                Node::Match => self.matched = true,
                Node::Split(ways) => self.stack.extend(ways.iter().rev()),
                Node::Char { .. } => self.nodes.push(at),
                Node::Look { look, next } => match between {
                    Some((prev, kind)) if holds(*look, prev, kind) => self.stack.push(*next),
                    Some(_) => {}
                    None => self.nodes.push(at),
                },
            }
        }
    }

    fn into_set(mut self, kind: Kind) -> (Set, usize) {
        self.nodes.sort_unstable();
        let waits = |&at: &u32| matches!(self.nfa.nodes[at as usize], Node::Look { .. });
        let prev = if self.nodes.iter().any(waits) {
            self.nfa.reduce[kind as usize]
        } else {
            Kind::Other
        };
        (
            Set {
                nodes: self.nodes,
                prev,
                accept: self.matched,
            },
            self.work,
        )
    }
}

/// The set an attempt starts in after a character of kind `prev`.
pub(crate) fn start(nfa: &Nfa, prev: Kind) -> Set {
    let mut closure = Closure::new(nfa);
    closure.add(nfa.start, None);
    closure.into_set(prev).0
}

/// Reads a character of `class` and `kind` (none: the end); says whether a match ended before
/// it by a look-around, and where the attempt is now.
pub(crate) fn advance(
    nfa: &Nfa,
    from: &[u32],
    prev: Kind,
    class: Option<usize>,
    kind: Kind,
) -> (bool, Set) {
    let (before, set, _) = advance_counted(nfa, from, prev, class, kind);
    (before, set)
}

fn advance_counted(
    nfa: &Nfa,
    from: &[u32],
    prev: Kind,
    class: Option<usize>,
    kind: Kind,
) -> (bool, Set, usize) {
    let waits = from
        .iter()
        .any(|&at| matches!(nfa.nodes[at as usize], Node::Look { .. }));
    let mut crossed = None;
    if waits {
        let mut closure = Closure::new(nfa);
        for &at in from {
            closure.add(at, Some((prev, nfa.reduce[kind as usize])));
        }
        crossed = Some(closure);
    }
    let nodes = crossed.as_ref().map_or(from, |closure| &closure.nodes);
    let mut closure = Closure::new(nfa);
    if let Some(class) = class {
        for &at in nodes {
            if let Node::Char { set, next } = nfa.nodes[at as usize]
                && nfa.members[set as usize][class]
            {
                closure.add(next, None);
            }
        }
    }
    let before = crossed.as_ref().is_some_and(|closure| closure.matched);
    let (set, work) = closure.into_set(kind);
    (
        before,
        set,
        work + from.len() + crossed.map_or(0, |closure| closure.work),
    )
}

impl Table {
    /// The table of `nfa`, or `nfa` back where the table would be too large.
    pub(crate) fn new(nfa: Nfa) -> Result<Self, Box<Nfa>> {
        let Some((entries, starts)) = determinize(&nfa) else {
            return Err(Box::new(nfa));
        };
        let stride = nfa.class_kind.len() + 1;
        Ok(Self {
            nfa,
            stride,
            entries,
            starts,
        })
    }

    /// Where an attempt begins after a character of kind `prev`.
    pub(crate) fn start(&self, prev: Kind) -> u32 {
        self.starts[prev as usize]
    }

    /// What reading `class` in `state` does.
    #[inline]
    pub(crate) fn entry(&self, state: u32, class: u32) -> u32 {
        self.entries[state as usize * self.stride + class as usize]
    }

    /// The class that stands for the end of the text.
    pub(crate) fn end(&self) -> u32 {
        self.stride as u32 - 1
    }
}

fn determinize(nfa: &Nfa) -> Option<(Vec<u32>, [u32; KINDS])> {
    let classes = nfa.class_kind.len();
    let stride = classes + 1;
    let dead = Set {
        nodes: Vec::new(),
        prev: Kind::Other,
        accept: false,
    };
    let mut sets = vec![dead.clone()];
    let mut known = FxHashMap::default();
    known.insert(dead, 0_u32);
    let mut number = |set: Set, sets: &mut Vec<Set>| {
        let fresh = sets.len() as u32;
        let id = *known.entry(set.clone()).or_insert(fresh);
        if id == fresh {
            sets.push(set);
        }
        id
    };
    let starts = Kind::ALL.map(|kind| number(start(nfa, kind), &mut sets));
    let mut entries = Vec::new();
    let mut work = 0;
    let mut at = 0;
    while at < sets.len() {
        let set = sets[at].clone();
        for class in 0..stride {
            let (symbol, kind) = match nfa.class_kind.get(class) {
                Some(&kind) => (Some(class), kind),
                None => (None, Kind::Edge),
            };
            let (before, next, visits) = advance_counted(nfa, &set.nodes, set.prev, symbol, kind);
            work += visits + nfa.nodes.len() / 64;
            let accept = next.accept;
            let id = number(next, &mut sets);
            let flags =
                if before && !set.accept { BEFORE } else { 0 } | if accept { ACCEPT } else { 0 };
            entries.push(id | flags);
        }
        if sets.len() * stride > TABLE_LIMIT || work > WORK_LIMIT {
            return None;
        }
        at += 1;
    }
    Some((mark_live(entries, stride, sets.len()), starts))
}

/// Sets [`LIVE`] on the ways to states from which a later end of a match can be reached.
fn mark_live(mut entries: Vec<u32>, stride: usize, states: usize) -> Vec<u32> {
    let mut live = vec![false; states];
    let mut sources: Vec<Vec<u32>> = vec![Vec::new(); states];
    let mut stack = Vec::new();
    for (state, row) in entries.chunks(stride).enumerate() {
        for &entry in row {
            sources[(entry & STATE) as usize].push(state as u32);
        }
        if row.iter().any(|entry| entry & (BEFORE | ACCEPT) != 0) {
            live[state] = true;
            stack.push(state);
        }
    }
    while let Some(state) = stack.pop() {
        for &source in &sources[state] {
            if !std::mem::replace(&mut live[source as usize], true) {
                stack.push(source as usize);
            }
        }
    }
    for entry in &mut entries {
        let state = (*entry & STATE) as usize;
        if live[state] {
            *entry |= LIVE;
        } else if *entry & ACCEPT == 0 {
            *entry &= !STATE;
        }
    }
    entries
}
