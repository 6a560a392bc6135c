//! The guard's last word.

use serde::Serialize;

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
