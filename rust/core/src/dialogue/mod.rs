//! Turns of the conversation so far, the names in them and what they established.

mod change;
mod circumstances;
mod clash;
mod established;
mod figures;
mod follow_up;
mod happening;
mod occasion;
mod said;
mod similar;
mod slip;
mod state;
mod statement;
mod subject;
mod titles;
mod turn;
mod wish;

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::claims;
use crate::evidence::{EvidenceSet, Passage, PassageIndex};
use crate::types::EvidenceKind;

use follow_up::Brings;

pub use change::{Change, change};
pub use circumstances::{Circumstances, Extent};
pub use clash::{Clash, ClashKind, Drift, clash, drift, exclusivity, same_attribute, standing};
pub use established::{Established, Passed, Prior, Related};
pub use happening::HAPPENED;
pub use occasion::Occasion;
pub use said::{Said, Spoken, said};
pub use similar::name_similarity;
pub use slip::{admits, corrects, denies};
pub use state::State;
pub use statement::{SCHEDULED, Statement, Valued, statements, stems};
pub use subject::Subject;
pub use titles::Titles;
pub use turn::{Known, SpokenOf, said_in, spoken_of, stated_in};

/// Who said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The application's instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
}

impl Role {
    /// The role of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "system" | "developer" => Self::System,
            "user" | "human" => Self::User,
            "assistant" | "model" => Self::Assistant,
            "tool" | "function" => Self::Tool,
            _ => return None,
        })
    }

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// One turn.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Its number in the conversation, from 1.
    pub number: u32,
    /// Who said it.
    pub role: Role,
    /// What was said, indexed.
    pub passage: Arc<Passage>,
}

/// Turns looked back on (S0-046).
pub const WINDOW: usize = 10;

/// The last turns of a conversation, indexed like evidence.
#[derive(Debug, Clone)]
pub struct Dialogue {
    turns: VecDeque<Turn>,
    window: usize,
    next: u32,
    set: EvidenceSet,
    /// Proper names of the turns, as written.
    names: Vec<String>,
    /// Known entities of the turns, the latest mentioned first.
    entities: Vec<u32>,
    established: Arc<Established>,
    said: Arc<Vec<Said>>,
    /// What each user's turn brought in, with its number.
    brings: Vec<(u32, Brings)>,
}

impl Default for Dialogue {
    fn default() -> Self {
        Self::new(WINDOW)
    }
}

impl Dialogue {
    /// A conversation that keeps its last `window` turns.
    #[must_use]
    pub fn new(window: usize) -> Self {
        Self {
            turns: VecDeque::new(),
            window,
            next: 1,
            set: EvidenceSet::default(),
            names: Vec::new(),
            entities: Vec::new(),
            established: Arc::default(),
            said: Arc::default(),
            brings: Vec::new(),
        }
    }

    /// Number that the next turn will have.
    #[must_use]
    pub fn next_number(&self) -> u32 {
        self.next
    }

    /// Adds a turn; the oldest beyond the window leaves.
    pub fn add(&mut self, role: Role, text: &str) {
        let kind = if role == Role::Tool {
            EvidenceKind::ToolResult
        } else {
            EvidenceKind::PriorTurn
        };
        let index = Arc::new(PassageIndex::new(text));
        let passage = Passage::of(&format!("turn-{}", self.next), kind, index);
        self.turns.push_back(Turn {
            number: self.next,
            role,
            passage,
        });
        self.next += 1;
        while self.turns.len() > self.window {
            self.turns.pop_front();
        }
        self.set = EvidenceSet::new(self.turns.iter().map(|turn| turn.passage.clone()).collect());
    }

    /// Reads the turns: their names go into the registry, and what turns of `roles` state is
    /// established from here on. Without it, turns are looked up but contradict nothing.
    ///
    /// `references` is left with what the turns named and an answer can refer to.
    pub fn read(&mut self, known: Known<'_>, roles: &[Role], references: &mut claims::Reader) {
        let mut priors: Vec<Prior> = Vec::new();
        let mut last = None;
        let mut said = Vec::new();
        self.names.clear();
        self.brings.clear();
        self.entities.clear();
        for turn in &self.turns {
            let read = turn::read(turn.passage.text(), turn.role, known, references);
            references.turn_ends(turn.number);
            for name in &read.names {
                if !self.names.contains(name) {
                    self.names.push(name.clone());
                }
            }
            self.entities.retain(|id| !read.entities.contains(id));
            for id in &read.entities {
                self.entities.insert(0, *id);
            }
            for change in &read.changes {
                let newest = priors.last().map(|prior| prior.turn);
                priors.retain(|prior| {
                    let meant = !change.pronoun || Some(prior.turn) == newest;
                    !(meant && change.touches(&prior.statement))
                });
            }
            last = read.spoken_of(last);
            if turn.role == Role::User {
                established::dispute(&mut priors, &read.statements);
                self.brings.push((turn.number, read.brings));
            }
            if roles.contains(&turn.role) {
                said.extend(read.said.into_iter().map(|one| Said {
                    turn: Some(turn.number),
                    ..one
                }));
                priors.extend(read.statements.into_iter().map(|statement| Prior {
                    turn: turn.number,
                    role: turn.role,
                    statement,
                    disputed: false,
                }));
            }
        }
        let lexicon = Arc::clone(known.attributes.lexicon());
        self.established = Arc::new(Established::new(priors, lexicon).about(last));
        said.retain(Said::binds);
        let mut said = standing(said);
        // A person's claims move no goalpost of the answer's; what they took back is gone.
        let person = |number| {
            let mut own = self.turns.iter().filter(|turn| turn.role == Role::User);
            own.any(|turn| Some(turn.number) == number)
        };
        said.retain(|one| !person(one.turn));
        self.said = Arc::new(said);
        self.mark_passed(None);
    }

    /// Takes in the question that is being answered, after [`Dialogue::read`].
    pub fn ask(&mut self, question: &str, known: Known<'_>) {
        let (brings, statements) = turn::brought_in(question, known);
        Arc::make_mut(&mut self.established).dispute(&statements);
        self.mark_passed(Some(&brings));
    }

    /// Marks the turns that the user has gone on from to another thing, up to the turn that is
    /// answered: `question`, or the last one.
    fn mark_passed(&mut self, question: Option<&Brings>) {
        let newest = self.turns.back().map(|turn| (turn.number, turn.role));
        let answered = newest.filter(|(_, role)| *role == Role::User && question.is_none());
        let mut passed = Passed::default();
        let mut before: Option<&Turn> = None;
        for turn in &self.turns {
            let asked = before.filter(|turn| turn.role == Role::User);
            let both = asked.into_iter().chain([turn]);
            let context = both.flat_map(|turn| turn.passage.data().stems()).collect();
            let later = self.brings.iter().filter(|(at, _)| *at > turn.number);
            let later = later.map(|(at, own)| (own, answered.is_some_and(|(n, _)| n == *at)));
            for (own, last) in later.chain(question.map(|own| (own, true))) {
                if own.goes_on(&context, last) {
                    passed.things.insert(turn.number);
                }
                if own.wishes(&context) {
                    passed.states.insert(turn.number);
                }
                if own.recounts() {
                    passed.counts.insert(turn.number);
                }
            }
            before = Some(turn);
        }
        Arc::make_mut(&mut self.established).passed(passed);
    }

    /// Proper names in the turns, as written.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Known entities mentioned in the turns, the latest first.
    #[must_use]
    pub fn entities(&self) -> &[u32] {
        &self.entities
    }

    /// Names of the registry with a [`name_similarity`] of at least `least` to `surface`, the most
    /// similar first (S0-024).
    #[must_use]
    pub fn find_similar(&self, surface: &str, least: f64) -> Vec<(&str, f64)> {
        similar::find(&self.names, surface, least)
    }

    /// What the turns stated.
    #[must_use]
    pub fn established(&self) -> &Established {
        &self.established
    }

    /// What the turns said that later statements can be held against, oldest first; what a later
    /// turn took back is left out.
    #[must_use]
    pub fn said(&self) -> &Arc<Vec<Said>> {
        &self.said
    }

    /// Turns, oldest first.
    pub fn turns(&self) -> impl DoubleEndedIterator<Item = &Turn> {
        self.turns.iter()
    }

    /// The turns as one set of passages.
    #[must_use]
    pub fn as_evidence(&self) -> &EvidenceSet {
        &self.set
    }

    /// Number of turns kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether nothing was said yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }
}
