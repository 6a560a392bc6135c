//! Which words of a sentence stand with its value: "Adults take 20 mg; children take less" gives none for
//! children, though it speaks of them.

use std::ops::Range;

use crate::claims::Content;
use crate::lexicon::cues::Cue;
use crate::types::{LexKind, Span};

use super::Reader;

/// Words behind a value with which something else begins.
const ENDS: [&str; 14] = [
    "which", "who", "that", "whose", "where", "while", "whereas", "but", "although", "though",
    "before", "after", "than", "unlike",
];

/// Stems of a sentence's words: those with its value, and the others.
#[derive(Debug, Default)]
pub(super) struct Sides {
    near: Vec<u64>,
    far: Vec<u64>,
}

impl Sides {
    /// Whether the word is one of another part alone.
    pub(super) fn parts(&self, stem: u64) -> bool {
        self.far.contains(&stem) && !self.near.contains(&stem)
    }
}

impl Reader<'_> {
    /// The words of the subject, numbers in them too ("the second floor"); where no verb is seen all in
    /// front of the value.
    pub(super) fn called(&self, subject: Range<usize>) -> Vec<u64> {
        let words = if subject.is_empty() {
            0..self.view.lexemes_in(self.whole).start
        } else {
            subject
        };
        words.filter_map(|i| self.spoken(i)).collect()
    }

    fn spoken(&self, i: usize) -> Option<u64> {
        let lexeme = self.view.lexemes.get(i)?;
        let word = Content::default().word(lexeme, self.view.word(i))?;
        Some(word.stem)
    }

    /// See [`Sides`]; none where a pronoun is the subject of the value's clause.
    pub(super) fn sides(&self) -> Option<Sides> {
        let subject = self.subject();
        let pronoun = Cue::PRONOUN_PERSON
            .or(Cue::PRONOUN_THING)
            .or(Cue::PRONOUN_GROUP);
        if subject.len() == 1 && self.folded.cue(subject.start).is(pronoun) {
            return None;
        }
        let value = self.view.lexemes_in(self.whole);
        let from = self.from(&subject, value.start);
        let to = (value.end..self.view.lexemes.len())
            .find(|i| self.stops(*i) || self.acts(*i, value.end))
            .unwrap_or(self.view.lexemes.len());
        let mut sides = Sides::default();
        for i in 0..self.view.lexemes.len() {
            let with = (from..to).contains(&i) && !self.in_relative(i, value.start)
                || from <= value.start && subject.contains(&i) && !self.gapped(value.start);
            let side = if with {
                &mut sides.near
            } else {
                &mut sides.far
            };
            side.extend(self.spoken(i));
        }
        Some(sides)
    }

    /// Where what belongs to the value begins.
    fn from(&self, subject: &Range<usize>, value: usize) -> usize {
        if let Some(at) = self.gap(value) {
            return at + 1;
        }
        let clause = self.front(subject).min(value);
        let mark = |i: &usize| self.view.word(*i) == ";" || self.dash(*i);
        let part = (0..value).rev().find(mark).map_or(0, |i| i + 1);
        clause.max(part)
    }

    fn gapped(&self, value: usize) -> bool {
        self.gap(value).is_some()
    }

    /// "Men retire at 65, women at 63", "and the south tower 60 m": where the part begins that has the verb
    /// of the one before.
    fn gap(&self, value: usize) -> Option<usize> {
        let verb = self.group.end;
        let links = |i: usize| {
            self.mark(i) || self.folded.cue(i).is(Cue::CONJUNCTION) && self.folded.get(i) != "or"
        };
        let at = (verb..value).rev().find(|i| links(*i))?;
        let places = self.view.quantities.iter();
        let places = places.map(|q| self.view.lexemes_in(q.span).start);
        let counted = places.clone().any(|place| (verb..at).contains(&place));
        let first = places.filter(|place| *place > at).min();
        let noun = (at + 1..first.unwrap_or(value)).any(|i| self.stem(i).is_some());
        (counted && noun).then_some(at)
    }

    /// A comma or another mark that is no part of a number or a date.
    fn mark(&self, i: usize) -> bool {
        let Some(lexeme) = self.view.lexemes.get(i) else {
            return false;
        };
        let inside = |span: Span| span.start < lexeme.span.start && lexeme.span.end < span.end;
        let whole = (self.view.dates.iter().map(|date| date.span))
            .chain(self.view.quantities.iter().map(|q| q.span))
            .any(inside);
        lexeme.kind == LexKind::Punct
            && (matches!(self.view.word(i), "," | ";" | ":") || self.dash(i))
            && !whole
    }

    /// A dash that no number or word touches.
    fn dash(&self, i: usize) -> bool {
        let own = self.view.lexemes[i].span;
        let apart = i > 0 && self.view.lexemes[i - 1].span.end < own.start;
        apart && matches!(self.view.word(i), "—" | "–")
    }

    fn stops(&self, i: usize) -> bool {
        self.mark(i)
            || ENDS.contains(&self.folded.get(i))
            || self.folded.cue(i).is(Cue::CONJUNCTION) && self.folded.get(i) != "or"
    }

    /// Whether another clause's verb stands there.
    fn acts(&self, i: usize, behind: usize) -> bool {
        self.parts
            .iter()
            .any(|c| c.group.start >= behind && c.group.contains(&i) && c.group != self.group)
    }

    /// "The new bridge, which replaced the old bridge, is 400 m long".
    fn in_relative(&self, i: usize, value: usize) -> bool {
        let open = (0..i).rev().find(|at| self.view.word(*at) == ",");
        open.is_some_and(|open| {
            matches!(self.folded.get(open + 1), "which" | "who" | "whose")
                && (i..value).any(|at| self.view.word(at) == ",")
        })
    }
}
