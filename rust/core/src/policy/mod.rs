//! Which action a tier leads to, and how text is released.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::types::{Action, Tier};

/// When text leaves the guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Release {
    /// At once.
    Token,
    /// When its claim has closed.
    Claim,
    /// When the answer has.
    Response,
}

impl Release {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Claim => "claim",
            Self::Response => "response",
        }
    }
}

/// How a low-risk claim is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Annotation {
    /// In brackets after the claim.
    Inline,
    /// A number after the claim and a note at the end.
    Footnote,
    /// Only in the report.
    Metadata,
}

/// What happens after a claim was reformulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterInterrupt {
    /// The model goes on from the reformulated claim.
    Continue,
    /// The answer ends there.
    Stop,
}

/// From tier to action, and the limits of holding text back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// When text leaves.
    pub release: Release,
    /// What a low finding leads to.
    pub low: Action,
    /// What a medium finding leads to.
    pub medium: Action,
    /// What a high finding leads to.
    pub high: Action,
    /// What a critical finding leads to.
    pub critical: Action,
    /// How annotations are written.
    pub annotation: Annotation,
    /// Whether the answer goes on after an interruption.
    pub after_interrupt: AfterInterrupt,
    /// Tokens after which held text leaves all the same.
    pub max_hold_tokens: u32,
    /// Milliseconds after which held text leaves all the same.
    pub max_hold_ms: u64,
    /// Rewrites after which the answer ends.
    pub max_interventions: u32,
    /// `p_hallucinated` from which a contradicted value is put right (D-1, S0-077: at this value
    /// too). At 1.0 that is what a fact held for certain contradicts.
    pub auto_correct: f64,
    /// Whether text waits for a claim that a verifier has not answered yet.
    pub hold_unresolved: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            release: Release::Claim,
            low: Action::Annotate,
            medium: Action::Hedge,
            high: Action::Interrupt,
            critical: Action::Discard,
            annotation: Annotation::Metadata,
            after_interrupt: AfterInterrupt::Continue,
            max_hold_tokens: 256,
            max_hold_ms: 10_000,
            max_interventions: 8,
            auto_correct: 0.85,
            hold_unresolved: true,
        }
    }
}

impl Policy {
    /// A policy that only watches: everything is released at once and nothing is rewritten.
    #[must_use]
    pub fn observe() -> Self {
        Self {
            release: Release::Token,
            low: Action::Annotate,
            medium: Action::Annotate,
            high: Action::Annotate,
            critical: Action::Annotate,
            ..Self::default()
        }
    }

    /// The action of a tier.
    #[must_use]
    pub fn action(&self, tier: Tier) -> Action {
        match tier {
            Tier::None => Action::Accept,
            Tier::Low => self.low,
            Tier::Medium => self.medium,
            Tier::High => self.high,
            Tier::Critical => self.critical,
        }
    }

    /// Whether nothing is ever said, rewritten or ended for a finding, whatever its tier.
    #[must_use]
    pub fn only_watches(&self) -> bool {
        [self.low, self.medium, self.high, self.critical]
            .iter()
            .all(|action| matches!(action, Action::Accept | Action::Annotate))
    }

    /// Checks that every action is one the guard can carry out and that limits are positive.
    ///
    /// # Errors
    /// `Argument` naming the field.
    pub fn validate(&self) -> Result<()> {
        for (name, action) in [
            ("low", self.low),
            ("medium", self.medium),
            ("high", self.high),
            ("critical", self.critical),
        ] {
            let known = matches!(
                action,
                Action::Accept
                    | Action::Annotate
                    | Action::Hedge
                    | Action::Correct
                    | Action::Remove
                    | Action::Interrupt
                    | Action::Discard
            );
            if !known {
                return Err(Error::argument(format!(
                    "policy.{name} is '{}'; a stream can accept, annotate, hedge, correct, \
                     remove, interrupt or discard",
                    action.as_str()
                )));
            }
        }
        if !(0.0..=1.0).contains(&self.auto_correct) {
            return Err(Error::argument(format!(
                "policy.auto_correct is {}; it lies between 0 and 1",
                self.auto_correct
            )));
        }
        if self.max_hold_tokens == 0 {
            return Err(Error::argument(
                "policy.max_hold_tokens is 0; use release = \"token\" to hold nothing back",
            ));
        }
        Ok(())
    }
}
