//! The right value, worded like the wrong one that it replaces.

use crate::claims::{SentenceView, unit_named};
use crate::kb::{Date, Value, dialled, is_free, is_insertable, weekday_text};
use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::units::{convert, unit};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, fold_name};
use crate::segment::clocks;
use crate::types::{DateExpr, LexFlags, LexKind, Quantity, QuantityKind, Span};

use super::amount::{amount, in_two_units, in_unit};
use super::currency::in_currency;
use super::grammar::with_noun;
use super::hours::timed;
use super::price::priced;
use super::remarked::{is_remarked, remarked};

/// Share by which a converted value may be off, and digits behind the point to say it with.
const LOSSY: f64 = 0.005;
/// See [`LOSSY`].
const PLACES: i32 = 3;

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
pub(super) const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// The span to replace inside the claim's object, and what to put there.
pub(super) fn wording(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    dates: &[DateExpr],
    value: &Value,
    expected: &str,
) -> (Span, Option<String>) {
    // "about 300", "unknown", a text of two lines: nothing to put in a value's place.
    let wordy = matches!(value, Value::Text(_) | Value::Entity(_) | Value::Enum(_));
    if wordy && !is_insertable(expected) || free_for_amount(view, object, quantities, expected) {
        return (object, None);
    }
    if wordy && let Some((place, text)) = priced(view, quantities, expected) {
        return (place, Some(text));
    }
    let renamed = quantities.first().and_then(|said| {
        let text = in_currency(view.at(said.span), said, value)?;
        Some((said.span, text))
    });
    if let Some((place, text)) = renamed {
        return (place, Some(text));
    }
    match value {
        Value::Number { value, unit } => {
            number(view, object, quantities, *value, unit.as_deref(), expected)
        }
        Value::Date(date) => dated(view, object, quantities, dates, *date),
        Value::Email(address) => {
            let text = view.at(object);
            let word = text
                .split_whitespace()
                .find(|word| word.contains('@'))
                .unwrap_or(text);
            let word = word.trim_matches(|c: char| "<>()[],;:\"'.!?".contains(c));
            let at = text.find(word).unwrap_or(0);
            let start = object.start + at;
            (Span::new(start, start + word.len()), Some(address.clone()))
        }
        Value::Bool(_) => (object, None),
        // "Tuesday at ten": the hour is not in question.
        Value::Text(day) if !dates.is_empty() && weekday_text(day).is_some() => {
            let said = dates.iter().find(|date| date.weekday.is_some());
            let said = said.unwrap_or(&dates[0]);
            (said.span, Some(like_day(view.at(said.span), day)))
        }
        Value::Text(time) if !clocks(time).is_empty() => timed(view, object, time),
        Value::Text(number) if dialled(number).is_some() => {
            let place = dialled(view.at(object)).map(|(at, _)| at);
            let span = place.map_or(object, |at| {
                Span::new(object.start + at.start, object.start + at.end)
            });
            (span, Some(number.clone()))
        }
        Value::Text(text) if is_remarked(text) => {
            (object, remarked(view, object, quantities, text))
        }
        Value::Text(_) | Value::Entity(_) | Value::Enum(_) => match called(view, object) {
            Some(name) => {
                let proper = expected.starts_with(char::is_uppercase);
                (name, proper.then(|| expected.to_owned()))
            }
            None => (object, noun(view, object, expected)),
        },
    }
}

/// "costs free": what nothing is paid for is not said as an amount is.
fn free_for_amount(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    expected: &str,
) -> bool {
    let said = view.at(object);
    is_free(expected) && (!quantities.is_empty() || !said.to_lowercase().contains("free"))
}

/// A day of the week as the other is: "on Mondays" for "on Tuesdays".
fn like_day(said: &str, day: &str) -> String {
    let many = |text: &str| text.ends_with("days");
    let plain = WEEKDAYS.contains(&day);
    match day.strip_suffix('s').filter(|one| WEEKDAYS.contains(one)) {
        _ if plain && many(said) => format!("{day}s"),
        Some(one) if !many(said) => one.to_owned(),
        _ => day.to_owned(),
    }
}

/// The name in "a company called Globex".
fn called(view: &SentenceView<'_>, object: Span) -> Option<Span> {
    let range = view.lexemes_in(object);
    let at = range
        .clone()
        .find(|i| matches!(view.word(*i), "called" | "named") && *i > range.start)?;
    let name = view.lexemes[at + 1..range.end].first()?;
    Some(Span::new(name.span.start, object.end))
}

/// Whether a name is no word of the dictionary.
fn unlisted(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
        && !name
            .split(' ')
            .all(|word| class(&fold_name(word)).has(WordClass::COMMON))
}

/// A noun phrase in place of another: "the Sales department" becomes "the Engineering department".
fn noun(view: &SentenceView<'_>, object: Span, expected: &str) -> Option<String> {
    let words: Vec<&str> = view.at(object).split_whitespace().collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return Some(expected.to_owned());
    };
    let article = first.eq_ignore_ascii_case("the");
    let noun = last.to_lowercase();
    let generic = [
        "department",
        "team",
        "division",
        "unit",
        "group",
        "office",
        "street",
        "district",
    ];
    let said = expected.to_lowercase().ends_with(&noun);
    // "12 Harbour Street, Bergen" is a whole address.
    let whole = expected.contains(", ") || expected.starts_with(|c: char| c.is_ascii_digit());
    let framed = words.len() > 2 && generic.contains(&noun.as_str()) && !said && !whole;
    // "a chef": an article of its own, where the value has none and is one thing.
    if words.len() > 1
        && matches!(*first, "a" | "an" | "A" | "An")
        && !framed
        && !expected.ends_with('s')
        && expected
            .split(' ')
            .all(|word| !matches!(word, "a" | "an" | "the" | "and"))
    {
        // "a bank" is not "an Acme".
        if unlisted(expected) && !last.starts_with(char::is_uppercase) {
            return None;
        }
        let vowel = expected.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
        let article = if vowel { "an" } else { "a" };
        let article = if first.starts_with('A') {
            article.to_uppercase().replacen('N', "n", 1)
        } else {
            article.to_owned()
        };
        return Some(format!("{article} {expected}"));
    }
    // "the euro": "the crown".
    let plain = |text: &str| text.starts_with(char::is_lowercase);
    let alike = words.len() == 2 && plain(last) && plain(expected) && !expected.starts_with("the ");
    Some(match (article, framed) {
        (true, true) => format!("{first} {expected} {last}"),
        (false, true) => format!("{expected} {last}"),
        (true, false) if said && words.len() > 1 || alike => format!("{first} {expected}"),
        _ => expected.to_owned(),
    })
}

fn number(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    value: f64,
    of: Option<&str>,
    expected: &str,
) -> (Span, Option<String>) {
    // "the first half of 1961": the year is said, not a half.
    let year = |q: &&Quantity| q.kind == QuantityKind::Year;
    let plain = of.is_none();
    let year = quantities.iter().find(year).filter(|_| plain);
    let Some(said) = year.or_else(|| quantities.first()) else {
        return (object, None);
    };
    // In the unit that was said, with the digits it was said with.
    let value = match (said.unit, of.and_then(unit_named)) {
        (Some(a), Some(b)) if a != b => {
            let Some(converted) = convert(value, b, a) else {
                return (said.span, None);
            };
            // "14 hours" rather than "840 minutes", for "12 hours and 40 minutes" as well.
            let written = view.at(said.span);
            let own = of.filter(|_| in_two_units(written));
            if let Some(own) = own {
                return (said.span, Some(in_unit(value, own)));
            }
            // "96 minutes" rather than "1.6 hours".
            let odd = said.decimals == 0 && (converted - converted.round()).abs() > 1e-9;
            let small = unit(a).factor < unit(b).factor;
            if (odd || small)
                && value.fract() == 0.0
                && unit(a).dimension == "time"
                && spaced(written)
                && let Some(own) = of
            {
                return (said.span, Some(in_unit(value, own)));
            }
            // As few digits as it takes to say no other amount.
            let rounded = (i32::from(said.decimals.max(1))..=PLACES).find_map(|digits| {
                let places = 10_f64.powi(digits);
                let rounded = (converted * places).round() / places;
                ((rounded - converted).abs() <= LOSSY * converted.abs()).then_some(rounded)
            });
            match rounded {
                Some(rounded) => rounded,
                None if spaced(view.at(said.span)) => {
                    return (said.span, Some(expected.to_owned()));
                }
                None => return (said.span, None),
            }
        }
        _ => value,
    };
    // "in two thousand and one": a year is written without a comma.
    let written = view.at(said.span);
    let before = view.lexemes_in(said.span).start.checked_sub(1);
    let led = before.is_some_and(|i| cue(&view.word(i).to_lowercase()).is(Cue::PREPOSITION));
    let dated = plain && led && value.fract() == 0.0 && (1000.0..2200.0).contains(&value);
    let text = if dated && !written.contains(|c: char| c.is_ascii_digit()) {
        value.to_string()
    } else {
        amount(written, value, said.unit)
    };
    let (span, text) = with_noun(view, said, value, text);
    (span, Some(text))
}

/// Whether number and unit are words of their own: "two hours", not "two-hour".
fn spaced(text: &str) -> bool {
    text.split_once(' ').is_some() && !text.contains('-')
}

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

pub(super) fn dated(
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
