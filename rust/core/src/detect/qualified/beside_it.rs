//! An amount that belongs to something beside the thing, which a fact about the thing itself says nothing
//! of: "comes in a crate with a weight of 8 kg", "carries a weight of 200 kg", "weighs 55 kg including the
//! base", "normally $120, now $99".

use crate::claims::{Clause, base_form, numbers_agree};
use crate::lexicon::cues::Cue;
use crate::lexicon::tables::narrowing;
use crate::types::{LexKind, Quantity, QuantityKind};

use super::Qualifiers;

impl Qualifiers<'_> {
    /// Whether the claim's amount is that of what goes with the thing, bears on it, or is for once.
    pub(super) fn of_what_is_beside(&self, clause: Option<&Clause>) -> bool {
        let Some((value, of)) = self.amount() else {
            return false;
        };
        let mut quantities = self.view.quantities.iter();
        let sized = |q: &&Quantity| matches!(q.kind, QuantityKind::Measure | QuantityKind::Money);
        let Some(said) = quantities.find(|q| sized(q) && q.span.overlaps(self.object)) else {
            return false;
        };
        let words = self.view.lexemes_in(said.span);
        let money = said.kind == QuantityKind::Money;
        if money && (self.for_once(said, value) || self.of_one_sort()) {
            return true;
        }
        let apart = self.view.word(words.end) == ",";
        let behind = words.end + usize::from(apart);
        // "400 m tall, plus it has a café"
        let sum = matches!(self.text(behind), "plus" | "minus");
        if !money && narrowing().has("counted_in", self.text(behind)) && !(apart && sum) {
            return true;
        }
        // "weighs 530 g with battery": more than it weighs by itself.
        let names = self.view.attributes.predicates();
        let laden = matches!(self.text(behind), "with" | "without")
            && !apart
            && names.same("weight", &self.fact.predicate);
        if !money && laden {
            return true;
        }
        let own = clause.filter(|clause| clause.group.end <= words.start);
        own.is_some_and(|clause| {
            let between = clause.group.end..words.start;
            let fits = of.is_none() || numbers_agree(said, value, of).is_some();
            let company = self.of_company(between.clone()) && !self.is_so_itself(clause, &between);
            fits && (company || !money && self.borne(clause))
        })
    }

    /// "X, with a capacity of 900, opened in 1911": told beside what happened then.
    pub(super) fn set_off(&self) -> bool {
        let object = self.view.lexemes_in(self.object);
        let comma = (0..object.start).rev().find(|i| self.view.word(*i) == ",");
        comma.is_some_and(|comma| self.text(comma + 1) == "with")
            && self.view.word(object.end) == ","
    }

    /// "A day ticket for X costs": what one sort of them costs says nothing of the others.
    fn of_one_sort(&self) -> bool {
        let Some(subject) = self.claim.subject_span else {
            return false;
        };
        let mut link = self.view.lexemes_in(subject).start;
        while link > 0 && self.folded.cue(link - 1).is(Cue::DETERMINER) {
            link -= 1;
        }
        if link < 3
            || !matches!(
                self.text(link - 1),
                "for" | "of" | "on" | "to" | "at" | "in"
            )
        {
            return false;
        }
        let (sort, noun) = (link - 3, link - 2);
        let names = self.view.attributes.predicates();
        let whole = format!("{}_{}", self.text(sort), self.text(noun));
        let plain = |i: usize| {
            let light = Cue::DETERMINER
                .or(Cue::PREPOSITION)
                .or(Cue::POSSESSIVE)
                .or(Cue::FUNCTION);
            self.folded.cue(i).is(light) || narrowing().has("light", self.text(i))
        };
        self.has("admitted", noun)
            && self.view.kind(sort) == Some(LexKind::Word)
            && !plain(sort)
            && !narrowing().has("usual_sort", self.text(sort))
            && names.named(&whole).is_none()
            && self.fact.predicate != whole
    }

    /// "in a crate with a weight of", "with a stand with a height of": of the noun before the last "with".
    fn of_company(&self, between: std::ops::Range<usize>) -> bool {
        let Some(with) = between.clone().rfind(|i| self.text(*i) == "with") else {
            return false;
        };
        let noun = with.wrapping_sub(1);
        let light = Cue::FUNCTION
            .or(Cue::ADVERB)
            .or(Cue::PREPOSITION)
            .or(Cue::DETERMINER)
            .or(Cue::PRONOUN_THING);
        let headed = (between.start..noun).any(|i| {
            let article = self.folded.cue(i).is(Cue::DETERMINER.or(Cue::POSSESSIVE));
            article || self.view.kind(i) == Some(LexKind::Number)
        });
        between.contains(&noun)
            && headed
            && self.view.kind(noun) == Some(LexKind::Word)
            && !self.folded.cue(noun).is(light)
            && !narrowing().has("form_noun", self.text(noun))
    }

    /// "is a tower with a height of 90 m": of the thing that is said to be one.
    fn is_so_itself(&self, clause: &Clause, between: &std::ops::Range<usize>) -> bool {
        let with = between.clone().find(|i| self.text(*i) == "with");
        let mut noun = between.start + 1..with.unwrap_or(between.start + 1);
        clause.copula
            && clause.verb.is_none()
            && matches!(self.text(between.start), "a" | "an" | "the")
            && noun.all(|i| {
                self.view.kind(i) == Some(LexKind::Word) && !self.folded.cue(i).is(Cue::PREPOSITION)
            })
    }

    /// "carries a weight of 200 kg": what it bears is not what it weighs.
    fn borne(&self, clause: &Clause) -> bool {
        let names = self.view.attributes.predicates();
        let bears = clause.verb.is_some_and(|verb| {
            let base = base_form(self.folded, verb);
            narrowing().has("bearing", &base)
        });
        bears && names.same("weight", &self.fact.predicate)
    }

    /// "normally $120, now $99", "$99 instead of $120": the sentence tells the usual price as well.
    fn for_once(&self, said: &Quantity, value: f64) -> bool {
        // The base's amount may lack its currency.
        let same = |q: &Quantity| numbers_agree(&Quantity { unit: None, ..*q }, value, None);
        let usual = |q: &Quantity| {
            q.span != said.span && q.kind == QuantityKind::Money && same(q) == Some(true)
        };
        same(said) == Some(false)
            && self.view.quantities.iter().any(usual)
            && (0..self.folded.len()).any(|i| narrowing().has("usual_price", self.text(i)))
    }
}
