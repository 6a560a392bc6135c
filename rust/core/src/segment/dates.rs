//! Dates and times of day, read from the window's start.

use super::parse::{Maybe, More, Read, Reader};
use super::scan::{Before, Class, Found, Item};
use crate::lexicon::units::Role;
use crate::types::{DateExpr, Span};

/// A date that says nothing yet.
pub(super) const fn blank(span: Span, now: usize) -> DateExpr {
    DateExpr {
        span,
        year: None,
        month: None,
        day: None,
        weekday: None,
        minutes: None,
        decided_at: now,
    }
}

/// A date and the items it takes up.
type Dated = (DateExpr, usize);

/// The date or time at `i`.
pub(super) fn date(reader: &Reader<'_>, i: usize) -> Maybe<Read> {
    let Some(item) = reader.get(i)? else {
        return Ok(None);
    };
    let read = match item.class {
        Class::Word(Role::Weekday | Role::WeekdayShort) if item.capital => {
            reader.weekday(i, item)?
        }
        Class::Word(Role::Month | Role::MonthDoubtful | Role::MonthShort) if item.capital => {
            if let Some(read) = reader.days_behind(i)? {
                return Ok(Some(read));
            }
            reader.month_first(i)?
        }
        Class::Number => match reader.numeric(i, item)? {
            Some(dated) => Some(dated),
            None => match reader.time(i, item)? {
                Some(dated) => Some(dated),
                None => match reader.days_first(i)?.or(reader.hours_first(i)?) {
                    Some(read) => return Ok(Some(read)),
                    None => reader.day_first(i)?,
                },
            },
        },
        Class::OrdinalNumber => match reader.days_first(i)? {
            Some(read) => return Ok(Some(read)),
            None => reader.day_first(i)?,
        },
        Class::Word(Role::Ones | Role::Ten) => reader.spoken(i, item)?,
        Class::DottedDate => {
            let packed = item.value as u32;
            let mut date = blank(item.span, reader.now);
            date.year = Some((packed / 10_000) as i32);
            date.month = Some((packed / 100 % 100) as u8);
            date.day = Some((packed % 100) as u8);
            Some((date, i + 1))
        }
        _ => None,
    };
    Ok(read.map(|(mut date, used)| {
        date.span = reader.span(i, used);
        Read {
            used,
            found: [Some(Found::Date(date)), None, None],
            after: Before::Other,
        }
    }))
}

fn year(item: Option<&Item>) -> Option<i32> {
    let item = item?;
    let fits = item.class == Class::Number
        && !item.dressed
        && item.digits == 4
        && (1000.0..=2200.0).contains(&item.value);
    fits.then_some(item.value as i32)
}

pub(super) fn day(item: Option<&Item>) -> Option<u8> {
    let item = item?;
    let fits = matches!(item.class, Class::Number | Class::OrdinalNumber)
        && !item.dressed
        && item.digits <= 2
        && (1.0..=31.0).contains(&item.value);
    fits.then_some(item.value as u8)
}

pub(super) fn month(item: Option<&Item>) -> Option<u8> {
    let item = item?;
    let named = matches!(
        item.class,
        Class::Word(Role::Month | Role::MonthDoubtful | Role::MonthShort)
    );
    (named && item.capital).then_some(item.value as u8)
}

impl Reader<'_> {
    /// Past the full stop of a short month ("Jan.").
    pub(super) fn past_dot(&self, i: usize) -> Result<usize, More> {
        let short = self.is(i - 1, Role::MonthShort)?;
        Ok(if short && self.joined(i, Class::Dot)?.is_some() {
            i + 1
        } else {
            i
        })
    }

    /// A year at `i`, a comma or "of" before it allowed.
    pub(super) fn trailing_year(&self, i: usize) -> Maybe<(i32, usize)> {
        let comma = matches!(self.class(i)?, Some(Class::Comma | Class::Word(Role::Of)));
        let at = i + usize::from(comma);
        Ok(year(self.get(at)?).map(|year| (year, at + 1)))
    }

    fn weekday(&self, i: usize, item: &Item) -> Maybe<Dated> {
        let mut at = i + 1;
        let short = item.class == Class::Word(Role::WeekdayShort);
        if short && self.joined(at, Class::Dot)?.is_some() {
            at += 1;
        }
        if self.class(at)? == Some(Class::Comma) {
            at += 1;
        }
        let inner = if month(self.get(at)?).is_some() {
            self.month_first(at)?
        } else if day(self.get(at)?).is_some() {
            self.day_first(at)?
        } else {
            None
        };
        let (mut date, used) = match inner {
            Some(inner) => inner,
            None if short => return Ok(None),
            None => (blank(item.span, self.now), i + 1),
        };
        date.weekday = Some(item.value as u8);
        Ok(Some((date, used)))
    }

    /// "July 23, 2023", "March 1987", "July".
    pub(super) fn month_first(&self, i: usize) -> Maybe<Dated> {
        let item = &self.items[i];
        let mut date = blank(item.span, self.now);
        date.month = month(Some(item));
        let at = self.past_dot(i + 1)?;
        if let Some(day) = day(self.get(at)?) {
            let next = self.get(at + 1)?;
            let counts = next
                .is_some_and(|n| matches!(n.class, Class::Word(Role::Magnitude) | Class::Percent));
            if !counts {
                date.day = Some(day);
                let year = self.trailing_year(at + 1)?;
                date.year = match year {
                    Some((year, _)) => Some(year),
                    None => self.later_year(at + 1, date.month.unwrap_or(1))?,
                };
                return Ok(Some((date, year.map_or(at + 1, |(_, used)| used))));
            }
        }
        if let Some((year, used)) = self.trailing_year(at)? {
            date.year = Some(year);
            return Ok(Some((date, used)));
        }
        // "in May", and not "in May Hall".
        let after_context = i == 0 && self.before.dated();
        let named = item.class == Class::Word(Role::Month)
            || item.class == Class::Word(Role::MonthDoubtful)
                && after_context
                && !self
                    .get(at)?
                    .is_some_and(|next| next.capital && matches!(next.class, Class::Word(_)));
        Ok(named.then_some((date, i + 1)))
    }

    /// "23 July 2023", "5th of May".
    pub(super) fn day_first(&self, i: usize) -> Maybe<Dated> {
        let Some(day) = day(self.get(i)?) else {
            return Ok(None);
        };
        let of = self.items[i].class == Class::OrdinalNumber && self.is(i + 1, Role::Of)?;
        let at = i + 1 + usize::from(of);
        let Some(month) = month(self.get(at)?) else {
            return Ok(None);
        };
        let mut date = blank(self.items[i].span, self.now);
        (date.day, date.month) = (Some(day), Some(month));
        let past = self.past_dot(at + 1)?;
        let year = self.trailing_year(past)?;
        date.year = match year {
            Some((year, _)) => Some(year),
            None => self.later_year(past, month)?,
        };
        Ok(Some((date, year.map_or(at + 1, |(_, used)| used))))
    }

    /// "2023-07-23", "2023/07/23", "23/07/2023".
    fn numeric(&self, i: usize, item: &Item) -> Maybe<Dated> {
        if item.dressed || !matches!(item.digits, 1 | 2 | 4) {
            return Ok(None);
        }
        let mark = match self.get(i + 1)? {
            Some(mark) if mark.adjacent => mark.class,
            _ => return Ok(None),
        };
        if !matches!(mark, Class::Dash | Class::Slash) {
            return Ok(None);
        }
        let Some(second) = self.joined(i + 2, Class::Number)? else {
            return Ok(None);
        };
        if second.dressed || second.digits > 2 || self.joined(i + 3, mark)?.is_none() {
            return Ok(None);
        }
        let Some(third) = self.joined(i + 4, Class::Number)? else {
            return Ok(None);
        };
        let (a, b) = (item.value as u32, second.value as u32);
        let mut date = blank(item.span, self.now);
        if let Some(year) = year(Some(item)) {
            let fits = !third.dressed && third.digits <= 2 && (1..=12).contains(&b);
            date.year = Some(year);
            date.month = Some(b as u8);
            date.day = day(Some(third));
            return Ok((fits && date.day.is_some()).then_some((date, i + 5)));
        }
        let Some(year) = year(Some(third)) else {
            return Ok(None);
        };
        if !(1..=31).contains(&a) || !(1..=31).contains(&b) || (a > 12 && b > 12) {
            return Ok(None);
        }
        date.year = Some(year);
        if a > 12 || a == b {
            (date.day, date.month) = (Some(a as u8), Some(b as u8));
        } else if b > 12 {
            (date.day, date.month) = (Some(b as u8), Some(a as u8));
        }
        Ok(Some((date, i + 5)))
    }

    /// "17:30", "5 pm", "5:30 p.m.", "5 o'clock".
    fn time(&self, i: usize, item: &Item) -> Maybe<Dated> {
        if let Some(minutes) = dotted_time(item) {
            let Some((shift, end)) = self.meridiem(i + 1)? else {
                return Ok(None);
            };
            let mut date = blank(item.span, self.now);
            date.minutes = Some(minutes % 720 + shift);
            return Ok(Some((date, end)));
        }
        if item.dressed || item.digits > 2 || item.value > 23.0 {
            return Ok(None);
        }
        let mut minutes = item.value as u16 * 60;
        let mut used = i + 1;
        let mut clock = false;
        if self.joined(used, Class::Colon)?.is_some()
            && let Some(part) = self.joined(used + 1, Class::Number)?
            && part.digits == 2
            && part.value < 60.0
            && !part.dressed
        {
            minutes += part.value as u16;
            used += 2;
            clock = true;
            if self.joined(used, Class::Colon)?.is_some()
                && self
                    .joined(used + 1, Class::Number)?
                    .is_some_and(|s| s.digits == 2)
            {
                used += 2;
            }
        }
        if let Some((shift, end)) = self
            .meridiem(used)?
            .filter(|_| item.value <= 12.0 && item.value > 0.0)
        {
            minutes = minutes % 720 + shift;
            used = end;
            clock = true;
        }
        let mut date = blank(item.span, self.now);
        date.minutes = Some(minutes);
        Ok(clock.then_some((date, used)))
    }

    /// Minutes to add for "am" or "pm", or none for "o'clock".
    pub(super) fn meridiem(&self, i: usize) -> Maybe<(u16, usize)> {
        Ok(self.get(i)?.and_then(|item| match item.class {
            Class::Word(Role::Meridiem) => Some((item.value as u16 * 720, i + 1)),
            Class::Word(Role::Oclock) => Some((0, i + 1)),
            _ => None,
        }))
    }

    /// "five o'clock", "ten pm".
    fn spoken(&self, i: usize, item: &Item) -> Maybe<Dated> {
        if !(1.0..=12.0).contains(&item.value) {
            return Ok(None);
        }
        let Some((shift, used)) = self.meridiem(i + 1)? else {
            return Ok(None);
        };
        let mut date = blank(item.span, self.now);
        date.minutes = Some(item.value as u16 * 60 % 720 + shift);
        Ok(Some((date, used)))
    }
}

/// The minutes of "9.30", if it can be a time with "am" or "pm" behind it.
fn dotted_time(item: &Item) -> Option<u16> {
    let fits = item.decimals == 2 && !item.plus && !item.comma && matches!(item.digits, 3 | 4);
    let hundreds = (item.value * 100.0).round() as u16;
    let (hour, minute) = (hundreds / 100, hundreds % 100);
    (fits && item.value > 0.0 && (1..=12).contains(&hour) && minute < 60)
        .then_some(hour * 60 + minute)
}

/// "23.07.2023" as year, month and day in one number.
pub(super) fn dotted_date(text: &str) -> Option<f64> {
    let mut parts = text.split('.');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 || day.len() > 2 || month.len() > 2 {
        return None;
    }
    let (day, month, year): (u32, u32, u32) =
        (day.parse().ok()?, month.parse().ok()?, year.parse().ok()?);
    ((1..=31).contains(&day) && (1..=12).contains(&month))
        .then(|| f64::from(year * 10_000 + month * 100 + day))
}
