//! What kind of value a phrase is: a date, a day, a length of time, an amount of money.

use std::ops::Range;

use crate::lexicon::units::unit;
use crate::types::QuantityKind;

use super::Parser;

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
}
