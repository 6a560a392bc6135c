//! What comes with a push: rows and numbers.

use groundwire_core::session::Push;
use groundwire_core::types;
use pyo3::prelude::*;

use crate::buffers::{with_pair, with_row};
use crate::errors::raise;
use crate::step::{read_signals, read_top_logprobs};

/// The numbers an engine gave instead of rows, either way.
pub fn numbers(
    signals: Option<&Bound<'_, PyAny>>,
    top_logprobs: Option<&Bound<'_, PyAny>>,
    sampled: &Bound<'_, PyAny>,
) -> PyResult<Option<types::Signals>> {
    match (signals, top_logprobs) {
        (Some(_), Some(_)) => Err(raise(
            "ArgumentError",
            "give either signals or top_logprobs, not both",
        )),
        (Some(signals), None) => read_signals(signals).map(Some),
        (None, Some(list)) => read_top_logprobs(list, sampled).map(Some),
        (None, None) => Ok(None),
    }
}

/// Borrows rows (and the numbers an engine gave instead) for the time of `call`.
pub fn with_push<R: Send>(
    logits: Option<&Bound<'_, PyAny>>,
    prior_logits: Option<&Bound<'_, PyAny>>,
    signals: Option<types::Signals>,
    forced: bool,
    call: impl FnOnce(Push<'_>) -> R + Send,
) -> PyResult<R> {
    let push = Push {
        signals,
        forced,
        ..Push::default()
    };
    match (logits, prior_logits) {
        (None, None) => Ok(call(push)),
        (Some(row), None) => with_row(row, |row| {
            call(Push {
                logits: Some(row),
                ..push
            })
        }),
        (None, Some(_)) => Err(raise(
            "ArgumentError",
            "prior_logits says what the evidence changed, so it needs logits beside it",
        )),
        (Some(row), Some(prior)) => with_pair(row, prior, move |row, prior| {
            call(Push {
                logits: Some(row),
                prior_logits: Some(prior),
                ..push
            })
        }),
    }
}
