//! What stands in front of a sentence's subject: a date, what it is compared with, what came before.

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;
use crate::types::QuantityKind;

use super::Parser;

/// Most words between a date in front and the comma before the subject.
const BETWEEN: usize = 10;

/// Words of a date, with its preposition, before "that".
const CLEFT: usize = 6;

impl Parser<'_> {
    /// "In 1998, after years of planning, X …": where the sentence goes on behind what stands between
    /// the date and the subject.
    pub(super) fn past_second(&self, start: usize, comma: usize) -> usize {
        let next = comma + 1;
        let len = self.view.lexemes.len();
        let dated = self.dated(&(start + 1..comma));
        let leads = |i: usize| self.is(i, Cue::PREPOSITION) || stance().has("beside", self.text(i));
        if !dated || next >= len || !leads(next) || self.capital(next) {
            return next;
        }
        let second = (next + 1..len.min(next + BETWEEN)).find(|i| self.comma(*i));
        let acts = |at: usize| {
            (next + 1..at).any(|i| {
                self.is(i, Cue::COPULA.or(Cue::AUXILIARY)) || self.past(i) && self.word(i + 1)
            })
        };
        match second {
            Some(second) if self.opens_clause(second + 1) && !acts(second) => second + 1,
            _ => next,
        }
    }

    /// "Overlooking the harbour, X …", "Nestled in the hills, X …": where the sentence goes on behind
    /// a participle of which nothing is read.
    pub(super) fn scene_in_front(&self, start: usize) -> Option<usize> {
        let len = self.view.lexemes.len();
        let first = start + usize::from(self.text(start).ends_with("ly"));
        let word = (first < len).then(|| self.text(first))?;
        let shaped = word.len() > 5 && (word.ends_with("ing") || word.ends_with("ed"));
        let known = self.verb(first).is_some() || stance().has("scene", word);
        if !shaped || !known || self.is(first, Cue::PREPOSITION.or(Cue::COPULA)) {
            return None;
        }
        // "Refurbished, X costs" is of one that is.
        let comma = (start + 2..len.min(first + BETWEEN)).find(|i| self.comma(*i))?;
        let acts = (first + 1..comma).any(|i| self.finite(i, first + 1, true));
        let verb = (comma + 1..len).find(|i| self.finite(*i, comma + 1, false))?;
        // "Visiting Norland, the home of X, costs": what is visited goes on.
        let goes_on = (comma + 1..verb).any(|i| self.comma(i));
        (!acts && !goes_on && self.opens_clause(comma + 1)).then_some(comma + 1)
    }

    /// Whether a subject may begin here.
    fn opens_clause(&self, i: usize) -> bool {
        let subject = Cue::DETERMINER
            .or(Cue::POSSESSIVE)
            .or(Cue::PRONOUN_PERSON)
            .or(Cue::PRONOUN_THING)
            .or(Cue::PRONOUN_GROUP);
        i < self.view.lexemes.len() && self.word(i) && (self.capital(i) || self.is(i, subject))
    }

    /// "Unlike X, Y …", "Just like X and its rivals, Y …": where what is only compared with ends.
    pub(super) fn compared_in_front(&self, start: usize) -> Option<usize> {
        let beside = |i: usize| stance().has("beside", self.text(i));
        let first = start
            + usize::from(matches!(
                self.text(start),
                "just" | "much" | "quite" | "very"
            ));
        if !beside(first) || self.verb(first + 1).is_some() && !self.capital(first + 1) {
            return None;
        }
        let len = self.view.lexemes.len();
        let mut comma = (first + 1..len).find(|i| self.comma(*i))?;
        // "Unlike X, Y and Z, W …": the list goes on.
        while let Some(next) = (comma + 1..len).find(|i| self.comma(*i)) {
            let listed = (comma + 1..next).any(|i| matches!(self.text(i), "and" | "or"))
                && !(comma + 1..next).any(|i| self.finite(i, comma + 1, false));
            if !listed {
                break;
            }
            comma = next;
        }
        let acts = (first + 1..comma).any(|i| self.finite(i, first + 1, false));
        (!acts).then_some(comma + 1)
    }

    /// "In 1993 Acme was founded", "On 4 May 2006 the hotel opened": where the date ends that stands
    /// in front without a comma.
    pub(super) fn date_in_front(&self, start: usize) -> Option<usize> {
        if !matches!(self.text(start), "in" | "on" | "since") {
            return None;
        }
        let first = self.view.lexemes.get(start + 1)?.span;
        let dates = self.view.dates.iter().map(|date| date.span);
        let years = self.view.quantities.iter();
        let years = years
            .filter(|q| q.kind == QuantityKind::Year)
            .map(|q| q.span);
        let span = dates.chain(years).find(|span| span.start == first.start)?;
        let end = self.view.lexemes_in(span).end;
        self.opens_clause(end).then_some(end)
    }

    /// "It was in 1992 that X was founded": where the date stands, and where the clause begins.
    pub(super) fn cleft_date(&self, start: usize) -> Option<(Range<usize>, usize)> {
        let first = start + 2;
        if self.text(start) != "it"
            || !matches!(self.text(start + 1), "was" | "is")
            || !matches!(self.text(first), "in" | "on")
        {
            return None;
        }
        let most = self.view.lexemes.len().min(first + CLEFT);
        let that = (first + 2..most).find(|i| self.text(*i) == "that")?;
        self.dated(&(first + 1..that))
            .then_some((first..that, that + 1))
    }
}
