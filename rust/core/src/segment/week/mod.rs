//! Weekly schedules in a text: on which days something is said to be open, on which closed, and
//! whether the list is complete.

mod conclude;
mod phrase;
mod predicate;
mod sentence;
mod subject;
mod words;

use crate::lexicon::tables::schedule;
use crate::types::Span;

use super::Clock;

pub use sentence::{Statement, Weeks, topic, weeks};
pub use subject::Subject;

/// Days of the week as a set: bit 0 is Monday.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Days(u8);

impl Days {
    /// No day.
    pub const NONE: Self = Self(0);
    /// All seven.
    pub const ALL: Self = Self(0x7f);
    /// Monday to Friday.
    pub const WEEKDAYS: Self = Self(0x1f);
    /// Saturday and Sunday.
    pub const WEEKEND: Self = Self(0x60);

    /// The set of that day, 0 (Monday) to 6; empty beyond.
    #[must_use]
    pub const fn of(day: usize) -> Self {
        if day < 7 { Self(1 << day) } else { Self::NONE }
    }

    /// From one day through another, over the end of the week where the second comes first.
    #[must_use]
    pub fn range(from: usize, through: usize) -> Self {
        let mut days = Self::of(from);
        let mut at = from;
        while at != through % 7 && at < 7 {
            at = (at + 1) % 7;
            days = days.or(Self::of(at));
        }
        days
    }

    /// Days of either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Days of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Days of this that the other lacks.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether it has all days of the other.
    #[must_use]
    pub const fn holds(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many, 0..=7.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Its days in order, 0 (Monday) to 6.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..7).filter(move |day| self.holds(Self::of(*day)))
    }

    /// First and last day of the one stretch that its days are, over the end of the week too; `None`
    /// for fewer than two days, for all and for several stretches.
    #[must_use]
    pub fn stretch(self) -> Option<(usize, usize)> {
        if self.len() < 2 || self == Self::ALL {
            return None;
        }
        let starts = |day: &usize| !self.holds(Self::of((*day + 6) % 7));
        let mut first = self.iter().filter(starts);
        let from = first.next().filter(|_| first.next().is_none())?;
        Some((from, (from + self.len() - 1) % 7))
    }
}

/// How days are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// "Monday".
    Name,
    /// "Mondays", "every Monday".
    Each,
    /// "Monday to Friday".
    Range,
    /// "weekdays", "the weekend".
    Class,
    /// "daily", "every day", "seven days a week".
    All,
}

/// Days as they are written at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phrase {
    /// The days.
    pub days: Days,
    /// How they are written.
    pub form: Form,
    /// Whether they are said open.
    pub open: bool,
    /// Where.
    pub span: Span,
}

/// Days with the times that are told of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The days; all where only times are told.
    pub days: Days,
    /// Times of day; none for all of it.
    pub clocks: Vec<Clock>,
}

/// What a text says of a week. A day in neither set is not spoken of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Week {
    /// Days said open.
    pub open: Days,
    /// Days said closed.
    pub closed: Days,
    /// Whether the days that are not said open are closed.
    pub complete: bool,
    /// Whether that is said in so many words ("only").
    pub only: bool,
    /// "six days a week": how many are open, and where the number stands.
    pub count: Option<(usize, Span)>,
    /// The days as written.
    pub phrases: Vec<Phrase>,
    /// Times and their days.
    pub parts: Vec<Part>,
    /// Whether it may be said of one date ("on Monday").
    pub once: bool,
}

/// Reads a text that is nothing but a schedule: the value of an attribute, of days that are `open`
/// where it does not say otherwise. `None` where it has no day or anything else in it.
#[must_use]
pub fn week(value: &str, open: bool) -> Option<Week> {
    let words = words::Words::read(value, true);
    let (week, end) = predicate::Predicate::listed(&words, open).read(0)?;
    let told = week.phrases.is_empty() && week.count.is_none();
    let rest = words.get(end).is_some();
    let mut week = week;
    week.complete = !week.open.is_empty() || week.complete;
    (!rest && !told).then_some(week)
}

/// Whether a word may belong to days: a look at its first letters.
#[must_use]
pub fn may_be_day(word: &str) -> bool {
    static STARTS: std::sync::OnceLock<Vec<[u8; 3]>> = std::sync::OnceLock::new();
    let starts = STARTS.get_or_init(|| {
        let classes = [
            "day",
            "short",
            "short_three",
            "weekdays",
            "weekend",
            "daily",
            "day_noun",
            "week",
        ];
        let listed = classes.iter().flat_map(|class| schedule().listed(class));
        let mut starts: Vec<[u8; 3]> = listed
            .filter_map(|word| word.as_bytes().first_chunk::<3>().copied())
            .collect();
        starts.sort_unstable();
        starts.dedup();
        starts
    });
    let first = word.as_bytes().first_chunk::<3>();
    first.is_some_and(|first| {
        let first = first.map(|b| b.to_ascii_lowercase());
        starts.binary_search(&first).is_ok()
    })
}
