//! "May" by which somebody is permitted something, and not by which it is left open: "guests may stay up to 4
//! nights", "items may be returned within 30 days".

use crate::claims::clauses::Clause;
use crate::lexicon::cues::Cue;
use crate::lexicon::names::{NameCue, noun_is};
use crate::lexicon::tables::circumstance;

use super::Reader;

/// Words in front of a value among which that stands by which it is a bound.
const BOUND: usize = 3;

impl Reader<'_> {
    /// Whether the word at `i`, in the group of `clause`, permits.
    pub(super) fn permits(&self, clause: &Clause, i: usize) -> bool {
        if self.text(i) != "may" || self.text(i + 1) == "have" {
            return false;
        }
        let subject = clause.subject.clone();
        let person = |i: usize| noun_is(self.text(i), NameCue::IS_PERSON);
        // "He may own 3 boats" is a guess.
        let pronoun = matches!(self.text(subject.start), "you" | "we");
        let named = subject.len() <= 3 && subject.clone().last().is_some_and(person);
        let does = !self.is(i + 1, Cue::COPULA.or(Cue::AUXILIARY));
        if does && !subject.is_empty() {
            return pronoun || named;
        }
        let before = i..self.target;
        self.text(i + 1) == "be"
            && before
                .rev()
                .take(BOUND)
                .any(|at| circumstance().has("permitted", self.text(at)))
    }
}
