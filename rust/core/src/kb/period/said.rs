//! What is said of a time against a stretch of time.

use crate::claims::ABOUT_YEARS;
use crate::lexicon::tables::time;
use crate::types::{QuantityKind, Span};

use super::super::compare::{Agreement, LooseYear, Said, loose_year};
use super::super::value::Date;
use super::read::{read, year};
use super::{Form, LONGEST, Period, YEAR, period, told_at_all, whole, words};

/// Most words of a text that is looked through for a stretch of time.
const WORDS: usize = 24;

/// The longest stretch of time that some words of the text are.
fn within(text: &str) -> Option<Period> {
    let words = words(text);
    let all: Vec<&str> = words.iter().map(String::as_str).take(WORDS).collect();
    (2..=LONGEST.min(all.len())).rev().find_map(|length| {
        all.windows(length)
            .find_map(|some| read(some, 0).filter(|period| period.form != Form::Date))
    })
}

/// How what is said stands to a text that is a stretch of time; `None` where it is none, or no time
/// is said.
pub(in super::super) fn period_agrees(said: &Said<'_>, value: &str) -> Option<Agreement> {
    if said.dates.is_empty() && !told_at_all(said.text) {
        return None;
    }
    let Some(own) = period(value) else {
        return other_year(said, value);
    };
    if value.eq_ignore_ascii_case(said.text) {
        return Some(Agreement::Same);
    }
    if let Some(one) = whole(said.text).or_else(|| within(said.text)) {
        return Some(own.compared(&one));
    }
    match loose_year(said.text) {
        Some(LooseYear::Decade(from)) => {
            let mut decade = Period::years(from, from + 9, Form::Named);
            if from % 100 == 0 {
                decade.wide.1 = (from + 99) * YEAR + YEAR - 1;
            }
            return Some(own.compared(&decade));
        }
        Some(_) if said.dates.is_empty() => return Some(Agreement::Incomparable),
        _ => {}
    }
    let mut out = None;
    for one in told(said) {
        match own.compared(&one) {
            Agreement::Different => return Some(Agreement::Different),
            Agreement::Same => out = out.or(Some(Agreement::Same)),
            Agreement::Incomparable => out = Some(Agreement::Incomparable),
        }
    }
    // "in August": of which year is not said.
    let dated = || {
        said.dates
            .iter()
            .any(|date| date.month.or(date.weekday).is_some())
    };
    out.or_else(|| dated().then_some(Agreement::Incomparable))
}

/// How a century that is said ("the 19th century") stands to a date.
pub(in super::super) fn century_agrees(said: &str, date: Date) -> Option<Agreement> {
    let words = words(said);
    let named = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if !named(&["century"]) || named(&["bc", "bce", "b.c", "b.c.", "before"]) {
        return None;
    }
    let one = whole(said).or_else(|| within(said))?;
    Some(Period::date(date).compared(&one))
}

/// The dates and years that are said.
fn told<'a>(said: &'a Said<'_>) -> impl Iterator<Item = Period> + 'a {
    let dates = said.dates.iter().filter_map(|date| {
        let date = Date::checked(date.year?, date.month, date.day)?;
        Some(Period::date(date))
    });
    let dated = |span: Span| said.dates.iter().any(|date| date.span.overlaps(span));
    let years = said
        .quantities
        .iter()
        .filter(move |q| q.kind == QuantityKind::Year && !dated(q.span));
    dates.chain(years.map(|quantity| {
        #[allow(clippy::cast_possible_truncation)]
        let year = quantity.value as i32;
        let mut period = Period::years(year, year, Form::Date);
        if quantity.approximate {
            #[allow(clippy::cast_possible_truncation)]
            let room = ABOUT_YEARS as i32 * YEAR;
            period.wide = (period.core.0 - room, period.core.1 + room);
        }
        period
    }))
}

/// "FY2025", "Christmas 2024", "2024/25": words of the calendar around a year, which is all that
/// is compared.
fn other_year(said: &Said<'_>, value: &str) -> Option<Agreement> {
    let (first, last) = years_named(value)?;
    let near = Period::years(first - 1, last + 1, Form::Named);
    let times: Vec<Period> = whole(said.text).into_iter().chain(told(said)).collect();
    let far = |one: &Period| near.compared(one) == Agreement::Different;
    if times.is_empty() {
        return None;
    }
    Some(match times.iter().any(far) {
        _ if value.eq_ignore_ascii_case(said.text) => Agreement::Same,
        true => Agreement::Different,
        false => Agreement::Incomparable,
    })
}

/// The first and last year of a text that is nothing but words of the calendar and years.
pub(super) fn years_named(value: &str) -> Option<(i32, i32)> {
    let table = time();
    if !told_at_all(value) {
        return None;
    }
    let known = |word: &str| {
        ["calendar", "season"]
            .iter()
            .any(|class| table.has(class, word))
    };
    let (mut own, mut named) = (Vec::new(), false);
    for word in words(value) {
        let bare = word.trim_start_matches(|c: char| c.is_alphabetic());
        let lead = &word[..word.len() - bare.len()];
        if let Some(year) = year(bare).filter(|_| lead.is_empty() || known(lead)) {
            named |= !lead.is_empty();
            own.push(year);
        } else if bare.is_empty() && known(&word) {
            named = true;
        } else if word == "-" || bare.len() == 2 && lead.is_empty() && !own.is_empty() {
            named |= word != "-";
        } else if !table.has("article", &word) && word != "of" {
            return None;
        }
    }
    let (first, last) = (own.iter().min()?, own.iter().max()?);
    named.then_some((*first, *last))
}
