//! What a question asks about: the name that it has may be of something else that it only mentions.

use crate::lexicon::coherence::coherence;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::names::{NameCue, name_cue};
use crate::lexicon::tables::{circumstance, frames, stance};
use crate::normal::fold_name;

use super::{LINKS, NAME, Things, sentences, words};

/// Whether a question that names one known thing asks about another: "When was the City Library founded? I know
/// the Harbour Museum.", "When was the Harbour Museum's cafe founded?", "How much does breakfast cost at the
/// Harbour Museum?". Where the question has no name of the thing as the base writes it nothing is told.
pub(super) fn asks_of_another(question: &str, thing: u32, things: &Things<'_>) -> bool {
    let sentences: Vec<String> = sentences(question)
        .map(|text| things.marked(text))
        .collect();
    let Some(own) = sentences.iter().position(|text| text.contains(NAME)) else {
        return false;
    };
    let asking = sentences.iter().position(|text| text.ends_with('?'));
    // "When was the City Library founded? It stands next to …"
    if let Some(at) = asking.filter(|at| *at != own && !sentences[*at].contains(NAME)) {
        let asks: Vec<&str> = words(&sentences[at]).collect();
        let of_a_thing = |end: usize| is_noun(asks[end - 1]) && !is_verb(&asks[..end]);
        return !refers(&sentences[at]) && (1..=asks.len()).any(of_a_thing);
    }
    let Some((front, behind)) = sentences[own].split_once(NAME) else {
        return false;
    };
    let kind = fold_name(things.kb.kind(thing).unwrap_or(""));
    let asked = Question {
        front: words(front).collect(),
        behind,
        things,
        kind: &kind,
    };
    of_its_own(front, behind, things)
        || asked.of_it()
        || asked.in_it()
        || asked.told_apart()
        || asked.beside_by_verb()
        || asked.part_behind()
        || beside_it(front, behind)
}

/// The sentence of a question around the name of a thing.
struct Question<'a> {
    /// Words before the name.
    front: Vec<&'a str>,
    behind: &'a str,
    things: &'a Things<'a>,
    /// What the base calls the thing.
    kind: &'a str,
}

/// "What came before …?", "What is near …?"
fn beside_it(front: &str, behind: &str) -> bool {
    let before: Vec<&str> = words(front).filter(|word| !is_article(word)).collect();
    let placed = before.last().is_some_and(|word| {
        frames().has("placed_beside", word) || matches!(*word, "before" | "after" | "than")
    });
    // "What happened before … opened?" asks about the thing itself.
    let noun = before.len().checked_sub(2).map(|at| before[at]);
    let of_noun = noun.is_some_and(|noun| verb(noun).is_none());
    placed && before.len() > 1 && (of_noun || words(behind).next().is_none())
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an")
}

/// Whether a sentence speaks of something by a pronoun.
fn refers(text: &str) -> bool {
    let third = Cue::PRONOUN_PERSON
        .or(Cue::PRONOUN_THING)
        .or(Cue::PRONOUN_GROUP)
        .or(Cue::POSSESSIVE);
    words(text).any(|word| {
        let word = word.to_lowercase();
        let own = circumstance().has("asker", &word);
        cue(&word).is(third) && !own || word == "there"
    })
}

/// "…'s cafe founded", where "…'s founding year" and "who is …'s director" ask about the thing itself.
fn of_its_own(front: &str, behind: &str, things: &Things<'_>) -> bool {
    let Some(rest) = behind
        .strip_prefix("'s ")
        .or_else(|| behind.strip_prefix("’s "))
        .or_else(|| behind.strip_prefix("' "))
    else {
        return false;
    };
    let owned: Vec<&str> = words(rest).collect();
    let named = (1..=owned.len().min(3)).rev().find(|length| {
        let name = owned[..*length].join("_");
        things.attributes.predicates().named(&name).is_some() || things.own.names.contains(&name)
    });
    match named {
        // "…'s owner founded"
        Some(length) => {
            // "the population of …'s capital"
            let before = words(front).filter(|word| !is_article(word)).last();
            let of = before.is_some_and(|word| cue(word).is(Cue::PREPOSITION));
            let next = owned.get(length);
            let has = |word: &&str| acts(word) || matches!(*word, "have" | "has");
            of || next.is_some_and(|word| has(word) || is_noun(word))
        }
        // "…'s history" is an aspect of it, "…'s new café" is not.
        None => {
            let ends = |word: &&&str| {
                let stops = Cue::PREPOSITION
                    .or(Cue::CONJUNCTION)
                    .or(Cue::COPULA)
                    .or(Cue::AUXILIARY);
                !cue(word).is(stops)
            };
            let phrase = owned.iter().take_while(ends).take(PHRASE);
            let phrase: Vec<&&str> = phrase.collect();
            let acted = phrase.iter().skip(1).position(|word| acts(word));
            let head = acted.map_or(phrase.last(), |at| phrase.get(at));
            head.is_some_and(|noun| !is_aspect(noun))
        }
    }
}

impl Question<'_> {
    /// "the rival of … founded", "the street of …", where "the director of …" asks about the thing itself.
    fn of_it(&self) -> bool {
        let front: Vec<&str> = self
            .front
            .iter()
            .filter(|w| !is_article(w))
            .copied()
            .collect();
        let [before @ .., "of"] = &*front else {
            return false;
        };
        let Some(noun) = before.last() else {
            return false;
        };
        let led = before.len().checked_sub(2).map_or("", |at| before[at]);
        // "Who worked for the architect of …?"
        if circumstance().has("asks_beside", led) {
            return true;
        }
        // "What do you know of …?"
        let person = Cue::PRONOUN_PERSON
            .or(Cue::PRONOUN_GROUP)
            .or(Cue::AUXILIARY);
        let asked = cue(led).is(person)
            || matches!(led, "you" | "i" | "we" | "to")
            || verb(led) == Some(led);
        let article = self.front.iter().rev().skip_while(|w| is_article(w)).nth(2);
        let acted = asked && verb(noun).is_some() && !article.is_some_and(|w| is_article(w));
        let told = self.is_attribute(noun);
        if acted && !told || before.len() < 2 {
            return false;
        }
        let next = words(self.behind).next();
        let part = circumstance().has("part_noun", noun) && !told;
        next.is_some_and(acts) || part || !told && !self.is_its(noun) || self.narrows(before)
    }

    /// "the museum in …", "breakfast at …", "a suite at …", "the firm that … worked for": the thing is where
    /// what is asked about is, or says which is meant.
    fn in_it(&self) -> bool {
        let mut front = &*self.front;
        while let [rest @ .., word] = front
            && is_article(word)
        {
            front = rest;
        }
        let Some((link, mut before)) = front.split_last() else {
            return false;
        };
        // "the mountain next to …"
        let mut beside = false;
        while let [rest @ .., word] = before
            && (frames().has("placed_beside", word) || *word == "close")
        {
            (before, beside) = (rest, true);
        }
        let relative = matches!(*link, "that" | "which" | "whom" | "where");
        let inside = circumstance().has("asked_by", link);
        if *link == "of" || !relative && !cue(link).is(Cue::PREPOSITION) && !inside {
            return false;
        }
        let Some(last) = before.last() else {
            return false;
        };
        if (is_noun(last) || self.things.own.has_head(last)) && !is_verb(before) {
            // "a battery for …" is none of its own, though the base has its battery life.
            let sold = matches!(*link, "for" | "to") && self.asks_price();
            let its = match sold {
                true => circumstance().has("entry", last) || circumstance().has("priced", last),
                false => is_aspect(last) || self.is_told(last),
            };
            return beside || !its || self.narrows(before);
        }
        if relative {
            return false;
        }
        if self.gerund(last) {
            return true;
        }
        // "does breakfast cost at", "how much breakfast costs at"
        let verb_at = before.iter().rposition(|word| verb(word).is_some());
        let Some(end) = verb_at else {
            return false;
        };
        let start = (0..end)
            .rev()
            .find(|at| cue(before[*at]).is(LINKS) || matches!(before[*at], "much" | "many"))
            .map_or(0, |at| at + 1);
        let subject = &before[start..end];
        // "How many people work at …"
        let counted = start > 0 && before[start - 1] == "many";
        let head = subject.last();
        let head = head.filter(|word| is_noun(word) && !is_article(word) && !counted);
        head.is_some_and(|word| !is_aspect(word) && !self.is_told(word) || self.narrows(subject))
    }

    /// Whether the noun at the end is told apart from others: "a child's ticket", "the deputy director".
    fn narrows(&self, phrase: &[&str]) -> bool {
        let Some((head, before)) = phrase.split_last() else {
            return false;
        };
        let determiner = Cue::DETERMINER.or(Cue::POSSESSIVE);
        let opens = LINKS.or(determiner).or(Cue::PRONOUN_OTHER);
        let counts = |word: &str| matches!(word, "many" | "much");
        let own = before.iter().rev().take(PHRASE);
        let own = own.take_while(|word| !cue(word).is(opens) && !counts(word));
        let led = own.clone().count();
        let article = before.iter().rev().nth(led);
        let opened = article.is_some_and(|word| cue(word).is(determiner));
        let mut own = own.take_while(|word| opened || verb(word) != Some(**word));
        let ticket = circumstance().has("entry", head);
        own.any(|word| {
            if ticket {
                return !circumstance().has("entry", word) && !self.things.own.has_word(word);
            }
            let light = stance().has("plain", word)
                || cue(word).is(Cue::ADJECTIVE) && is_aspect(head)
                || is_aspect(word)
                || self.is_attribute(word)
                || self.things.own.has_word(word)
                || self.is_kind(word)
                || self.is_attribute(&format!("{word}_{head}"));
            !light
        })
    }

    /// "a used Kora Lamp", "the new Brask Museum": told apart from the thing itself.
    fn told_apart(&self) -> bool {
        let Some((word, before)) = self.front.split_last() else {
            return false;
        };
        let opens = before.last().is_some_and(|word| {
            cue(word).is(Cue::DETERMINER.or(Cue::POSSESSIVE)) || circumstance().has("nth", word)
        });
        let participle = word.ends_with("ed") && verb(word).is_some();
        let apart = participle || circumstance().has("another_one", word);
        let led = self.front.iter().rev().find(|word| !is_article(word));
        opens && apart || led.is_some_and(|word| self.gerund(word))
    }

    /// "Which course follows …?"
    fn beside_by_verb(&self) -> bool {
        let [asks, kind @ .., word] = &*self.front else {
            return false;
        };
        let (Some(noun), Some(base)) = (kind.last(), verb(word)) else {
            return false;
        };
        let predicates = self.things.attributes.predicates();
        let told = |phrase: &str| predicates.of_phrase(phrase).next().is_some();
        let attribute = told(base) || told(&format!("{base} by"));
        let light = Cue::COPULA.or(Cue::AUXILIARY).or(Cue::PREPOSITION);
        let person = coherence().is_human(noun) || name_cue(noun).is(NameCue::IS_PERSON);
        matches!(*asks, "which" | "what")
            && kind.len() < 3
            && !cue(word).is(light)
            && !cue(noun).is(light)
            && !attribute
            && !person
            && !self.is_told(noun)
    }

    fn asks_price(&self) -> bool {
        let has = |word: &&str| circumstance().has("price_word", word);
        self.front.iter().any(has) || words(self.behind).any(|word| has(&word))
    }

    /// "repairing …", "parking at …": what costs is what is done.
    fn gerund(&self, word: &str) -> bool {
        let priced = self.asks_price();
        let done =
            word.ends_with("ing") && !circumstance().has("comes_by", verb(word).unwrap_or(""));
        priced && done && !self.is_attribute(word)
    }

    /// "the … library founded", "the … shade": a part or namesake that the words behind the name tell.
    fn part_behind(&self) -> bool {
        let behind: Vec<&str> = words(self.behind).take(PHRASE).collect();
        let Some(word) = behind.first() else {
            return false;
        };
        let direct = self.behind.starts_with(' ') || self.behind.starts_with('-');
        // "the Aurel X2 Mark II"
        if direct && circumstance().has("behind_name", word) {
            return true;
        }
        let first = self.front.first().copied().unwrap_or("");
        let led = self.front.iter().rev().find(|word| !is_article(word));
        let made = led.is_some_and(|word| {
            verb(word).is_some() && !cue(word).is(Cue::COPULA.or(Cue::AUXILIARY))
        });
        // "Is the museum popular?", "What makes it special?"
        let second = self.front.get(1).copied().unwrap_or("");
        let how = first == "how" && cue(second).is(Cue::COPULA.or(Cue::AUXILIARY));
        let how = how || first == "why";
        let described = cue(first).is(Cue::COPULA) || how || made || *word == "worth";
        let acted = behind
            .get(1)
            .is_some_and(|word| acts(word) || cue(word).is(Cue::AUXILIARY.or(Cue::COPULA)));
        let noun = is_noun(word) && verb(word).is_none() || circumstance().has("part_noun", word);
        let its = self.is_attribute(word)
            || self.things.own.has_word(word)
            || is_aspect(word) && !circumstance().has("part_noun", word)
            || self.is_kind(word);
        direct && noun && !its && (acted || !described)
    }

    fn is_kind(&self, noun: &str) -> bool {
        self.kind.split(' ').any(|own| own == noun)
    }

    fn is_attribute(&self, noun: &str) -> bool {
        self.things.attributes.predicates().named(noun).is_some()
            || self.things.own.has_head(noun)
            || self.things.own.measures(noun, &self.front)
    }

    /// An attribute that the base may have of it, or a word of one.
    fn is_told(&self, noun: &str) -> bool {
        self.is_attribute(noun) || circumstance().has("entry", noun)
    }

    /// What one asks of the thing itself, or what it is.
    fn is_its(&self, noun: &str) -> bool {
        is_aspect(noun) || frames().has("settlement", noun) || self.is_kind(noun)
    }
}

/// Whether a word may be the noun of what is asked about.
fn is_noun(word: &str) -> bool {
    let closed = LINKS
        .or(Cue::CONJUNCTION)
        .or(Cue::PRONOUN_OTHER)
        .or(Cue::PRONOUN_PERSON)
        .or(Cue::PRONOUN_THING)
        .or(Cue::PRONOUN_GROUP)
        .or(Cue::ADJECTIVE)
        .or(Cue::ADVERB)
        .or(Cue::TEMPORAL)
        .or(Cue::PARTICLE)
        .or(Cue::FUNCTION);
    let form = word.ends_with("ed") || word.ends_with("ing");
    let formed = form && verb(word).is_some();
    !(formed || cue(word).is(closed))
}

/// Whether the last word is what somebody does, and not a noun of what stands before it ("the cost at").
fn is_verb(before: &[&str]) -> bool {
    let led = before.len().checked_sub(2).map_or("", |at| before[at]);
    let noun = Cue::DETERMINER
        .or(Cue::POSSESSIVE)
        .or(Cue::ADJECTIVE)
        .or(Cue::PREPOSITION);
    let last = before.last().copied().unwrap_or("");
    // "what is the interest rate"
    let named = before.windows(2).any(|pair| {
        cue(pair[0]).is(Cue::COPULA) && cue(pair[1]).is(Cue::DETERMINER.or(Cue::POSSESSIVE))
    });
    if named {
        return false;
    }
    verb(last).is_some() && (!cue(led).is(noun) || led == "to")
}

/// Words of what is owned, at most.
const PHRASE: usize = 4;

/// Whether a noun is of what one asks of the thing itself: its history, its opening hours.
fn is_aspect(noun: &str) -> bool {
    frames().has("aspect", noun) || cue(noun).is(Cue::FUNCTION)
}

/// A verb that is told of what stands in front of it.
fn acts(word: &str) -> bool {
    !cue(word).is(Cue::PREPOSITION.or(Cue::CONJUNCTION)) && verb(word).is_some()
}
