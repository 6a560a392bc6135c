//! What goes with a thing: "With 40 rooms, X is …", "X, with its 40 rooms, is …", and sums that it
//! tells of itself: "X reported revenue of €4 million".

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::stance;

use super::{Group, Leading, Parser};

/// Most words between "with" and its comma.
const WITH: usize = 10;
/// Words behind that comma among which "would" makes it a condition.
const WOULD: usize = 3;

impl Parser<'_> {
    /// "With 40 rooms, X …": reads the number as that of X, where the base has what it counts.
    pub(super) fn accompanied(&mut self, subject: &Range<usize>, front: &Range<usize>) {
        if self.text(front.start) != "with" || front.len() > WITH || !self.counts(front) {
            return;
        }
        let object = self.trim(front.start + 1..front.end);
        let parts: Vec<Range<usize>> = (self.signed(&object, false).into_iter())
            .filter_map(|(part, denied)| (!denied).then_some(part))
            .collect();
        for part in parts {
            let owned = usize::from(self.is(part.start, Cue::POSSESSIVE));
            let part = part.start + owned..part.end;
            let apart = part.clone().any(|i| {
                let plain = self.text(i) == "of" || self.inside_value(i);
                self.is(i, Cue::PREPOSITION) && !self.is(i, Cue::ADVERB) && !plain
            });
            let named = self
                .of(&part)
                .map(|(name, _)| name)
                .or_else(|| self.counted(&part));
            // "1,200 new employees" are not all of them.
            let span = self.span(&part);
            let number = (self.view.quantities.iter())
                .find(|q| span.is_some_and(|span| span.overlaps(q.span)))
                .map(|q| self.view.lexemes_in(q.span).end);
            let bare = number.is_some_and(|end| {
                end >= part.end || self.attribute(&self.joined(end..part.end)).is_some()
            });
            let own = bare && named.is_some_and(|name| self.view.attributes.has(&name));
            if own && !apart && self.counts(&part) {
                self.has(subject, part, false);
            }
        }
    }

    /// "With 40 rooms, X would be …": what stands in front is a condition, not said to be so. What came
    /// later is none: "Founded in 1990, X would later be …".
    pub(super) fn conditional(&self, from: usize, end: usize, front: &Leading) -> bool {
        let would = |i: &usize| stance().has("conditional", self.text(*i));
        let Some(at) = (from..end).find(would) else {
            return false;
        };
        let began = matches!(front, Leading::Participle(range) if self.counts(range));
        !(began && (at + 1..at + 3).any(|i| stance().has("turned", self.text(i))))
    }

    /// "X, with its 40 rooms, is …".
    pub(super) fn accompaniments(&mut self) {
        for i in 2..self.view.lexemes.len() {
            if self.text(i) != "with" || !self.comma(i - 1) || self.opaque_at(i) {
                continue;
            }
            let last = self.view.lexemes.len().min(i + WITH);
            let Some(end) = (i + 1..last).find(|end| self.comma(*end)) else {
                continue;
            };
            let would =
                (end + 1..end + 1 + WOULD).any(|next| stance().has("conditional", self.text(next)));
            let head = self.noun_before(i - 1);
            if !would && !head.is_empty() && self.capital(head.end - 1) {
                self.accompanied(&head, &(i..end));
            }
        }
    }

    /// "X reported revenue of €4 million": what it made, where the base has such sums. Whether it says
    /// so.
    pub(super) fn reported(
        &mut self,
        subject: &Range<usize>,
        group: &Group,
        base: &str,
        pieces: &[(Option<String>, Range<usize>)],
    ) -> bool {
        if group.copula || group.negative || !stance().has("reporting", base) {
            return false;
        }
        let Some((None, object)) = pieces.first() else {
            return false;
        };
        // "generates €4 million in revenue"
        let sum = |(prep, noun): &(Option<String>, Range<usize>)| {
            let named = prep.as_deref() == Some("in");
            let name = self
                .attribute(&self.joined(noun.clone()))
                .filter(|_| named)?;
            Some((name, object.clone()))
        };
        let found = self.of(object).or_else(|| pieces.get(1).and_then(sum));
        let found = found.filter(|(name, value)| {
            let canonical = self.predicates().named(name);
            let sum = |name: &str| stance().has("money", name);
            let paid = sum(name) || canonical.is_some_and(|known| sum(&known.name));
            paid && self.money(value) && self.view.attributes.has(name)
        });
        let Some((name, value)) = found else {
            return false;
        };
        self.push(subject.clone(), name, value, false);
        true
    }
}
