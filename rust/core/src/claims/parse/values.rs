//! What kind of value a phrase is: a date, a day, a length of time, an amount of money.

use std::ops::Range;

use crate::claims::view::SentenceView;
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::time;
use crate::lexicon::units::unit;
use crate::segment::{clocks, clocks_both};
use crate::types::{Quantity, QuantityKind, Span};

use super::Parser;

/// Words behind which "ten to three" is a time.
const AT: [&str; 7] = ["at", "by", "until", "till", "around", "about", "before"];

/// The times of day of a sentence, in its order.
pub(in crate::claims) fn times_of_day(view: &SentenceView<'_>) -> Vec<Span> {
    let base = view.sentence.span.start;
    let placed = |span: Span| Span::new(base + span.start, base + span.end);
    let (plain, told) = if view.text.contains(" to ") {
        clocks_both(view.text)
    } else {
        (clocks(view.text), Vec::new())
    };
    let mut found: Vec<Span> = plain.iter().map(|clock| placed(clock.span)).collect();
    for clock in told {
        let text = &view.text[clock.span.start..clock.span.end];
        let before = view.text[..clock.span.start].split_whitespace().next_back();
        let at = before.is_some_and(|word| AT.iter().any(|own| own.eq_ignore_ascii_case(word)));
        let apart = !plain.iter().any(|other| other.span.overlaps(clock.span));
        if at && apart && text.contains(" to ") {
            found.push(placed(clock.span));
        }
    }
    found.sort_by_key(|span| span.start);
    found
}

impl Parser<'_> {
    /// Whether the words are a date with a year and nothing else.
    pub(super) fn bare_year(&self, object: &Range<usize>) -> bool {
        self.span(object).is_some_and(|span| {
            let dates = self.view.dates.iter().filter(|date| date.year.is_some());
            let years = self.view.quantities.iter();
            dates.map(|date| date.span).any(|own| own == span)
                || years
                    .filter(|quantity| quantity.kind == QuantityKind::Year)
                    .any(|quantity| quantity.span == span)
        })
    }

    /// Whether the phrase is a length of time: "for ten years".
    pub(super) fn lasting(&self, range: &Range<usize>) -> bool {
        self.span(range).is_some_and(|span| {
            self.view.quantities.iter().any(|quantity| {
                let time = quantity.unit.is_some_and(|id| unit(id).dimension == "time");
                time && quantity.span == span
            })
        })
    }

    /// Whether an amount of money stands in the phrase.
    pub(super) fn money(&self, range: &Range<usize>) -> bool {
        self.span(range).is_some_and(|span| {
            let quantities = self.view.quantities.iter();
            quantities
                .filter(|quantity| quantity.kind == QuantityKind::Money)
                .any(|quantity| span.overlaps(quantity.span))
        })
    }

    /// Whether a number of that dimension stands in the phrase.
    pub(super) fn measures(&self, range: &Range<usize>, dimension: &str) -> bool {
        self.span(range).is_some_and(|span| {
            let within = self
                .view
                .quantities
                .iter()
                .filter(|q| span.overlaps(q.span));
            within
                .filter_map(|q| q.unit)
                .any(|id| unit(id).dimension == dimension)
        })
    }

    /// Whether it is a day of every week by itself: "Mondays".
    pub(super) fn habitual(&self, range: &Range<usize>) -> bool {
        self.span(range).is_some_and(|span| {
            let days = self.view.dates.iter().filter(|date| date.weekday.is_some());
            days.map(|date| date.span).any(|day| day == span)
                && self.view.at(span).ends_with("days")
        })
    }

    /// The day of "every Monday", "Mondays", "each Monday" where that is all.
    pub(super) fn weekly(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let every = range.len() > 1 && matches!(self.text(range.start), "every" | "each");
        let day = range.start + usize::from(every)..range.end;
        let span = self.span(&day)?;
        let mut days = self.view.dates.iter().filter(|date| date.weekday.is_some());
        let one = days.any(|date| date.span == span);
        (one && (every || self.habitual(&day))).then_some(day)
    }

    /// Whether a time of day stands in the phrase.
    pub(super) fn clocked(&self, range: &Range<usize>) -> bool {
        self.span(range)
            .is_some_and(|span| self.view.times_of_day().iter().any(|c| c.overlaps(span)))
    }

    /// Whether the phrase is an hour by itself: "at three".
    pub(super) fn hour(&self, range: &Range<usize>) -> bool {
        self.span(range).is_some_and(|span| {
            self.view.quantities.iter().any(|q| {
                q.span == span
                    && q.kind == QuantityKind::Cardinal
                    && q.unit.is_none()
                    && q.value.fract() == 0.0
                    && (1.0..=24.0).contains(&q.value)
            })
        })
    }

    pub(super) fn dated(&self, object: &Range<usize>) -> bool {
        let Some(span) = self.span(object) else {
            return false;
        };
        let dates = self.view.dates.iter();
        dates
            .filter(|date| date.year.is_some() || date.month.is_some())
            .any(|date| span.overlaps(date.span))
            || self
                .view
                .quantities
                .iter()
                .any(|quantity| quantity.kind == QuantityKind::Year && span.overlaps(quantity.span))
            || self.of_century(object)
    }

    /// "the 18th century".
    fn of_century(&self, object: &Range<usize>) -> bool {
        object.clone().skip(1).any(|i| {
            let ranked = |q: &Quantity| {
                q.kind == QuantityKind::Ordinal
                    && self
                        .span(&(i - 1..i))
                        .is_some_and(|span| span.overlaps(q.span))
            };
            time().has("unit_century", self.text(i)) && self.view.quantities.iter().any(ranked)
        })
    }

    /// Whether it names a day by weekday or month.
    pub(super) fn timed(&self, object: &Range<usize>) -> bool {
        self.span(object).is_some_and(|span| {
            let dates = self.view.dates.iter();
            dates
                .filter(|date| date.weekday.or(date.month).is_some())
                .any(|date| span.overlaps(date.span))
        })
    }

    /// Without what says when or how often: "twice a day", "last year", "quickly".
    pub(super) fn without_time(&self, mut range: Range<usize>) -> Range<usize> {
        let cut = range.clone().find(|i| {
            let temporal = self.is(*i, Cue::TEMPORAL) && !self.capital(*i);
            let times = matches!(self.text(i + 1), "times" | "time") && i + 1 < range.end;
            temporal && !self.temporal_adjective(*i, &range) || times
        });
        if let Some(cut) = cut {
            range.end = cut;
        }
        while range.end > range.start {
            let last = range.end - 1;
            let word = self.text(last);
            let adverb = word.len() > 4
                && word.ends_with("ly")
                && !self.is(last, Cue::FALSE_ADVERB)
                && !self.capital(last);
            let bare = range.len() == 1 && self.is(last, Cue::ADVERB);
            if !adverb && !bare {
                break;
            }
            range.end -= 1;
        }
        range
    }

    /// "the daily paper", "the last train": part of a noun phrase.
    fn temporal_adjective(&self, i: usize, range: &Range<usize>) -> bool {
        let after = i > range.start && self.is(i - 1, Cue::DETERMINER) && i + 1 < range.end;
        let whole = matches!(self.text(i), "every" | "each" | "last" | "next")
            && i == range.start
            && !matches!(
                self.text(i + 1),
                "day"
                    | "night"
                    | "week"
                    | "weekend"
                    | "month"
                    | "year"
                    | "morning"
                    | "evening"
                    | "summer"
                    | "winter"
                    | "spring"
                    | "autumn"
                    | "time"
                    | "monday"
                    | "tuesday"
                    | "wednesday"
                    | "thursday"
                    | "friday"
                    | "saturday"
                    | "sunday"
            );
        after || whole
    }
}
