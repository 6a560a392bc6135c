//! A date in the form of the one that it takes the place of.

use crate::claims::SentenceView;
use crate::kb::Date;
use crate::normal::fold;
use crate::types::{DateExpr, LexFlags, LexKind, Quantity, Span};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Names of the days of the week.
pub(in crate::detect) const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// The date in digits as the other is ("3/14/2023"); `None` where the order cannot be told.
fn digits(text: &str, said: &DateExpr, value: Date) -> Option<String> {
    let mark = text.chars().find(|c| matches!(c, '/' | '.' | '-'))?;
    let parts: Vec<&str> = text.split(mark).collect();
    let [a, b, c] = parts.as_slice() else {
        return None;
    };
    let (year_first, year) = if a.len() == 4 { (true, a) } else { (false, c) };
    let rest = if year_first { [b, c] } else { [a, b] };
    let first = rest[0].parse::<u8>().ok();
    let month_first = if said.month == said.day {
        year_first.then_some(true)
    } else {
        Some(first == said.month)
    }?;
    let (month, day) = (value.month?, value.day?);
    let padded = |n: u8, like: &str| {
        if like.len() == 2 {
            format!("{n:02}")
        } else {
            n.to_string()
        }
    };
    let (one, two) = if month_first {
        (month, day)
    } else {
        (day, month)
    };
    let (one, two) = (padded(one, rest[0]), padded(two, rest[1]));
    let full = format!("{:04}", value.year);
    let year = full.get(full.len().checked_sub(year.len())?..)?;
    Some(if year_first {
        format!("{year}{mark}{one}{mark}{two}")
    } else {
        format!("{one}{mark}{two}{mark}{year}")
    })
}

/// "17th".
fn ordinal(day: u8) -> String {
    let end = match (day % 10, day % 100 / 10) {
        (1, 0 | 2 | 3) => "st",
        (2, 0 | 2) => "nd",
        (3, 0 | 2) => "rd",
        _ => "th",
    };
    format!("{day}{end}")
}

pub(in crate::detect) fn dated(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    dates: &[DateExpr],
    value: Date,
) -> (Span, Option<String>) {
    let Some(said) = dates.first() else {
        let Some(year) = quantities.first() else {
            return (object, None);
        };
        return (year.span, Some(value.year.to_string()));
    };
    let text = view.at(said.span);
    let month = value
        .month
        .and_then(|month| MONTHS.get(usize::from(month) - 1));
    if said.weekday.is_some() && said.month.is_none() {
        let weekday = value.weekday().map(|day| WEEKDAYS[usize::from(day) - 1]);
        return (said.span, weekday.map(|day| like_day(text, day)));
    }
    match (said.month.and(month), said.day.and(value.day)) {
        // "4th of May 1970", "fourth of May 1970".
        (Some(month), Some(day)) if text.contains(" of ") => (
            said.span,
            Some(format!("{} of {month} {}", ordinal(day), value.year)),
        ),
        (Some(month), Some(day)) if text.starts_with(|c: char| c.is_ascii_digit()) => {
            let ranked = text
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .starts_with(char::is_alphabetic);
            let own = if ranked {
                ordinal(day)
            } else {
                day.to_string()
            };
            let words = || format!("{own} {month} {}", value.year);
            (
                said.span,
                Some(digits(text, said, value).unwrap_or_else(words)),
            )
        }
        (Some(month), Some(day)) => (said.span, Some(format!("{month} {day}, {}", value.year))),
        (Some(month), None) if said.day.is_none() => {
            (said.span, Some(format!("{month} {}", value.year)))
        }
        // "on 05/04/2001": of which the order cannot be told, so that it is written out.
        _ if said.month.is_none() && text.contains(['/', '.', '-']) => {
            let known = value
                .month
                .and_then(|month| MONTHS.get(usize::from(month) - 1));
            let words = known
                .zip(value.day)
                .map(|(month, day)| format!("{day} {month} {}", value.year));
            (said.span, words)
        }
        _ if said.month.is_none() => (said.span, Some(value.year.to_string())),
        // A day was said and only the month or year is known: "on 2 May 1990" becomes "in 1987".
        _ => {
            let known = match month {
                Some(month) if value.day.is_none() => format!("{month} {}", value.year),
                _ => value.year.to_string(),
            };
            let before = view
                .lexemes
                .partition_point(|lexeme| lexeme.span.end <= said.span.start);
            let on = before
                .checked_sub(1)
                .map(|i| view.lexemes[i])
                .filter(|lexeme| {
                    let mut folded = String::new();
                    fold(view.at(lexeme.span), &mut folded);
                    lexeme.kind == LexKind::Word && folded == "on"
                });
            on.map_or((said.span, None), |on| {
                let lead = if on.flags.has(LexFlags::CAPITALIZED) {
                    "In"
                } else {
                    "in"
                };
                (
                    Span::new(on.span.start, said.span.end),
                    Some(format!("{lead} {known}")),
                )
            })
        }
    }
}

/// A day of the week as the other is: "on Mondays" for "on Tuesdays".
pub(super) fn like_day(said: &str, day: &str) -> String {
    let many = |text: &str| text.ends_with("days");
    let plain = WEEKDAYS.contains(&day);
    match day.strip_suffix('s').filter(|one| WEEKDAYS.contains(one)) {
        _ if plain && many(said) => format!("{day}s"),
        Some(one) if !many(said) => one.to_owned(),
        _ => day.to_owned(),
    }
}
