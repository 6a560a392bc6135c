//! The guard's last word.

use serde::Serialize;

use super::wording::What;
use super::{Guard, Intervention, StopReason};
use crate::session::Report;

/// A session's report with what the reader got and what was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GuardReport {
    /// The session's report; its spans refer to the surviving text.
    pub report: Report,
    /// What the reader got; its beginning has left where `report.truncated` says so.
    pub released: String,
    /// What was done, in order; the oldest have left where `report.truncated` says so.
    pub interventions: Vec<Intervention>,
    /// Why the answer ended.
    pub stopped: Option<StopReason>,
    /// Times text left because it had been held too long.
    pub holds_given_up: u32,
    /// Ids of claims that nobody answered for within the limits of holding.
    pub unanswered: Vec<String>,
    /// Why monitoring failed, if it did: the text is then unverified.
    pub failed: Option<String>,
}

impl GuardReport {
    pub(super) fn new(guard: &Guard) -> Self {
        let mut report = guard.session.report();
        report.truncated |=
            guard.interventions.has_lost() || guard.notes.has_lost() || guard.released_lost;
        Self {
            report,
            released: guard.released.clone(),
            interventions: guard.interventions.as_slice().to_vec(),
            stopped: guard.stopped,
            holds_given_up: guard.gave_up,
            unanswered: guard.unanswered.as_slice().to_vec(),
            failed: guard.failed.clone(),
        }
    }
}

impl Intervention {
    /// What it says is missing, in the words of its statement: a name in quotation marks, or "the
    /// founder of" one; `None` where the statement names nothing.
    #[must_use]
    pub fn missing(&self) -> Option<String> {
        let of_tier = self.findings.iter().filter(|f| f.tier == self.tier);
        let focus = of_tier.min_by_key(|f| f.span.map_or(usize::MAX, |s| s.start))?;
        What::named(focus, &self.findings).missing()
    }
}

impl Guard {
    /// What the last intervention says is missing.
    #[must_use]
    pub fn missing(&self) -> Option<String> {
        self.interventions.as_slice().last()?.missing()
    }
}
