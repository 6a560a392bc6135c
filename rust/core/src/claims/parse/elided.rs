//! Prices told by one verb: "the blue room costs $40 and the red room $60".

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::types::{LexFlags, LexKind, QuantityKind};

use super::{Parser, Relation};

/// Most words of what a price without a verb is of.
const WORDS: usize = 5;

impl Parser<'_> {
    /// Gives each price the thing that stands before it, where only the first has the verb.
    pub(super) fn elided(&mut self) {
        let found = std::mem::take(&mut self.found);
        for relation in found {
            let parts = self.shared_out(&relation);
            if parts.is_empty() {
                self.found.push(relation);
            }
            self.found.extend(parts);
        }
    }

    fn shared_out(&self, relation: &Relation) -> Vec<Relation> {
        let object = relation.object.start..self.listed_to(relation.object.end);
        if relation.negative || relation.subject.is_empty() {
            return Vec::new();
        }
        let told = self.predicates().same(&relation.predicate, "price");
        if !told || !object.clone().any(|i| self.word(i)) {
            return Vec::new();
        }
        let mut out: Vec<Relation> = Vec::new();
        let mut subject = relation.subject.clone();
        // A part of the list stands by itself already.
        let mut apart = object.start > 0 && self.joined_at(object.start - 1);
        let mut start = object.start;
        let mut without = false;
        while start < object.end {
            let end = (start..object.end)
                .find(|i| self.joined_at(*i))
                .unwrap_or(object.end);
            if end == start {
                start += 1;
                continue;
            }
            let Some(price) = self.price(start..end) else {
                return Vec::new();
            };
            let thing = start..price.start;
            if !thing.is_empty() {
                if !apart || !self.thing(&thing) {
                    return Vec::new();
                }
                subject = thing;
                without = true;
            }
            out.push(Relation {
                subject: subject.clone(),
                predicate: relation.predicate.clone(),
                object: price,
                negative: false,
                coordinated: None,
            });
            apart = true;
            start = end + 1;
        }
        if without { out } else { Vec::new() }
    }

    fn joined_at(&self, i: usize) -> bool {
        self.comma(i) || matches!(self.text(i), "and" | "but") && !self.inside_value(i)
    }

    /// Where the things with their prices end that follow behind `end` ("…, the red room $60").
    fn listed_to(&self, mut end: usize) -> usize {
        let len = self.view.lexemes.len();
        while end < len && self.joined_at(end) {
            let start = (end..len).find(|i| !self.joined_at(*i)).unwrap_or(len);
            let ends = |i: &usize| {
                self.joined_at(*i) || self.view.is_mark(*i) && self.view.word(*i) == "."
            };
            let stop = (start..len).find(ends).unwrap_or(len);
            let price = self.price(start..stop);
            if !price.is_some_and(|price| self.thing(&(start..price.start))) {
                break;
            }
            end = stop;
        }
        end
    }

    /// The amount of money that the words end in.
    fn price(&self, words: Range<usize>) -> Option<Range<usize>> {
        let mut amounts = self.view.quantities.iter();
        amounts.find_map(|q| {
            let at = self.view.lexemes_in(q.span);
            // The sign before the number may be left out.
            let within = words.start <= at.start + 1 && at.end == words.end;
            let own = at.start.max(words.start)..at.end;
            (q.kind == QuantityKind::Money && within && !own.is_empty()).then_some(own)
        })
    }

    /// A plain noun phrase for one thing: "the red room", "room B".
    fn thing(&self, words: &Range<usize>) -> bool {
        let Some(last) = words.end.checked_sub(1) else {
            return false;
        };
        let flags = self.view.lexemes[last].flags;
        let label =
            flags.has(LexFlags::CAPITALIZED) || self.view.kind(last) == Some(LexKind::Number);
        let opened = self.is(words.start, Cue::DETERMINER.or(Cue::POSSESSIVE));
        let closed = Cue::PREPOSITION
            .or(Cue::CONJUNCTION)
            .or(Cue::BREAK)
            .or(Cue::ADVERB)
            .or(Cue::COPULA)
            .or(Cue::AUXILIARY);
        words.len() > 1
            && words.len() <= WORDS
            && (opened || label)
            && words.clone().all(|i| self.word(i) && !self.is(i, closed))
    }
}
