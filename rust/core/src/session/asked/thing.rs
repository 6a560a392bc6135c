//! What a question asks about: the name that it has may be of something else that it only mentions.

use crate::claims::Attributes;
use crate::kb::Snapshot;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::{circumstance, frames, stance};
use crate::normal::{fold, fold_name, stem};

use super::{attribute_words, bare_names, sentences, words};

/// Whether a question that names one known thing asks about another: "When was the City Library founded? I know
/// the Harbour Museum.", "When was the Harbour Museum's cafe founded?", "How much does breakfast cost at the
/// Harbour Museum?". Where the question has no name of the thing as the base writes it nothing is told.
pub(super) fn asks_of_another(
    question: &str,
    thing: u32,
    kb: &Snapshot,
    attributes: &Attributes,
) -> bool {
    let names = bare_names(&[thing], kb);
    let sentences: Vec<String> = sentences(question)
        .map(|text| {
            let mut folded = String::new();
            fold(text, &mut folded);
            folded
        })
        .collect();
    let Some((bare, own)) = names.iter().find_map(|bare| {
        let own = sentences.iter().position(|text| text.contains(&**bare))?;
        Some((bare, own))
    }) else {
        return false;
    };
    let asking = sentences.iter().position(|text| text.ends_with('?'));
    // "When was the City Library founded? It stands next to …"
    if let Some(at) = asking.filter(|at| *at != own && !sentences[*at].contains(&**bare)) {
        let asks: Vec<&str> = words(&sentences[at]).collect();
        let of_a_thing = |end: usize| is_noun(asks[end - 1]) && !is_verb(&asks[..end]);
        return !refers(&sentences[at]) && (1..=asks.len()).any(of_a_thing);
    }
    let Some((front, behind)) = sentences[own].split_once(&**bare) else {
        return false;
    };
    let kind = fold_name(kb.kind(thing).unwrap_or(""));
    let asked = Question {
        front: words(front).collect(),
        behind,
        attributes,
        own: attribute_words(&[thing], kb),
        kind: &kind,
    };
    of_its_own(front, behind, attributes)
        || asked.of_it()
        || asked.in_it()
        || beside_it(front, behind)
}

/// The sentence of a question around the name of a thing.
struct Question<'a> {
    /// Words before the name.
    front: Vec<&'a str>,
    behind: &'a str,
    attributes: &'a Attributes,
    /// Stems of the names of its attributes.
    own: Vec<String>,
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
fn of_its_own(front: &str, behind: &str, attributes: &Attributes) -> bool {
    let Some(rest) = behind
        .strip_prefix("'s ")
        .or_else(|| behind.strip_prefix("’s "))
        .or_else(|| behind.strip_prefix("' "))
    else {
        return false;
    };
    let owned: Vec<&str> = words(rest).collect();
    let named = (1..=owned.len().min(3)).rev().find(|length| {
        attributes
            .predicates()
            .named(&owned[..*length].join("_"))
            .is_some()
    });
    match named {
        // "…'s owner founded"
        Some(length) => {
            // "the population of …'s capital"
            let of = words(front).filter(|word| !is_article(word)).last() == Some("of");
            of || owned.get(length).is_some_and(|word| acts(word))
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
        // "What do you know of …?"
        let led = before.len().checked_sub(2).map_or("", |at| before[at]);
        let person = Cue::PRONOUN_PERSON
            .or(Cue::PRONOUN_GROUP)
            .or(Cue::AUXILIARY);
        let asked = cue(led).is(person)
            || matches!(led, "you" | "i" | "we" | "to")
            || verb(led) == Some(led);
        let acted = asked && verb(noun).is_some();
        let told = self.is_attribute(noun);
        if acted && !told || before.len() < 2 {
            return false;
        }
        let next = words(self.behind).next();
        next.is_some_and(acts) || !told && !self.is_its(noun) || self.narrows(before)
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
        while let [rest @ .., word] = before
            && (frames().has("placed_beside", word) || *word == "close")
        {
            before = rest;
        }
        let relative = matches!(*link, "that" | "which" | "whom" | "where");
        if *link == "of" || !relative && !cue(link).is(Cue::PREPOSITION) && !is_inside(link) {
            return false;
        }
        let Some(last) = before.last() else {
            return false;
        };
        if is_noun(last) && !is_verb(before) {
            return !is_aspect(last) && !self.is_told(last) || self.narrows(before);
        }
        if relative {
            return false;
        }
        // "does breakfast cost at", "how much breakfast costs at"
        let verb_at = before.iter().rposition(|word| verb(word).is_some());
        let Some(end) = verb_at else {
            return false;
        };
        let stops = Cue::AUXILIARY
            .or(Cue::COPULA)
            .or(Cue::QUESTION)
            .or(Cue::PREPOSITION);
        let start = (0..end)
            .rev()
            .find(|at| cue(before[*at]).is(stops) || matches!(before[*at], "much" | "many"))
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
        let opens = Cue::DETERMINER
            .or(Cue::POSSESSIVE)
            .or(Cue::PREPOSITION)
            .or(Cue::AUXILIARY)
            .or(Cue::COPULA)
            .or(Cue::QUESTION)
            .or(Cue::PRONOUN_OTHER);
        let counts = |word: &str| matches!(word, "many" | "much");
        let own = before.iter().rev().take(PHRASE);
        let mut own = own
            .take_while(|word| !cue(word).is(opens) && !counts(word) && verb(word) != Some(**word));
        own.any(|word| {
            !stance().has("plain", word)
                && !(cue(word).is(Cue::ADJECTIVE) && is_aspect(head))
                && !is_aspect(word)
                && !self.is_attribute(word)
                && !self.kind.split(' ').any(|own| own == *word)
                && !self.is_attribute(&format!("{word}_{head}"))
        })
    }

    fn is_attribute(&self, noun: &str) -> bool {
        self.attributes.predicates().named(noun).is_some()
            || self.own.contains(&stem(noun).into_owned())
    }

    /// An attribute that the base may have of it, or a word of one.
    fn is_told(&self, noun: &str) -> bool {
        self.is_attribute(noun) || circumstance().has("entry", noun)
    }

    /// What one asks of the thing itself, or what it is.
    fn is_its(&self, noun: &str) -> bool {
        is_aspect(noun)
            || frames().has("settlement", noun)
            || self.kind.split(' ').any(|own| own == noun)
    }
}

/// Prepositions of several words end so ("next to" apart).
fn is_inside(word: &str) -> bool {
    matches!(word, "inside" | "outside" | "onto" | "aboard")
}

/// Whether a word may be the noun of what is asked about.
fn is_noun(word: &str) -> bool {
    let closed = Cue::PREPOSITION
        .or(Cue::CONJUNCTION)
        .or(Cue::QUESTION)
        .or(Cue::AUXILIARY)
        .or(Cue::COPULA)
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
    !cue(word).is(closed) && !(form && verb(word).is_some())
}

/// Whether the last word is what somebody does, and not a noun of what stands before it ("the cost at").
fn is_verb(before: &[&str]) -> bool {
    let led = before.len().checked_sub(2).map_or("", |at| before[at]);
    let noun = Cue::DETERMINER
        .or(Cue::POSSESSIVE)
        .or(Cue::ADJECTIVE)
        .or(Cue::PREPOSITION);
    let last = before.last().copied().unwrap_or("");
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
