//! Guards of a whole batch in one call.

use groundwire_core::error::Result;
use groundwire_core::guard::{Directive, Guard as Core};
use groundwire_core::session::Push;
use groundwire_core::types;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::{raise, to_py};
use crate::guard::Guard;
use crate::step::read_signals;

/// Something was found or closed.
const FOUND: u8 = 1;
/// Something could be said here.
const BOUNDARY: u8 = 2;
/// The answer is to end here.
const STOP: u8 = 4;

/// One guard's push.
struct Job<'a> {
    row: usize,
    core: &'a mut Core,
    result: Option<Result<u8>>,
}

/// Pushes one token to each guard, the interpreter released.
pub fn push<'py>(
    py: Python<'py>,
    guards: &[Bound<'py, Guard>],
    ids: &[u32],
    forced: Option<Vec<bool>>,
    signals: Option<Vec<Option<Bound<'py, PyAny>>>>,
) -> PyResult<Bound<'py, PyList>> {
    let count = guards.len();
    let forced = forced.unwrap_or_else(|| vec![false; count]);
    let signals = signals.unwrap_or_else(|| (0..count).map(|_| None).collect());
    for (what, len) in [
        ("token ids", ids.len()),
        ("forced flags", forced.len()),
        ("signals", signals.len()),
    ] {
        if len != count {
            return Err(raise(
                "ArgumentError",
                &format!("{count} guards but {len} {what}"),
            ));
        }
    }
    let signals: Vec<Option<types::Signals>> = signals
        .iter()
        .map(|given| given.as_ref().map(read_signals).transpose())
        .collect::<PyResult<_>>()?;
    let mut locked: Vec<_> = guards.iter().map(|guard| guard.get().lock()).collect();
    let mut jobs: Vec<Job<'_>> = Vec::with_capacity(count);
    for (row, lock) in locked.iter_mut().enumerate() {
        if let Ok(core) = lock {
            let (core, result) = (&mut **core, None);
            jobs.push(Job { row, core, result });
        }
    }
    py.detach(|| {
        for job in &mut jobs {
            let push = Push {
                signals: signals[job.row],
                forced: forced[job.row],
                ..Push::default()
            };
            let id = ids[job.row];
            job.result = Some(job.core.contain(|core| one(core, id, push)));
        }
    });
    let mut done: Vec<Option<Result<u8>>> = (0..count).map(|_| None).collect();
    for job in jobs {
        done[job.row] = job.result;
    }
    let results = PyList::empty(py);
    for (lock, result) in locked.into_iter().zip(done) {
        match (lock, result) {
            (Err(error), _) => results.append(error.into_value(py))?,
            (_, Some(Ok(flags))) => results.append(flags)?,
            (_, Some(Err(error))) => results.append(to_py(&error).into_value(py))?,
            (Ok(_), None) => results.append(0_u8)?,
        }
    }
    Ok(results)
}

fn one(core: &mut Core, id: u32, push: Push<'_>) -> Result<u8> {
    let (step, found) = core.push(id, push, 0)?;
    let mut flags = 0;
    if !step.entries.is_empty() {
        flags |= FOUND;
    }
    if core.at_boundary() {
        flags |= BOUNDARY;
    }
    if core.stopped().is_some() || found.iter().any(|d| matches!(d, Directive::Stop { .. })) {
        flags |= STOP;
    }
    Ok(flags)
}
