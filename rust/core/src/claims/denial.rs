//! What a sentence denies outright, and whether another says it all the same.
//!
//! What is denied without a condition is denied with every addition: of "Gift cards never expire"
//! follows that they do not expire after two years. Sentences are compared by their words in order,
//! those aside that only carry the verb, so that roles and prepositions are the same.

use crate::lexicon::cues::{Cue, cue};
use crate::lexicon::denials::denies;
use crate::lexicon::tables::frames;
use crate::normal::{fold, stem};
use crate::types::{LexKind, Lexeme};

use super::content::word_hash;

/// Words without which too little is said to know what is spoken of.
const LEAST: usize = 3;

/// Whether a word of the text may deny something ("lacks", "not", "unsafe").
pub(crate) fn may_deny(text: &str) -> bool {
    let mut folded = String::new();
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '—' | '–' | '(' | ')'))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .any(|word| {
            folded.clear();
            fold(word, &mut folded);
            denies(&folded)
        })
}

/// Words of what a sentence denies outright, in order; empty where it denies nothing, or only under
/// some condition, at some time or of something it does not name. `text` gives a lexeme's text.
pub(crate) fn denied_words<'a>(lexemes: &[Lexeme], text: impl Fn(&Lexeme) -> &'a str) -> Vec<u64> {
    let (mut words, mut folded) = (Vec::new(), String::new());
    let (mut denied, mut over) = (false, false);
    for lexeme in lexemes {
        let own = text(lexeme);
        if !matches!(lexeme.kind, LexKind::Word | LexKind::Number) {
            let list = words.is_empty() && !denied && matches!(own, "-" | "*" | "•" | "–");
            if matches!(own, "?" | "\"" | "“" | "”" | ":" | "(") || !denied && !list {
                return Vec::new();
            }
            over |= !list;
            continue;
        }
        folded.clear();
        fold(own, &mut folded);
        let marks = frames().marks(&folded);
        if marks.has("bar") || folded == "neither" || folded == "nor" {
            return Vec::new();
        }
        if over {
            continue;
        }
        let word = folded.as_str();
        if cue(word).is(Cue::CONJUNCTION) {
            if !denied {
                return Vec::new();
            }
            over = true;
        } else if cue(word).is(Cue::NEGATION) || word == "no" || word.ends_with("n't") {
            // "Not everything": of a part.
            if words.is_empty() && word != "no" {
                return Vec::new();
            }
            // "Applicants who have no degree are not admitted": which of them, and what of them.
            if denied {
                return Vec::new();
            }
            denied = true;
        } else if !marks.has("carrier") {
            let pronoun = Cue::PRONOUN_PERSON
                .or(Cue::PRONOUN_THING)
                .or(Cue::PRONOUN_GROUP)
                .or(Cue::PRONOUN_OTHER)
                .or(Cue::POSSESSIVE);
            if words.is_empty() && cue(word).is(pronoun) && !matches!(word, "you" | "we") {
                return Vec::new();
            }
            words.push(word_hash(&stem(word)));
        }
    }
    if denied && words.len() >= LEAST {
        words
    } else {
        Vec::new()
    }
}

/// Words of a sentence that says something is so, with the numbers of their lexemes; `None` where a
/// word denies or bars it.
pub(crate) fn said_words<'a>(
    lexemes: &[Lexeme],
    text: impl Fn(&Lexeme) -> &'a str,
) -> Option<Vec<(u64, usize)>> {
    let (mut words, mut folded) = (Vec::new(), String::new());
    for (at, lexeme) in lexemes.iter().enumerate() {
        if !matches!(lexeme.kind, LexKind::Word | LexKind::Number) {
            continue;
        }
        folded.clear();
        fold(text(lexeme), &mut folded);
        let word = folded.as_str();
        let denies = cue(word).is(Cue::NEGATION) || word == "no" || word.ends_with("n't");
        if denies || frames().has("scant", word) {
            return None;
        }
        if !frames().has("carrier", word) {
            words.push((word_hash(&stem(word)), at));
        }
    }
    Some(words)
}
