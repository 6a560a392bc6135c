//! The times of day that a passage tells, in whichever way, and those that follow from them; read once,
//! when a stream first asks.

use crate::lexicon::units::unit;
use crate::segment::{Clock, FIVES, clocks, told_clocks, told_hours};
use crate::types::{Quantity, QuantityKind};

use super::passage::PassageIndex;
use super::set::EvidenceSet;

/// Minutes of a day, and of half of one.
const DAY: usize = 24 * 60;
const HALF: usize = DAY / 2;
/// Minutes that a full or half hour may be off.
const NEAR: usize = 10;
/// Lengths of time that no number tells.
const SPELT: [(&str, f64); 3] = [
    ("half an hour", 30.0),
    ("quarter of an hour", 15.0),
    ("three quarters of an hour", 45.0),
];
/// Words after which a bare number is an hour.
const HOURS: [&str; 6] = ["at", "from", "until", "till", "by", "to"];

/// A set of times of day: those whose half of the day is known, and the others, by the minute.
#[derive(Debug)]
struct Minutes {
    day: [bool; DAY],
    half: [bool; HALF],
}

impl Minutes {
    fn new() -> Self {
        Self {
            day: [false; DAY],
            half: [false; HALF],
        }
    }

    fn add(&mut self, minutes: usize, known: bool) {
        if known {
            self.day[minutes % DAY] = true;
        } else {
            self.half[minutes % HALF] = true;
        }
    }

    fn has(&self, minutes: usize, known: bool) -> bool {
        let (minutes, half) = (minutes % DAY, minutes % HALF);
        let other = !known && (self.day[half] || self.day[half + HALF]);
        self.half[half] || self.day[minutes] || other
    }
}

/// The times of day of one passage.
#[derive(Debug)]
pub struct Times {
    told: Minutes,
    follow: Minutes,
}

impl Times {
    /// Reads a text with its numbers.
    pub(super) fn of<'a>(text: &str, numbers: impl Iterator<Item = &'a Quantity> + Clone) -> Self {
        let (mut told, mut follow) = (Minutes::new(), Minutes::new());
        let mut add = |clock: Clock| {
            let own = clock.as_written(text);
            told.add(usize::from(own.minutes), own.half);
        };
        let plain = clocks(text);
        plain.iter().copied().for_each(&mut add);
        told_clocks(text).into_iter().for_each(&mut add);
        told_hours(text).into_iter().for_each(&mut add);
        for (hour, known) in numbers.clone().filter_map(|own| bare_hour(text, own)) {
            told.add(hour * 60, known);
        }
        let mut lengths: Vec<usize> = numbers.filter_map(length).collect();
        let spelt = SPELT.iter().filter(|(words, _)| text.contains(words));
        lengths.extend(spelt.filter_map(|(_, minutes)| whole(*minutes)));
        lengths.sort_unstable();
        lengths.dedup();
        let mut starts: Vec<usize> = plain.iter().map(|own| usize::from(own.minutes)).collect();
        starts.sort_unstable();
        starts.dedup();
        for start in starts {
            for by in &lengths {
                follow.add(start + by, true);
                follow.add(start + DAY - by, true);
            }
        }
        Self { told, follow }
    }

    /// Whether the time is told, follows from another and a length of time, or is a full or half hour
    /// close to one that is told to the minute ("around 6 pm" of 17:56, "8:40" of 8:41).
    fn say(&self, said: &Clock) -> bool {
        let (minutes, known) = (usize::from(said.minutes), said.half);
        let near = || {
            let rounded = |step: usize, by: usize| {
                let around = minutes + DAY - by..=minutes + DAY + by;
                minutes.is_multiple_of(step)
                    && (around.filter(|at| at % step != 0)).any(|at| self.told.has(at, known))
            };
            rounded(30, NEAR) || rounded(FIVES.0.into(), FIVES.1.into())
        };
        self.told.has(minutes, known) || self.follow.has(minutes, known) || near()
    }
}

/// "Open 10–18" tells of 10:00, which may be at night, and of 6 pm.
fn bare_hour(text: &str, own: &Quantity) -> Option<(usize, bool)> {
    let dash = |c: char| matches!(c, '-' | '–' | '—');
    let plain = own.unit.is_none() && own.kind == QuantityKind::Cardinal;
    let hour = whole(own.value).filter(|hour| plain && *hour <= 24)?;
    let before = text.get(..own.span.start).unwrap_or("").trim_end();
    let behind = text.get(own.span.end..).unwrap_or("").trim_start();
    let mut words = before.rsplit(' ');
    let last = words.next().unwrap_or("");
    let listed = last == "and" && words.nth(1) == Some("between");
    let timed = before.ends_with(dash)
        || behind.starts_with(dash)
        || behind.starts_with("to ")
        || matches!(last, "between")
        || listed
        || HOURS.iter().any(|word| last.eq_ignore_ascii_case(word));
    timed.then_some((hour, hour > 12))
}

/// A length of time in minutes, of less than a day.
fn length(own: &Quantity) -> Option<usize> {
    let of = unit(own.unit?);
    let minutes = whole(own.value * of.factor / 60.0)?;
    (of.base == "second" && (1..DAY).contains(&minutes)).then_some(minutes)
}

fn whole(value: f64) -> Option<usize> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    (value.fract() == 0.0 && (0.0..1e6).contains(&value)).then_some(value as usize)
}

impl PassageIndex {
    fn times(&self) -> &Times {
        self.times.get_or_init(|| {
            let numbers = self.quantities.iter().map(|own| &own.quantity);
            Box::new(Times::of(self.text(), numbers))
        })
    }
}

impl EvidenceSet {
    /// Whether a passage tells the time of day, however it writes it, or one that it follows from.
    #[must_use]
    pub fn tells_time(&self, said: &Clock) -> bool {
        let stamp = format!("{:02}:{:02}", said.minutes / 60, said.minutes % 60);
        let mut passages = self.passages().iter();
        // "2025-10-02T09:14:00Z"
        passages.any(|p| p.data().times().say(said) || p.text().contains(&stamp))
    }
}
