//! What was done to a session, so that it can be undone and done again.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::types::{Finding, Signals, TokenId, Verdict};

/// What one push brought.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Input {
    /// A token of the vocabulary.
    Token(TokenId),
    /// A few raw bytes, as most pushes bring: kept without memory of their own.
    Short([u8; SHORT], u8),
    /// More raw bytes.
    Long(Box<Long>),
}

/// Behind one pointer, so that a push stays small.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Long(Box<[u8]>);

const SHORT: usize = 14;

impl Input {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut short = [0; SHORT];
        match short.get_mut(..bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                Self::Short(short, bytes.len() as u8)
            }
            None => Self::Long(Box::new(Long(bytes.into()))),
        }
    }

    /// The bytes, unless it is a token.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Token(_) => None,
            Self::Short(bytes, len) => Some(&bytes[..usize::from(*len)]),
            Self::Long(long) => Some(&long.0),
        }
    }
}

/// One push, as retained.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PushRecord {
    pub(super) input: Input,
    pub(super) forced: bool,
    /// A character is incomplete after this push.
    pub(super) partial: bool,
    pub(super) signals: Option<Box<Signals>>,
    /// Bytes of decoded text after this push.
    pub(super) text_end: usize,
}

/// One entry of a session's event log: enough to build the session again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The day that counted as today, first of all events.
    Reference {
        /// The day ("2025-03-01").
        date: Date,
    },
    /// What the session was opened with, behind the day; not there where that was nothing.
    Opened {
        /// Passages of evidence.
        passages: usize,
        /// Earlier turns.
        turns: usize,
        /// Whether there was a question.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        question: bool,
        /// Tables, those of the knowledge base too.
        #[serde(default)]
        tables: usize,
        /// A checksum of the texts, by which [`super::Session::replay`] knows them again.
        digest: String,
    },
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
    /// The stream was cut off: its last word, where nothing closed it, is no whole one.
    Cut,
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
                    input => Event::Bytes {
                        bytes: input.bytes().unwrap_or_default().to_vec(),
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
            Self::Push(record) => 1 + record.input.bytes().map_or(0, <[u8]>::len),
            Self::Other(_) => 1,
        }
    }
}
