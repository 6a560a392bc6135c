//! Decimal numbers that are times: "at 9.30", "from 9.30 to 17.00".

use super::{Reader, Sign};
use crate::lexicon::tables::time;
use crate::lexicon::units::by_name;

/// Words and marks to each side of a number among which its sentence is looked for.
const SENTENCE: usize = 24;

impl Reader<'_> {
    /// Whether "9.30" is a time by the words around it: behind a preposition of time, or one end of a
    /// stretch behind one, where the sentence speaks of what has hours, counts nothing, and tells no
    /// price or score.
    pub(super) fn marked(&self, i: usize) -> bool {
        let ranged = |from: usize, to: usize| {
            matches!(self.sign(from), Sign::Dotted(..))
                && matches!(self.sign(to), Sign::Dotted(..))
                && self.joins(from + 1)
                && !self.counts(to + 1)
        };
        let leads = |at: usize| {
            let before = at.checked_sub(1).map(|at| self.sign(at));
            matches!(before, Some(Sign::Word(word)) if time().has("clock_lead", &word.to_lowercase()))
        };
        let placed = leads(i) || i >= 2 && ranged(i - 2, i) && leads(i - 2);
        if !placed || self.counts(i + 1) && !ranged(i, i + 2) {
            return false;
        }
        let ends = |at: &usize| {
            let (sign, span) = self.signs[*at];
            sign == Sign::Other && matches!(&self.text[span.start..span.end], "." | "!" | "?" | ";")
        };
        let before = (0..i).rev().take_while(|at| !ends(at)).take(SENTENCE);
        let after = (i + 1..self.signs.len())
            .take_while(|at| !ends(at))
            .take(SENTENCE);
        let mut timed = false;
        for at in before.chain(after) {
            let Sign::Word(word) = self.sign(at) else {
                continue;
            };
            let word = word.to_lowercase();
            if time().has("unclocked", &word) {
                return false;
            }
            timed |= time().has("clocked", &word);
        }
        timed
    }

    /// Whether the sign at a place makes the number before it an amount.
    fn counts(&self, i: usize) -> bool {
        match self.sign(i) {
            Sign::Word(word) => by_name(word).is_some() || word == "out",
            Sign::Other => self.signs.get(i).is_some_and(|(_, span)| {
                matches!(
                    &self.text[span.start..span.end],
                    "%" | "€" | "$" | "£" | "/" | "°"
                )
            }),
            _ => false,
        }
    }
}
