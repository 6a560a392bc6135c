//! What was done to a session, so that it can be undone and done again.

use serde::{Deserialize, Serialize};

use crate::types::{Finding, Signals, TokenId, Verdict};

/// What one push brought.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Input {
    /// A token of the vocabulary.
    Token(TokenId),
    /// Raw bytes.
    Bytes(Box<[u8]>),
}

/// One push, as retained.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PushRecord {
    pub(super) input: Input,
    pub(super) forced: bool,
    pub(super) signals: Option<Box<Signals>>,
    /// Bytes of decoded text after this push.
    pub(super) text_end: usize,
}

/// One entry of a session's event log: enough to build the session again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A token was pushed.
    Token {
        /// Its id.
        id: TokenId,
        /// Whether the guard forced it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        forced: bool,
        /// What was known about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signals: Option<Signals>,
    },
    /// Bytes were pushed.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
        /// Whether the guard forced them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        forced: bool,
        /// What was known about them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signals: Option<Signals>,
    },
    /// Evidence was added.
    Evidence {
        /// Its id.
        id: String,
        /// Its text.
        text: String,
    },
    /// A claim waits for a verifier.
    Expect {
        /// The claim.
        claim_id: String,
    },
    /// A verifier answered.
    Resolve {
        /// The claim.
        claim_id: String,
        /// Its answer.
        verdict: Verdict,
    },
    /// Findings came from outside.
    Report {
        /// The claim they belong to, if any.
        claim_id: Option<String>,
        /// The findings.
        findings: Vec<Finding>,
    },
    /// The stream ended.
    Finish,
}

/// A retained item: a push, or anything else that happened between pushes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    Push(PushRecord),
    Other(Box<Event>),
}

impl Item {
    pub(super) fn event(&self) -> Event {
        match self {
            Self::Other(event) => (**event).clone(),
            Self::Push(record) => {
                let (forced, signals) = (record.forced, record.signals.as_deref().copied());
                match &record.input {
                    Input::Token(id) => Event::Token {
                        id: *id,
                        forced,
                        signals,
                    },
                    Input::Bytes(bytes) => Event::Bytes {
                        bytes: bytes.to_vec(),
                        forced,
                        signals,
                    },
                }
            }
        }
    }

    /// Bytes it counts against the retention cap.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Push(record) => match &record.input {
                Input::Token(_) => 1,
                Input::Bytes(bytes) => 1 + bytes.len(),
            },
            Self::Other(_) => 1,
        }
    }
}
