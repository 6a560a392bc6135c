//! Whose date it is: "founded the museum after leaving the navy in 1958" dates the leaving.

use std::ops::Range;

use crate::lexicon::tables::frames;

use super::{Group, Parser};

impl Parser<'_> {
    /// Whether the date at `object`, with its preposition before it, is of another event that the clause
    /// tells behind its verb: what came before or after, or what it was done
    /// for ("built for the World Fair in 1902").
    pub(super) fn dates_other(&self, group: &Group, object: &Range<usize>) -> bool {
        let Some(prep) = object.start.checked_sub(1) else {
            return false;
        };
        if prep <= group.end || self.comma(prep - 1) || !self.dated(object) {
            return false;
        }
        let words = group.end..prep;
        let begins = |i: usize| {
            let noun = |i: usize| i < prep && self.word(i);
            frames().has("date_binder", self.text(i)) && noun(i + 1)
                || frames().has("date_cause", self.text(i))
                    && matches!(self.text(i + 1), "of" | "to" | "with")
        };
        let funded = || {
            let with = words.clone().find(|i| self.text(*i) == "with");
            with.is_some_and(|with| (with..prep).any(|i| self.text(i) == "from"))
        };
        let event = || {
            let ahead = words
                .clone()
                .any(|i| matches!(self.text(i), "for" | "of" | "at" | "to"));
            ahead && frames().has("date_event", self.text(prep - 1))
        };
        words.clone().any(begins) || funded() || event()
    }
}
