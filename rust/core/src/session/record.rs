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

/// How much of a push is the stream's own: all of it, or that many bytes of a forced one, behind
/// which the guard's words begin. Small, since every push keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Own(u16);

impl Own {
    pub(super) const ALL: Self = Self(u16::MAX);

    /// Of a forced push; past 64 KiB all is the guard's.
    pub(super) fn first(bytes: usize) -> Self {
        Self(bytes.min(usize::from(u16::MAX) - 1) as u16)
    }

    /// Bytes of a forced push that are not the guard's; `None` where nothing was forced.
    pub(super) fn of_forced(self) -> Option<usize> {
        (self != Self::ALL).then_some(usize::from(self.0))
    }
}

/// One push, as retained.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PushRecord {
    pub(super) input: Input,
    /// Bytes at its start that are the stream's own.
    pub(super) own: Own,
    /// A character is incomplete after this push.
    pub(super) partial: bool,
    /// Which course of the stream it belongs to.
    pub(super) run: u32,
    pub(super) signals: Option<Box<Signals>>,
    /// Bytes of decoded text after this push.
    pub(super) text_end: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_zero(own: &usize) -> bool {
    *own == 0
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
        /// Bytes at the start of what was forced that the stream had said itself.
        #[serde(default, skip_serializing_if = "is_zero")]
        own: usize,
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
        /// Bytes at the start of what was forced that the stream had said itself.
        #[serde(default, skip_serializing_if = "is_zero")]
        own: usize,
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
                let signals = record.signals.as_deref().copied();
                let forced = record.own.of_forced().is_some();
                let own = record.own.of_forced().unwrap_or(0);
                match &record.input {
                    Input::Token(id) => Event::Token {
                        id: *id,
                        forced,
                        own,
                        signals,
                    },
                    input => Event::Bytes {
                        bytes: input.bytes().unwrap_or_default().to_vec(),
                        forced,
                        own,
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
