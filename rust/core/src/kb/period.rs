//! Values that are a stretch of time: "1890s", "early 18th century", "Q3 2025", "spring 2024",
//! "1701-1705", "before 1900". What lies within one is at odds with none.

mod prose;
mod read;
mod said;

use crate::lexicon::tables::time;

use super::compare::Agreement;
use super::moment::moment;
use super::value::Date;

pub(crate) use prose::prose;
use read::read;
use said::years_named;
pub(super) use said::{century_agrees, period_agrees};

/// Days of a month and of a year, counted alike in every calendar.
const MONTH: i32 = 31;
/// See [`MONTH`].
const YEAR: i32 = 12 * MONTH;
/// Far enough to be no date.
const FAR: i32 = 10_000 * YEAR;
/// Most words of one.
const LONGEST: usize = 8;

/// How a stretch of time is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A year, a month or a day.
    Date,
    /// A decade, a century, or a part of one, a year or a month.
    Named,
    /// "Q3 2025", "H1 2025".
    Short,
    /// "spring 2024".
    Season,
    /// From one time to another.
    Range,
    /// "before 1900".
    Open,
}

/// First and last day.
type Days = (i32, i32);

/// A stretch of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Period {
    /// What it surely covers.
    core: Days,
    /// What it may be meant to cover.
    wide: Days,
    form: Form,
    /// Number of the season that it is.
    season: Option<u8>,
    /// Whether it is only about then.
    about: bool,
}

impl Period {
    fn of(core: Days, form: Form) -> Self {
        Self {
            core,
            wide: core,
            form,
            season: None,
            about: false,
        }
    }

    fn years(from: i32, until: i32, form: Form) -> Self {
        Self::of((from * YEAR, until * YEAR + YEAR - 1), form)
    }

    fn date(date: Date) -> Self {
        let (from, until) = match (date.month, date.day) {
            (Some(month), Some(day)) => {
                let at = i32::from(month - 1) * MONTH + i32::from(day) - 1;
                (at, at)
            }
            (Some(month), None) => {
                let at = i32::from(month - 1) * MONTH;
                (at, at + MONTH - 1)
            }
            _ => (0, YEAR - 1),
        };
        let year = date.year * YEAR;
        Self::of((year + from, year + until), Form::Date)
    }

    /// A part of it: from one share of its length to another, surely and possibly.
    fn part(self, core: (i32, i32), wide: (i32, i32)) -> Self {
        let (from, until) = self.core;
        let length = until - from + 1;
        let cut = |(a, b): (i32, i32)| (from + length * a / 100, from + length * b / 100 - 1);
        // The edges of the whole are as sharp for its first and last part.
        let mut room = cut(wide);
        if wide.0 == 0 {
            room.0 = self.wide.0;
        }
        if wide.1 == 100 {
            room.1 = self.wide.1;
        }
        Self {
            core: cut(core),
            wide: room,
            form: Form::Named,
            ..self
        }
    }

    fn months(year: i32, from: i32, until: i32, form: Form) -> Self {
        Self::of(
            (
                year * YEAR + (from - 1) * MONTH,
                year * YEAR + until * MONTH - 1,
            ),
            form,
        )
    }

    fn whole_year(self) -> Option<i32> {
        let (from, until) = self.core;
        (self.form == Form::Date && until - from == YEAR - 1).then_some(from.div_euclid(YEAR))
    }

    /// How a time that is said stands to it.
    fn compared(&self, said: &Self) -> Agreement {
        let meet = |a: Days, b: Days| a.0 <= b.1 && b.0 <= a.1;
        let other_season = self.season.zip(said.season).is_some_and(|(a, b)| a != b);
        if meet(self.core, said.core) {
            return Agreement::Same;
        }
        let doubtful = meet(self.wide, said.core) || meet(self.core, said.wide);
        if doubtful && !other_season {
            Agreement::Incomparable
        } else {
            Agreement::Different
        }
    }
}

/// The words of a text, folded, hyphens as words of their own.
fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',') {
        let mut rest = word.trim_matches(|c: char| "()[]\"“”;:".contains(c));
        while let Some(at) = rest.find(['-', '–', '—', '/']) {
            let mark = rest[at..].chars().next().map_or(1, char::len_utf8);
            if at > 0 {
                out.push(rest[..at].to_lowercase());
            }
            out.push("-".to_owned());
            rest = &rest[at + mark..];
        }
        if !rest.is_empty() {
            out.push(rest.to_lowercase());
        }
    }
    out
}

/// The stretch of time that a text is as a whole, a plain date among them.
fn whole(text: &str) -> Option<Period> {
    let text = text.trim().trim_end_matches('.');
    if let Some(date) = Date::parse(text) {
        return Some(Period::date(date));
    }
    let words = words(text);
    let all: Vec<&str> = words.iter().map(String::as_str).collect();
    if all.len() > LONGEST + 4 {
        return None;
    }
    read(&all, 0)
}

/// The stretch of time that a text is, where it is no plain date.
pub(crate) fn period(text: &str) -> Option<Period> {
    let period = told_at_all(text).then(|| whole(text)).flatten();
    period.filter(|period| period.form != Form::Date)
}

/// Whether a text tells a time that is no plain date, as a stretch, by what its year is called or with
/// a time of day.
pub(crate) fn tells_time(text: &str) -> bool {
    period(text).is_some() || years_named(text).is_some() || moment(text).is_some()
}

/// Whether a text can be a time: it has a digit or a century.
fn told_at_all(text: &str) -> bool {
    let spelled = || {
        time()
            .listed("unit_century")
            .iter()
            .any(|word| text.contains(word))
    };
    text.contains(|c: char| c.is_ascii_digit()) || spelled()
}

/// Whether a text is a time as a whole, a plain date among them.
pub(crate) fn is_time(text: &str) -> bool {
    whole(text).is_some()
}
