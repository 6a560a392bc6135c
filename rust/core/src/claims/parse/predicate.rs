//! What follows a verb: objects and prepositional phrases, and which attribute they speak of.

use std::ops::Range;

use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::predicates::Predicate;
use crate::lexicon::tables::stance;
use crate::types::LexFlags;

use super::{CAP, Group, Parser, Relation, SCHEDULED};

/// Prepositions that a verb with an object keeps: "moved its seat to Leeds".
const GOALS: [&str; 3] = ["to", "into", "against"];

/// Prepositions that say when or how rather than what.
const CIRCUMSTANCES: [&str; 9] = [
    "as",
    "since",
    "during",
    "after",
    "before",
    "until",
    "till",
    "within",
    "throughout",
];

impl Parser<'_> {
    /// The lexicon's phrase for a verb and its preposition; of "take place" that of "take" where it
    /// has no own.
    fn phrase_of(&self, base: &str, prep: &str) -> String {
        let own = [base, " ", prep].concat();
        match base.split_once(' ') {
            Some((verb, _)) if self.predicates().of_phrase(&own).next().is_none() => {
                [verb, " ", prep].concat()
            }
            _ => own,
        }
    }

    pub(super) fn predicate(&mut self, subject: &Range<usize>, group: &Group, end: usize) {
        let rest = group.end..end.max(group.end);
        self.counted_as_subject(subject);
        let Some(base) = &group.base else {
            let object = self.trim(rest);
            if object.is_empty() {
                return;
            }
            if group.copula {
                self.copula(subject, object, group.negative);
            } else if group.has {
                self.had(subject, &object, group.negative);
            }
            return;
        };
        if self.stands(subject, group, end) || self.lies(subject, group, end) {
            return;
        }
        let mut pieces = self.pieces(rest);
        pieces.retain(|(_, object)| !object.is_empty());
        self.without_day_of_hour(base, &mut pieces);
        if self.of_its_part(subject, group, base, &pieces)
            || self.comes_to(subject, group, base, &pieces)
            || self.amounts(subject, group, base, &pieces)
            || self.inhabited(subject, base, &pieces, group.negative)
            || self.first_done(subject, group, &pieces)
            || self.comes_into_force(subject, base, &pieces, group.negative)
            || self.bought(subject, group, base, &pieces)
            || self.reported(subject, group, base, &pieces)
        {
            return;
        }
        let about = self.gapped(&mut pieces);
        let before = self.found.len();
        // "is closed every Monday": as "on Mondays".
        let day = pieces.iter().find(|(prep, _)| prep.is_none());
        if let Some(day) = day.and_then(|(_, object)| self.weekly(object))
            && self.speaks_of(base, "on")
        {
            self.prepositional(subject, base, "on", day, group.negative);
            return;
        }
        let direct = pieces
            .iter()
            .find(|(prep, _)| prep.is_none())
            .map(|(_, object)| self.without_time(object.clone()))
            .filter(|object| !object.is_empty() && !self.is(object.start, Cue::CONJUNCTION));
        // "(founded 1987)": the year takes the place of "in 1987".
        if let Some(year) = direct.clone().filter(|object| self.bare_year(object)) {
            self.prepositional(subject, base, "in", year, group.negative);
            return;
        }
        let inverse = self
            .predicates()
            .of_phrase(&["^", base].concat())
            .next()
            .filter(|_| !group.copula);
        let mut holder = subject.clone();
        let made = inverse.and_then(|_| self.maker(subject, group, direct.as_ref()));
        if let (Some(inverse), Some((object, maker))) = (inverse, made) {
            // "P founded X in 1987": both things are said of X.
            let name = inverse.name.to_string();
            for object in self.conjuncts(&object, group.negative) {
                self.push(object, name.clone(), maker.clone(), group.negative);
            }
            holder = object;
        }
        // "P launched X in 2016": the year is of X.
        let launched = direct.as_ref().filter(|object| {
            let known = self.known_at(object.start, object.end).is_some();
            let again = (group.end..end).any(|i| matches!(self.text(i), "again" | "anew"));
            !group.copula && stance().has("launching", base) && known && !again
        });
        holder = launched.cloned().unwrap_or(holder);
        let mut beside = false;
        for ((prep, object), other) in pieces.iter().zip(about) {
            let Some(prep) = prep else { continue };
            if let Some(other) = other {
                // "joined Acme in 2016 and Beta in 2019": nobody new did.
                if direct.is_none() || inverse.is_some() || group.copula {
                    self.prepositional(&other, base, prep, object.clone(), group.negative);
                }
                continue;
            }
            if self.serves_as_example(base, prep, object) || self.likened(prep, object) {
                continue;
            }
            self.serves_as(subject, group, (base, prep), object);
            // "works with X in Legal": one of them is in Legal.
            if beside && matches!(prep.as_str(), "in" | "at" | "from")
                || matches!(prep.as_str(), "in" | "on") && self.dates_other(group, object)
            {
                self.unclear.push(object.clone());
                continue;
            }
            beside = prep == "with" && self.capital(object.start);
            let kept = direct.is_none() || group.copula || GOALS.contains(&prep.as_str());
            if kept || (self.speaks_of(base, prep) && self.speaks_only(base, prep, object)) {
                // "closes its bar at 01:00": so does the bar.
                let own = direct
                    .as_ref()
                    .filter(|_| inverse.is_none() && self.clocked(object));
                let holder = own.filter(|own| self.is_another(own)).unwrap_or(&holder);
                self.prepositional(holder, base, prep, object.clone(), group.negative);
            }
        }
        if let Some(object) = direct.filter(|_| inverse.is_none()) {
            // "P coaches X", where the base has coaches
            let done = self.own_said(&["^", base].concat(), subject);
            let known = self.known_at(object.start, object.end);
            let whole = known.is_some_and(|own| own.end == object.end) && !group.copula;
            // "conducted X last night", "coaches X in training": what somebody did once, or in part.
            let whole =
                whole && pieces.len() == 1 && (self.lasting_deed(base) || self.present(group));
            match done.filter(|_| whole) {
                Some(name) => self.push(object, name, subject.clone(), group.negative),
                None => self.direct(subject, group, base, &object),
            }
        }
        // "X supports:" goes on in the list below.
        if self.view.word(group.end) == ":" {
            return;
        }
        if self.found.len() > before
            || cue(base).is(Cue::REPORT) && !group.copula && self.text(group.end) != "to"
        {
            return;
        }
        if group.copula {
            self.push(
                subject.clone(),
                "is".to_owned(),
                group.verb..group.verb + 1,
                group.negative,
            );
        } else {
            self.push(
                subject.clone(),
                base.replace(' ', "_"),
                0..0,
                group.negative,
            );
        }
    }

    /// `subject verb object`.
    fn direct(&mut self, subject: &Range<usize>, group: &Group, base: &str, object: &Range<usize>) {
        if group.copula && !cue(base).is(Cue::NAMING) && self.of(object).is_some() {
            self.copula(subject, object.clone(), group.negative);
            return;
        }
        let phrase = if group.copula {
            ["be ", base].concat()
        } else {
            base.to_owned()
        };
        let can = group.verb > 0 && self.text(group.verb - 1) == "can";
        let able = can.then(|| self.spoken_of(&["can ", base].concat(), object));
        let able = able.flatten();
        // "can carry 1,900 passengers", where the base has no capacity and passengers
        let counted = self.text(object.end - 1);
        if able.is_some_and(|able| !self.own(able)) && self.view.attributes.has(counted) {
            self.has(subject, object.clone(), group.negative);
            return;
        }
        let named = able.or_else(|| self.spoken_of(&phrase, object));
        let named = named.filter(|named| {
            // "sold its stadium" is no line of products.
            named.name != "products"
                || !self.is(object.start, Cue::DETERMINER.or(Cue::PRONOUN_THING))
        });
        // "houses 200 paintings" as "has 200 paintings".
        let has = || self.having(base, object) || self.reaching(base, object);
        if !group.copula && (named.is_none() && has() || self.offering(base, object)) {
            for (part, negative) in self.parted(object, group.negative) {
                self.has(subject, part, negative);
            }
            return;
        }
        let name = self.told_by(named, base, object);
        self.push_each(subject, &name, object, group.negative);
    }

    /// Whether the lexicon or the base knows an attribute for the verb and its preposition.
    pub(super) fn speaks_of(&self, base: &str, prep: &str) -> bool {
        self.predicates()
            .of_phrase(&self.phrase_of(base, prep))
            .next()
            .is_some()
            || self.view.attributes.has_both(base, prep)
    }

    /// Whether one of those attributes can have the value.
    fn speaks_only(&self, base: &str, prep: &str, object: &Range<usize>) -> bool {
        let dated = self.dated(object);
        self.predicates()
            .of_phrase_beside(&self.phrase_of(base, prep))
            .filter(|(predicate, beside)| self.suits(predicate, *beside, object))
            .any(|(predicate, _)| {
                if predicate.name == SCHEDULED {
                    self.timed(object)
                } else {
                    dated || !predicate.dated
                }
            })
            || self.view.attributes.has_both(base, prep)
    }

    /// Parts of what follows a verb, each with the preposition that opens it.
    pub(super) fn pieces(&self, rest: Range<usize>) -> Vec<(Option<String>, Range<usize>)> {
        let mut pieces = Vec::new();
        let mut prep = None;
        let mut from = rest.start;
        let mut end = rest.end;
        for i in rest.clone() {
            let opens = self.is(i, Cue::PREPOSITION)
                && !self.set_against(i, prep.as_deref(), &rest)
                && (self.text(i) != "of" || i == rest.start)
                && !self.inside_value(i)
                && !self.is(i, Cue::ADVERB)
                && !self.view.lexemes[i].flags.has(LexFlags::CAPITALIZED);
            let infinitive = self.text(i) == "to"
                && i + 1 < end
                && self
                    .verb(i + 1)
                    .is_some_and(|base| base == self.text(i + 1))
                && !self.capital(i + 1)
                && (i == rest.start
                    || i + 2 < end && self.is(i + 2, Cue::DETERMINER.or(Cue::POSSESSIVE)));
            if infinitive {
                end = i;
                break;
            }
            if opens {
                pieces.push((prep.take(), self.trim(from..i)));
                prep = Some(self.text(i).to_owned());
                from = i + 1;
            }
        }
        pieces.push((prep, self.trim(from.min(end)..end)));
        for (_, object) in &mut pieces {
            // "running and not running": no object.
            if object.start < object.end && self.is(object.start, Cue::CONJUNCTION) {
                object.end = object.start;
            }
        }
        pieces
    }

    /// `verb prep object`, as the attribute the lexicon knows it for, else as `verb_prep`.
    pub(super) fn prepositional(
        &mut self,
        subject: &Range<usize>,
        base: &str,
        prep: &str,
        object: Range<usize>,
        negative: bool,
    ) {
        let lasts = |phrase: &str| {
            let mut known = self.predicates().of_phrase(phrase);
            known.any(|known| known.name == "duration")
        };
        if prep == "for"
            && !lasts(base)
            && !lasts(&[base, " for"].concat())
            && self.lasting(&object)
        {
            return;
        }
        if self.peopled(subject, base, prep, &object, negative) {
            return;
        }
        let phrase = self.phrase_of(base, prep);
        let dated = self.dated(&object);
        let timed = self.timed(&object);
        let (object, unit) = match self.unit(&object) {
            Some((_, inner)) => (inner, true),
            None => (object, false),
        };
        let known = |name: &str| {
            self.view.attributes.has(name)
                || self
                    .predicates()
                    .named(name)
                    .is_some_and(|p| p.synonyms.iter().any(|s| self.view.attributes.has(s)))
        };
        let rises = base == "rise" && !self.measures(&object, "length");
        if self.having(&[base, " ", prep].concat(), &object) {
            for (part, negative) in self.parted(&object, negative) {
                self.has(subject, part, negative);
            }
            return;
        }
        let mut candidates: Vec<&Predicate> = self
            .predicates()
            .of_phrase_beside(&phrase)
            .filter(|(predicate, beside)| self.suits(predicate, *beside, &object))
            .map(|(predicate, _)| predicate)
            .filter(|predicate| predicate.name != "height" || !rises)
            .filter(|predicate| {
                if predicate.name == SCHEDULED {
                    timed
                } else if predicate.name == "height" && self.money(&object) {
                    // "rose to 15 euros"
                    false
                } else {
                    let department = predicate.name == "department";
                    (!dated || predicate.dated)
                        && (!unit || department)
                        && (!department || unit || self.division(&object))
                }
            })
            .collect();
        if unit && candidates.is_empty() && base == "work" && prep == "for" {
            // "works for the Sales department".
            candidates.extend(self.predicates().named("department"));
        }
        let plain = candidates
            .iter()
            .find(|predicate| dated || !predicate.dated);
        let chosen = candidates
            .iter()
            .find(|predicate| known(&predicate.name) && (dated || !predicate.dated))
            .or(plain);
        let own = [&base.replace(' ', "_"), "_", prep].concat();
        let name = if self.view.attributes.has(&own) {
            own.clone()
        } else {
            let told = chosen.filter(|chosen| known(&chosen.name));
            let said = self.own_said(&phrase, &object);
            let said = said.filter(|_| told.is_none());
            said.or_else(|| chosen.map(|chosen| chosen.name.to_string()))
                .unwrap_or_default()
        };
        if let Some((post, holder)) = self.post_before(&name, &object) {
            self.push_each(subject, &post, &holder, negative);
        } else if !name.is_empty() {
            self.push_each(subject, &name, &object, negative);
        } else if let Some((attribute, number)) = self.numbered(&object) {
            self.push(subject.clone(), attribute, number, negative);
        } else if !dated && !timed && !CIRCUMSTANCES.contains(&prep) {
            let negative = negative != (prep == "without");
            let object = self.without_time(object);
            if !object.is_empty() {
                self.push_each(subject, &own, &object, negative);
            }
        }
    }

    /// One relation for each part of the object.
    pub(super) fn push_each(
        &mut self,
        subject: &Range<usize>,
        predicate: &str,
        object: &Range<usize>,
        negative: bool,
    ) {
        for (object, negative) in self.sides(object, negative) {
            let parts = self.signed(&object, negative);
            for (at, (part, own)) in parts.iter().enumerate() {
                // "is rated 4.6 and X 4.1"
                let told = |(_, value): &(_, Range<usize>)| self.counts(value);
                let other = self.has_besides(part).filter(|other| at > 0 && told(other));
                if let Some((other, value)) = other {
                    self.push(other, predicate.to_owned(), value, *own);
                    continue;
                }
                let alike = parts.iter().filter(|(_, other)| other == own).count();
                self.add(Relation {
                    subject: subject.clone(),
                    predicate: predicate.to_owned(),
                    object: part.clone(),
                    negative: *own,
                    coordinated: (alike > 1).then(|| object.clone()),
                });
            }
        }
    }

    pub(super) fn push(
        &mut self,
        subject: Range<usize>,
        predicate: String,
        object: Range<usize>,
        negative: bool,
    ) {
        let object = self.lead(object);
        self.add(Relation {
            subject,
            predicate,
            object,
            negative,
            coordinated: None,
        });
    }

    fn add(&mut self, relation: Relation) {
        if self.found.len() < CAP && !self.found.contains(&relation) {
            self.found.push(relation);
        }
    }
}
