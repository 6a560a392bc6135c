//! The one value that a question wants.

use std::collections::BTreeSet;

use crate::claims::Shape;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::{circumstance, frames, roles, time};
use crate::normal::stem;

use super::asking::{Asking, is_unit};
use super::frame::Wanted;
use super::{LINKS, NAME};

impl Asking<'_> {
    /// The one attribute of the base whose value is wanted, where the question names no other, and what kind of
    /// value that is.
    pub(super) fn value(&self) -> Option<(String, Shape)> {
        let pattern = self.asked_by_pattern();
        let shape = match self.wanted() {
            Some(Wanted::Amount) => Shape::Number,
            Some(Wanted::Time) => Shape::Date,
            Some(Wanted::Name) => Shape::Name,
            Some(Wanted::Place) => Shape::Place,
            Some(Wanted::Of(_)) => Shape::Any,
            None if pattern.is_some() => Shape::Any,
            Some(Wanted::Same) | None => return None,
        };
        let names = self.things.attributes.predicates();
        let dated = |name: &str| {
            names.named(name).is_some_and(|own| own.dated)
                || self.things.own.timed.iter().any(|own| own == name)
        };
        let own = || {
            (self.things.own.names.iter())
                .collect::<BTreeSet<_>>()
                .into_iter()
        };
        let clocked = |name: &&String| self.things.own.clocked.contains(name);
        let shaped = |name: String| {
            let hour = matches!(shape, Shape::Date | Shape::Any) && clocked(&&name);
            let shape = if hour { Shape::Time } else { shape };
            (name, shape)
        };
        if let Some(name) = pattern {
            return Some(shaped(name));
        }
        // "How many visits have I used?"
        let taken = |word: &&str| circumstance().has("then_taken", word);
        if self.asks_of_then() || shape == Shape::Number && self.words.iter().any(taken) {
            return None;
        }
        // "What does it cost per year?", where the base has what it costs a month.
        let period = |word: &str| time().of("unit_", word).is_some();
        let rated = (1..self.words.len())
            .any(|i| matches!(self.get(i - 1), "per" | "a" | "each") && period(self.get(i)));
        // "When does it open?" asks for a time of day, "When did it open?" for a date.
        let past =
            shape == Shape::Date && ["did", "was"].iter().any(|word| self.words.contains(word));
        let one = |wanted: &dyn Fn(&str) -> bool| {
            let fitting = own().filter(|name| {
                let dates = (shape == Shape::Date) == dated(name);
                (shape == Shape::Any || dates) && !(past && clocked(name)) && wanted(name)
            });
            let mut fitting: Vec<_> = fitting.collect();
            if fitting.len() > 1 && shape == Shape::Date && !past {
                fitting.retain(clocked);
            }
            match fitting[..] {
                [name] => Some(name),
                _ => None,
            }
        };
        // "When is the Harvest Festival?"
        let bare =
            shape == Shape::Date && self.words.len() <= 4 && cue(self.get(1)).is(Cue::COPULA);
        let occasion = |name: &str| bare && circumstance().has("occasion", name);
        let mut asked = self.attributes();
        match shape {
            Shape::Date => self.say_beside(&["at", "in", "on"], &mut asked),
            Shape::Place => {
                self.say_beside(&["in", "at"], &mut asked);
                self.say_of_their_own(&mut asked);
            }
            _ => {}
        }
        // "Where is the Harbour Museum?"
        if shape == Shape::Place && asked.is_empty() {
            asked.push("location".to_owned());
        }
        let said = |name: &str| {
            let has = |part: &str| self.words.iter().any(|word| stem(word) == stem(part));
            name.split('_').all(has)
        };
        one(&said)
            .or_else(|| one(&|name| asked.iter().any(|other| names.same(other, name))))
            .or_else(|| {
                // "How long is it?" names its length too.
                let open = asked.iter().all(|name| self.asks_how(name));
                one(&|name| self.seeks(name)).filter(|_| open)
            })
            .or_else(|| {
                own()
                    .find(|name| occasion(name))
                    .filter(|_| asked.is_empty())
            })
            .filter(|name| (0..self.words.len()).all(|i| self.explains(i, name, &asked)))
            .filter(|name| !self.asks_whom(name))
            .filter(|name| !rated || name.split('_').any(|word| period(word) || word == "per"))
            .map(|name| shaped(name.clone()))
    }

    /// "Who does she manage?" does not ask for her manager.
    fn asks_whom(&self, name: &str) -> bool {
        let done = self.get(0) == "who" && matches!(self.get(1), "does" | "did" | "do");
        let last = name.rsplit('_').next().unwrap_or(name);
        let agent = |word: &&str| {
            let base = verb(word).unwrap_or("");
            let rest = last.strip_prefix(base).filter(|_| !base.is_empty());
            rest.is_some_and(|rest| matches!(rest, "r" | "er" | "or"))
        };
        done && self.words.iter().any(agent)
    }

    /// Whether the word stands behind "how".
    fn asks_how(&self, word: &str) -> bool {
        self.words.windows(2).any(|pair| pair == ["how", word])
    }

    /// Whether "how much", "how heavy" asks for the attribute: its price, its weight in kilograms.
    fn seeks(&self, name: &str) -> bool {
        let how = self.words.iter().position(|word| *word == "how");
        let Some(how) = how.map(|at| self.get(at + 1)) else {
            return false;
        };
        let class = ["sought_", how].concat();
        let sought = |part: &str| circumstance().has(&class, part);
        let light = |part: &str| {
            sought(part)
                || matches!(part, "per" | "in" | "current" | "total" | "list")
                || time()
                    .of("unit_", part.strip_suffix("ly").unwrap_or(part))
                    .is_some()
                || is_unit(part)
        };
        name.split('_').any(sought) && name.split('_').all(light)
    }

    /// Attributes that a verb of the question says with one of the prepositions: "leave" of the departure.
    fn say_beside(&self, links: &[&str], asked: &mut Vec<String>) {
        let names = self.things.attributes.predicates();
        for base in self.words.iter().filter_map(|word| verb(word)) {
            for link in links {
                let phrase = format!("{base} {link}");
                let said = names.of_phrase(&phrase);
                asked.extend(said.map(|own| own.name.to_string()));
            }
        }
    }

    /// Attributes of the base alone that a verb of "Where does it fly to?" says.
    fn say_of_their_own(&self, asked: &mut Vec<String>) {
        let link = |i: usize| match self.get(i + 1) {
            "" => "to",
            next => next,
        };
        let told = (0..self.words.len()).filter_map(|i| {
            let phrase = [verb(self.get(i))?, " ", link(i)].concat();
            roles().of("told_", &phrase)
        });
        asked.extend(told.map(str::to_owned));
    }

    /// Whether a word of the question is of the attribute, the thing or how one asks: "teach maths" and "on the
    /// battery" are none of these.
    fn explains(&self, i: usize, name: &str, asked: &[String]) -> bool {
        let word = self.get(i);
        let measured = i > 0 && self.get(i - 1) == "how" && circumstance().has("measured", word);
        let closed = Cue::FUNCTION.or(LINKS);
        let base = verb(word).unwrap_or("");
        let predicates = self.things.attributes.predicates();
        let says = |phrase: &str| {
            let mut said = predicates.of_phrase(phrase);
            said.any(|own| {
                predicates.same(&own.name, name) || asked.iter().any(|name| *name == *own.name)
            }) || roles().of("told_", phrase) == Some(name)
        };
        // "developed" is of its developer.
        let root = stem(word);
        let own = || {
            let of = |part: &str| stem(part) == root || root.len() > 3 && part.starts_with(&*root);
            name.split('_').any(of)
        };
        let other = self.things.own.has_word(word);
        // "email address"
        let joined = |from: usize| {
            let pair = [self.get(from), "_", self.get(from + 1)].concat();
            predicates.same(&pair, name)
        };
        word == NAME
            || own()
            || joined(i)
            || i > 0 && joined(i - 1)
            || !other
                && (cue(word).is(closed)
                    || self.is_light(word)
                    || measured
                    || circumstance().has("reply_light", word)
                    || circumstance().has("reply_light", base) && !word.ends_with("ing")
                    || predicates.same(word, name)
                    || is_unit(word))
            || says(base)
            // "Which gate does it leave from?"
            || matches!(self.get(0), "which" | "what") && frames().has("bears", base)
            || ["by", "at", "in", "on", "to", "from"]
                .iter()
                .any(|link| says(&format!("{base} {link}")))
    }
}
