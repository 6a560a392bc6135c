//! What the days and times behind a state come to.

use crate::segment::Clock;

use super::predicate::{Group, Predicate};
use super::{Days, Form, Part, Week};

impl Predicate<'_> {
    /// The week; `None` where it cannot be told.
    pub(super) fn week(self) -> Option<Week> {
        let mut week = Week::default();
        let (mut open, mut closed) = (Days::NONE, self.excepted);
        let mut ranged = !self.excepted.is_empty();
        for group in &self.groups {
            let phrase = group.phrase;
            if phrase.open {
                open = open.or(phrase.days);
                let whole = phrase.form == Form::Range
                    || phrase.form == Form::All
                    || phrase.days == Days::WEEKDAYS && phrase.form == Form::Class;
                ranged |= whole && !group.too;
                week.parts.push(Part {
                    days: phrase.days,
                    clocks: group.clocks.clone(),
                });
            } else {
                // Shut for an hour is not closed, and "not open every day" is open on some.
                if !group.clocks.is_empty() || phrase.form == Form::All {
                    return None;
                }
                closed = closed.or(phrase.days);
            }
        }
        if self.groups.is_empty() && !self.ahead.is_empty() {
            week.parts.push(Part {
                days: Days::ALL,
                clocks: self.ahead.clone(),
            });
        }
        // Times in front of days that share them.
        let clocks: Vec<Vec<Clock>> = self.runs();
        for (part, clocks) in week.parts.iter_mut().zip(clocks) {
            if part.clocks.is_empty() {
                part.clocks = clocks;
            }
        }
        week.open = open.without(closed);
        week.closed = closed;
        week.only = self.only;
        let any_open = self.groups.iter().any(|group| group.phrase.open);
        week.complete = any_open && (ranged || self.only);
        if self.only && !any_open && !closed.is_empty() {
            week.open = Days::ALL.without(closed);
            week.complete = true;
        }
        week.count = self.count.and_then(|(count, span, open)| {
            let open = if open {
                Some(count)
            } else {
                7_usize.checked_sub(count)
            };
            open.map(|count| (count, span))
        });
        let also = self.groups.iter().any(|group| group.too);
        let single = |group: &Group| group.phrase.form == Form::Name && group.clocks.is_empty();
        week.once = !self.list
            && self.groups.first().is_some_and(|group| group.on)
            && self.groups.iter().all(single);
        week.complete &= !also || ranged;
        week.phrases = self.groups.iter().map(|group| group.phrase).collect();
        Some(week)
    }

    /// For each open group without times of its own those of its neighbours of one run.
    fn runs(&self) -> Vec<Vec<Clock>> {
        let open: Vec<&Group> = self
            .groups
            .iter()
            .filter(|group| group.phrase.open)
            .collect();
        let mut out = vec![Vec::new(); open.len()];
        for i in (0..open.len()).rev() {
            out[i] = if !open[i].clocks.is_empty() || self.times_first {
                open[i].clocks.clone()
            } else {
                out.get(i + 1).cloned().unwrap_or_default()
            };
        }
        out
    }
}
