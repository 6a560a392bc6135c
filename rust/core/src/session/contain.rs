//! The wall around a stream: a fault inside stays inside.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Context, Session};
use crate::error::{Category, Error, Result};
use crate::monitor::Monitor;

/// What a panic said.
fn reason(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no reason given")
}

impl Context {
    /// [`Context::new`], in which a panic becomes an error.
    ///
    /// # Errors
    /// `Latched` after a panic; nothing was opened then.
    pub fn contained(
        monitor: &Monitor,
        evidence: &[(String, String)],
        history: &[(String, String)],
        question: Option<&str>,
    ) -> Result<Self> {
        catch_unwind(AssertUnwindSafe(|| {
            Self::new(monitor, evidence, history, question)
        }))
        .map_err(|panic| {
            let message = format!(
                "internal fault while evidence, history and question were read: {}; no session was \
                 opened. Please report it with these texts",
                reason(panic.as_ref())
            );
            Error::new(Category::Latched, message)
        })
    }
}

impl Session {
    /// Runs `call`; a panic in it latches this one session and becomes an error.
    ///
    /// # Errors
    /// What `call` returns, and `Latched` after a panic; [`Session::latched`] then says why.
    pub fn contain<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        match catch_unwind(AssertUnwindSafe(|| call(self))) {
            Ok(result) => result,
            Err(panic) => Err(self.fault(panic.as_ref())),
        }
    }

    /// Latches the session because of a caught panic; returns the error to hand on.
    pub(crate) fn fault(&mut self, panic: &(dyn Any + Send)) -> Error {
        let message = format!(
            "internal fault in this session: {}; it no longer judges its stream. Please report it \
             with the session's events()",
            reason(panic)
        );
        self.latch(message.clone());
        Error::new(Category::Latched, message)
    }
}
