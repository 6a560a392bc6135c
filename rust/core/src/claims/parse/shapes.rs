//! Copulas, possessives and "has".

use std::ops::Range;

use crate::lexicon::cues::Cue;
use crate::lexicon::persons::persons;
use crate::lexicon::tables::stance;
use crate::segment::told_clocks;
use crate::types::{LexFlags, LexKind, Resolution};

use super::{CARRIERS, Parser, SCHEDULED};

impl Parser<'_> {
    /// "X is Y" in its shapes: "X's Y is Z", "the Y of X is Z", "X is the Y of Z", "X is in Y",
    /// "X is 12 metres tall", plain "X is Y".
    pub(super) fn copula(&mut self, subject: &Range<usize>, object: Range<usize>, negative: bool) {
        // "is already open at noon"
        let still = matches!(self.text(object.start), "already" | "still" | "also")
            && self.text(object.start + 1) == "open"
            && object.len() > 2;
        let object = object.start + usize::from(still)..object.end;
        if subject.len() == 1 && self.text(subject.start) == "there" {
            self.there(object, negative);
            return;
        }
        if let [(one, own), (other, against)] = self.sides(&object, negative).as_slice() {
            self.copula(subject, one.clone(), *own);
            self.copula(subject, other.clone(), *against);
            return;
        }
        if self.measured_list(subject, &object, negative)
            || self.whereabouts(subject, &object, negative)
            || self.aged(subject, &object, negative)
        {
            return;
        }
        let after = object.start + 1..object.end;
        let timed =
            self.is(object.start, Cue::PREPOSITION) && object.len() > 1 && self.when(&after);
        // "check-in at X is at 14:00": a time is all that is said of it.
        let hour = timed && self.sole_time(&after);
        if let Some((owner, name)) = self.dated_noun(subject, &after).filter(|_| timed) {
            self.push(owner, name, after, negative);
            return;
        }
        // "is worth 9 credits"
        if self.text(object.start) == "worth" && self.having("offer", &after) {
            self.has(subject, after, negative);
            return;
        }
        // "is 320 pages long"
        if let [number, noun, long] = *object.clone().collect::<Vec<_>>()
            && self.view.lexemes[number].kind == LexKind::Number
            && self.text(long) == "long"
            && self.view.attributes.has(self.text(noun))
        {
            self.has(subject, number..long, negative);
            return;
        }
        if let Some((owner, attribute, value)) = self.said_at(subject, &object) {
            self.push_each(&owner, &attribute, &value, negative);
            return;
        }
        if let Some((owner, attribute)) = self
            .owned(subject, &object, hour)
            .filter(|(_, attribute)| !timed || hour && self.view.attributes.has(attribute))
        {
            // "X's seat is in Y"
            let placed = self.is_placed(&object, &attribute, hour);
            let object = if placed {
                object.start + 1..object.end
            } else {
                object
            };
            for owner in self.conjuncts(&owner, false) {
                self.push_each(&owner, &attribute, &object, negative);
            }
            return;
        }
        if self.text(object.start) == "home"
            && self.text(object.start + 1) == "to"
            && self.having("hold", &object)
        {
            self.has(subject, object.start + 2..object.end, negative);
            return;
        }
        if let Some((attribute, year)) = self.of_its_year(&object).filter(|_| !negative) {
            self.push(subject.clone(), attribute, year, false);
        }
        let made = self.work_by(&object).filter(|_| !negative);
        if let Some((attribute, value)) = made.or_else(|| self.phrased(&object)) {
            self.push(subject.clone(), attribute, value, negative);
            return;
        }
        let object = self.described(subject, object, negative);
        if let Some((attribute, unit)) = self.membership(&object) {
            self.push(subject.clone(), attribute, unit, negative);
            return;
        }
        let named = self.capital(subject.start) && self.text(object.start) == "the";
        let role_of = || named.then(|| self.head_of(&object)).flatten();
        let belongs = self.of(&object).or_else(role_of);
        if let Some((attribute, owner)) = belongs.filter(|(_, owner)| !self.counts_what(owner)) {
            let role = self.predicates().same(&attribute, "head") || attribute == "title";
            // "the curator of X and Y"
            for owner in self.conjuncts(&owner, false) {
                self.push(owner, attribute.clone(), subject.clone(), negative);
            }
            if role {
                self.push(subject.clone(), "title".to_owned(), object, negative);
            }
            return;
        }
        let own = self.is(object.start, Cue::POSSESSIVE);
        if let Some((owner, attribute)) = self.genitive(&object)
            && (!own || self.predicates().named(&attribute).is_some())
        {
            self.push(owner, attribute, subject.clone(), negative);
            return;
        }
        let measured = self.reaches(&object);
        if self.is(object.start, Cue::PREPOSITION) && object.len() > 1 && !measured {
            let rest = object.start + 1..object.end;
            if self.text(object.start) == "in"
                && let Some((attribute, unit)) = self.unit(&rest)
            {
                self.push(subject.clone(), attribute, unit, negative);
                return;
            }
            if self.text(object.start) == "in"
                && let Some((attribute, value)) = self.designated(&rest)
            {
                self.push(subject.clone(), attribute, value, negative);
                return;
            }
            let place = matches!(self.text(object.start), "in" | "at" | "near");
            let name = if self.text(object.start) == "on" && self.timed(&rest)
                || place && self.dated(&rest)
            {
                SCHEDULED.to_owned()
            } else if place
                && (self.when(&rest) || self.text(object.start) == "at" && self.hour(&rest))
            {
                "time".to_owned()
            } else if place {
                "location".to_owned()
            } else {
                ["is_", self.text(object.start)].concat()
            };
            self.push(
                subject.clone(),
                name,
                object.start + 1..object.end,
                negative,
            );
            return;
        }
        self.of_age(subject, &object, negative);
        let measured = measured
            || !self.years_old(&object)
                && object
                    .clone()
                    .any(|i| self.view.lexemes[i].kind == LexKind::Number);
        if let Some(dimension) = self.amount_of(&object).filter(|_| measured) {
            self.push(subject.clone(), dimension, object, negative);
            return;
        }
        self.push_each(subject, "is", &object, negative);
    }

    /// Whether it is a date or a time of day.
    fn when(&self, range: &Range<usize>) -> bool {
        self.dated(range)
            || self.timed(range)
            || self.clocked(range)
            || self.span(range).is_some_and(|span| {
                let dates = self.view.dates.iter();
                dates
                    .filter(|d| d.minutes.is_some())
                    .any(|d| d.span.overlaps(span))
            })
    }

    /// "nine to five".
    pub(super) fn hours(&self, range: &Range<usize>) -> bool {
        self.span(range)
            .is_some_and(|span| !told_clocks(self.view.at(span)).is_empty())
    }

    /// "Marketing is where X works", "is open from 10 am to 5 pm".
    fn whereabouts(
        &mut self,
        subject: &Range<usize>,
        object: &Range<usize>,
        negative: bool,
    ) -> bool {
        let next = object.start + 1;
        if self.text(object.start) == "where" {
            let verb =
                (next + 1..object.end).find(|i| self.verb(*i).is_some() && !self.capital(*i));
            let Some((verb, base)) = verb.and_then(|verb| Some((verb, self.verb(verb)?))) else {
                return false;
            };
            let inner = self.trim(next..verb);
            if inner.is_empty() || verb + 1 < object.end {
                return false;
            }
            self.prepositional(&inner, base, "in", subject.clone(), negative);
            return true;
        }
        if self.text(object.start) != "open"
            || !matches!(
                self.text(next),
                "from" | "until" | "till" | "between" | "at"
            )
            || next + 1 >= object.end
        {
            return false;
        }
        // "is open from 7 and its bar from 9"
        let mut pieces = self.pieces(next..object.end);
        let about = self.gapped(&mut pieces);
        let others = about.iter().position(Option::is_some).filter(|at| *at > 0);
        let end = others.map_or(object.end, |at| pieces[at - 1].1.end);
        let told = next + 1..end;
        let hours = self.when(&told)
            || self.hours(&told)
            || matches!(self.text(next), "from" | "until" | "till") && self.hour(&told);
        if hours {
            let name = self.attribute("opening_hours");
            let name = name.unwrap_or_else(|| "opening_hours".to_owned());
            self.push(subject.clone(), name.clone(), told, negative);
            for ((_, value), other) in pieces.into_iter().zip(about) {
                if let Some(other) = other {
                    self.push(other, name.clone(), value, negative);
                }
            }
        }
        hours
    }

    /// "room C3": an attribute of the base by its name, and the value; "Marketing" where the base
    /// has departments.
    fn designated(&self, range: &Range<usize>) -> Option<(String, Range<usize>)> {
        let (first, last) = (range.start, range.end - 1);
        if range.len() == 2 && !self.capital(first) && self.view.attributes.has(self.text(first)) {
            let flags = self.view.lexemes[last].flags;
            let label = flags.has(LexFlags::HAS_DIGIT)
                || self.capital(last)
                || self.view.lexemes[last].kind == LexKind::Number;
            return label.then(|| (self.text(first).to_owned(), last..range.end));
        }
        let name = self.attribute("department")?;
        (range.len() == 1
            && self.capital(first)
            && persons().is_unit(self.text(first))
            && self.view.attributes.has(&name))
        .then(|| (name, range.clone()))
    }

    /// "has 120 employees", "has a population of 5,000", "has a garden".
    pub(super) fn has(&mut self, subject: &Range<usize>, object: Range<usize>, negative: bool) {
        // "has a total of 60 rooms"
        let carrier = object.start + usize::from(self.is(object.start, Cue::DETERMINER));
        let counted = carrier + 2..object.end;
        if carrier + 2 < object.end
            && CARRIERS.contains(&self.text(carrier))
            && self.text(carrier + 1) == "of"
            && self.view.lexemes[carrier + 2].kind == LexKind::Number
        {
            self.has(subject, counted, negative);
            return;
        }
        let placed = (self.filling(&object))
            .or_else(|| self.numbered(&object))
            .or_else(|| self.measure_of(&object))
            .or_else(|| self.placed(&object))
            .or_else(|| self.listed(&object));
        let alone = self.count_alone(&object);
        let placed = placed.filter(|_| alone.is_none());
        let object = alone.unwrap_or(object);
        let of = placed.or_else(|| self.of(&object));
        if let Some((attribute, value)) = of.filter(|(_, value)| !self.is_for_each(value)) {
            self.push(subject.clone(), attribute, value, negative);
            return;
        }
        let end = (object.start..object.end)
            .find(|i| {
                *i > object.start && self.is(*i, Cue::PREPOSITION) && !self.is(*i, Cue::ADVERB)
            })
            .unwrap_or(object.end);
        // "300 employees worldwide"
        let last = end == object.end && end > object.start + 1;
        let all = last && stance().has("everywhere", self.text(end - 1));
        let noun = object.start..end - usize::from(all);
        let counted = noun
            .clone()
            .any(|i| self.view.lexemes[i].kind == LexKind::Number)
            || self
                .span(&noun)
                .is_some_and(|span| self.view.quantities.iter().any(|q| span.overlaps(q.span)));
        let whole = counted && !self.measured_part(&noun);
        let name = whole.then(|| self.counted(&noun)).flatten();
        self.push(
            subject.clone(),
            name.unwrap_or_else(|| "has".to_owned()),
            noun,
            negative,
        );
    }

    /// "rooms for four": how many each of them is for, where "seats for four" counts the seats.
    fn is_for_each(&self, value: &Range<usize>) -> bool {
        let of_each = value.start.checked_sub(2).map(|i| self.text(i));
        let several = |noun: &str| noun.ends_with('s') && !stance().has("holds_people", noun);
        let link = value.start.checked_sub(1).map(|i| self.text(i));
        link == Some("for") && of_each.is_some_and(several) && self.counts(value)
    }

    /// Folded words joined by `_`.
    pub(super) fn joined(&self, range: Range<usize>) -> String {
        let words: Vec<&str> = range
            .filter(|i| self.word(*i))
            .map(|i| self.text(i))
            .collect();
        // "e-mail address".
        words.join("_").replace('-', "_")
    }

    /// The attribute of that name: the knowledge base's own, else the lexicon's.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        if self.view.attributes.has(name) {
            return Some(name.to_owned());
        }
        let found = self.predicates().named(name).map(|predicate| {
            let own = predicate
                .synonyms
                .iter()
                .find(|s| self.view.attributes.has(s));
            let own = own.filter(|_| !self.view.attributes.has(&predicate.name));
            own.unwrap_or(&predicate.name).to_string()
        });
        found.filter(|found| !self.view.attributes.shortens(name, found))
    }

    /// "the Y of X", "Y for X", "Y at X": attribute and the rest.
    pub(super) fn of(&self, range: &Range<usize>) -> Option<(String, Range<usize>)> {
        let mut start = range.start;
        while start < range.end && self.is(start, Cue::DETERMINER) {
            start += 1;
        }
        let mut at = (start + 1..range.end).find(|i| self.links(*i) && !self.inside_name(*i))?;
        if CARRIERS.contains(&self.text(at - 1)) && self.text(at) == "of" {
            // "the number of employees of X"
            let inner = at + 1;
            if let Some(next) =
                (inner + 1..range.end).find(|i| self.links(*i) || self.text(*i) == "in")
            {
                start = inner;
                at = next;
            }
        }
        let rest = self.trim(at + 1..self.held_for(at + 1..range.end));
        if rest.is_empty() {
            return None;
        }
        // "the current managing director of X": the last words name the attribute.
        // "deputy to the CEO of X" is no CEO.
        let clear = (start..at)
            .rev()
            .take_while(|i| !self.is(*i, Cue::PREPOSITION))
            .last()?;
        (clear..at)
            .find_map(|from| self.attribute(&self.joined(from..at)))
            .filter(|_| clear == start)
            .map(|name| (name, rest))
    }

    /// "of" in "the Museum of Tides", where that is one name.
    fn inside_name(&self, i: usize) -> bool {
        let Some(at) = self.view.lexemes.get(i).map(|l| l.span) else {
            return false;
        };
        self.view.mentions.iter().any(|mention| {
            let within = mention.span.start < at.start && at.end < mention.span.end;
            within && matches!(mention.resolution, Resolution::Known(_))
        })
    }

    /// "the captain of Y": what no lexicon lists, where the noun is one word and Y is definite.
    fn head_of(&self, range: &Range<usize>) -> Option<(String, Range<usize>)> {
        let noun = range.start + 1;
        let rest = self.trim(noun + 2..range.end.max(noun + 2));
        let definite = !rest.is_empty()
            && (self.capital(rest.start) || matches!(self.text(rest.start), "the" | "this"));
        (self.text(range.start) == "the"
            && self.text(noun + 1) == "of"
            && !self.inside_name(noun + 1)
            && definite
            && !self.is(noun, Cue::PARTITIVE))
        .then(|| (self.text(noun).to_owned(), rest))
    }

    /// "X's Y" as a subject or "the Y of X": owner and attribute.
    pub(super) fn possessed(&self, subject: &Range<usize>) -> Option<(Range<usize>, String)> {
        self.genitive(subject).or_else(|| {
            self.of(subject)
                .or_else(|| self.head_of(subject))
                .map(|(name, owner)| (owner, name))
        })
    }

    /// "X's Y", "its Y".
    pub(super) fn genitive(&self, range: &Range<usize>) -> Option<(Range<usize>, String)> {
        let at = range.clone().find(|i| {
            let possessive =
                *i == range.start && (self.is(*i, Cue::POSSESSIVE) || self.text(*i) == "her");
            possessive || self.owns(*i) || self.owns_by_digit(*i)
        })?;
        let rest = at + 1..range.end;
        if rest.is_empty() {
            return None;
        }
        let name = rest
            .clone()
            .find_map(|from| self.attribute(&self.joined(from..rest.end)));
        Some((
            range.start..at + 1,
            name.unwrap_or_else(|| self.joined(rest)),
        ))
    }
}
