//! Days that share a month or a year ("3–7 May", "3, 10 and 17 May 2025", "July 18 to 27"), and the
//! stretches and lists that dates make together.

use std::ops::Range;

use super::dates::{blank, day, month};
use super::parse::{Maybe, Read, Reader};
use super::scan::{Before, Class, Found};
use crate::lexicon::units::Role;
use crate::types::{DateExpr, Span};

/// Days of one month that are read as a whole.
const MOST: usize = 3;

impl Reader<'_> {
    /// Past what joins two dates, and an article behind it; `listed` lets a comma do so.
    fn joint(&self, i: usize, listed: bool) -> Maybe<usize> {
        let Some(item) = self.get(i)? else {
            return Ok(None);
        };
        let joins = match item.class {
            Class::Dash | Class::Word(Role::To | Role::And | Role::Or) => true,
            // "until", "through": of the words after which a year is likely those with a value.
            Class::Word(Role::Context) => item.value == 1.0,
            Class::Comma => listed,
            _ => false,
        };
        if !joins {
            return Ok(None);
        }
        // "3, 10, and 17 May"
        let comma = item.class == Class::Comma;
        let more = comma && (self.is(i + 1, Role::And)? || self.is(i + 1, Role::Or)?);
        let past = i + 1 + usize::from(more);
        Ok(Some(past + usize::from(self.is(past, Role::The)?)))
    }

    /// Days in rising order from the one at `i`: their places, as far as they go on, and whether the
    /// last joint is a comma.
    fn rising(&self, i: usize) -> Maybe<([usize; MOST], usize)> {
        let mut places = [i; MOST];
        let (mut count, mut open) = (1, false);
        let mut last = day(self.get(i)?);
        while count < MOST {
            let end = places[count - 1] + 1;
            let Some(next) = self.joint(end, true)? else {
                break;
            };
            let own = day(self.get(next)?);
            if own.is_none() || own <= last {
                break;
            }
            open = self.class(end)? == Some(Class::Comma) && next == end + 1;
            (places[count], last) = (next, own);
            count += 1;
        }
        Ok((count > 1 && !open).then_some((places, count)))
    }

    fn days(&self, places: &[usize], month: Option<u8>, year: Option<i32>) -> [Option<Found>; 3] {
        let mut found = [None; 3];
        for (slot, at) in found.iter_mut().zip(places) {
            let mut date = blank(self.span(*at, at + 1), self.now);
            (date.year, date.month) = (year, month);
            date.day = day(Some(&self.items[*at]));
            *slot = Some(Found::Date(date));
        }
        found
    }

    /// What was read of the days at `places`, the last of which ends at `used`.
    fn shared(&self, places: &[usize], used: usize, month: Option<u8>, year: Option<i32>) -> Read {
        let mut found = self.days(places, month, year);
        if let Some((Some(Found::Date(date)), last)) =
            found[..places.len()].last_mut().zip(places.last())
        {
            date.span = self.span(*last, used);
        }
        Read {
            used,
            found,
            after: Before::Other,
        }
    }

    /// "3–7 May 2025", "3, 10 and 17 May": days before the month that they share.
    pub fn days_first(&self, i: usize) -> Maybe<Read> {
        if day(self.get(i)?).is_none() {
            return Ok(None);
        }
        let Some((places, count)) = self.rising(i)? else {
            return Ok(None);
        };
        let last = places[count - 1];
        let at = last + 1 + usize::from(self.is(last + 1, Role::Of)?);
        let Some(month) = month(self.get(at)?) else {
            return Ok(None);
        };
        let year = self.trailing_year(self.past_dot(at + 1)?)?;
        let used = year.map_or(at + 1, |(_, used)| used);
        let year = year.map(|(year, _)| year);
        Ok(Some(self.shared(&places[..count], used, Some(month), year)))
    }

    /// "July 23–25, 2023", "July 18 to 27", "May 3 and 10": days behind the month that they share.
    pub fn days_behind(&self, i: usize) -> Maybe<Read> {
        let at = self.past_dot(i + 1)?;
        if day(self.get(at)?).is_none() {
            return Ok(None);
        }
        let Some((places, count)) = self.rising(at)? else {
            return Ok(None);
        };
        let last = places[count - 1];
        let dashed = self.joined(last - 1, Class::Dash)?.is_some();
        // "July 18 to 27 August", "on July 18 and 27 people", "May 3 to 10 million".
        if let Some(next) = self.get(last + 1)? {
            let word = matches!(next.class, Class::Word(_));
            let counted = next.plural
                || word && next.atom != 0
                || matches!(next.class, Class::Percent | Class::Colon)
                || matches!(next.class, Class::Word(Role::Magnitude | Role::Meridiem));
            let listed = matches!(
                self.class(last - 1)?,
                Some(Class::Word(Role::And | Role::Or | Role::The))
            );
            let other = listed && matches!(next.class, Class::Word(Role::Other | Role::Ten));
            if month(Some(next)).is_some() || !dashed && (counted || other) {
                return Ok(None);
            }
        }
        let year = self.trailing_year(last + 1)?;
        let used = year.map_or(last + 1, |(_, used)| used);
        let named = month(Some(&self.items[i]));
        let year = year.map(|(year, _)| year);
        let mut read = self.shared(&places[..count], used, named, year);
        if let Some(Found::Date(date)) = &mut read.found[0] {
            date.span = self.span(i, at + 1);
        }
        Ok(Some(read))
    }

    /// "6 to 8 p.m.", "10–2 pm": two hours that share what tells the halves of the day.
    pub fn hours_first(&self, i: usize) -> Maybe<Read> {
        let hour = |item: Option<&super::scan::Item>| {
            let item = item?;
            let fits = item.class == Class::Number && !item.dressed && item.digits <= 2;
            (fits && (1.0..=12.0).contains(&item.value)).then_some(item.value as u16)
        };
        let Some(from) = hour(self.get(i)?) else {
            return Ok(None);
        };
        let Some(next) = self.joint(i + 1, false)? else {
            return Ok(None);
        };
        let Some(until) = hour(self.get(next)?) else {
            return Ok(None);
        };
        let Some((shift, used)) = self.meridiem(next + 1)? else {
            return Ok(None);
        };
        // "o'clock" tells no half.
        if self.is(next + 1, Role::Oclock)? {
            return Ok(None);
        }
        let mut first = blank(self.span(i, i + 1), self.now);
        let mut second = blank(self.span(next, used), self.now);
        let own = if from % 12 <= until % 12 {
            shift
        } else {
            720 - shift
        };
        first.minutes = Some(from % 12 * 60 + own);
        second.minutes = Some(until % 12 * 60 + shift);
        Ok(Some(Read {
            used,
            found: [Some(Found::Date(first)), Some(Found::Date(second)), None],
            after: Before::Other,
        }))
    }

    /// The year of a day that is told with the next one only ("28 April to 3 May 2023"); `first` is the
    /// day's month.
    pub fn later_year(&self, i: usize, first: u8) -> Maybe<i32> {
        let Some(at) = self.joint(i, false)? else {
            return Ok(None);
        };
        let next = if month(self.get(at)?).is_some() {
            self.month_first(at)?
        } else if day(self.get(at)?).is_some() {
            self.day_first(at)?
        } else {
            None
        };
        Ok(next.and_then(|(date, _)| {
            let (year, month) = date.year.zip(date.month)?;
            date.day?;
            Some(year - i32::from(first > month))
        }))
    }
}

/// Dates that a text puts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Together {
    /// Number of the first.
    pub from: usize,
    /// Number of the last, and one.
    pub to: usize,
    /// From the first to the last, and not these days alone.
    pub ranged: bool,
}

impl Together {
    /// Its dates.
    #[must_use]
    pub fn of(self, dates: &[DateExpr]) -> &[DateExpr] {
        dates.get(self.from..self.to).unwrap_or_default()
    }

    /// From its first word to its last.
    #[must_use]
    pub fn span(self, dates: &[DateExpr]) -> Span {
        match self.of(dates) {
            [first, .., last] => Span::new(first.span.start, last.span.end),
            _ => Span::default(),
        }
    }

    /// Whether a day is one of them; `None` where one of them is no day, or is not told as closely.
    #[must_use]
    pub fn hold(self, dates: &[DateExpr], said: &DateExpr) -> Option<bool> {
        let own = self.of(dates);
        let day = |date: &DateExpr| date.month.zip(date.day);
        let place = day(said)?;
        if !self.ranged {
            let same = |own: &DateExpr| {
                let years = own.year.zip(said.year).is_none_or(|(a, b)| a == b);
                day(own).map(|own| own == place && years)
            };
            let all: Option<Vec<bool>> = own.iter().map(same).collect();
            return Some(all?.contains(&true));
        }
        let [first, last] = own else { return None };
        let (from, to) = (day(first)?, day(last)?);
        if let (Some(a), Some(b), Some(year)) = (first.year, last.year, said.year) {
            return Some((a, from) <= (year, place) && (year, place) <= (b, to));
        }
        // Over the end of the year.
        Some(if from <= to {
            from <= place && place <= to
        } else {
            from <= place || place <= to
        })
    }
}

/// Words and marks that make a stretch of two dates, and those that make a list.
const STRETCH: [&str; 10] = [
    "-",
    "–",
    "—",
    "to",
    "until",
    "till",
    "through",
    "up to",
    "to the",
    "until the",
];
const LIST: [&str; 9] = [
    ",", "and", ", and", "or", ", or", "&", "and the", "/", "and on",
];

/// Which of a text's days it puts together, as a stretch or a list.
#[must_use]
pub fn together<'a>(dates: &[DateExpr], text: impl Fn(Span) -> &'a str) -> Vec<Together> {
    let daily = |date: &DateExpr| date.day.is_some() && date.month.is_some();
    let joint = |at: usize| {
        let (a, b) = (dates.get(at)?, dates.get(at + 1)?);
        let gap = (daily(a) && daily(b) && a.span.end <= b.span.start)
            .then(|| text(Span::new(a.span.end, b.span.start)))?;
        let gap = gap.trim().to_lowercase();
        let lead = text(Span::new(a.span.start.saturating_sub(12), a.span.start));
        let lead = lead.trim_end().to_lowercase();
        let lead = lead.strip_suffix(" the").unwrap_or(&lead);
        let between = gap.starts_with("and") && lead.ends_with("between");
        let stretch = between || STRETCH.contains(&gap.as_str());
        (stretch || LIST.contains(&gap.as_str())).then_some(stretch)
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at + 1 < dates.len() {
        let Some(ranged) = joint(at) else {
            at += 1;
            continue;
        };
        let mut to = at + 2;
        while !ranged && joint(to - 1) == Some(false) && joint(to) != Some(true) {
            to += 1;
        }
        let Range { start, end } = at..to;
        out.push(Together {
            from: start,
            to: end,
            ranged,
        });
        at = to;
    }
    out
}

/// Where the days stand that a text puts together with the one at `place`.
#[must_use]
pub fn together_with<'a>(
    dates: &[DateExpr],
    text: impl Fn(Span) -> &'a str,
    place: Span,
) -> Option<Span> {
    let days = together(dates, text);
    let mut spans = days.iter().map(|days| days.span(dates));
    spans.find(|span| span.overlaps(place))
}
