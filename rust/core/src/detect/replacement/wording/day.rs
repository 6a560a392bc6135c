//! A date in the form of the one that it takes the place of.

use crate::claims::SentenceView;
use crate::kb::Date;
use crate::normal::fold;
use crate::types::{DateExpr, LexFlags, LexKind, Quantity, Span};

/// Letters of a short name.
const SHORT: usize = 3;

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
    // "16.5.2024" has no zeros.
    let zeros = rest[0].len() == rest[1].len() || rest.iter().any(|part| part.starts_with('0'));
    let padded = |n: u8, like: &str| {
        if like.len() == 2 && zeros {
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
    format!("{day}{}", ordinal_end(day))
}

fn ordinal_end(day: u8) -> &'static str {
    match (day % 10, day % 100 / 10) {
        (1, 0 | 2 | 3) => "st",
        (2, 0 | 2) => "nd",
        (3, 0 | 2) => "rd",
        _ => "th",
    }
}

/// A name of a list, told by all of its letters or the first ones; whether it is short.
fn named(word: &str, names: &[&str]) -> Option<(usize, bool)> {
    let lower = word.to_lowercase();
    let of = |name: &&str| lower.len() >= SHORT && name.to_lowercase().starts_with(&lower);
    let at = names.iter().position(of)?;
    Some((at, lower.len() < names[at].len()))
}

/// A name as another one is written: "Oct", "OCTOBER".
fn like_name(name: &str, said: &str, short: bool) -> String {
    let own = if short { &name[..SHORT] } else { name };
    let upper = said.len() > 1 && said.chars().all(char::is_uppercase);
    if upper {
        own.to_uppercase()
    } else {
        own.to_owned()
    }
}

/// A date in words, part by part as the other is written: "Fri, 3 May 2024" for "Mon, 6 May 2024". A
/// year is added where the other has none. `None` where one of its parts is not understood.
fn part_by_part(text: &str, said: &DateExpr, value: Date) -> Option<String> {
    let (month, day) = (value.month?, value.day?);
    let (mut out, mut rest) = (String::new(), text);
    let (mut put_day, mut put_month, mut short_day) = (None, None, false);
    while let Some(first) = rest.chars().next() {
        let of = |c: char| match (first.is_ascii_digit(), first.is_alphabetic()) {
            (true, _) => c.is_ascii_digit(),
            (_, true) => c.is_alphabetic(),
            _ => !c.is_alphanumeric(),
        };
        let end = rest.find(|c| !of(c)).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        rest = behind;
        if first.is_ascii_digit() {
            let number: i32 = part.parse().ok()?;
            if put_day.is_none() && said.day.map(i32::from) == Some(number) {
                put_day = Some(out.len());
                out.push_str(&match part.starts_with('0') {
                    true => format!("{day:02}"),
                    false => day.to_string(),
                });
            } else if said.year == Some(number) && part.len() == 4 {
                out.push_str(&format!("{:04}", value.year));
            } else {
                return None;
            }
        } else if !first.is_alphabetic() {
            // "Oct. 14" of which "May" has no short form.
            let stop = out.ends_with("May") && part.starts_with('.');
            out.push_str(if stop { &part[1..] } else { part });
        } else if matches!(part, "st" | "nd" | "rd" | "th") && put_day.is_some() {
            out.push_str(ordinal_end(day));
        } else if matches!(part, "of" | "the") {
            out.push_str(part);
        } else if let Some((_, short)) = named(part, &WEEKDAYS) {
            short_day = short;
            let own = WEEKDAYS[usize::from(value.weekday()?) - 1];
            out.push_str(&like_name(own, part, short));
        } else if let Some((_, short)) = named(part, &MONTHS).filter(|_| put_month.is_none()) {
            put_month = Some(out.len());
            let whole = part.len() == SHORT && !short;
            let own = MONTHS.get(usize::from(month) - 1)?;
            out.push_str(&like_name(own, part, short || whole && short_day));
        } else {
            return None;
        }
    }
    let (day, month) = (put_day?, put_month?);
    if said.year.is_none() {
        let comma = if month < day { "," } else { "" };
        out.push_str(&format!("{comma} {}", value.year));
    }
    Some(out)
}

/// The day of the week and the date that stand side by side, of which one is `said`: "Monday, the 6th
/// of May", "6 May, a Monday".
fn side_by_side<'a>(
    view: &SentenceView<'a>,
    said: &DateExpr,
) -> Option<(&'a DateExpr, &'a DateExpr)> {
    let bare = |date: &DateExpr| date.weekday.is_some() && date.day.or(date.month).is_none();
    let whole = |date: &DateExpr| date.weekday.is_none() && date.day.and(date.month).is_some();
    view.dates.windows(2).find_map(|pair| {
        let [one, two] = pair else { return None };
        let between = view.at(Span::new(one.span.end, two.span.start));
        let between = between.trim_matches([' ', ',', '(', '–', '—']);
        let leads = matches!(between, "" | "the" | "a" | "on" | "on the");
        let own = one.span == said.span || two.span == said.span;
        let fit = bare(one) && whole(two) || whole(one) && bare(two);
        (leads && own && fit && one.minutes.or(two.minutes).is_none()).then_some((one, two))
    })
}

/// A day of the week or a date as the other is written.
fn written(text: &str, said: &DateExpr, value: Date) -> Option<String> {
    if said.month.is_none() {
        let (_, short) = named(text, &WEEKDAYS)?;
        let own = WEEKDAYS[usize::from(value.weekday()?) - 1];
        return Some(like_name(own, text, short));
    }
    part_by_part(text, said, value).or_else(|| digits(text, said, value))
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
    if let Some((one, two)) = side_by_side(view, said).filter(|_| value.day.is_some()) {
        let put = |date: &DateExpr| written(view.at(date.span), date, value);
        let whole = Span::new(one.span.start, two.span.end);
        let between = view.at(Span::new(one.span.end, two.span.start));
        let text = put(one).zip(put(two));
        return (whole, text.map(|(one, two)| format!("{one}{between}{two}")));
    }
    let text = view.at(said.span);
    if said.minutes.is_none()
        && said.month.and(said.day).is_some()
        && let Some(text) = part_by_part(text, said, value)
    {
        return (said.span, Some(text));
    }
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
            // "in July 1951": the year goes where the month stood.
            let led = before.checked_sub(1).map(|i| view.word(i));
            if said.day.is_none() && led.is_some_and(|word| word.eq_ignore_ascii_case("in")) {
                return (said.span, Some(known));
            }
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
