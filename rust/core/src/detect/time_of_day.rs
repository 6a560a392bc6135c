//! A time of day that nothing says, at the word that completes it.

use crate::kb::Value;
use crate::segment::{Clock, clocks, told_clocks, told_hours};
use crate::types::{DateExpr, Finding};

use super::grounds::Grounds;
use super::number::missing;

/// `stream.unsupported_number` for a time of day that evidence, question, dialogue and the facts of the
/// entities mentioned so far all lack, in whichever way they write it. Said only where evidence was given.
#[must_use]
pub(super) fn unsupported_time(
    date: &DateExpr,
    text: &str,
    grounds: &Grounds<'_>,
    mentioned: &[u32],
) -> Option<Finding> {
    let minutes = date.minutes.filter(|_| grounds.has_evidence())?;
    let said = clocks(text).into_iter().next().unwrap_or(Clock {
        minutes,
        span: date.span,
        half: false,
    });
    let holds = |value: &Value| match value {
        Value::Text(own) | Value::Enum(own) => {
            let all = [clocks(own), told_clocks(own), told_hours(own)];
            all.iter().flatten().any(|own| said.agrees(own))
        }
        _ => false,
    };
    if grounds.sets().any(|set| set.tells_time(&said)) || grounds.holds_value(mentioned, holds) {
        return None;
    }
    let (span, at) = (date.span, date.decided_at);
    Some(missing(span, text, at, grounds, "unsupported_time"))
}
