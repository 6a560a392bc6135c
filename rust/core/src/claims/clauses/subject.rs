//! Where a clause begins, and which of its words are its subject.

use std::ops::Range;

use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::tables::stance;
use crate::normal::stem;
use crate::types::LexFlags;

use super::{Reader, contracted};

impl Reader<'_> {
    /// Where the clause with its verb at `at` begins, the one before having ended at `from`: behind
    /// the key of a form (`"answer": "The shop opened"`) that does not tell what it is of.
    pub(super) fn begin(&self, from: usize, at: usize) -> usize {
        let form = |i: usize| {
            let key = self.view.key(i).filter(|key| key.start >= from)?;
            let first = (i + 1..at).find(|j| self.word(*j))?;
            (!self.names(&key, first..at)).then_some(first)
        };
        (from..at)
            .rev()
            .find_map(form)
            .or_else(|| (from..at).find(|i| self.word(*i)))
            .unwrap_or(from)
    }

    /// Whether a key tells what its value is of: with a name, a word of the value's subject
    /// ("second_bridge": "The bridge …"), one that sets apart ("other"), or before "it".
    fn names(&self, key: &Range<usize>, subject: Range<usize>) -> bool {
        let apart = Cue::DETERMINER.or(Cue::ADJECTIVE).or(Cue::PRONOUN_OTHER);
        let pronoun = Cue::PRONOUN_PERSON
            .or(Cue::PRONOUN_THING)
            .or(Cue::PRONOUN_GROUP)
            .or(Cue::PRONOUN_OTHER);
        self.is(subject.start, pronoun)
            || key.clone().any(|i| {
                let flags = self.view.lexemes[i].flags;
                let named = flags.has(LexFlags::CAPITALIZED) && !flags.has(LexFlags::ALL_CAPS);
                let mut parts = self.text(i).split(['_', '-']);
                named
                    || parts.any(|part| {
                        let shared = || subject.clone().any(|j| stem(self.text(j)) == stem(part));
                        let other = matches!(part, "other" | "others" | "another" | "rest");
                        other || cue(part).is(apart) || stance().has("edition", part) || shared()
                    })
            })
    }

    /// The words of the subject between the clause's beginning and its verb.
    pub(super) fn subject(&self, begin: usize, at: usize) -> Range<usize> {
        if contracted(self.text(at)).is_some() {
            return at..at + 1;
        }
        let mut start = begin;
        while start < at
            && (!self.word(start)
                || self.is(start, Cue::CONJUNCTION)
                || (self.is(start, Cue::BREAK)
                    && !matches!(self.text(start), "that" | "who" | "which"))
                || (self.is(start, Cue::ADVERB)
                    && !matches!(self.text(start), "both" | "most" | "even" | "only")))
        {
            start += 1;
        }
        // "who", "which" and "that" stand for what is before them.
        if matches!(self.text(start), "who" | "which")
            || (self.text(start) == "that" && start + 1 == at)
        {
            return at..at;
        }
        let mut end = at;
        while end > start
            && (!self.word(end - 1)
                || self.is(end - 1, Cue::ADVERB.or(Cue::NEGATION))
                || matches!(self.text(end - 1), "longer")
                || (self.text(end - 1) == "no" && self.text(end) == "longer"))
        {
            end -= 1;
        }
        let commas: Vec<usize> = (start..end).filter(|i| self.comma(*i)).collect();
        let (first, last) = match (commas.first(), commas.last()) {
            (Some(first), Some(last)) => (*first, *last),
            _ => return self.after_preposition(start, end),
        };
        if self.is(start, Cue::PREPOSITION) || self.adverbial(start) {
            // "In 1990, the shop": the last part is the subject.
            return last + 1..end;
        }
        if (first + 1..end).any(|i| self.is(i, Cue::CONJUNCTION)) {
            return start..end;
        }
        start..first
    }

    /// "X, whose sister", "X, the sister of whom": the noun that the clause with its verb at `at`
    /// belongs to, and what of it is spoken of.
    pub(super) fn possession(
        &self,
        begin: usize,
        at: usize,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let whose = (begin..at).rev().find(|i| self.text(*i) == "whose");
        let start = whose.or_else(|| {
            let of = (begin + 1..at)
                .rev()
                .find(|i| self.text(i - 1) == "of" && matches!(self.text(*i), "which" | "whom"))?;
            (begin..of)
                .rev()
                .find(|i| self.comma(*i))
                .map(|comma| comma + 1)
        })?;
        let end = (begin..start)
            .rev()
            .find(|i| self.word(*i))
            .map_or(begin, |i| i + 1);
        let first = (begin..end)
            .find(|i| !self.is(*i, Cue::CONJUNCTION.or(Cue::BREAK).or(Cue::ADVERB)))
            .unwrap_or(end);
        Some((first..end, start..at))
    }

    /// A subject does not begin with a preposition: "in 2020 the shop".
    fn after_preposition(&self, start: usize, end: usize) -> Range<usize> {
        if !self.is(start, Cue::PREPOSITION) {
            return start..end;
        }
        let span = self.view.lexemes.get(start + 1).map(|l| l.span);
        let date = span.and_then(|span| self.view.dates.iter().find(|d| d.span.overlaps(span)));
        match date {
            Some(date) => self.view.lexemes_in(date.span).end.min(end)..end,
            // "on average it is", "for children they cost"
            None if start + 2 < end
                && matches!(self.text(end - 1), "it" | "he" | "she" | "they") =>
            {
                end - 1..end
            }
            // "in severe cases the dose is"
            None => {
                let noun = |i: usize| {
                    let light = Cue::FUNCTION.or(Cue::PREPOSITION).or(Cue::CONJUNCTION);
                    self.word(i) && !self.is(i, light.or(Cue::DETERMINER).or(Cue::ADJECTIVE))
                };
                let opens = |i: &usize| self.text(*i) == "the" && noun(i - 1) && *i + 1 < end;
                let first = (start + 2..end).rev().find(opens).unwrap_or(start);
                if first == start {
                    start..start
                } else {
                    first..end
                }
            }
        }
    }

    /// "Last year, ...", "Yesterday, ...".
    fn adverbial(&self, i: usize) -> bool {
        let marks = self.view.time(i);
        ["previous", "following", "yesterday", "today", "tomorrow"]
            .iter()
            .any(|class| marks.has(class))
            || self.is(i, Cue::BREAK)
    }
}
