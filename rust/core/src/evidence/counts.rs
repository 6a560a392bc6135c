//! Counts that the evidence tells of other things.

use crate::claims::word_hash;
use crate::lexicon::tables::otherwise;
use crate::normal::stem;
use crate::types::{Quantity, QuantityKind};

use super::conflict::Context;
use super::set::{EvidenceSet, year_of};

/// Counts up to this are told of anything.
const COUNTED: f64 = 4.0;

impl EvidenceSet {
    /// Whether a count is told nowhere but of things that are counted by another noun, of which the
    /// sentence does not speak ("45 employees", where 120 employees and 45 trucks are told).
    #[must_use]
    pub fn counts_others(&self, said: &Quantity, context: &Context<'_>) -> bool {
        let noun = context.around.noun;
        let count = |q: &Quantity| q.kind == QuantityKind::Cardinal && q.unit.is_none();
        if !count(said) || noun == 0 || said.value.abs() < COUNTED {
            return false;
        }
        let spoken = |stem: u64| context.words.iter().any(|word| word.stem == stem);
        let same = |own: &Quantity| (own.value - said.value).abs() <= 1e-9 * said.value.abs();
        // People are called by many nouns.
        let people = |noun: u64| {
            let words = otherwise().listed("people").iter();
            words.into_iter().any(|word| word_hash(&stem(word)) == noun)
        };
        let counts_people = people(noun);
        let mut told = self
            .all_quantities()
            .filter(|(_, own)| same(&own.quantity))
            .peekable();
        told.peek().is_some()
            && told.all(|(_, own)| {
                let other = own.context.noun;
                own.quantity.unit.is_some()
                    || count(&own.quantity)
                        && other != 0
                        && other != noun
                        && !spoken(other)
                        && !(counts_people && people(other))
            })
            && !self
                .all_dates()
                .any(|(_, own)| year_of(&own.date) == Some(said.value))
    }
}
