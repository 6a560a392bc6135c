//! Years that are written in words, and numbers in brackets that are no marks.

use super::brackets::{Beside, Lead, YEAR, marks};
use super::dates;
use super::parse::{Maybe, More, Read, Reader};
use super::power::Sign;
use super::scan::{Before, Class, Found, Item, bare};
use crate::lexicon::units::Role;
use crate::types::QuantityKind;

/// Centuries that are told as a pair of numbers; what is lower is more often a time of day.
const CENTURIES: std::ops::RangeInclusive<f64> = 13.0..=20.0;

impl Reader<'_> {
    /// Whether the number in brackets is the mark of a reference, as far as the window tells: "[1]", "[3, 4]",
    /// "[Smith 2020]", not "[54 employees]", "[1992](…)", nor a bracket that nothing closes.
    pub(super) fn marked(&self, i: usize, item: &Item) -> Result<bool, More> {
        let lead = match self.before {
            Before::Marked => return Ok(true),
            Before::Cited | Before::Bracket { .. } if item.dressed => return Ok(false),
            Before::Cited => Lead::Other,
            Before::Bracket { lead, .. } => lead,
            _ => return Ok(false),
        };
        let Some(next) = self.get(i + 1)? else {
            return Ok(false);
        };
        let digits = usize::from(item.digits);
        match next.class {
            // "[54, p. 12]", "[12; 54]", "[Lind 1992, p. 12]"
            Class::Comma | Class::Dash | Class::Colon | Class::Mark
                if next.sign != Sign::Backslash && (next.adjacent || next.class == Class::Dash) =>
            {
                let alone = matches!(lead, Lead::Other | Lead::Joined);
                let numbers = || Ok(self.class(i + 2)? == Some(Class::Number));
                return if digits < YEAR || alone {
                    Ok(true)
                } else {
                    numbers()
                };
            }
            Class::Word(Role::Other | Role::Plural) => return Ok(false),
            Class::Word(_) => return Ok(digits < YEAR),
            _ => {}
        }
        // "[\[1\]](…)"
        let escaped = next.adjacent && next.sign == Sign::Backslash;
        let mut at = i + 1 + usize::from(escaped);
        if self.joined(at, Class::Closed)?.is_none() {
            return Ok(false);
        }
        let mut linked = false;
        at += 1;
        while self.joined(at, Class::Closed)?.is_some() {
            (at, linked) = (at + 1, true);
        }
        let mut end = None;
        let mut inline = false;
        if self.joined(at, Class::Paren)?.is_some() {
            let closes = |item: &Item| item.class == Class::Mark && item.sign == Sign::Close;
            end = self.closes(at + 1, closes)?;
            inline = end.is_some();
        }
        let mut next = end.unwrap_or(at);
        while self.joined(next, Class::Bracket)?.is_some()
            && let Some(closed) = self.closes(next + 1, |item| item.class == Class::Closed)?
        {
            (next, end) = (closed, Some(closed));
        }
        // "**[54](…)** employees"
        while self.joined(next, Class::Mark)?.is_some() {
            next += 1;
        }
        linked |= end.is_some();
        linked &= inline || digits >= YEAR;
        if self.before == Before::Cited {
            return Ok(digits == YEAR && !linked);
        }
        let beside = self.get(next)?.filter(|next| !next.adjacent);
        let beside = beside.map_or(Beside::None, |next| next.beside);
        Ok(marks(lead, digits, linked, beside))
    }

    /// Behind the mark that closes what opened before `at`.
    fn closes(&self, at: usize, is: impl Fn(&Item) -> bool) -> Maybe<usize> {
        let mut end = at;
        while let Some(item) = self.get(end)? {
            end += 1;
            if is(item) {
                // "(…/Harbour_(museum))"
                while self.get(end)?.is_some_and(|next| next.adjacent && is(next)) {
                    end += 1;
                }
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// "nineteen ninety-two", "twenty fourteen", and, after a word like "in", "two thousand and
    /// nine". What counts something ("nineteen ninety-minute games") is no year.
    pub(super) fn spoken_year(&self, i: usize, approximate: bool) -> Maybe<Read> {
        if !matches!(self.class(i)?, Some(Class::Word(Role::Ones | Role::Ten))) {
            return Ok(None);
        }
        let pair = self.paired(i)?;
        let found = match pair {
            Some(found) => Some(found),
            None if self.before.dated() => self.thousands(i)?,
            None => None,
        };
        let Some((value, end)) = found else {
            return Ok(None);
        };
        let next = self.get(end)?;
        let counts = next.is_some_and(|next| {
            let word = matches!(next.class, Class::Word(Role::Other | Role::Or | Role::The))
                && !next.capital;
            next.plural
                || matches!(
                    next.class,
                    Class::Percent
                        | Class::Word(Role::Percent | Role::Hundred | Role::Magnitude)
                        | Class::Word(Role::Parts | Role::Ordinal)
                )
                || (word && value % 100.0 == 0.0)
        });
        if counts || self.tail(end, None, false)?.is_some() {
            return Ok(None);
        }
        let mut quantity = bare(self.span(i, end), value, QuantityKind::Year, self.now);
        quantity.approximate = approximate;
        let mut date = dates::blank(quantity.span, self.now);
        date.year = Some(value as i32);
        Ok(Some(Read {
            used: end,
            found: [
                Some(Found::Quantity(quantity)),
                Some(Found::Date(date)),
                None,
            ],
            after: Before::Years,
        }))
    }

    /// "nineteen" and "ninety-two".
    fn paired(&self, i: usize) -> Maybe<(f64, usize)> {
        let century = self.items[i].value;
        if !CENTURIES.contains(&century) {
            return Ok(None);
        }
        let Some(decade) = self.get(i + 1)? else {
            return Ok(None);
        };
        let (mut rest, mut end) = (decade.value, i + 2);
        match decade.class {
            Class::Word(Role::Ten) => {
                if let Some(ones) = self.get(end)?
                    && ones.class == Class::Word(Role::Ones)
                    && ones.adjacent
                    && (1.0..10.0).contains(&ones.value)
                {
                    rest += ones.value;
                    end += 1;
                }
            }
            Class::Word(Role::Ones) if rest >= 10.0 => {}
            _ => return Ok(None),
        }
        // "twenty twenty-minute walks": the second number counts, the first counts it.
        Ok((!decade.adjacent).then_some((century * 100.0 + rest, end)))
    }

    /// "two thousand and nine".
    fn thousands(&self, i: usize) -> Maybe<(f64, usize)> {
        Ok(self.core(i, false)?.and_then(|core| {
            let whole = core.scale == 1.0 && core.decimals == 0 && core.value.fract() == 0.0;
            (whole && (1100.0..2100.0).contains(&core.value)).then_some((core.value, core.end))
        }))
    }
}
