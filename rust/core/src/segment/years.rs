//! Years that are written in words, and numbers in brackets that are no marks.

use super::dates;
use super::parse::{Maybe, More, Read, Reader};
use super::scan::{Before, Class, Found, Item, bare};
use crate::lexicon::units::Role;
use crate::types::QuantityKind;

/// Centuries that are told as a pair of numbers; what is lower is more often a time of day.
const CENTURIES: std::ops::RangeInclusive<f64> = 13.0..=20.0;

impl Reader<'_> {
    /// Whether a word follows that a number counts: "[54 employees]".
    pub(super) fn counts(&self, i: usize) -> Result<bool, More> {
        let next = self.get(i)?;
        Ok(next.is_some_and(|next| next.class == Class::Word(Role::Other) && !next.adjacent))
    }

    /// Whether four digits are the text of a link: "[1992](…)".
    pub(super) fn linked_year(&self, i: usize, item: &Item) -> Result<bool, More> {
        let recent = (1000.0..=2100.0).contains(&item.value);
        Ok(item.digits == 4
            && recent
            && self.joined(i + 1, Class::Mark)?.is_some()
            && self.joined(i + 2, Class::Paren)?.is_some())
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
