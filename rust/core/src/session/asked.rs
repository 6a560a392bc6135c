//! What a question asks about: the name that it has may be of something else that it only mentions.

use crate::claims::Attributes;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::names::{NameCue, noun_is};
use crate::lexicon::tables::circumstance;
use crate::normal::fold;

/// Whether a question that names one known thing asks about another: "When was the City Library founded? I know
/// the Harbour Museum.", "When was the Harbour Museum's cafe founded?", "Tell me about the street of the Harbour
/// Museum". `name` is how the base calls the thing; where the question calls it otherwise nothing is told.
pub(super) fn asks_of_another(question: &str, name: &str, attributes: &Attributes) -> bool {
    let mut bare = String::new();
    fold(name, &mut bare);
    let bare = bare.strip_prefix("the ").unwrap_or(&bare).to_owned();
    let sentences: Vec<&str> = sentences(question).collect();
    let holds = |text: &&str| {
        let mut folded = String::new();
        fold(text, &mut folded);
        folded.contains(&*bare)
    };
    let Some(own) = sentences
        .iter()
        .position(holds)
        .filter(|_| !bare.is_empty())
    else {
        return false;
    };
    let asking = sentences.iter().position(|text| text.ends_with('?'));
    // "When was the City Library founded? It stands next to …"
    if asking.is_some_and(|at| at != own && !sentences.iter().skip(at).take(1).any(holds)) {
        let text = asking.map_or("", |at| sentences[at]);
        return !refers(text);
    }
    let mut folded = String::new();
    fold(sentences[own], &mut folded);
    let Some(at) = folded.find(&bare) else {
        return false;
    };
    let (front, behind) = (&folded[..at], &folded[at + bare.len()..]);
    of_its_own(behind, attributes) || of_it(front, behind, attributes)
}

/// The sentences and lines of a question.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['?', '!', '.', '\n'])
        .map(str::trim)
        .filter(|part| part.chars().any(char::is_alphanumeric))
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

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
}

/// "…'s cafe founded", where "…'s founding year" and "who is …'s director" ask about the thing itself.
fn of_its_own(behind: &str, attributes: &Attributes) -> bool {
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
        Some(length) => owned.get(length).is_some_and(|word| acts(word)),
        // "…'s history" is an aspect of it.
        None => {
            let acted = owned.get(1).is_some_and(|word| acts(word));
            owned.first().is_some_and(|noun| acted || is_thing(noun))
        }
    }
}

/// "the rival of … founded", "the street of …", where "the director of …" asks about the thing itself.
fn of_it(front: &str, behind: &str, attributes: &Attributes) -> bool {
    let mut before: Vec<&str> = words(front).collect();
    while before
        .last()
        .is_some_and(|word| matches!(*word, "the" | "a" | "an"))
    {
        before.pop();
    }
    if before.pop() != Some("of") {
        return false;
    }
    let Some(noun) = before.last() else {
        return false;
    };
    // "What do you know of …?"
    if verb(noun).is_some() && attributes.predicates().named(noun).is_none() || before.len() < 2 {
        return false;
    }
    let next = words(behind).next();
    next.is_some_and(acts) || attributes.predicates().named(noun).is_none() && is_thing(noun)
}

/// Whether a noun is of a person, a place or a company, which an answer may be about.
fn is_thing(noun: &str) -> bool {
    let kinds = NameCue::IS_PERSON.or(NameCue::IS_ORG).or(NameCue::IS_PLACE);
    noun_is(noun, kinds)
}

/// A verb that is told of what stands in front of it.
fn acts(word: &str) -> bool {
    !cue(word).is(Cue::PREPOSITION.or(Cue::CONJUNCTION)) && verb(word).is_some()
}
