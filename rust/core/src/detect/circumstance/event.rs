//! Values that are told of something that happened, or of a time or case that a clause of its own names:
//! "hired 30 employees" and "had 12 employees when it was founded" say nothing of how many there are.

use crate::claims::Tense;
use crate::lexicon::cues::{Cue, verb};
use crate::types::LexKind;

use super::Reader;

/// Words that open such a clause.
const CASES: [&str; 10] = [
    "when", "while", "before", "after", "until", "till", "if", "unless", "once", "whenever",
];
/// Words that open a clause about something else.
const RELATIVE: [&str; 5] = ["that", "which", "who", "whose", "where"];

/// What the clause of a value tells: a state, or something that happened.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Of no clause with a time, or of another one.
    #[default]
    Open,
    /// How it is now, by this verb.
    State(&'static str),
    /// What somebody did, by this verb.
    Event(&'static str),
}

impl Told {
    /// Whether one tells what happened and the other, by another verb, how it is.
    pub(super) fn differs(self, other: Self) -> bool {
        match (self, other) {
            (Self::Event(one), Self::State(other)) | (Self::State(other), Self::Event(one)) => {
                one != other
            }
            _ => false,
        }
    }
}

impl Reader<'_> {
    /// See [`Told`].
    pub(super) fn told(&self) -> Told {
        let Some(clause) = self.clause() else {
            return Told::Open;
        };
        let full = clause.verb.and_then(|at| verb(self.folded.get(at)));
        let start = self.view.lexemes_in(self.value).start;
        // "was built with 12 arches" tells how it is.
        let made = clause.copula && start > 0 && self.folded.get(start - 1) == "with";
        match (clause.tense, full) {
            (Tense::Present, Some(verb)) => Told::State(verb),
            (Tense::Present, None) if clause.copula => Told::State("be"),
            (Tense::Present, None) => Told::State("have"),
            (Tense::Past, Some(verb)) if !made && clause.verb.is_some() => Told::Event(verb),
            _ => Told::Open,
        }
    }

    /// The word by which a clause says when or in which case the value holds: behind the value, or in
    /// front of the sentence.
    pub(super) fn case(&self) -> Option<&str> {
        let end = self.view.lexemes_in(self.whole).end;
        let behind = (end..self.view.lexemes.len())
            .take_while(|i| !self.ends(*i))
            .find(|i| self.opens_case(*i));
        // "When you arrive, …" is of the reader.
        let front = self.opens_case(0) && self.folded.get(1) != "you";
        let at = behind.or_else(|| (front && end > 0).then_some(0))?;
        Some(self.folded.get(at))
    }

    /// Whether something else begins there.
    fn ends(&self, i: usize) -> bool {
        let word = self.folded.get(i);
        let joins = self.folded.cue(i).is(Cue::CONJUNCTION) && !CASES.contains(&word);
        joins || RELATIVE.contains(&word) || matches!(word, ";" | ":" | "(" | "–" | "—")
    }

    /// "when it opened", "if bought online", not "before 5 pm" and "until Sunday".
    fn opens_case(&self, i: usize) -> bool {
        let next = self.view.lexemes.get(i + 1);
        let counted = next.is_none_or(|next| {
            next.kind == LexKind::Number
                || (self.view.dates.iter()).any(|date| date.span.overlaps(next.span))
        });
        CASES.contains(&self.folded.get(i)) && !counted
    }
}
