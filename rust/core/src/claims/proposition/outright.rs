//! Whether a clause is said outright.

use std::ops::Range;

use super::PropositionReader;
use crate::claims::clauses::Clause;
use crate::claims::forms::base_form;
use crate::claims::stance::{attributed, unasserted_in};
use crate::lexicon::cues::Cue;
use crate::types::{LexFlags, Modality};

impl PropositionReader<'_> {
    /// Whether the clause has an amount that is only roughly so.
    fn rough(&self, clause: &Clause) -> bool {
        self.view.quantities.iter().any(|quantity| {
            let at = self.view.lexemes_in(quantity.span);
            quantity.approximate && clause.range.contains(&at.start)
        })
    }

    /// Whether the clause says what something is able to do, now: "can swim", "cannot swim".
    pub(super) fn able(&self, clause: &Clause) -> bool {
        let able = |i: usize| matches!(self.text(i), "can" | "cannot" | "can't" | "can’t");
        clause.modal && clause.group.clone().any(able)
    }

    /// Whether the clause is said outright.
    pub(super) fn plain(&self, number: usize, clause: &Clause, rest: &Range<usize>) -> bool {
        // "Sometimes" says how often, though it sounds like a hedge.
        let often = |i: usize| self.has("sometimes", i);
        let month = |i: usize| {
            self.text(i) == "may" && self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED)
        };
        let hedge = |i: usize| self.folded.cue(i).is(Cue::HEDGE) && !often(i) && !month(i);
        let words = 0..self.view.lexemes.len();
        let outright = match self.modality {
            Modality::Asserted => {
                let within = |i: usize| clause.range.contains(&i) || clause.group.contains(&i);
                !words.clone().any(|i| within(i) && hedge(i)) && !self.rough(clause)
            }
            Modality::Hedged => words.clone().any(often) && !words.clone().any(hedge),
            _ => false,
        };
        if clause.modal && !self.able(clause) || !outright {
            return false;
        }
        if clause.opener.is_some_and(|i| self.has("hypothetical", i)) {
            return false;
        }
        // A later clause behind a verb of speech, or behind a condition.
        let quoted = self.clauses[..number].iter().any(|earlier| {
            let verb = earlier.verb.map(|v| base_form(self.folded, v));
            verb.is_some_and(|base| self.words.has("quoting", &base))
                || earlier.opener.is_some_and(|i| self.has("condition", i))
        });
        let first = (0..self.view.lexemes.len())
            .find(|i| self.word(*i))
            .unwrap_or(0);
        let framed = first < clause.range.start.max(clause.subject.start)
            && (self.has("condition", first)
                || matches!(self.text(first), "every" | "each" | "any")
                    && self.text(first + 1) == "time")
            && (first..clause.subject.start).any(|i| self.view.word(i) == ",");
        // "is not very hot" may still be hot.
        let degree = clause.negative && rest.clone().any(|i| self.has("degree", i));
        let own = clause.verb.map(|v| base_form(self.folded, v));
        let says = own.is_some_and(|base| self.words.has("quoting", &base));
        let marked = clause.range.clone().any(|i| {
            (self.has("frequency", i) && !self.has("sometimes", i))
                || self.view.lexemes[i].flags.has(LexFlags::QUOTED)
                || (self.text(i) == "not" && self.text(i + 1) == "only")
        });
        // "The user asked whether X is 500 m long", where that is read as one clause.
        let asked = (clause.subject.start.min(clause.range.start)..clause.group.start)
            .any(|i| self.text(i) == "whether");
        let corrected = (0..self.view.lexemes.len().min(2)).any(|i| self.has("correction", i));
        let comparison = self.comparison(clause).is_some();
        let conditional = rest
            .clone()
            .chain(rest.end..self.view.lexemes.len().min(rest.end + 2))
            .any(|i| {
                matches!(
                    self.text(i),
                    "if" | "unless" | "until" | "when" | "while" | "whenever" | "wherever"
                ) || (self.text(i) == "than" && !comparison)
            });
        let told = self.span(rest).or_else(|| self.span(&clause.group));
        let open = told.is_some_and(|at| {
            unasserted_in(self.view, self.folded, Some(self.clauses), at)
                || attributed(self.view, self.folded, at).is_some()
        });
        !quoted
            && !framed
            && !degree
            && !says
            && !marked
            && !corrected
            && !conditional
            && !asked
            && !open
    }
}
