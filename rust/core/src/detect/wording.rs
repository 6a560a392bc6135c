//! The right value, worded like the wrong one that it replaces.

use crate::claims::{SentenceView, unit_named};
use crate::kb::{Date, Value, weekday_text};
use crate::lexicon::units::{convert, unit};
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
    match value {
        Value::Number { value, unit } => number(view, object, quantities, *value, unit.as_deref()),
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
            (said.unwrap_or(&dates[0]).span, Some(day.clone()))
        }
        Value::Text(_) | Value::Entity(_) | Value::Enum(_) => {
            (object, Some(noun(view, object, expected)))
        }
    }
}

/// A noun phrase in place of another: "the Sales department" becomes "the Engineering department".
fn noun(view: &SentenceView<'_>, object: Span, expected: &str) -> String {
    let words: Vec<&str> = view.at(object).split_whitespace().collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return expected.to_owned();
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
    let framed = words.len() > 2 && generic.contains(&noun.as_str()) && !said;
    match (article, framed) {
        (true, true) => format!("{first} {expected} {last}"),
        (false, true) => format!("{expected} {last}"),
        (true, false) if said && words.len() > 1 => format!("{first} {expected}"),
        _ => expected.to_owned(),
    }
}

/// Digits grouped by commas.
fn grouped(text: &str) -> String {
    let (whole, rest) = text
        .split_once('.')
        .map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) && out != "-" {
            out.push(',');
        }
        out.push(c);
    }
    if let Some(rest) = rest {
        out.push('.');
        out.push_str(rest);
    }
    out
}

fn number(
    view: &SentenceView<'_>,
    object: Span,
    quantities: &[Quantity],
    value: f64,
    of: Option<&str>,
) -> (Span, Option<String>) {
    let Some(said) = quantities.first() else {
        return (object, None);
    };
    let text = view.at(said.span);
    let of_id = of.and_then(unit_named);
    // In the unit that was said, with the digits it was said with.
    let (value, unit_name) = match (said.unit, of_id) {
        (Some(a), Some(b)) if a != b => {
            let Some(converted) = convert(value, b, a) else {
                return (said.span, None);
            };
            let places = 10_f64.powi(i32::from(said.decimals.max(1)));
            ((converted * places).round() / places, Some(unit(a).name))
        }
        _ => (value, None),
    };
    let digits = Value::Number { value, unit: None }.to_string();
    let many = value.abs() >= 10_000.0 || (value.abs() >= 1000.0 && text.contains(','));
    let digits = if many { grouped(&digits) } else { digits };
    // What stands around the digits stays: "$5 million" keeps its sign, "12 km" its unit.
    let lead: String = text
        .chars()
        .take_while(|c| !c.is_alphanumeric() && *c != '-')
        .collect();
    if let Some(tail) = compound_tail(text) {
        return (said.span, Some(format!("{lead}{digits}{tail}")));
    }
    let tail = tail_of(text, lead.len());
    let tail = unit_name
        .filter(|_| tail.trim().is_empty())
        .map_or(tail, |name| format!(" {name}"));
    (said.span, Some(format!("{lead}{digits}{tail}")))
}

/// The smaller unit of "1 hour and 25 minutes", in which the amount is told.
fn compound_tail(text: &str) -> Option<&str> {
    let last = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let head = text[..last].trim_end_matches(|c: char| c.is_ascii_digit() || ",.".contains(c));
    let unit = |part: &str| part.chars().any(char::is_alphabetic);
    (unit(head) && unit(&text[last..])).then(|| &text[last..])
}

/// The unit after the digits of a number as written, without magnitude words, which the value in
/// full no longer needs.
fn tail_of(text: &str, lead: usize) -> String {
    const MAGNITUDES: [&str; 12] = [
        "k", "m", "bn", "b", "thousand", "million", "billion", "trillion", "hundred", "dozen",
        "mn", "tn",
    ];
    let rest = &text[lead..];
    if !rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        // A number in words ("twelve rooms"): its last word may be the unit.
        return String::new();
    }
    let digits = rest
        .find(|c: char| !c.is_ascii_digit() && !",.-".contains(c))
        .unwrap_or(rest.len());
    let tail = &rest[digits..];
    let word = tail.trim_start();
    let first = word
        .split(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or("");
    if MAGNITUDES.contains(&first.to_lowercase().as_str()) && (first.len() > 1 || lead > 0) {
        let after = &word[first.len()..];
        return after.to_owned();
    }
    tail.to_owned()
}

fn dated(
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
        return (said.span, weekday.map(str::to_owned));
    }
    match (said.month.and(month), said.day.and(value.day)) {
        (Some(month), Some(day)) if text.starts_with(|c: char| c.is_ascii_digit()) => {
            let iso = text.contains('-');
            let words = format!("{day} {month} {}", value.year);
            (said.span, Some(if iso { value.to_string() } else { words }))
        }
        (Some(month), Some(day)) => (said.span, Some(format!("{month} {day}, {}", value.year))),
        (Some(month), None) if said.day.is_none() => {
            (said.span, Some(format!("{month} {}", value.year)))
        }
        _ if said.month.is_none() => (said.span, Some(value.year.to_string())),
        // A day was said and only the year is known: "on 2 May 1990" becomes "in 1987".
        _ => {
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
                    Some(format!("{lead} {}", value.year)),
                )
            })
        }
    }
}
