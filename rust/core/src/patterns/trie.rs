//! Many literals of one rule as a tree.

use rustc_hash::FxHashMap;

use super::chars::{Kind, fold};

/// The tree; node 0 is its root.
#[derive(Debug)]
pub(crate) struct Trie {
    /// Whether characters are folded before they are looked up.
    pub(crate) ignore_case: bool,
    word: bool,
    children: FxHashMap<(u32, u32), u32>,
    nodes: Vec<Flags>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    ends: bool,
    inner: bool,
}

/// Every beginning of `literals` of the same number of characters, at most `most`, and that number;
/// folded on request.
pub(crate) fn beginnings(literals: &[String], most: usize, folded: bool) -> (usize, Vec<String>) {
    let lengths = literals.iter().map(|l| l.chars().take(most).count());
    let len = lengths.min().unwrap_or(1);
    let beginning = |literal: &String| -> String {
        let chars = literal.chars().take(len);
        chars.map(|c| if folded { fold(c) } else { c }).collect()
    };
    let mut texts: Vec<String> = literals.iter().map(beginning).collect();
    texts.sort_unstable();
    texts.dedup();
    (len, texts)
}

/// Where an attempt begins that can never match.
const NOWHERE: u32 = u32::MAX;

impl Trie {
    /// A tree of `literals`; with `word`, no word character may touch a match.
    pub(crate) fn new(literals: &[String], ignore_case: bool, word: bool) -> Self {
        let mut trie = Self {
            ignore_case,
            word,
            children: FxHashMap::default(),
            nodes: vec![Flags::default()],
        };
        for literal in literals {
            let mut at = 0;
            for c in literal.chars() {
                let c = if ignore_case { fold(c) } else { c };
                trie.nodes[at as usize].inner = true;
                let fresh = trie.nodes.len() as u32;
                at = *trie.children.entry((at, c as u32)).or_insert(fresh);
                if at == fresh {
                    trie.nodes.push(Flags::default());
                }
            }
            trie.nodes[at as usize].ends = true;
        }
        trie
    }

    /// Where an attempt begins after a character of kind `prev`.
    pub(crate) fn start(&self, prev: Kind) -> u32 {
        if self.word && prev.is_word() {
            NOWHERE
        } else {
            0
        }
    }

    /// Whether a match ends before a character of `kind`, and the node after reading it.
    pub(crate) fn step(&self, node: u32, c: u32, kind: Kind) -> (bool, Option<u32>) {
        if node == NOWHERE {
            return (false, None);
        }
        let before = self.word && self.ends(node) && !kind.is_word();
        (before, self.children.get(&(node, c)).copied())
    }

    /// Whether a match ends at `node` whatever follows, and whether more may follow.
    pub(crate) fn flags(&self, node: u32) -> (bool, bool) {
        let flags = self.nodes[node as usize];
        (
            flags.ends && !self.word,
            flags.inner || (flags.ends && self.word),
        )
    }

    /// Whether a literal ends at `node`.
    pub(crate) fn ends(&self, node: u32) -> bool {
        self.nodes[node as usize].ends
    }
}
