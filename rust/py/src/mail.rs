//! Answers from other threads, which wait for a session's next call.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use groundwire_core::error::Result;
use groundwire_core::session::{Session as Core, Step as CoreStep};
use groundwire_core::types::{Finding, Verdict};
use pyo3::prelude::*;

use crate::step::Step;

/// What came in from another thread while the session was busy.
pub enum Mail {
    Resolve(String, Verdict),
    Report(Option<String>, Vec<Finding>),
}

impl Mail {
    pub fn deliver(self, session: &mut Core) -> Result<CoreStep> {
        match self {
            Self::Resolve(claim, verdict) => session.resolve(&claim, verdict),
            Self::Report(claim, findings) => session.report_findings(claim.as_deref(), findings),
        }
    }
}

/// Mail that waits for the session's next call.
pub struct Inbox {
    mail: Mutex<Vec<Mail>>,
    waiting: AtomicBool,
    /// Whoever delivers an answer has no use for its step: the next one shows it.
    later: AtomicBool,
    /// First log entry that mail brought and no step has shown.
    pub unseen: AtomicU64,
}

impl Default for Inbox {
    fn default() -> Self {
        Self {
            mail: Mutex::default(),
            waiting: AtomicBool::new(false),
            later: AtomicBool::new(false),
            unseen: AtomicU64::new(u64::MAX),
        }
    }
}

impl Inbox {
    pub fn put(&self, mail: Mail) {
        self.mail
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(mail);
        self.waiting.store(true, Ordering::Release);
    }

    /// From here on the next step shows what an answer brought that was taken at once.
    pub fn show_later(&self) {
        self.later.store(true, Ordering::Release);
    }

    /// An answer was taken at once; `step` is what it brought.
    pub fn taken(&self, step: &CoreStep) {
        if self.later.load(Ordering::Acquire) && !step.is_quiet() {
            self.unseen.fetch_min(step.entries.start, Ordering::AcqRel);
        }
    }

    /// Delivers what waits; an answer about a claim that is gone is dropped. What it brings to
    /// the log is shown by the next step.
    pub fn deliver(&self, session: &mut Core) {
        // A plain read first: it is what nearly every push sees.
        if !self.waiting.load(Ordering::Acquire) || !self.waiting.swap(false, Ordering::AcqRel) {
            return;
        }
        self.unseen.fetch_min(session.log_end(), Ordering::AcqRel);
        let mail = std::mem::take(&mut *self.mail.lock().unwrap_or_else(PoisonError::into_inner));
        for letter in mail {
            let _ = session.contain(|session| letter.deliver(session));
        }
    }

    /// The step to show for `step`: with what mail brought before it.
    pub fn step(&self, py: Python<'_>, session: &Core, step: &CoreStep) -> PyResult<Py<Step>> {
        if self.unseen.load(Ordering::Acquire) == u64::MAX {
            return Step::of(py, session, step);
        }
        let from = self.unseen.swap(u64::MAX, Ordering::AcqRel);
        Step::since(py, session, from, step.signals)
    }
}
