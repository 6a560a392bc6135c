//! A time of day that nothing says, at the word that completes it.

use crate::kb::Value;
use crate::lexicon::units::unit;
use crate::segment::{Clock, clocks, told_clocks, told_hours};
use crate::types::{DateExpr, Finding, QuantityKind};

use super::grounds::Grounds;
use super::number::HOURS;

/// Lengths of time that no number tells.
const SPELT: [(&str, f64); 3] = [
    ("half an hour", 30.0),
    ("quarter of an hour", 15.0),
    ("three quarters of an hour", 45.0),
];
/// Minutes that a full or half hour may be off.
const NEAR: u16 = 10;
/// Minutes of a day.
const DAY: u16 = 24 * 60;

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
    let told = |text: &str| {
        let all = [clocks(text), told_clocks(text), told_hours(text)];
        all.iter().flatten().any(|own| same(own, &said))
    };
    let holds = |value: &Value| match value {
        Value::Text(own) | Value::Enum(own) => told(own),
        _ => false,
    };
    if grounds.has_clock(&said)
        || grounds.holds_value(mentioned, holds)
        || near_enough(&said, grounds)
        || in_a_stamp(&said, grounds)
        || bare_hour(&said, grounds)
        || grounds
            .sets()
            .any(|set| set.passages().iter().any(|p| told(p.text())))
        || follows(&said, grounds)
    {
        return None;
    }
    Some(super::number::missing(
        date.span,
        text,
        date.decided_at,
        grounds,
        "unsupported_time",
    ))
}

fn same(own: &Clock, said: &Clock) -> bool {
    if own.half {
        said.near(own.minutes, 0)
    } else {
        own.near(said.minutes, 0)
    }
}

/// "Around 6 p.m." of what was at 17:56: a full or half hour may be told for a time near it.
fn near_enough(said: &Clock, grounds: &Grounds<'_>) -> bool {
    let mut own = (grounds.sets().flat_map(|set| set.passages())).flat_map(|p| &p.data().clocks);
    said.minutes.is_multiple_of(30)
        && own.any(|own| !own.minutes.is_multiple_of(30) && said.near(own.minutes, NEAR))
}

/// "2025-10-02T09:14:00Z"
fn in_a_stamp(said: &Clock, grounds: &Grounds<'_>) -> bool {
    let (hour, minute) = (said.minutes / 60, said.minutes % 60);
    let written = format!("{hour:02}:{minute:02}");
    let mut passages = grounds.sets().flat_map(|set| set.passages());
    passages.any(|passage| passage.text().contains(&written))
}

/// "Open 10–18" tells of 10:00 and of 6 pm.
fn bare_hour(said: &Clock, grounds: &Grounds<'_>) -> bool {
    if !said.minutes.is_multiple_of(60) {
        return false;
    }
    let hour = f64::from(said.minutes / 60);
    let half = |value: f64| value.rem_euclid(12.0);
    let dash = |c: char| matches!(c, '-' | '–' | '—');
    grounds.sets().any(|set| {
        set.passages().iter().any(|passage| {
            let text = passage.text();
            let mut numbers = passage.data().quantities.iter().map(|own| own.quantity);
            numbers.any(|own| {
                let plain = own.unit.is_none() && own.kind == QuantityKind::Cardinal;
                let same = own.value == hour || half(own.value) == half(hour) && own.value <= 12.0;
                let before = text.get(..own.span.start).unwrap_or("").trim_end();
                let behind = text.get(own.span.end..).unwrap_or("").trim_start();
                let last = before.rsplit(' ').next().unwrap_or("");
                let timed = before.ends_with(dash)
                    || behind.starts_with(dash)
                    || behind.starts_with("to ")
                    || HOURS.iter().any(|word| last.eq_ignore_ascii_case(word));
                plain && same && timed
            })
        })
    })
}

/// "Check-in closes half an hour before the boat leaves at 7:20", said as 6:50.
fn follows(said: &Clock, grounds: &Grounds<'_>) -> bool {
    grounds.sets().any(|set| {
        set.passages().iter().any(|passage| {
            let data = passage.data();
            let lengths = data.quantities.iter().filter_map(|own| {
                let of = unit(own.quantity.unit?);
                let minutes = own.quantity.value * of.factor / 60.0;
                (of.base == "second"
                    && minutes.fract() == 0.0
                    && (1.0..f64::from(DAY)).contains(&minutes))
                .then_some(minutes)
            });
            let told =
                |(words, minutes): &(&str, f64)| passage.text().contains(words).then_some(*minutes);
            lengths.chain(SPELT.iter().filter_map(told)).any(|by| {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let by = by as u16;
                data.clocks.iter().any(|own| {
                    let moved = [(own.minutes + by) % DAY, (own.minutes + DAY - by) % DAY];
                    moved.iter().any(|minutes| said.near(*minutes, 0))
                })
            })
        })
    })
}
