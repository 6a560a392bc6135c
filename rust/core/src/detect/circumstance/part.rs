//! Which words of a sentence stand with its value: "Adults take 20 mg; children take less" gives none for
//! children, though it speaks of them.

use std::ops::Range;

use crate::claims::Content;
use crate::lexicon::cues::Cue;
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::circumstance;
use crate::types::{LexFlags, LexKind, Span};

use super::Reader;

/// Stems of a sentence's words: those with its value, and the others.
#[derive(Debug, Default)]
pub(super) struct Sides {
    near: Vec<u64>,
    far: Vec<u64>,
    /// What the subject is, where it is told of by something else too ("the hotel's restaurant").
    head: Option<(u64, Vec<u64>)>,
    /// Words of contrary sense that it has: the first and the second of each pair.
    contrary: Vec<(bool, bool)>,
}

impl Sides {
    /// Whether the word is one of another part alone.
    pub(super) fn parts(&self, stem: u64) -> bool {
        self.far.contains(&stem) && !self.near.contains(&stem)
    }

    /// Whether the value is of a part or a relative of what the other sentence speaks of, which has these
    /// words in its subject and in all.
    pub(super) fn of_part(&self, called: &[u64], words: &[u64]) -> bool {
        self.head.as_ref().is_some_and(|(head, beside)| {
            !words.contains(head) && beside.iter().any(|stem| called.contains(stem))
        })
    }

    /// Whether it holds with what the other sentence is without, or the other way round.
    pub(super) fn is_contrary(&self, other: &[(bool, bool)]) -> bool {
        (self.contrary.iter().zip(other))
            .any(|(own, other)| own.0 != own.1 && other.0 != other.1 && own.0 != other.0)
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
        let mut sides = Sides {
            head: self.head_of(&subject),
            contrary: self.contrary(),
            ..Sides::default()
        };
        for i in 0..self.view.lexemes.len() {
            let own = (from..to).contains(&i) || subject.contains(&i) && !self.gapped(value.start);
            let with = own && !self.in_relative(i, value.start) && !self.beside(i);
            let side = if with {
                &mut sides.near
            } else {
                &mut sides.far
            };
            side.extend(self.spoken(i));
        }
        Some(sides)
    }

    /// Which of each pair of contrary words the sentence has.
    pub(super) fn contrary(&self) -> Vec<(bool, bool)> {
        let has = |word: &str| (0..self.folded.len()).any(|i| self.folded.get(i) == word);
        let pairs = circumstance().listed("contrary").iter();
        let pairs = pairs.filter_map(|pair| pair.split_once(' '));
        pairs.map(|(a, b)| (has(a), has(b))).collect()
    }

    /// The head of a subject of several words, and those that are none of its name.
    fn head_of(&self, subject: &Range<usize>) -> Option<(u64, Vec<u64>)> {
        let ends = |i: &usize| self.mark(*i) || self.folded.cue(*i).is(Cue::PREPOSITION);
        let end = subject.clone().find(ends).unwrap_or(subject.end);
        let head = (subject.start..end)
            .rev()
            .find(|i| self.spoken(*i).is_some())?;
        let folded = self.folded.get(head);
        let names = self.view.attributes.predicates();
        // "The price of X is $5" tells of X, "the battery of X weighs 60 g" does not.
        let states = self.clause().is_some_and(|clause| clause.copula);
        let counts =
            states && names.named(folded).is_some() && !name_cue(folded).is(NameCue::IS_PERSON);
        if counts {
            return None;
        }
        let capital = |i: usize| self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
        let owned =
            |i: usize| self.view.word(i).ends_with("'s") || self.view.word(i).ends_with("’s");
        let beside = subject.clone().filter(|i| {
            let named = *i < head && (*i..=head).all(capital) && !(*i..head).any(owned);
            *i != head && !named && !self.beside(*i)
        });
        let beside: Vec<u64> = beside.filter_map(|i| self.spoken(i)).collect();
        Some((self.spoken(head)?, beside))
    }

    /// "Unlike adults, children take 10 mg", "Adults (children take less)".
    fn beside(&self, i: usize) -> bool {
        let part = (0..i).rev().take_while(|at| {
            !self.mark(*at) && !self.folded.cue(*at).is(Cue::COPULA.or(Cue::AUXILIARY))
        });
        let mut part = part.take_while(|at| !self.group.contains(at));
        part.any(|at| circumstance().has("beside", self.folded.get(at))) || self.in_brackets(i)
    }

    /// Whether it stands in brackets in which the value does not.
    fn in_brackets(&self, i: usize) -> bool {
        let value = self.view.lexemes_in(self.whole).start;
        let open = (0..i)
            .rev()
            .find(|at| matches!(self.view.word(*at), "(" | ")"));
        open.is_some_and(|open| {
            let close = (i..self.folded.len()).find(|at| self.view.word(*at) == ")");
            self.view.word(open) == "("
                && close.is_some_and(|close| !(open..close).contains(&value))
        })
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
            || circumstance().has("ends", self.folded.get(i))
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
