//! The case that only a question tells: "How many visitors did it have in 2015?", "When does it open on
//! Sundays?", "How much is it for children?". What the answer gives for it is not what the base has.

use crate::claims::{Attributes, SentenceView, unit_named};
use crate::detect;
use crate::kb::Snapshot;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::{circumstance, stance, time};
use crate::lexicon::words::{WordClass, class};
use crate::normal::{fold, stem};
use crate::types::{Claim, QuantityKind, Span};

use super::{Own, bare_names, sentences, words};

/// Stands for the name of a thing.
const NAME: &str = "*";
/// Words of a question that are read.
const WORDS: usize = 64;

/// What kind of value a question wants.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    /// "how many", "how tall", "what does it cost".
    Amount,
    /// "when", "what time".
    Time,
    /// "who".
    Name,
    /// "where".
    Place,
    /// Values of these attributes.
    Of(Vec<String>),
    /// What was asked before ("And on Sundays?").
    Same,
}

/// A question's case.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    wanted: Wanted,
    /// Stems of the words that tell it.
    told: Vec<String>,
    /// It is a year or the like.
    dated: bool,
}

impl Frame {
    /// The cases of a question's sentences.
    pub(super) fn of(
        question: &str,
        things: &[u32],
        kb: &Snapshot,
        attributes: &Attributes,
    ) -> Vec<Self> {
        let names = bare_names(things, kb);
        let own = Own::of(things, kb);
        let told = |word: &str| things.iter().any(|id| detect::told_of(kb, *id, word));
        sentences(question)
            .filter_map(|text| {
                let mut folded = String::new();
                fold(text, &mut folded);
                for name in &names {
                    folded = folded.replace(&**name, " * ");
                }
                Asking::new(&folded, attributes, &own, &told).frame()
            })
            .collect()
    }

    /// Whether a claim gives such a value, and not the case itself ("Was it founded in 1920?").
    pub(super) fn covers(&self, view: &SentenceView<'_>, claim: &Claim) -> bool {
        let Some(object) = claim.object_span else {
            return false;
        };
        let mut text = String::new();
        fold(view.at(object), &mut text);
        let said: Vec<String> = words(&text).map(|word| stem(word).into_owned()).collect();
        let month = words(&text).any(|word| class(word).has(WordClass::MONTH));
        let whole = self.wanted == Wanted::Time && self.dated && month;
        if !whole && self.told.iter().all(|word| said.contains(word)) {
            return false;
        }
        let within = |span: Span| span.overlaps(object);
        let dated = month
            || words(&text).any(is_year)
            || (claim.quantities.iter()).any(|q| q.kind == QuantityKind::Year && within(q.span));
        let hours = words(&text).any(|word| is_weekday(word) || is_hour(word));
        let counted = text.bytes().any(|b| b.is_ascii_digit())
            || claim.quantities.iter().any(|q| within(q.span));
        match &self.wanted {
            Wanted::Amount => counted && !dated,
            // "on 5 October 2019" is no other year's day.
            Wanted::Time if self.dated => (hours || counted) && (!dated || month),
            Wanted::Time => dated || hours || counted,
            Wanted::Same => true,
            Wanted::Name | Wanted::Place => !counted && !dated,
            Wanted::Of(names) => {
                let predicate = claim.predicate.as_deref().unwrap_or("");
                let same = |name: &String| view.attributes.predicates().same(name, predicate);
                names.iter().any(same)
            }
        }
    }
}

/// Attributes that a question names, or says by a verb.
pub(super) fn attributes_in(
    question: &str,
    names: &[String],
    attributes: &Attributes,
    own: &Own,
) -> Vec<String> {
    let mut folded = String::new();
    fold(question, &mut folded);
    for name in names {
        folded = folded.replace(&**name, " * ");
    }
    let asking = Asking::new(&folded, attributes, own, &|_| false);
    asking.attributes_from(0)
}

/// A sentence of a question, with `*` where the name of the thing stands.
struct Asking<'a> {
    words: Vec<&'a str>,
    asks: bool,
    attributes: &'a Attributes,
    /// The attributes that the base has of the thing.
    own: &'a Own,
    /// Whether the base tells a word of the thing.
    told: &'a dyn Fn(&str) -> bool,
}

impl<'a> Asking<'a> {
    fn new(
        text: &'a str,
        attributes: &'a Attributes,
        own: &'a Own,
        told: &'a dyn Fn(&str) -> bool,
    ) -> Self {
        let words = text
            .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '*')
            .filter(|word| !word.is_empty())
            .take(WORDS);
        Self {
            words: words.collect(),
            asks: text.ends_with('?'),
            attributes,
            own,
            told,
        }
    }

    fn get(&self, i: usize) -> &'a str {
        self.words.get(i).copied().unwrap_or("")
    }

    fn frame(&self) -> Option<Frame> {
        let wanted = self.wanted()?;
        let mut told: Vec<&str> = Vec::new();
        let mut dated = false;
        for i in 0..self.words.len() {
            let (word, next) = (self.get(i), self.get(i + 1));
            dated |= is_year(word) || matches!(next, "year" | "century" | "decade");
            // "When did it first open?"
            let then = wanted != Wanted::Time && circumstance().has("asked_then", word);
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
    fn wanted(&self) -> Option<Wanted> {
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
            "what" | "which"
                if matches!(next, "time" | "year" | "date" | "day" | "days" | "month") =>
            {
                Some(Wanted::Time)
            }
            "what" | "which" => {
                let names = self.attributes_from(at + 1);
                (!names.is_empty()).then_some(Wanted::Of(names))
            }
            _ => None,
        }
    }

    /// Attributes that the words name, or a verb of them says.
    fn attributes_from(&self, start: usize) -> Vec<String> {
        let mut names = Vec::new();
        self.nouns_from(start, &mut names);
        for word in &self.words[start..] {
            let said = (self.attributes.predicates()).of_phrase(verb(word).unwrap_or(""));
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
        let own = self.own.names.iter();
        names.extend(own.filter(|name| name.split('_').all(has)).cloned());
        for i in start..self.words.len() {
            for end in i + 1..=(i + 3).min(self.words.len()) {
                let name = self.words[i..end].join("_");
                if self.attributes.predicates().named(&name).is_some() && !names.contains(&name) {
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
        let stops = Cue::PREPOSITION
            .or(Cue::AUXILIARY)
            .or(Cue::COPULA)
            .or(Cue::CONJUNCTION)
            .or(Cue::QUESTION);
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
            .is_some_and(|word| circumstance().has("payer", word));
        if people && phrase.len() > 1 {
            phrase.pop();
            return phrase;
        }
        if matches!(link, "with" | "without") || all && cue(phrase[0]).is(Cue::PRONOUN_OTHER) {
            return phrase;
        }
        // "… in Bergen has", where the base has it there.
        let beside = self.get(i - 1) == NAME && matches!(link, "in" | "at" | "on" | "of");
        let light = |word: &&str| {
            cue(word).is(Cue::DETERMINER.or(Cue::POSSESSIVE))
                || cue(word).is(Cue::PRONOUN_PERSON
                    .or(Cue::PRONOUN_THING)
                    .or(Cue::PRONOUN_OTHER))
                || cue(word).is(Cue::PRONOUN_GROUP)
                || circumstance().has("no_case", word)
                || stance().has("plain", word)
                || is_unit(word)
                || self.own.has_word(word)
                || beside && (self.told)(word)
        };
        phrase.into_iter().filter(|word| !light(word)).collect()
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
        let stops = Cue::AUXILIARY
            .or(Cue::COPULA)
            .or(Cue::PREPOSITION)
            .or(Cue::QUESTION);
        let rest = self.words[i + 1..].iter().copied();
        let mut phrase: Vec<&str> = rest
            .take_while(|word| !cue(word).is(stops.or(Cue::DETERMINER)) && *word != NAME)
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
            || self.own.has_word(noun)
            || self.attributes.predicates().named(noun).is_some();
        if !general {
            phrase.push(noun);
        }
        phrase.retain(|word| {
            !stance().has("plain", word)
                && !cue(word).is(Cue::DETERMINER)
                && !self.own.has_word(word)
        });
        phrase
    }

    /// "if I book early", "when it rains", where "Do you know when it opened?" opens none.
    fn opens_case(&self, i: usize, wanted: &Wanted) -> bool {
        let word = self.get(i);
        let before = self.get(i.saturating_sub(1));
        let asked = cue(before).is(Cue::PRONOUN_OTHER) && before != "there"
            || cue(verb(before).unwrap_or("")).is(Cue::REPORT)
            || matches!(
                before,
                "wonder" | "wondering" | "ask" | "asking" | "check" | "see"
            );
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

fn is_weekday(word: &str) -> bool {
    class(word.strip_suffix('s').unwrap_or(word)).has(WordClass::WEEKDAY)
        || ["day_12345", "day_67", "day_8"]
            .iter()
            .any(|days| circumstance().has(days, word))
}

fn is_spell(word: &str) -> bool {
    matches!(
        word,
        "day" | "week" | "month" | "quarter" | "hour" | "season" | "decade"
    )
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && (1000..2200).contains(&word.parse().unwrap_or(0))
}

fn is_unit(word: &str) -> bool {
    unit_named(word).is_some()
}

fn is_hour(word: &str) -> bool {
    circumstance().has("clock", word)
}
