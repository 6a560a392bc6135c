//! The guard's last word.

use serde::Serialize;

use super::{Guard, Intervention, StopReason};
use crate::session::Report;

/// A session's report with what the reader got and what was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GuardReport {
    /// The session's report; its spans refer to the surviving text.
    pub report: Report,
    /// What the reader got.
    pub released: String,
    /// What was done, in order.
    pub interventions: Vec<Intervention>,
    /// Why the answer ended.
    pub stopped: Option<StopReason>,
    /// Times text left because it had been held too long.
    pub holds_given_up: u32,
    /// Why monitoring failed, if it did: the text is then unverified.
    pub failed: Option<String>,
}

impl GuardReport {
    pub(super) fn new(guard: &Guard) -> Self {
        Self {
            report: guard.session.report(),
            released: guard.released.clone(),
            interventions: guard.interventions.clone(),
            stopped: guard.stopped,
            holds_given_up: guard.gave_up,
            failed: guard.failed.clone(),
        }
    }
}
