//! Reading the window from its start, without looking past what is known.

use super::dates;
use super::power::Sign;
use super::scan::{Before, Class, Found, Item};
use crate::lexicon::units::Role;
use crate::types::Span;

/// What follows the window decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct More;

pub(super) type Maybe<T> = Result<Option<T>, More>;

/// What was read from the window's start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    /// Items used up; 0 if the first starts nothing.
    pub used: usize,
    pub found: [Option<Found>; 3],
    /// What now stands before the rest.
    pub after: Before,
}

pub(super) const NOTHING: Read = Read {
    used: 0,
    found: [None; 3],
    after: Before::Other,
};

/// Reads items, and knows when it would have to see past them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub items: &'a [Item],
    pub last: bool,
    pub before: Before,
    /// A sign at the window's start is none.
    pub barred: bool,
    pub now: usize,
}

impl<'a> Reader<'a> {
    pub fn get(&self, i: usize) -> Maybe<&'a Item> {
        match self.items.get(i) {
            Some(item) => Ok(Some(item)),
            None if self.last => Ok(None),
            None => Err(More),
        }
    }

    pub fn class(&self, i: usize) -> Maybe<Class> {
        Ok(self.get(i)?.map(|item| item.class))
    }

    pub fn is(&self, i: usize, role: Role) -> Result<bool, More> {
        Ok(self.class(i)? == Some(Class::Word(role)))
    }

    /// The item, if it is of that class and nothing stands before it.
    pub fn joined(&self, i: usize, class: Class) -> Maybe<&'a Item> {
        Ok(self
            .get(i)?
            .filter(|item| item.class == class && item.adjacent))
    }

    pub fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.items[from].span.start, self.items[to - 1].span.end)
    }
}

/// Whether a number or date can start with `item`.
pub(super) fn may_start(item: &Item) -> bool {
    if matches!(item.sign, Sign::Exponential | Sign::TimesTen) {
        return true;
    }
    match item.class {
        Class::Number
        | Class::OrdinalNumber
        | Class::Decade
        | Class::Label
        | Class::DottedDate
        | Class::Currency
        | Class::Approx => true,
        Class::Dash => !item.adjacent,
        Class::Word(role) => match role {
            Role::Ones
            | Role::Ten
            | Role::Ordinal
            | Role::Half
            | Role::Article
            | Role::Approx
            | Role::More
            | Role::At
            | Role::Up => true,
            Role::Minus => !item.adjacent,
            Role::Month
            | Role::MonthDoubtful
            | Role::MonthShort
            | Role::Weekday
            | Role::WeekdayShort => item.capital,
            _ => item.atom != 0 && item.caps,
        },
        _ => false,
    }
}

/// Reads what starts at the window's first item.
pub(super) fn parse(
    items: &[Item],
    last: bool,
    (before, barred): (Before, bool),
    now: usize,
) -> Result<Read, More> {
    let reader = Reader {
        items,
        last,
        before,
        barred,
        now,
    };
    if matches!(items[0].class, Class::Dash | Class::Word(Role::Minus)) {
        return reader.signed();
    }
    let start = match items[0].class {
        Class::Approx | Class::Word(Role::Approx) => 1,
        Class::Word(Role::More) if reader.is(1, Role::Than)? => 2,
        Class::Word(Role::At) if reader.is(1, Role::Least)? => 2,
        Class::Word(Role::Up) if reader.is(1, Role::To)? => 2,
        Class::Word(Role::More | Role::At | Role::Up) => return Ok(NOTHING),
        _ => 0,
    };
    if start > 0 && !reader.get(start)?.is_some_and(may_start) {
        return Ok(NOTHING);
    }
    if let Some(read) = dates::date(&reader, start)? {
        return Ok(read);
    }
    Ok(reader.quantity(start, start > 0)?.unwrap_or(NOTHING))
}
