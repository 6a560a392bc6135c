//! Words by which a new statement is held against an earlier one.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::listed::{Sieve, WordSet};

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

/// Words between "my" and "wrong" at most.
const REACH: usize = 9;
/// Words between an apology and its reason at most.
const APOLOGY: usize = 5;

/// The lists of `data/en/coherence.tsv`.
#[derive(Debug, Default)]
pub struct Coherence {
    opener: Vec<Vec<&'static str>>,
    within: Vec<Vec<&'static str>>,
    slip: Phrases,
    granted: Phrases,
    apology: WordSet,
    error: WordSet,
    wrong: WordSet,
    earlier: WordSet,
    elsewhere: WordSet,
    also: Vec<Vec<&'static str>>,
    denial: WordSet,
    extents: Vec<(Vec<&'static str>, Extent)>,
    conflicts: Vec<(Extent, Extent)>,
    exclusive: FxHashMap<&'static str, f64>,
    colour: WordSet,
    human: WordSet,
    possible: WordSet,
    /// The lists that a word is in or opens a phrase of.
    marks: FxHashMap<&'static str, Mark>,
    mark_sieve: Sieve,
}

/// Lists that a word is in or opens a phrase of, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Mark(u8);

impl Mark {
    const SLIP: u8 = 1;
    const GRANTED: u8 = 1 << 1;
    const APOLOGY: u8 = 1 << 2;
    const WRONG: u8 = 1 << 3;
    const ALSO: u8 = 1 << 4;
    const WITHIN: u8 = 1 << 5;
}

/// The shipped lists.
#[must_use]
pub fn coherence() -> &'static Coherence {
    static TABLE: OnceLock<Coherence> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Coherence::default();
        for line in table!("coherence.tsv").lines() {
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
                "slip" => table.slip = by_first(phrases(items)),
                "granted" => table.granted = by_first(phrases(items)),
                "apology" => table.apology = items.collect(),
                "error" => table.error = items.collect(),
                "wrong" => table.wrong = items.collect(),
                "earlier" => table.earlier = items.collect(),
                "elsewhere" => table.elsewhere = items.collect(),
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
        table.mark();
        table
    })
}

/// Phrases by their first word.
type Phrases = FxHashMap<&'static str, Vec<Vec<&'static str>>>;

fn by_first(phrases: Vec<Vec<&'static str>>) -> Phrases {
    let mut found = Phrases::default();
    for phrase in phrases {
        found.entry(phrase[0]).or_default().push(phrase);
    }
    found
}

/// Length of the phrase at the start of the words.
fn starts(words: &[&str], phrases: &Phrases) -> Option<usize> {
    opens(words, phrases.get(words.first()?)?)
}

fn opens(words: &[&str], phrases: &[Vec<&'static str>]) -> Option<usize> {
    let found = phrases.iter().find(|phrase| words.starts_with(phrase));
    found.map(Vec::len)
}

impl Coherence {
    fn mark(&mut self) {
        let first = |phrases: &[Vec<&'static str>]| -> Vec<&'static str> {
            phrases.iter().map(|phrase| phrase[0]).collect()
        };
        let lists = [
            (Mark::SLIP, self.slip.keys().copied().collect()),
            (Mark::GRANTED, self.granted.keys().copied().collect()),
            (Mark::APOLOGY, self.apology.iter().collect()),
            (Mark::WRONG, self.wrong.iter().collect()),
            (Mark::ALSO, first(&self.also)),
            (Mark::WITHIN, first(&self.within)),
        ];
        for (bit, words) in lists {
            for word in words {
                self.marks.entry(word).or_default().0 |= bit;
                self.mark_sieve.add(word);
            }
        }
    }

    fn marked(&self, word: &str) -> u8 {
        if !self.mark_sieve.may_have(word) {
            return 0;
        }
        self.marks.get(word).map_or(0, |mark| mark.0)
    }

    /// Whether one of the phrases, whose first words have the bit, stands among the words.
    fn has_phrase(&self, words: &[&str], bit: u8, phrases: &[Vec<&'static str>]) -> bool {
        (0..words.len())
            .any(|at| self.marked(words[at]) & bit != 0 && opens(&words[at..], phrases).is_some())
    }

    /// How many folded words at the start of a sentence mark it as a correction; 0 where none do.
    #[must_use]
    pub fn opener(&self, words: &[&str]) -> usize {
        opens(words, &self.opener).unwrap_or(0)
    }

    /// Whether a sentence of these folded words takes back what was said.
    #[must_use]
    pub fn takes_back(&self, words: &[&str]) -> bool {
        self.has_phrase(words, Mark::WITHIN, &self.within)
    }

    /// Whether a sentence of these folded words says that what its speaker said before was wrong
    /// ("I misspoke.", "Apologies for the mix-up.", "You're right, …"): what follows replaces it.
    #[must_use]
    pub fn admits(&self, words: &[&str]) -> bool {
        // Most sentences have nothing of the kind, and others of one kind alone.
        let marks = words.iter().fold(0, |all, word| all | self.marked(word));
        let own = Mark::SLIP | Mark::GRANTED | Mark::APOLOGY | Mark::WRONG;
        if marks & own == 0 {
            return false;
        }
        let denied = |at: usize| at > 0 && matches!(words[at - 1], "not" | "didn't" | "never");
        let slip = marks & Mark::SLIP != 0
            && (0..words.len()).any(|at| starts(&words[at..], &self.slip).is_some() && !denied(at));
        // "You are right to ask."
        let granted = marks & Mark::GRANTED != 0
            && (0..words.len()).any(|at| {
                let found = starts(&words[at..], &self.granted);
                found.is_some_and(|n| !matches!(words.get(at + n), Some(&"to" | &"now" | &"away")))
            });
        let sorry = words.iter().position(|word| self.apology.contains(word));
        let sorry = sorry.is_some_and(|at| {
            let rest = &words[at + 1..];
            (words.len() <= 3 && rest.len() <= 1)
                || rest.iter().take(APOLOGY).any(|w| self.error.contains(w))
        });
        slip || granted || sorry || marks & Mark::WRONG != 0 && self.owns_error(words)
    }

    /// "My earlier answer was wrong", "I gave you the wrong year", "I said 1931, but that was an
    /// error".
    fn owns_error(&self, words: &[&str]) -> bool {
        let own = |word: &str| matches!(word, "i" | "my" | "we" | "our");
        let reply = words
            .windows(2)
            .any(|pair| matches!(pair[0], "my" | "our") && self.earlier.contains(pair[1]));
        let clean = !words.iter().any(|word| self.elsewhere.contains(word));
        if reply && clean && words.iter().any(|word| self.wrong.contains(word)) {
            return true;
        }
        (0..words.len()).any(|at| {
            let rest = &words[at + 1..];
            let reach = rest.iter().take(REACH);
            own(words[at])
                && reach
                    .take_while(|word| !self.elsewhere.contains(word))
                    .any(|word| self.wrong.contains(word))
        })
    }

    /// Whether a sentence of these folded words adds to what was said.
    #[must_use]
    pub fn adds(&self, words: &[&str]) -> bool {
        self.has_phrase(words, Mark::ALSO, &self.also)
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
