//! The statements of earlier turns, found by what they speak of.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::claims::SentenceView;
use crate::lexicon::Lexicon;
use crate::lexicon::contrast::contrast;
use crate::types::Span;

use super::Role;
use super::follow_up::is_bare;
use super::statement::{Statement, stems};
use super::subject::Subject;

/// Statements compared with one statement of an answer at most.
const CANDIDATES: usize = 256;
/// Similarity of two statements of one attribute of one subject.
const SAME_SUBJECT: f64 = 0.9;
/// The same where the earlier one was named more closely ("the project meeting", then "the meeting").
const NARROWER: f64 = 0.8;

/// One statement with the turn it was made in.
#[derive(Debug, Clone, PartialEq)]
pub struct Prior {
    /// Number of the turn.
    pub turn: u32,
    /// Who made it.
    pub role: Role,
    /// What was stated.
    pub statement: Statement,
    /// A person said otherwise since, of a thing that the two may have before them.
    pub disputed: bool,
}

impl Prior {
    /// Whether a person's statement says the opposite, of "it" or "the test"; `latest` says whether
    /// nothing was said in between.
    fn is_disputed_by(&self, said: &Statement, latest: bool) -> bool {
        let own = &self.statement;
        let shared = |a: &[u64], b: &[u64]| a.iter().any(|word| b.binary_search(word).is_ok());
        let opposite = |word: &String| {
            let others = contrast().opposites(word).iter();
            others
                .into_iter()
                .any(|other| own.said.iter().any(|w| w == other))
        };
        let denied = said.negative != own.negative;
        let otherwise = if denied {
            shared(&stems(&said.said), &stems(&own.said))
        } else {
            said.said.iter().any(opposite)
        };
        let same = latest || shared(&said.words, &own.words);
        self.role != Role::User && said.bare && own.bare && same && otherwise
    }
}

/// Marks what a person's statements dispute.
pub(super) fn dispute(priors: &mut [Prior], said: &[Statement]) {
    let newest = priors.last().map(|prior| prior.turn);
    for prior in priors {
        let latest = Some(prior.turn) == newest;
        let mut said = said.iter();
        prior.disputed |= said.any(|said| prior.is_disputed_by(said, latest));
    }
}

/// A prior statement that is related to one of the answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Related<'a> {
    /// The prior statement.
    pub prior: &'a Prior,
    /// How similar the two are, 0..1.
    pub similarity: f64,
    /// Both speak of one attribute of one subject.
    pub same_attribute: bool,
}

/// Statements of the turns, oldest first, indexed by subject and by word.
#[derive(Debug, Clone)]
pub struct Established {
    lexicon: Arc<Lexicon>,
    priors: Vec<Prior>,
    last: Option<Subject>,
    heads: FxHashMap<u64, Vec<u32>>,
    words: FxHashMap<u64, Vec<u32>>,
    passed: Passed,
}

/// Turns that the user has gone on from.
#[derive(Debug, Clone, Default)]
pub struct Passed {
    /// To another thing of the kind: "the price" after them is another price.
    pub things: FxHashSet<u32>,
    /// To more or less of it: what was counted then may be otherwise.
    pub counts: FxHashSet<u32>,
    /// To a wish, an order or a circumstance that may change what was arranged.
    pub states: FxHashSet<u32>,
}

impl Default for Established {
    fn default() -> Self {
        Self::new(Vec::new(), Arc::clone(Lexicon::builtin()))
    }
}

impl Established {
    /// Indexes statements, oldest first; `lexicon` says which attributes are the same.
    #[must_use]
    pub fn new(priors: Vec<Prior>, lexicon: Arc<Lexicon>) -> Self {
        let mut heads: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut words: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for (at, prior) in (0_u32..).zip(&priors) {
            if let Some(subject) = &prior.statement.subject {
                heads.entry(subject.head).or_default().push(at);
            } else {
                for word in &prior.statement.words {
                    words.entry(*word).or_default().push(at);
                }
            }
        }
        Self {
            lexicon,
            priors,
            last: None,
            heads,
            words,
            passed: Passed::default(),
        }
    }

    /// The lexicon that they are compared by.
    #[must_use]
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The same, with what a pronoun at the start of the answer stands for.
    #[must_use]
    pub fn about(mut self, last: Option<Subject>) -> Self {
        self.last = last;
        self
    }

    /// What a pronoun at the start of the answer stands for, where the turns spoke of one thing
    /// last.
    #[must_use]
    pub fn last(&self) -> Option<&Subject> {
        self.last.as_ref()
    }

    /// Takes in what the person that is answered states.
    pub(super) fn dispute(&mut self, said: &[Statement]) {
        dispute(&mut self.priors, said);
    }

    /// Notes which turns the user has gone on from.
    pub(super) fn passed(&mut self, passed: Passed) {
        self.passed = passed;
    }

    /// Whether a statement that names its subject by a bare word speaks of another thing than a
    /// turn did, or counts what has changed since.
    #[must_use]
    pub fn another(&self, said: &Statement, turn: u32) -> bool {
        let counted = !said.quantities.is_empty();
        said.bare && self.gone_on(counted, turn)
    }

    /// The same of a subject in a sentence; `counted` says whether a number is told of it.
    #[must_use]
    pub fn passes(&self, view: &SentenceView<'_>, subject: Span, counted: bool, turn: u64) -> bool {
        let gone = u32::try_from(turn).is_ok_and(|turn| self.gone_on(counted, turn));
        gone && is_bare(view, subject)
    }

    /// Whether the user may have had changed since what an answer stated.
    #[must_use]
    pub fn may_have_changed(&self, prior: &Prior) -> bool {
        let changeable = prior.role == Role::Assistant && !prior.statement.lasting;
        changeable && self.passed.states.contains(&prior.turn)
    }

    fn gone_on(&self, counted: bool, turn: u32) -> bool {
        let passed = &self.passed;
        passed.things.contains(&turn) || (counted && passed.counts.contains(&turn))
    }

    /// Whether nothing was established.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.priors.is_empty()
    }

    /// All statements, oldest first.
    #[must_use]
    pub fn priors(&self) -> &[Prior] {
        &self.priors
    }

    /// Inverse document frequency of a stem over the statements, smoothed: `ln(1 + (n + 1) /
    /// (df + 1))`.
    fn idf(&self, word: u64) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let count = |n: usize| (n + 1) as f64;
        let df = self.words.get(&word).map_or(0, Vec::len);
        (1.0 + count(self.priors.len()) / count(df)).ln()
    }

    /// Cosine of two statements' words weighted by idf, 0..1; their values are left out, since a
    /// contradiction differs in just those.
    fn cosine(&self, a: &[u64], b: &[u64]) -> f64 {
        let norm = |words: &[u64]| words.iter().map(|w| self.idf(*w).powi(2)).sum::<f64>();
        let shared: f64 = a
            .iter()
            .filter(|word| b.binary_search(word).is_ok())
            .map(|word| self.idf(*word).powi(2))
            .sum();
        let size = (norm(a) * norm(b)).sqrt();
        if size > 0.0 { shared / size } else { 0.0 }
    }

    /// Statements related to one of the answer: of one attribute of one subject, or of the same
    /// words with a similarity of at least `threshold` (S0-047); the latest turn first among those
    /// of the same attribute, then the most similar.
    #[must_use]
    pub fn related(&self, statement: &Statement, threshold: f64) -> Vec<Related<'_>> {
        let mut found: Vec<Related<'_>> = Vec::new();
        if let Some(subject) = &statement.subject {
            for at in self
                .heads
                .get(&subject.head)
                .into_iter()
                .flatten()
                .rev()
                .take(CANDIDATES)
            {
                let prior = &self.priors[*at as usize];
                let same = prior.statement.subject.as_ref();
                let Some(similarity) = same.and_then(|other| subjects(subject, other)) else {
                    continue;
                };
                let names = self.lexicon.predicates();
                if names.same(&prior.statement.predicate, &statement.predicate) {
                    found.push(Related {
                        prior,
                        similarity,
                        same_attribute: true,
                    });
                }
            }
        } else {
            // The rarest word leads to the fewest statements.
            let mut seen: Vec<u32> = statement
                .words
                .iter()
                .filter_map(|word| self.words.get(word))
                .flat_map(|postings| postings.iter().rev().take(CANDIDATES))
                .copied()
                .collect();
            seen.sort_unstable();
            seen.dedup();
            for at in seen.into_iter().rev().take(CANDIDATES) {
                let prior = &self.priors[at as usize];
                let similarity = self.cosine(&statement.words, &prior.statement.words);
                if similarity >= threshold {
                    found.push(Related {
                        prior,
                        similarity,
                        same_attribute: false,
                    });
                }
            }
            found.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
        }
        found.retain(|related| related.similarity >= threshold);
        found
    }
}

/// How surely a phrase names the one thing that an earlier one named; `None` where it does not.
fn subjects(said: &Subject, prior: &Subject) -> Option<f64> {
    if said.head != prior.head || said.which != prior.which {
        return None;
    }
    let within = |small: &[u64], big: &[u64]| small.iter().all(|w| big.binary_search(w).is_ok());
    let coded = said.coded
        && prior.coded
        && (within(&said.words, &prior.words) || within(&prior.words, &said.words));
    if said.words == prior.words || coded {
        Some(SAME_SUBJECT)
    } else if said.known && within(&said.words, &prior.words) {
        // "the meeting" may be the project meeting; "student tickets" are not all tickets.
        Some(NARROWER)
    } else {
        None
    }
}
