//! Which course of the stream a place belongs to, so that a mark is known again, or refused.

use std::sync::atomic::{AtomicU32, Ordering};

use super::Session;
use super::record::Item;
use crate::error::{Error, Result};

/// Runs of any session so far. A number only tells runs apart, so that no verdict depends on it.
static RUNS: AtomicU32 = AtomicU32::new(0);

fn fresh() -> u32 {
    RUNS.fetch_add(1, Ordering::Relaxed)
}

/// A place to roll back to, in the session that set it: [`Session::mark`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark {
    pushes: u64,
    run: u32,
}

impl Mark {
    /// Pushes before the mark.
    #[must_use]
    pub const fn pushes(self) -> u64 {
        self.pushes
    }
}

/// The runs of one session: a rollback, and a copy, begins another one.
#[derive(Debug)]
pub(super) struct Course {
    /// That of the session's beginning.
    first: u32,
    /// That of the last push that is no longer retained.
    gone: u32,
    now: u32,
}

impl Clone for Course {
    /// What a copy is given from here on is its own.
    fn clone(&self) -> Self {
        Self {
            now: fresh(),
            ..*self
        }
    }
}

impl Course {
    pub(super) fn new() -> Self {
        let first = fresh();
        Self {
            first,
            gone: first,
            now: first,
        }
    }

    /// The run of the next push.
    pub(super) fn now(&self) -> u32 {
        self.now
    }

    /// What was pushed was taken back.
    pub(super) fn turn(&mut self) {
        self.now = fresh();
    }

    /// These pushes are no longer retained.
    pub(super) fn forget<'a>(&mut self, items: impl DoubleEndedIterator<Item = &'a Item>) {
        if let Some(run) = items.rev().find_map(run) {
            self.gone = run;
        }
    }
}

fn run(item: &Item) -> Option<u32> {
    match item {
        Item::Push(record) => Some(record.run),
        Item::Other(_) => None,
    }
}

impl Session {
    /// A place to roll back to, with [`Session::rollback_to`]: of this session, and of copies made
    /// later, until a rollback goes further back.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark {
            pushes: self.pushes,
            run: self.run_at(self.pushes).unwrap_or(self.course.gone),
        }
    }

    /// The run of the last of the first `pushes` pushes; none where that is not retained.
    fn run_at(&self, pushes: u64) -> Option<u32> {
        if pushes == 0 {
            return Some(self.course.first);
        }
        let back = usize::try_from(self.pushes.checked_sub(pushes)?).ok()?;
        self.items.iter().rev().filter_map(run).nth(back)
    }

    /// Refuses a mark that was set in another session, or at a place that was taken back since.
    pub(super) fn is_own(&self, mark: Mark) -> Result<()> {
        let at = mark.pushes;
        let known = match self.run_at(at) {
            None if at < self.pushes => {
                let retained = self.items.iter().filter_map(run).count() as u64;
                if at + retained < self.pushes {
                    // The rollback says that this is too far.
                    return Ok(());
                }
                Some(self.course.gone)
            }
            None if at == self.pushes => Some(self.course.gone),
            known => known,
        };
        if known == Some(mark.run) {
            return Ok(());
        }
        Err(Error::argument(format!(
            "the mark after push {at} is not of this session as it is now: another session set it, \
             or a rollback took its place back since; use what mark() of this session returned"
        )))
    }
}
