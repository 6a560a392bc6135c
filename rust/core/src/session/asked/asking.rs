//! A sentence of a question, word by word: what kind of value it wants, and under what case.

use crate::claims::unit_named;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::{circumstance, frames, stance, time};
use crate::lexicon::words::{WordClass, class};
use crate::normal::stem;

use super::frame::{Frame, Wanted};
use super::{LINKS, NAME, Things};

/// Words of a question that are read.
const WORDS: usize = 64;

/// A sentence of a question, folded, with [`NAME`] for the name of the thing.
pub(super) struct Asking<'a> {
    pub(super) words: Vec<&'a str>,
    asks: bool,
    pub(super) things: &'a Things<'a>,
}

impl<'a> Asking<'a> {
    pub(super) fn new(marked: &'a str, things: &'a Things<'a>) -> Self {
        let words = marked
            .split_inclusive(NAME)
            .flat_map(|part| match part.strip_suffix(NAME) {
                Some(front) => [front, NAME],
                None => [part, ""],
            })
            .flat_map(|part| match part {
                NAME => vec![NAME],
                text => super::words(text).filter(|word| *word != "'s").collect(),
            })
            .take(WORDS);
        Self {
            words: words.collect(),
            asks: marked.ends_with('?'),
            things,
        }
    }

    pub(super) fn get(&self, i: usize) -> &'a str {
        self.words.get(i).copied().unwrap_or("")
    }

    /// Whether it asks of another time than now ("Where did she work before?"), or of something beside the base's
    /// values.
    pub(super) fn asks_of_then(&self) -> bool {
        self.words.iter().any(|word| {
            circumstance().has("asked_then", word)
                || matches!(*word, "before" | "next" | "again")
                || self.asks_besides(word)
        })
    }

    /// Whether a word asks for something beside the base's value: "the latest check-out", "should".
    pub(super) fn asks_besides(&self, word: &str) -> bool {
        let mut names = self.things.own.names.iter();
        let named = names.any(|name| name.split('_').any(|part| part == word));
        circumstance().has("asks_besides", word) && !named
    }

    pub(super) fn frame(&self) -> Option<Frame> {
        let wanted = self.wanted()?;
        let mut told: Vec<&str> = Vec::new();
        let mut dated = false;
        if wanted == Wanted::Same {
            told.extend(self.added());
        }
        for i in 0..self.words.len() {
            let (word, next) = (self.get(i), self.get(i + 1));
            dated |= is_year(word) || matches!(next, "year" | "century" | "decade");
            // "When did it first open?"
            let began = self.get(0) == "how" && circumstance().has("begins", word);
            let taken = wanted == Wanted::Amount && circumstance().has("then_taken", word);
            let then = wanted != Wanted::Time && circumstance().has("asked_then", word);
            let then = then || taken || began || self.asks_besides(word);
            if then || self.is_time(i) {
                told.push(word);
            }
            told.extend(self.led(i, &wanted));
            told.extend(self.narrows(i));
            told.extend(self.acts(i, &wanted));
            if self.opens_case(i, &wanted) {
                let rest = &self.words[i + 1..];
                told.extend(rest.iter().filter(|word| !cue(word).is(Cue::FUNCTION)));
            }
        }
        let told: Vec<String> = told
            .into_iter()
            .map(|word| stem(word).into_owned())
            .collect();
        (!told.is_empty()).then_some(Frame {
            wanted,
            told,
            dated,
        })
    }

    /// What is wanted; nothing is told of what has no question word and no number or time in it.
    pub(super) fn wanted(&self) -> Option<Wanted> {
        let at = (self.words.iter()).position(|word| cue(word).is(Cue::QUESTION));
        let Some(at) = at else {
            let goes_on = matches!(self.get(0), "and" | "but" | "or");
            if goes_on && self.asks && !self.words.contains(&NAME) {
                return Some(Wanted::Same);
            }
            let copied = cue(self.get(0)).is(Cue::COPULA.or(Cue::AUXILIARY));
            if !copied || !self.asks {
                return None;
            }
            let times = self
                .words
                .iter()
                .any(|word| is_weekday(word) || is_hour(word));
            return Some(if times { Wanted::Time } else { Wanted::Amount });
        };
        let next = self.get(at + 1);
        match self.get(at) {
            // "What about in winter?"
            "what" | "how" if next == "about" && !self.words.contains(&NAME) => Some(Wanted::Same),
            "who" | "whom" | "whose" => Some(Wanted::Name),
            "when" => Some(Wanted::Time),
            "where" => Some(Wanted::Place),
            "how" if matches!(next, "many" | "much" | "often") || cue(next).is(Cue::ADJECTIVE) => {
                Some(Wanted::Amount)
            }
            "how" if circumstance().has("measured", next) => Some(Wanted::Amount),
            // "How did it begin?"
            "how"
                if self
                    .words
                    .iter()
                    .any(|word| circumstance().has("begins", word)) =>
            {
                Some(Wanted::Amount)
            }
            "what" | "which" if circumstance().has("asked_when", next) => Some(Wanted::Time),
            // "What was it like in the past?"
            "what" if self.words.contains(&"like") => Some(Wanted::Same),
            "what" | "which" => {
                let names = self.attributes_from(at + 1);
                (!names.is_empty()).then_some(Wanted::Of(names))
            }
            _ => None,
        }
    }

    /// Attributes that the sentence names, or says by a verb.
    pub(super) fn attributes(&self) -> Vec<String> {
        self.attributes_from(0)
    }

    fn attributes_from(&self, start: usize) -> Vec<String> {
        let mut names = Vec::new();
        self.nouns_from(start, &mut names);
        // "Who published …?" asks for whom it was published by.
        let who = self.words[..start.max(1)]
            .iter()
            .chain(self.words.get(start))
            .any(|word| matches!(*word, "who" | "whom"));
        for word in &self.words[start..] {
            // "developed": its developer
            let acts = |name: &&String| {
                let root = stem(word);
                let rest = name.strip_prefix(&*root);
                who && rest.is_some_and(|rest| matches!(rest, "er" | "r" | "or"))
            };
            names.extend(self.things.own.names.iter().filter(acts).cloned());
            let Some(base) = verb(word) else { continue };
            let predicates = self.things.attributes.predicates();
            let by = if who {
                format!("{base} by")
            } else {
                String::new()
            };
            let said = predicates.of_phrase(base).chain(predicates.of_phrase(&by));
            names.extend(said.map(|own| own.name.to_string()));
        }
        names
    }

    fn nouns_from(&self, start: usize, names: &mut Vec<String>) {
        let has = |part: &str| {
            self.words[start..]
                .iter()
                .any(|word| stem(word) == stem(part))
        };
        let implied = |part: &str| {
            let mut classes = circumstance().classes(part);
            let by = |class: &str| {
                let word = class.strip_prefix("implied_");
                word.is_some_and(|word| self.words.contains(&word))
            };
            classes.any(by)
        };
        // "When is the exam …?" asks for the exam's date.
        let told = |name: &&String| {
            name.split('_').all(|part| has(part) || implied(part)) && name.split('_').any(has)
        };
        let own = self.things.own.names.iter();
        names.extend(own.filter(told).cloned());
        for i in start..self.words.len() {
            for end in i + 1..=(i + 3).min(self.words.len()) {
                let name = self.words[i..end].join("_");
                if self.things.attributes.predicates().named(&name).is_some()
                    && !names.contains(&name)
                {
                    names.push(name);
                }
            }
        }
    }

    /// A year, a day of the week, a month, "last year".
    fn is_time(&self, i: usize) -> bool {
        let (word, next) = (self.get(i), self.get(i + 1));
        let led = i > 0 && cue(self.get(i - 1)).is(Cue::PREPOSITION);
        let month = class(word).has(WordClass::MONTH)
            && (led || cue(word).without(Cue::FUNCTION) == Cue::default() && verb(word).is_none());
        let unit = |word: &str| time().of("unit_", word).is_some() || time().has("season", word);
        let turned = ["previous", "following", "current"]
            .iter()
            .any(|class| time().has(class, word));
        is_year(word)
            || is_weekday(word)
            || month
            || turned && unit(next)
            || time().has("yesterday", word)
            || time().has("tomorrow", word)
            || time().has("ago", word)
    }

    /// What a preposition adds, where it is neither how the thing is told nor without a case.
    fn led(&self, i: usize, wanted: &Wanted) -> Vec<&'a str> {
        let link = self.get(i);
        let next = self.get(i + 1);
        let many = self.words.contains(&"many");
        let spell = many && [next, self.get(i + 2)].iter().any(|word| is_spell(word));
        if spell && matches!(link, "per" | "in") {
            return vec![link];
        }
        // "of Velden and its suburbs"
        let more = cue(next).is(Cue::POSSESSIVE.or(Cue::DETERMINER));
        if link == "and" && i > 0 && self.get(i - 1) == NAME && more {
            return vec![self.get(i + 2)];
        }
        let adds = cue(link).is(Cue::PREPOSITION) || circumstance().has("asked_by", link);
        let verbal = link == "to" && verb(next).is_some();
        let placed = *wanted == Wanted::Place && matches!(link, "in" | "on" | "at" | "near");
        if !adds || verbal || placed || circumstance().has("asked_plain", link) || i == 0 {
            return Vec::new();
        }
        let stops = LINKS.or(Cue::CONJUNCTION);
        let rest = self.words[i + 1..].iter().copied();
        let mut phrase: Vec<&str> = rest.take_while(|word| !cue(word).is(stops)).collect();
        if phrase.contains(&NAME) {
            return Vec::new();
        }
        phrase.retain(|word| !cue(word).is(Cue::DETERMINER.or(Cue::POSSESSIVE)));
        let all = matches!(self.get(i + 1), "the" | "a" | "an")
            && phrase.len() == 1
            && !circumstance().has("no_case", phrase[0]);
        // "for new customers", "with battery", "in the US"
        let people = phrase
            .last()
            .is_some_and(|word| frames().has("case_whom", word));
        if people && phrase.len() > 1 {
            phrase.pop();
            return phrase;
        }
        if matches!(link, "with" | "without" | "including" | "excluding")
            || all && cue(phrase[0]).is(Cue::PRONOUN_OTHER)
        {
            return phrase;
        }
        // "… in Bergen has", where the base has it there.
        let beside =
            link == "by" || self.get(i - 1) == NAME && matches!(link, "in" | "at" | "on" | "of");
        let light =
            |word: &str| self.is_light(word) || is_unit(word) || beside && self.things.tell(word);
        phrase.into_iter().filter(|word| !light(word)).collect()
    }

    /// Whether a word tells no case: "in total", "your ticket", the name of an attribute.
    pub(super) fn is_light(&self, word: &str) -> bool {
        let pronoun = Cue::PRONOUN_PERSON
            .or(Cue::PRONOUN_THING)
            .or(Cue::PRONOUN_OTHER)
            .or(Cue::PRONOUN_GROUP);
        cue(word).is(pronoun.or(Cue::DETERMINER).or(Cue::POSSESSIVE))
            || circumstance().has("no_case", word)
            || stance().has("plain", word)
            || self.things.own.has_word(word)
    }

    /// "And with the lens?": all that a question adds to the one before it.
    fn added(&self) -> impl Iterator<Item = &'a str> {
        let words = self.words.iter().copied();
        words.filter(|word| {
            let closed = LINKS.or(Cue::CONJUNCTION).or(Cue::FUNCTION);
            let named = self.things.attributes.predicates().named(word).is_some()
                && !frames().has("case_whom", word);
            !cue(word).is(closed) && !self.is_light(word) && !named
        })
    }

    /// "cost to repair": what is done, where it is not how one comes by the thing; "how heavy is it boxed".
    fn acts(&self, i: usize, wanted: &Wanted) -> Option<&'a str> {
        let (link, word) = (self.get(i), self.get(i + 1));
        let amount = matches!(wanted, Wanted::Amount | Wanted::Of(_));
        let price = |word: &&str| circumstance().has("price_word", word);
        let priced = self.words.iter().any(price);
        let base = verb(word).unwrap_or("");
        let done = link == "to" && !base.is_empty() && !circumstance().has("comes_by", base);
        let last = i + 2 == self.words.len() && *wanted == Wanted::Amount;
        let told = word.ends_with("ed") && verb(word) != Some(word);
        let behind = link == NAME || verb(link) == Some(link) || link == "second";
        let left = last && behind && (told || circumstance().has("another_one", word));
        // "How many exhibits did it open with?"
        if last && word == "with" {
            return Some(word);
        }
        (amount && (priced && done || left)).then_some(word)
    }

    /// "How many full-time employees": words between it and its noun.
    fn narrows(&self, i: usize) -> Vec<&'a str> {
        if !matches!(self.get(i), "many" | "much") || i == 0 || self.get(i - 1) != "how" {
            return Vec::new();
        }
        let stops = LINKS.or(Cue::DETERMINER);
        let rest = self.words[i + 1..].iter().copied();
        let mut phrase: Vec<&str> = rest
            .take_while(|word| !cue(word).is(stops) && *word != NAME)
            .collect();
        // "How many people live …", "How many people visit …"
        let end = i + 1 + phrase.len();
        let next = end + usize::from(matches!(self.get(end), "the" | "a" | "an"));
        let done = |word: &str| verb(word).is_some() || self.get(next) == NAME;
        if phrase.len() > 1 && phrase.last().is_some_and(|word| done(word)) {
            phrase.pop();
        }
        if self.get(i + 1) == "of" {
            return self.words[i + 2..].to_vec();
        }
        let Some(noun) = phrase.pop() else {
            return phrase;
        };
        if is_unit(noun) {
            return Vec::new();
        }
        // "How many women work at …"
        let general = circumstance().has("no_case", noun)
            || self.things.own.has_word(noun)
            || self.things.attributes.predicates().named(noun).is_some();
        if !general {
            phrase.push(noun);
        }
        phrase.retain(|word| {
            !stance().has("plain", word)
                && !cue(word).is(Cue::DETERMINER)
                && !self.things.own.has_word(word)
        });
        phrase
    }

    /// "if I book early", "when it rains", where "Do you know when it opened?" opens none.
    fn opens_case(&self, i: usize, wanted: &Wanted) -> bool {
        let word = self.get(i);
        let before = self.get(i.saturating_sub(1));
        let asked = cue(before).is(Cue::PRONOUN_OTHER) && before != "there"
            || cue(verb(before).unwrap_or("")).is(Cue::REPORT)
            || circumstance().has("inquires", before);
        let opens = circumstance().has("case", word) && !cue(word).is(Cue::PREPOSITION);
        // "The Harbour Museum: when was it founded?"
        let wants = !self.words[..i]
            .iter()
            .any(|word| cue(word).is(Cue::QUESTION))
            && cue(word).is(Cue::QUESTION);
        i > 1
            && opens
            && !wants
            && !asked
            && (*wanted == Wanted::Amount || !self.words[i..].contains(&NAME))
            && self.words.len() > i + 1
    }
}

pub(super) fn is_weekday(word: &str) -> bool {
    class(word.strip_suffix('s').unwrap_or(word)).has(WordClass::WEEKDAY)
        || ["day_12345", "day_67", "day_8"]
            .iter()
            .any(|days| circumstance().has(days, word))
}

fn is_spell(word: &str) -> bool {
    circumstance().has("asked_spell", word)
}

pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4 && (1000..2200).contains(&word.parse().unwrap_or(0))
}

pub(super) fn is_unit(word: &str) -> bool {
    unit_named(word).is_some()
}

pub(super) fn is_hour(word: &str) -> bool {
    circumstance().has("clock", word)
}
