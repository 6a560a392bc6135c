//! What a question asks about: the name that it has may be of something else that it only mentions.

use crate::claims::Attributes;
use crate::lexicon::cues::{Cue, cue, verb};
use crate::lexicon::tables::{circumstance, frames};
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
    of_its_own(front, behind, attributes)
        || of_it(front, behind, attributes)
        || beside_it(front, behind)
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

/// "the rival of … founded", "the street of …", where "the director of …" asks about the thing itself.
fn of_it(front: &str, behind: &str, attributes: &Attributes) -> bool {
    let mut before: Vec<&str> = words(front).collect();
    while before.last().is_some_and(|word| is_article(word)) {
        before.pop();
    }
    if before.pop() != Some("of") {
        return false;
    }
    let Some(noun) = before.last() else {
        return false;
    };
    // "What do you know of …?"
    let led = before.len().checked_sub(2).map_or("", |at| before[at]);
    let person = Cue::PRONOUN_PERSON
        .or(Cue::PRONOUN_GROUP)
        .or(Cue::AUXILIARY);
    let asked =
        cue(led).is(person) || matches!(led, "you" | "i" | "we" | "to") || verb(led).is_some();
    let acted = asked && verb(noun).is_some();
    if acted && attributes.predicates().named(noun).is_none() || before.len() < 2 {
        return false;
    }
    let next = words(behind).next();
    let told = attributes.predicates().named(noun).is_some();
    next.is_some_and(acts) || !told && !is_aspect(noun) && !is_called(noun)
}

/// Words of what is owned, at most.
const PHRASE: usize = 4;

/// Whether a noun is of what one asks of the thing itself: its history, its opening hours.
fn is_aspect(noun: &str) -> bool {
    frames().has("aspect", noun) || cue(noun).is(Cue::FUNCTION)
}

/// "the city of …" is what is named.
fn is_called(noun: &str) -> bool {
    frames().has("any_kind", noun) || frames().has("settlement", noun)
}

/// A verb that is told of what stands in front of it.
fn acts(word: &str) -> bool {
    !cue(word).is(Cue::PREPOSITION.or(Cue::CONJUNCTION)) && verb(word).is_some()
}
