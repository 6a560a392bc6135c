//! What a sentence says of another time than the base's, or of something more beside its value.

use crate::claims::{Clause, Tense};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{narrowing, time};
use crate::types::LexKind;

use super::Scope;

impl Scope<'_> {
    /// "Apple had 80,000 employees", "France's currency was the franc": of what changes within a
    /// life, the past says nothing of now.
    pub(super) fn changed_since(&self) -> bool {
        let perfect = |i: usize| matches!(self.text(i), "has" | "have");
        let start = |span| self.view.lexemes_in(span).start;
        let at = start(self.object);
        // "X, founded in 1974, has …": the participle tells of no other time.
        let last = self.claim.subject_span.map_or(at, start).max(at);
        // "X, based in Graz, grew": so is that of a seat.
        let seated = |clause: &Clause| {
            clause.group.len() == 1 && narrowing().has("seated", self.text(clause.group.start))
        };
        self.named("now")
            && self.own().any(|clause| {
                clause.tense == Tense::Past
                    && clause.range.contains(&last)
                    && !perfect(clause.group.start)
                    && !seated(clause)
            })
    }

    /// "opened in 1998 and again in 2005", "first in 1998 and then in 2005": a time beside another.
    pub(super) fn once_more(&self) -> bool {
        let object = self.view.lexemes_in(self.object);
        let link = Cue::PREPOSITION.or(Cue::DETERMINER);
        let before = (0..object.start)
            .rev()
            .find(|i| !self.folded.cue(*i).is(link));
        let joined = |i: usize| {
            (0..i).rev().take(2).any(|j| {
                matches!(self.text(j), "and" | "," | ";" | "but") || self.view.word(j) == ","
            })
        };
        before.is_some_and(|i| self.has("again", i) && joined(i))
    }

    /// "nearly opened in 1930", "was fully opened in 1933": less than the fact, or more.
    pub(super) fn half_done(&self) -> bool {
        let at = self.view.lexemes_in(self.object).start;
        self.own().any(|clause| {
            let verb = clause.verb.unwrap_or(clause.group.start);
            let done = clause.tense == Tense::Past && clause.verb.is_some() && at > verb;
            done && (clause.range.start.min(clause.subject.start)..verb)
                .any(|i| self.has("half", i))
        })
    }

    /// "has worked there since 2010", "has been working there": so to this day.
    pub(super) fn lasts(&self, start: usize, end: usize) -> bool {
        let number = |i: usize| self.view.kind(i) == Some(LexKind::Number);
        let since = |i: usize| matches!(self.text(i), "since" | "for");
        matches!(self.text(start), "has" | "have")
            && (self.text(start + 1) == "been"
                || (end..self.len()).any(|i| since(i) && (self.dated(i + 1) || number(i + 1))))
    }

    /// "P has been CEO of X for years", "since 2019": and is so still.
    pub(super) fn held_since(&self) -> bool {
        let long = |i: usize| match self.text(i) {
            "since" => self.dated(i + 1),
            "for" => (i + 1..i + 4).any(|j| time().of("unit_", self.text(j)).is_some()),
            _ => false,
        };
        (1..self.len())
            .any(|i| self.text(i) == "been" && matches!(self.text(i - 1), "has" | "have"))
            && (1..self.len()).any(long)
    }
}
