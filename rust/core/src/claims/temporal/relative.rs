//! Expressions that count from the reference day: "yesterday", "three days ago", "next Tuesday".

use jiff::civil::Weekday;
use jiff::{Span as Length, ToSpan};

use jiff::civil::Date;

use super::calendar::{Days, monday_of, season_days, unit_days, whole_month};
use super::{CAP, Reader, Temporal};
use crate::types::{LexFlags, LexKind, Span};

impl Reader<'_> {
    /// Expressions that count from the reference day.
    pub(super) fn relative(&self) -> Vec<Temporal> {
        let mut found: Vec<Temporal> = Vec::new();
        for i in 0..self.view.lexemes.len() {
            if found.len() == CAP {
                break;
            }
            let text = self.text(i);
            let marks = self.view.time(i);
            if text.is_empty() || marks.is_empty() {
                continue;
            }
            let shift = [("today", 0), ("yesterday", -1), ("tomorrow", 1)]
                .into_iter()
                .find(|(class, _)| marks.has(class));
            if shift.is_some() && self.titled(i) {
                continue;
            }
            if let Some((_, by)) = shift {
                // "Today" in the present is "nowadays".
                let days = self.shifted(by.days()).map(|day| (day, day));
                found.push(self.counted(i..i + 1, days));
            } else if marks.has("ago") {
                found.extend(self.ago(i));
            } else if let Some(by) = self.direction(i) {
                found.extend(self.beside(i, by));
            }
        }
        found
    }

    /// Whether a word of time is part of a name, or is one ("Edge of Tomorrow").
    fn titled(&self, i: usize) -> bool {
        let capital = |i: usize| {
            let lexeme = self.view.lexemes.get(i);
            lexeme.is_some_and(|l| l.kind == LexKind::Word && l.flags.has(LexFlags::CAPITALIZED))
        };
        if !capital(i) {
            return false;
        }
        let quote = |i: usize| {
            matches!(
                self.view.word(i),
                "\"" | "“" | "”" | "*" | "_" | "'" | "‘" | "’"
            )
        };
        let quoted = i > 0 && quote(i - 1) && i + 1 < self.view.lexemes.len() && quote(i + 1);
        let first = !(0..i).any(|i| self.view.is_term(i));
        !first || quoted || capital(i + 1)
    }

    fn direction(&self, i: usize) -> Option<i32> {
        let marks = self.view.time(i);
        // "The last year of the war" counts from the war.
        let own = |class: &str| marks.has(class) && !self.has("article", self.back(i, 1));
        if own("previous") {
            Some(-1)
        } else if own("following") {
            Some(1)
        } else {
            marks.has("current").then_some(0)
        }
    }

    fn shifted(&self, by: Length) -> Option<Date> {
        self.reference?.checked_add(by).ok()
    }

    fn counted(&self, lexemes: std::ops::Range<usize>, days: Option<Days>) -> Temporal {
        let span = Span::new(
            self.view.lexemes[lexemes.start].span.start,
            self.view.lexemes[lexemes.end - 1].span.end,
        );
        let year = days.map(|(first, _)| i32::from(first.year()));
        self.placed(span, days, year, true)
    }

    /// "three days ago".
    fn ago(&self, i: usize) -> Option<Temporal> {
        let unit = i.checked_sub(1)?;
        let kind = self.words.of("unit_", self.text(unit))?;
        let number = unit.checked_sub(1)?;
        // "one hundred and fifty" is more than fifty.
        let behind = number
            .checked_sub(2)
            .filter(|_| self.back(number, 1) == "and");
        let counts = |i: usize| {
            let span = self.view.lexemes[i].span;
            self.view.quantities.iter().any(|q| q.span.overlaps(span))
        };
        let count = self.count(number).filter(|_| !behind.is_some_and(counts));
        let mut from = number;
        if count.is_none() {
            // "a few years ago" is no day, but it is past.
            while from > 0 && matches!(self.back(from, 1), "a" | "about" | "some") {
                from -= 1;
            }
        }
        let reference = self.reference;
        let middle = count.and_then(|n| {
            let by = match kind {
                "day" => n.days(),
                "week" => n.checked_mul(7)?.days(),
                "month" => n.months(),
                "quarter" => n.checked_mul(3)?.months(),
                "year" => n.years(),
                "decade" => n.checked_mul(10)?.years(),
                "century" => n.checked_mul(100)?.years(),
                _ => return None,
            };
            reference?.checked_sub(by).ok()
        });
        let slack: i64 = match kind {
            "day" => 0,
            "week" => 4,
            "month" => 20,
            "quarter" => 60,
            "year" => 250,
            "decade" => 2000,
            _ => 20_000,
        };
        let days = middle.and_then(|day| {
            Some((
                day.checked_sub(slack.days()).ok()?,
                day.checked_add(slack.days()).ok()?,
            ))
        });
        let mut temporal = self.counted(from..i + 1, days);
        temporal.resolved = middle;
        temporal.year = middle.map(|day| i32::from(day.year()));
        Some(temporal)
    }

    pub(super) fn count(&self, i: usize) -> Option<i64> {
        if matches!(self.text(i), "a" | "an") {
            return Some(1);
        }
        let span = self.view.lexemes[i].span;
        let quantity = self
            .view
            .quantities
            .iter()
            .find(|q| q.span.start <= span.start && span.end <= q.span.end)?;
        let whole = quantity.value.fract() == 0.0 && (0.0..=5000.0).contains(&quantity.value);
        (whole && !quantity.approximate).then_some(quantity.value as i64)
    }

    /// "last year", "next Tuesday", "this summer".
    fn beside(&self, i: usize, by: i32) -> Option<Temporal> {
        let next = self.view.lexemes.get(i + 1)?.span;
        let text = self.text(i + 1);
        let named = self.view.dates.iter().find(|d| d.span == next);
        if let Some(date) = named
            && date.year.is_none()
            && date.day.is_none()
        {
            let days = match (date.weekday, date.month) {
                (Some(weekday), None) => self.weekday(weekday, by),
                (None, Some(month)) => self.month(month, by),
                _ => None,
            };
            return Some(self.counted(i..i + 2, days));
        }
        if self.has("season", text) {
            let year = self.reference.map(|day| i32::from(day.year()));
            let days = year.filter(|_| by == 0).and_then(|y| season_days(text, y));
            return Some(self.counted(i..i + 2, days));
        }
        let kind = self.words.of("unit_", text)?;
        let title = self.view.lexemes[i + 1].flags.has(LexFlags::CAPITALIZED);
        // "Next Day" is a title, and "the last years" a stretch.
        if title || text.ends_with('s') {
            return None;
        }
        let days = self.reference.and_then(|day| unit_days(kind, day, by));
        Some(self.counted(i..i + 2, days))
    }

    fn weekday(&self, weekday: u8, by: i32) -> Option<Days> {
        let reference = self.reference?;
        let wanted = Weekday::from_monday_one_offset(weekday as i8).ok()?;
        let day = match by {
            -1 => reference.nth_weekday(-1, wanted).ok()?,
            1 => reference.nth_weekday(1, wanted).ok()?,
            _ => {
                let monday = monday_of(reference)?;
                monday.checked_add((i64::from(weekday) - 1).days()).ok()?
            }
        };
        Some((day, day))
    }

    fn month(&self, month: u8, by: i32) -> Option<Days> {
        let reference = self.reference?;
        let year = i32::from(reference.year());
        let own = month as i8;
        let year = match by {
            -1 if own >= reference.month() => year - 1,
            1 if own <= reference.month() => year + 1,
            _ => year,
        };
        whole_month(year, month)
    }
}
