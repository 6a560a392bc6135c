//! Who pays an amount, and for what.

use crate::lexicon::cues::Cue;
use crate::lexicon::tables::{narrowing, time};
use crate::types::{LexFlags, LexKind, Quantity, QuantityKind};

use super::Scope;

impl Scope<'_> {
    /// "costs students 4 euros", "offers a tour for 5 euros": somebody in particular pays it, or for
    /// something else.
    pub(super) fn paid_for_other(&self) -> bool {
        let money = |q: &&Quantity| q.kind == QuantityKind::Money && q.span.overlaps(self.object);
        let Some(said) = self.view.quantities.iter().find(money) else {
            return false;
        };
        let at = self.view.lexemes_in(said.span).start;
        let before = self.clauses.iter().filter(|clause| {
            clause.group.end <= at && clause.range.contains(&at) && clause.verb.is_some()
        });
        let clause = before.max_by_key(|clause| clause.group.end);
        // "cost him 4 euros": a past that may be a noun.
        let cost = || {
            let from = (0..at).rfind(|i| self.text(*i) == "cost")? + 1;
            let noun = Cue::COPULA.or(Cue::PREPOSITION);
            (from..at)
                .all(|i| !self.folded.cue(i).is(noun))
                .then_some(from)
        };
        let Some(from) = clause.map(|clause| clause.group.end).or_else(cost) else {
            return false;
        };
        let light = Cue::FUNCTION
            .or(Cue::ADVERB)
            .or(Cue::PREPOSITION)
            .or(Cue::DETERMINER)
            .or(Cue::ADJECTIVE);
        let noun = |i: usize| {
            self.word(i)
                && !self.folded.cue(i).is(light)
                && !self.has("open_to", i)
                && !self.has("admitted", i)
        };
        let between = from..at;
        // "costs students 4 euros"
        // "costs buyers", not "cost its first buyers", "costs each visitor"
        let one_of = |i: usize| {
            let before = i.checked_sub(1).map_or("", |before| self.text(before));
            matches!(before, "each" | "every" | "first" | "early")
        };
        let general = |i: usize| narrowing().has("payer", self.text(i)) && !one_of(i);
        let person = |i: usize| {
            self.folded.cue(i).is(Cue::PRONOUN_PERSON)
                || matches!(self.text(i), "me" | "us" | "them")
        };
        let somebody = |i: usize| {
            let word = self.text(i);
            let before = i.checked_sub(1).map_or("", |before| self.text(before));
            let plural = word.ends_with('s') && !word.ends_with("ss");
            let name = self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
            noun(i)
                && word.len() > 2
                && match before {
                    // "a whopping $950"
                    "a" | "an" => {
                        narrowing().has("buyer", word) || word.ends_with("er") && word.len() > 4
                    }
                    "the" => true,
                    "each" | "every" => time().of("unit_", word).is_none(),
                    _ => {
                        name || plural
                            || between.len() == 1
                            || self.folded.cue(i - 1).is(Cue::POSSESSIVE)
                    }
                }
        };
        let payer = between.clone().any(|i| somebody(i) || person(i))
            && !between
                .clone()
                .any(|i| general(i) || self.view.word(i) == ",")
            && at > 0
            && self.text(at - 1) != "of"
            && self.view.kind(between.start) == Some(LexKind::Word);
        // "you can buy a tour for 5 euros", which is what the claim is of
        let bought = |i: usize| {
            let own = self.claim.subject_span;
            own.is_some_and(|own| own.overlaps(self.view.lexemes[i].span))
        };
        if between.len() > 1 && bought(between.start) {
            return false;
        }
        // "offers a tour for 5 euros"
        let bought = matches!(self.text(at - 1), "for" | "at")
            && between.len() > 1
            && self.folded.cue(from).is(Cue::DETERMINER)
            && noun(at - 2);
        payer && self.named("price_like") || bought
    }
}
