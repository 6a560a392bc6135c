//! An amount that is said of a part, a person or a time, of which a fact about the whole says nothing.

use crate::claims::{Clause, numbers_agree};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{narrowing, time, values};
use crate::normal::stem;
use crate::types::{LexKind, Quantity, QuantityKind};

use super::Qualifiers;
use crate::detect::tried::filled;

/// Words behind a number among which "a day" stands.
const RATE_WORDS: usize = 4;

impl Qualifiers<'_> {
    /// "800 visitors a day": of a shorter time than the figures of a year; "15 rooms per floor".
    fn rated(&self, from: usize) -> bool {
        (from..self.folded.len().min(from + RATE_WORDS)).any(|i| {
            self.text(i) == "per" && self.view.kind(i + 1) == Some(LexKind::Word)
                || matches!(self.text(i), "a" | "an" | "each" | "every")
                    && (matches!(self.text(i + 1), "hour" | "minute")
                        || ["unit_day", "unit_week", "unit_month", "unit_weekend"]
                            .iter()
                            .any(|class| time().has(class, self.text(i + 1))))
        })
    }

    /// "40 employees in Denver", "12 rooms with a balcony", "8 euros for children".
    pub(super) fn part(&self, clause: Option<&Clause>) -> bool {
        let Some((value, of)) = self.amount() else {
            return false;
        };
        let differs = |q: &&Quantity| {
            q.span.overlaps(self.object)
                && numbers_agree(q, value, of)
                    .or_else(|| numbers_agree(&Quantity { unit: None, ..**q }, value, None))
                    == Some(false)
        };
        let Some(said) = self.view.quantities.iter().find(differs) else {
            return false;
        };
        let object = self.view.lexemes_in(self.object);
        let after = object.end;
        let word = |i: usize| self.view.kind(i) == Some(LexKind::Word);
        let whole = |i: usize| {
            // "in its shop" is a part of it, "on its payroll" is not.
            let owned = self.folded.cue(i).is(Cue::POSSESSIVE);
            !owned && self.has("whole", i)
                || owned && (self.has("whole", i + 1) || self.has("own_whole", i + 1))
                || self.text(i) == "the" && matches!(self.text(i + 1), "moment")
        };
        let behind = self.view.lexemes_in(said.span).end;
        // "for a night" is the rate of a price.
        let rate = |i: usize| {
            matches!(self.text(i), "a" | "an" | "one" | "per" | "each" | "every")
                && values().of("period_", self.text(i + 1)).is_some()
        };
        let owner = |i: usize| {
            self.claim.subject_span.is_some_and(|own| {
                let next = i + 1 + usize::from(self.folded.cue(i + 1).is(Cue::DETERMINER));
                let next = self.view.lexemes.get(next);
                next.is_some_and(|next| own.start > self.object.start && own.overlaps(next.span))
            })
        };
        let is = clause.is_some_and(|clause| clause.copula);
        let linked = |i: usize| {
            let its = self.folded.cue(i + 1).is(Cue::POSSESSIVE);
            word(i)
                && self.has("priced_for", i)
                && !(self.text(i) == "for" && self.has("long", i + 1))
                && (its || !whole(i + 1))
                && !rate(i + 1)
                && !owner(i)
                && !filled(self.folded, i + 1)
                && !self.has("admitted", i + 1)
        };
        if said.kind == QuantityKind::Money {
            let state =
                |i: usize| word(i) && (self.has("narrowing", i) || self.has("difference", i));
            // "$90 million in revenue"
            let names = self.view.attributes.predicates();
            let own = |i: usize| {
                self.text(i) == "in" && names.same(self.text(i + 1), &self.fact.predicate)
            };
            // "to ship", "at launch"
            let doing = |i: usize| {
                word(i)
                    && self.text(i) == "to"
                    && self.folded.known(i + 1).verb.is_some()
                    && !narrowing().has("bought_so", self.text(i + 1))
                    || matches!(self.text(i), "at" | "in")
                        && word(i + 1)
                        && !(is && owner(i))
                        && !own(i)
                        && {
                            let noun = i + 1 + usize::from(self.text(i + 1) == "the");
                            !whole(i + 1) && !self.has("whole", noun)
                        }
            };
            let paid = behind + if rate(behind) { 2 } else { 0 };
            return [after, behind, paid]
                .into_iter()
                .any(|i| linked(i) || state(i) || doing(i));
        }
        if said.kind == QuantityKind::Measure {
            return linked(after) || linked(behind);
        }
        let count = said.unit.is_none() && said.kind == QuantityKind::Cardinal;
        if !count || said.value > value {
            return false;
        }
        let noun = self.view.lexemes_in(said.span).end;
        if self.rated(noun) {
            return true;
        }
        // "300 students", of what the base counts by that name.
        let own = |i: usize| {
            let root = stem(self.text(i));
            self.fact
                .predicate
                .split('_')
                .any(|part| stem(part) == root)
        };
        // "20,000 children's books"
        let of_some = |i: usize| {
            let written = self.view.word(i);
            i + 1 < object.end
                && ["'s", "’s", "s'", "s’"]
                    .iter()
                    .any(|end| written.ends_with(end))
        };
        if (noun..object.end).any(|i| self.has("part", i) && !own(i) || of_some(i)) {
            return true;
        }
        let next = word(after)
            && (self.has("relative", after) || self.has("restrict", after) && !whole(after + 1));
        // "In Denver, Acme has 40 employees".
        let leading = clause.is_some_and(|clause| {
            let start = clause.range.start;
            let comma = (start..clause.group.start).find(|i| self.view.word(*i) == ",");
            self.has("restrict", start) && comma.is_some() && !whole(start + 1)
        });
        next || leading
    }
}
