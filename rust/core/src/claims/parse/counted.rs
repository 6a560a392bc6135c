//! What a number counts.

use std::ops::Range;

use crate::claims::in_brackets;
use crate::lexicon::cues::Cue;
use crate::lexicon::predicates::Predicate;
use crate::lexicon::tables::{roles, stance};
use crate::lexicon::units::{Role, number_word};
use crate::types::LexKind;

use super::Parser;

impl Parser<'_> {
    /// Whether an amount opens the phrase, or what makes it a bound ("about", "more than").
    fn sum_first(&self, range: &Range<usize>) -> bool {
        let Some(span) = self.span(range) else {
            return false;
        };
        let Some(sum) = self.view.quantities.iter().find(|q| span.overlaps(q.span)) else {
            return true;
        };
        let at = self.view.lexemes_in(sum.span).start;
        (range.start..at).all(|i| !self.word(i) || self.is(i, Cue::FUNCTION.or(Cue::ADVERB)))
            && !(range.start..at).any(|i| self.is(i, Cue::POSSESSIVE) || self.capital(i))
    }

    /// What a verb and its object tell: the attribute that its phrase names, else the verb.
    /// "earned her company €1 million" is no income of hers.
    pub(super) fn told_by(
        &self,
        named: Option<&Predicate>,
        base: &str,
        object: &Range<usize>,
    ) -> String {
        let sum = |named: &Predicate| stance().has("earned", &named.name);
        if let Some(named) = named.filter(|named| !sum(named) || self.sum_first(object)) {
            return named.name.to_string();
        }
        base.replace(' ', "_")
    }

    /// Whether a number stands in the phrase.
    pub(super) fn counts(&self, range: &Range<usize>) -> bool {
        self.span(range)
            .is_some_and(|span| self.view.quantities.iter().any(|q| span.overlaps(q.span)))
    }

    /// "840 crew for 2,150 passengers", "940 seats spread over 7 floors": the count in front, without what it is
    /// for or spread over, where another number stands there.
    pub(super) fn count_alone(&self, object: &Range<usize>) -> Option<Range<usize>> {
        let number = |i: usize| {
            let spelled = number_word(self.text(i)).role;
            self.view.kind(i) == Some(LexKind::Number) || matches!(spelled, Role::Ones | Role::Ten)
        };
        let last = (object.start + 1..object.end.saturating_sub(1)).find(|i| {
            let owned = usize::from(self.is(i + 1, Cue::POSSESSIVE));
            matches!(self.text(*i), "for" | "at" | "over" | "above") && number(i + 1 + owned)
        })?;
        let light = |i: usize| self.is(i, Cue::PARTICLE.or(Cue::ADVERB)) || self.past(i);
        let mut end = last;
        while end > object.start + 2 && light(end - 1) {
            end -= 1;
        }
        number(object.start).then_some(object.start..end)
    }

    /// What a number counts: the longest run of words at the end that names an attribute, else
    /// the last word.
    pub(super) fn counted(&self, noun: &Range<usize>) -> Option<String> {
        let words = noun
            .clone()
            .rev()
            .take_while(|i| self.view.lexemes[*i].kind == LexKind::Word)
            .count();
        // "one room" counts rooms.
        let named = |name: String| {
            self.attribute(&name)
                .or_else(|| self.attribute(&format!("{name}s")))
        };
        let counted =
            (noun.end - words..noun.end).find_map(|start| named(self.joined(start..noun.end)));
        // "has 25,000 people", of a town.
        let people = || {
            let people = !noun.is_empty() && self.text(noun.end - 1) == "people";
            let name = self.attribute("population").filter(|_| people)?;
            self.view.attributes.has(&name).then_some(name)
        };
        counted.or_else(people)
    }

    /// "is 320 m in height", "is a town of 52,000 people": what the amount is of.
    pub(super) fn amount_of(&self, object: &Range<usize>) -> Option<String> {
        let last = self.text(object.end - 1);
        // "512 m (1,680 ft) long"
        let told = self.predicates().named(last).or_else(|| {
            let inner = in_brackets(self.view, object.end)?;
            self.predicates().named(self.text(inner.end + 1))
        });
        let people = || {
            let of = object.clone().any(|i| self.text(i) == "of") && last == "people";
            of.then(|| self.counted(object)).flatten()
        };
        told.map(|own| own.name.to_string()).or_else(people)
    }

    /// "the atomic number 79", "port 8080": an attribute of the base by its name, and its number.
    pub(super) fn numbered(&self, object: &Range<usize>) -> Option<(String, Range<usize>)> {
        let first = object.start + usize::from(self.is(object.start, Cue::DETERMINER));
        let last = object.end - 1;
        let number = self.view.lexemes[last].kind == LexKind::Number;
        let name = self.joined(first..last.max(first));
        (number && self.view.attributes.has(&name)).then_some((name, last..object.end))
    }

    /// "43,000 inhabitants", of a town that is nobody's.
    pub(super) fn counts_what(&self, owner: &Range<usize>) -> bool {
        let round = |i: &usize| self.is(*i, Cue::ADVERB.or(Cue::FUNCTION));
        let first = owner.clone().find(|i| !round(i)).unwrap_or(owner.start);
        let noun = self.text(owner.end - 1);
        let known = noun == "people" || self.predicates().named(noun).is_some();
        self.view.lexemes[first].kind == LexKind::Number && known
    }

    /// "There are 14 paintings in the hall": the hall has them; else they exist.
    pub(super) fn there(&mut self, object: Range<usize>, negative: bool) {
        let place = object.clone().find(|i| {
            *i > object.start
                && matches!(self.text(*i), "in" | "at" | "on" | "near" | "inside")
                && !self.inside_value(*i)
        });
        let thing = self.trim(object.start..place.unwrap_or(object.end));
        let place = self.trim(place.map_or(object.end, |i| i + 1)..object.end);
        if thing.is_empty() {
            return;
        }
        if place.is_empty() || self.timed(&place) || self.dated(&place) {
            self.push(self.lead(thing), "exist".to_owned(), 0..0, negative);
            return;
        }
        // "There are 450 people working at X"
        let act = self.verb(thing.end - 1).map(str::to_owned);
        let people = thing.start..thing.end - 1;
        if let Some(base) = act.filter(|_| self.text(thing.end - 1).ends_with("ing"))
            && !people.is_empty()
            && self.peopled(&people, &base, "at", &place, negative)
        {
            return;
        }
        for (things, negative) in self.sides(&thing, negative) {
            for (thing, negative) in self.signed(&things, negative) {
                let known = self.attribute(self.text(thing.end - 1)).is_some();
                if known && self.counts(&thing) {
                    self.has(&place, thing, negative);
                } else {
                    self.push(place.clone(), "has".to_owned(), thing, negative);
                }
            }
        }
    }

    /// "450 people work at X": what the verb says that they are to X.
    pub(super) fn peopled(
        &mut self,
        subject: &Range<usize>,
        base: &str,
        prep: &str,
        object: &Range<usize>,
        negative: bool,
    ) -> bool {
        let people = matches!(self.text(subject.end.max(1) - 1), "people" | "persons");
        // "400 people work for X in Vienna" are some of them.
        let last = object.end >= self.view.lexemes.len() || self.view.is_mark(object.end);
        let inside = matches!(prep, "at" | "in" | "for") && last;
        let told = (people && inside && self.counts_what(subject) && self.capital(object.start))
            .then(|| roles().of("peopled_", base))
            .flatten()
            .filter(|name| self.attribute(name).is_some());
        if let Some(name) = told {
            self.push(object.clone(), name.to_owned(), subject.clone(), negative);
        }
        told.is_some()
    }

    /// Whether the verb says no more than "has", of something counted that is an attribute.
    pub(super) fn having(&self, verb: &str, object: &Range<usize>) -> bool {
        if !stance().has("having", verb) || !self.counts(object) {
            return false;
        }
        let population = || {
            self.attribute("population")
                .filter(|name| self.view.attributes.has(name))
        };
        let spoken = |i: usize| {
            let people = self.text(i) == "people" && population().is_some();
            people || self.attribute(self.text(i)).is_some()
        };
        object.clone().any(|i| self.word(i) && spoken(i))
    }

    /// "X reaches a height of 3,100 m": whether the verb says no more than "has", of a measure.
    pub(super) fn reaching(&self, verb: &str, object: &Range<usize>) -> bool {
        self.valued(object, |_| stance().has("reaching", verb))
    }

    /// "X offers a capacity of 1,700": the same of an attribute that the base has.
    pub(super) fn offering(&self, verb: &str, object: &Range<usize>) -> bool {
        let own = |name: &str| self.view.attributes.has(name);
        stance().has("offering_own", verb) && self.valued(object, own)
    }

    /// "a height of 3,100 m", of an attribute that is wanted.
    fn valued(&self, object: &Range<usize>, wanted: impl Fn(&str) -> bool) -> bool {
        let first = object.start + 1;
        let measured = |of: usize| {
            let next = self.view.lexemes.get(of + 1).map(|next| next.span.start);
            let number = (self.view.quantities.iter()).any(|q| Some(q.span.start) == next);
            let mut names = (first..of).filter_map(|from| self.attribute(&self.joined(from..of)));
            number && self.text(of) == "of" && names.any(|name| wanted(&name))
        };
        matches!(self.text(object.start), "a" | "an")
            && (object.start + 2..object.end.min(object.start + 5)).any(measured)
    }

    /// "X's 500 employees work hard", "The 500 employees of X work hard": how many X has, where the base
    /// tells that.
    pub(super) fn counted_as_subject(&mut self, subject: &Range<usize>) {
        let number = |i: usize| self.view.kind(i) == Some(LexKind::Number);
        let Some(at) = subject.clone().find(|i| number(*i)) else {
            return;
        };
        let counted = at..at + 2;
        let owner = match at.checked_sub(1).filter(|before| *before >= subject.start) {
            Some(before) if counted.end == subject.end && self.owns(before) => subject.start..at,
            Some(before) if before == subject.start && self.text(before) == "the" => {
                let of = counted.end < subject.end && self.text(counted.end) == "of";
                let owner = counted.end + 1..subject.end;
                let named = of && (owner.clone()).any(|i| self.capital(i));
                let more = |i: usize| self.is(i, Cue::PREPOSITION.or(Cue::CONJUNCTION));
                if !named || owner.clone().any(more) {
                    return;
                }
                owner
            }
            _ => return,
        };
        let name = self.word(at + 1).then(|| self.counted(&counted)).flatten();
        if let Some(name) = name.filter(|name| self.view.attributes.has(name)) {
            self.push(owner, name, counted, false);
        }
    }
}
