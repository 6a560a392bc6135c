//! What a verb with a number says, which depends on what the number counts, and what is said of a
//! part of a thing: "holds 300 people", "X's battery lasts ten hours".

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::predicates::{Beside, Predicate};
use crate::lexicon::tables::{narrowing, stance};
use crate::lexicon::units::{is_pound, unit};
use crate::types::{LexKind, Quantity, QuantityKind};

use super::{Group, Parser};

impl Parser<'_> {
    /// The attribute that a verb and its object speak of: of several that can have the value the
    /// first that the base has, else the first.
    pub(super) fn spoken_of(&self, phrase: &str, object: &Range<usize>) -> Option<&Predicate> {
        let suitable = || {
            self.predicates()
                .of_phrase_beside(phrase)
                .filter(|(predicate, beside)| self.suits(predicate, *beside, object))
                .map(|(predicate, _)| predicate)
        };
        suitable()
            .find(|found| self.own(found))
            .or_else(|| suitable().next())
    }

    /// Whether the base has the attribute under one of its names.
    pub(super) fn own(&self, found: &Predicate) -> bool {
        self.view.attributes.has(&found.name)
            || found.synonyms.iter().any(|s| self.view.attributes.has(s))
    }

    /// Whether the words can be a value of the attribute, beside such a phrase.
    pub(super) fn suits(
        &self,
        predicate: &Predicate,
        beside: Beside,
        object: &Range<usize>,
    ) -> bool {
        let fits = match beside {
            Beside::Any => true,
            Beside::Name => self.called(object),
            Beside::Time => self.clocked(object) || self.hour(object) || self.hours(object),
        };
        let listed = || match beside {
            Beside::Name => object.clone().any(|i| {
                let word = self.text(i);
                predicate.counts.iter().any(|own| own == word)
            }),
            _ => self.counts_for(predicate, object),
        };
        fits && (predicate.counts.is_empty() || listed())
    }

    /// Whether the words are a name and no day or year.
    pub(super) fn called(&self, object: &Range<usize>) -> bool {
        let start = object
            .clone()
            .find(|i| !self.is(*i, Cue::DETERMINER))
            .unwrap_or(object.start);
        start < object.end
            && self.word(start)
            && self.view.word(start).chars().any(char::is_uppercase)
            && !self.timed(object)
            && !self.dated(object)
    }

    /// Whether a number stands in the phrase that counts what the attribute is measured in.
    fn counts_for(&self, predicate: &Predicate, object: &Range<usize>) -> bool {
        let Some(span) = self.span(object) else {
            return false;
        };
        let has = |item: &str| predicate.counts.iter().any(|own| own == item);
        let several = |noun: &str| {
            let mut counts = predicate.counts.iter();
            counts.any(|own| own.strip_suffix('s') == Some(noun))
        };
        let mut within = self
            .view
            .quantities
            .iter()
            .filter(|q| span.overlaps(q.span));
        within.next().is_some_and(|quantity| {
            // "8 out of 10" is on a scale of its own, which only a rating has.
            if self.text(self.view.lexemes_in(quantity.span).end) == "out" {
                return has("points");
            }
            let dimension = match (quantity.kind, quantity.unit) {
                (QuantityKind::Money, _) => Some("money"),
                (_, Some(id)) => Some(unit(id).dimension),
                _ => None,
            };
            match dimension {
                // "costs 12 pounds"
                Some("mass") if has("=money") => quantity.unit.is_some_and(is_pound),
                Some(dimension) => {
                    (predicate.counts.iter()).any(|own| own.strip_prefix('=') == Some(dimension))
                }
                None => self
                    .noun_after(quantity, object)
                    .is_none_or(|noun| has(noun) || several(noun)),
            }
        })
    }

    /// The last word of what a number counts: "people" of "300 seated people a day".
    fn noun_after(&self, quantity: &Quantity, object: &Range<usize>) -> Option<&str> {
        let from = self.view.lexemes_in(quantity.span).end.max(object.start);
        (from..object.end)
            .take_while(|i| {
                self.view.lexemes[*i].kind == LexKind::Word
                    && !self.is(
                        *i,
                        Cue::PREPOSITION.or(Cue::DETERMINER).or(Cue::CONJUNCTION),
                    )
            })
            // "600 people worldwide", "40 engineers altogether"
            .filter(|i| !self.is(*i, Cue::ADVERB) && !stance().has("whole", self.text(*i)))
            .last()
            .map(|i| self.text(i))
    }

    /// "X's battery lasts ten hours", "the warranty of X runs for two years": of a part of X, or of
    /// an attribute that is measured so.
    pub(super) fn of_its_part(
        &mut self,
        subject: &Range<usize>,
        group: &Group,
        base: &str,
        pieces: &[(Option<String>, Range<usize>)],
    ) -> bool {
        let Some(((prep, object), rest)) = pieces.split_first() else {
            return false;
        };
        let whole = |(prep, object): &(Option<String>, Range<usize>)| {
            matches!(prep.as_deref(), Some("on" | "per" | "with" | "from")) && self.filled(object)
        };
        if group.copula || !rest.iter().all(whole) {
            return false;
        }
        // "lasts up to ten hours"
        let bare = base
            .strip_suffix(" up")
            .filter(|_| prep.as_deref() == Some("to"));
        let (base, prep) = bare.map_or((base, prep), |bare| (bare, &None));
        if group.copula || subject.len() < 2 || !self.counts(object) {
            return false;
        }
        let Some((owner, part)) = self.part_of(subject) else {
            return false;
        };
        let phrase = match prep {
            Some(prep) => [&part, " ", base, " ", prep].concat(),
            None => [&part, " ", base].concat(),
        };
        let Some(name) = self
            .spoken_of(&phrase, object)
            .map(|named| named.name.to_string())
        else {
            return false;
        };
        self.push(owner, name, object.clone(), group.negative);
        true
    }

    /// "closes on Mondays at five" tells the hour of that day, and no day on which it is closed.
    pub(super) fn without_day_of_hour(
        &self,
        base: &str,
        pieces: &mut Vec<(Option<String>, Range<usize>)>,
    ) {
        let day = |(prep, _): &(Option<String>, Range<usize>)| {
            let phrase = [base, " ", prep.as_deref().unwrap_or("")].concat();
            let mut known = self.predicates().of_phrase(&phrase);
            known.any(|known| known.name == "closed_on")
        };
        let timed = |(_, object): &(Option<String>, Range<usize>)| {
            self.clocked(object) || self.hour(object)
        };
        if pieces.iter().any(day) && pieces.iter().any(timed) {
            pieces.retain(|piece| !day(piece));
        }
    }

    /// Owner and part: "X's battery", "the battery of X", "the X battery".
    fn part_of(&self, subject: &Range<usize>) -> Option<(Range<usize>, String)> {
        // "A ticket to X" may be one of a train.
        let ticket = |i: usize| self.text(i.saturating_sub(1)).starts_with("ticket");
        let links = |i: &usize| {
            matches!(self.text(*i), "of" | "for" | "on" | "in" | "at")
                || self.links(*i) && !ticket(*i)
        };
        let link = subject.clone().find(links);
        if let Some(at) = link.filter(|at| *at > subject.start && at + 1 < subject.end) {
            // "a return trip on X", "evening entry to X"
            let plain = |i: usize| {
                self.is(i, Cue::DETERMINER) || narrowing().has("usual_sort", self.text(i))
            };
            let sold = stance().has("sold_once", self.text(at - 1));
            if sold && !(subject.start..at - 1).all(plain) {
                return None;
            }
            return Some((at + 1..subject.end, self.text(at - 1).to_owned()));
        }
        let last = subject.end - 1;
        let owner = subject.start..last;
        let names = owner
            .clone()
            .any(|i| self.word(i) && !self.is(i, Cue::DETERMINER.or(Cue::ADJECTIVE)));
        (names && !self.capital(last)).then(|| (owner, self.text(last).to_owned()))
    }

    /// Whether an age stands in front of a noun: "a 45-year-old architect".
    pub(super) fn years_old(&self, object: &Range<usize>) -> bool {
        object.clone().any(|i| {
            let word = self.text(i);
            word.ends_with("year-old") || word == "old" && self.text(i - 1).ends_with("year")
        })
    }

    /// "a wall 2 m high": whether the measure is of the noun in front of it, and not of its owner.
    pub(super) fn measured_part(&self, object: &Range<usize>) -> bool {
        let measures = self.view.quantities.iter().filter(|q| q.unit.is_some());
        let starts = measures.map(|q| self.view.lexemes_in(q.span).start);
        let Some(at) = starts
            .filter(|at| *at > object.start && object.contains(at))
            .min()
        else {
            return false;
        };
        let light = Cue::DETERMINER
            .or(Cue::ADVERB)
            .or(Cue::PREPOSITION)
            .or(Cue::ADJECTIVE)
            .or(Cue::FUNCTION);
        let round = |i: usize| self.is(i, Cue::ADVERB) || self.text(i) == "about";
        let Some(noun) = (object.start..at).rev().find(|i| !round(*i)) else {
            return false;
        };
        self.view.lexemes[noun].kind == LexKind::Word
            && !self.is(noun, light)
            && self.attribute(self.text(noun)).is_none()
    }

    /// "over 90 m high", "just under ninety metres long": whether it is a measure and what it is of,
    /// with how near it comes in front.
    pub(super) fn reaches(&self, object: &Range<usize>) -> bool {
        let measures = self.view.quantities.iter().filter(|q| q.unit.is_some());
        let places = measures.map(|q| self.view.lexemes_in(q.span));
        let mut within = places.filter(|at| object.start <= at.start && at.end < object.end);
        within.next().is_some_and(|at| {
            let near = |i: usize| self.is(i, Cue::ADVERB.or(Cue::FUNCTION).or(Cue::PREPOSITION));
            at.end + 1 == object.end && (object.start..at.start).all(near)
        })
    }

    /// "212 metres long and 31 metres high": each a measure of its own. Whether it is such a list.
    pub(super) fn measured_list(
        &mut self,
        subject: &Range<usize>,
        object: &Range<usize>,
        negative: bool,
    ) -> bool {
        let joined = |i: usize| self.text(i) == "and" || self.comma(i);
        if !object.clone().any(joined) {
            return false;
        }
        let parts = self.conjuncts(object, negative);
        if parts.len() < 2 || !parts.iter().all(|part| self.reaches(part)) {
            return false;
        }
        for part in parts {
            self.copula(subject, part, negative);
        }
        true
    }

    /// Whether the word joins an attribute and what has it: "the price of X", "admission to X".
    pub(super) fn links(&self, i: usize) -> bool {
        let behind = |class: &str| i > 0 && stance().has(class, self.text(i - 1));
        match self.text(i) {
            "of" | "for" | "at" => true,
            "to" => behind("admitting"),
            "on" => behind("covering"),
            _ => false,
        }
    }

    /// "128 GB of storage": an amount with a unit, of an attribute.
    pub(super) fn measure_of(&self, object: &Range<usize>) -> Option<(String, Range<usize>)> {
        let at = object.clone().find(|i| self.text(*i) == "of")?;
        let amount = self.span(&(object.start..at))?;
        let unit = |q: &&Quantity| q.unit.is_some() || q.kind == QuantityKind::Money;
        let whole = self.view.quantities.iter().filter(unit);
        whole.map(|q| q.span).find(|span| *span == amount)?;
        let name = self.attribute(&self.joined(at + 1..object.end))?;
        Some((name, object.start..at))
    }

    /// "its headquarters in Bergen": an attribute, and where it is.
    pub(super) fn placed(&self, object: &Range<usize>) -> Option<(String, Range<usize>)> {
        if !self.is(object.start, Cue::POSSESSIVE) {
            return None;
        }
        let at = object.clone().find(|i| self.text(*i) == "in")?;
        let name = self.attribute(&self.joined(object.start + 1..at))?;
        let place = at + 1..object.end;
        let city = self.predicates().same(&name, "location");
        (city && !place.is_empty() && self.called(&place)).then_some((name, place))
    }

    /// Whether the words are one time of day and nothing else.
    pub(super) fn sole_time(&self, range: &Range<usize>) -> bool {
        let whole = self.span(range);
        whole.is_some_and(|span| {
            let dates = self.view.dates.iter().filter(|date| date.minutes.is_some());
            self.view.times_of_day().contains(&span)
                || dates.map(|date| date.span).any(|date| date == span)
        })
    }
}
