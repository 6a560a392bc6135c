//! What one push returned.

use std::ops::Range;

use crate::types::{Action, Signals, Tier};

/// What is new after one push; the entries themselves stay in the session's log.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Pushes so far, this one included.
    pub pushes: u64,
    /// Highest tier among the new findings.
    pub tier: Tier,
    /// What the policy makes of it.
    pub action: Action,
    /// Running numbers of the new log entries.
    pub entries: Range<u64>,
    /// Byte range of the new text.
    pub text: Range<usize>,
    /// What is known about the token.
    pub signals: Option<Signals>,
}

impl Step {
    pub(super) fn empty(pushes: u64, log_end: u64, text_end: usize) -> Self {
        Self {
            pushes,
            tier: Tier::None,
            action: Action::Accept,
            entries: log_end..log_end,
            text: text_end..text_end,
            signals: None,
        }
    }

    /// Whether the push brought nothing but text.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.entries.is_empty() && self.signals.is_none()
    }
}
