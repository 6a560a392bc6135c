//! A time of day that nothing says, at the word that completes it.

use crate::claims::SentenceView;
use crate::kb::Value;
use crate::lexicon::tables::time;
use crate::segment::{Clock, clocks, told_clocks, told_hours};
use crate::types::{DateExpr, Finding, Span};

use super::grounds::Grounds;
use super::number::{Numbered, missing};

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
    let first = clocks(text).into_iter().next();
    let said = first.map_or(
        Clock {
            minutes,
            span: date.span,
            half: false,
        },
        |clock| clock.as_written(text),
    );
    let holds = |value: &Value| match value {
        Value::Text(own) | Value::Enum(own) => {
            let all = [clocks(own), told_clocks(own), told_hours(own)];
            let mut all = all.iter().flatten();
            all.any(|clock| said.agrees(&clock.as_written(own)))
        }
        _ => false,
    };
    if grounds.sets().any(|set| set.tells_time(&said)) || grounds.holds_value(mentioned, holds) {
        return None;
    }
    let (span, at) = (date.span, date.decided_at);
    Some(missing(span, text, at, grounds, "unsupported_time"))
}

/// Whether a number is a time of day that a source tells: "0900", "1400 hours", "0900-1700", "half
/// eight".
pub(super) fn told_as_clock(said: &Numbered<'_>, grounds: &Grounds<'_>) -> bool {
    let digits = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let hour = said.quantity.value;
    let front = said.before.trim_end();
    let half = front.split(' ').next_back() == Some("half") && (1.0..=12.0).contains(&hour);
    let (minutes, half_of_day) = if half {
        // The number is small and whole, so nothing is lost.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let minutes = hour as u16 * 60 + 30;
        (minutes, false)
    } else {
        let (own, behind) = said.text.split_at_checked(4).unwrap_or((said.text, ""));
        let range = |mark: char| {
            front
                .strip_suffix(mark)
                .and_then(|rest| rest.get(rest.len().checked_sub(4)?..))
        };
        let written = own.starts_with('0')
            || behind.trim_start().starts_with("hour")
            || ['-', '–'].into_iter().filter_map(range).any(digits);
        let whole = own.parse::<u16>().ok().filter(|_| written && digits(own));
        let Some(minutes) = whole
            .filter(|own| own / 100 < 24 && own % 100 < 60)
            .map(|own| own / 100 * 60 + own % 100)
        else {
            return false;
        };
        (minutes, true)
    };
    let clock = Clock {
        minutes,
        span: said.quantity.span,
        half: half_of_day,
    };
    grounds.has_clock(&clock)
}

/// Whether a time of day can be compared with the evidence's, which reads `own`: not where one
/// clock has "7:30" and the other "7:30 pm" or "8:30 pm", where it is rounded ("8:40" of 8:41), nor in
/// front of a time zone.
pub(super) fn comparable(view: &SentenceView<'_>, said: Span, own: &str) -> bool {
    let behind = view.at(Span::new(said.end, view.sentence.span.end));
    let zone = behind.trim_start_matches([' ', '(']);
    let zone = zone.split(|c: char| !c.is_ascii_alphabetic()).next();
    let zoned = zone.is_some_and(|zone| {
        let name = zone.to_lowercase();
        let capitals = zone.bytes().all(|byte| byte.is_ascii_uppercase());
        time().has("zone_word", &name) || capitals && time().has("zone", &name)
    });
    if zoned {
        return false;
    }
    let first = |text: &str| clocks(text).first().map(|clock| clock.as_written(text));
    match (first(view.at(said)), first(own)) {
        (Some(said), Some(own)) => {
            said.half == own.half && !said.agrees(&own) && !said.rounds(&own)
        }
        _ => true,
    }
}
