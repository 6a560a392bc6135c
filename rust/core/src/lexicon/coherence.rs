//! Words by which a new statement is held against an earlier one.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

/// Of how many of a kind something is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Of every one.
    All,
    /// Of none.
    None,
    /// Of some, and implicitly not of all.
    Some,
    /// Of the greater part.
    Most,
    /// Of so many ("three students").
    Number,
    /// Not of so many ("three students did not").
    NumberNot,
}

impl Extent {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "all" => Self::All,
            "none" => Self::None,
            "some" => Self::Some,
            "most" => Self::Most,
            "number" => Self::Number,
            "number_not" => Self::NumberNot,
            _ => return None,
        })
    }
}

/// The lists of `data/en/coherence.tsv`.
#[derive(Debug, Default)]
pub struct Coherence {
    opener: Vec<Vec<&'static str>>,
    within: Vec<Vec<&'static str>>,
    also: Vec<Vec<&'static str>>,
    denial: FxHashSet<&'static str>,
    extents: Vec<(Vec<&'static str>, Extent)>,
    conflicts: Vec<(Extent, Extent)>,
    exclusive: FxHashMap<&'static str, f64>,
    colour: FxHashSet<&'static str>,
    human: FxHashSet<&'static str>,
    possible: FxHashSet<&'static str>,
}

/// The shipped lists.
#[must_use]
pub fn coherence() -> &'static Coherence {
    static TABLE: OnceLock<Coherence> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Coherence::default();
        for line in include_str!("../../data/en/coherence.tsv").lines() {
            let Some((class, items)) = line.split_once('\t') else {
                continue;
            };
            let items = items.split(';');
            let phrases = |items: std::str::Split<'static, char>| {
                let split = |item: &'static str| item.split(' ').collect();
                items.map(split).collect::<Vec<Vec<&'static str>>>()
            };
            match class {
                "opener" => table.opener = phrases(items),
                "within" => table.within = phrases(items),
                "also" => table.also = phrases(items),
                "denial" => table.denial = items.collect(),
                "colour" => table.colour = items.collect(),
                "human" => table.human = items.collect(),
                "possible" => table.possible = items.collect(),
                "conflict" => {
                    let two = |pair: &str| {
                        let (a, b) = pair.split_once(' ')?;
                        Extent::named(a).zip(Extent::named(b))
                    };
                    table.conflicts = items.filter_map(two).collect();
                }
                "exclusive" => {
                    let one = |item: &'static str| {
                        let (name, weight) = item.split_once('=')?;
                        Some((name, weight.parse().ok()?))
                    };
                    table.exclusive = items.filter_map(one).collect();
                }
                _ => {
                    if let Some(extent) = Extent::named(class) {
                        let listed = phrases(items).into_iter().map(|words| (words, extent));
                        table.extents.extend(listed);
                    }
                }
            }
        }
        // The longest phrase counts: "not all" before "not", "all of the" before "all".
        table
            .extents
            .sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        table
            .opener
            .sort_by_key(|words| std::cmp::Reverse(words.len()));
        table
    })
}

fn opens(words: &[&str], phrases: &[Vec<&'static str>]) -> Option<usize> {
    let found = phrases.iter().find(|phrase| words.starts_with(phrase));
    found.map(Vec::len)
}

impl Coherence {
    /// How many folded words at the start of a sentence mark it as a correction; 0 where none do.
    #[must_use]
    pub fn opener(&self, words: &[&str]) -> usize {
        opens(words, &self.opener).unwrap_or(0)
    }

    /// Whether a sentence of these folded words takes back what was said.
    #[must_use]
    pub fn takes_back(&self, words: &[&str]) -> bool {
        (0..words.len()).any(|at| opens(&words[at..], &self.within).is_some())
    }

    /// Whether a sentence of these folded words adds to what was said.
    #[must_use]
    pub fn adds(&self, words: &[&str]) -> bool {
        (0..words.len()).any(|at| opens(&words[at..], &self.also).is_some())
    }

    /// Whether the folded word denies.
    #[must_use]
    pub fn denies(&self, word: &str) -> bool {
        self.denial.contains(word) || word.ends_with("n't")
    }

    /// Whether the folded word is a colour.
    #[must_use]
    pub fn is_colour(&self, word: &str) -> bool {
        self.colour.contains(word)
    }

    /// Whether the folded noun is what a human being is beside other things ("mother").
    #[must_use]
    pub fn is_human(&self, word: &str) -> bool {
        self.human.contains(word)
    }

    /// Whether the folded word says that something is only possible.
    #[must_use]
    pub fn is_possible(&self, word: &str) -> bool {
        self.possible.contains(word)
    }

    /// Of how many these folded words speak, and how many words say so.
    #[must_use]
    pub fn extent(&self, words: &[&str]) -> Option<(Extent, usize)> {
        let found = self
            .extents
            .iter()
            .find(|(phrase, _)| words.starts_with(phrase));
        found.map(|(phrase, extent)| (*extent, phrase.len()))
    }

    /// Whether the two cannot both hold of one thing.
    #[must_use]
    pub fn conflict(&self, a: Extent, b: Extent) -> bool {
        self.conflicts.contains(&(a, b)) || self.conflicts.contains(&(b, a))
    }

    /// How surely two different values of an attribute exclude each other, 0..=1; 0 where both may
    /// hold.
    #[must_use]
    pub fn exclusivity(&self, attribute: &str) -> f64 {
        self.exclusive.get(attribute).copied().unwrap_or(0.0)
    }
}
