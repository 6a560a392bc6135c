//! Several passages asked together.

use std::sync::Arc;

use crate::claims::{numbers_agree, word_hash};
use crate::lexicon::units::same_name;
use crate::normal::fold_name;
use crate::types::{DateExpr, Quantity, QuantityKind};

use super::days::{weekday_of, without_own_weekday};
use super::otherwise::renumbered;
use super::passage::Passage;

/// The evidence of a stream. Cloning it is one reference count; adding copies a list of them.
#[derive(Debug, Clone, Default)]
pub struct EvidenceSet {
    passages: Arc<Vec<Arc<Passage>>>,
}

impl EvidenceSet {
    /// A set of those passages, in that order.
    #[must_use]
    pub fn new(passages: Vec<Arc<Passage>>) -> Self {
        Self {
            passages: Arc::new(passages),
        }
    }

    /// Adds a passage; clones made before keep what they had.
    pub fn add(&mut self, passage: Arc<Passage>) {
        Arc::make_mut(&mut self.passages).push(passage);
    }

    /// Its passages in order.
    #[must_use]
    pub fn passages(&self) -> &[Arc<Passage>] {
        &self.passages
    }

    /// Number of passages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.passages.len()
    }

    /// Whether there is no passage.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// Whether the name occurs: its words one after the other, or each of them somewhere in one
    /// passage ("University of Utrecht" for "Utrecht University"). A ruler's number may be written
    /// otherwise.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        self.has_written(name) || renumbered(name).is_some_and(|name| self.has_written(&name))
    }

    fn has_written(&self, name: &str) -> bool {
        let folded = fold_name(name);
        let words: Vec<u64> = folded
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(word_hash)
            .collect();
        !words.is_empty()
            && self.passages.iter().any(|passage| {
                let data = passage.data();
                data.has_sequence(&words)
                    || (words.len() > 1 && words.iter().all(|word| data.has_token(*word)))
            })
    }

    /// Whether the number occurs, as precisely as it is written and in any unit of the same
    /// dimension. A number without unit meets one with ("12" and "12 km"); a year meets a date.
    #[must_use]
    pub fn has_quantity(&self, said: &Quantity) -> bool {
        self.passages.iter().any(|passage| {
            let data = passage.data();
            let counted = data.quantities.iter().any(|own| {
                let own = &own.quantity;
                numbers_agree(said, own.value, own.unit).unwrap_or_else(|| {
                    (said.unit.is_none() || own.unit.is_none())
                        && numbers_agree(
                            &Quantity {
                                unit: None,
                                ..*said
                            },
                            own.value,
                            None,
                        ) == Some(true)
                        || one_currency(said, own)
                })
            });
            counted
                || (is_year(said)
                    && data
                        .dates
                        .iter()
                        .any(|own| year_of(&own.date) == Some(said.value)))
        })
    }

    /// Whether the date occurs, as far as it is written; a weekday may follow from the rest.
    #[must_use]
    pub fn has_date(&self, said: &DateExpr) -> bool {
        let said = &without_own_weekday(said);
        self.passages.iter().any(|passage| {
            let data = passage.data();
            // "The 2019 tour lasted from the 3rd to the 8th of November."
            let told = |year: i32| {
                let mut years = data.quantities.iter().filter(|own| is_year(&own.quantity));
                years.any(|own| (own.quantity.value - f64::from(year)).abs() < 0.5)
            };
            let of_year = |own: &DateExpr| {
                let undated = DateExpr {
                    year: None,
                    ..*said
                };
                own.year.is_none() && own.day.is_some() && covers(own, &undated)
            };
            let dated = data.dates.iter().any(|own| {
                covers(&own.date, said) || of_year(&own.date) && said.year.is_some_and(told)
            });
            // "24–26 December" has the 25th, which is no end of a stretch there.
            let within = || said.span.len() > 2 && data.in_stretch(said);
            dated
                || within()
                || said
                    .year
                    .filter(|_| said.month.is_none())
                    .is_some_and(|year| {
                        data.quantities.iter().any(|own| {
                            own.quantity.unit.is_none()
                                && (own.quantity.value - f64::from(year)).abs() < 0.5
                        })
                    })
        })
    }

    /// Number of sentences.
    #[must_use]
    pub fn sentences(&self) -> usize {
        self.passages
            .iter()
            .map(|passage| passage.data().sentences().len())
            .sum()
    }
}

/// The same amount in currencies that one word names ("dollar").
fn one_currency(said: &Quantity, own: &Quantity) -> bool {
    let bare = Quantity {
        unit: None,
        ..*said
    };
    said.unit
        .zip(own.unit)
        .is_some_and(|(a, b)| same_name(a, b))
        && numbers_agree(&bare, own.value, None) == Some(true)
}

pub(super) fn is_year(quantity: &Quantity) -> bool {
    quantity.kind == QuantityKind::Year
}

pub(super) fn year_of(date: &DateExpr) -> Option<f64> {
    date.year.map(f64::from)
}

/// Whether every part that `said` names is the same in `own`.
fn covers(own: &DateExpr, said: &DateExpr) -> bool {
    fn part<T: PartialEq>(own: Option<T>, said: Option<T>) -> bool {
        said.is_none() || own == said
    }
    part(own.year, said.year)
        && part(own.month, said.month)
        && part(own.day, said.day)
        && (said.weekday.is_none() || weekday_of(own) == said.weekday)
        && part(own.minutes, said.minutes)
}
