//! Times of day: "15:00", "3 pm", "9:00-17:00".

use crate::segment;
use crate::types::{DateExpr, Quantity, Span};

use super::compare::Agreement;

/// Minutes by which "around 10 am" may differ.
const ABOUT: u16 = 30;
/// Minutes of half a day.
const HALF: u16 = 12 * 60;

/// Times of day in a text, in minutes since midnight, in the order of the text. A bare number is
/// none, except in front of another time whose half of the day it shares ("9-11 am").
#[must_use]
pub(crate) fn clocks(text: &str) -> Vec<u16> {
    clock_spans(text)
        .into_iter()
        .map(|(minutes, _)| minutes)
        .collect()
}

/// The same, each with where it stands.
#[must_use]
pub(crate) fn clock_spans(text: &str) -> Vec<(u16, Span)> {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut before = ' ';
    let mut bare: Option<(u16, usize, usize)> = None;
    while at < text.len() {
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { break };
        if c.is_ascii_digit()
            && !before.is_alphanumeric()
            && !matches!(before, '.' | ':' | '$' | '-')
            || c.is_ascii_digit() && before == '-'
        {
            let (clock, used) = read(rest);
            match clock {
                Some(Read::Time(minutes, shared)) => {
                    if let Some((hour, start, end)) = bare.take()
                        && shared
                        && joins(&text[end..at])
                    {
                        out.push((hour % HALF + minutes / HALF * HALF, Span::new(start, end)));
                    }
                    out.push((minutes, Span::new(at, at + used)));
                }
                Some(Read::Bare(minutes)) => bare = Some((minutes, at, at + used)),
                None => bare = None,
            }
            at += used;
            before = char::from(bytes[at - 1]);
            continue;
        }
        if c.is_alphabetic() && !before.is_alphanumeric() {
            let word: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
            match word.as_str() {
                "noon" | "midday" => out.push((HALF, Span::new(at, at + word.len()))),
                "midnight" => out.push((0, Span::new(at, at + word.len()))),
                _ => {}
            }
        }
        before = c;
        at += c.len_utf8();
    }
    out
}

enum Read {
    /// Minutes, and whether "am" or "pm" was written.
    Time(u16, bool),
    Bare(u16),
}

/// The time at the start of a text that starts with a digit, and the bytes it takes.
fn read(text: &str) -> (Option<Read>, usize) {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let hour: Option<u16> = text[..digits]
        .parse()
        .ok()
        .filter(|h| *h <= 24 && digits <= 2);
    let Some(hour) = hour else {
        return (None, digits);
    };
    let mut used = digits;
    let mut minutes = None;
    let rest = &text[digits..];
    if let Some(after) = rest.strip_prefix([':', '.']) {
        let count = after.bytes().take_while(u8::is_ascii_digit).count();
        let value = after[..count]
            .parse::<u16>()
            .ok()
            .filter(|m| *m < 60 && count == 2);
        if value.is_none() {
            return (None, digits);
        }
        minutes = value.map(|value| (value, rest.starts_with(':')));
        used += 1 + count;
    }
    let tail = text[used..].trim_start();
    let skipped = text[used..].len() - tail.len();
    let half = ["a.m.", "p.m.", "am", "pm"].iter().find(|half| {
        let found = tail
            .get(..half.len())
            .is_some_and(|t| t.eq_ignore_ascii_case(half));
        found && !tail[half.len()..].starts_with(char::is_alphanumeric)
    });
    match (half, minutes) {
        (Some(half), minutes) if hour <= 12 => {
            let noon = if half.starts_with('p') { HALF } else { 0 };
            let time = hour % 12 * 60 + noon + minutes.map_or(0, |(m, _)| m);
            (Some(Read::Time(time, true)), used + skipped + half.len())
        }
        (None, Some((minute, true))) => (Some(Read::Time(hour * 60 + minute, false)), used),
        (None, None) => (Some(Read::Bare(hour * 60)), used),
        _ => (None, used),
    }
}

/// Whether the words between two times make them a range.
fn joins(between: &str) -> bool {
    matches!(
        between.trim(),
        "-" | "–" | "—" | "to" | "until" | "till" | "and"
    )
}

/// How what is said stands to a value that holds times of day; `None` where it holds none.
pub(super) fn clock_agrees(
    said: &str,
    quantities: &[Quantity],
    dates: &[DateExpr],
    value: &str,
) -> Option<Agreement> {
    let own = clocks(value);
    if own.is_empty() {
        return None;
    }
    let about = ["about", "around", "roughly", "approximately", "~", "circa"]
        .iter()
        .any(|word| said.to_lowercase().contains(word));
    let slack = if about { ABOUT } else { 0 };
    let near = |a: u16, b: u16| a.abs_diff(b) <= slack;
    let told = clocks(said);
    if told.is_empty() {
        // "at ten": which half of the day is not said.
        let hour = |q: &&Quantity| {
            q.unit.is_none() && q.value.fract() == 0.0 && (0.0..=24.0).contains(&q.value)
        };
        let Some(quantity) = quantities.iter().find(hour) else {
            return Some(Agreement::Incomparable);
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let minutes = quantity.value as u16 * 60 % HALF;
        let same = own.iter().any(|own| near(own % HALF, minutes));
        return Some(if same {
            Agreement::Same
        } else {
            Agreement::Different
        });
    }
    // "on Sundays from 10": hours of one day, which the value may not speak of.
    let named = dates.iter().any(|date| date.weekday.is_some())
        || segment::dates(value)
            .iter()
            .any(|date| date.weekday.is_some());
    let same = match (told.as_slice(), own.as_slice()) {
        ([from, to], [own_from, own_to]) => near(*from, *own_from) && near(*to, *own_to),
        _ => told
            .iter()
            .all(|time| own.iter().any(|own| near(*time, *own))),
    };
    Some(match (same, named && own.len() != 2 || own.len() > 2) {
        (true, _) => Agreement::Same,
        (false, true) => Agreement::Incomparable,
        (false, false) => Agreement::Different,
    })
}
