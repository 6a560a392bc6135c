//! Turns of the conversation so far.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::evidence::{EvidenceSet, Passage, PassageIndex};
use crate::types::EvidenceKind;

/// Who said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
        }
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
